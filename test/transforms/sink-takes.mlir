// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of tiles are taken where the tiles come from.
// RUN: tegula-opt --tile-sink-takes --canonicalize --cse %s | FileCheck %s

// Of what is computed: of loads, numbers and what is repeated along the dimension. Nothing else is loaded.
// CHECK-LABEL: tile.launch "computed_0"
// CHECK: %[[I:.*]] = tile.load %{{.*}} : <i32, [4]> -> tensor<4xi32>
// CHECK-NOT: tile.load %{{.*}} : <f32, [8, 16]>
// CHECK-DAG: %[[X:.*]] = tile.gather %{{.*}}[%[[I]] : tensor<4xi32>] [1] at 1 : <f32, [8, 16]> -> tensor<8x4xf32>
// CHECK-DAG: %[[B:.*]] = tile.broadcast %{{.*}} [0] : tensor<8xf32> -> tensor<8x4xf32>
// CHECK-DAG: %[[SUM:.*]] = tile.add %[[X]], %[[B]] : tensor<8x4xf32>
// CHECK-DAG: %[[F:.*]] = tile.cast %[[I]] : tensor<4xi32> -> tensor<4xf32>
// CHECK-DAG: %[[N:.*]] = tile.broadcast %[[F]] [1] : tensor<4xf32> -> tensor<8x4xf32>
// CHECK: %[[R:.*]] = tile.mul %{{.*}} : tensor<8x4xf32>
// CHECK: tile.store %[[R]]
tile.entry @computed(%x: !tile.array<f32, 2, const>, %b: !tile.array<f32, 1, const>, %i: !tile.array<i32, 1, const>, %o: !tile.array<f32, 2>) attributes {qualified_name = "computed"} {
  tile.launch "computed_0" grid() args(in %xr = %x : !tile.array<f32, 2, const>, in %br = %b : !tile.array<f32, 1, const>, in %ir = %i : !tile.array<i32, 1, const>, out %or = %o : !tile.array<f32, 2>) {
    %c0 = arith.constant 0 : i64
    %xw = tile.slice %xr[window %c0, window %c0] {in_bounds} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [8, 16]>
    %bw = tile.slice %br[window %c0] {in_bounds} : !tile.ref<f32, [?]> -> !tile.ref<f32, [8]>
    %iw = tile.slice %ir[window %c0] {in_bounds} : !tile.ref<i32, [?]> -> !tile.ref<i32, [4]>
    %ow = tile.slice %or[window %c0, window %c0] {in_bounds} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [8, 4]>
    %t = tile.load %xw : !tile.ref<f32, [8, 16]> -> tensor<8x16xf32>
    %u = tile.load %bw : !tile.ref<f32, [8]> -> tensor<8xf32>
    %n = tile.load %iw : !tile.ref<i32, [4]> -> tensor<4xi32>
    %v = tile.broadcast %u [0] : tensor<8xf32> -> tensor<8x16xf32>
    %0 = tile.add %t, %v : tensor<8x16xf32>
    %1 = tile.iota 1 : tensor<8x16xf32>
    %2 = tile.mul %0, %1 : tensor<8x16xf32>
    %3 = tile.take %2[%n : tensor<4xi32>] [1] at 1 : tensor<8x16xf32> -> tensor<8x4xf32>
    tile.store %3, %ow : tensor<8x4xf32>, !tile.ref<f32, [8, 4]>
    tile.yield
  }
  tile.return
}

// Through views of values: dimensions in another order, and parts, whose offsets are added.
// CHECK-LABEL: tile.launch "views_0"
// CHECK: %[[I:.*]] = tile.load %{{.*}} : <i64, [4]> -> tensor<4xi64>
// CHECK: %[[AT:.*]] = tile.add %[[I]], %{{.*}} : tensor<4xi64>
// CHECK: %[[G:.*]] = tile.gather %{{.*}}[%[[AT]] : tensor<4xi64>] [0] at 0 : <f32, [8, 16]> -> tensor<4x16xf32>
// CHECK: %[[T:.*]] = tile.permute %[[G]] [1, 0] : tensor<4x16xf32> -> tensor<16x4xf32>
// CHECK: tile.store %[[T]]
tile.entry @views(%x: !tile.array<f32, 2, const>, %i: !tile.array<i64, 1, const>, %o: !tile.array<f32, 2>) attributes {qualified_name = "views"} {
  tile.launch "views_0" grid() args(in %xr = %x : !tile.array<f32, 2, const>, in %ir = %i : !tile.array<i64, 1, const>, out %or = %o : !tile.array<f32, 2>) {
    %c0 = arith.constant 0 : i64
    %c3 = arith.constant 3 : i64
    %xw = tile.slice %xr[window %c0, window %c0] {in_bounds} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [8, 16]>
    %iw = tile.slice %ir[window %c0] {in_bounds} : !tile.ref<i64, [?]> -> !tile.ref<i64, [4]>
    %ow = tile.slice %or[window %c0, window %c0] {in_bounds} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [16, 4]>
    %t = tile.load %xw : !tile.ref<f32, [8, 16]> -> tensor<8x16xf32>
    %n = tile.load %iw : !tile.ref<i64, [4]> -> tensor<4xi64>
    %0 = tile.subtile %t[window %c3, whole] : tensor<8x16xf32> -> tensor<5x16xf32>
    %1 = tile.permute %0 [1, 0] : tensor<5x16xf32> -> tensor<16x5xf32>
    %2 = tile.take %1[%n : tensor<4xi64>] [1] at 1 : tensor<16x5xf32> -> tensor<16x4xf32>
    tile.store %2, %ow : tensor<16x4xf32>, !tile.ref<f32, [16, 4]>
    tile.yield
  }
  tile.return
}

// Sums, and what the program stores to, stay as they are.
// CHECK-LABEL: tile.launch "wholes_0"
// CHECK: tile.take %{{.*}} [0] at 0 : tensor<8xf32> -> tensor<8xf32>
// CHECK: tile.take %{{.*}} [0] at 0 : tensor<8xf32> -> tensor<8xf32>
tile.entry @wholes(%x: !tile.array<f32, 2, const>, %o: !tile.array<f32, 1>) attributes {qualified_name = "wholes"} {
  tile.launch "wholes_0" grid() args(in %xr = %x : !tile.array<f32, 2, const>, inout %or = %o : !tile.array<f32, 1>) {
    %c0 = arith.constant 0 : i64
    %c7 = arith.constant 7 : i32
    %xw = tile.slice %xr[window %c0, window %c0] {in_bounds} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [8, 16]>
    %ow = tile.slice %or[window %c0] {in_bounds} : !tile.ref<f32, [?]> -> !tile.ref<f32, [8]>
    %t = tile.load %xw : !tile.ref<f32, [8, 16]> -> tensor<8x16xf32>
    %u = tile.load %ow : !tile.ref<f32, [8]> -> tensor<8xf32>
    %i = tile.iota 0 : tensor<8xi32>
    %l = tile.full %c7 : i32 -> tensor<8xi32>
    %n = tile.sub %l, %i : tensor<8xi32>
    %0 = tile.reduce sum %t [1] : tensor<8x16xf32> -> tensor<8xf32>
    %1 = tile.add %0, %u : tensor<8xf32>
    %2 = tile.take %1[%n : tensor<8xi32>] [0] at 0 : tensor<8xf32> -> tensor<8xf32>
    tile.store %2, %ow : tensor<8xf32>, !tile.ref<f32, [8]>
    tile.yield
  }
  tile.return
}

// As many elements as there are indices: a tile that is the same everywhere, beside another one that tells how many, and alone.
// CHECK-LABEL: tile.launch "counted_0"
// CHECK: %[[X:.*]] = tile.gather
// CHECK: %[[C:.*]] = tile.broadcast %{{.*}} [] : tensor<f32> -> tensor<?xf32>
// CHECK: tile.mul %[[X]], %[[C]]
// CHECK: %[[T:.*]] = tile.take %{{.*}} : tensor<?xi64>] [0] at 0 : tensor<2xf32> -> tensor<?xf32>
// CHECK: tile.reduce sum %[[T]] [0]
tile.entry @counted(%x: !tile.array<f32, 1, const>, %i: !tile.array<i64, 1, const>, %o: !tile.array<f32, 1>,
                    %p: !tile.array<f32, 0>) attributes {qualified_name = "counted"} {
  tile.launch "counted_0" grid() args(in %xr = %x : !tile.array<f32, 1, const>, in %ir = %i : !tile.array<i64, 1, const>,
                                      out %or = %o : !tile.array<f32, 1>, out %pr = %p : !tile.array<f32, 0>) {
    %c2 = arith.constant 2.0 : f32
    %t = tile.load %xr : !tile.ref<f32, [?]> -> tensor<?xf32>
    %n = tile.load %ir : !tile.ref<i64, [?]> -> tensor<?xi64>
    %two = tile.full %c2 : f32 -> tensor<f32>
    %like = tile.broadcast %two [] : tensor<f32> -> tensor<?xf32>
    %0 = tile.mul %t, %like : tensor<?xf32>
    %1 = tile.take %0[%n : tensor<?xi64>] [0] at 0 : tensor<?xf32> -> tensor<?xf32>
    tile.store %1, %or : tensor<?xf32>, !tile.ref<f32, [?]>
    %pair = tile.broadcast %two [] : tensor<f32> -> tensor<2xf32>
    %2 = tile.take %pair[%n : tensor<?xi64>] [0] at 0 : tensor<2xf32> -> tensor<?xf32>
    %3 = tile.reduce sum %2 [0] : tensor<?xf32> -> tensor<f32>
    tile.store %3, %pr : tensor<f32>, !tile.ref<f32, []>
    tile.yield
  }
  tile.return
}

// What is used twice by what goes away, goes once.
// CHECK-LABEL: tile.launch "squares_0"
// CHECK: %[[X:.*]] = tile.gather
// CHECK: %[[Y:.*]] = tile.neg %[[X]]
// CHECK: tile.mul %[[Y]], %[[Y]]
tile.entry @squares(%x: !tile.array<f32, 1, const>, %i: !tile.array<i64, 1, const>, %o: !tile.array<f32, 1>)
    attributes {qualified_name = "squares"} {
  tile.launch "squares_0" grid() args(in %xr = %x : !tile.array<f32, 1, const>, in %ir = %i : !tile.array<i64, 1, const>,
                                      out %or = %o : !tile.array<f32, 1>) {
    %t = tile.load %xr : !tile.ref<f32, [?]> -> tensor<?xf32>
    %n = tile.load %ir : !tile.ref<i64, [?]> -> tensor<?xi64>
    %0 = tile.neg %t : tensor<?xf32>
    %1 = tile.mul %0, %0 : tensor<?xf32>
    %2 = tile.take %1[%n : tensor<?xi64>] [0] at 0 : tensor<?xf32> -> tensor<?xf32>
    tile.store %2, %or : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}

// Elements of what a variable keeps the extents of: the indices say how many there are along theirs.
// CHECK-LABEL: tile.launch "conforming_0"
// CHECK: %[[M:.*]] = tile.dim %{{.*}}, 0 : tensor<4xi64>
// CHECK: %[[X:.*]] = tile.gather {{.*}} -> tensor<4x?xf32>
// CHECK: tile.conform %[[X]] extents(%[[M]], %[[N:.*]]) : tensor<4x?xf32>
tile.entry @conforming(%x: !tile.array<f32, 2, const>, %o: !tile.array<f32, 2>) attributes {qualified_name = "conforming"} {
  tile.launch "conforming_0" grid() args(in %xr = %x : !tile.array<f32, 2, const>, out %or = %o : !tile.array<f32, 2>) {
    %t = tile.load %xr : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %m = tile.dim %xr, 0 : !tile.ref<f32, [?, ?]>
    %n = tile.dim %xr, 1 : !tile.ref<f32, [?, ?]>
    %c = tile.conform %t extents(%m, %n) : tensor<?x?xf32>
    %zero = arith.constant 0 : i64
    %i = tile.iota 0 : tensor<4xi64>
    %0 = tile.take %c[%i : tensor<4xi64>] [0] at 0 : tensor<?x?xf32> -> tensor<4x?xf32>
    %w = tile.slice %or[window %zero, whole] : <f32, [?, ?]> -> <f32, [4?, ?]>
    tile.store %0, %w : tensor<4x?xf32>, !tile.ref<f32, [4?, ?]>
    tile.yield
  }
  tile.return
}

// What a type bounds is not repeated: each index has its own element.
// CHECK-LABEL: tile.launch "bounded_0"
// CHECK: %[[N:.*]] = tile.load %{{.*}} : <i64, [?]>
// CHECK: %[[X:.*]] = tile.gather %{{.*}}[%[[N]] : tensor<?xi64>]
// CHECK: tile.store %[[X]]
tile.entry @bounded(%x: !tile.array<f32, 1, const>, %i: !tile.array<i64, 1, const>, %o: !tile.array<f32, 1>)
    attributes {qualified_name = "bounded"} {
  tile.launch "bounded_0" grid() args(in %xr = %x : !tile.array<f32, 1, const>, in %ir = %i : !tile.array<i64, 1, const>,
                                      out %or = %o : !tile.array<f32, 1>) {
    %t = tile.load %xr : !tile.ref<f32, [?]> -> tensor<?xf32>
    %n = tile.load %ir : !tile.ref<i64, [?]> -> tensor<?xi64>
    %0 = tile.broadcast %t [0] : tensor<?xf32> -> tensor<100xf32>
    %1 = tile.take %0[%n : tensor<?xi64>] [0] at 0 : tensor<100xf32> -> tensor<?xf32>
    tile.store %1, %or : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}

// Steps that each take elements of the one before double what is loaded: up to 16 places, tiles are computed again.
// CHECK-LABEL: tile.launch "doubled_4_0"
// CHECK-NOT: tile.take
// CHECK: tile.store
tile.entry @doubled_4(%x: !tile.array<i64, 1, const>, %o: !tile.array<i64, 1>)
    attributes {qualified_name = "doubled_4"} {
  tile.launch "doubled_4_0" grid() args(in %xr = %x : !tile.array<i64, 1, const>, out %or = %o : !tile.array<i64, 1>) {
    %t0 = tile.load %xr : !tile.ref<i64, [?]> -> tensor<?xi64>
    %d = tile.dim %xr, 0 : !tile.ref<i64, [?]>
    %all = tile.full %d extents(%d) : i64 -> tensor<?xi64>
    %at = tile.iota 0 extents(%d) : tensor<?xi64>
    %n = tile.sub %all, %at : tensor<?xi64>
    %m0 = tile.take %t0[%n : tensor<?xi64>] [0] at 0 : tensor<?xi64> -> tensor<?xi64>
    %t1 = tile.add %m0, %t0 : tensor<?xi64>
    %m1 = tile.take %t1[%n : tensor<?xi64>] [0] at 0 : tensor<?xi64> -> tensor<?xi64>
    %t2 = tile.add %m1, %t1 : tensor<?xi64>
    %m2 = tile.take %t2[%n : tensor<?xi64>] [0] at 0 : tensor<?xi64> -> tensor<?xi64>
    %t3 = tile.add %m2, %t2 : tensor<?xi64>
    %m3 = tile.take %t3[%n : tensor<?xi64>] [0] at 0 : tensor<?xi64> -> tensor<?xi64>
    %t4 = tile.add %m3, %t3 : tensor<?xi64>
    tile.store %t4, %or : tensor<?xi64>, !tile.ref<i64, [?]>
    tile.yield
  }
  tile.return
}

// With one step more, a tile is made once, and so is that of each step from the third one on: one kernel is for all.
// CHECK-LABEL: tile.launch "doubled_5_0"
// CHECK-COUNT-2: tile.gather
// CHECK-COUNT-3: tile.take %{{.*}} [0] at 0 {tile.takes_of_made}
// CHECK-NOT: tile.take
// CHECK: tile.store
tile.entry @doubled_5(%x: !tile.array<i64, 1, const>, %o: !tile.array<i64, 1>)
    attributes {qualified_name = "doubled_5"} {
  tile.launch "doubled_5_0" grid() args(in %xr = %x : !tile.array<i64, 1, const>, out %or = %o : !tile.array<i64, 1>) {
    %t0 = tile.load %xr : !tile.ref<i64, [?]> -> tensor<?xi64>
    %d = tile.dim %xr, 0 : !tile.ref<i64, [?]>
    %all = tile.full %d extents(%d) : i64 -> tensor<?xi64>
    %at = tile.iota 0 extents(%d) : tensor<?xi64>
    %n = tile.sub %all, %at : tensor<?xi64>
    %m0 = tile.take %t0[%n : tensor<?xi64>] [0] at 0 : tensor<?xi64> -> tensor<?xi64>
    %t1 = tile.add %m0, %t0 : tensor<?xi64>
    %m1 = tile.take %t1[%n : tensor<?xi64>] [0] at 0 : tensor<?xi64> -> tensor<?xi64>
    %t2 = tile.add %m1, %t1 : tensor<?xi64>
    %m2 = tile.take %t2[%n : tensor<?xi64>] [0] at 0 : tensor<?xi64> -> tensor<?xi64>
    %t3 = tile.add %m2, %t2 : tensor<?xi64>
    %m3 = tile.take %t3[%n : tensor<?xi64>] [0] at 0 : tensor<?xi64> -> tensor<?xi64>
    %t4 = tile.add %m3, %t3 : tensor<?xi64>
    %m4 = tile.take %t4[%n : tensor<?xi64>] [0] at 0 : tensor<?xi64> -> tensor<?xi64>
    %t5 = tile.add %m4, %t4 : tensor<?xi64>
    tile.store %t5, %or : tensor<?xi64>, !tile.ref<i64, [?]>
    tile.yield
  }
  tile.return
}

// What nobody but the take wants is moved, not computed again.
// CHECK-LABEL: tile.launch "moved_0"
// CHECK-NOT: tile.take
// CHECK: tile.store
tile.entry @moved(%x: !tile.array<i64, 1, const>, %o: !tile.array<i64, 1>)
    attributes {qualified_name = "moved"} {
  tile.launch "moved_0" grid() args(in %xr = %x : !tile.array<i64, 1, const>, out %or = %o : !tile.array<i64, 1>) {
    %t0 = tile.load %xr : !tile.ref<i64, [?]> -> tensor<?xi64>
    %d = tile.dim %xr, 0 : !tile.ref<i64, [?]>
    %all = tile.full %d extents(%d) : i64 -> tensor<?xi64>
    %at = tile.iota 0 extents(%d) : tensor<?xi64>
    %n = tile.sub %all, %at : tensor<?xi64>
    %m0 = tile.take %t0[%n : tensor<?xi64>] [0] at 0 : tensor<?xi64> -> tensor<?xi64>
    %t1 = tile.add %m0, %n : tensor<?xi64>
    %m1 = tile.take %t1[%n : tensor<?xi64>] [0] at 0 : tensor<?xi64> -> tensor<?xi64>
    %t2 = tile.add %m1, %n : tensor<?xi64>
    %m2 = tile.take %t2[%n : tensor<?xi64>] [0] at 0 : tensor<?xi64> -> tensor<?xi64>
    %t3 = tile.add %m2, %n : tensor<?xi64>
    %m3 = tile.take %t3[%n : tensor<?xi64>] [0] at 0 : tensor<?xi64> -> tensor<?xi64>
    %t4 = tile.add %m3, %n : tensor<?xi64>
    %m4 = tile.take %t4[%n : tensor<?xi64>] [0] at 0 : tensor<?xi64> -> tensor<?xi64>
    %t5 = tile.add %m4, %n : tensor<?xi64>
    tile.store %t5, %or : tensor<?xi64>, !tile.ref<i64, [?]>
    tile.yield
  }
  tile.return
}
