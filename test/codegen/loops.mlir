// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops stay loops: neither LLVM nor ptxas unrolls them.
// RUN: tegulac --arch sm_90a --emit ptx %s | FileCheck %s

// CHECK-LABEL: .entry loop(
// CHECK: .pragma "nounroll";
// CHECK-COUNT-1: add.rn.f32
// CHECK-NOT: add.rn.f32
// CHECK: ret
tile.kernel @loop(%x: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 4 : i64
  %0 = tile.load %x : !tile.ref<f32, [32]> -> tensor<32xf32>
  %1 = scf.for %i = %zero to %n step %one iter_args(%v = %0) -> (tensor<32xf32>) : i64 {
    %2 = tile.add %v, %v : tensor<32xf32>
    scf.yield %2 : tensor<32xf32>
  }
  tile.store %1, %x : tensor<32xf32>, !tile.ref<f32, [32]>
  tile.return
}
