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
tile.kernel @extents(%x: !tile.ref<f32, [?, ?]>, %o: !tile.ref<i64, []>, %i: i64, %b: i1, %f: f32) attributes {threads = 32 : i64, team = 1 : i64} {
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
