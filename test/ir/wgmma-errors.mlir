// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tensor core multiplies, and the sums that it adds to.
// RUN: tegula-opt --split-input-file --verify-diagnostics %s

tile.kernel @taken() attributes {threads = 128 : i64, group = 128 : i64} {
  %x = tile.alloc : !tile.ref<ui8, [64, 32], smem>
  %y = tile.alloc : !tile.ref<i8, [32, 24], smem>
  %c0 = arith.constant 0 : i32
  %0 = tile.full %c0 : i32 -> tensor<64x24xi32>
  %1 = tile.wgmma %0, %x, %y : !tile.ref<ui8, [64, 32], smem>, !tile.ref<i8, [32, 24], smem> -> tensor<64x24xi32>
  %v = tile.alloc : !tile.ref<f8E5M2, [64, 32], smem>
  %w = tile.alloc : !tile.ref<f8E4M3FN, [32, 40], smem>
  %z = arith.constant 0.0 : f16
  %2 = tile.full %z : f16 -> tensor<64x40xf16>
  %wide = tile.full %z : f16 -> tensor<128x512xf16>
  %4 = tile.wgmma %wide at [64, 8], %v, %w : !tile.ref<f8E5M2, [64, 32], smem>, !tile.ref<f8E4M3FN, [32, 40], smem> -> tensor<128x512xf16>
  %b = tile.alloc : !tile.ref<f8E4M3FN, [32, 512], smem>
  %5 = tile.wgmma %4 at [64, 0], %v, %b : !tile.ref<f8E5M2, [64, 32], smem>, !tile.ref<f8E4M3FN, [32, 512], smem> -> tensor<128x512xf16>
  %3 = tile.wgmma %2, %v, %w : !tile.ref<f8E5M2, [64, 32], smem>, !tile.ref<f8E4M3FN, [32, 40], smem> -> tensor<64x40xf16>
  tile.return
}
// -----
tile.kernel @k(%acc: !tile.ref<f32, [64, 64]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %x = tile.alloc : !tile.ref<f16, [64, 64], smem>
  %y = tile.alloc : !tile.ref<bf16, [64, 64], smem>
  %0 = tile.load %acc : !tile.ref<f32, [64, 64]> -> tensor<64x64xf32>
  // expected-error @below {{has no instruction for 'f16' and 'bf16' into 'f32'}}
  %1 = tile.wgmma %0, %x, %y : !tile.ref<f16, [64, 64], smem>, !tile.ref<bf16, [64, 64], smem> -> tensor<64x64xf32>
  tile.return
}
// -----
tile.kernel @k(%acc: !tile.ref<f32, [64, 64]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %x = tile.alloc : !tile.ref<i8, [64, 64], smem>
  %0 = tile.load %acc : !tile.ref<f32, [64, 64]> -> tensor<64x64xf32>
  // expected-error @below {{has no instruction for 'i8' and 'i8' into 'f32'}}
  %1 = tile.wgmma %0, %x, %x : !tile.ref<i8, [64, 64], smem>, !tile.ref<i8, [64, 64], smem> -> tensor<64x64xf32>
  tile.return
}
// -----
tile.kernel @k(%acc: !tile.ref<f64, [64, 64]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %x = tile.alloc : !tile.ref<f64, [64, 64], smem>
  %0 = tile.load %acc : !tile.ref<f64, [64, 64]> -> tensor<64x64xf64>
  // expected-error @below {{has no instruction for 'f64' and 'f64' into 'f64'}}
  %1 = tile.wgmma %0, %x, %x : !tile.ref<f64, [64, 64], smem>, !tile.ref<f64, [64, 64], smem> -> tensor<64x64xf64>
  tile.return
}
// -----
tile.kernel @k(%acc: !tile.ref<i32, [64, 40]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %x = tile.alloc : !tile.ref<i8, [64, 64], smem>
  %y = tile.alloc : !tile.ref<i8, [64, 40], smem>
  %0 = tile.load %acc : !tile.ref<i32, [64, 40]> -> tensor<64x40xi32>
  // expected-error @below {{adds to a multiple of 64 rows and of 16 columns, or 8 or 24, at most 512: not 'tensor<64x40xi32>'}}
  %1 = tile.wgmma %0, %x, %y : !tile.ref<i8, [64, 64], smem>, !tile.ref<i8, [64, 40], smem> -> tensor<64x40xi32>
  tile.return
}
// -----
tile.kernel @k(%acc: !tile.ref<f32, [64, 12]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %x = tile.alloc : !tile.ref<f16, [64, 64], smem>
  %y = tile.alloc : !tile.ref<f16, [64, 12], smem>
  %0 = tile.load %acc : !tile.ref<f32, [64, 12]> -> tensor<64x12xf32>
  // expected-error @below {{adds to a multiple of 64 rows and of 8 columns, at most 512: not 'tensor<64x12xf32>'}}
  %1 = tile.wgmma %0, %x, %y : !tile.ref<f16, [64, 64], smem>, !tile.ref<f16, [64, 12], smem> -> tensor<64x12xf32>
  tile.return
}
// -----
tile.kernel @k(%acc: !tile.ref<f32, [64, 520]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %x = tile.alloc : !tile.ref<f16, [64, 64], smem>
  %y = tile.alloc : !tile.ref<f16, [64, 520], smem>
  %0 = tile.load %acc : !tile.ref<f32, [64, 520]> -> tensor<64x520xf32>
  // expected-error @below {{adds to a multiple of 64 rows and of 8 columns, at most 512: not 'tensor<64x520xf32>'}}
  %1 = tile.wgmma %0, %x, %y : !tile.ref<f16, [64, 64], smem>, !tile.ref<f16, [64, 520], smem> -> tensor<64x520xf32>
  tile.return
}
// -----
tile.kernel @k(%acc: !tile.ref<f32, [64, 64]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %x = tile.alloc : !tile.ref<f32, [64, 12], smem>
  %y = tile.alloc : !tile.ref<f32, [12, 64], smem>
  %0 = tile.load %acc : !tile.ref<f32, [64, 64]> -> tensor<64x64xf32>
  // expected-error @below {{contracts a multiple of 8 elements, not 12}}
  %1 = tile.wgmma %0, %x, %y : !tile.ref<f32, [64, 12], smem>, !tile.ref<f32, [12, 64], smem> -> tensor<64x64xf32>
  tile.return
}
// -----
tile.kernel @k(%acc: !tile.ref<f32, [128, 64]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %x = tile.alloc : !tile.ref<f16, [64, 16], smem>
  %y = tile.alloc : !tile.ref<f16, [16, 32], smem>
  %0 = tile.load %acc : !tile.ref<f32, [128, 64]> -> tensor<128x64xf32>
  // expected-error @below {{adds to a part that begins at a multiple of 64 rows and of 8 columns, not at [64, 4]}}
  %1 = tile.wgmma %0 at [64, 4], %x, %y : !tile.ref<f16, [64, 16], smem>, !tile.ref<f16, [16, 32], smem> -> tensor<128x64xf32>
  tile.return
}
// -----
tile.kernel @k(%acc: !tile.ref<f32, [128, 64]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %x = tile.alloc : !tile.ref<f16, [64, 16], smem>
  %y = tile.alloc : !tile.ref<f16, [16, 32], smem>
  %0 = tile.load %acc : !tile.ref<f32, [128, 64]> -> tensor<128x64xf32>
  // expected-error @below {{adds 64 x 32 at [64, 40], which lies outside of 'tensor<128x64xf32>'}}
  %1 = tile.wgmma %0 at [64, 40], %x, %y : !tile.ref<f16, [64, 16], smem>, !tile.ref<f16, [16, 32], smem> -> tensor<128x64xf32>
  tile.return
}
// -----
tile.kernel @k(%acc: !tile.ref<f32, [128, 64]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %x = tile.alloc : !tile.ref<f16, [64, 16], smem>
  %y = tile.alloc : !tile.ref<f16, [16, 32], smem>
  %0 = tile.load %acc : !tile.ref<f32, [128, 64]> -> tensor<128x64xf32>
  // expected-error @below {{multiplies 'tensor<64x16xf16>' and 'tensor<16x32xf16>' into 'tensor<128x64xf32>'}}
  %1 = tile.wgmma %0, %x, %y : !tile.ref<f16, [64, 16], smem>, !tile.ref<f16, [16, 32], smem> -> tensor<128x64xf32>
  tile.return
}
