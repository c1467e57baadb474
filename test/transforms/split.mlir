// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How programs are cut: the plan that the host follows, and the kernels.
// RUN: tegula-opt --tile-split --canonicalize --cse %s | FileCheck %s

// Scalars alone: a thread runs a program, 256 share a block.
// CHECK-LABEL: tile.launch "iota_0"
// CHECK: plan (%[[G:.*]], %[[O:.*]]) {
// CHECK:   %[[SUM:.*]] = arith.addi %[[G]], %c255
// CHECK:   %[[BLOCKS:.*]] = arith.divsi %[[SUM]], %c256
// CHECK:   tile.launch_kernel @iota_0 blocks(%[[BLOCKS]]) (%[[O]], %[[G]])
// CHECK-NOT: tile.dense
tile.entry @iota(%n: i64) -> !tile.array<i32, 1> attributes {qualified_name = "iota"} {
  %o = tile.empty(%n) : !tile.array<i32, 1>
  tile.launch "iota_0" grid(%n) args(out %r = %o : !tile.array<i32, 1>) {
    %i = tile.program_id 0
    %v = arith.trunci %i : i64 to i32
    %f = tile.full %v : i32 -> tensor<i32>
    %s = tile.slice %r[element %i] : !tile.ref<i32, [?]> -> !tile.ref<i32, []>
    tile.store %f, %s : tensor<i32>, !tile.ref<i32, []>
    tile.yield
  }
  tile.return %o : !tile.array<i32, 1>
}

// A small block is one sub-tile, and 512 floats want 128 threads: two programs share a block.
// A block of 100 is held as 128, and is never full.
// CHECK-LABEL: tile.launch "small_0"
tile.entry @small(%x: !tile.array<f32, 1, const>, %g: i64) -> (!tile.array<f32, 1>, !tile.array<f32, 1>) attributes {qualified_name = "small"} {
  %n = tile.dim %x, 0 : !tile.array<f32, 1, const>
  %o = tile.empty(%n) : !tile.array<f32, 1>
  tile.launch "small_0" grid(%g) args(in %a = %x : !tile.array<f32, 1, const>, out %r = %o : !tile.array<f32, 1>) {
    %i = tile.program_id 0
    %c = arith.constant 512 : i64
    %s = arith.muli %i, %c : i64
    %xb = tile.slice %a[window %s] {spec} : !tile.ref<f32, [?]> -> !tile.ref<f32, [512?]>
    %ob = tile.slice %r[window %s] {spec} : !tile.ref<f32, [?]> -> !tile.ref<f32, [512?]>
    %t = tile.load %xb : !tile.ref<f32, [512?]> -> tensor<512xf32>
    %e = tile.exp %t : tensor<512xf32>
    tile.store %e, %ob : tensor<512xf32>, !tile.ref<f32, [512?]>
    tile.yield
  }
  tile.launch "small_1" grid(%g) args(in %a = %x : !tile.array<f32, 1, const>, out %r = %o : !tile.array<f32, 1>) {
    %i = tile.program_id 0
    %c = arith.constant 100 : i64
    %s = arith.muli %i, %c : i64
    %xb = tile.slice %a[window %s] {spec} : !tile.ref<f32, [?]> -> !tile.ref<f32, [100?]>
    %ob = tile.slice %r[window %s] {spec} : !tile.ref<f32, [?]> -> !tile.ref<f32, [100?]>
    %t = tile.load %xb : !tile.ref<f32, [100?]> -> tensor<100xf32>
    tile.store %t, %ob : tensor<100xf32>, !tile.ref<f32, [100?]>
    tile.yield
  }
  tile.return %o, %o : !tile.array<f32, 1>, !tile.array<f32, 1>
}

// Rows of any length: a sub-tile of 1 x 1024, counted per dimension; a vector that is repeated along the rows is read
// at its column; a scalar store and a print belong to the first thread group of a program.
// CHECK-LABEL: tile.launch "rows_0"
// CHECK: plan (%[[X:.*]], %[[B:.*]], %[[O:.*]], %[[S:.*]]) {
// CHECK:   %[[COLUMNS:.*]] = tile.dim %[[O]], 1
// CHECK:   %[[ROWS:.*]] = tile.dim %[[O]], 0
// CHECK:   %[[UP:.*]] = arith.addi %[[COLUMNS]], %c1023
// CHECK:   %[[TILES:.*]] = arith.divsi %[[UP]], %c1024
// CHECK:   %[[MOST:.*]] = arith.muli %[[ROWS]], %[[TILES]]
tile.entry @rows(%x: !tile.array<f32, 2, const>, %b: !tile.array<f32, 1, const>, %count: !tile.array<i64, 1>) -> !tile.array<f32, 2> attributes {qualified_name = "rows"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %n = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %bn = tile.dim %b, 0 : !tile.array<f32, 1, const>
  %c = arith.cmpi eq, %n, %bn : i64
  tile.check %c, "b has an entry per column"
  %o = tile.empty(%m, %n) : !tile.array<f32, 2>
  tile.launch "rows_0" grid() args(in %xr = %x : !tile.array<f32, 2, const>, in %br = %b : !tile.array<f32, 1, const>, out %r = %o : !tile.array<f32, 2>, out %k = %count : !tile.array<i64, 1>) {
    %t = tile.load %xr : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %v = tile.load %br : !tile.ref<f32, [?]> -> tensor<?xf32>
    %w = tile.broadcast %v [1] : tensor<?xf32> -> tensor<?x?xf32>
    %s = tile.add %t, %w : tensor<?x?xf32>
    tile.store %s, %r : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    %d = tile.dim %xr, 0 : !tile.ref<f32, [?, ?]>
    %z = arith.constant 0 : i64
    %first = tile.slice %k[element %z] : !tile.ref<i64, [?]> -> !tile.ref<i64, []>
    %f = tile.full %d : i64 -> tensor<i64>
    tile.store %f, %first : tensor<i64>, !tile.ref<i64, []>
    tile.debug_print "rows {}", %d : i64
    tile.yield
  }
  tile.return %o : !tile.array<f32, 2>
}

// What one thread group overwrites and reads elsewhere stands in the order of the program.
// CHECK-LABEL: tile.launch "ordered_0"
tile.entry @ordered(%x: !tile.array<f32, 1>, %g: i64) attributes {qualified_name = "ordered"} {
  tile.launch "ordered_0" grid(%g) args(inout %r = %x : !tile.array<f32, 1>) {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %a = tile.slice %r[window %z] : !tile.ref<f32, [?]> -> !tile.ref<f32, [32?]>
    %b = tile.slice %r[element %one] : !tile.ref<f32, [?]> -> !tile.ref<f32, []>
    %t = tile.load %a : !tile.ref<f32, [32?]> -> tensor<32xf32>
    %e = tile.exp %t : tensor<32xf32>
    tile.store %e, %a : tensor<32xf32>, !tile.ref<f32, [32?]>
    %v = tile.load %b : !tile.ref<f32, []> -> tensor<f32>
    tile.store %v, %b : tensor<f32>, !tile.ref<f32, []>
    tile.yield
  }
  tile.return
}

// The kernels.
// CHECK-LABEL: tile.kernel @iota_0(
// CHECK-SAME: {group = 1 : i64, threads = 256 : i64}
// CHECK: %[[T:.*]] = tile.thread_group
// CHECK: arith.cmpi slt, %[[T]], %{{.*}}

// CHECK-LABEL: tile.kernel @small_0_dense(
// CHECK-SAME: align 16{{.*}} {group = 128 : i64, threads = 256 : i64}
// CHECK: tile.load %{{.*}} : <f32, [512], align 16> -> tensor<512xf32>
// CHECK: else
// CHECK: tile.load %{{.*}} : <f32, [512?], align 16> -> tensor<512xf32>

// CHECK-LABEL: tile.kernel @small_1_dense(
// CHECK-SAME: {group = 32 : i64, threads = 256 : i64}
// CHECK-NOT: else
// CHECK: tile.load %{{.*}} : <f32, [128?], align 16> -> tensor<128xf32>

// CHECK-LABEL: tile.kernel @rows_0_dense(
// CHECK: %[[TEAM:.*]] = tile.thread_group
// CHECK: scf.if
// CHECK:   %[[COLUMN:.*]] = arith.muli %{{.*}}, %c1024
// CHECK:   %[[VW:.*]] = tile.slice %arg1[window %[[COLUMN]]] {in_bounds} : <f32, [?], align 16 even> -> <f32, [1024], align 16 even>
// CHECK:   %[[V:.*]] = tile.load %[[VW]]
// CHECK:   tile.broadcast %[[V]] [1] : tensor<1024xf32> -> tensor<1x1024xf32>
// CHECK: %[[FIRST:.*]] = arith.cmpi slt, %[[TEAM]], %c1
// CHECK: scf.if %[[FIRST]]
// CHECK:   tile.store %{{.*}} : tensor<i64>
// CHECK:   tile.debug_print

// CHECK-LABEL: tile.kernel @ordered_0(
// CHECK: tile.load
// CHECK: tile.store
// CHECK: tile.load %{{.*}} : <f32, []>

// Two domains of run-time extents: each finds its own extent behind its own guard.
// CHECK-LABEL: tile.kernel @two_0(
// CHECK: scf.if
// CHECK: scf.if
tile.entry @two(%a: !tile.array<f32, 1>, %b: !tile.array<f32, 1>, %n: i64) attributes {qualified_name = "two"} {
  tile.launch "two_0" grid() args(out %x = %a : !tile.array<f32, 1>, out %y = %b : !tile.array<f32, 1>, scalar %m = %n : i64) {
    %z = arith.constant 0 : i64
    %f = arith.constant 1.0 : f32
    %t = tile.full %f : f32 -> tensor<?xf32>
    %d = tile.dim %x, 0 : !tile.ref<f32, [?]>
    %s = arith.subi %d, %m : i64
    %r = arith.subi %d, %s : i64
    %xw = tile.slice %x[window %z size %s] : !tile.ref<f32, [?]> -> !tile.ref<f32, [?]>
    %yw = tile.slice %y[window %s size %r] : !tile.ref<f32, [?]> -> !tile.ref<f32, [?]>
    tile.store %t, %xw : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.store %t, %yw : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}

// Two domains that are cut alike, though one of them has a dimension more: a thread group has the same chunk of both, and runs
// the loop for them once.
// CHECK-LABEL: tile.kernel @alike_0(
// CHECK: %[[START:.*]] = arith.muli %{{.*}}, %c1024_i64
// CHECK: scf.if
// CHECK: tile.slice %{{.*}}[window %[[START]]]
// CHECK: %[[CARRIED:.*]] = scf.for
// CHECK: tile.slice %{{.*}}[window %[[START]]]
// CHECK: tile.store %[[CARRIED]]
// CHECK: tile.broadcast %[[CARRIED]] [1]
// CHECK: tile.slice %{{.*}}[whole, window %[[START]]]
// CHECK: else
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
tile.entry @alike(%x: !tile.array<f32, 1, const>, %o: !tile.array<f32, 1>, %q: !tile.array<f32, 2>, %n: i64) attributes {qualified_name = "alike"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 1, const>
  %mo = tile.dim %o, 0 : !tile.array<f32, 1>
  %mq = tile.dim %q, 1 : !tile.array<f32, 2>
  %eo = arith.cmpi eq, %m, %mo : i64
  %eq = arith.cmpi eq, %m, %mq : i64
  tile.check %eo, "o"
  tile.check %eq, "q"
  tile.launch "alike_0" grid() args(in %xr = %x : !tile.array<f32, 1, const>, out %or = %o : !tile.array<f32, 1>, out %qr = %q : !tile.array<f32, 2>, scalar %c = %n : i64) {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %t = tile.load %xr : !tile.ref<f32, [?]> -> tensor<?xf32>
    %r = scf.for %k = %z to %c step %one iter_args(%v = %t) -> (tensor<?xf32>) : i64 {
      %w = tile.add %v, %v : tensor<?xf32>
      scf.yield %w : tensor<?xf32>
    }
    tile.store %r, %or : tensor<?xf32>, !tile.ref<f32, [?]>
    %w = tile.slice %qr[window %z, whole] {in_bounds} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [1, ?]>
    %b = tile.broadcast %r [1] : tensor<?xf32> -> tensor<1x?xf32>
    tile.store %b, %w : tensor<1x?xf32>, !tile.ref<f32, [1, ?]>
    tile.yield
  }
  tile.return
}
