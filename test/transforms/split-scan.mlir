// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long rows are scanned chunk by chunk, short ones at once, and few long ones by many thread groups together.
// RUN: tegula-opt --tile-split=stages=false --canonicalize --cse --split-input-file --verify-diagnostics %s | FileCheck %s

// A chunk goes on from what the one before comes to, in f32.
// CHECK-LABEL: tile.kernel @forward_0_dense(
// CHECK: scf.for %[[AT:.*]] = %{{.*}} iter_args(%[[TOTAL:.*]] = %{{.*}}) -> (tensor<f32>)
// CHECK: %[[X:.*]] = tile.cast %{{.*}} : tensor<4096xf16> -> tensor<4096xf32>
// CHECK: %[[S:.*]] = tile.scan sum %[[X]][0] init(%[[TOTAL]] : tensor<f32>) : tensor<4096xf32> -> tensor<4096xf32>
// CHECK: %[[NEXT:.*]] = tile.scan_total %[[S]] : tensor<4096xf32> -> tensor<f32>
// CHECK: scf.yield %[[NEXT]] : tensor<f32>
// CHECK-LABEL: tile.kernel @forward_0_resident8192_dense(
// CHECK: tile.scan sum %{{.*}}[0] : tensor<8192xf32> -> tensor<8192xf32>
// A thread group scans its part, and looks back.
// CHECK-LABEL: tile.kernel @forward_0_shared_dense(
// CHECK-SAME: %[[STATE:parts]]: !tile.ref<i64, [?], align 16>
// CHECK-SAME: tile.ctas_per_multiprocessor = 4
// CHECK: %[[N:.*]] = tile.thread_group
// CHECK: tile.scan sum %{{.*}}[0] across %[[STATE]] : !tile.ref<i64, [?], align 16> at(%[[N]], %{{.*}}, %{{.*}}) : tensor<16384xf32> -> tensor<16384xf32>
tile.entry @forward(%x: !tile.array<f16, 2, const>, %o: !tile.array<f16, 2>, %g: i64) attributes {qualified_name = "forward"} {
  %d0 = tile.dim %x, 1 : !tile.array<f16, 2, const>
  %d1 = tile.dim %o, 1 : !tile.array<f16, 2>
  %e = arith.cmpi eq, %d0, %d1 : i64
  tile.check %e, "dims differ"
  tile.launch "forward_0" grid(%g) args(in %xr = %x : !tile.array<f16, 2, const>, out %or = %o : !tile.array<f16, 2>) {
    %p = tile.program_id 0
    %xw = tile.slice %xr[element %p, whole] {spec} : !tile.ref<f16, [?, ?]> -> !tile.ref<f16, [?]>
    %ow = tile.slice %or[element %p, whole] {spec} : !tile.ref<f16, [?, ?]> -> !tile.ref<f16, [?]>
    %t = tile.load %xw : !tile.ref<f16, [?]> -> tensor<?xf16>
    %s = tile.scan sum %t[0] : tensor<?xf16> -> tensor<?xf16>
    tile.store %s, %ow : tensor<?xf16>, !tile.ref<f16, [?]>
    tile.yield
  }
  tile.return
}

// -----
// A reversed scan begins at the end, where what lies beyond changes nothing. Where thread groups share rows, numbers
// count from there.
// CHECK-LABEL: tile.kernel @backward_0_dense(
// CHECK: scf.for
// CHECK: tile.where
// CHECK: tile.scan max %{{.*}}[1] reverse init(
// CHECK: scf.for %[[DONE:.*]] = %{{.*}} to %[[END:.*]] step %{{.*}}
// CHECK: arith.subi %{{.*}}, %[[DONE]] : i64
// CHECK-NOT: tile.where
// CHECK: tile.scan max %{{.*}}[1] reverse init(
// CHECK-LABEL: tile.kernel @backward_0_shared_dense(
// CHECK: %[[N:.*]] = tile.thread_group
// CHECK: %[[PART:.*]] = arith.remui %[[N]], %[[PARTS:.*]] : i64
// CHECK: %[[LAST:.*]] = arith.subi %[[PARTS]], %c1_i64 : i64
// CHECK: %[[FROM:.*]] = arith.subi %[[LAST]], %[[PART]] : i64
// CHECK: arith.muli %[[FROM]], %c8192_i64 : i64
tile.entry @backward(%x: !tile.array<i32, 2, const>, %o: !tile.array<i32, 2>) attributes {qualified_name = "backward"} {
  %d0 = tile.dim %x, 1 : !tile.array<i32, 2, const>
  %d1 = tile.dim %o, 1 : !tile.array<i32, 2>
  %e = arith.cmpi eq, %d0, %d1 : i64
  tile.check %e, "dims differ"
  %d2 = tile.dim %x, 0 : !tile.array<i32, 2, const>
  %d3 = tile.dim %o, 0 : !tile.array<i32, 2>
  %f = arith.cmpi eq, %d2, %d3 : i64
  tile.check %f, "dims differ"
  tile.launch "backward_0" grid() args(in %xr = %x : !tile.array<i32, 2, const>, out %or = %o : !tile.array<i32, 2>) {
    %t = tile.load %xr : !tile.ref<i32, [?, ?]> -> tensor<?x?xi32>
    %s = tile.scan max %t[1] reverse : tensor<?x?xi32> -> tensor<?x?xi32>
    tile.store %s, %or : tensor<?x?xi32>, !tile.ref<i32, [?, ?]>
    tile.yield
  }
  tile.return
}

// -----
// Scans in both directions of one store need the row at once.
tile.entry @both(%x: !tile.array<i32, 1>) attributes {qualified_name = "both"} {
  tile.launch "both_0" grid() args(inout %xr = %x : !tile.array<i32, 1>) {
    %t = tile.load %xr : !tile.ref<i32, [?]> -> tensor<?xi32>
    // expected-note @below {{that scan}}
    %s = tile.scan sum %t[0] : tensor<?xi32> -> tensor<?xi32>
    // expected-error @below {{this scan runs along dimension 0, which is too long for registers: it is made chunk by chunk, in order, as it is stored or reduced, and another scan here takes the chunks in the other direction}}
    // expected-note @below {{use static blocks of at most 8192 elements, or store the scan in an earlier launch, and load it}}
    %r = tile.scan sum %t[0] reverse : tensor<?xi32> -> tensor<?xi32>
    %a = tile.add %s, %r : tensor<?xi32>
    tile.store %a, %xr : tensor<?xi32>, !tile.ref<i32, [?]>
    tile.yield
  }
  tile.return
}

// -----
// Sums of sums along both dimensions.
tile.entry @columns_of_rows(%x: !tile.array<i32, 2>) attributes {qualified_name = "columns_of_rows"} {
  tile.launch "columns_of_rows_0" grid() args(inout %xr = %x : !tile.array<i32, 2>) {
    %t = tile.load %xr : !tile.ref<i32, [?, ?]> -> tensor<?x?xi32>
    // expected-note @below {{that scan}}
    %s = tile.scan sum %t[1] : tensor<?x?xi32> -> tensor<?x?xi32>
    // expected-error @below {{it is made chunk by chunk, in order, as it is stored or reduced, and another scan here takes chunks along another dimension}}
    // expected-note @below {{use static blocks of at most 8192 elements, or store the scan in an earlier launch, and load it}}
    %r = tile.scan sum %s[0] : tensor<?x?xi32> -> tensor<?x?xi32>
    tile.store %r, %xr : tensor<?x?xi32>, !tile.ref<i32, [?, ?]>
    tile.yield
  }
  tile.return
}

// -----
// The sums' dimensions in another order.
tile.entry @turned(%x: !tile.array<i32, 2, const>, %o: !tile.array<i32, 2>) attributes {qualified_name = "turned"} {
  %d0 = tile.dim %x, 0 : !tile.array<i32, 2, const>
  %d1 = tile.dim %o, 0 : !tile.array<i32, 2>
  %d2 = tile.dim %o, 1 : !tile.array<i32, 2>
  %e = arith.cmpi eq, %d0, %d1 : i64
  tile.check %e, "dims differ"
  %f = arith.cmpi eq, %d0, %d2 : i64
  tile.check %f, "dims differ"
  %d3 = tile.dim %x, 1 : !tile.array<i32, 2, const>
  %g = arith.cmpi eq, %d0, %d3 : i64
  tile.check %g, "dims differ"
  tile.launch "turned_0" grid() args(in %xr = %x : !tile.array<i32, 2, const>, out %or = %o : !tile.array<i32, 2>) {
    %t = tile.load %xr : !tile.ref<i32, [?, ?]> -> tensor<?x?xi32>
    // expected-error @below {{it is made chunk by chunk, in order, as it is stored or reduced, and it is wanted here in another order}}
    // expected-note @below {{use static blocks of at most 8192 elements, or store the scan in an earlier launch, and load it}}
    %s = tile.scan sum %t[1] : tensor<?x?xi32> -> tensor<?x?xi32>
    // expected-note @below {{its dimensions are permuted here}}
    %p = tile.permute %s [1, 0] : tensor<?x?xi32> -> tensor<?x?xi32>
    %a = tile.add %s, %p : tensor<?x?xi32>
    tile.store %a, %or : tensor<?x?xi32>, !tile.ref<i32, [?, ?]>
    tile.yield
  }
  tile.return
}
