// Accumulators that are zero when the first product comes are not zeroed.
// RUN: tegula-opt %s --tile-start-products | FileCheck %s

// CHECK-LABEL: tile.kernel @starts
// CHECK: %[[SKIPPED:.+]] = arith.cmpi sge, %c0_i64, %[[N:.+]] : i64
// CHECK: %[[INIT:.+]] = tile.undefined : tensor<64x16xf32>
// CHECK: %[[SUMS:.+]]:3 = scf.for %[[K:.+]] = %c0_i64 to %[[N]] step %c1_i64 iter_args(%[[ACC:.+]] = %[[INIT]], %[[OTHER:.+]] = %[[ONE:.+]], %[[READ:.+]] = %[[ZERO:.+]])
// CHECK-NEXT: %[[LATER:.+]] = arith.cmpi ne, %[[K]], %c0_i64
// A wait on the way reads nothing. The second product adds to the first.
// CHECK: %[[WAITED:.+]] = tile.wgmma_wait 0(%[[ACC]])
// CHECK: %[[NEXT:.+]] = tile.wgmma %[[WAITED]] if %[[LATER]], %{{.+}}, %{{.+}}
// CHECK: tile.wgmma %[[NEXT]], %
// What does not begin as zero is added to; so is what is read before all its products are done.
// CHECK: tile.wgmma %[[OTHER]], %
// CHECK: tile.wgmma %[[READ]], %
// Without a first product it is zero.
// CHECK: %[[DONE:.+]]:2 = tile.wgmma_wait 0(%[[SUMS]]#1, %[[SUMS]]#0)
// CHECK-NEXT: %[[RESULT:.+]] = tile.zero_if %[[SKIPPED]], %[[DONE]]#1
// CHECK: tile.store %[[RESULT]], %
// In a row.
// CHECK: %[[FRESH:.+]] = tile.undefined : tensor<64x16xf32>
// CHECK: %[[FALSE:.+]] = arith.constant false
// CHECK: tile.wgmma %[[FRESH]] if %[[FALSE]], %
// What the program says, stays.
// CHECK: tile.wgmma %{{.+}} if %arg1, %
// A part of an accumulator leaves the rest as it is: zero.
// CHECK: %[[WIDE:.+]] = tile.full %{{.+}} : f32 -> tensor<64x32xf32>
// CHECK: tile.wgmma %[[WIDE]] at [0, 16], %
tile.kernel @starts(%n: i64, %p: i1) attributes {threads = 128 : i64, group = 128 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %z = arith.constant 0.0 : f32
  %o = arith.constant 1.0 : f32
  %a = tile.alloc at 0 : !tile.ref<bf16, [64, 16], smem swizzle 32>
  %b = tile.alloc at 2048 : !tile.ref<bf16, [16, 16], smem swizzle 32>
  %zero = tile.full %z : f32 -> tensor<64x16xf32>
  %one = tile.full %o : f32 -> tensor<64x16xf32>
  %sums:3 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %other = %one, %read = %zero) -> (tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>) : i64 {
    %waited = tile.wgmma_wait 0(%acc) : (tensor<64x16xf32>) -> tensor<64x16xf32>
    %next = tile.wgmma %waited, %a, %b : !tile.ref<bf16, [64, 16], smem swizzle 32>, !tile.ref<bf16, [16, 16], smem swizzle 32> -> tensor<64x16xf32>
    %last = tile.wgmma %next, %a, %b : !tile.ref<bf16, [64, 16], smem swizzle 32>, !tile.ref<bf16, [16, 16], smem swizzle 32> -> tensor<64x16xf32>
    %more = tile.wgmma %other, %a, %b : !tile.ref<bf16, [64, 16], smem swizzle 32>, !tile.ref<bf16, [16, 16], smem swizzle 32> -> tensor<64x16xf32>
    %some = tile.wgmma %read, %a, %b : !tile.ref<bf16, [64, 16], smem swizzle 32>, !tile.ref<bf16, [16, 16], smem swizzle 32> -> tensor<64x16xf32>
    scf.yield %last, %more, %some : tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>
  }
  %under = tile.wgmma_wait 1(%sums#2) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %done:2 = tile.wgmma_wait 0(%sums#1, %sums#0) : (tensor<64x16xf32>, tensor<64x16xf32>) -> (tensor<64x16xf32>, tensor<64x16xf32>)
  %s = tile.alloc at 4096 : !tile.ref<f32, [64, 16], smem swizzle 16>
  tile.store %done#1, %s : tensor<64x16xf32>, !tile.ref<f32, [64, 16], smem swizzle 16>
  %once = tile.wgmma %zero, %a, %b : !tile.ref<bf16, [64, 16], smem swizzle 32>, !tile.ref<bf16, [16, 16], smem swizzle 32> -> tensor<64x16xf32>
  %said = tile.wgmma %zero if %p, %a, %b : !tile.ref<bf16, [64, 16], smem swizzle 32>, !tile.ref<bf16, [16, 16], smem swizzle 32> -> tensor<64x16xf32>
  %wide = tile.full %z : f32 -> tensor<64x32xf32>
  %part = tile.wgmma %wide at [0, 16], %a, %b : !tile.ref<bf16, [64, 16], smem swizzle 32>, !tile.ref<bf16, [16, 16], smem swizzle 32> -> tensor<64x32xf32>
  tile.return
}
