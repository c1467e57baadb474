// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop does in its last step alone stands behind it.
// RUN: tegula-opt --tile-sink-last-step %s | FileCheck %s
tile.entry @f(%x: !tile.array<f32, 2>, %o: !tile.array<f32, 1>, %p: !tile.array<f32, 1>, %n: i64) attributes {qualified_name = "f"} {
  // An output, which is undefined where no step stores to it: without a condition.
  // CHECK-LABEL: tile.launch "sum"
  // CHECK: %[[SUM:.*]] = scf.for
  // CHECK-NOT: scf.if
  // CHECK: scf.yield
  // CHECK: }
  // CHECK-NEXT: tile.store %[[SUM]]
  tile.launch "sum" grid() args(in %a = %x : !tile.array<f32, 2>, out %b = %o : !tile.array<f32, 1>, scalar %count = %n : i64) {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %zero = arith.constant 0.0 : f32
    %last = arith.subi %count, %c1 : i64
    %begin = tile.full %zero : f32 -> tensor<64xf32>
    %all = tile.slice %b[window %c0] : <f32, [?]> -> <f32, [64?]>
    %r = scf.for %k = %c0 to %count step %c1 iter_args(%sum = %begin) -> (tensor<64xf32>) : i64 {
      %row = tile.slice %a[element %k, window %c0] : <f32, [?, ?]> -> <f32, [64?]>
      %t = tile.load %row : <f32, [64?]> -> tensor<64xf32>
      %next = tile.add %sum, %t : tensor<64xf32>
      %is = arith.cmpi eq, %k, %last : i64
      scf.if %is {
        tile.store %next, %all : tensor<64xf32>, <f32, [64?]>
      }
      scf.yield %next : tensor<64xf32>
    }
    tile.yield
  }
  // What held something before keeps it, if there is no step. Where the program is in its last step is known, too.
  // CHECK-LABEL: tile.launch "kept"
  // CHECK: scf.for
  // CHECK: }
  // CHECK: %[[ANY:.*]] = arith.cmpi slt, %{{.*}}, %[[COUNT:.*]] : i64
  // CHECK: scf.if %[[ANY]]
  // CHECK: %[[INDEX:.*]] = arith.subi %[[COUNT]], %
  // CHECK: tile.slice %{{.*}}[window %[[INDEX]]]
  // CHECK: tile.store
  tile.launch "kept" grid() args(in %a = %x : !tile.array<f32, 2>, inout %b = %p : !tile.array<f32, 1>, scalar %count = %n : i64) {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %zero = arith.constant 0.0 : f32
    %last = arith.subi %count, %c1 : i64
    %begin = tile.full %zero : f32 -> tensor<64xf32>
    %r = scf.for %k = %c0 to %count step %c1 iter_args(%sum = %begin) -> (tensor<64xf32>) : i64 {
      %row = tile.slice %a[element %k, window %c0] : <f32, [?, ?]> -> <f32, [64?]>
      %t = tile.load %row : <f32, [64?]> -> tensor<64xf32>
      %next = tile.add %sum, %t : tensor<64xf32>
      %is = arith.cmpi eq, %k, %last : i64
      scf.if %is {
        %place = tile.slice %b[window %k] : <f32, [?]> -> <f32, [64?]>
        tile.store %next, %place : tensor<64xf32>, <f32, [64?]>
      }
      scf.yield %next : tensor<64xf32>
    }
    tile.yield
  }
  // A tile that is known in the last step alone stays there.
  // CHECK-LABEL: tile.launch "inside"
  // CHECK: scf.for
  // CHECK: scf.if
  tile.launch "inside" grid() args(in %a = %x : !tile.array<f32, 2>, out %b = %o : !tile.array<f32, 1>, scalar %count = %n : i64) {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %last = arith.subi %count, %c1 : i64
    %all = tile.slice %b[window %c0] : <f32, [?]> -> <f32, [64?]>
    scf.for %k = %c0 to %count step %c1 : i64 {
      %row = tile.slice %a[element %k, window %c0] : <f32, [?, ?]> -> <f32, [64?]>
      %t = tile.load %row : <f32, [64?]> -> tensor<64xf32>
      %is = arith.cmpi eq, %k, %last : i64
      scf.if %is {
        tile.store %t, %all : tensor<64xf32>, <f32, [64?]>
      }
    }
    tile.yield
  }
  tile.return
}
