// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt --canonicalize %s | FileCheck %s

// A branch that only chooses between tiles is tile.where: nothing downstream knows arith.select of tiles.
// CHECK-LABEL: tile.entry @choose
// CHECK-NOT: scf.if
// CHECK-NOT: arith.select
// CHECK: %[[C:.*]] = tile.full %{{.*}} : i1 -> tensor<?xi1>
// CHECK: %[[R:.*]] = tile.where %[[C]], %{{.*}}, %{{.*}} : tensor<?xi1>, tensor<?xf32>
// CHECK: tile.store %[[R]]
tile.entry @choose(%x: !tile.array<f32, 1, const>, %y: !tile.array<f32, 1>, %c: i1) attributes {qualified_name = "choose"} {
  tile.launch "choose_0" grid() args(in %a = %x : !tile.array<f32, 1, const>, inout %b = %y : !tile.array<f32, 1>, scalar %d = %c : i1) {
    %t = tile.load %a : !tile.ref<f32, [?]> -> tensor<?xf32>
    %u = tile.load %b : !tile.ref<f32, [?]> -> tensor<?xf32>
    %r = scf.if %d -> (tensor<?xf32>) {
      scf.yield %t : tensor<?xf32>
    } else {
      scf.yield %u : tensor<?xf32>
    }
    tile.store %r, %b : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}

// A masked load has all of a static block, whatever its window has; of a run-time one, what the window has.
// CHECK-LABEL: tile.kernel @extents
// CHECK: %[[T:.*]] = tile.load
// CHECK: tile.dim %[[T]], 0
// CHECK: tile.dim %{{.*}}, 1 : !tile.ref<f32, [?, ?]>
tile.kernel @extents(%x: !tile.ref<f32, [?, ?]>, %o: !tile.ref<i64, []>, %i: i64, %b: i1, %f: f32) attributes {threads = 32 : i64, group = 1 : i64} {
  %0 = tile.slice %x[window %i, whole] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [8?, ?]>
  %1 = tile.full %b : i1 -> tensor<8x?xi1>
  %2 = tile.full %f : f32 -> tensor<8x?xf32>
  %3 = tile.load %0 mask %1 : tensor<8x?xi1> other %2 : tensor<8x?xf32> : !tile.ref<f32, [8?, ?]> -> tensor<8x?xf32>
  %4 = tile.dim %3, 0 : tensor<8x?xf32>
  %5 = tile.dim %3, 1 : tensor<8x?xf32>
  %6 = arith.addi %4, %5 : i64
  %7 = tile.full %6 : i64 -> tensor<i64>
  tile.store %7, %o : tensor<i64>, !tile.ref<i64, []>
  tile.return
}

// The greatest and the least of widened floats are those of the floats, widened.
// CHECK-LABEL: tile.kernel @extrema
// CHECK: %[[X:.*]] = tile.load
// CHECK: %[[MAX:.*]] = tile.reduce max %[[X]] [1] : tensor<4x8xbf16> -> tensor<4xbf16>
// CHECK: tile.cast %[[MAX]] : tensor<4xbf16> -> tensor<4xf32>
// CHECK: %[[MIN:.*]] = tile.reduce min %[[X]] [0] : tensor<4x8xbf16> -> tensor<8xbf16>
// CHECK: tile.cast %[[MIN]] : tensor<8xbf16> -> tensor<8xf32>
// CHECK: %[[Y:.*]] = tile.load
// CHECK: %[[LONG:.*]] = tile.reduce max %[[Y]] [0] : tensor<8xf16> -> tensor<f16>
// CHECK: tile.cast %[[LONG]] : tensor<f16> -> tensor<f64>
tile.kernel @extrema(%x: !tile.ref<bf16, [4, 8]>, %y: !tile.ref<f16, [8]>, %o: !tile.ref<f32, [4]>, %p: !tile.ref<f32, [8]>, %q: !tile.ref<f64, []>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<bf16, [4, 8]> -> tensor<4x8xbf16>
  %1 = tile.cast %0 : tensor<4x8xbf16> -> tensor<4x8xf32>
  %2 = tile.reduce max %1 [1] : tensor<4x8xf32> -> tensor<4xf32>
  tile.store %2, %o : tensor<4xf32>, !tile.ref<f32, [4]>
  %3 = tile.reduce min %1 [0] : tensor<4x8xf32> -> tensor<8xf32>
  tile.store %3, %p : tensor<8xf32>, !tile.ref<f32, [8]>
  %4 = tile.load %y : !tile.ref<f16, [8]> -> tensor<8xf16>
  %5 = tile.cast %4 : tensor<8xf16> -> tensor<8xf64>
  %6 = tile.reduce max %5 [0] : tensor<8xf64> -> tensor<f64>
  tile.store %6, %q : tensor<f64>, !tile.ref<f64, []>
  tile.return
}

// Not their sum, which would be rounded; not what was rounded before, was no float, or one that does not compute.
// CHECK-LABEL: tile.kernel @as_they_are
// CHECK: tile.reduce sum %{{.*}} [0] : tensor<8xf32> -> tensor<f32>
// CHECK: tile.reduce max %{{.*}} [0] : tensor<8xbf16> -> tensor<bf16>
// CHECK: tile.reduce min %{{.*}} [0] : tensor<8xf16> -> tensor<f16>
// CHECK: tile.reduce max %{{.*}} [0] : tensor<8xf32> -> tensor<f32>
// CHECK: tile.reduce max %{{.*}} [0] : tensor<8xf32> -> tensor<f32>
tile.kernel @as_they_are(%v: !tile.ref<f8E5M2, [8]>, %x: !tile.ref<bf16, [8]>, %y: !tile.ref<f32, [8]>, %z: !tile.ref<i16, [8]>, %o: !tile.ref<f32, []>, %p: !tile.ref<bf16, []>, %q: !tile.ref<f16, []>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<bf16, [8]> -> tensor<8xbf16>
  %1 = tile.cast %0 : tensor<8xbf16> -> tensor<8xf32>
  %2 = tile.reduce sum %1 [0] : tensor<8xf32> -> tensor<f32>
  tile.store %2, %o : tensor<f32>, !tile.ref<f32, []>
  %3 = tile.load %y : !tile.ref<f32, [8]> -> tensor<8xf32>
  %4 = tile.cast %3 : tensor<8xf32> -> tensor<8xbf16>
  %5 = tile.reduce max %4 [0] : tensor<8xbf16> -> tensor<bf16>
  tile.store %5, %p : tensor<bf16>, !tile.ref<bf16, []>
  %6 = tile.cast %0 : tensor<8xbf16> -> tensor<8xf16>
  %7 = tile.reduce min %6 [0] : tensor<8xf16> -> tensor<f16>
  tile.store %7, %q : tensor<f16>, !tile.ref<f16, []>
  %8 = tile.load %z : !tile.ref<i16, [8]> -> tensor<8xi16>
  %9 = tile.cast %8 : tensor<8xi16> -> tensor<8xf32>
  %10 = tile.reduce max %9 [0] : tensor<8xf32> -> tensor<f32>
  tile.store %10, %o : tensor<f32>, !tile.ref<f32, []>
  %11 = tile.load %v : !tile.ref<f8E5M2, [8]> -> tensor<8xf8E5M2>
  %12 = tile.cast %11 : tensor<8xf8E5M2> -> tensor<8xf32>
  %13 = tile.reduce max %12 [0] : tensor<8xf32> -> tensor<f32>
  tile.store %13, %o : tensor<f32>, !tile.ref<f32, []>
  tile.return
}

// The same bits, called by several names.
// CHECK-LABEL: tile.kernel @bits
// CHECK: %[[T:.*]] = tile.load
// CHECK-NOT: tile.bitcast
// CHECK: tile.store %[[T]]
// CHECK: %[[U:.*]] = tile.bitcast %[[T]] : tensor<8xf32> -> tensor<8xui32>
// CHECK: tile.store %[[U]]
tile.kernel @bits(%x: !tile.ref<f32, [8]>, %y: !tile.ref<ui32, [8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  %1 = tile.bitcast %0 : tensor<8xf32> -> tensor<8xi32>
  %2 = tile.bitcast %1 : tensor<8xi32> -> tensor<8xf32>
  tile.store %2, %x : tensor<8xf32>, !tile.ref<f32, [8]>
  %3 = tile.bitcast %1 : tensor<8xi32> -> tensor<8xui32>
  tile.store %3, %y : tensor<8xui32>, !tile.ref<ui32, [8]>
  tile.return
}
