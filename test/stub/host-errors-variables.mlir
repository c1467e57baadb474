// An entry returns what it made, whichever array that is; not what its caller passed.
// RUN: not tegulac --emit=stub %s -o %t 2>&1 | FileCheck %s
tile.entry @choice(%x: !tile.array<f32, 1> {tile.name = "x"}, %n: i64 {tile.name = "n"}, %which: i1 {tile.name = "which"}) -> !tile.array<f32, 1>
    attributes {qualified_name = "choice"} {
  %y = tile.empty(%n) : <f32, 1>
  %z = scf.if %which -> !tile.array<f32, 1> {
    scf.yield %x : !tile.array<f32, 1>
  } else {
    scf.yield %y : !tile.array<f32, 1>
  }
  // CHECK: host-errors-variables.mlir:[[@LINE+1]]:{{[0-9]+}}: error: an entry must return arrays that it made by tg::empty or tg::empty_like, each once
  tile.return %z : !tile.array<f32, 1>
}
