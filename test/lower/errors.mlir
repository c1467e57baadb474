// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt --tile-lower-to-llvm --split-input-file --verify-diagnostics %s

tile.kernel @no_layout(%x: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, team = 32 : i64} {
  // expected-error@+1 {{has a tile of type 'tensor<32xf32>', which is not laid out for teams of 32 threads}}
  %0 = tile.load %x : !tile.ref<f32, [32]> -> tensor<32xf32>
  tile.return
}

// -----

#small = #tile.layout<blocked<[1], lanes [16]>>
tile.kernel @other_team(%x: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, team = 32 : i64} {
  // expected-error@+1 {{which is not laid out for teams of 32 threads}}
  %0 = tile.load %x : !tile.ref<f32, [32]> -> tensor<32xf32, #small>
  tile.return
}

// -----

#a = #tile.layout<blocked<[1], lanes [32]>>
#b = #tile.layout<blocked<[1], lanes [16] x2>>
tile.kernel @two_layouts(%x: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, team = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [32]> -> tensor<32xf32, #a>
  // expected-error@+1 {{has operands of different layouts}}
  %1 = tile.cast %0 : tensor<32xf32, #a> -> tensor<32xf64, #b>
  tile.return
}

// -----

#row = #tile.layout<blocked<[1], lanes [32]>>
#tile = #tile.layout<blocked<[1, 1], lanes [8, 4]>>
tile.kernel @not_local(%x: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, team = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [32]> -> tensor<32xf32, #row>
  // expected-error@+1 {{has a source whose layout is not that of the result without the new dimensions}}
  %1 = tile.broadcast %0 [1] : tensor<32xf32, #row> -> tensor<8x32xf32, #tile>
  tile.return
}

// -----

tile.kernel @chosen_ref(%x: !tile.ref<f32, [?]>, %y: !tile.ref<f32, [?]>, %c: i1) attributes {threads = 32 : i64, team = 32 : i64} {
  // expected-error@+1 {{chooses a ref at run time, which is not supported}}
  %0 = scf.if %c -> (!tile.ref<f32, [?]>) {
    scf.yield %x : !tile.ref<f32, [?]>
  } else {
    scf.yield %y : !tile.ref<f32, [?]>
  }
  tile.return
}

// -----

tile.kernel @host_op(%c: i1) attributes {threads = 32 : i64, team = 32 : i64} {
  // expected-error@+1 {{is not supported within a kernel}}
  tile.check %c, "a check"
  tile.return
}
