// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles in other layouts, by each route: which one it is, layout/Relayout.h says.
// RUN: tegula-opt --tile-lower-to-llvm --split-input-file %s | FileCheck %s

// Other registers of the same thread.
// CHECK-LABEL: llvm.func @registers
// CHECK-NOT: {{shfl|barrier|select|ptr<3>}}
// CHECK: llvm.return
#before = #tile.layout<linear<register [(0, 1), (1, 0)], lane [(0, 2), (0, 4), (0, 8), (0, 16), (0, 32)], warp [] -> (d0 2, d1 64)>>
#after = #tile.layout<linear<register [(1, 0), (0, 1)], lane [(0, 2), (0, 4), (0, 8), (0, 16), (0, 32)], warp [] -> (d0 2, d1 64)>>
tile.kernel @registers(%x: !tile.ref<f32, [2, 64]>, %o: !tile.ref<f32, [2, 64]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [2, 64]> -> tensor<2x64xf32, #before>
  %1 = tile.relayout %0 : tensor<2x64xf32, #before> -> tensor<2x64xf32, #after>
  tile.store %1, %o : tensor<2x64xf32, #after>, !tile.ref<f32, [2, 64]>
  tile.return
}

// -----

// Copies: each thread keeps what is its own, by the bits of its number, those of its warp included.
// CHECK-LABEL: llvm.func @copies
// CHECK-DAG: %[[LANE_BIT:.*]] = llvm.mlir.constant(1 : i32)
// CHECK-DAG: %[[WARP_BIT:.*]] = llvm.mlir.constant(32 : i32)
// CHECK-NOT: {{shfl|barrier|ptr<3>}}
// CHECK: llvm.and %{{.*}}, %[[WARP_BIT]]
// CHECK-COUNT-2: llvm.select
// CHECK: llvm.and %{{.*}}, %[[LANE_BIT]]
// CHECK: llvm.select
// CHECK-NOT: {{llvm.select|shfl|barrier|ptr<3>}}
// CHECK: llvm.return
#all = #tile.layout<linear<register [(1), (2)], lane [(0), (0), (0), (0), (0)], warp [(0)] -> (d0 4)>>
#own = #tile.layout<linear<register [], lane [(1), (0), (0), (0), (0)], warp [(2)] -> (d0 4)>>
tile.kernel @copies(%x: !tile.ref<f32, [4]>, %o: !tile.ref<f32, [4]>) attributes {threads = 64 : i64, group = 64 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [4]> -> tensor<4xf32, #all>
  %1 = tile.relayout %0 : tensor<4xf32, #all> -> tensor<4xf32, #own>
  tile.store %1, %o : tensor<4xf32, #own>, !tile.ref<f32, [4]>
  tile.return
}

// -----

// A transposition of 2 x 2: each lane gives what the other wants, and both put it where it belongs.
// CHECK-LABEL: llvm.func @butterfly
// CHECK: llvm.select
// CHECK: llvm.select
// CHECK: nvvm.shfl.sync bfly
// CHECK-NOT: shfl
// CHECK: llvm.select
// CHECK: llvm.select
// CHECK-NOT: llvm.select
// CHECK: llvm.return
#rows = #tile.layout<blocked<[1, 2], lanes [2, 1]>>
#columns = #tile.layout<blocked<[2, 1], lanes [1, 2]>>
tile.kernel @butterfly(%x: !tile.ref<i32, [2, 2]>, %o: !tile.ref<i32, [2, 2]>) attributes {threads = 32 : i64, group = 2 : i64} {
  %0 = tile.load %x : !tile.ref<i32, [2, 2]> -> tensor<2x2xi32, #rows>
  %1 = tile.relayout %0 : tensor<2x2xi32, #rows> -> tensor<2x2xi32, #columns>
  tile.store %1, %o : tensor<2x2xi32, #columns>, !tile.ref<i32, [2, 2]>
  tile.return
}

// -----

// Lanes change places: bit 0 of the reader's number becomes bit 4 of the giver's, the others move down. Two halves go
// in one word.
// CHECK-LABEL: llvm.func @words
// CHECK: %[[HALVES:.*]] = llvm.bitcast %{{.*}} : vector<2xbf16> to vector<2xi16>
// CHECK: %[[WORD:.*]] = llvm.bitcast %[[HALVES]] : vector<2xi16> to i32
// CHECK: nvvm.shfl.sync idx %{{.*}}, %[[WORD]]
// CHECK-NOT: {{shfl|barrier|ptr<3>}}
// CHECK: llvm.return
#straight = #tile.layout<linear<register [(1)], lane [(2), (4), (8), (16), (32)], warp [] -> (d0 64)>>
#rotated = #tile.layout<linear<register [(1)], lane [(32), (2), (4), (8), (16)], warp [] -> (d0 64)>>
tile.kernel @words(%x: !tile.ref<bf16, [64], align 16>, %o: !tile.ref<bf16, [64], align 16>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<bf16, [64], align 16> -> tensor<64xbf16, #straight>
  %1 = tile.relayout %0 : tensor<64xbf16, #straight> -> tensor<64xbf16, #rotated>
  tile.store %1, %o : tensor<64xbf16, #rotated>, !tile.ref<bf16, [64], align 16>
  tile.return
}

// -----

// A thread group of half a warp counts from its own first lane, and names its members alone. Bits go as words.
// CHECK-LABEL: llvm.func @half_a_warp
// CHECK-DAG: %[[MEMBERS:.*]] = llvm.mlir.constant(65535 : i32)
// CHECK-DAG: %[[CLAMP:.*]] = llvm.mlir.constant(4127 : i32)
// CHECK: %[[MASK:.*]] = llvm.shl %[[MEMBERS]], %{{.*}} : i32
// CHECK: %[[WORD:.*]] = llvm.zext %{{.*}} : i1 to i32
// CHECK: nvvm.shfl.sync idx %[[MASK]], %[[WORD]], %{{.*}}, %[[CLAMP]]
// CHECK: llvm.trunc %{{.*}} : i32 to i1
#up = #tile.layout<linear<register [], lane [(1), (2), (4), (8)], warp [] -> (d0 16)>>
#down = #tile.layout<linear<register [], lane [(8), (4), (2), (1)], warp [] -> (d0 16)>>
tile.kernel @half_a_warp(%x: !tile.ref<i1, [16]>, %o: !tile.ref<i1, [16]>) attributes {threads = 32 : i64, group = 16 : i64} {
  %0 = tile.load %x : !tile.ref<i1, [16]> -> tensor<16xi1, #up>
  %1 = tile.relayout %0 : tensor<16xi1, #up> -> tensor<16xi1, #down>
  tile.store %1, %o : tensor<16xi1, #down>, !tile.ref<i1, [16]>
  tile.return
}

// -----

// Between warps: vectors of one side, and columns of the other one: the units of every second row are in another order.
// A register that is in another row of those is xored with the thread's place.
// CHECK-LABEL: llvm.mlir.global internal @memory_scratch() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<2048 x i8>
// CHECK: llvm.func @memory
// CHECK-DAG: %[[PAIR_OF_ROWS:[0-9]+]] = llvm.mlir.constant(8 : i32)
// CHECK-DAG: %[[UNITS:[0-9]+]] = llvm.mlir.constant(7 : i32)
// CHECK-DAG: %[[UNIT:[0-9]+]] = llvm.mlir.constant(16 : i32)
// CHECK-NOT: shfl
// CHECK: nvvm.barrier0
// CHECK: llvm.lshr %[[BYTE:[0-9]+]], %[[PAIR_OF_ROWS]]
// CHECK-NEXT: llvm.and %{{.*}}, %[[UNITS]]
// CHECK-NEXT: %[[MOVED:[0-9]+]] = llvm.mul %{{.*}}, %[[UNIT]]
// CHECK-NEXT: llvm.xor %[[BYTE]], %[[MOVED]]
// CHECK: llvm.store %{{.*}} : vector<4xf32>, !llvm.ptr<3>
// CHECK-NOT: llvm.store
// CHECK: nvvm.barrier0
// CHECK: %[[OWN:[0-9]+]] = llvm.xor
// CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK: llvm.xor %[[OWN]], %[[UNIT]]
// CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK-NOT: !llvm.ptr<3>
// CHECK: llvm.return
#across = #tile.layout<blocked<[1, 4], lanes [4, 8], warps [4, 1]>>
#along = #tile.layout<blocked<[4, 1], lanes [4, 8], warps [1, 4]>>
tile.kernel @memory(%x: !tile.ref<f32, [16, 32], align 16>, %o: !tile.ref<f32, [16, 32]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [16, 32], align 16> -> tensor<16x32xf32, #across>
  %1 = tile.relayout %0 : tensor<16x32xf32, #across> -> tensor<16x32xf32, #along>
  tile.store %1, %o : tensor<16x32xf32, #along>, !tile.ref<f32, [16, 32]>
  tile.return
}

// -----

// A tile of 64 KiB goes in two boxes of 128 x 64, which registers tell apart on both sides.
// CHECK-LABEL: llvm.mlir.global internal @in_boxes_scratch() {{.*}} : !llvm.array<32768 x i8>
// CHECK: llvm.func @in_boxes
// CHECK: nvvm.barrier0
// CHECK-COUNT-32: llvm.store %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<3>
// CHECK-NOT: llvm.store
// CHECK: nvvm.barrier0
// CHECK-COUNT-8: llvm.load %{{.*}} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-NOT: {{llvm.load|llvm.cond_br|llvm.select}}
// CHECK: nvvm.barrier0
// CHECK-COUNT-32: llvm.store %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<3>
// CHECK-NOT: llvm.store
// CHECK: nvvm.barrier0
// CHECK-COUNT-8: llvm.load %{{.*}} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-NOT: {{!llvm.ptr<3>|nvvm.barrier0}}
// CHECK: llvm.return
#columns = #tile.layout<blocked<[4, 1], lanes [32, 1], warps [1, 8]>>
#rows = #tile.layout<blocked<[1, 4], lanes [4, 8], warps [8, 1]>>
tile.kernel @in_boxes(%x: !tile.ref<f32, [128, 128]>, %o: !tile.ref<f32, [128, 128], align 16>) attributes {threads = 256 : i64, group = 256 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [128, 128]> -> tensor<128x128xf32, #columns>
  %1 = tile.relayout %0 : tensor<128x128xf32, #columns> -> tensor<128x128xf32, #rows>
  tile.store %1, %o : tensor<128x128xf32, #rows>, !tile.ref<f32, [128, 128], align 16>
  tile.return
}

// -----

// Here a warp has all rows of a box, or none: half of the warps write at a time, and all read.
// CHECK-LABEL: llvm.func @half_of_the_warps
// CHECK-DAG: %[[BIT:.*]] = llvm.mlir.constant(64 : i32)
// CHECK: nvvm.barrier0
// CHECK: %[[HIGH:.*]] = llvm.and %{{.*}}, %[[BIT]]
// CHECK: %[[MINE:.*]] = llvm.icmp "eq" %[[HIGH]], %{{.*}}
// CHECK: llvm.cond_br %[[MINE]]
// CHECK: llvm.store %{{.*}} : f32, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK: nvvm.barrier0
// CHECK: %[[OTHERS:.*]] = llvm.icmp "eq" %{{.*}}, %[[BIT]]
// CHECK: llvm.cond_br %[[OTHERS]]
// CHECK: llvm.store %{{.*}} : f32, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK: llvm.return
#down = #tile.layout<blocked<[1, 1], lanes [32, 1], warps [4, 1]>>
#turned = #tile.layout<linear<register [(1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (32, 0), (64, 0)], lane [(0, 1), (0, 2), (0, 4), (0, 8), (0, 16)], warp [(0, 32), (0, 64)] -> (d0 128, d1 128)>>
tile.kernel @half_of_the_warps(%x: !tile.ref<f32, [128, 128]>, %o: !tile.ref<f32, [128, 128]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [128, 128]> -> tensor<128x128xf32, #down>
  %1 = tile.relayout %0 : tensor<128x128xf32, #down> -> tensor<128x128xf32, #turned>
  tile.store %1, %o : tensor<128x128xf32, #turned>, !tile.ref<f32, [128, 128]>
  tile.return
}

// -----

// And the other way round: all write, and the threads whose box it is keep what they read.
// CHECK-LABEL: llvm.func @half_of_the_readers
// CHECK: nvvm.barrier0
// CHECK-NOT: llvm.cond_br
// CHECK: nvvm.barrier0
// CHECK: %[[FIRST:.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK-NOT: {{llvm.cond_br|llvm.select}}
// CHECK: nvvm.barrier0
// CHECK: nvvm.barrier0
// CHECK: %[[SECOND:.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK: llvm.select %{{.*}}, %[[SECOND]], %[[FIRST]] : i1, f32
// CHECK: llvm.return
#down = #tile.layout<blocked<[1, 1], lanes [32, 1], warps [4, 1]>>
#turned = #tile.layout<linear<register [(1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (32, 0), (64, 0)], lane [(0, 1), (0, 2), (0, 4), (0, 8), (0, 16)], warp [(0, 32), (0, 64)] -> (d0 128, d1 128)>>
tile.kernel @half_of_the_readers(%x: !tile.ref<f32, [128, 128]>, %o: !tile.ref<f32, [128, 128]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [128, 128]> -> tensor<128x128xf32, #turned>
  %1 = tile.relayout %0 : tensor<128x128xf32, #turned> -> tensor<128x128xf32, #down>
  tile.store %1, %o : tensor<128x128xf32, #down>, !tile.ref<f32, [128, 128]>
  tile.return
}
