// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread group has all of a row that is sorted.
// RUN: tegula-opt --tile-split --canonicalize --cse --split-input-file --verify-diagnostics %s | FileCheck %s

// A row of 100 is counted as 128, of which those are there that the block has.
// CHECK-LABEL: tile.kernel @rows_0_dense(
// CHECK: %[[X:.*]] = tile.load %{{.*}} : <f32, [128?], align 16> -> tensor<128xf32>
// CHECK: %{{.*}}:2 = tile.sort %[[X]], %{{.*}} along 0 by 1 descending extent(%{{.*}}) {tile.exchanged_extents = array<i64: 100>} : tensor<128xf32>, tensor<128xi32> -> tensor<128xf32>, tensor<128xi32>
// CHECK: tile.store %{{.*}}#0
// CHECK: tile.store %{{.*}}#1
tile.entry @rows(%x: !tile.array<f32, 2, const>, %o: !tile.array<f32, 2>, %w: !tile.array<i32, 2>, %g: i64) attributes {qualified_name = "rows"} {
  %d0 = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %d1 = tile.dim %o, 1 : !tile.array<f32, 2>
  %d2 = tile.dim %w, 1 : !tile.array<i32, 2>
  %e = arith.cmpi eq, %d0, %d1 : i64
  tile.check %e, "dims differ"
  %f = arith.cmpi eq, %d0, %d2 : i64
  tile.check %f, "dims differ"
  tile.launch "rows_0" grid(%g) args(in %xr = %x : !tile.array<f32, 2, const>, out %or = %o : !tile.array<f32, 2>, out %wr = %w : !tile.array<i32, 2>) {
    %p = tile.program_id 0
    %c0 = arith.constant 0 : i64
    %xw = tile.slice %xr[element %p, window %c0] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [100?]>
    %ow = tile.slice %or[element %p, window %c0] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [100?]>
    %ww = tile.slice %wr[element %p, window %c0] {spec} : !tile.ref<i32, [?, ?]> -> !tile.ref<i32, [100?]>
    %t = tile.load %xw : !tile.ref<f32, [100?]> -> tensor<100xf32>
    %i = tile.iota 0 : tensor<100xi32>
    %s, %n = tile.sort %t, %i along 0 by 1 descending : tensor<100xf32>, tensor<100xi32> -> tensor<100xf32>, tensor<100xi32>
    tile.store %s, %ow : tensor<100xf32>, !tile.ref<f32, [100?]>
    tile.store %n, %ww : tensor<100xi32>, !tile.ref<i32, [100?]>
    tile.yield
  }
  tile.return
}

// -----
// What is taken of a sorted row is taken of all of it.
// CHECK-LABEL: tile.kernel @first_0
// CHECK: %[[S:.*]] = tile.sort %{{.*}} along 0 by 1 : tensor<64xf32> -> tensor<64xf32>
// CHECK: %[[I:.*]] = tile.iota 0 {{.*}}: tensor<4xi64>
// CHECK: tile.take %[[S]][%[[I]] : tensor<4xi64>] [0] at 0 : tensor<64xf32> -> tensor<4xf32>
tile.entry @first(%x: !tile.array<f32, 1, const>, %o: !tile.array<f32, 1>, %g: i64) attributes {qualified_name = "first"} {
  tile.launch "first_0" grid(%g) args(in %xr = %x : !tile.array<f32, 1, const>, out %or = %o : !tile.array<f32, 1>) {
    %p = tile.program_id 0
    %c0 = arith.constant 0 : i64
    %c4 = arith.constant 4 : i64
    %c64 = arith.constant 64 : i64
    %a = arith.muli %p, %c64 : i64
    %b = arith.muli %p, %c4 : i64
    %xw = tile.slice %xr[window %a] {in_bounds} : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
    %ow = tile.slice %or[window %b] {in_bounds} : !tile.ref<f32, [?]> -> !tile.ref<f32, [4]>
    %t = tile.load %xw : !tile.ref<f32, [64]> -> tensor<64xf32>
    %s = tile.sort %t along 0 by 1 : tensor<64xf32> -> tensor<64xf32>
    %k = tile.subtile %s[window %c0] : tensor<64xf32> -> tensor<4xf32>
    tile.store %k, %ow : tensor<4xf32>, !tile.ref<f32, [4]>
    tile.yield
  }
  tile.return
}
