// Which array is used cannot be decided at run time.
// RUN: not tegulac --emit=stub %s -o %t 2>&1 | FileCheck %s
tile.entry @choice(%x: !tile.array<f32, 1> {tile.name = "x"}, %y: !tile.array<f32, 1> {tile.name = "y"}, %which: i1 {tile.name = "which"}) -> i64
    attributes {qualified_name = "choice"} {
  // CHECK: host-errors-choice.mlir:[[@LINE+1]]:{{[0-9]+}}: error: an array cannot be chosen at run time: launch in both branches, or in the loop, instead
  %z = scf.if %which -> !tile.array<f32, 1> {
    scf.yield %x : !tile.array<f32, 1>
  } else {
    scf.yield %y : !tile.array<f32, 1>
  }
  %n = tile.dim %z, 0 : !tile.array<f32, 1>
  tile.return %n : i64
}
