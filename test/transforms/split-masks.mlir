// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What masked accesses become: parts of the mask and of what stands elsewhere, made as those of the value are.
// RUN: tegula-opt --tile-split --canonicalize --cse %s | FileCheck %s

// A block is whole although its window extends past the edge: where o's sub-tile is full, x's window need not be.
// CHECK-LABEL: tile.kernel @blocks_0_dense(
// CHECK: scf.if
// CHECK: scf.if
// CHECK: %[[X:.*]] = tile.slice %{{.*}} : <f32, [?], align 16> -> <f32, [64?], align 16>
// CHECK: %[[M:.*]] = tile.lt %{{.*}} : tensor<64xi32> -> tensor<64xi1>
// CHECK: %[[T:.*]] = tile.load %[[X]] mask %[[M]] : tensor<64xi1> other %{{.*}} : tensor<64xf32> : <f32, [64?], align 16> -> tensor<64xf32>
// CHECK: %[[O:.*]] = tile.slice %{{.*}} {in_bounds} : <f32, [64?], align 16> -> <f32, [64], align 16>
// CHECK: tile.store %[[T]], %[[O]] mask %[[M]] : tensor<64xi1> : tensor<64xf32>, <f32, [64], align 16>
// CHECK: } else {
// CHECK: tile.store %{{.*}} mask %{{.*}} : tensor<64xi1> : tensor<64xf32>, <f32, [64?], align 16>
tile.entry @blocks(%x: !tile.array<f32, 1, const>, %o: !tile.array<f32, 1>, %g: i64) attributes {qualified_name = "blocks"} {
  tile.launch "blocks_0" grid(%g) args(in %xr = %x : !tile.array<f32, 1, const>, inout %or = %o : !tile.array<f32, 1>) {
    %i = tile.program_id 0
    %c64 = arith.constant 64 : i64
    %c40 = arith.constant 40 : i32
    %f = arith.constant -1.0 : f32
    %s = arith.muli %i, %c64 : i64
    %xb = tile.slice %xr[window %s] {spec} : !tile.ref<f32, [?]> -> !tile.ref<f32, [64?]>
    %ob = tile.slice %or[window %s] {spec} : !tile.ref<f32, [?]> -> !tile.ref<f32, [64?]>
    %0 = tile.iota 0 : tensor<64xi32>
    %1 = tile.full %c40 : i32 -> tensor<64xi32>
    %m = tile.lt %0, %1 : tensor<64xi32> -> tensor<64xi1>
    %other = tile.full %f : f32 -> tensor<64xf32>
    %t = tile.load %xb mask %m : tensor<64xi1> other %other : tensor<64xf32> : !tile.ref<f32, [64?]> -> tensor<64xf32>
    tile.store %t, %ob mask %m : tensor<64xi1> : tensor<64xf32>, !tile.ref<f32, [64?]>
    tile.yield
  }
  tile.return
}

// All 64 are added up: all is there. Of 100 held as 128, what the block has not is left out.
// CHECK-LABEL: tile.kernel @sums_0(
// CHECK: %[[T:.*]] = tile.load %{{.*}} mask %{{.*}} : <f32, [64?]> -> tensor<64xf32>
// CHECK: tile.reduce sum %[[T]] [0] : tensor<64xf32>
// CHECK: %[[U:.*]] = tile.load %{{.*}} mask %{{.*}} : tensor<128xi1> other %{{.*}} : tensor<128xf32> : <f32, [128?]> -> tensor<128xf32>
// CHECK: tile.reduce sum %[[U]] [0] extents(%{{.*}})
tile.entry @sums(%x: !tile.array<f32, 1, const>, %o: !tile.array<f32, 1>, %g: i64) attributes {qualified_name = "sums"} {
  tile.launch "sums_0" grid(%g) args(in %xr = %x : !tile.array<f32, 1, const>, out %or = %o : !tile.array<f32, 1>) {
    %i = tile.program_id 0
    %true = arith.constant true
    %f = arith.constant 1.0 : f32
    %a = tile.slice %xr[window %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64?]>
    %b = tile.slice %xr[window %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, [100?]>
    %ob = tile.slice %or[element %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, []>
    %m0 = tile.full %true : i1 -> tensor<64xi1>
    %o0 = tile.full %f : f32 -> tensor<64xf32>
    %t = tile.load %a mask %m0 : tensor<64xi1> other %o0 : tensor<64xf32> : !tile.ref<f32, [64?]> -> tensor<64xf32>
    %s = tile.reduce sum %t [0] : tensor<64xf32> -> tensor<f32>
    %m1 = tile.full %true : i1 -> tensor<100xi1>
    %o1 = tile.full %f : f32 -> tensor<100xf32>
    %u = tile.load %b mask %m1 : tensor<100xi1> other %o1 : tensor<100xf32> : !tile.ref<f32, [100?]> -> tensor<100xf32>
    %v = tile.reduce sum %u [0] : tensor<100xf32> -> tensor<f32>
    %w = tile.mul %s, %v : tensor<f32>
    tile.store %w, %ob : tensor<f32>, !tile.ref<f32, []>
    tile.yield
  }
  tile.return
}

// A row of any length is processed chunk by chunk, its mask with it: full chunks are windows in bounds. What is read element by
// element comes to sums of 1024, of which a full chunk has two, and whose chunks the rest is made of. A number is
// stored where the mask, a reduction, holds.
// CHECK-LABEL: tile.kernel @rows_0(
// CHECK: %[[FULL:.*]] = arith.andi %[[N:.*]], %c-2048_i64
// CHECK: %[[SUMS:.*]] = scf.for %[[K:[a-z0-9]+]] = %c0_i64 to %[[FULL]] step %c2048_i64
// CHECK:   %[[P:.*]] = tile.slice %{{.*}}[window %[[K]]] {in_bounds} : <f32, [?]> -> <f32, [1024]>
// CHECK:   %[[W:.*]] = tile.load %[[P]] : <f32, [1024]> -> tensor<1024xf32>
// CHECK:   %[[M:.*]] = tile.gt %[[W]]
// CHECK:   %[[FIRST:.*]] = tile.load %[[P]] mask %[[M]] : tensor<1024xi1> other
// CHECK:   arith.addi %[[K]], %c1024_i64
// CHECK:   tile.slice {{.*}} {in_bounds} : <f32, [?]> -> <f32, [1024]>
// CHECK:   tile.add %[[FIRST]], %{{.*}} : tensor<1024xf32>
// CHECK: scf.for %{{.*}} = %[[FULL]] to %[[N]] step %c1024_i64 iter_args(%{{.*}} = %[[SUMS]]) -> (tensor<1024xf32>)
// CHECK:   tile.slice {{.*}} : <f32, [?]> -> <f32, [1024?]>
// CHECK:   tile.where
// CHECK: tile.reduce any
// CHECK: tile.store %{{.*}}, %{{.*}} mask %{{.*}} : tensor<i1> : tensor<f32>, <f32, []>
tile.entry @rows(%x: !tile.array<f32, 2, const>, %o: !tile.array<f32, 1>, %g: i64) attributes {qualified_name = "rows"} {
  tile.launch "rows_0" grid(%g) args(in %xr = %x : !tile.array<f32, 2, const>, inout %or = %o : !tile.array<f32, 1>) {
    %i = tile.program_id 0
    %f = arith.constant 1.0 : f32
    %xb = tile.slice %xr[element %i, whole] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]>
    %ob = tile.slice %or[element %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, []>
    %t = tile.load %xb : !tile.ref<f32, [?]> -> tensor<?xf32>
    %one = tile.full %f : f32 -> tensor<?xf32>
    %m = tile.gt %t, %one : tensor<?xf32> -> tensor<?xi1>
    %u = tile.load %xb mask %m : tensor<?xi1> other %one : tensor<?xf32> : !tile.ref<f32, [?]> -> tensor<?xf32>
    %s = tile.reduce sum %u [0] : tensor<?xf32> -> tensor<f32>
    %any = tile.reduce any %m [0] : tensor<?xi1> -> tensor<i1>
    tile.store %s, %ob mask %any : tensor<i1> : tensor<f32>, !tile.ref<f32, []>
    tile.yield
  }
  tile.return
}

// An element of a block may be one that the array does not have: then it is not read.
// CHECK-LABEL: tile.kernel @element_0(
// CHECK: %[[B:.*]] = tile.slice %{{.*}} : <f32, [?]> -> <f32, [8?]>
// CHECK: %[[D:.*]] = tile.dim %[[B]], 0
// CHECK: %[[IN:.*]] = arith.cmpi sgt, %[[D]], %c5
// CHECK: %[[FULL:.*]] = tile.full %[[IN]] : i1 -> tensor<i1>
// CHECK: %[[M:.*]] = tile.logical_and %{{.*}}, %[[FULL]] : tensor<i1>
// CHECK: tile.load %{{.*}} mask %[[M]] : tensor<i1> other %{{.*}} : tensor<f32> : <f32, []> -> tensor<f32>
tile.entry @element(%x: !tile.array<f32, 1, const>, %o: !tile.array<f32, 1>, %g: i64) attributes {qualified_name = "element"} {
  tile.launch "element_0" grid(%g) args(in %xr = %x : !tile.array<f32, 1, const>, out %or = %o : !tile.array<f32, 1>) {
    %i = tile.program_id 0
    %c5 = arith.constant 5 : i64
    %true = arith.constant true
    %f = arith.constant 1.0 : f32
    %a = tile.slice %xr[window %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, [8?]>
    %ob = tile.slice %or[element %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, []>
    %m = tile.full %true : i1 -> tensor<8xi1>
    %other = tile.full %f : f32 -> tensor<8xf32>
    %t = tile.load %a mask %m : tensor<8xi1> other %other : tensor<8xf32> : !tile.ref<f32, [8?]> -> tensor<8xf32>
    %e = tile.subtile %t[element %c5] : tensor<8xf32> -> tensor<f32>
    tile.store %e, %ob : tensor<f32>, !tile.ref<f32, []>
    tile.yield
  }
  tile.return
}

// Shares of a large array, with their shares of the mask.
// CHECK-LABEL: tile.kernel @total_0_partial(
// CHECK: tile.load %{{.*}} : <i1,
// CHECK: tile.load %{{.*}} mask %{{.*}} other %{{.*}} : <f32,
tile.entry @total(%x: !tile.array<f32, 1, const>, %w: !tile.array<i1, 1, const>, %o: !tile.array<f32, 0>) attributes {qualified_name = "total"} {
  %n = tile.dim %x, 0 : !tile.array<f32, 1, const>
  %k = tile.dim %w, 0 : !tile.array<i1, 1, const>
  %eq = arith.cmpi eq, %n, %k : i64
  tile.check %eq, "lengths"
  tile.launch "total_0" grid() args(in %xr = %x : !tile.array<f32, 1, const>, in %wr = %w : !tile.array<i1, 1, const>, out %or = %o : !tile.array<f32, 0>) {
    %f = arith.constant 1.0 : f32
    %m = tile.load %wr : !tile.ref<i1, [?]> -> tensor<?xi1>
    %other = tile.full %f : f32 -> tensor<?xf32>
    %t = tile.load %xr mask %m : tensor<?xi1> other %other : tensor<?xf32> : !tile.ref<f32, [?]> -> tensor<?xf32>
    %s = tile.reduce sum %t [0] : tensor<?xf32> -> tensor<f32>
    tile.store %s, %or : tensor<f32>, !tile.ref<f32, []>
    tile.yield
  }
  tile.return
}
