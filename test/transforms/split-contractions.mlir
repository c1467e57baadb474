// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How programs with reductions and products are cut: parallel, register-resident and sequential dimensions.
// RUN: tegula-opt --tile-split --canonicalize --cse %s | FileCheck %s

// A row of run-time length, used three times: short ones are register-resident in a warp or a block, longer ones are sequential.
// Only dense arrays with rows of whole vectors get that much code.
// CHECK-LABEL: tile.launch "softmax_0"
// CHECK: plan (%[[G:.*]], %[[X:.*]], %[[O:.*]]) {
// CHECK:   %[[DENSE:.*]] = tile.dense 16, %[[X]], %[[O]]
// CHECK:   %[[N:.*]] = tile.dim %[[X]], 1
// CHECK:   %[[ODD:.*]] = arith.andi %[[N]], %c3
// CHECK:   %[[EVEN:.*]] = arith.cmpi eq, %[[ODD]], %c0
// CHECK:   %[[VECTORS:.*]] = arith.andi %[[DENSE]], %[[EVEN]]
// CHECK:   scf.if %[[VECTORS]]
// CHECK:   arith.cmpi sle, %[[N]], %c1024
// CHECK:   @softmax_0_resident1024_dense
// CHECK:   arith.cmpi sle, %[[N]], %c8192
// CHECK:   @softmax_0_resident8192_dense blocks(%[[G]])
// CHECK:   @softmax_0_dense blocks(%[[G]])
// CHECK:   @softmax_0 blocks(%[[G]])
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

// One program over all of an array: its columns are parallel, its rows sequential. (Long ones: split-two-pass.mlir.)
// CHECK-LABEL: tile.launch "columns_0"
// CHECK: @columns_0_wide_dense
// CHECK: @columns_0_partial
// CHECK: @columns_0_narrow
// CHECK: else
// CHECK: %[[COLUMNS:.*]] = tile.dim %{{.*}}, 0
// CHECK: %[[UP:.*]] = arith.addi %[[COLUMNS]], %c31
// CHECK: arith.divsi %[[UP]], %c32
tile.entry @columns(%x: !tile.array<f32, 2, const>) -> !tile.array<f32, 1> attributes {qualified_name = "columns"} {
  %n = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %o = tile.empty(%n) : !tile.array<f32, 1>
  tile.launch "columns_0" grid() args(in %a = %x : !tile.array<f32, 2, const>, out %r = %o : !tile.array<f32, 1>) {
    %t = tile.load %a : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %s = tile.reduce sum %t [0] : tensor<?x?xf32> -> tensor<?xf32>
    tile.store %s, %r : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return %o : !tile.array<f32, 1>
}

// A product is parallel along its sides and sequential along what is summed over; few thread groups take smaller sub-tiles.
// CHECK-LABEL: tile.launch "product_0"
// CHECK: plan
// CHECK:   %[[FEW:.*]] = arith.cmpi slt, %{{.*}}, %c256
// CHECK:   scf.if %[[FEW]] {
// CHECK:     @product_0_small_dense
// CHECK:   @product_0_dense
tile.entry @product(%x: !tile.array<f32, 2, const>, %y: !tile.array<f32, 2, const>) -> !tile.array<f32, 2> attributes {qualified_name = "product"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %k = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %k2 = tile.dim %y, 0 : !tile.array<f32, 2, const>
  %n = tile.dim %y, 1 : !tile.array<f32, 2, const>
  %same = arith.cmpi eq, %k, %k2 : i64
  tile.check %same, "the inner dimensions differ"
  %o = tile.empty(%m, %n) : !tile.array<f32, 2>
  tile.launch "product_0" grid() args(in %a = %x : !tile.array<f32, 2, const>, in %b = %y : !tile.array<f32, 2, const>, out %r = %o : !tile.array<f32, 2>) {
    %t = tile.load %a : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %u = tile.load %b : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %p = tile.dot %t, %u : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
    tile.store %p, %r : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return %o : !tile.array<f32, 2>
}

// A number made of all of an array: partial results first, then the program, which combines them, 1024 at the most.
// CHECK-LABEL: tile.launch "total_0"
// CHECK: plan (%[[X:.*]], %[[O:.*]]) {
// CHECK:   %[[LENGTH:.*]] = tile.dim %[[X]], 0
// CHECK:   arith.cmpi sge, %[[LENGTH]], %c65536
// CHECK:   %[[PARTIALS:.*]] = tile.empty(%{{.*}}) : <f32, 1>
// CHECK:   @total_0_partial_dense {{.*}} (%[[X]], %{{.*}}, %[[PARTIALS]])
// CHECK:   @total_0_finish {{.*}} (%[[O]], %[[PARTIALS]], %c1_i64)
// CHECK: else
// CHECK:   @total_0_dense blocks(%c1_i64) (%[[X]], %[[O]])
tile.entry @total(%x: !tile.array<bf16, 1, const>) -> !tile.array<bf16, 0> attributes {qualified_name = "total"} {
  %o = tile.empty() : !tile.array<bf16, 0>
  tile.launch "total_0" grid() args(in %a = %x : !tile.array<bf16, 1, const>, out %r = %o : !tile.array<bf16, 0>) {
    %t = tile.load %a : !tile.ref<bf16, [?]> -> tensor<?xbf16>
    %s = tile.reduce sum %t [0] : tensor<?xbf16> -> tensor<bf16>
    tile.store %s, %r : tensor<bf16>, !tile.ref<bf16, []>
    tile.yield
  }
  tile.return %o : !tile.array<bf16, 0>
}

// In place: all that reads a row comes before what writes it, and each chunk is read before it is written.
// CHECK-LABEL: tile.launch "in_place_0"
tile.entry @in_place(%x: !tile.array<f32, 2>) attributes {qualified_name = "in_place"} {
  tile.launch "in_place_0" grid() args(inout %r = %x : !tile.array<f32, 2>) {
    %t = tile.load %r : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %s = tile.reduce sum %t [1] : tensor<?x?xf32> -> tensor<?xf32>
    %b = tile.broadcast %s [0] : tensor<?xf32> -> tensor<?x?xf32>
    %q = tile.div %t, %b : tensor<?x?xf32>
    tile.store %q, %r : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}

// A reduction says how much of what is held is there; masks come later (mask-extents.mlir).
// CHECK-LABEL: tile.kernel @softmax_0_resident1024_dense(
// CHECK-SAME: group = 32
// CHECK: tile.load {{.*}} : <f32, [1024?], align 16 even> -> tensor<1024xf32>
// CHECK: %[[N:.*]] = tile.dim %{{.*}}, 1
// CHECK-NOT: tile.where
// CHECK: tile.reduce max %{{.*}} [0] extents(%[[N]])
// CHECK-NOT: tile.where
// CHECK: tile.reduce sum %{{.*}} [0] extents(%[[N]])
// CHECK-NOT: tile.where
// CHECK-LABEL: tile.kernel @softmax_0_resident8192_dense(
// CHECK-SAME: group = 256

// Gone through: every thread combines what it meets, and the thread group once at the end.
// CHECK-LABEL: tile.kernel @columns_0_dense(
// CHECK: scf.for {{.*}} step %c128_i64 {{.*}} -> (tensor<32x32xf32>)
// CHECK-COUNT-4: tile.load {{.*}} : <f32, [32, 32], align 16 even> -> tensor<32x32xf32>
// CHECK: %[[ALL:.*]] = scf.for {{.*}} step %c32_i64 {{.*}} -> (tensor<32x32xf32>)
// CHECK:   tile.where
// CHECK: tile.reduce sum %[[ALL]] [0] : tensor<32x32xf32> -> tensor<32xf32>

// CHECK-LABEL: tile.kernel @product_0_dense(
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<128x128xf32>)
// CHECK:   %[[LEFT:.*]] = arith.subi
// CHECK-NOT: tile.where
// CHECK:   tile.dot %{{.*}}, %{{.*}} extent(%[[LEFT]]) acc %[[ACC]] : {{.*}} : tensor<128x16xf32>, tensor<16x128xf32> -> tensor<128x128xf32>
// CHECK-NOT: tile.dot
// CHECK-LABEL: tile.kernel @product_0(
// CHECK-LABEL: tile.kernel @product_0_small_dense(
// CHECK: tile.dot {{.*}} : tensor<64x16xf32>, tensor<16x64xf32> -> tensor<64x64xf32>

// Partial sums of bf16 stay in f32.
// CHECK-LABEL: tile.kernel @total_0_partial_dense(
// CHECK: tile.reduce sum %{{.*}} [0] : tensor<{{.*}}xf32> -> tensor<f32>
// CHECK-NOT: bf16>
// CHECK: tile.store %{{.*}} : tensor<f32>, <f32, []

// CHECK-LABEL: tile.kernel @in_place_0_dense(
// CHECK: tile.load
// CHECK: tile.reduce sum
// CHECK: scf.for
// CHECK:   tile.load
// CHECK:   tile.store
