// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The attribute's text is that of the layout library, and so are its errors.
// RUN: tegula-opt --split-input-file --verify-diagnostics %s | FileCheck %s

// CHECK-LABEL: @texts
tile.kernel @texts() attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = arith.constant 0.0 : f32
  // CHECK: tensor<8x128xf32, #tile.layout<blocked<[1, 4], lanes [1, 32], warps [4, 1]>>>
  %1 = tile.full %0 : f32 -> tensor<8x128xf32, #tile.layout<blocked<[1, 4], lanes [1, 32], warps [4, 1]>>>
  // CHECK: #tile.layout<blocked<[1], lanes [8] x4, warps [1] x4>>
  %2 = tile.full %0 : f32 -> tensor<8xf32, #tile.layout<blocked<[1], lanes [8] x4, warps [1] x4>>>
  // CHECK: #tile.layout<wgmma>
  %3 = tile.full %0 : f32 -> tensor<64x192xf32, #tile.layout<linear<register [(0, 1), (8, 0)],
         lane [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp [(16, 0), (32, 0)] -> (d0 64, d1 8)>>>
  tile.return
}

// -----

// expected-error@+1 {{expected a number at offset}}
tile.kernel @text(%x: tensor<8xf32, #tile.layout<blocked<[1, x], lanes [8]>>>) attributes {threads = 8 : i64, group = 8 : i64} {
  tile.return
}

// -----

tile.kernel @extent() attributes {threads = 8 : i64, group = 8 : i64} {
  %0 = arith.constant 0.0 : f32
  // expected-error@+1 {{extent 12}}
  %1 = tile.full %0 : f32 -> tensor<12xf32, #tile.layout<blocked<[1], lanes [8]>>>
  tile.return
}

// -----

// expected-error@+1 {{a tile with a layout has a static shape}}
tile.kernel @dynamic(%x: tensor<?xf32, #tile.layout<blocked<[1], lanes [8]>>>) attributes {threads = 8 : i64, group = 8 : i64} {
  tile.return
}
