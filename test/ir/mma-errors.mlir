// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One message per rule for the tensor cores of a warp, and for copies by cp.async.
// RUN: tegula-opt --split-input-file --verify-diagnostics %s

tile.kernel @f(%x: !tile.ref<bf16, [128, 32]>, %is: i1) attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.undefined : tensor<64x256xf32>
  %a = tile.undefined : tensor<64x16xbf16>
  %b = tile.undefined : tensor<256x16xbf16>
  %0 = tile.alloc : !tile.ref<bf16, [128, 32], smem>
  tile.cp_async %x, %0 : !tile.ref<bf16, [128, 32]>, !tile.ref<bf16, [128, 32], smem>
  tile.cp_async %x, %0 if %is : !tile.ref<bf16, [128, 32]>, !tile.ref<bf16, [128, 32], smem>
  tile.cp_async_commit
  tile.cp_async_wait 0
  %1 = tile.mma %s, %a, %b : tensor<64x16xbf16>, tensor<256x16xbf16> -> tensor<64x256xf32>
  tile.return
}
// -----
tile.kernel @f(%x: !tile.ref<bf16, [128, 32]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.alloc : !tile.ref<bf16, [64, 32], smem>
  // expected-error @below {{copies between windows of other extents}}
  tile.cp_async %x, %0 : !tile.ref<bf16, [128, 32]>, !tile.ref<bf16, [64, 32], smem>
  tile.return
}
// -----
tile.kernel @f(%x: !tile.ref<bf16, [128, 4]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.alloc : !tile.ref<bf16, [128, 4], smem>
  // expected-error @below {{copies a vector or a matrix whose rows are a multiple of 16 bytes, not '!tile.ref<bf16, [128, 4]>' to '!tile.ref<bf16, [128, 4], smem>'}}
  tile.cp_async %x, %0 : !tile.ref<bf16, [128, 4]>, !tile.ref<bf16, [128, 4], smem>
  tile.return
}
// -----
tile.kernel @f(%x: !tile.ref<bf16, [8, 8, 32]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.alloc : !tile.ref<bf16, [8, 8, 32], smem>
  // expected-error @below {{copies a vector or a matrix whose rows are a multiple of 16 bytes}}
  tile.cp_async %x, %0 : !tile.ref<bf16, [8, 8, 32]>, !tile.ref<bf16, [8, 8, 32], smem>
  tile.return
}
// -----
tile.kernel @f() attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.undefined : tensor<64xf32>
  %a = tile.undefined : tensor<64x16xbf16>
  %b = tile.undefined : tensor<256x16xbf16>
  // expected-error @below {{multiplies matrices}}
  %0 = tile.mma %s, %a, %b : tensor<64x16xbf16>, tensor<256x16xbf16> -> tensor<64xf32>
  tile.return
}
// -----
tile.kernel @f() attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.undefined : tensor<64x256xf32>
  %a = tile.undefined : tensor<64x16xbf16>
  %b = tile.undefined : tensor<16x256xbf16>
  // expected-error @below {{multiplies 'tensor<64x16xbf16>' and a transposed 'tensor<16x256xbf16>' into 'tensor<64x256xf32>'}}
  %0 = tile.mma %s, %a, %b : tensor<64x16xbf16>, tensor<16x256xbf16> -> tensor<64x256xf32>
  tile.return
}
// -----
tile.kernel @f() attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.undefined : tensor<64x256xf32>
  %a = tile.undefined : tensor<64x8xbf16>
  %b = tile.undefined : tensor<256x8xbf16>
  // expected-error @below {{multiplies multiples of 16 rows, 8 columns and 16 elements that are summed, not 64 x 256 x 8}}
  %0 = tile.mma %s, %a, %b : tensor<64x8xbf16>, tensor<256x8xbf16> -> tensor<64x256xf32>
  tile.return
}
// -----
tile.kernel @f() attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.undefined : tensor<64x8xi32>
  %a = tile.undefined : tensor<64x16xi16>
  %b = tile.undefined : tensor<8x16xi16>
  // expected-error @below {{has no instruction for 'i16' and 'i16' into 'i32'}}
  %0 = tile.mma %s, %a, %b : tensor<64x16xi16>, tensor<8x16xi16> -> tensor<64x8xi32>
  tile.return
}
