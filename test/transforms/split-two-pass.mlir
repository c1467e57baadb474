// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of whole arrays, and down their columns, by partial results.
// RUN: tegula-opt --tile-split --canonicalize --cse --split-input-file %s | FileCheck %s

// Columns: many rows are divided among programs, unless there are columns enough. Few columns have narrow sub-tiles, and
// arrays that are not aligned always go this way. Two reductions of the same rows have partial results of one launch.
// CHECK-LABEL: tile.launch "columns_0"
// CHECK: plan (%[[X:.*]], %[[SUM:.*]], %[[MAX:.*]]) {
// CHECK: %[[ROWS:.*]] = tile.dim %[[X]], 0
// CHECK: %[[LONG:.*]] = arith.cmpi sge, %[[ROWS]], %c512
// CHECK: %[[COLUMNS:.*]] = tile.dim %[[X]], 1
// CHECK: %[[TILES:.*]] = arith.divsi
// CHECK: %[[IDLE:.*]] = arith.cmpi slt, %[[TILES]], %c256
// CHECK: %[[LARGE:.*]] = arith.andi %[[LONG]], %[[IDLE]]
// CHECK: %[[DENSE:.*]] = tile.dense 16, %[[X]], %[[SUM]], %[[MAX]] :
// CHECK: %[[REST:.*]] = arith.andi %[[COLUMNS]], %c7
// CHECK: %[[EVEN:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK: %[[ALIGNED:.*]] = arith.andi %[[DENSE]], %[[EVEN]]
// CHECK: %[[NOT:.*]] = arith.xori %[[ALIGNED]], %true
// CHECK: %[[PASSES:.*]] = arith.ori %[[LARGE]], %[[NOT]]
// CHECK: scf.if %[[PASSES]] {
// CHECK:   %[[DENSE2:.*]] = tile.dense 16, %[[X]] :
// CHECK:   arith.cmpi sgt, %[[COLUMNS]], %c64
// CHECK:   scf.if
// As many parts as have 512 thread groups at the most; the first ones have a granule of 32 rows more.
// CHECK:     %[[UP:.*]] = arith.addi %[[COLUMNS]], %c255
// CHECK:     %[[WIDE:.*]] = arith.divsi %[[UP]], %c256
// CHECK:     %[[SOME:.*]] = arith.maxsi %[[WIDE]], %c1
// CHECK:     %[[PARTS:.*]] = arith.divsi %c512{{.*}}, %[[SOME]]
// CHECK:     %[[ROWS_UP:.*]] = arith.addi %[[ROWS]], %c31
// CHECK:     %[[GRANULES_OF_ALL:.*]] = arith.divsi %[[ROWS_UP]], %c32
// CHECK:     %[[OF_EACH:.*]] = arith.divsi %[[GRANULES_OF_ALL]], %[[CHUNKS:.*]] :
// CHECK:     %[[OF_EACHS:.*]] = arith.muli %[[OF_EACH]], %[[CHUNKS]]
// CHECK:     %[[OF_FIRST:.*]] = arith.subi %[[GRANULES_OF_ALL]], %[[OF_EACHS]]
// CHECK:     %[[SUMS:.*]] = tile.empty(%[[CHUNKS]], %[[COLUMNS]]) : <f32, 2>
// CHECK:     %[[MOST:.*]] = tile.empty(%[[CHUNKS]], %[[COLUMNS]]) : <bf16, 2>
// CHECK:     @columns_0_wide_dense {{.*}} (%[[X]], %[[OF_EACH]], %[[OF_FIRST]], %[[SUMS]], %[[MOST]]
// CHECK:     @columns_0_finish {{.*}} (%[[SUM]], %[[MAX]], %[[SUMS]], %[[MOST]])
// CHECK:   } else {
// CHECK:     %[[MANY:.*]] = arith.cmpi sgt, %[[COLUMNS]], %c128
// CHECK:     scf.if %[[MANY]] {
// CHECK:       @columns_0_partial blocks
// CHECK:       @columns_0_finish
// CHECK:     } else {
// CHECK:       @columns_0_narrow blocks
// CHECK:       @columns_0_finish
// CHECK: } else {
// CHECK:   @columns_0_dense blocks

// CHECK-LABEL: tile.kernel @columns_0_dense(
// A chunk of a wide sub-tile: its rows begin where the program says. A thread combines what it loads at a time, and adds
// that to a vector.
// CHECK-LABEL: tile.kernel @columns_0_wide_dense(
// CHECK-SAME: %[[A:[a-z0-9]+]]: !tile.ref<bf16, [?, ?], align 16 even>, %[[EACH:[a-z0-9]+]]: i64, %[[LONGER:[a-z0-9]+]]: i64
// CHECK: %[[IS_LONGER:.*]] = arith.cmpi slt, %[[PROGRAM:.*]], %[[LONGER]]
// CHECK: %[[MORE:.*]] = arith.extui %[[IS_LONGER]]
// CHECK: %[[BEFORE:.*]] = arith.muli %[[PROGRAM]], %[[EACH]]
// CHECK: %[[LONGER_BEFORE:.*]] = arith.minsi %[[PROGRAM]], %[[LONGER]]
// CHECK: %[[FIRST:.*]] = arith.addi %[[BEFORE]], %[[LONGER_BEFORE]]
// CHECK: %[[START:.*]] = arith.muli %[[FIRST]], %c32
// CHECK: %[[GRANULES:.*]] = arith.addi %[[EACH]], %[[MORE]]
// CHECK: %[[SIZE:.*]] = arith.muli %[[GRANULES]], %c32
// CHECK: tile.slice %[[A]][window %[[START]] size %[[SIZE]], whole]
// CHECK: scf.for {{.*}} step %c32_i64 {{.*}} -> (tensor<8x256xf32>, tensor<8x256xbf16>)
// CHECK-COUNT-4: tile.load {{.*}} : <bf16, [8, 256], align 16 even>
// CHECK: scf.yield
// CHECK: scf.for {{.*}} step %c8_i64
// Sums of bf16 in f32, extrema as they are.
// CHECK: tile.reduce sum {{.*}} : tensor<8x256xf32> -> tensor<256xf32>
// CHECK: tile.reduce max {{.*}} : tensor<8x256xbf16> -> tensor<256xbf16>
// CHECK-LABEL: tile.kernel @columns_0_partial(
// CHECK: tensor<1x256xf32>
// CHECK-LABEL: tile.kernel @columns_0_narrow(
// CHECK: tensor<16x16xf32>
// CHECK-LABEL: tile.kernel @columns_0_finish(
// CHECK: tile.reduce sum {{.*}} [0] : tensor<{{.*}}x16xf32> -> tensor<16xf32>
// CHECK: tile.cast {{.*}} : tensor<16xf32> -> tensor<16xbf16>
// CHECK-NOT: tile.kernel
tile.entry @columns(%x: !tile.array<bf16, 2, const>) -> (!tile.array<bf16, 1>, !tile.array<bf16, 1>) attributes {qualified_name = "columns"} {
  %n = tile.dim %x, 1 : !tile.array<bf16, 2, const>
  %o = tile.empty(%n) : !tile.array<bf16, 1>
  %p = tile.empty(%n) : !tile.array<bf16, 1>
  tile.launch "columns_0" grid() args(in %a = %x : !tile.array<bf16, 2, const>, out %r = %o : !tile.array<bf16, 1>, out %q = %p : !tile.array<bf16, 1>) {
    %t = tile.load %a : !tile.ref<bf16, [?, ?]> -> tensor<?x?xbf16>
    %s = tile.reduce sum %t [0] : tensor<?x?xbf16> -> tensor<?xbf16>
    tile.store %s, %r : tensor<?xbf16>, !tile.ref<bf16, [?]>
    %m = tile.reduce max %t [0] : tensor<?x?xbf16> -> tensor<?xbf16>
    tile.store %m, %q : tensor<?xbf16>, !tile.ref<bf16, [?]>
    tile.yield
  }
  tile.return %o, %p : !tile.array<bf16, 1>, !tile.array<bf16, 1>
}

// -----

// A number that every element is combined with: one thread group combines the partial results, and the program finds
// what they come to. Both dimensions of the matrix are divided.
// CHECK-LABEL: tile.launch "scaled_0"
// CHECK: plan (%[[X:.*]], %[[O:.*]]) {
// CHECK: %[[PARTIALS:.*]] = tile.empty(%{{.*}}) : <f32, 1>
// CHECK: %[[RESULT:.*]] = tile.empty() : <f32, 0>
// CHECK: @scaled_0_partial_dense {{.*}} (%[[X]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[PARTIALS]]
// CHECK: @scaled_0_combine {{.*}} (%[[PARTIALS]], %[[RESULT]])
// CHECK: @scaled_0_epilogue_dense {{.*}} (%[[X]], %[[O]], %[[RESULT]]
// CHECK-LABEL: tile.kernel @scaled_0_partial_dense(
// CHECK: tile.slice %{{.*}}[window %{{.*}} size %{{.*}}, window %{{.*}} size %{{.*}}]
tile.entry @scaled(%x: !tile.array<f32, 2, const>) -> !tile.array<f32, 2> attributes {qualified_name = "scaled"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %n = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %o = tile.empty(%m, %n) : !tile.array<f32, 2>
  tile.launch "scaled_0" grid() args(in %a = %x : !tile.array<f32, 2, const>, out %r = %o : !tile.array<f32, 2>) {
    %t = tile.load %a : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %s = tile.reduce max %t [0, 1] : tensor<?x?xf32> -> tensor<f32>
    %b = tile.broadcast %s [] : tensor<f32> -> tensor<?x?xf32>
    %q = tile.mul %t, %b : tensor<?x?xf32>
    tile.store %q, %r : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return %o : !tile.array<f32, 2>
}

// -----

// Two sums of what is loaded once: one loop.
// CHECK-LABEL: tile.kernel @moments_0_wide_dense(
// CHECK: scf.if
// CHECK-NOT: scf.for
// CHECK: scf.for {{.*}} -> (tensor<8x128xf32>, tensor<8x128xf32>)
// CHECK-COUNT-4: tile.load
// CHECK-NOT: tile.load
// CHECK: scf.yield {{.*}} : tensor<8x128xf32>, tensor<8x128xf32>
// CHECK: scf.for {{.*}} -> (tensor<8x128xf32>, tensor<8x128xf32>)
// CHECK-NOT: scf.for
// CHECK: else
tile.entry @moments(%x: !tile.array<f32, 2, const>) -> (!tile.array<f32, 1>, !tile.array<f32, 1>) attributes {qualified_name = "moments"} {
  %n = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %o = tile.empty(%n) : !tile.array<f32, 1>
  %p = tile.empty(%n) : !tile.array<f32, 1>
  tile.launch "moments_0" grid() args(in %a = %x : !tile.array<f32, 2, const>, out %r = %o : !tile.array<f32, 1>, out %q = %p : !tile.array<f32, 1>) {
    %t = tile.load %a : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %s = tile.reduce sum %t [0] : tensor<?x?xf32> -> tensor<?xf32>
    tile.store %s, %r : tensor<?xf32>, !tile.ref<f32, [?]>
    %u = tile.mul %t, %t : tensor<?x?xf32>
    %m = tile.reduce sum %u [0] : tensor<?x?xf32> -> tensor<?xf32>
    tile.store %m, %q : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return %o, %p : !tile.array<f32, 1>, !tile.array<f32, 1>
}

// -----

// Columns that every row is combined with stay whole in their thread groups: no passes.
// CHECK-LABEL: tile.launch "centred_0"
// CHECK-NOT: _partial
// CHECK: tile.return
tile.entry @centred(%x: !tile.array<f32, 2, const>) -> !tile.array<f32, 2> attributes {qualified_name = "centred"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %n = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %o = tile.empty(%m, %n) : !tile.array<f32, 2>
  tile.launch "centred_0" grid() args(in %a = %x : !tile.array<f32, 2, const>, out %r = %o : !tile.array<f32, 2>) {
    %t = tile.load %a : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %s = tile.reduce sum %t [0] : tensor<?x?xf32> -> tensor<?xf32>
    %b = tile.broadcast %s [1] : tensor<?xf32> -> tensor<?x?xf32>
    %q = tile.sub %t, %b : tensor<?x?xf32>
    tile.store %q, %r : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return %o : !tile.array<f32, 2>
}
