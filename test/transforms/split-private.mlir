// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Updates that CTAs combine in shared memory (split/PrivateUpdates.h), and those that they do not.
// RUN: tegula-opt --tile-split --canonicalize --cse --split-input-file %s | FileCheck %s

// Where the array fits and gets many updates an element, CTAs stay: at most four on a multiprocessor.
// CHECK-LABEL: tile.entry @count
// CHECK: plan (%[[H:.*]], %[[X:.*]]) {
// CHECK: %[[N:.*]] = tile.dim %[[H]], 0
// CHECK: arith.cmpi sle, %[[N]], %c8192_i64
// CHECK: tile.flatten %[[H]]
// CHECK: %[[ALL:.*]] = tile.multiprocessors
// CHECK: %[[MOST:.*]] = arith.muli %[[ALL]], %c4_i64
// CHECK: %[[BLOCKS:.*]] = arith.minsi %[[GROUPS:.*]], %[[MOST]]
// CHECK: %[[UPDATES:.*]] = arith.muli %[[GROUPS]], %c8192_i64
// CHECK: %[[TWICE:.*]] = arith.muli %[[N]], %c2_i64
// CHECK: %[[LEAST:.*]] = arith.muli %[[TWICE]], %[[BLOCKS]]
// CHECK: arith.cmpi sge, %[[UPDATES]], %[[LEAST]]
// CHECK: scf.if
// CHECK: tile.launch_kernel @count_0_private_dense blocks(%[[BLOCKS]]) (%[[H]], %[[X]], %[[GROUPS]], %[[BLOCKS]])
// CHECK: tile.launch_kernel @count_0_private_contiguous blocks(%[[BLOCKS]])
// CHECK: tile.launch_kernel @count_0_dense
// CHECK-LABEL: tile.kernel @count_0_private_dense(
// CHECK-SAME: %[[H:.*]]: !tile.ref<i32, [?], align 16>, %[[X:.*]]: !tile.ref<ui8, [?], align 16>, %[[GROUPS:.*]]: i64, %[[BLOCKS:.*]]: i64)
// CHECK-SAME: tile.ctas_per_multiprocessor = 4
// CHECK: tile.private_open add %[[H]] in 32768 : <i32, [?], align 16>
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[GROUPS]] step %[[BLOCKS]]
// CHECK: tile.load %{{.*}} : <ui8, [8192], align 16>
// CHECK: tile.atomic add %{{.*}}, %[[H]] indices({{.*}}) [0] at 0 privately :
// CHECK: } else {
// CHECK: tile.atomic add %{{.*}}, %[[H]] indices({{.*}}) [0] at 0 privately mask
// CHECK: tile.private_flush add %[[H]] : <i32, [?], align 16>
// CHECK-NEXT: tile.return
tile.entry @count(%h: !tile.array<i32, 1>, %x: !tile.array<ui8, 1, const>) attributes {qualified_name = "count"} {
  tile.launch "count_0" grid() args(inout %hr = %h : !tile.array<i32, 1>, in %xr = %x : !tile.array<ui8, 1, const>) {
    %one = arith.constant 1 : i32
    %t = tile.load %xr : !tile.ref<ui8, [?]> -> tensor<?xui8>
    %i = tile.cast %t : tensor<?xui8> -> tensor<?xi32>
    %v = tile.full %one : i32 -> tensor<?xi32>
    %old = tile.atomic add %v, %hr indices(%i : tensor<?xi32>) [0] at 0 : tensor<?xi32>, !tile.ref<i32, [?]>
    tile.yield
  }
  tile.return
}

// -----
// Two arrays have half of the memory each. The thread groups of a CTA take the programs of a grid.
// CHECK-LABEL: tile.kernel @range_0_private_dense(
// CHECK: %[[G:.*]] = tile.thread_group
// CHECK: tile.private_open min %[[A:.*]] in 16384
// CHECK: tile.private_open max %[[B:.*]] in 16384
// CHECK: scf.for %{{.*}} = %[[G]] to
// CHECK: tile.private_flush min %[[A]]
// CHECK: tile.private_flush max %[[B]]
tile.entry @range(%a: !tile.array<i64, 1>, %b: !tile.array<i64, 1>, %x: !tile.array<i32, 1, const>, %g: i64) attributes {qualified_name = "range"} {
  tile.launch "range_0" grid(%g) args(inout %ar = %a : !tile.array<i64, 1>, inout %br = %b : !tile.array<i64, 1>, in %xr = %x : !tile.array<i32, 1, const>) {
    %p = tile.program_id 0
    %c64 = arith.constant 64 : i64
    %s = arith.muli %p, %c64 : i64
    %w = tile.slice %xr[window %s] {spec} : !tile.ref<i32, [?]> -> !tile.ref<i32, [64?]>
    %i = tile.load %w : !tile.ref<i32, [64?]> -> tensor<64xi32>
    %v = tile.cast %i : tensor<64xi32> -> tensor<64xi64>
    %0 = tile.atomic min %v, %ar indices(%i : tensor<64xi32>) [0] at 0 : tensor<64xi64>, !tile.ref<i64, [?]>
    %1 = tile.atomic max %v, %br indices(%i : tensor<64xi32>) [0] at 0 : tensor<64xi64>, !tile.ref<i64, [?]>
    tile.yield
  }
  tile.return
}

// -----
// Memory itself is updated where somebody asks what was there, by rows, in two ways, by exchanges, for others than this
// GPU, and by maxima of floats.
// CHECK-LABEL: tile.entry @not
// CHECK-NOT: private
tile.entry @not(%a: !tile.array<i32, 1>, %b: !tile.array<f32, 2>, %c: !tile.array<i32, 1>, %d: !tile.array<i32, 1>, %e: !tile.array<i32, 1>, %m: !tile.array<f32, 1>, %x: !tile.array<i32, 1, const>, %o: !tile.array<i32, 1>) attributes {qualified_name = "not"} {
  %d0 = tile.dim %x, 0 : !tile.array<i32, 1, const>
  %d1 = tile.dim %o, 0 : !tile.array<i32, 1>
  %same = arith.cmpi eq, %d0, %d1 : i64
  tile.check %same, "dims differ"
  tile.launch "not_0" grid() args(inout %ar = %a : !tile.array<i32, 1>, inout %br = %b : !tile.array<f32, 2>, inout %cr = %c : !tile.array<i32, 1>, inout %dr = %d : !tile.array<i32, 1>, inout %er = %e : !tile.array<i32, 1>, inout %mr = %m : !tile.array<f32, 1>, in %xr = %x : !tile.array<i32, 1, const>, out %or = %o : !tile.array<i32, 1>) {
    %zero = arith.constant 0.0 : f32
    %i = tile.load %xr : !tile.ref<i32, [?]> -> tensor<?xi32>
    %f = tile.cast %i : tensor<?xi32> -> tensor<?xf32>
    %row = tile.full %zero : f32 -> tensor<?x?xf32>
    %old = tile.atomic add %i, %ar indices(%i : tensor<?xi32>) [0] at 0 : tensor<?xi32>, !tile.ref<i32, [?]>
    tile.store %old, %or : tensor<?xi32>, !tile.ref<i32, [?]>
    %0 = tile.atomic add %row, %br indices(%i : tensor<?xi32>) [0] at 0 : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    %1 = tile.atomic add %i, %cr indices(%i : tensor<?xi32>) [0] at 0 : tensor<?xi32>, !tile.ref<i32, [?]>
    %2 = tile.atomic max %i, %cr indices(%i : tensor<?xi32>) [0] at 0 : tensor<?xi32>, !tile.ref<i32, [?]>
    %3 = tile.atomic exch %i, %dr indices(%i : tensor<?xi32>) [0] at 0 : tensor<?xi32>, !tile.ref<i32, [?]>
    %4 = tile.atomic add %i, %er indices(%i : tensor<?xi32>) [0] at 0 scope sys : tensor<?xi32>, !tile.ref<i32, [?]>
    %5 = tile.atomic max %f, %mr indices(%i : tensor<?xi32>) [0] at 0 : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}
