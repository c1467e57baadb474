// What an entry may do with arrays, and may not.
// RUN: not tegulac --emit=stub %s -o %t 2>&1 | FileCheck %s
// RUN: not ls %t.cpp

// CHECK: host-errors.mlir:[[@LINE+2]]:{{[0-9]+}}: error: an entry must return arrays that it made by tg::empty or tg::empty_like, each once
tile.entry @identity(%x: !tile.array<f32, 1> {tile.name = "x"}) -> !tile.array<f32, 1> attributes {qualified_name = "identity"} {
  tile.return %x : !tile.array<f32, 1>
}
