// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers, scatters, atomic updates and elements of tiles at indices: both textual forms are read back as the same.
// RUN: tegula-opt %s > %t.pretty
// RUN: tegula-opt %t.pretty | diff %t.pretty -
// RUN: tegula-opt --mlir-print-op-generic %s | tegula-opt | diff %t.pretty -
// RUN: FileCheck %s < %t.pretty

// CHECK-LABEL: tile.kernel @all
tile.kernel @all(%x: !tile.ref<f32, [?, 64, 8?]>, %n: !tile.ref<i64, [16]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %i = tile.iota 0 : tensor<4x2xi32>
  %j = tile.iota 1 : tensor<4x2xui64>
  %f = arith.constant 1.0 : f32
  %true = arith.constant true
  // CHECK: tile.gather %{{.*}}[%{{.*}}, %{{.*}} : tensor<4x2xi32>, tensor<4x2xui64>] [0, 2] at 0 : <f32, [?, 64, 8?]> -> tensor<4x2x64xf32>
  %0 = tile.gather %x[%i, %j : tensor<4x2xi32>, tensor<4x2xui64>] [0, 2] at 0 : !tile.ref<f32, [?, 64, 8?]> -> tensor<4x2x64xf32>
  %m = tile.full %true : i1 -> tensor<64x4x2x8xi1>
  %o = tile.full %f : f32 -> tensor<64x4x2x8xf32>
  // CHECK: tile.gather %{{.*}}[%{{.*}} : tensor<4x2xi32>] [0] at 1 guarded mask %{{.*}} : tensor<64x4x2x8xi1> other %{{.*}} : tensor<64x4x2x8xf32> : <f32, [?, 64, 8?]> -> tensor<64x4x2x8xf32>
  %1 = tile.gather %x[%i : tensor<4x2xi32>] [0] at 1 guarded mask %m : tensor<64x4x2x8xi1> other %o : tensor<64x4x2x8xf32> : !tile.ref<f32, [?, 64, 8?]> -> tensor<64x4x2x8xf32>
  // CHECK: tile.scatter %{{.*}}, %{{.*}}[%{{.*}} : tensor<4x2xi32>] [0] at 1 mask %{{.*}} : tensor<64x4x2x8xi1> : tensor<64x4x2x8xf32>, <f32, [?, 64, 8?]>
  tile.scatter %1, %x[%i : tensor<4x2xi32>] [0] at 1 mask %m : tensor<64x4x2x8xi1> : tensor<64x4x2x8xf32>, !tile.ref<f32, [?, 64, 8?]>
  // CHECK: tile.take %{{.*}}[%{{.*}} : tensor<4x2xui64>] [2] at 0 : tensor<4x2x64xf32> -> tensor<4x2x4x2xf32>
  %2 = tile.take %0[%j : tensor<4x2xui64>] [2] at 0 : tensor<4x2x64xf32> -> tensor<4x2x4x2xf32>
  // CHECK: tile.atomic add %{{.*}}, %{{.*}} indices(%{{.*}}, %{{.*}} : tensor<4x2xi32>, tensor<4x2xui64>) [0, 2] at 0 : tensor<4x2x64xf32>, <f32, [?, 64, 8?]>
  %3 = tile.atomic add %0, %x indices(%i, %j : tensor<4x2xi32>, tensor<4x2xui64>) [0, 2] at 0 : tensor<4x2x64xf32>, !tile.ref<f32, [?, 64, 8?]>
  %c = tile.iota 0 : tensor<16xi64>
  %w = tile.full %true : i1 -> tensor<16xi1>
  // CHECK: tile.atomic cas %{{.*}}, %{{.*}} [] at 0 compare %{{.*}} : tensor<16xi64> mask %{{.*}} : tensor<16xi1> order acq_rel scope sys : tensor<16xi64>, <i64, [16]>
  %4 = tile.atomic cas %c, %n [] at 0 compare %c : tensor<16xi64> mask %w : tensor<16xi1> order acq_rel scope sys : tensor<16xi64>, !tile.ref<i64, [16]>
  // CHECK: tile.private_open add %{{.*}} in 1024 : <i64, [16]>
  tile.private_open add %n in 1024 : !tile.ref<i64, [16]>
  // CHECK: tile.atomic add %{{.*}}, %{{.*}} indices(%{{.*}} : tensor<16xi64>) [0] at 0 privately mask %{{.*}} : tensor<16xi1> : tensor<16xi64>, <i64, [16]>
  %5 = tile.atomic add %c, %n indices(%c : tensor<16xi64>) [0] at 0 privately mask %w : tensor<16xi1> : tensor<16xi64>, !tile.ref<i64, [16]>
  // CHECK: tile.private_flush add %{{.*}} : <i64, [16]>
  tile.private_flush add %n : !tile.ref<i64, [16]>
  tile.return
}
