// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor maps are of the arguments of a plan: its launch says whether they are written.
// RUN: not tegulac --emit=stub %s -o %t 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not ls %t.cpp

// CHECK: host-errors-maps.mlir:[[@LINE+2]]:{{[0-9]+}}: error: this 'can_map' is of an argument of a launch's plan, which says whether the array is written
tile.entry @asks(%x: !tile.array<f32, 1> {tile.name = "x"}) attributes {qualified_name = "asks"} {
  %c = tile.can_map %x box [64] swizzle 16 : !tile.array<f32, 1>
  tile.check %c, "x cannot be copied"
  tile.return
}
