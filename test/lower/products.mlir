// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products that go through scratch in chunks.
// RUN: tegula-opt --tile-lower-to-llvm --split-input-file %s | FileCheck %s

// Matrix by matrix: each of the two has scratch to itself, 8 rows of 4 and a gap, then 4 of 8. All of it is one warp's,
// half of which has the second matrix of the factors.
// CHECK-LABEL: llvm.mlir.global internal @batch_scratch() {{.*}} : !llvm.array<384 x i8>
// CHECK: llvm.func @batch
// CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: nvvm.bar.warp.sync
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %{{.*}}, %[[ZERO]] : i32
// CHECK: llvm.cond_br %[[FIRST]]
// CHECK: nvvm.bar.warp.sync
// CHECK-COUNT-8: llvm.intr.fma
// CHECK-NOT: llvm.intr.fma
// CHECK: nvvm.bar.warp.sync
// CHECK: %[[SECOND:.*]] = llvm.icmp "eq" %{{.*}}, %[[ONE]] : i32
// CHECK: llvm.cond_br %[[SECOND]]
// CHECK: nvvm.bar.warp.sync
// CHECK-COUNT-8: llvm.intr.fma
// CHECK-NOT: {{llvm.intr.fma|nvvm.bar.warp.sync|llvm.select}}
// CHECK: llvm.return
#factor = #tile.layout<blocked<[1, 1, 4], lanes [2, 8, 1] x2>>
#factor_b = #tile.layout<blocked<[1, 1, 4], lanes [2, 4, 2] x2>>
#sums = #tile.layout<blocked<[1, 1, 1], lanes [1, 4, 8]>>
tile.kernel @batch(%x: !tile.ref<f32, [2, 8, 4]>, %y: !tile.ref<f32, [2, 4, 8]>, %o: !tile.ref<f32, [2, 8, 8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %a = tile.load %x : !tile.ref<f32, [2, 8, 4]> -> tensor<2x8x4xf32, #factor>
  %b = tile.load %y : !tile.ref<f32, [2, 4, 8]> -> tensor<2x4x8xf32, #factor_b>
  %c = tile.dot %a, %b : tensor<2x8x4xf32, #factor>, tensor<2x4x8xf32, #factor_b> -> tensor<2x8x8xf32, #sums>
  tile.store %c, %o : tensor<2x8x8xf32, #sums>, !tile.ref<f32, [2, 8, 8]>
  tile.return
}

// -----

// Factors of 192 KiB, in four chunks of 128 that are summed over.
// CHECK-LABEL: llvm.mlir.global internal @deep_scratch() {{.*}} : !llvm.array<33280 x i8>
// CHECK: llvm.func @deep
// CHECK-COUNT-8: nvvm.barrier0
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
#a = #tile.layout<blocked<[1, 4], lanes [1, 32], warps [4, 1]>>
#b = #tile.layout<blocked<[1, 4], lanes [4, 8], warps [4, 1]>>
#c = #tile.layout<blocked<[1, 4], lanes [4, 8], warps [4, 1]>>
tile.kernel @deep(%x: !tile.ref<f32, [32, 512]>, %y: !tile.ref<f32, [512, 32]>, %o: !tile.ref<f32, [32, 32]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [32, 512]> -> tensor<32x512xf32, #a>
  %1 = tile.load %y : !tile.ref<f32, [512, 32]> -> tensor<512x32xf32, #b>
  %2 = tile.dot %0, %1 : tensor<32x512xf32, #a>, tensor<512x32xf32, #b> -> tensor<32x32xf32, #c>
  tile.store %2, %o : tensor<32x32xf32, #c>, !tile.ref<f32, [32, 32]>
  tile.return
}

// -----

// A side that is too long even for one chunk: rows of the sums in two boxes, each of half of the warps, which keep what
// is theirs.
// CHECK-LABEL: llvm.mlir.global internal @tall_scratch() {{.*}} : !llvm.array<32784 x i8>
// CHECK: llvm.func @tall
// CHECK-COUNT-2: nvvm.barrier0
// CHECK-COUNT-32: llvm.intr.fma
// CHECK-NOT: llvm.intr.fma
// CHECK-COUNT-32: llvm.select %{{.*}} : i1, vector<2xf64>
// CHECK-COUNT-2: nvvm.barrier0
// CHECK-COUNT-32: llvm.intr.fma
// CHECK-COUNT-32: llvm.select %{{.*}} : i1, vector<2xf64>
// CHECK-NOT: {{nvvm.barrier0|llvm.select}}
// CHECK: llvm.return
#tall = #tile.layout<blocked<[1, 1], lanes [32, 1], warps [8, 1]>>
#few = #tile.layout<blocked<[1, 2], lanes [1, 1] x32, warps [1, 1] x8>>
#by_warps = #tile.layout<linear<register [(0, 1), (32, 0), (64, 0), (128, 0), (256, 0), (512, 0)], lane [(1, 0), (2, 0), (4, 0), (8, 0), (16, 0)], warp [(1024, 0), (2048, 0), (4096, 0)] -> (d0 8192, d1 2)>>
tile.kernel @tall(%x: !tile.ref<f64, [8192, 1]>, %y: !tile.ref<f64, [1, 2]>, %o: !tile.ref<f64, [8192, 2]>) attributes {threads = 256 : i64, group = 256 : i64} {
  %0 = tile.load %x : !tile.ref<f64, [8192, 1]> -> tensor<8192x1xf64, #tall>
  %1 = tile.load %y : !tile.ref<f64, [1, 2]> -> tensor<1x2xf64, #few>
  %2 = tile.dot %0, %1 : tensor<8192x1xf64, #tall>, tensor<1x2xf64, #few> -> tensor<8192x2xf64, #by_warps>
  tile.store %2, %o : tensor<8192x2xf64, #by_warps>, !tile.ref<f64, [8192, 2]>
  tile.return
}

// -----

// A thread has 32 sums of 256 products each: in two chunks, each of them a loop over 64 steps, 2048 products at a time.
// CHECK-LABEL: llvm.func @looped
// CHECK-DAG: %[[END:.*]] = llvm.mlir.constant(128 : i32)
// CHECK-DAG: %[[STEP:.*]] = llvm.mlir.constant(64 : i32)
// CHECK: ^[[HEAD:bb[0-9]+]](%[[K:[0-9]+]]: i32
// CHECK: %[[MORE:.*]] = llvm.icmp "slt" %[[K]], %[[END]] : i32
// CHECK-NEXT: llvm.cond_br %[[MORE]]
// CHECK-COUNT-512: llvm.intr.fma{{.*}} vector<4xf32>
// CHECK-NOT: llvm.intr.fma
// CHECK: %[[NEXT:.*]] = llvm.add %[[K]], %[[STEP]] : i32
// CHECK-NEXT: llvm.br ^[[HEAD]](%[[NEXT]]
// CHECK: ^[[SECOND:bb[0-9]+]](%{{[0-9]+}}: i32
// CHECK-COUNT-512: llvm.intr.fma
// CHECK-NOT: llvm.intr.fma
// CHECK: llvm.br ^[[SECOND]](
// CHECK-NOT: llvm.intr.fma
// CHECK: llvm.return
#looped_a = #tile.layout<blocked<[1, 4], lanes [1, 32]>>
#looped_b = #tile.layout<blocked<[1, 4], lanes [4, 8]>>
tile.kernel @looped(%x: !tile.ref<f32, [32, 256]>, %y: !tile.ref<f32, [256, 32]>, %o: !tile.ref<f32, [32, 32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [32, 256]> -> tensor<32x256xf32, #looped_a>
  %1 = tile.load %y : !tile.ref<f32, [256, 32]> -> tensor<256x32xf32, #looped_b>
  %2 = tile.dot %0, %1 : tensor<32x256xf32, #looped_a>, tensor<256x32xf32, #looped_b> -> tensor<32x32xf32, #looped_b>
  tile.store %2, %o : tensor<32x32xf32, #looped_b>, !tile.ref<f32, [32, 32]>
  tile.return
}

// -----

// Of factors that tensor cores take, 256 products at a time.
// CHECK-LABEL: llvm.func @looped_f16
// CHECK: ^[[HEAD:bb[0-9]+]](%[[K:[0-9]+]]: i32
// CHECK-COUNT-64: llvm.intr.fma{{.*}} vector<4xf32>
// CHECK-NOT: llvm.intr.fma
// CHECK: llvm.br ^[[HEAD]](
// CHECK-NOT: llvm.intr.fma
// CHECK: llvm.return
#looped_a = #tile.layout<blocked<[1, 4], lanes [1, 32]>>
#looped_b = #tile.layout<blocked<[1, 4], lanes [4, 8]>>
tile.kernel @looped_f16(%x: !tile.ref<f16, [32, 64]>, %y: !tile.ref<f16, [64, 32]>, %o: !tile.ref<f32, [32, 32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f16, [32, 64]> -> tensor<32x64xf16, #looped_a>
  %1 = tile.load %y : !tile.ref<f16, [64, 32]> -> tensor<64x32xf16, #looped_b>
  %2 = tile.dot %0, %1 : tensor<32x64xf16, #looped_a>, tensor<64x32xf16, #looped_b> -> tensor<32x32xf32, #looped_b>
  tile.store %2, %o : tensor<32x32xf32, #looped_b>, !tile.ref<f32, [32, 32]>
  tile.return
}

// -----

// Of what tensor cores would read: four elements of each factor, without the lower 13 bits.
// CHECK: llvm.func @reduced
// CHECK-DAG: %[[UPPER:.*]] = llvm.mlir.constant(dense<-8192> : vector<4xi32>)
// CHECK: %[[A:.*]] = llvm.bitcast %{{.*}} : vector<4xf32> to vector<4xi32>
// CHECK: llvm.and %[[A]], %[[UPPER]]
// CHECK: %[[B:.*]] = llvm.bitcast %{{.*}} : vector<4xf32> to vector<4xi32>
// CHECK: llvm.and %[[B]], %[[UPPER]]
// CHECK-NOT: llvm.and
// CHECK: llvm.intr.fma
#x = #tile.layout<blocked<[1, 4], lanes [16, 2]>>
#y = #tile.layout<blocked<[1, 4], lanes [8, 4]>>
#z = #tile.layout<blocked<[1, 4], lanes [8, 4]>>
tile.kernel @reduced(%x: !tile.ref<f32, [16, 8]>, %y: !tile.ref<f32, [8, 16]>, %o: !tile.ref<f32, [16, 16]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [16, 8]> -> tensor<16x8xf32, #x>
  %1 = tile.load %y : !tile.ref<f32, [8, 16]> -> tensor<8x16xf32, #y>
  %2 = tile.dot %0, %1 precision tf32 : tensor<16x8xf32, #x>, tensor<8x16xf32, #y> -> tensor<16x16xf32, #z>
  tile.store %2, %o : tensor<16x16xf32, #z>, !tile.ref<f32, [16, 16]>
  tile.return
}
