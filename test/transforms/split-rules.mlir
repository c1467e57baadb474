// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of splitting, one by one.
// RUN: tegula-opt --tile-split --canonicalize --cse --split-input-file %s | FileCheck %s

// Windows that have no element in common keep no order: several thread groups.
// CHECK-LABEL: tile.kernel @apart_0(
// CHECK-SAME: group = 128
// CHECK: tile.thread_group
// CHECK: tile.return
tile.entry @apart(%x: !tile.array<f32, 2>) attributes {qualified_name = "apart"} {
  tile.launch "apart_0" grid() args(inout %r = %x : !tile.array<f32, 2>) {
    %zero = arith.constant 0 : i64
    %four = arith.constant 4 : i64
    %low = tile.slice %r[window %zero, whole] {in_bounds} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [4, ?]>
    %high = tile.slice %r[window %four, whole] {in_bounds} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [4, ?]>
    %t = tile.load %low : !tile.ref<f32, [4, ?]> -> tensor<4x?xf32>
    tile.store %t, %high : tensor<4x?xf32>, !tile.ref<f32, [4, ?]>
    tile.yield
  }
  tile.return
}

// -----

// Nor do windows that a loop moves on by their size.
// CHECK-LABEL: tile.kernel @stepping_0(
// CHECK: tile.thread_group
// CHECK: tile.return
tile.entry @stepping(%x: !tile.array<f32, 2>, %n: i64) attributes {qualified_name = "stepping"} {
  tile.launch "stepping_0" grid() args(inout %r = %x : !tile.array<f32, 2>, scalar %m = %n : i64) {
    %zero = arith.constant 0 : i64
    %eight = arith.constant 8 : i64
    scf.for %i = %zero to %m step %eight : i64 {
      %w = tile.slice %r[window %i, whole] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [8?, ?]>
      %t = tile.load %w : !tile.ref<f32, [8?, ?]> -> tensor<8x?xf32>
      %d = tile.add %t, %t : tensor<8x?xf32>
      tile.store %d, %w : tensor<8x?xf32>, !tile.ref<f32, [8?, ?]>
    }
    tile.yield
  }
  tile.return
}

// -----

// They do where they move on by less: one thread group has the static block.
// CHECK-LABEL: tile.kernel @overlapping_0(
// CHECK-SAME: group = 16
// CHECK: scf.for
// CHECK: tile.load %{{.*}} -> tensor<64xf32>
tile.entry @overlapping(%x: !tile.array<f32, 1>, %n: i64) attributes {qualified_name = "overlapping"} {
  tile.launch "overlapping_0" grid() args(inout %r = %x : !tile.array<f32, 1>, scalar %m = %n : i64) {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    scf.for %i = %zero to %m step %one : i64 {
      %w = tile.slice %r[window %i] {in_bounds} : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
      %t = tile.load %w : !tile.ref<f32, [64]> -> tensor<64xf32>
      %d = tile.add %t, %t : tensor<64xf32>
      tile.store %d, %w : tensor<64xf32>, !tile.ref<f32, [64]>
    }
    tile.yield
  }
  tile.return
}

// -----

// A tile that two roots want is made once, in the outermost block where it can be, though the first comes in a loop.
// CHECK-LABEL: tile.kernel @once_0(
// CHECK-COUNT-1: tile.exp
// CHECK-NOT: tile.exp
// CHECK: scf.for
// CHECK-NOT: {{tile.exp|tile.load}}
// CHECK: tile.return
tile.entry @once(%x: !tile.array<f32, 1, const>, %o: !tile.array<f32, 1>, %p: !tile.array<f32, 1>, %n: i64) attributes {qualified_name = "once"} {
  tile.launch "once_0" grid() args(in %a = %x : !tile.array<f32, 1, const>, out %b = %o : !tile.array<f32, 1>, out %c = %p : !tile.array<f32, 1>, scalar %m = %n : i64) {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %aw = tile.slice %a[window %zero] {in_bounds} : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
    %bw = tile.slice %b[window %zero] {in_bounds} : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
    %cw = tile.slice %c[window %zero] {in_bounds} : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
    %t = tile.load %aw : !tile.ref<f32, [64]> -> tensor<64xf32>
    %e = tile.exp %t : tensor<64xf32>
    scf.for %i = %zero to %m step %one : i64 {
      tile.store %e, %bw : tensor<64xf32>, !tile.ref<f32, [64]>
    }
    tile.store %e, %cw : tensor<64xf32>, !tile.ref<f32, [64]>
    tile.yield
  }
  tile.return
}

// -----

// What a loop makes with a reduction in it is not made again for each column: a thread group has all columns of its rows, and
// loops over them behind the loop.
// CHECK-LABEL: tile.kernel @loop_is_run_once_0(
// CHECK: %[[SUMS:.*]] = scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args({{.*}}) -> (tensor<1xf32>)
// CHECK:   tile.reduce sum
// CHECK: scf.for
// CHECK-NOT: tile.reduce
// CHECK:   tile.broadcast %[[SUMS]] [0]
// CHECK:   tile.store
// CHECK-NOT: tile.reduce
// CHECK: tile.return
tile.entry @loop_is_run_once(%x: !tile.array<f32, 2, const>, %o: !tile.array<f32, 2>, %n: i64) attributes {qualified_name = "loop_is_run_once"} {
  %xm = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %om = tile.dim %o, 0 : !tile.array<f32, 2>
  %rows = arith.cmpi eq, %xm, %om : i64
  tile.check %rows, "rows"
  tile.launch "loop_is_run_once_0" grid() args(in %a = %x : !tile.array<f32, 2, const>, out %b = %o : !tile.array<f32, 2>, scalar %m = %n : i64) {
    %zero = arith.constant 0 : i64
    %step = arith.constant 16 : i64
    %none = arith.constant 0.0 : f32
    %start = tile.full %none : f32 -> tensor<?xf32>
    %sums = scf.for %i = %zero to %m step %step iter_args(%v = %start) -> (tensor<?xf32>) : i64 {
      %w = tile.slice %a[whole, window %i] {in_bounds} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?, 16]>
      %t = tile.load %w : !tile.ref<f32, [?, 16]> -> tensor<?x16xf32>
      %s = tile.reduce sum %t [1] : tensor<?x16xf32> -> tensor<?xf32>
      %next = tile.add %v, %s : tensor<?xf32>
      scf.yield %next : tensor<?xf32>
    }
    %q = tile.broadcast %sums [0] : tensor<?xf32> -> tensor<?x?xf32>
    tile.store %q, %b : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}

// -----

// What a product is added to is where it begins to sum.
// CHECK-LABEL: tile.kernel @added_0(
// CHECK: %[[START:.*]] = tile.load {{.*}} -> tensor<32x32xf32>
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[START]]) -> (tensor<32x32xf32>)
// CHECK:   tile.dot {{.*}} acc %[[SUM]]
// CHECK-NOT: tile.add
// CHECK: tile.return
tile.entry @added(%x: !tile.array<f32, 2, const>, %o: !tile.array<f32, 2>) attributes {qualified_name = "added"} {
  tile.launch "added_0" grid() args(in %a = %x : !tile.array<f32, 2, const>, inout %b = %o : !tile.array<f32, 2>) {
    %zero = arith.constant 0 : i64
    %aw = tile.slice %a[window %zero, window %zero] {in_bounds} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [32, 32]>
    %bw = tile.slice %b[window %zero, window %zero] {in_bounds} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [32, 32]>
    %t = tile.load %aw : !tile.ref<f32, [32, 32]> -> tensor<32x32xf32>
    %u = tile.load %bw : !tile.ref<f32, [32, 32]> -> tensor<32x32xf32>
    %p = tile.dot %t, %t : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    %s = tile.add %u, %p : tensor<32x32xf32>
    tile.store %s, %bw : tensor<32x32xf32>, !tile.ref<f32, [32, 32]>
    tile.yield
  }
  tile.return
}

// -----

// Factors that are sums themselves are made once, not for each chunk of 16: the product is taken at once.
// CHECK-LABEL: tile.kernel @of_products_0(
// CHECK: %[[FIRST:.*]] = scf.for
// CHECK:   tile.dot
// CHECK-NOT: scf.for
// CHECK: tile.dot %[[FIRST]], {{.*}} : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
// CHECK: tile.return
tile.entry @of_products(%x: !tile.array<f32, 2, const>, %o: !tile.array<f32, 2>) attributes {qualified_name = "of_products"} {
  tile.launch "of_products_0" grid() args(in %a = %x : !tile.array<f32, 2, const>, out %b = %o : !tile.array<f32, 2>) {
    %zero = arith.constant 0 : i64
    %aw = tile.slice %a[window %zero, window %zero] {in_bounds} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [64, 64]>
    %bw = tile.slice %b[window %zero, window %zero] {in_bounds} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [64, 64]>
    %t = tile.load %aw : !tile.ref<f32, [64, 64]> -> tensor<64x64xf32>
    %p = tile.dot %t, %t : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    %q = tile.dot %p, %t : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    tile.store %q, %bw : tensor<64x64xf32>, !tile.ref<f32, [64, 64]>
    tile.yield
  }
  tile.return
}

// -----

// A row of a product is a product with one row.
// CHECK-LABEL: tile.kernel @row_0(
// CHECK: %[[ROW:.*]] = scf.for {{.*}} -> (tensor<1x64xf32>)
// CHECK:   tile.dot {{.*}} : tensor<1x16xf32>, tensor<16x64xf32> -> tensor<1x64xf32>
// CHECK: tile.reduce sum %[[ROW]] [0] : tensor<1x64xf32> -> tensor<64xf32>
tile.entry @row(%x: !tile.array<f32, 2, const>, %o: !tile.array<f32, 1>, %n: i64) attributes {qualified_name = "row"} {
  tile.launch "row_0" grid() args(in %a = %x : !tile.array<f32, 2, const>, out %b = %o : !tile.array<f32, 1>, scalar %m = %n : i64) {
    %zero = arith.constant 0 : i64
    %aw = tile.slice %a[window %zero, window %zero] {in_bounds} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [64, 64]>
    %bw = tile.slice %b[window %zero] {in_bounds} : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
    %t = tile.load %aw : !tile.ref<f32, [64, 64]> -> tensor<64x64xf32>
    %p = tile.dot %t, %t : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    %r = tile.subtile %p[element %m, whole] : tensor<64x64xf32> -> tensor<64xf32>
    tile.store %r, %bw : tensor<64xf32>, !tile.ref<f32, [64]>
    tile.yield
  }
  tile.return
}

// -----

// A transposed load is read at the transposed sub-tile; an index of a row that is picked is a number.
// CHECK-LABEL: tile.kernel @picked_0(
// CHECK: tile.slice %{{.*}}[window %[[COLUMN:.*]], element %[[PICKED:[a-z0-9]+]]]
// CHECK: tile.full %[[PICKED]] : i64 -> tensor<i64>
// CHECK-NOT: tile.iota
// CHECK: tile.return
tile.entry @picked(%x: !tile.array<i64, 2, const>, %o: !tile.array<i64, 1>, %n: i64) attributes {qualified_name = "picked"} {
  %xm = tile.dim %x, 0 : !tile.array<i64, 2, const>
  %om = tile.dim %o, 0 : !tile.array<i64, 1>
  %rows = arith.cmpi eq, %xm, %om : i64
  tile.check %rows, "rows"
  tile.launch "picked_0" grid() args(in %a = %x : !tile.array<i64, 2, const>, out %b = %o : !tile.array<i64, 1>, scalar %m = %n : i64) {
    %t = tile.load %a : !tile.ref<i64, [?, ?]> -> tensor<?x?xi64>
    %p = tile.permute %t [1, 0] : tensor<?x?xi64> -> tensor<?x?xi64>
    %i = tile.iota 0 : tensor<?x?xi64>
    %s = tile.add %p, %i : tensor<?x?xi64>
    %r = tile.subtile %s[element %m, whole] : tensor<?x?xi64> -> tensor<?xi64>
    tile.store %r, %b : tensor<?xi64>, !tile.ref<i64, [?]>
    tile.yield
  }
  tile.return
}

// -----

// Programs of a grid make their numbers by themselves: no phases.
// CHECK-LABEL: tile.launch "grid_of_sums_0"
// CHECK-NOT: _partial
// CHECK: tile.return
tile.entry @grid_of_sums(%x: !tile.array<f32, 2, const>, %o: !tile.array<f32, 1>) attributes {qualified_name = "grid_of_sums"} {
  %n = tile.dim %o, 0 : !tile.array<f32, 1>
  tile.launch "grid_of_sums_0" grid(%n) args(in %a = %x : !tile.array<f32, 2, const>, out %b = %o : !tile.array<f32, 1>) {
    %i = tile.program_id 0
    %r = tile.slice %a[element %i, whole] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]>
    %w = tile.slice %b[element %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, []>
    %t = tile.load %r : !tile.ref<f32, [?]> -> tensor<?xf32>
    %s = tile.reduce sum %t [0] : tensor<?xf32> -> tensor<f32>
    tile.store %s, %w : tensor<f32>, !tile.ref<f32, []>
    tile.yield
  }
  tile.return
}

// -----

// So does one that reads what it writes, unless its array is large: then the number has a stage of its own.
// CHECK-LABEL: tile.launch "normalised_0"
// CHECK: plan (%[[X:.*]]) {
// CHECK: %[[SIZE:.*]] = tile.dim %[[X]], 0
// CHECK: %[[LARGE:.*]] = arith.cmpi sge, %[[SIZE]], %c65536
// CHECK: scf.if %[[LARGE]] {
// CHECK:   %[[NUMBER:.*]] = tile.empty(%c1_i64) : <f32, 1>
// CHECK:   @normalised_0_stage0_partial
// CHECK:   @normalised_0_stage0_finish {{.*}} (%[[NUMBER]],
// CHECK:   @normalised_0_stage1_dense {{.*}} (%[[X]], %[[NUMBER]])
// CHECK:   @normalised_0_stage1 blocks
// CHECK-NOT: _stage
// CHECK: @normalised_0 blocks
// CHECK: tile.return
tile.entry @normalised(%x: !tile.array<f32, 1>) attributes {qualified_name = "normalised"} {
  tile.launch "normalised_0" grid() args(inout %a = %x : !tile.array<f32, 1>) {
    %t = tile.load %a : !tile.ref<f32, [?]> -> tensor<?xf32>
    %s = tile.reduce sum %t [0] : tensor<?xf32> -> tensor<f32>
    %b = tile.broadcast %s [] : tensor<f32> -> tensor<?xf32>
    %q = tile.div %t, %b : tensor<?xf32>
    tile.store %q, %a : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}

// -----

// Sums of bf16 are combined in f32, which rounds once; extrema as they are.
// CHECK-LABEL: tile.kernel @narrow_0_resident1024
// CHECK: %[[T:.*]] = tile.load %{{.*}} -> tensor<1024xbf16>
// CHECK: tile.reduce max %[[T]] [0] extents(%{{.*}}) : tensor<1024xbf16> -> tensor<bf16>
// CHECK: %[[W:.*]] = tile.cast %{{.*}} : tensor<1024xbf16> -> tensor<1024xf32>
// CHECK: tile.reduce sum %[[W]] [0] extents(%{{.*}}) : tensor<1024xf32> -> tensor<f32>
tile.entry @narrow(%x: !tile.array<bf16, 2, const>, %o: !tile.array<bf16, 2>) attributes {qualified_name = "narrow"} {
  %m = tile.dim %x, 0 : !tile.array<bf16, 2, const>
  tile.launch "narrow_0" grid(%m) args(in %a = %x : !tile.array<bf16, 2, const>, out %r = %o : !tile.array<bf16, 2>) {
    %i = tile.program_id 0
    %xb = tile.slice %a[element %i, whole] {spec} : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [?]>
    %ob = tile.slice %r[element %i, whole] {spec} : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [?]>
    %t = tile.load %xb : !tile.ref<bf16, [?]> -> tensor<?xbf16>
    %max = tile.reduce max %t [0] : tensor<?xbf16> -> tensor<bf16>
    %b = tile.broadcast %max [] : tensor<bf16> -> tensor<?xbf16>
    %d = tile.sub %t, %b : tensor<?xbf16>
    %s = tile.reduce sum %d [0] : tensor<?xbf16> -> tensor<bf16>
    %sb = tile.broadcast %s [] : tensor<bf16> -> tensor<?xbf16>
    %q = tile.div %d, %sb : tensor<?xbf16>
    tile.store %q, %ob : tensor<?xbf16>, !tile.ref<bf16, [?]>
    tile.yield
  }
  tile.return
}

// -----

// What a loop carries and nobody wants afterwards still goes round, in the part that its own use wants.
// CHECK-LABEL: tile.kernel @momentum_0(
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<64xf32>, tensor<64xf32>)
// CHECK:           tile.mul
// CHECK:           tile.add
// CHECK:         tile.store
tile.entry @momentum(%x: !tile.array<f32, 1, const>, %n: i64) -> !tile.array<f32, 1> attributes {qualified_name = "momentum"} {
  %d = tile.dim %x, 0 : !tile.array<f32, 1, const>
  %g = arith.constant 7 : i64
  %o = tile.empty(%d) : !tile.array<f32, 1>
  tile.launch "momentum_0" grid(%g) args(in %a = %x : !tile.array<f32, 1, const>, out %r = %o : !tile.array<f32, 1>, scalar %count = %n : i64) {
    %i = tile.program_id 0
    %c = arith.constant 64 : i64
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %f = arith.constant 0.0 : f32
    %h = arith.constant 0.9 : f32
    %s = arith.muli %i, %c : i64
    %ab = tile.slice %a[window %s] {spec} : !tile.ref<f32, [?]> -> !tile.ref<f32, [64?]>
    %ob = tile.slice %r[window %s] {spec} : !tile.ref<f32, [?]> -> !tile.ref<f32, [64?]>
    %p0 = tile.load %ab : !tile.ref<f32, [64?]> -> tensor<64xf32>
    %v0 = tile.full %f : f32 -> tensor<64xf32>
    %k = tile.full %h : f32 -> tensor<64xf32>
    %l:2 = scf.for %j = %zero to %count step %one iter_args(%v = %v0, %p = %p0) -> (tensor<64xf32>, tensor<64xf32>) : i64 {
      %m = tile.mul %v, %k : tensor<64xf32>
      %w = tile.sub %m, %p : tensor<64xf32>
      %q = tile.add %p, %w : tensor<64xf32>
      scf.yield %w, %q : tensor<64xf32>, tensor<64xf32>
    }
    tile.store %l#1, %ob : tensor<64xf32>, !tile.ref<f32, [64?]>
    tile.yield
  }
  tile.return %o : !tile.array<f32, 1>
}
