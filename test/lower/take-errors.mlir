// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is exchanged in shared memory as a whole has to fit.
// RUN: tegula-opt --tile-assign-layouts --tile-lower-to-llvm --verify-diagnostics %s

tile.kernel @large(%x: !tile.ref<f64, [2048]>, %o: !tile.ref<f64, [2048]>) attributes {threads = 256 : i64, group = 64 : i64} {
  %i = tile.iota 0 : tensor<2048xi32>
  %0 = tile.load %x : !tile.ref<f64, [2048]> -> tensor<2048xf64>
  // expected-error @below {{a tile of 16384 bytes is indexed here, which exchanges it in shared memory as a whole, with room for 12288 bytes: use smaller blocks}}
  %1 = tile.take %0[%i : tensor<2048xi32>] [0] at 0 : tensor<2048xf64> -> tensor<2048xf64>
  tile.store %1, %o : tensor<2048xf64>, !tile.ref<f64, [2048]>
  tile.return
}
