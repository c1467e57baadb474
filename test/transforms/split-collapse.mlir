// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that do the same to all elements of arrays of one shape have a kernel for contiguous arrays: one row.
// RUN: tegula-opt --tile-split --canonicalize --cse --split-input-file %s | FileCheck %s

// All at once. A number goes to every element as it did.
// CHECK-LABEL: tile.launch "whole_0"
// CHECK: plan (%[[X:.*]], %[[O:.*]], %[[S:.*]]) {
// CHECK: %[[FX:.*]] = tile.flatten %[[X]] : <f32, 2, const> -> <f32, 1, const>
// CHECK: %[[FO:.*]] = tile.flatten %[[O]] : <f32, 2> -> <f32, 1>
// CHECK: %[[ROW:.*]] = tile.dense 16, %[[FX]], %[[FO]]
// CHECK: scf.if %[[ROW]] {
// CHECK:   tile.launch_kernel @whole_0_row_dense {{.*}} (%[[FX]], %[[FO]], %[[S]])
// CHECK: } else {
// CHECK:   tile.dense 16, %[[X]], %[[O]]
// CHECK:   @whole_0_dense
// CHECK:   @whole_0 blocks
// CHECK-LABEL: tile.kernel @whole_0_row_dense(
// CHECK-SAME: !tile.ref<f32, [?], align 16>
// CHECK: %[[F:.*]] = tile.full %{{.*}} : f32 -> tensor<1024xf32>
// CHECK: tile.mul %{{.*}}, %[[F]] : tensor<1024xf32>
tile.entry @whole(%x: !tile.array<f32, 2, const>, %s: f32) -> !tile.array<f32, 2> attributes {qualified_name = "whole"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %n = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %o = tile.empty(%m, %n) : !tile.array<f32, 2>
  tile.launch "whole_0" grid() args(in %a = %x : !tile.array<f32, 2, const>, out %r = %o : !tile.array<f32, 2>, scalar %k = %s : f32) {
    %t = tile.load %a : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %f = tile.full %k : f32 -> tensor<?x?xf32>
    %u = tile.mul %t, %f : tensor<?x?xf32>
    tile.store %u, %r : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return %o : !tile.array<f32, 2>
}

// -----

// Blocks of both dimensions.
// CHECK-LABEL: tile.launch "blocks_0"
// CHECK: tile.flatten
// CHECK: @blocks_0_row_dense
tile.entry @blocks(%x: !tile.array<f32, 2, const>, %g: i64, %h: i64) -> !tile.array<f32, 2> attributes {qualified_name = "blocks"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %n = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %o = tile.empty(%m, %n) : !tile.array<f32, 2>
  tile.launch "blocks_0" grid(%g, %h) args(in %a = %x : !tile.array<f32, 2, const>, out %r = %o : !tile.array<f32, 2>) {
    %c4 = arith.constant 4 : i64
    %c8 = arith.constant 8 : i64
    %i = tile.program_id 0
    %j = tile.program_id 1
    %p = arith.muli %i, %c4 : i64
    %q = arith.muli %j, %c8 : i64
    %ab = tile.slice %a[window %p, window %q] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [4?, 8?]>
    %rb = tile.slice %r[window %p, window %q] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [4?, 8?]>
    %t = tile.load %ab : !tile.ref<f32, [4?, 8?]> -> tensor<4x8xf32>
    %u = tile.neg %t : tensor<4x8xf32>
    tile.store %u, %rb : tensor<4x8xf32>, !tile.ref<f32, [4?, 8?]>
    tile.yield
  }
  tile.return %o : !tile.array<f32, 2>
}

// -----

// Not where blocks lie elsewhere than those that they are made of, ...
// CHECK-LABEL: tile.launch "swapped_0"
// CHECK-NOT: tile.flatten
// CHECK: tile.return
tile.entry @swapped(%x: !tile.array<f32, 2, const>, %g: i64, %h: i64) -> !tile.array<f32, 2> attributes {qualified_name = "swapped"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %n = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %o = tile.empty(%m, %n) : !tile.array<f32, 2>
  tile.launch "swapped_0" grid(%g, %h) args(in %a = %x : !tile.array<f32, 2, const>, out %r = %o : !tile.array<f32, 2>) {
    %c4 = arith.constant 4 : i64
    %i = tile.program_id 0
    %j = tile.program_id 1
    %p = arith.muli %i, %c4 : i64
    %q = arith.muli %j, %c4 : i64
    %ab = tile.slice %a[window %q, window %p] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [4?, 4?]>
    %rb = tile.slice %r[window %p, window %q] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [4?, 4?]>
    %t = tile.load %ab : !tile.ref<f32, [4?, 4?]> -> tensor<4x4xf32>
    tile.store %t, %rb : tensor<4x4xf32>, !tile.ref<f32, [4?, 4?]>
    tile.yield
  }
  tile.return %o : !tile.array<f32, 2>
}

// -----

// ... nor where the shapes may differ, or a row goes to every row.
// CHECK-LABEL: tile.launch "biased_0"
// CHECK-NOT: tile.flatten
// CHECK: tile.return
tile.entry @biased(%x: !tile.array<f32, 2, const>, %b: !tile.array<f32, 1, const>) -> !tile.array<f32, 2> attributes {qualified_name = "biased"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %n = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %k = tile.dim %b, 0 : !tile.array<f32, 1, const>
  %same = arith.cmpi eq, %n, %k : i64
  tile.check %same, "the bias is no row"
  %o = tile.empty(%m, %n) : !tile.array<f32, 2>
  tile.launch "biased_0" grid() args(in %a = %x : !tile.array<f32, 2, const>, in %c = %b : !tile.array<f32, 1, const>, out %r = %o : !tile.array<f32, 2>) {
    %t = tile.load %a : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %u = tile.load %c : !tile.ref<f32, [?]> -> tensor<?xf32>
    %v = tile.broadcast %u [1] : tensor<?xf32> -> tensor<?x?xf32>
    %w = tile.add %t, %v : tensor<?x?xf32>
    tile.store %w, %r : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return %o : !tile.array<f32, 2>
}

// -----

// In place: the grid may leave out blocks, and is compared with the array.
// CHECK-LABEL: tile.launch "first_0"
// CHECK: plan (%[[G:.*]], %[[X:.*]]) {
// CHECK: %[[FX:.*]] = tile.flatten %[[X]]
// CHECK: %[[DENSE:.*]] = tile.dense 16, %[[FX]]
// CHECK: %[[END:.*]] = arith.muli %[[G]], %{{.*}} : i64
// CHECK: %[[ROWS:.*]] = tile.dim %[[X]], 0
// CHECK: %[[COVERS:.*]] = arith.cmpi sge, %[[END]], %[[ROWS]] : i64
// CHECK: %[[ROW:.*]] = arith.andi %[[COVERS]], %[[DENSE]] : i1
// CHECK: scf.if %[[ROW]] {
// CHECK:   @first_0_row_dense
tile.entry @first(%x: !tile.array<f32, 2>, %g: i64) attributes {qualified_name = "first"} {
  tile.launch "first_0" grid(%g) args(inout %a = %x : !tile.array<f32, 2>) {
    %c2 = arith.constant 2 : i64
    %i = tile.program_id 0
    %p = arith.muli %i, %c2 : i64
    %ab = tile.slice %a[window %p, whole] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [2?, ?]>
    %t = tile.load %ab : !tile.ref<f32, [2?, ?]> -> tensor<2x?xf32>
    %u = tile.neg %t : tensor<2x?xf32>
    tile.store %u, %ab : tensor<2x?xf32>, !tile.ref<f32, [2?, ?]>
    tile.yield
  }
  tile.return
}
