// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sides of products, their depth and columns that are no powers of two: layouts repeat along them.
// RUN: tegula-opt --tile-split='product-side=96 product-depth=24 columns=24' --canonicalize --cse %s | FileCheck %s
// RUN: tegula-opt --tile-split --canonicalize --cse %s | FileCheck %s --check-prefix=STATIC
// RUN: tegula-opt --tile-split='product-side=96 product-depth=24 columns=24' --tile-mask-extents --tile-assign-layouts \
// RUN:   %s | FileCheck %s --check-prefix=LAYOUT

// RUN: not tegula-opt --tile-split=product-side=1 %s 2>&1 | FileCheck %s --check-prefix=SIDE
// RUN: not tegula-opt --tile-split=product-depth=0 %s 2>&1 | FileCheck %s --check-prefix=DEPTH
// RUN: not tegula-opt --tile-split=threads=48 %s 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not tegula-opt --tile-split=most-per-thread=5 %s 2>&1 | FileCheck %s --check-prefix=MOST
// SIDE: error: tile-split takes 2 or more for product-side, not 1
// DEPTH: error: tile-split takes 1 or more for product-depth, not 0
// THREADS: error: tile-split takes a power of two from 32 to 1024 for threads, not 48
// MOST: error: tile-split takes a power of two, or 0 for most-per-thread, not 5

// CHECK-LABEL: tile.kernel @product_0(
// CHECK: %[[K:.*]] = tile.dim %{{.*}}, 1
// CHECK: scf.for %[[AT:.*]] = %{{.*}} to %[[K]] step %c24_i64 {{.*}} -> (tensor<96x96xf32>)
// CHECK:   %[[LEFT:.*]] = arith.subi %[[K]], %[[AT]]
// CHECK:   tile.dot %{{.*}}, %{{.*}} extent(%[[LEFT]]) acc {{.*}} : tensor<96x24xf32>, tensor<24x96xf32>
// LAYOUT-LABEL: tile.kernel @product_0(
// LAYOUT: tile.dot {{.*}} -> tensor<96x96xf32, #tile.layout<blocked<[1, 4], lanes [4, 8], warps [8, 1]>>>
tile.entry @product(%x: !tile.array<f32, 2, const>, %y: !tile.array<f32, 2, const>, %z: !tile.array<f32, 2>) attributes {qualified_name = "product"} {
  tile.launch "product_0" grid() args(in %a = %x : !tile.array<f32, 2, const>, in %b = %y : !tile.array<f32, 2, const>, out %c = %z : !tile.array<f32, 2>) {
    %s = tile.load %a : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %t = tile.load %b : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %d = tile.dot %s, %t : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
    tile.store %d, %c : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}

// Chunks of columns: a power of two of rows at a time, full ones and the rest.
// CHECK-LABEL: tile.kernel @columns_0_dense(
// CHECK: scf.for {{.*}} step %c128_i64 {{.*}} -> (tensor<32x24xf32>)
// CHECK: tile.reduce sum %{{.*}} [0] : tensor<32x24xf32> -> tensor<24xf32>
tile.entry @columns(%x: !tile.array<f32, 2, const>, %z: !tile.array<f32, 1>) attributes {qualified_name = "columns"} {
  tile.launch "columns_0" grid() args(in %a = %x : !tile.array<f32, 2, const>, out %c = %z : !tile.array<f32, 1>) {
    %s = tile.load %a : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %r = tile.reduce sum %s [0] : tensor<?x?xf32> -> tensor<?xf32>
    tile.store %r, %c : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}

// Static sides: 72 rows and 96 columns take 96 each, 120 rows 128.
// STATIC-LABEL: tile.kernel @sides_0(
// STATIC: tile.dot {{.*}} : tensor<96x16xf32>, tensor<16x96xf32> -> tensor<96x96xf32>
// STATIC: tile.dot {{.*}} : tensor<128x16xf32>, tensor<16x96xf32> -> tensor<128x96xf32>
tile.entry @sides(%x: !tile.array<f32, 2, const>, %y: !tile.array<f32, 2, const>, %z: !tile.array<f32, 2>, %w: !tile.array<f32, 2>) attributes {qualified_name = "sides"} {
  tile.launch "sides_0" grid() args(in %a = %x : !tile.array<f32, 2, const>, in %b = %y : !tile.array<f32, 2, const>, out %c = %z : !tile.array<f32, 2>, out %o = %w : !tile.array<f32, 2>) {
    %0 = arith.constant 0 : i64
    %k = tile.dim %a, 1 : !tile.ref<f32, [?, ?]>
    %rows = tile.slice %a[window %0, whole] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [72?, ?]>
    %more = tile.slice %a[window %0, whole] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [120?, ?]>
    %columns = tile.slice %b[whole, window %0] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?, 96?]>
    %to = tile.slice %c[window %0, window %0] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [72?, 96?]>
    %too = tile.slice %o[window %0, window %0] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [120?, 96?]>
    %s = tile.load %rows : !tile.ref<f32, [72?, ?]> -> tensor<72x?xf32>
    %m = tile.load %more : !tile.ref<f32, [120?, ?]> -> tensor<120x?xf32>
    %t = tile.load %columns : !tile.ref<f32, [?, 96?]> -> tensor<?x96xf32>
    %d = tile.dot %s, %t : tensor<72x?xf32>, tensor<?x96xf32> -> tensor<72x96xf32>
    %e = tile.dot %m, %t : tensor<120x?xf32>, tensor<?x96xf32> -> tensor<120x96xf32>
    tile.store %d, %to : tensor<72x96xf32>, !tile.ref<f32, [72?, 96?]>
    tile.store %e, %too : tensor<120x96xf32>, !tile.ref<f32, [120?, 96?]>
    tile.yield
  }
  tile.return
}
