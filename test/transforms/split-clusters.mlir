// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that are too long for one block are register-resident in the blocks of a cluster, where the device has clusters.
// RUN: tegula-opt --tile-split=classes=8.x,9.0a --canonicalize --cse %s | FileCheck %s
// RUN: tegula-opt --tile-split='classes=8.x,9.0a variants=vector,block' %s | FileCheck %s --check-prefix=NONE
// RUN: tegula-opt --tile-split %s | FileCheck %s --check-prefix=NONE
// NONE-NOT: cluster8192

// As many blocks as the row needs.
// CHECK-LABEL: tile.launch "softmax_0"
// CHECK:   %[[IS:.*]] = tile.is_class ["9.0a"]
// CHECK:   scf.if %[[IS]]
// CHECK:   @softmax_0_resident8192_dense
// CHECK:   %[[FITS:.*]] = arith.cmpi sle, %[[N:.*]], %c131072
// CHECK:   %[[MANY:.*]] = arith.cmpi sgt, %[[N]], %c9216
// CHECK:   %[[SERVES:.*]] = arith.andi %[[FITS]], %[[MANY]]
// CHECK:   scf.if %[[SERVES]]
// CHECK:     %[[BLOCKS:.*]] = arith.divsi %{{.*}}, %c8192
// CHECK:     %[[ALL:.*]] = arith.muli %{{.*}}, %[[BLOCKS]]
// CHECK:     tile.launch_kernel @softmax_0_cluster8192_dense blocks(%[[ALL]]) cluster(%[[BLOCKS]])
// CHECK:   @softmax_0_dense
tile.entry @softmax(%x: !tile.array<f32, 2, const>) -> !tile.array<f32, 2> attributes {qualified_name = "softmax"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %n = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %o = tile.empty(%m, %n) : !tile.array<f32, 2>
  tile.launch "softmax_0" grid(%m) args(in %a = %x : !tile.array<f32, 2, const>, out %r = %o : !tile.array<f32, 2>) {
    %i = tile.program_id 0
    %xb = tile.slice %a[element %i, whole] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]>
    %ob = tile.slice %r[element %i, whole] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]>
    %t = tile.load %xb : !tile.ref<f32, [?]> -> tensor<?xf32>
    %max = tile.reduce max %t [0] : tensor<?xf32> -> tensor<f32>
    %b = tile.broadcast %max [] : tensor<f32> -> tensor<?xf32>
    %d = tile.sub %t, %b : tensor<?xf32>
    %e = tile.exp %d : tensor<?xf32>
    %s = tile.reduce sum %e [0] : tensor<?xf32> -> tensor<f32>
    %sb = tile.broadcast %s [] : tensor<f32> -> tensor<?xf32>
    %q = tile.div %e, %sb : tensor<?xf32>
    tile.store %q, %ob : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return %o : !tile.array<f32, 2>
}

// What one block writes, another one would read; what is printed, each would print: no cluster.
// CHECK-LABEL: tile.launch "in_place_0"
// CHECK-NOT: cluster8192
tile.entry @in_place(%x: !tile.array<f32, 2>) attributes {qualified_name = "in_place"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 2>
  tile.launch "in_place_0" grid(%m) args(inout %a = %x : !tile.array<f32, 2>) {
    %i = tile.program_id 0
    %xb = tile.slice %a[element %i, whole] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]>
    %t = tile.load %xb : !tile.ref<f32, [?]> -> tensor<?xf32>
    %max = tile.reduce max %t [0] : tensor<?xf32> -> tensor<f32>
    %b = tile.broadcast %max [] : tensor<f32> -> tensor<?xf32>
    %d = tile.sub %t, %b : tensor<?xf32>
    tile.store %d, %xb : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}

// Each block begins with its own part, and hears of the others where rows are reduced. Rows share nothing: it does one.
// Others, of 1280 threads in all, go on while it waits.
// CHECK-LABEL: tile.kernel @softmax_0_cluster8192_dense(
// CHECK-SAME: threads = 256 : i64, tile.ctas_per_multiprocessor = 5 : i64
// CHECK-NOT: scf.for
// CHECK: %[[MINE:.*]] = arith.subi
// CHECK: tile.reduce max %{{.*}} [0] extents(%[[MINE]]) cluster
// CHECK: tile.reduce sum %{{.*}} [0] extents(%[[MINE]]) cluster
