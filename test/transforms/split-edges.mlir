// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a sub-tile may extend past the edge, what is long is computed in one place: loads and stores alone are there twice.
// RUN: tegula-opt --tile-split --canonicalize --cse %s | FileCheck %s

// CHECK-LABEL: tile.kernel @long_0(
// CHECK:         %[[FULL:.*]] = arith.cmpi
// CHECK:         %[[LOADED:.*]]:2 = scf.if %[[FULL]] -> (tensor<1024xf32>, tensor<1024xf32>) {
// CHECK:           tile.load {{.*}}[1024]> -> tensor<1024xf32>
// CHECK:           tile.load {{.*}}[1024]> -> tensor<1024xf32>
// CHECK:         } else {
// CHECK:           tile.load {{.*}}[1024?]> -> tensor<1024xf32>
// CHECK:           tile.load {{.*}}[1024?]> -> tensor<1024xf32>
// CHECK:         }
// CHECK:         %[[QUOTIENT:.*]] = tile.div %[[LOADED]]#0, %[[LOADED]]#1
// CHECK:         scf.if %[[FULL]] {
// CHECK:           tile.store %[[QUOTIENT]], {{.*}}[1024]>
// CHECK:         } else {
// CHECK:           tile.store %[[QUOTIENT]], {{.*}}[1024?]>
// CHECK:         }
// CHECK-NOT:     tile.div
// CHECK:         tile.return
tile.entry @long(%x: !tile.array<f32, 1, const>, %y: !tile.array<f32, 1, const>) -> !tile.array<f32, 1> attributes {qualified_name = "long"} {
  %n = tile.dim %x, 0 : !tile.array<f32, 1, const>
  %g = arith.constant 7 : i64
  %o = tile.empty(%n) : !tile.array<f32, 1>
  tile.launch "long_0" grid(%g) args(in %a = %x : !tile.array<f32, 1, const>, in %b = %y : !tile.array<f32, 1, const>, out %r = %o : !tile.array<f32, 1>) {
    %i = tile.program_id 0
    %c = arith.constant 1024 : i64
    %s = arith.muli %i, %c : i64
    %ab = tile.slice %a[window %s] {spec} : !tile.ref<f32, [?]> -> !tile.ref<f32, [1024?]>
    %bb = tile.slice %b[window %s] {spec} : !tile.ref<f32, [?]> -> !tile.ref<f32, [1024?]>
    %ob = tile.slice %r[window %s] {spec} : !tile.ref<f32, [?]> -> !tile.ref<f32, [1024?]>
    %t = tile.load %ab : !tile.ref<f32, [1024?]> -> tensor<1024xf32>
    %u = tile.load %bb : !tile.ref<f32, [1024?]> -> tensor<1024xf32>
    %q = tile.div %t, %u : tensor<1024xf32>
    tile.store %q, %ob : tensor<1024xf32>, !tile.ref<f32, [1024?]>
    tile.yield
  }
  tile.return %o : !tile.array<f32, 1>
}

// An addition is cheaper than another branch.
// CHECK-LABEL: tile.kernel @short_0(
// CHECK:         scf.if
// CHECK:           tile.add
// CHECK:           tile.store
// CHECK:         } else {
// CHECK:           tile.add
// CHECK:           tile.store
// CHECK:         }
// CHECK-NOT:     scf.if
// CHECK:         tile.return
tile.entry @short(%x: !tile.array<f32, 1, const>) -> !tile.array<f32, 1> attributes {qualified_name = "short"} {
  %n = tile.dim %x, 0 : !tile.array<f32, 1, const>
  %g = arith.constant 7 : i64
  %o = tile.empty(%n) : !tile.array<f32, 1>
  tile.launch "short_0" grid(%g) args(in %a = %x : !tile.array<f32, 1, const>, out %r = %o : !tile.array<f32, 1>) {
    %i = tile.program_id 0
    %c = arith.constant 1024 : i64
    %s = arith.muli %i, %c : i64
    %ab = tile.slice %a[window %s] {spec} : !tile.ref<f32, [?]> -> !tile.ref<f32, [1024?]>
    %ob = tile.slice %r[window %s] {spec} : !tile.ref<f32, [?]> -> !tile.ref<f32, [1024?]>
    %t = tile.load %ab : !tile.ref<f32, [1024?]> -> tensor<1024xf32>
    %q = tile.add %t, %t : tensor<1024xf32>
    tile.store %q, %ob : tensor<1024xf32>, !tile.ref<f32, [1024?]>
    tile.yield
  }
  tile.return %o : !tile.array<f32, 1>
}

// What is read after a store stays where it is.
// CHECK-LABEL: tile.kernel @twice_0(
// CHECK:         scf.if
// CHECK:           tile.exp
// CHECK:           tile.store
// CHECK:           tile.exp
// CHECK:           tile.store
// CHECK:         } else {
// CHECK:           tile.exp
// CHECK:           tile.exp
tile.entry @twice(%x: !tile.array<f32, 1>) attributes {qualified_name = "twice"} {
  %g = arith.constant 7 : i64
  tile.launch "twice_0" grid(%g) args(inout %a = %x : !tile.array<f32, 1>) {
    %i = tile.program_id 0
    %c = arith.constant 1024 : i64
    %s = arith.muli %i, %c : i64
    %ab = tile.slice %a[window %s] {spec} : !tile.ref<f32, [?]> -> !tile.ref<f32, [1024?]>
    %t = tile.load %ab : !tile.ref<f32, [1024?]> -> tensor<1024xf32>
    %e = tile.exp %t : tensor<1024xf32>
    tile.store %e, %ab : tensor<1024xf32>, !tile.ref<f32, [1024?]>
    %u = tile.load %ab : !tile.ref<f32, [1024?]> -> tensor<1024xf32>
    %f = tile.exp %u : tensor<1024xf32>
    tile.store %f, %ab : tensor<1024xf32>, !tile.ref<f32, [1024?]>
    tile.yield
  }
  tile.return
}
