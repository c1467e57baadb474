// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt --tile-recompute %s | FileCheck %s

// 64 registers are asked for; g and n take all of them: x and y, of bf16, wait in their place, and the weight, which
// stays in shared memory, is loaded once more. It comes behind what is computed of the sum.
// CHECK-LABEL: tile.kernel @backward(
// CHECK: scf.for
// CHECK: %[[X:.*]] = tile.load %{{.*}} : <bf16, [8192]> -> tensor<8192xbf16>
// CHECK: %[[Y:.*]] = tile.load %{{.*}} : <bf16, [8192]> -> tensor<8192xbf16>
// CHECK: tile.reduce sum
// CHECK: arith.divf
// CHECK-NEXT: %[[MEAN:.*]] = tile.full
// CHECK-NEXT: %[[Y2:.*]] = tile.opaque %[[Y]] : tensor<8192xbf16>
// CHECK-NEXT: %[[N:.*]] = tile.cast %[[Y2]]
// CHECK-NEXT: %[[X2:.*]] = tile.opaque %[[X]] : tensor<8192xbf16>
// CHECK-NEXT: %[[XF:.*]] = tile.cast %[[X2]]
// CHECK-NEXT: %[[W2:.*]] = tile.load %{{.*}} : <bf16, [8192], smem>
// CHECK-NEXT: %[[WF:.*]] = tile.cast %[[W2]]
// CHECK-NEXT: %[[G:.*]] = tile.mul %[[XF]], %[[WF]]
// CHECK-NEXT: %[[NM:.*]] = tile.mul %[[N]], %[[MEAN]]
// CHECK-NEXT: tile.sub %[[G]], %[[NM]]
tile.kernel @backward(%x: !tile.ref<bf16, [8192]>, %y: !tile.ref<bf16, [8192]>, %w: !tile.ref<bf16, [8192]>, %o: !tile.ref<f32, [8192]>, %rows: i64) attributes {group = 256 : i64, threads = 256 : i64, cluster = 8 : i64, tile.ctas_per_multiprocessor = 4 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %count = arith.constant 65536.0 : f32
  %place = tile.alloc : !tile.ref<bf16, [8192], smem>
  tile.cp_async %w, %place : !tile.ref<bf16, [8192]>, !tile.ref<bf16, [8192], smem>
  scf.for %i = %zero to %rows step %one : i64 {
    %tx = tile.load %x : !tile.ref<bf16, [8192]> -> tensor<8192xbf16>
    %ty = tile.load %y : !tile.ref<bf16, [8192]> -> tensor<8192xbf16>
    %tw = tile.load %place : !tile.ref<bf16, [8192], smem> -> tensor<8192xbf16>
    %xf = tile.cast %tx : tensor<8192xbf16> -> tensor<8192xf32>
    %wf = tile.cast %tw : tensor<8192xbf16> -> tensor<8192xf32>
    %g = tile.mul %xf, %wf : tensor<8192xf32>
    %n = tile.cast %ty : tensor<8192xbf16> -> tensor<8192xf32>
    %gn = tile.mul %g, %n : tensor<8192xf32>
    %r = tile.reduce sum %gn [0] cluster : tensor<8192xf32> -> tensor<f32>
    %s = tile.extract %r : tensor<f32> -> f32
    %m = arith.divf %s, %count : f32
    %mf = tile.full %m : f32 -> tensor<8192xf32>
    %nm = tile.mul %n, %mf : tensor<8192xf32>
    %d = tile.sub %g, %nm : tensor<8192xf32>
    tile.store %d, %o : tensor<8192xf32>, !tile.ref<f32, [8192]>
  }
  tile.return
}

// There is room for what waits.
// CHECK-LABEL: tile.kernel @forward(
// CHECK-NOT: tile.opaque
// CHECK: tile.return
tile.kernel @forward(%x: !tile.ref<bf16, [8192]>, %o: !tile.ref<f32, [8192]>) attributes {group = 256 : i64, threads = 256 : i64, cluster = 8 : i64, tile.ctas_per_multiprocessor = 4 : i64} {
  %tx = tile.load %x : !tile.ref<bf16, [8192]> -> tensor<8192xbf16>
  %xf = tile.cast %tx : tensor<8192xbf16> -> tensor<8192xf32>
  %r = tile.reduce sum %xf [0] cluster : tensor<8192xf32> -> tensor<f32>
  %s = tile.extract %r : tensor<f32> -> f32
  %sf = tile.full %s : f32 -> tensor<8192xf32>
  %d = tile.sub %xf, %sf : tensor<8192xf32>
  tile.store %d, %o : tensor<8192xf32>, !tile.ref<f32, [8192]>
  tile.return
}

// Of f32, what waits takes no more registers than what it is computed from; what takes long is not computed twice.
// CHECK-LABEL: tile.kernel @same(
// CHECK-NOT: tile.opaque
// CHECK: tile.return
tile.kernel @same(%x: !tile.ref<f32, [8192]>, %y: !tile.ref<bf16, [8192]>, %w: !tile.ref<bf16, [8192]>, %o: !tile.ref<f32, [8192]>, %rows: i64) attributes {group = 256 : i64, threads = 256 : i64, cluster = 8 : i64, tile.ctas_per_multiprocessor = 4 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %i = %zero to %rows step %one : i64 {
    %tx = tile.load %x : !tile.ref<f32, [8192]> -> tensor<8192xf32>
    %g = tile.neg %tx : tensor<8192xf32>
    %ty = tile.load %y : !tile.ref<bf16, [8192]> -> tensor<8192xbf16>
    %yf = tile.cast %ty : tensor<8192xbf16> -> tensor<8192xf32>
    %n = tile.exp %yf : tensor<8192xf32>
    %gn = tile.mul %g, %n : tensor<8192xf32>
    %r = tile.reduce sum %gn [0] cluster : tensor<8192xf32> -> tensor<f32>
    %s = tile.extract %r : tensor<f32> -> f32
    %sf = tile.full %s : f32 -> tensor<8192xf32>
    %nm = tile.mul %n, %sf : tensor<8192xf32>
    %d = tile.sub %g, %nm : tensor<8192xf32>
    tile.store %d, %o : tensor<8192xf32>, !tile.ref<f32, [8192]>
  }
  tile.return
}
