// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt --tile-promote-variables --tile-uplift-loops --canonicalize %s | FileCheck %s

// A counted while becomes a for, a continue (the else part) a conditional carry.
// CHECK-LABEL: tile.entry @counted
tile.entry @counted(%n: i64, %skip: i64) -> i64 attributes {qualified_name = "counted"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %sum = tile.variable : !tile.variable<i64>
  tile.set %c0, %sum : !tile.variable<i64>
  %i = tile.variable : !tile.variable<i64>
  tile.set %c0, %i : !tile.variable<i64>
  // CHECK: %[[R:.*]] = scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (i64)
  // CHECK:   %[[C:.*]] = arith.cmpi ne, %[[I]], %{{.*}}
  // CHECK:   scf.if %[[C]]
  // CHECK:     arith.addi %[[S]], %[[I]]
  // CHECK: tile.return %[[R]]
  scf.while : () -> () {
    %iv = tile.get %i : !tile.variable<i64>
    %c = arith.cmpi slt, %iv, %n : i64
    scf.condition(%c)
  } do {
    %iv = tile.get %i : !tile.variable<i64>
    %s = arith.cmpi ne, %iv, %skip : i64
    scf.if %s {
      %old = tile.get %sum : !tile.variable<i64>
      %new = arith.addi %old, %iv : i64
      tile.set %new, %sum : !tile.variable<i64>
    }
    %next = arith.addi %iv, %c1 : i64
    tile.set %next, %i : !tile.variable<i64>
    scf.yield
  }
  %r = tile.get %sum : !tile.variable<i64>
  tile.return %r : i64
}

// A break keeps the while, and what the loop leaves behind is its result.
// CHECK-LABEL: tile.entry @broken
tile.entry @broken(%n: i64) -> i64 attributes {qualified_name = "broken"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %true = arith.constant true
  %false = arith.constant false
  %i = tile.variable : !tile.variable<i64>
  tile.set %c0, %i : !tile.variable<i64>
  %go = tile.variable : !tile.variable<i1>
  tile.set %true, %go : !tile.variable<i1>
  // CHECK: %[[R:.*]] = scf.while
  scf.while : () -> () {
    %g = tile.get %go : !tile.variable<i1>
    scf.condition(%g)
  } do {
    %iv = tile.get %i : !tile.variable<i64>
    %sq = arith.muli %iv, %iv : i64
    %done = arith.cmpi sgt, %sq, %n : i64
    scf.if %done {
      tile.set %false, %go : !tile.variable<i1>
    } else {
      %next = arith.addi %iv, %c1 : i64
      tile.set %next, %i : !tile.variable<i64>
    }
    scf.yield
  }
  // CHECK: tile.return %[[R]]
  %r = tile.get %i : !tile.variable<i64>
  tile.return %r : i64
}

// Tiles are carried like scalars; variables of a launch's body belong to it.
// CHECK-LABEL: tile.entry @tiles
tile.entry @tiles(%o: !tile.array<f32, 1>, %n: i64) attributes {qualified_name = "tiles"} {
  tile.launch "tiles_0" grid() args(out %r = %o : !tile.array<f32, 1>, scalar %m = %n : i64) {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %f = arith.constant 1.0 : f32
    %t = tile.full %f : f32 -> tensor<?xf32>
    %acc = tile.variable : !tile.variable<tensor<?xf32>>
    tile.set %t, %acc : !tile.variable<tensor<?xf32>>
    // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (tensor<?xf32>)
    // CHECK-NEXT: tile.add %[[A]], %[[A]]
    scf.for %k = %c0 to %m step %c1 : i64 {
      %a = tile.get %acc : !tile.variable<tensor<?xf32>>
      %b = tile.add %a, %a : tensor<?xf32>
      tile.set %b, %acc : !tile.variable<tensor<?xf32>>
    }
    %v = tile.get %acc : !tile.variable<tensor<?xf32>>
    tile.store %v, %r : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}

// What is assigned keeps the extents that the variable has, unless it certainly has its own.
// CHECK-LABEL: tile.entry @conforming
tile.entry @conforming(%x: !tile.array<f32, 1, const>, %o: !tile.array<f32, 1>) attributes {qualified_name = "conforming"} {
  // CHECK: args(in %[[X:.*]] = %{{.*}}, out
  tile.launch "conforming_0" grid() args(in %xr = %x : !tile.array<f32, 1, const>, out %r = %o : !tile.array<f32, 1>) {
    %f = arith.constant 1.0 : f32
    %t = tile.load %xr : !tile.ref<f32, [?]> -> tensor<?xf32>
    %v = tile.variable : !tile.variable<tensor<?xf32>>
    tile.set %t, %v : !tile.variable<tensor<?xf32>>
    // CHECK: %[[ONE:.*]] = tile.full
    %one = tile.full %f : f32 -> tensor<?xf32>
    // CHECK: %[[N:.*]] = tile.dim %[[X]], 0
    // CHECK: %[[KEPT:.*]] = tile.conform %[[ONE]] extents(%[[N]])
    tile.set %one, %v : !tile.variable<tensor<?xf32>>
    %a = tile.get %v : !tile.variable<tensor<?xf32>>
    // CHECK: %[[SUM:.*]] = tile.add %[[KEPT]], %[[KEPT]]
    %b = tile.add %a, %a : tensor<?xf32>
    tile.set %b, %v : !tile.variable<tensor<?xf32>>
    %c = tile.get %v : !tile.variable<tensor<?xf32>>
    // CHECK: tile.store %[[SUM]]
    tile.store %c, %r : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}
