// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over lanes leave loops, where kernels may round them in another order.
// RUN: tegula-opt --tile-delay-lane-sums %s | FileCheck %s

#tile = #tile.layout<blocked<[1, 2], lanes [8, 4], warps [4, 1]>>
#row = #tile.layout<linear<register [], lane [(0), (0), (1), (2), (4)], warp [(8), (16)] -> (d0 32)>>
#wide = #tile.layout<blocked<[1, 2], lanes [1, 32], warps [1, 4]>>
#widerow = #tile.layout<blocked<[1], lanes [1] x32, warps [1] x4>>

// CHECK-LABEL: tile.kernel @loop
// CHECK: %[[SUM:.+]] = scf.for {{.*}} iter_args(%[[TOTAL:.+]] = %{{.+}}) ->
// CHECK: %[[SCALED:.+]] = tile.mul %[[TOTAL]], %
// CHECK: %[[PART:.+]] = tile.reduce sum %{{.+}} [1] partial :
// CHECK: tile.add %[[SCALED]], %[[PART]]
// CHECK-NOT: tile.combine_lanes
// CHECK: }
// CHECK-NEXT: %[[WHOLE:.+]] = tile.combine_lanes %[[SUM]] : tensor<32xf32
// CHECK: tile.store %[[WHOLE]], %
// CHECK: tile.sqrt %[[WHOLE]]
// CHECK-NOT: tile.combine_lanes
tile.kernel @loop(%n: i64, %x: !tile.ref<f32, [32, 8]>, %o: !tile.ref<f32, [32]>) attributes {threads = 128 : i64, group = 128 : i64, tile.approx_math} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %z = arith.constant 0.0 : f32
  %zero = tile.full %z : f32 -> tensor<32xf32, #row>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%total = %zero) -> (tensor<32xf32, #row>) : i64 {
    %t = tile.load %x : !tile.ref<f32, [32, 8]> -> tensor<32x8xf32, #tile>
    %factor = tile.load %o : !tile.ref<f32, [32]> -> tensor<32xf32, #row>
    %scaled = tile.mul %total, %factor : tensor<32xf32, #row>
    %s = tile.reduce sum %t [1] : tensor<32x8xf32, #tile> -> tensor<32xf32, #row>
    %next = tile.add %scaled, %s : tensor<32xf32, #row>
    scf.yield %next : tensor<32xf32, #row>
  }
  tile.store %sum, %o : tensor<32xf32, #row>, !tile.ref<f32, [32]>
  %root = tile.sqrt %sum : tensor<32xf32, #row>
  tile.store %root, %o : tensor<32xf32, #row>, !tile.ref<f32, [32]>
  tile.return
}

// A step in front, two loops in a row, and a branch, as an attention has them; in a loop over all of that, too.
// CHECK-LABEL: tile.kernel @steps
// CHECK: scf.for
// CHECK: %[[SUM:.+]] = scf.if
// CHECK: tile.reduce sum %{{.+}} [1] partial :
// CHECK: scf.for
// CHECK: tile.reduce sum %{{.+}} [1] partial :
// CHECK: scf.for
// CHECK: scf.if
// CHECK: tile.reduce sum %{{.+}} [1] partial :
// CHECK-NOT: tile.combine_lanes
// CHECK: } else {
// CHECK: } else {
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: %[[WHOLE:.+]] = tile.combine_lanes %[[SUM]] :
// CHECK-NEXT: tile.store %[[WHOLE]], %
// CHECK-NOT: tile.combine_lanes
tile.kernel @steps(%n: i64, %p: i1, %x: !tile.ref<f32, [32, 8]>, %o: !tile.ref<f32, [32]>) attributes {threads = 128 : i64, group = 128 : i64, tile.approx_math} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %z = arith.constant 0.0 : f32
  %zero = tile.full %z : f32 -> tensor<32xf32, #row>
  scf.for %i = %c0 to %n step %c1 : i64 {
    %t = tile.load %x : !tile.ref<f32, [32, 8]> -> tensor<32x8xf32, #tile>
    %factor = tile.load %o : !tile.ref<f32, [32]> -> tensor<32xf32, #row>
    %sum = scf.if %p -> (tensor<32xf32, #row>) {
      %nothing = tile.mul %zero, %factor : tensor<32xf32, #row>
      %s0 = tile.reduce sum %t [1] : tensor<32x8xf32, #tile> -> tensor<32xf32, #row>
      %first = tile.add %nothing, %s0 : tensor<32xf32, #row>
      %masked = scf.for %k = %c0 to %n step %c1 iter_args(%total = %first) -> (tensor<32xf32, #row>) : i64 {
        %s = tile.reduce sum %t [1] : tensor<32x8xf32, #tile> -> tensor<32xf32, #row>
        %next = tile.add %total, %s : tensor<32xf32, #row>
        scf.yield %next : tensor<32xf32, #row>
      }
      %all = scf.for %k = %c0 to %n step %c1 iter_args(%total = %masked) -> (tensor<32xf32, #row>) : i64 {
        %next = scf.if %p -> (tensor<32xf32, #row>) {
          %s = tile.reduce sum %t [1] : tensor<32x8xf32, #tile> -> tensor<32xf32, #row>
          %scaled = tile.mul %factor, %total : tensor<32xf32, #row>
          %more = tile.add %scaled, %s : tensor<32xf32, #row>
          scf.yield %more : tensor<32xf32, #row>
        } else {
          scf.yield %total : tensor<32xf32, #row>
        }
        scf.yield %next : tensor<32xf32, #row>
      }
      scf.yield %all : tensor<32xf32, #row>
    } else {
      scf.yield %zero : tensor<32xf32, #row>
    }
    tile.store %sum, %o : tensor<32xf32, #row>, !tile.ref<f32, [32]>
  }
  tile.return
}

// What each step wants whole, it combines. So it is where something whole is added, here one in the loop and 1 in
// front, where a sum is squared, and where nothing is approximate.
// CHECK-LABEL: tile.kernel @wanted
// CHECK-NOT: partial
// CHECK-NOT: tile.combine_lanes
tile.kernel @wanted(%n: i64, %x: !tile.ref<f32, [32, 8]>, %o: !tile.ref<f32, [32]>) attributes {threads = 128 : i64, group = 128 : i64, tile.approx_math} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %z = arith.constant 0.0 : f32
  %u = arith.constant 1.0 : f32
  %zero = tile.full %z : f32 -> tensor<32xf32, #row>
  %one = tile.full %u : f32 -> tensor<32xf32, #row>
  %sums:5 = scf.for %k = %c0 to %n step %c1 iter_args(%stored = %zero, %compared = %zero, %added = %zero, %begun = %one, %squared = %zero) -> (tensor<32xf32, #row>, tensor<32xf32, #row>, tensor<32xf32, #row>, tensor<32xf32, #row>, tensor<32xf32, #row>) : i64 {
    %t = tile.load %x : !tile.ref<f32, [32, 8]> -> tensor<32x8xf32, #tile>
    %s0 = tile.reduce sum %t [1] : tensor<32x8xf32, #tile> -> tensor<32xf32, #row>
    %a = tile.add %stored, %s0 : tensor<32xf32, #row>
    tile.store %a, %o : tensor<32xf32, #row>, !tile.ref<f32, [32]>
    %s1 = tile.reduce sum %t [1] : tensor<32x8xf32, #tile> -> tensor<32xf32, #row>
    %b = tile.add %compared, %s1 : tensor<32xf32, #row>
    %is = tile.lt %compared, %one : tensor<32xf32, #row> -> tensor<32xi1, #row>
    tile.store %one, %o mask %is : tensor<32xi1, #row> : tensor<32xf32, #row>, !tile.ref<f32, [32]>
    %s2 = tile.reduce sum %t [1] : tensor<32x8xf32, #tile> -> tensor<32xf32, #row>
    %more = tile.add %s2, %one : tensor<32xf32, #row>
    %c = tile.add %added, %more : tensor<32xf32, #row>
    %s3 = tile.reduce sum %t [1] : tensor<32x8xf32, #tile> -> tensor<32xf32, #row>
    %d = tile.add %begun, %s3 : tensor<32xf32, #row>
    %s4 = tile.reduce sum %t [1] : tensor<32x8xf32, #tile> -> tensor<32xf32, #row>
    %square = tile.mul %s4, %s4 : tensor<32xf32, #row>
    %e = tile.add %squared, %square : tensor<32xf32, #row>
    scf.yield %a, %b, %c, %d, %e : tensor<32xf32, #row>, tensor<32xf32, #row>, tensor<32xf32, #row>, tensor<32xf32, #row>, tensor<32xf32, #row>
  }
  tile.store %sums#0, %o : tensor<32xf32, #row>, !tile.ref<f32, [32]>
  tile.store %sums#1, %o : tensor<32xf32, #row>, !tile.ref<f32, [32]>
  tile.store %sums#2, %o : tensor<32xf32, #row>, !tile.ref<f32, [32]>
  tile.store %sums#3, %o : tensor<32xf32, #row>, !tile.ref<f32, [32]>
  tile.store %sums#4, %o : tensor<32xf32, #row>, !tile.ref<f32, [32]>
  tile.return
}
// CHECK-LABEL: tile.kernel @exact
// CHECK-NOT: partial
// CHECK-NOT: tile.combine_lanes
tile.kernel @exact(%n: i64, %x: !tile.ref<f32, [32, 8]>, %o: !tile.ref<f32, [32]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %z = arith.constant 0.0 : f32
  %zero = tile.full %z : f32 -> tensor<32xf32, #row>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%total = %zero) -> (tensor<32xf32, #row>) : i64 {
    %t = tile.load %x : !tile.ref<f32, [32, 8]> -> tensor<32x8xf32, #tile>
    %s = tile.reduce sum %t [1] : tensor<32x8xf32, #tile> -> tensor<32xf32, #row>
    %next = tile.add %total, %s : tensor<32xf32, #row>
    scf.yield %next : tensor<32xf32, #row>
  }
  tile.store %sum, %o : tensor<32xf32, #row>, !tile.ref<f32, [32]>
  tile.return
}

// Sums of several warps, of f64, which is as without approx_math, and of integers; maxima. A sum that is in no loop.
// CHECK-LABEL: tile.kernel @others
// CHECK-NOT: partial
// CHECK-NOT: tile.combine_lanes
tile.kernel @others(%n: i64, %x: !tile.ref<f32, [32, 256]>, %y: !tile.ref<f64, [32, 8]>, %i: !tile.ref<i32, [32, 8]>, %o: !tile.ref<f32, [32]>, %p: !tile.ref<f64, [32]>, %q: !tile.ref<i32, [32]>) attributes {threads = 128 : i64, group = 128 : i64, tile.approx_math} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %z = arith.constant 0.0 : f32
  %zd = arith.constant 0.0 : f64
  %zi = arith.constant 0 : i32
  %zero = tile.full %z : f32 -> tensor<32xf32, #widerow>
  %zerod = tile.full %zd : f64 -> tensor<32xf64, #row>
  %zeroi = tile.full %zi : i32 -> tensor<32xi32, #row>
  %most = tile.full %z : f32 -> tensor<32xf32, #row>
  %sums:4 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero, %b = %zerod, %c = %zeroi, %d = %most) -> (tensor<32xf32, #widerow>, tensor<32xf64, #row>, tensor<32xi32, #row>, tensor<32xf32, #row>) : i64 {
    %t = tile.load %x : !tile.ref<f32, [32, 256]> -> tensor<32x256xf32, #wide>
    %s0 = tile.reduce sum %t [1] : tensor<32x256xf32, #wide> -> tensor<32xf32, #widerow>
    %a2 = tile.add %a, %s0 : tensor<32xf32, #widerow>
    %u = tile.load %y : !tile.ref<f64, [32, 8]> -> tensor<32x8xf64, #tile>
    %s1 = tile.reduce sum %u [1] : tensor<32x8xf64, #tile> -> tensor<32xf64, #row>
    %b2 = tile.add %b, %s1 : tensor<32xf64, #row>
    %v = tile.load %i : !tile.ref<i32, [32, 8]> -> tensor<32x8xi32, #tile>
    %s2 = tile.reduce sum %v [1] : tensor<32x8xi32, #tile> -> tensor<32xi32, #row>
    %c2 = tile.add %c, %s2 : tensor<32xi32, #row>
    %w = tile.cast %v : tensor<32x8xi32, #tile> -> tensor<32x8xf32, #tile>
    %s3 = tile.reduce max %w [1] : tensor<32x8xf32, #tile> -> tensor<32xf32, #row>
    %d2 = tile.add %d, %s3 : tensor<32xf32, #row>
    scf.yield %a2, %b2, %c2, %d2 : tensor<32xf32, #widerow>, tensor<32xf64, #row>, tensor<32xi32, #row>, tensor<32xf32, #row>
  }
  tile.store %sums#0, %o : tensor<32xf32, #widerow>, !tile.ref<f32, [32]>
  tile.store %sums#1, %p : tensor<32xf64, #row>, !tile.ref<f64, [32]>
  tile.store %sums#2, %q : tensor<32xi32, #row>, !tile.ref<i32, [32]>
  tile.store %sums#3, %o : tensor<32xf32, #row>, !tile.ref<f32, [32]>
  %v = tile.load %i : !tile.ref<i32, [32, 8]> -> tensor<32x8xi32, #tile>
  %w = tile.cast %v : tensor<32x8xi32, #tile> -> tensor<32x8xf32, #tile>
  %once = tile.reduce sum %w [1] : tensor<32x8xf32, #tile> -> tensor<32xf32, #row>
  tile.store %once, %o : tensor<32xf32, #row>, !tile.ref<f32, [32]>
  tile.return
}
