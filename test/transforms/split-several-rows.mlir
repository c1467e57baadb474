// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread group that holds rows of several arrays says how many CTAs a multiprocessor is to hold; what is the same for
// all programs, one row alone, and rows of 64 bits, which fill registers, say nothing.
// RUN: tegula-opt --tile-split --split-input-file %s | FileCheck %s

// CHECK-DAG: tile.kernel @two_0_resident1024_dense{{.*}}tile.ctas_per_multiprocessor = 4 : i64
// CHECK-DAG: tile.kernel @two_0_resident4096_dense{{.*}}tile.ctas_per_multiprocessor = 4 : i64
// CHECK-DAG: tile.kernel @two_0_resident8192_dense{{.*}}tile.ctas_per_multiprocessor = 4 : i64
// CHECK-NOT: tile.kernel @two_0_dense{{.*}}tile.ctas_per_multiprocessor
tile.entry @two(%x: !tile.array<f32, 2, const>, %y: !tile.array<f32, 2, const>, %o: !tile.array<f32, 2>) attributes {qualified_name = "two"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %n = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %yn = tile.dim %y, 1 : !tile.array<f32, 2, const>
  %on = tile.dim %o, 1 : !tile.array<f32, 2>
  %same = arith.cmpi eq, %n, %yn : i64
  tile.check %same, "x and y differ in length"
  %fits = arith.cmpi eq, %n, %on : i64
  tile.check %fits, "x and o differ in length"
  tile.launch "two_0" grid(%m) args(in %a = %x : !tile.array<f32, 2, const>, in %b = %y : !tile.array<f32, 2, const>, out %r = %o : !tile.array<f32, 2>) {
    %i = tile.program_id 0
    %xb = tile.slice %a[element %i, whole] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]>
    %yb = tile.slice %b[element %i, whole] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]>
    %ob = tile.slice %r[element %i, whole] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]>
    %t = tile.load %xb : !tile.ref<f32, [?]> -> tensor<?xf32>
    %u = tile.load %yb : !tile.ref<f32, [?]> -> tensor<?xf32>
    %p = tile.mul %t, %u : tensor<?xf32>
    %s = tile.reduce sum %p [0] : tensor<?xf32> -> tensor<f32>
    %c = tile.broadcast %s [] : tensor<f32> -> tensor<?xf32>
    %d = tile.mul %u, %c : tensor<?xf32>
    %q = tile.sub %t, %d : tensor<?xf32>
    tile.store %q, %ob : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}

// -----

// CHECK-LABEL: tile.entry @one(
// CHECK-NOT: tile.kernel @one_0_resident{{.*}}tile.ctas_per_multiprocessor
tile.entry @one(%x: !tile.array<f32, 2, const>, %w: !tile.array<f32, 1, const>, %o: !tile.array<f32, 2>) attributes {qualified_name = "one"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %n = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %wn = tile.dim %w, 0 : !tile.array<f32, 1, const>
  %on = tile.dim %o, 1 : !tile.array<f32, 2>
  %same = arith.cmpi eq, %n, %wn : i64
  tile.check %same, "x and w differ in length"
  %fits = arith.cmpi eq, %n, %on : i64
  tile.check %fits, "x and o differ in length"
  tile.launch "one_0" grid(%m) args(in %a = %x : !tile.array<f32, 2, const>, in %b = %w : !tile.array<f32, 1, const>, out %r = %o : !tile.array<f32, 2>) {
    %i = tile.program_id 0
    %xb = tile.slice %a[element %i, whole] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]>
    %ob = tile.slice %r[element %i, whole] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]>
    %t = tile.load %xb : !tile.ref<f32, [?]> -> tensor<?xf32>
    %u = tile.load %b : !tile.ref<f32, [?]> -> tensor<?xf32>
    %s = tile.reduce sum %t [0] : tensor<?xf32> -> tensor<f32>
    %c = tile.broadcast %s [] : tensor<f32> -> tensor<?xf32>
    %d = tile.mul %u, %c : tensor<?xf32>
    %q = tile.sub %t, %d : tensor<?xf32>
    tile.store %q, %ob : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}

// -----

// CHECK-LABEL: tile.entry @of_doubles(
// CHECK-NOT: tile.kernel @of_doubles_0_resident{{.*}}tile.ctas_per_multiprocessor
tile.entry @of_doubles(%x: !tile.array<f64, 2, const>, %y: !tile.array<f64, 2, const>, %o: !tile.array<f64, 2>) attributes {qualified_name = "of_doubles"} {
  %m = tile.dim %x, 0 : !tile.array<f64, 2, const>
  %n = tile.dim %x, 1 : !tile.array<f64, 2, const>
  %yn = tile.dim %y, 1 : !tile.array<f64, 2, const>
  %on = tile.dim %o, 1 : !tile.array<f64, 2>
  %same = arith.cmpi eq, %n, %yn : i64
  tile.check %same, "x and y differ in length"
  %fits = arith.cmpi eq, %n, %on : i64
  tile.check %fits, "x and o differ in length"
  tile.launch "of_doubles_0" grid(%m) args(in %a = %x : !tile.array<f64, 2, const>, in %b = %y : !tile.array<f64, 2, const>, out %r = %o : !tile.array<f64, 2>) {
    %i = tile.program_id 0
    %xb = tile.slice %a[element %i, whole] {spec} : !tile.ref<f64, [?, ?]> -> !tile.ref<f64, [?]>
    %yb = tile.slice %b[element %i, whole] {spec} : !tile.ref<f64, [?, ?]> -> !tile.ref<f64, [?]>
    %ob = tile.slice %r[element %i, whole] {spec} : !tile.ref<f64, [?, ?]> -> !tile.ref<f64, [?]>
    %t = tile.load %xb : !tile.ref<f64, [?]> -> tensor<?xf64>
    %u = tile.load %yb : !tile.ref<f64, [?]> -> tensor<?xf64>
    %s = tile.reduce sum %t [0] : tensor<?xf64> -> tensor<f64>
    %c = tile.broadcast %s [] : tensor<f64> -> tensor<?xf64>
    %q = tile.sub %u, %c : tensor<?xf64>
    tile.store %q, %ob : tensor<?xf64>, !tile.ref<f64, [?]>
    tile.yield
  }
  tile.return
}
