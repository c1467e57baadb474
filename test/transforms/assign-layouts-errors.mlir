// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt --tile-assign-layouts --split-input-file --verify-diagnostics %s

tile.kernel @dynamic(%x: !tile.ref<f32, [?]>) attributes {threads = 32 : i64, team = 32 : i64} {
  // expected-error@+1 {{a tile within a kernel has a static shape, not 'tensor<?xf32>'}}
  %0 = tile.load %x : !tile.ref<f32, [?]> -> tensor<?xf32>
  tile.return
}

// -----

tile.kernel @odd_part(%x: !tile.ref<f32, [64, 64]>, %o: !tile.ref<f32, [64, 12]>)
    attributes {threads = 128 : i64, team = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [64, 64]> -> tensor<64x64xf32>
  %zero = arith.constant 0 : i64
  // expected-error@+1 {{a tile of type 'tensor<64x12xf32>' does not fit the layout of those that it is made of: extent 12 of dimension 1 is neither a multiple of the layout's 64 nor a smaller power of two}}
  %1 = tile.subtile %0[whole, window %zero] : tensor<64x64xf32> -> tensor<64x12xf32>
  tile.store %1, %o : tensor<64x12xf32>, !tile.ref<f32, [64, 12]>
  tile.return
}
