// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extents of reductions and products become masks, one for all that end alike.
// RUN: tegula-opt --tile-mask-extents --split-input-file %s | FileCheck %s

// The greatest of what is there, the sum of it, and both at once.
// CHECK-LABEL: tile.kernel @rows(
// CHECK-SAME: %[[N:.*]]: i64
// CHECK: %[[LOWEST:.*]] = tile.full %{{.*}} : f32 -> tensor<64xf32>
// CHECK: %[[A:.*]] = tile.where %[[THERE:.*]], %[[X:.*]], %[[LOWEST]] : tensor<64xi1>
// CHECK: tile.reduce max %[[A]] [0] : tensor<64xf32>
// CHECK-NOT: tile.lt
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK: %[[ZEROS:.*]] = tile.full %[[ZERO]]
// CHECK: %[[B:.*]] = tile.where %[[THERE]], %[[X]], %[[ZEROS]]
// CHECK: tile.reduce sum %[[B]] [0] : tensor<64xf32>
// CHECK-NOT: extents
tile.kernel @rows(%x: !tile.ref<f32, [64?]>, %o: !tile.ref<f32, []>, %n: i64) attributes {threads = 64 : i64, group = 64 : i64} {
  %t = tile.load %x : !tile.ref<f32, [64?]> -> tensor<64xf32>
  %max = tile.reduce max %t [0] extents(%n) : tensor<64xf32> -> tensor<f32>
  %sum = tile.reduce sum %t [0] extents(%n) : tensor<64xf32> -> tensor<f32>
  %r = tile.add %max, %sum : tensor<f32>
  tile.store %r, %o : tensor<f32>, !tile.ref<f32, []>
  tile.return
}

// -----

// Along an axis of which all is there, nothing is masked; of the other, positions are compared along it.
// CHECK-LABEL: tile.kernel @box(
// CHECK: %[[SIZE:.*]] = arith.constant 16 : i64
// CHECK: %[[LAST:.*]] = arith.minsi %{{.*}}, %[[SIZE]]
// CHECK: %[[FROM:.*]] = arith.maxsi %[[LAST]], %{{.*}} : i64
// CHECK: %[[LIMIT:.*]] = arith.trunci %[[FROM]]
// CHECK: %[[AT:.*]] = tile.iota 1 : tensor<4x16xi32>
// CHECK: %[[LIMITS:.*]] = tile.full %[[LIMIT]]
// CHECK: tile.lt %[[AT]], %[[LIMITS]]
// CHECK-COUNT-1: tile.where
// CHECK-NOT: tile.where
tile.kernel @box(%x: !tile.ref<i32, [4, 16?]>, %o: !tile.ref<i32, []>, %n: i64) attributes {threads = 64 : i64, group = 64 : i64} {
  %four = arith.constant 4 : i64
  %t = tile.load %x : !tile.ref<i32, [4, 16?]> -> tensor<4x16xi32>
  %min = tile.reduce min %t [0, 1] extents(%four, %n) : tensor<4x16xi32> -> tensor<i32>
  tile.store %min, %o : tensor<i32>, !tile.ref<i32, []>
  tile.return
}

// -----

// Both factors of a product are: 0 times what lies beyond might be NaN. A mask in a branch is not for what follows it.
// CHECK-LABEL: tile.kernel @product(
// CHECK: scf.if
// CHECK:   tile.iota 1 : tensor<16x8xi32>
// CHECK:   %[[A:.*]] = tile.where %{{.*}} : tensor<16x8xi1>, tensor<16x8xf32>
// CHECK:   tile.iota 0 : tensor<8x16xi32>
// CHECK:   %[[B:.*]] = tile.where %{{.*}} : tensor<8x16xi1>, tensor<8x16xf32>
// CHECK:   tile.dot %[[A]], %[[B]] acc
// CHECK: tile.iota 1 : tensor<16x8xi32>
// CHECK: tile.iota 0 : tensor<8x16xi32>
// CHECK: tile.dot
tile.kernel @product(%x: !tile.ref<f32, [16, 8?]>, %y: !tile.ref<f32, [8?, 16]>, %o: !tile.ref<f32, [16, 16]>, %n: i64, %c: i1) attributes {threads = 64 : i64, group = 64 : i64} {
  %a = tile.load %x : !tile.ref<f32, [16, 8?]> -> tensor<16x8xf32>
  %b = tile.load %y : !tile.ref<f32, [8?, 16]> -> tensor<8x16xf32>
  %zero = arith.constant 0.0 : f32
  %s = tile.full %zero : f32 -> tensor<16x16xf32>
  %first = scf.if %c -> tensor<16x16xf32> {
    %d = tile.dot %a, %b extent(%n) acc %s : tensor<16x16xf32>, : tensor<16x8xf32>, tensor<8x16xf32> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  } else {
    scf.yield %s : tensor<16x16xf32>
  }
  %d = tile.dot %a, %b extent(%n) acc %first : tensor<16x16xf32>, : tensor<16x8xf32>, tensor<8x16xf32> -> tensor<16x16xf32>
  tile.store %d, %o : tensor<16x16xf32>, !tile.ref<f32, [16, 16]>
  tile.return
}
