// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the threads of a thread group exchange elements: shuffles within a warp, shared memory between warps.
// RUN: tegulac --arch sm_90a --emit ptx %s | FileCheck %s

// One warp needs no memory: five steps, each thread combines its own eight before.
// CHECK-LABEL: .entry one_warp(
// CHECK-NOT: .shared
// CHECK-COUNT-5: shfl.sync.bfly.b32
// CHECK-NOT: shfl
// CHECK-NOT: bar.
// CHECK: ret;
tile.kernel @one_warp(%x: !tile.ref<f32, [256], align 16>, %o: !tile.ref<f32, []>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [256], align 16> -> tensor<256xf32, #tile.layout<blocked<[4], lanes [32]>>>
  %1 = tile.reduce sum %0 [0] : tensor<256xf32, #tile.layout<blocked<[4], lanes [32]>>> -> tensor<f32, #tile.layout<blocked<[], lanes [] x32>>>
  tile.store %1, %o : tensor<f32, #tile.layout<blocked<[], lanes [] x32>>>, !tile.ref<f32, []>
  tile.return
}

// Half a warp is a thread group: the other half may be elsewhere.
// CHECK-LABEL: .entry half_a_warp(
// CHECK: mov.b32 %[[HALF:r[0-9]+]], 65535;
// CHECK: shl.b32 %[[MEMBERS:r[0-9]+]], %[[HALF]], %{{.*}};
// CHECK: shfl.sync.bfly.b32 {{.*}}, %[[MEMBERS]];
// CHECK-COUNT-3: shfl.sync.bfly.b32
// CHECK-NOT: shfl
// CHECK: ret;
tile.kernel @half_a_warp(%x: !tile.ref<f32, [?, 64]>, %o: !tile.ref<f32, [?]>) attributes {threads = 32 : i64, group = 16 : i64} {
  %t = tile.thread_group
  %s = tile.slice %x[element %t, whole] : !tile.ref<f32, [?, 64]> -> !tile.ref<f32, [64]>
  %r = tile.slice %o[element %t] : !tile.ref<f32, [?]> -> !tile.ref<f32, []>
  %0 = tile.load %s : !tile.ref<f32, [64]> -> tensor<64xf32, #tile.layout<blocked<[1], lanes [16]>>>
  %1 = tile.reduce max %0 [0] : tensor<64xf32, #tile.layout<blocked<[1], lanes [16]>>> -> tensor<f32, #tile.layout<blocked<[], lanes [] x16>>>
  tile.store %1, %r : tensor<f32, #tile.layout<blocked<[], lanes [] x16>>>, !tile.ref<f32, []>
  tile.return
}

// Between warps: each writes once, and all read what four of them wrote.
// CHECK-LABEL: .entry four_warps(
// CHECK-COUNT-5: shfl.sync.bfly.b32
// CHECK: bar.sync
// CHECK: st.shared.f32
// CHECK: bar.sync
// CHECK-COUNT-4: ld.shared.f32
// CHECK-NOT: ld.shared
// CHECK: ret;
tile.kernel @four_warps(%x: !tile.ref<f32, [512], align 16>, %o: !tile.ref<f32, []>) attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [512], align 16> -> tensor<512xf32, #tile.layout<blocked<[4], lanes [32], warps [4]>>>
  %1 = tile.reduce sum %0 [0] : tensor<512xf32, #tile.layout<blocked<[4], lanes [32], warps [4]>>> -> tensor<f32, #tile.layout<blocked<[], lanes [] x32, warps [] x4>>>
  tile.store %1, %o : tensor<f32, #tile.layout<blocked<[], lanes [] x32, warps [] x4>>>, !tile.ref<f32, []>
  tile.return
}

// Thirty-two rows of a warp: where lanes meet they deal out rows, 16 + 8 + 4 + 2 + 1 shuffles, and as many collect what
// came out: 62 where each row by itself takes 5, 160.
// CHECK-LABEL: .entry rows_of_a_warp(
// CHECK-COUNT-62: shfl.sync.bfly.b32
// CHECK-NOT: shfl
// CHECK: ret;
tile.kernel @rows_of_a_warp(%x: !tile.ref<f32, [32, 32]>, %o: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [32, 32]> -> tensor<32x32xf32, #tile.layout<blocked<[1, 1], lanes [1, 32]>>>
  %1 = tile.reduce sum %0 [1] : tensor<32x32xf32, #tile.layout<blocked<[1, 1], lanes [1, 32]>>> -> tensor<32xf32, #tile.layout<blocked<[1], lanes [1] x32>>>
  tile.store %1, %o : tensor<32xf32, #tile.layout<blocked<[1], lanes [1] x32>>>, !tile.ref<f32, [32]>
  tile.return
}

// Four lanes collect as much as they would spare by dealing: two shuffles a row.
// CHECK-LABEL: .entry rows_of_four_lanes(
// CHECK-COUNT-8: shfl.sync.bfly.b32
// CHECK-NOT: bfly
// CHECK: ret;
tile.kernel @rows_of_four_lanes(%x: !tile.ref<f32, [32, 4]>, %o: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [32, 4]> -> tensor<32x4xf32, #tile.layout<blocked<[4, 1], lanes [8, 4]>>>
  %1 = tile.reduce sum %0 [1] : tensor<32x4xf32, #tile.layout<blocked<[4, 1], lanes [8, 4]>>> -> tensor<32xf32, #tile.layout<blocked<[4], lanes [8] x4>>>
  tile.store %1, %o : tensor<32xf32, #tile.layout<blocked<[4], lanes [8] x4>>>, !tile.ref<f32, [32]>
  tile.return
}

// What lanes have in parts is added up once: none of the sums takes a shuffle, the two of a thread's rows take two each.
// CHECK-LABEL: .entry parts_of_four_lanes(
// CHECK-NOT: shfl
// CHECK: mul{{.*}}.f32
// CHECK-COUNT-4: shfl.sync.bfly.b32
// CHECK-NOT: shfl
// CHECK: ret;
tile.kernel @parts_of_four_lanes(%x: !tile.ref<f32, [16, 8]>, %o: !tile.ref<f32, [16]>, %f: f32) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [16, 8]> -> tensor<16x8xf32, #tile.layout<blocked<[1, 2], lanes [8, 4]>>>
  %1 = tile.reduce sum %0 [1] partial : tensor<16x8xf32, #tile.layout<blocked<[1, 2], lanes [8, 4]>>> -> tensor<16xf32, #tile.layout<linear<register [], lane [(0), (0), (1), (2), (4)], warp [] -> (d0 8)>>>
  %2 = tile.full %f : f32 -> tensor<16xf32, #tile.layout<linear<register [], lane [(0), (0), (1), (2), (4)], warp [] -> (d0 8)>>>
  %3 = tile.mul %1, %2 : tensor<16xf32, #tile.layout<linear<register [], lane [(0), (0), (1), (2), (4)], warp [] -> (d0 8)>>>
  %4 = tile.combine_lanes %3 : tensor<16xf32, #tile.layout<linear<register [], lane [(0), (0), (1), (2), (4)], warp [] -> (d0 8)>>>
  tile.store %4, %o : tensor<16xf32, #tile.layout<linear<register [], lane [(0), (0), (1), (2), (4)], warp [] -> (d0 8)>>>, !tile.ref<f32, [16]>
  tile.return
}

// Of small floats, in f32. All lanes of a warp deal out parts of four rows, 2 + 1, add up what each has, 3, and collect,
// 1 + 2.
// CHECK-LABEL: .entry parts_of_a_warp(
// CHECK-NOT: shfl
// CHECK-COUNT-9: shfl.sync.bfly.b32
// CHECK-NOT: shfl
// CHECK: ret;
tile.kernel @parts_of_a_warp(%x: !tile.ref<f16, [4, 32]>, %o: !tile.ref<f16, [4]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f16, [4, 32]> -> tensor<4x32xf16, #tile.layout<blocked<[4, 1], lanes [1, 32]>>>
  %1 = tile.reduce sum %0 [1] partial : tensor<4x32xf16, #tile.layout<blocked<[4, 1], lanes [1, 32]>>> -> tensor<4xf16, #tile.layout<blocked<[4], lanes [1] x32>>>
  %2 = tile.combine_lanes %1 : tensor<4xf16, #tile.layout<blocked<[4], lanes [1] x32>>>
  tile.store %2, %o : tensor<4xf16, #tile.layout<blocked<[4], lanes [1] x32>>>, !tile.ref<f16, [4]>
  tile.return
}

// Between warps, too: three shuffles leave each lane one of four rows, three more combine that; a thread writes one, and
// reads what four warps have of four rows.
// CHECK-LABEL: .entry rows_of_four_warps(
// CHECK-COUNT-6: shfl.sync.bfly.b32
// CHECK-NOT: shfl
// CHECK: bar.sync
// CHECK: st.shared.f32
// CHECK-NOT: st.shared
// CHECK: bar.sync
// CHECK-COUNT-16: ld.shared.f32
// CHECK-NOT: ld.shared
// CHECK: ret;
tile.kernel @rows_of_four_warps(%x: !tile.ref<f32, [4, 128]>, %o: !tile.ref<f32, [4]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [4, 128]> -> tensor<4x128xf32, #tile.layout<blocked<[1, 1], lanes [1, 32], warps [1, 4]>>>
  %1 = tile.reduce sum %0 [1] : tensor<4x128xf32, #tile.layout<blocked<[1, 1], lanes [1, 32], warps [1, 4]>>> -> tensor<4xf32, #tile.layout<blocked<[1], lanes [1] x32, warps [1] x4>>>
  tile.store %1, %o : tensor<4xf32, #tile.layout<blocked<[1], lanes [1] x32, warps [1] x4>>>, !tile.ref<f32, [4]>
  tile.return
}

// A relayout between warps goes through memory.
// CHECK-LABEL: .entry relaid(
// CHECK: bar.sync
// CHECK: st.shared.v4.f32
// CHECK: bar.sync
// CHECK-COUNT-4: ld.shared.f32
// CHECK: ret;
tile.kernel @relaid(%x: !tile.ref<f32, [512], align 16>, %o: !tile.ref<f32, [512]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [512], align 16> -> tensor<512xf32, #tile.layout<blocked<[4], lanes [32], warps [4]>>>
  %1 = tile.relayout %0 : tensor<512xf32, #tile.layout<blocked<[4], lanes [32], warps [4]>>> -> tensor<512xf32, #tile.layout<blocked<[1], lanes [32], warps [4]>>>
  tile.store %1, %o : tensor<512xf32, #tile.layout<blocked<[1], lanes [32], warps [4]>>>, !tile.ref<f32, [512]>
  tile.return
}

// The factors of a product lie in shared memory; a thread reads rows and columns of them in vectors.
// CHECK-LABEL: .entry product(
// CHECK: bar.warp.sync
// CHECK: st.shared.v4.f32
// CHECK: bar.warp.sync
// CHECK: ld.shared.v4.f32
// CHECK-COUNT-64: fma.rn.f32
// CHECK-NOT: fma.rn.f32
// CHECK: ret;
#load = #tile.layout<blocked<[1, 4], lanes [16, 2]>>
#load_b = #tile.layout<blocked<[1, 4], lanes [8, 4]>>
#sum = #tile.layout<blocked<[1, 4], lanes [8, 4]>>
tile.kernel @product(%x: !tile.ref<f32, [16, 8], align 16>, %y: !tile.ref<f32, [8, 16], align 16>, %o: !tile.ref<f32, [32, 16]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %z = arith.constant 0 : i64
  %a = tile.load %x : !tile.ref<f32, [16, 8], align 16> -> tensor<16x8xf32, #load>
  %b = tile.load %y : !tile.ref<f32, [8, 16], align 16> -> tensor<8x16xf32, #load_b>
  %p = tile.dot %a, %b : tensor<16x8xf32, #load>, tensor<8x16xf32, #load_b> -> tensor<16x16xf32, #sum>
  %w = tile.slice %o[window %z, whole] {in_bounds} : !tile.ref<f32, [32, 16]> -> !tile.ref<f32, [16, 16]>
  tile.store %p, %w : tensor<16x16xf32, #sum>, !tile.ref<f32, [16, 16]>
  tile.return
}
