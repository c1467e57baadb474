// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers, scatters and updates of sub-tiles.
// RUN: tegula-opt --tile-split --canonicalize --cse --split-input-file %s | FileCheck %s

// Indices follow their rows; the other dimensions are windows. At an edge, indices may be undefined: nothing is read
// for those.
// CHECK-LABEL: tile.kernel @rows_0_dense(
// CHECK: scf.if
// CHECK: %[[I:.*]] = tile.load %{{.*}} : <i32, [16], align 16> -> tensor<16xi32>
// CHECK: %[[X:.*]] = tile.slice %{{.*}}[whole, window %{{.*}}] : <f32, [?, ?], align 16 even> -> <f32, [?, 128], align 16 even>
// CHECK: tile.gather %[[X]][%[[I]] : tensor<16xi32>] [0] at 0 : <f32, [?, 128], align 16 even> -> tensor<16x128xf32>
// CHECK: } else {
// CHECK: tile.gather %{{.*}}[%{{.*}} : tensor<16xi32>] [0] at 0 guarded : <f32, [?, 128?], align 16 even> -> tensor<16x128xf32>
tile.entry @rows(%x: !tile.array<f32, 2, const>, %i: !tile.array<i32, 1, const>, %o: !tile.array<f32, 2>, %g: i64) attributes {qualified_name = "rows"} {
  %d0 = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %d1 = tile.dim %o, 1 : !tile.array<f32, 2>
  %e = arith.cmpi eq, %d0, %d1 : i64
  tile.check %e, "dims differ"
  %d2 = tile.dim %i, 0 : !tile.array<i32, 1, const>
  %d3 = tile.dim %o, 0 : !tile.array<f32, 2>
  %f = arith.cmpi eq, %d2, %d3 : i64
  tile.check %f, "dims differ"
  tile.launch "rows_0" grid(%g) args(in %xr = %x : !tile.array<f32, 2, const>, in %ir = %i : !tile.array<i32, 1, const>, out %or = %o : !tile.array<f32, 2>) {
    %p = tile.program_id 0
    %c64 = arith.constant 64 : i64
    %s = arith.muli %p, %c64 : i64
    %iw = tile.slice %ir[window %s] {spec} : !tile.ref<i32, [?]> -> !tile.ref<i32, [64?]>
    %ow = tile.slice %or[window %s, whole] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [64?, ?]>
    %n = tile.load %iw : !tile.ref<i32, [64?]> -> tensor<64xi32>
    %t = tile.gather %xr[%n : tensor<64xi32>] [0] at 0 : !tile.ref<f32, [?, ?]> -> tensor<64x?xf32>
    tile.store %t, %ow : tensor<64x?xf32>, !tile.ref<f32, [64?, ?]>
    tile.yield
  }
  tile.return
}

// What lies beyond the extent of the indices is masked. An update that is asked for is done once, where it stands.
// CHECK-LABEL: tile.kernel @updates_0(
// CHECK: scf.if
// CHECK: tile.scatter %{{.*}}, %{{.*}}[%{{.*}} : tensor<64xi32>] [0] at 0 : tensor<64xi32>, <i32, [?]>
// CHECK: %[[OLD:.*]] = tile.atomic add %{{.*}}, %{{.*}} indices(%{{.*}} : tensor<64xi32>) [0] at 0 : tensor<64xi32>, <i32, [?]>
// CHECK: tile.store %[[OLD]]
// CHECK: } else {
// CHECK: %[[M:.*]] = tile.lt %{{.*}} : tensor<64xi64> -> tensor<64xi1>
// CHECK: tile.scatter %{{.*}} mask %[[M]] : tensor<64xi1>
// CHECK: tile.atomic add %{{.*}} mask %[[M]] : tensor<64xi1>
tile.entry @updates(%i: !tile.array<i32, 1, const>, %a: !tile.array<i32, 1>, %b: !tile.array<i32, 1>, %o: !tile.array<i32, 1>, %g: i64) attributes {qualified_name = "updates"} {
  %d2 = tile.dim %i, 0 : !tile.array<i32, 1, const>
  %d3 = tile.dim %o, 0 : !tile.array<i32, 1>
  %f = arith.cmpi eq, %d2, %d3 : i64
  tile.check %f, "dims differ"
  tile.launch "updates_0" grid(%g) args(in %ir = %i : !tile.array<i32, 1, const>, inout %ar = %a : !tile.array<i32, 1>, inout %br = %b : !tile.array<i32, 1>, out %or = %o : !tile.array<i32, 1>) {
    %p = tile.program_id 0
    %c64 = arith.constant 64 : i64
    %s = arith.muli %p, %c64 : i64
    %iw = tile.slice %ir[window %s] {spec} : !tile.ref<i32, [?]> -> !tile.ref<i32, [64?]>
    %ow = tile.slice %or[window %s] {spec} : !tile.ref<i32, [?]> -> !tile.ref<i32, [64?]>
    %n = tile.load %iw : !tile.ref<i32, [64?]> -> tensor<64xi32>
    tile.scatter %n, %ar[%n : tensor<64xi32>] [0] at 0 : tensor<64xi32>, !tile.ref<i32, [?]>
    %t = tile.atomic add %n, %br indices(%n : tensor<64xi32>) [0] at 0 : tensor<64xi32>, !tile.ref<i32, [?]>
    tile.store %t, %ow : tensor<64xi32>, !tile.ref<i32, [64?]>
    tile.yield
  }
  tile.return
}

// -----

// The host counts sub-tiles of a part of a tile by the size of the part.
// CHECK-LABEL: tile.launch "part_0"
// CHECK: plan (%[[G:.*]], %[[X:.*]], %[[N:.*]], %[[SIZE:.*]]) {
// CHECK: arith.addi %[[SIZE]], %{{.*}} : i64
// CHECK-NOT: tile.dim
// CHECK: tile.launch_kernel @part_0
tile.entry @part(%x: !tile.array<i32, 1>, %n: i64, %s: i64, %g: i64) attributes {qualified_name = "part"} {
  tile.launch "part_0" grid(%g) args(inout %a = %x : !tile.array<i32, 1>, scalar %all = %n : i64, scalar %size = %s : i64) {
    %one = arith.constant 1 : i32
    %p = tile.program_id 0
    %start = arith.muli %p, %size : i64
    %i = tile.iota 0 extents(%all) : tensor<?xi32>
    %w = tile.subtile %i[window %start size %size] : tensor<?xi32> -> tensor<?xi32>
    %v = tile.full %one : i32 -> tensor<?xi32>
    tile.atomic add %v, %a indices(%w : tensor<?xi32>) [0] at 0 : tensor<?xi32>, !tile.ref<i32, [?]>
    tile.yield
  }
  tile.return
}
