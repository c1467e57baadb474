// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tables are not.
// RUN: tegula-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{a table has rank 1 to 6, not 0}}
tile.entry @numbers(%x: !tile.array<f32, 0, table>) attributes {qualified_name = "numbers"} {
  tile.return
}

// -----

// expected-error @+1 {{dimension 0 of a table counts its arrays; its extent must not be fixed to 1}}
tile.kernel @one(%x: !tile.ref<f32, [1?, 8], table>) attributes {group = 32 : i64, threads = 32 : i64} {
  tile.return
}

// -----

tile.kernel @stays(%x: !tile.ref<f32, [?, ?], table>) attributes {group = 32 : i64, threads = 32 : i64} {
  %i = arith.constant 0 : i64
  // expected-error @+1 {{is a window of one array, its result is not}}
  %row = "tile.slice"(%x, %i) <{modes = array<i32: 2, 0>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (!tile.ref<f32, [?, ?], table>, i64) -> !tile.ref<f32, [?], table>
  tile.return
}

// -----

tile.kernel @leaves(%x: !tile.ref<f32, [?, ?], table>) attributes {group = 32 : i64, threads = 32 : i64} {
  %i = arith.constant 0 : i64
  // expected-error @+1 {{is a window of several arrays, its result is not}}
  %two = tile.slice %x[window %i, whole] : <f32, [?, ?], table> -> <f32, [2?, ?]>
  tile.return
}

// -----

tile.entry @flat(%x: !tile.array<f32, 2, table>) attributes {qualified_name = "flat"} {
  // expected-error @+1 {{makes a row of one array, not of a table}}
  %row = tile.flatten %x : !tile.array<f32, 2, table> -> !tile.array<f32, 1>
  tile.return
}

// -----

tile.entry @map(%x: !tile.array<f32, 2, table>) attributes {qualified_name = "map"} {
  // expected-error @+1 {{maps one array, not a table}}
  %can = tile.can_map %x box [8, 32] swizzle 128 : !tile.array<f32, 2, table>
  tile.return
}
