// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tile-assign-layouts 2>&1 | FileCheck %s --implicit-check-not=layout_cast --implicit-check-not=print_layout
// Layouts that are asked for: where nothing else is known they hold for what they are asked of, too.

// The load has it; constants are none of the other uses' business.
// CHECK-LABEL: tile.kernel @asked
// CHECK: tile.load {{.*}} -> tensor<64x64xf32, #tile.layout<wgmma>>
// CHECK-DAG: tile.full {{.*}} -> tensor<64x64xf32, #tile.layout<wgmma>>
// CHECK-DAG: tile.full {{.*}} -> tensor<64x64xf32, #tile.layout<blocked<
// CHECK: tile.add {{.*}} : tensor<64x64xf32, #tile.layout<wgmma>>
// The second layout is another one: it takes a relayout.
// CHECK: tile.relayout {{.*}} : tensor<64x64xf32, #tile.layout<wgmma>> -> tensor<64x64xf32, #tile.layout<blocked<[1, 2], lanes [1, 32], warps [4, 1]>>>
tile.kernel @asked(%x: !tile.ref<f32, [64, 64]>, %o: !tile.ref<f32, [64, 64]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %c = arith.constant 1.0 : f32
  %0 = tile.load %x : !tile.ref<f32, [64, 64]> -> tensor<64x64xf32>
  %1 = tile.layout_cast %0 <wgmma> : tensor<64x64xf32>
  %one = tile.full %c : f32 -> tensor<64x64xf32>
  %2 = tile.add %1, %one : tensor<64x64xf32>
  %3 = tile.layout_cast %2 <blocked<[1, 2], lanes [1, 32], warps [4, 1]>> : tensor<64x64xf32>
  %4 = tile.add %3, %one : tensor<64x64xf32>
  tile.store %4, %o : tensor<64x64xf32>, !tile.ref<f32, [64, 64]>
  tile.return
}

// A left factor of 8 bits that is asked for in another layout is moved for the product.
// CHECK-LABEL: tile.kernel @factor
// CHECK: %[[A:.*]] = tile.load {{.*}} -> tensor<64x32xi8, #tile.layout<blocked<
// CHECK: %[[MOVED:.*]] = tile.relayout %[[A]] {{.*}} -> tensor<64x32xi8, #tile.layout<linear<register [(0, 1), (0, 2), (8, 0), (0, 16)], lane [(0, 4), (0, 8), (1, 0), (2, 0), (4, 0)], warp [(16, 0), (32, 0)] -> (d0 64, d1 32)>>>
// CHECK: tile.wgmma %{{.*}}, %[[MOVED]], %
tile.kernel @factor(%o: !tile.ref<i32, [64, 8]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %a = tile.alloc at 0 : !tile.ref<i8, [64, 32], smem swizzle 32>
  %b = tile.alloc at 2048 : !tile.ref<i8, [32, 8], smem swizzle 32>
  %z = arith.constant 0 : i32
  %0 = tile.load %a : !tile.ref<i8, [64, 32], smem swizzle 32> -> tensor<64x32xi8>
  %1 = tile.layout_cast %0 <blocked<[1, 16], lanes [16, 2], warps [4, 1]>> : tensor<64x32xi8>
  %sum = tile.full %z : i32 -> tensor<64x8xi32>
  %2 = tile.wgmma %sum, %1, %b : tensor<64x32xi8>, !tile.ref<i8, [32, 8], smem swizzle 32> -> tensor<64x8xi32>
  %3 = tile.wgmma_wait 0(%2) : (tensor<64x8xi32>) -> tensor<64x8xi32>
  tile.store %3, %o : tensor<64x8xi32>, !tile.ref<i32, [64, 8]>
  tile.return
}
