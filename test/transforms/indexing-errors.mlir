// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(tile-check-extents,tile-assign-layouts)' %s
// An op that makes a tile says which elements of its operands it takes, or is refused: nothing is assumed elementwise.

tile.entry @foreign(%x: !tile.array<f32, 1>, %o: !tile.array<f32, 1>) attributes {qualified_name = "foreign"} {
  tile.launch "foreign_0" grid() args(in %r = %x : !tile.array<f32, 1>, out %s = %o : !tile.array<f32, 1>) {
    %z = arith.constant 0 : i64
    %a = tile.slice %r[window %z] {in_bounds} : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
    %b = tile.slice %s[window %z] {in_bounds} : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
    %t = tile.load %a : !tile.ref<f32, [64]> -> tensor<64xf32>
    // expected-error@+1 {{'arith.addf' op is not allowed in an entry}}
    %u = arith.addf %t, %t : tensor<64xf32>
    tile.store %u, %b : tensor<64xf32>, !tile.ref<f32, [64]>
    tile.yield
  }
  tile.return
}

// -----

tile.kernel @foreign(%x: !tile.ref<f32, [64]>) attributes {threads = 64 : i64, group = 64 : i64} {
  %t = tile.load %x : !tile.ref<f32, [64]> -> tensor<64xf32>
  // expected-error@+1 {{'arith.addf' op makes a tile, but has no IndexedOpInterface, which says of which elements of its operands}}
  %u = arith.addf %t, %t : tensor<64xf32>
  tile.store %u, %x : tensor<64xf32>, !tile.ref<f32, [64]>
  tile.return
}
