// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt --tile-unroll-loops --canonicalize %s | FileCheck %s
// Short loops that load tiles become their steps; the others stay.
tile.entry @loops(%x: !tile.array<f32, 1, const>, %o: !tile.array<f32, 1>, %n: i64) attributes {qualified_name = "loops"} {
  tile.launch "loops_0" grid() args(in %xr = %x : !tile.array<f32, 1, const>, out %or = %o : !tile.array<f32, 1>, scalar %nr = %n : i64) {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c3 = arith.constant 3 : i64
    %c9 = arith.constant 9 : i64
    %i0 = arith.constant 0 : i32
    %i2 = arith.constant 2 : i32
    %i6 = arith.constant 6 : i32
    %zero = arith.constant 0.0 : f32
    %none = tile.full %zero : f32 -> tensor<64xf32>
    // Counters of any width, steps of more than one: elements 0, 2 and 4 on.
    // CHECK: tile.launch "loops_0"
    // CHECK-NOT: scf.for
    // CHECK: tile.slice %{{.*}}[window %c0_i64]
    // CHECK: tile.slice %{{.*}}[window %c2_i64]
    // CHECK: tile.slice %{{.*}}[window %c4_i64]
    %a = scf.for %i = %i0 to %i6 step %i2 iter_args(%sum = %none) -> (tensor<64xf32>) : i32 {
      %at = arith.extsi %i : i32 to i64
      %w = tile.slice %xr[window %at] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
      %t = tile.load %w : !tile.ref<f32, [64]> -> tensor<64xf32>
      %next = tile.add %sum, %t : tensor<64xf32>
      scf.yield %next : tensor<64xf32>
    }
    // Nine steps, a number of steps that is not known, and steps that load no tile.
    // CHECK-COUNT-3: scf.for
    // CHECK-NOT: scf.for
    %b = scf.for %i = %c0 to %c9 step %c1 iter_args(%sum = %a) -> (tensor<64xf32>) : i64 {
      %w = tile.slice %xr[window %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
      %t = tile.load %w : !tile.ref<f32, [64]> -> tensor<64xf32>
      %next = tile.add %sum, %t : tensor<64xf32>
      scf.yield %next : tensor<64xf32>
    }
    %c = scf.for %i = %c0 to %nr step %c1 iter_args(%sum = %b) -> (tensor<64xf32>) : i64 {
      %w = tile.slice %xr[window %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
      %t = tile.load %w : !tile.ref<f32, [64]> -> tensor<64xf32>
      %next = tile.add %sum, %t : tensor<64xf32>
      scf.yield %next : tensor<64xf32>
    }
    %d = scf.for %i = %c0 to %c3 step %c1 iter_args(%sum = %c) -> (tensor<64xf32>) : i64 {
      %next = tile.add %sum, %sum : tensor<64xf32>
      scf.yield %next : tensor<64xf32>
    }
    %w = tile.slice %or[window %c0] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
    tile.store %d, %w : tensor<64xf32>, !tile.ref<f32, [64]>
    tile.yield
  }
  tile.return
}
