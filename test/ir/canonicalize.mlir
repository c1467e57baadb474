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
