// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One message per branch of the verifier.
// RUN: tegula-opt --split-input-file --verify-diagnostics %s

tile.kernel @k(%x: !tile.ref<f32, [8, 64]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %t = tile.load %x : !tile.ref<f32, [8, 64]> -> tensor<8x64xf32>
  // expected-error @below {{'tile.sort' op puts 1 sources into order, with a result of the same type for each}}
  %0 = tile.sort %t along 1 by 1 : tensor<8x64xf32> -> tensor<8x32xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8, 64]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %t = tile.load %x : !tile.ref<f32, [8, 64]> -> tensor<8x64xf32>
  // expected-error @below {{'tile.sort' op has 2 keys among 1 sources}}
  %0 = tile.sort %t along 1 by 2 : tensor<8x64xf32> -> tensor<8x64xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8, 64]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %t = tile.load %x : !tile.ref<f32, [8, 64]> -> tensor<8x64xf32>
  // expected-error @below {{'tile.sort' op sorts along dimension 2 of rank 2}}
  %0 = tile.sort %t along 2 by 1 : tensor<8x64xf32> -> tensor<8x64xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8, 64]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %t = tile.load %x : !tile.ref<f32, [8, 64]> -> tensor<8x64xf32>
  %i = tile.iota 0 : tensor<64xi32>
  // expected-error @below {{'tile.sort' op sorts tiles of one shape, not 'tensor<8x64xf32>' and 'tensor<64xi32>'}}
  %0, %1 = tile.sort %t, %i along 0 by 1 : tensor<8x64xf32>, tensor<64xi32> -> tensor<8x64xf32>, tensor<64xi32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f8E4M3FN, [64]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %t = tile.load %x : !tile.ref<f8E4M3FN, [64]> -> tensor<64xf8E4M3FN>
  // expected-error @below {{'tile.sort' op does not compare 'f8E4M3FN'}}
  %0 = tile.sort %t along 0 by 1 : tensor<64xf8E4M3FN> -> tensor<64xf8E4M3FN>
  tile.return
}
// -----
tile.entry @f(%x: !tile.array<f32, 1>) attributes {qualified_name = "f"} {
  tile.launch "f_0" grid() args(inout %xr = %x : !tile.array<f32, 1>) {
    %c8 = arith.constant 8 : i64
    %t = tile.load %xr : !tile.ref<f32, [?]> -> tensor<?xf32>
    // expected-error @below {{'tile.sort' op must not have an extent in a program, whose tiles have extents of their own: load a smaller window}}
    %0 = tile.sort %t along 0 by 1 extent(%c8) : tensor<?xf32> -> tensor<?xf32>
    tile.yield
  }
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<!tile.stored<s4>, [64]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %i = tile.iota 0 : tensor<64xi32>
  %t = tile.load %x : !tile.ref<!tile.stored<s4>, [64]> -> tensor<64x!tile.stored<s4>>
  // expected-error @below {{'tile.sort' op moves no elements of less than a byte: 'tensor<64x!tile.stored<s4>>'}}
  %0, %1 = tile.sort %i, %t along 0 by 1 : tensor<64xi32>, tensor<64x!tile.stored<s4>> -> tensor<64xi32>, tensor<64x!tile.stored<s4>>
  tile.return
}
