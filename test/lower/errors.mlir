// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt --tile-lower-to-llvm --split-input-file --verify-diagnostics %s

tile.kernel @no_layout(%x: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  // expected-error@+1 {{this has a tile of 32 elements of f32, which is not laid out for thread groups of 32 threads}}
  %0 = tile.load %x : !tile.ref<f32, [32]> -> tensor<32xf32>
  tile.return
}

// -----

tile.kernel @table(%x: !tile.ref<f32, [?, ?], table>) attributes {threads = 32 : i64, group = 32 : i64} {
  // expected-error@+1 {{takes all arrays of a table, which lie anywhere}}
  %0 = tile.transpose %x [1, 0] : !tile.ref<f32, [?, ?], table> -> !tile.ref<f32, [?, ?]>
  tile.return
}

// -----

#small = #tile.layout<blocked<[1], lanes [16]>>
tile.kernel @other_group(%x: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  // expected-error@+1 {{which is not laid out for thread groups of 32 threads}}
  %0 = tile.load %x : !tile.ref<f32, [32]> -> tensor<32xf32, #small>
  tile.return
}

// -----

#a = #tile.layout<blocked<[1], lanes [32]>>
#b = #tile.layout<blocked<[1], lanes [16] x2>>
tile.kernel @two_layouts(%x: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [32]> -> tensor<32xf32, #a>
  // expected-error@+1 {{has operands of different layouts}}
  %1 = tile.cast %0 : tensor<32xf32, #a> -> tensor<32xf64, #b>
  tile.return
}

// -----

#row = #tile.layout<blocked<[1], lanes [32]>>
#tile = #tile.layout<blocked<[1, 1], lanes [8, 4]>>
tile.kernel @not_local(%x: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [32]> -> tensor<32xf32, #row>
  // expected-error@+1 {{has a source whose layout is not that of the result without the new dimensions}}
  %1 = tile.broadcast %0 [1] : tensor<32xf32, #row> -> tensor<8x32xf32, #tile>
  tile.return
}

// -----

tile.kernel @chosen_ref(%x: !tile.ref<f32, [?]>, %y: !tile.ref<f32, [?]>, %c: i1) attributes {threads = 32 : i64, group = 32 : i64} {
  // expected-error@+1 {{chooses a ref at run time, which is not supported}}
  %0 = scf.if %c -> (!tile.ref<f32, [?]>) {
    scf.yield %x : !tile.ref<f32, [?]>
  } else {
    scf.yield %y : !tile.ref<f32, [?]>
  }
  tile.return
}

// -----

tile.kernel @host_op(%c: i1) attributes {threads = 32 : i64, group = 32 : i64} {
  // expected-error@+1 {{'tile.check' op is not allowed in a kernel}}
  tile.check %c, "a check"
  tile.return
}

// -----

#blocked = #tile.layout<blocked<[1, 1], lanes [2, 16]>>
tile.kernel @half_a_unit(%x: !tile.ref<f32, [32, 16]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [32, 16]> -> tensor<32x16xf32, #blocked>
  %zero = arith.constant 0 : i64
  // expected-error@+1 {{begins or ends within the units of 2 x 16 elements of its source's layout: store the tile to shared memory, and read a part of that}}
  %1 = tile.subtile %0[whole, window %zero] : tensor<32x16xf32, #blocked> -> tensor<32x8xf32, #blocked>
  tile.return
}

// -----

#blocked = #tile.layout<blocked<[1, 1], lanes [2, 16]>>
tile.kernel @begins_in_a_unit(%x: !tile.ref<f32, [32, 16]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [32, 16]> -> tensor<32x16xf32, #blocked>
  %one = arith.constant 1 : i64
  // expected-error@+1 {{begins or ends within the units of 2 x 16 elements}}
  %1 = tile.subtile %0[window %one, whole] : tensor<32x16xf32, #blocked> -> tensor<16x16xf32, #blocked>
  tile.return
}

// -----

#blocked = #tile.layout<blocked<[1, 1], lanes [2, 16]>>
tile.kernel @begins_anywhere(%x: !tile.ref<f32, [32, 16]>, %i: i64) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [32, 16]> -> tensor<32x16xf32, #blocked>
  // expected-error@+1 {{of a tile must begin at compile-time constants and keep the dimensions: store the tile to shared memory, and read a part of that}}
  %1 = tile.subtile %0[window %i, whole] : tensor<32x16xf32, #blocked> -> tensor<16x16xf32, #blocked>
  tile.return
}

// -----

// Each matrix of a product has code of its own.
#layout = #tile.layout<blocked<[1, 1, 1], lanes [1, 1, 1] x32>>
tile.kernel @too_many_matrices(%x: !tile.ref<f32, [1024, 1, 1]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [1024, 1, 1]> -> tensor<1024x1x1xf32, #layout>
  // expected-error@+1 {{a thread group would compute this product in 1024 parts, one after another: give each program fewer matrices}}
  %1 = tile.dot %0, %0 : tensor<1024x1x1xf32, #layout>, tensor<1024x1x1xf32, #layout> -> tensor<1024x1x1xf32, #layout>
  tile.store %1, %x : tensor<1024x1x1xf32, #layout>, !tile.ref<f32, [1024, 1, 1]>
  tile.return
}

// -----

#sum = #tile.layout<wgmma>
#of = #tile.layout<blocked<[1, 2], lanes [8, 4], warps [4, 1]>>
tile.kernel @other_factors() attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.undefined : tensor<64x8xf32, #sum>
  %a = tile.undefined : tensor<64x16xbf16, #of>
  %b = tile.undefined : tensor<8x16xbf16, #of>
  // expected-error@+1 {{has factors in other layouts than its accumulator's warps take}}
  %0 = tile.mma %s, %a, %b : tensor<64x16xbf16, #of>, tensor<8x16xbf16, #of> -> tensor<64x8xf32, #sum>
  tile.return
}


// -----

tile.kernel @no_warps() attributes {threads = 64 : i64, group = 64 : i64} {
  // expected-error@+1 {{is for threads of four warps}}
  tile.warp_map {
  ^bb0(%w: i64):
    tile.warp_done
  }
  tile.return
}
