// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt --tile-assign-layouts --split-input-file --verify-diagnostics %s

tile.kernel @dynamic(%x: !tile.ref<f32, [?]>) attributes {threads = 32 : i64, group = 32 : i64} {
  // expected-error@+1 {{a tile within a kernel must have a static shape, not a tile of ? elements of f32}}
  %0 = tile.load %x : !tile.ref<f32, [?]> -> tensor<?xf32>
  tile.return
}

// -----

tile.kernel @odd_part(%x: !tile.ref<f32, [64, 64]>, %o: !tile.ref<f32, [64, 12]>)
    attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [64, 64]> -> tensor<64x64xf32>
  %zero = arith.constant 0 : i64
  // expected-error@+1 {{a tile of 64 x 12 elements of f32 does not fit the layout of its operands: extent 12 of dimension 1 is neither a multiple of the layout's 64 nor a smaller power of two}}
  %1 = tile.subtile %0[whole, window %zero] : tensor<64x64xf32> -> tensor<64x12xf32>
  tile.store %1, %o : tensor<64x12xf32>, !tile.ref<f32, [64, 12]>
  tile.return
}

// -----

// What wgmma has in registers cannot lie otherwise.
#other = #tile.layout<blocked<[1, 4], lanes [4, 8], warps [4, 1]>>
tile.kernel @two_layouts(%o: !tile.ref<f32, [64, 64]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %zero = arith.constant 0.0 : f32
  %m = tile.alloc at 0 : !tile.ref<bf16, [64, 64], smem swizzle 128>
  %0 = tile.full %zero : f32 -> tensor<64x64xf32, #other>
  // expected-error-re@+1 {{this tile has the layout {{.*}}, but its operands or users have the layout blocked<[1, 4], lanes [4, 8], warps [4, 1]>: put a tg::layout_cast between them}}
  %1 = tile.wgmma %0, %m, %m : !tile.ref<bf16, [64, 64], smem swizzle 128>, !tile.ref<bf16, [64, 64], smem swizzle 128> -> tensor<64x64xf32, #other>
  %2 = tile.wgmma_wait 0(%1) : (tensor<64x64xf32, #other>) -> tensor<64x64xf32, #other>
  tile.store %2, %o : tensor<64x64xf32, #other>, !tile.ref<f32, [64, 64]>
  tile.return
}

// -----

// Nor can a product, if its type says otherwise.
#small = #tile.layout<blocked<[1, 1], lanes [4, 8], warps [4, 1]>>
tile.kernel @another_layout(%x: !tile.ref<f32, [64, 16]>, %y: !tile.ref<f32, [16, 64]>, %o: !tile.ref<f32, [64, 64]>)
    attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [64, 16]> -> tensor<64x16xf32>
  %1 = tile.load %y : !tile.ref<f32, [16, 64]> -> tensor<16x64xf32>
  // expected-error@+1 {{this tile has the layout blocked<[1, 4], lanes [4, 8], warps [4, 1]>, but its operands or users have the layout blocked<[1, 1], lanes [4, 8], warps [4, 1]>: put a tg::layout_cast between them}}
  %2 = tile.dot %0, %1 : tensor<64x16xf32>, tensor<16x64xf32> -> tensor<64x64xf32, #small>
  tile.store %2, %o : tensor<64x64xf32, #small>, !tile.ref<f32, [64, 64]>
  tile.return
}
