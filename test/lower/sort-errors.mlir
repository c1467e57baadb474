// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is sorted is exchanged in shared memory as a whole, and has to fit; rows are powers of two, which splitting sees to, and at the explicit
// level the program.
// RUN: tegula-opt --tile-assign-layouts --tile-lower-to-llvm --split-input-file --verify-diagnostics %s

tile.kernel @large(%x: !tile.ref<f64, [8, 4096]>, %o: !tile.ref<f64, [8, 4096]>) attributes {threads = 256 : i64, group = 64 : i64} {
  %0 = tile.load %x : !tile.ref<f64, [8, 4096]> -> tensor<8x4096xf64>
  // expected-error @below {{a tile of 40960 bytes is sorted here, which exchanges it in shared memory as a whole, with room for 12288 bytes: use smaller blocks}}
  %1 = tile.sort %0 along 1 by 1 : tensor<8x4096xf64> -> tensor<8x4096xf64>
  tile.store %1, %o : tensor<8x4096xf64>, !tile.ref<f64, [8, 4096]>
  tile.return
}

// -----

tile.kernel @odd(%x: !tile.ref<f32, [96]>, %o: !tile.ref<f32, [96]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [96]> -> tensor<96xf32>
  // expected-error @below {{the number of elements of a row that is sorted in tg::kernel must be a power of two, not 96: load the window of 128 that begins there, tg::ds<128>(start), and make the additional elements sort last, tg::where(tg::iota<int, 128>() < 96, t, tg::inf)}}
  %1 = tile.sort %0 along 0 by 1 : tensor<96xf32> -> tensor<96xf32>
  tile.store %1, %o : tensor<96xf32>, !tile.ref<f32, [96]>
  tile.return
}
