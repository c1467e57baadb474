// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a layout that is asked for has to fit.
// RUN: tegula-opt --split-input-file --verify-diagnostics %s

tile.kernel @fits(%x: !tile.ref<f32, [64, 64]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [64, 64]> -> tensor<64x64xf32>
  %1 = tile.layout_cast %0 <wgmma> : tensor<64x64xf32>
  tile.print_layout "it lies as {}" %1 : tensor<64x64xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [48, 64]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [48, 64]> -> tensor<48x64xf32>
  // expected-error @below {{asks for a layout that does not fit: }}
  %1 = tile.layout_cast %0 <wgmma> : tensor<48x64xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [?, 64]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [?, 64]> -> tensor<?x64xf32>
  // expected-error @below {{asks for the layout of a tile of static extents, not of 'tensor<?x64xf32>'}}
  %1 = tile.layout_cast %0 <wgmma> : tensor<?x64xf32>
  tile.return
}
