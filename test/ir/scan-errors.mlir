// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One message per branch of the verifiers.
// RUN: tegula-opt --split-input-file --verify-diagnostics %s

tile.kernel @k(%x: !tile.ref<f32, [8, 64]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %t = tile.load %x : !tile.ref<f32, [8, 64]> -> tensor<8x64xf32>
  // expected-error @below {{'tile.scan' op runs along dimension 2 of a tile of rank 2}}
  %0 = tile.scan sum %t[2] : tensor<8x64xf32> -> tensor<8x64xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8, 64]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %t = tile.load %x : !tile.ref<f32, [8, 64]> -> tensor<8x64xf32>
  // expected-error @below {{'tile.scan' op makes 'tensor<8x32xf32>' of 'tensor<8x64xf32>': the types must be equal}}
  %0 = tile.scan sum %t[1] : tensor<8x64xf32> -> tensor<8x32xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<i1, [64]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %t = tile.load %x : !tile.ref<i1, [64]> -> tensor<64xi1>
  // expected-error @below {{'tile.scan' op combines numbers, not bools: reduce them}}
  %0 = tile.scan any %t[0] : tensor<64xi1> -> tensor<64xi1>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<i1, [64]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %t = tile.load %x : !tile.ref<i1, [64]> -> tensor<64xi1>
  // expected-error @below {{'tile.scan' op takes numbers, not 'i1'}}
  %0 = tile.scan sum %t[0] : tensor<64xi1> -> tensor<64xi1>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8, 64]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %t = tile.load %x : !tile.ref<f32, [8, 64]> -> tensor<8x64xf32>
  // expected-error @below {{'tile.scan' op needs a combiner and identities}}
  %0 = tile.scan custom %t[0] : tensor<8x64xf32> -> tensor<8x64xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8, 64]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %t = tile.load %x : !tile.ref<f32, [8, 64]> -> tensor<8x64xf32>
  // expected-error @below {{'tile.scan' op begins with 'tensor<8x64xf32>', which is not 'tensor<8x64xf32>' without dimension 1}}
  %0 = tile.scan sum %t[1] init(%t : tensor<8x64xf32>) : tensor<8x64xf32> -> tensor<8x64xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [64]>, %n: i64) attributes {threads = 32 : i64, group = 1 : i64} {
  %t = tile.load %x : !tile.ref<f32, [64]> -> tensor<64xf32>
  // expected-error @below {{'tile.scan' op has 1 numbers of its part, but needs three, and only for a row that is shared}}
  %0 = tile.scan sum %t[0] at(%n) : tensor<64xf32> -> tensor<64xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8, 64]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %t = tile.load %x : !tile.ref<f32, [8, 64]> -> tensor<8x64xf32>
  // expected-error @below {{'tile.scan_total' op takes a result of tile.scan}}
  %0 = tile.scan_total %t : tensor<8x64xf32> -> tensor<8xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8, 64]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %t = tile.load %x : !tile.ref<f32, [8, 64]> -> tensor<8x64xf32>
  %0 = tile.scan sum %t[0] : tensor<8x64xf32> -> tensor<8x64xf32>
  // expected-error @below {{'tile.scan_total' op makes 'tensor<8xf32>' of 'tensor<8x64xf32>' without dimension 0}}
  %1 = tile.scan_total %0 : tensor<8x64xf32> -> tensor<8xf32>
  tile.return
}
