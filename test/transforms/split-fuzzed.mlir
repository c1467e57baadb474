// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that the fuzzer found splitting to break on, made small.
// RUN: tegula-opt --tile-split --canonicalize --cse %s | FileCheck %s

// A loop whose results nobody uses goes as a whole, with all that is inside.
// CHECK-LABEL: tile.kernel @dead_0
// CHECK-NOT: scf.for
// CHECK: tile.store
tile.entry @dead(%x: !tile.array<f32, 1>, %n: i64) attributes {qualified_name = "dead"} {
  tile.launch "dead_0" grid() args(out %a = %x : !tile.array<f32, 1>, scalar %m = %n : i64) {
    %0 = arith.constant 0 : i64
    %1 = arith.constant 1 : i64
    %s = arith.constant 2.0 : f32
    %e = tile.dim %a, 0 : !tile.ref<f32, [?]>
    %t = tile.full %s extents(%e) : f32 -> tensor<?xf32>
    %r = scf.for %i = %0 to %m step %1 iter_args(%u = %t) -> (tensor<?xf32>) : i64 {
      %v = tile.add %u, %t : tensor<?xf32>
      %w = tile.mul %v, %v : tensor<?xf32>
      scf.yield %w : tensor<?xf32>
    }
    tile.store %t, %a : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}

// A loop carries a tile of an array that is written. The kernel of another root, of more dimensions and the same last
// extent, has no use for it: it neither carries nor reads it.
// CHECK-LABEL: tile.kernel @carried_0(
// CHECK: scf.for {{.*}} iter_args
// CHECK: tile.store {{.*}} : tensor<{{[0-9]+}}xf32>
// CHECK: } else {
// CHECK: scf.for {{.*}} iter_args
// CHECK: tile.store {{.*}} : tensor<{{[0-9]+}}xf32>
// CHECK-NOT: iter_args
// CHECK: tile.store {{.*}} : tensor<{{[0-9]+x[0-9]+}}xf32>
tile.entry @carried(%x: !tile.array<f32, 1>, %y: !tile.array<f32, 2>, %n: i64) attributes {qualified_name = "carried"} {
  %dx = tile.dim %x, 0 : !tile.array<f32, 1>
  %dy = tile.dim %y, 1 : !tile.array<f32, 2>
  %same = arith.cmpi eq, %dx, %dy : i64
  tile.check %same, "rows differ in length"
  tile.launch "carried_0" grid() args(inout %a = %x : !tile.array<f32, 1>, out %b = %y : !tile.array<f32, 2>, scalar %m = %n : i64) {
    %0 = arith.constant 0 : i64
    %1 = arith.constant 1 : i64
    %s = arith.constant 2.0 : f32
    %t = tile.load %a : !tile.ref<f32, [?]> -> tensor<?xf32>
    %r = scf.for %i = %0 to %m step %1 iter_args(%u = %t) -> (tensor<?xf32>) : i64 {
      %v = tile.mul %u, %u : tensor<?xf32>
      scf.yield %v : tensor<?xf32>
    }
    tile.store %r, %a : tensor<?xf32>, !tile.ref<f32, [?]>
    %f = tile.full %s : f32 -> tensor<?x?xf32>
    tile.store %f, %b : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}

// The window is the same in every iteration, though its offset is computed inside.
// CHECK-LABEL: tile.kernel @still_0
// CHECK: scf.for
// CHECK: tile.store
tile.entry @still(%x: !tile.array<f32, 1>, %g: i64, %n: i64) attributes {qualified_name = "still"} {
  tile.launch "still_0" grid(%g) args(inout %a = %x : !tile.array<f32, 1>, scalar %m = %n : i64) {
    %0 = arith.constant 0 : i64
    %1 = arith.constant 1 : i64
    %c = arith.constant 16384 : i64
    scf.for %i = %0 to %m step %1 : i64 {
      %p = tile.program_id 0
      %o = arith.muli %p, %c : i64
      %w = tile.slice %a[window %o] : !tile.ref<f32, [?]> -> !tile.ref<f32, [16384?]>
      %t = tile.load %w : !tile.ref<f32, [16384?]> -> tensor<16384xf32>
      %u = tile.square %t : tensor<16384xf32>
      tile.store %u, %w : tensor<16384xf32>, !tile.ref<f32, [16384?]>
    }
    tile.yield
  }
  tile.return
}

// Blocks of one element of two extents: each is read as the part of its own domain.
// CHECK-LABEL: tile.kernel @ones_0
// CHECK: tile.load
// CHECK: tile.store
tile.entry @ones(%x: !tile.array<f32, 1>, %y: !tile.array<f32, 1>, %g: i64) attributes {qualified_name = "ones"} {
  tile.launch "ones_0" grid(%g) args(out %a = %x : !tile.array<f32, 1>, inout %b = %y : !tile.array<f32, 1>) {
    %s = arith.constant 2.0 : f32
    %p = tile.program_id 0
    %w = tile.slice %a[window %p] : !tile.ref<f32, [?]> -> !tile.ref<f32, [1?]>
    %f = tile.full %s : f32 -> tensor<1xf32>
    tile.store %f, %w : tensor<1xf32>, !tile.ref<f32, [1?]>
    %v = tile.slice %b[window %p] {in_bounds} : !tile.ref<f32, [?]> -> !tile.ref<f32, [1]>
    %t = tile.load %v : !tile.ref<f32, [1]> -> tensor<1xf32>
    %u = tile.neg %t : tensor<1xf32>
    tile.store %u, %v : tensor<1xf32>, !tile.ref<f32, [1]>
    tile.yield
  }
  tile.return
}

// A factor that conforms ends where the other one does.
// CHECK-LABEL: tile.kernel @conforming_0(
// CHECK: %[[END:.*]] = tile.dim %{{.*}}, 0 : !tile.ref<f32, [32?, 8?]>
// CHECK-NEXT: tile.dot %{{.*}}, %{{.*}} extent(%[[END]])
tile.entry @conforming(%x: !tile.array<f32, 2, const>, %y: !tile.array<f32, 2>) attributes {qualified_name = "conforming"} {
  tile.launch "conforming_0" grid() args(in %a = %x : !tile.array<f32, 2, const>, out %o = %y : !tile.array<f32, 2>) {
    %0 = arith.constant 0 : i64
    %7 = arith.constant 7 : i64
    %one = arith.constant 1.0 : f32
    %w = tile.slice %a[window %7, window %0] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [32?, 8?]>
    %t = tile.load %w : !tile.ref<f32, [32?, 8?]> -> tensor<32x8xf32>
    %m = tile.reduce max %t [1] : tensor<32x8xf32> -> tensor<32xf32>
    %b = tile.broadcast %m [0] : tensor<32xf32> -> tensor<32x8xf32>
    %f = tile.full %one : f32 -> tensor<8x32xf32>
    %d = tile.dot %f, %b : tensor<8x32xf32>, tensor<32x8xf32> -> tensor<8x8xf32>
    %r = tile.slice %o[window %0, window %0] {in_bounds} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [8, 8]>
    tile.store %d, %r : tensor<8x8xf32>, !tile.ref<f32, [8, 8]>
    tile.yield
  }
  tile.return
}

// Both sides of a branch have three elements: the reduction after it asks no window of one of them.
// CHECK-LABEL: tile.kernel @branched_0(
// CHECK: %[[END:.*]] = arith.constant 3 : i64
// CHECK: %[[SIDE:.*]] = scf.if {{.*}} -> (tensor<4xi64>) {
// CHECK: }
// CHECK: tile.reduce sum %[[SIDE]] [0] extents(%[[END]])
tile.entry @branched(%x: !tile.array<i64, 1, const>, %y: !tile.array<i64, 0>, %n: i64) attributes {qualified_name = "branched"} {
  tile.launch "branched_0" grid() args(in %a = %x : !tile.array<i64, 1, const>, out %o = %y : !tile.array<i64, 0>, scalar %m = %n : i64) {
    %0 = arith.constant 0 : i64
    %c = arith.cmpi eq, %m, %0 : i64
    %t = scf.if %c -> tensor<3xi64> {
      %u = tile.iota 0 : tensor<3xi64>
      scf.yield %u : tensor<3xi64>
    } else {
      %w = tile.slice %a[window %m] {in_bounds} : !tile.ref<i64, [?]> -> !tile.ref<i64, [3]>
      %u = tile.load %w : !tile.ref<i64, [3]> -> tensor<3xi64>
      scf.yield %u : tensor<3xi64>
    }
    %s = tile.reduce sum %t [0] : tensor<3xi64> -> tensor<i64>
    tile.store %s, %o : tensor<i64>, !tile.ref<i64, []>
    tile.yield
  }
  tile.return
}

// What is shared out may be made with numbers that are extracted from other tiles: all of those.
// CHECK-LABEL: tile.kernel @scaled_0_partial(
// CHECK: %[[S:.*]] = tile.load %{{.*}} : <f32, []> -> tensor<f32>
// CHECK: tile.extract %[[S]]
// CHECK: tile.reduce sum
tile.entry @scaled(%x: !tile.array<f32, 1, const>, %s: !tile.array<f32, 0, const>, %y: !tile.array<f32, 0>) attributes {qualified_name = "scaled"} {
  tile.launch "scaled_0" grid() args(in %a = %x : !tile.array<f32, 1, const>, in %b = %s : !tile.array<f32, 0, const>, out %o = %y : !tile.array<f32, 0>) {
    %t = tile.load %a : !tile.ref<f32, [?]> -> tensor<?xf32>
    %u = tile.load %b : !tile.ref<f32, []> -> tensor<f32>
    %n = tile.extract %u : tensor<f32> -> f32
    %f = tile.full %n : f32 -> tensor<?xf32>
    %p = tile.mul %t, %f : tensor<?xf32>
    %r = tile.reduce sum %p [0] : tensor<?xf32> -> tensor<f32>
    tile.store %r, %o : tensor<f32>, !tile.ref<f32, []>
    tile.yield
  }
  tile.return
}

// What a loop carries ends where a window in it does, which moves in another dimension: its extent is computed in front.
// CHECK-LABEL: tile.kernel @moving_0(
// CHECK: %[[REST:.*]] = arith.subi
// CHECK: %[[EXTENT:.*]] = arith.minsi
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: tile.reduce sum %[[SUM]] [0] extents(%[[EXTENT]])
tile.entry @moving(%x: !tile.array<f32, 2, const>, %y: !tile.array<f32, 0>, %n: i64) attributes {qualified_name = "moving"} {
  tile.launch "moving_0" grid() args(in %a = %x : !tile.array<f32, 2, const>, out %o = %y : !tile.array<f32, 0>, scalar %m = %n : i64) {
    %0 = arith.constant 0 : i64
    %4 = arith.constant 4 : i64
    %zero = arith.constant 0.0 : f32
    %t = tile.full %zero : f32 -> tensor<8xf32>
    %r = scf.for %k = %0 to %m step %4 iter_args(%sum = %t) -> (tensor<8xf32>) : i64 {
      %w = tile.slice %a[window %m, window %k] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [8?, 4?]>
      %u = tile.load %w : !tile.ref<f32, [8?, 4?]> -> tensor<8x4xf32>
      %v = tile.reduce sum %u [1] : tensor<8x4xf32> -> tensor<8xf32>
      %next = tile.add %sum, %v : tensor<8xf32>
      scf.yield %next : tensor<8xf32>
    }
    %all = tile.reduce sum %r [0] : tensor<8xf32> -> tensor<f32>
    tile.store %all, %o : tensor<f32>, !tile.ref<f32, []>
    tile.yield
  }
  tile.return
}

// A thread group that loops over the matrices of a product takes 16 of them at a time, not as many as fit its threads.
// CHECK-LABEL: tile.kernel @matrices_0(
// CHECK: tile.dot {{.*}} : tensor<16x2x[[DEPTH:.*]]xi32>, tensor<16x[[DEPTH]]x4xi32> -> tensor<16x2x4xi32>
tile.entry @matrices(%x: !tile.array<i32, 3, const>, %y: !tile.array<i32, 3, const>, %z: !tile.array<i32, 3>) attributes {qualified_name = "matrices"} {
  %x0 = tile.dim %x, 0 : !tile.array<i32, 3, const>
  %x2 = tile.dim %x, 2 : !tile.array<i32, 3, const>
  %y0 = tile.dim %y, 0 : !tile.array<i32, 3, const>
  %y1 = tile.dim %y, 1 : !tile.array<i32, 3, const>
  %z0 = tile.dim %z, 0 : !tile.array<i32, 3>
  %a = arith.cmpi eq, %x0, %y0 : i64
  tile.check %a, "batches"
  %b = arith.cmpi eq, %x0, %z0 : i64
  tile.check %b, "batches"
  %c = arith.cmpi eq, %x2, %y1 : i64
  tile.check %c, "depths"
  tile.launch "matrices_0" grid() args(in %p = %x : !tile.array<i32, 3, const>, in %q = %y : !tile.array<i32, 3, const>, out %o = %z : !tile.array<i32, 3>) {
    %0 = arith.constant 0 : i64
    %left = tile.slice %p[whole, window %0, whole] : !tile.ref<i32, [?, ?, ?]> -> !tile.ref<i32, [?, 2?, ?]>
    %right = tile.slice %q[whole, whole, window %0] : !tile.ref<i32, [?, ?, ?]> -> !tile.ref<i32, [?, ?, 3?]>
    %to = tile.slice %o[whole, window %0, window %0] : !tile.ref<i32, [?, ?, ?]> -> !tile.ref<i32, [?, 2?, 3?]>
    %s = tile.load %left : !tile.ref<i32, [?, 2?, ?]> -> tensor<?x2x?xi32>
    %t = tile.load %right : !tile.ref<i32, [?, ?, 3?]> -> tensor<?x?x3xi32>
    %u = tile.dot %s, %t : tensor<?x2x?xi32>, tensor<?x?x3xi32> -> tensor<?x2x3xi32>
    %all = tile.reduce sum %s [0, 1, 2] : tensor<?x2x?xi32> -> tensor<i32>
    %wide = tile.broadcast %all [] : tensor<i32> -> tensor<?x2x3xi32>
    %v = tile.add %u, %wide : tensor<?x2x3xi32>
    tile.store %v, %to : tensor<?x2x3xi32>, !tile.ref<i32, [?, 2?, 3?]>
    tile.yield
  }
  tile.return
}

// An array that is known to have no columns: its sub-tiles are cut like those of one column, at whose edge they lie.
// CHECK-LABEL: tile.kernel @nothing_0(
// CHECK: tile.store {{.*}} : tensor<{{[0-9]+}}x1xf32>
tile.entry @nothing(%x: !tile.array<f32, 2>) attributes {qualified_name = "nothing"} {
  %0 = arith.constant 0 : i64
  %d = tile.dim %x, 1 : !tile.array<f32, 2>
  %e = arith.cmpi eq, %d, %0 : i64
  tile.check %e, "there are columns"
  tile.launch "nothing_0" grid() args(inout %a = %x : !tile.array<f32, 2>) {
    %t = tile.load %a : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %u = tile.add %t, %t : tensor<?x?xf32>
    tile.store %u, %a : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}

// Few of the matrices that are summed up are multiplied at a time: each has code of its own.
// CHECK-LABEL: tile.kernel @summed_0(
// CHECK: tile.dot {{.*}} -> tensor<2x4x2xf32>
// CHECK-NOT: tensor<{{[0-9][0-9]+}}x4x2xf32>
// CHECK: tile.return
tile.entry @summed(%x: !tile.array<f32, 3>, %y: !tile.array<f32, 3>, %o: !tile.array<f32, 2>) attributes {qualified_name = "summed"} {
  %n = tile.dim %x, 0 : !tile.array<f32, 3>
  %m = tile.dim %y, 0 : !tile.array<f32, 3>
  %e = arith.cmpi eq, %n, %m : i64
  tile.check %e, "as many matrices"
  tile.launch "summed_0" grid() args(in %a = %x : !tile.array<f32, 3>, in %b = %y : !tile.array<f32, 3>, out %r = %o : !tile.array<f32, 2>) {
    %0 = arith.constant 0 : i64
    %aw = tile.slice %a[whole, window %0, window %0] : !tile.ref<f32, [?, ?, ?]> -> !tile.ref<f32, [?, 4, 8]>
    %bw = tile.slice %b[whole, window %0, window %0] : !tile.ref<f32, [?, ?, ?]> -> !tile.ref<f32, [?, 8, 2]>
    %rw = tile.slice %r[window %0, window %0] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [4, 2]>
    %s = tile.load %aw : !tile.ref<f32, [?, 4, 8]> -> tensor<?x4x8xf32>
    %t = tile.load %bw : !tile.ref<f32, [?, 8, 2]> -> tensor<?x8x2xf32>
    %d = tile.dot %s, %t : tensor<?x4x8xf32>, tensor<?x8x2xf32> -> tensor<?x4x2xf32>
    %u = tile.reduce sum %d [0] : tensor<?x4x2xf32> -> tensor<4x2xf32>
    tile.store %u, %rw : tensor<4x2xf32>, !tile.ref<f32, [4, 2]>
    tile.yield
  }
  tile.return
}

// A dimension whose type is dynamic, and whose extent is a constant that no op computes: whether a sub-tile is full is
// not asked of it.
// CHECK-LABEL: tile.kernel @updated_0(
// CHECK: tile.atomic max
tile.entry @updated(%x: !tile.array<i32, 3>, %y: !tile.array<i32, 2, const>, %n: i64, %p: i8) attributes {qualified_name = "updated"} {
  %dx = tile.dim %y, 0 : !tile.array<i32, 2, const>
  tile.launch "updated_0" grid(%dx) args(inout %a = %x : !tile.array<i32, 3>, in %b = %y : !tile.array<i32, 2, const>, scalar %m = %n : i64, scalar %q = %p : i8) {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %three = arith.constant 3 : i64
    %id = tile.program_id 0
    %at = arith.muli %three, %id : i64
    %places = tile.full %m : i64 -> tensor<?x184xi64>
    %plane = tile.slice %a[whole, whole, element %zero] : !tile.ref<i32, [?, ?, ?]> -> !tile.ref<i32, [?, ?]>
    %first = tile.slice %b[window %zero size %one, whole] {in_bounds} : !tile.ref<i32, [?, ?]> -> !tile.ref<i32, [?, ?]>
    %row = tile.load %first : !tile.ref<i32, [?, ?]> -> tensor<?x?xi32>
    %rows = tile.broadcast %row [0, 2] : tensor<?x?xi32> -> tensor<?x184x?xi32>
    %length = tile.dim %b, 1 : !tile.ref<i32, [?, ?]>
    %k = arith.trunci %at : i64 to i8
    %small = tile.full %k : i8 -> tensor<?x184x?xui8>
    %wide = tile.cast %small : tensor<?x184x?xui8> -> tensor<?x184x?xi32>
    %high = tile.mul_hi %rows, %wide : tensor<?x184x?xi32>
    %others = tile.full %q : i8 -> tensor<?x184x?xui8>
    %mask = tile.lt %small, %others : tensor<?x184x?xui8> -> tensor<?x184x?xi1>
    tile.atomic max %high, %plane indices(%places : tensor<?x184xi64>) [0] at 0 mask %mask : tensor<?x184x?xi1> : tensor<?x184x?xi32>, !tile.ref<i32, [?, ?]>
    tile.yield
  }
  tile.return
}
