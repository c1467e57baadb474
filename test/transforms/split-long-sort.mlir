// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that no thread group holds are sorted by all of the GPU: a launch that counts digits, and one for each byte of a key.
// RUN: tegula-opt --tile-split --canonicalize --cse --split-input-file %s | FileCheck %s
// RUN: tegula-opt --tile-split=remarks --split-input-file %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Arrays as they stand are read and written by the passes, where their rows lie one behind the other.
// CHECK-LABEL: tile.entry @places
// CHECK: plan (%[[X:.*]], %[[O:.*]]) {
// CHECK:   %[[N:.*]] = tile.dim %[[X]], 0
// CHECK:   %[[DENSE:.*]] = tile.dense 1, %[[X]], %[[O]]
// CHECK:   scf.if
// CHECK:     tile.check %{{.*}}, "a row that is sorted has {} elements, of at most {}"(%[[N]], %c4294967295_i64)
// CHECK:     %[[STATE:.*]] = tile.empty zeroed
// CHECK:     tile.launch_kernel @places_0_count0 blocks({{.*}}) (%[[X]], %[[STATE]], %[[N]])
// CHECK:     %[[KEYS:.*]] = tile.empty(%[[N]]) : <f32, 1>
// CHECK:     %[[CARRIED:.*]] = tile.empty(%[[N]]) : <i32, 1>
// CHECK:     %[[MORE:.*]] = tile.empty(%[[N]]) : <f32, 1>
// CHECK:     tile.launch_kernel @places_0_place0 blocks({{.*}}) (%[[X]], %[[KEYS]], %[[CARRIED]], %[[STATE]], %c1_i64, %[[N]], %c0_i64)
// CHECK:     tile.launch_kernel @places_0_move0 blocks({{.*}}) (%[[KEYS]], %[[CARRIED]], %[[MORE]], %[[O]], %[[STATE]], %c1_i64, %[[N]], %c1_i64)
// CHECK:     tile.launch_kernel @places_0_move0 blocks({{.*}}) (%[[MORE]], %[[O]], %[[KEYS]], %[[CARRIED]], %[[STATE]], %c1_i64, %[[N]], %c2_i64)
// CHECK:     tile.launch_kernel @places_0_move_last0 blocks({{.*}}) (%[[KEYS]], %[[CARRIED]], %[[O]], %[[STATE]], %c1_i64, %[[N]], %c3_i64)
// CHECK:   } else {
// CHECK:     %[[ROWS:.*]] = tile.empty(%[[N]]) : <f32, 1>
// CHECK:     %[[SORTED:.*]] = tile.empty(%[[N]]) : <i32, 1>
// CHECK:     tile.launch_kernel @places_0_rows
// CHECK:     tile.launch_kernel @places_0_count0 blocks({{.*}}) (%[[ROWS]],
// CHECK:     tile.launch_kernel @places_0_rest
// CHECK: tile.kernel @places_0_count0({{.*}}) attributes {group = 256 : i64, threads = 256 : i64}
// CHECK:   tile.radix_count %{{.*}} in %{{.*}} length %{{.*}} descending
// CHECK: tile.kernel @places_0_place0(
// CHECK:   tile.radix_pass %{{.*}} keys_to %{{.*}} carried_to %{{.*}} in %{{.*}} rows %{{.*}} length %{{.*}} digit %{{.*}} descending
// REMARK: remark: rows that a thread group may not hold are sorted by all of the GPU, in a launch that counts digits, and one for each byte of a key{{$}}
tile.entry @places(%x: !tile.array<f32, 1, const>, %o: !tile.array<i32, 1>) attributes {qualified_name = "places"} {
  %d0 = tile.dim %x, 0 : !tile.array<f32, 1, const>
  %d1 = tile.dim %o, 0 : !tile.array<i32, 1>
  %e = arith.cmpi eq, %d0, %d1 : i64
  tile.check %e, "dims differ"
  tile.launch "places_0" grid() args(in %xr = %x : !tile.array<f32, 1, const>, out %or = %o : !tile.array<i32, 1>) {
    %n = tile.dim %xr, 0 : !tile.ref<f32, [?]>
    %t = tile.load %xr : !tile.ref<f32, [?]> -> tensor<?xf32>
    %i = tile.iota 0 extents(%n) : tensor<?xi32>
    %s:2 = tile.sort %t, %i along 0 by 1 descending : tensor<?xf32>, tensor<?xi32> -> tensor<?xf32>, tensor<?xi32>
    tile.store %s#1, %or : tensor<?xi32>, !tile.ref<i32, [?]>
    tile.yield
  }
  tile.return
}

// -----
// What is computed is stored for the passes, and loaded behind them: bytes take one.
// CHECK-LABEL: tile.entry @computed
// CHECK: plan (%[[G:.*]], %[[X:.*]], %[[O:.*]]) {
// CHECK-NOT: tile.dense contiguous
// CHECK: %[[ROWS:.*]] = tile.empty(%[[G]], %[[N:.*]]) : <ui8, 2>
// CHECK: %[[SORTED:.*]] = tile.empty(%[[G]], %[[N]]) : <ui8, 2>
// CHECK: tile.launch_kernel @computed_0_rows
// CHECK: %[[FROM:.*]] = tile.flatten %[[ROWS]]
// CHECK: %[[TO:.*]] = tile.flatten %[[SORTED]]
// CHECK: tile.launch_kernel @computed_0_count0 blocks({{.*}}) (%[[FROM]], %[[STATE:.*]], %[[N]])
// CHECK: tile.launch_kernel @computed_0_move0 blocks({{.*}}) (%[[FROM]], %[[TO]], %[[STATE]], %[[G]], %[[N]], %c0_i64)
// CHECK-NOT: tile.launch_kernel @computed_0_move0
// CHECK: tile.launch_kernel @computed_0_rest
// REMARK: one for each byte of a key, from a copy of them, and what is made of them is made in one more
tile.entry @computed(%x: !tile.array<ui8, 2, const>, %o: !tile.array<ui8, 2>, %g: i64) attributes {qualified_name = "computed"} {
  %d0 = tile.dim %x, 1 : !tile.array<ui8, 2, const>
  %d1 = tile.dim %o, 1 : !tile.array<ui8, 2>
  %e = arith.cmpi eq, %d0, %d1 : i64
  tile.check %e, "dims differ"
  tile.launch "computed_0" grid(%g) args(in %xr = %x : !tile.array<ui8, 2, const>, out %or = %o : !tile.array<ui8, 2>) {
    %p = tile.program_id 0
    %xw = tile.slice %xr[element %p, whole] {spec} : !tile.ref<ui8, [?, ?]> -> !tile.ref<ui8, [?]>
    %ow = tile.slice %or[element %p, whole] {spec} : !tile.ref<ui8, [?, ?]> -> !tile.ref<ui8, [?]>
    %t = tile.load %xw : !tile.ref<ui8, [?]> -> tensor<?xui8>
    %a = tile.add %t, %t : tensor<?xui8>
    %s = tile.sort %a along 0 by 1 : tensor<?xui8> -> tensor<?xui8>
    %b = tile.add %s, %s : tensor<?xui8>
    tile.store %b, %ow : tensor<?xui8>, !tile.ref<ui8, [?]>
    tile.yield
  }
  tile.return
}
