// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR's own parser crashes on a loop whose bounds its body defines: that is a message, too.
// RUN: not tegulac --emit=ptx %s -o - 2>&1 | FileCheck %s
// CHECK: tegulac: error: '{{.*}}unreadable-ir.mlir' is not tile IR: MLIR's parser cannot read it
tile.entry @f(%n: i32) attributes {qualified_name = "f"} {
  scf.for %i = %first to %n step %step : i32 {
    %first = arith.constant 0 : i32
    %step = arith.constant 1 : i32
  }
  tile.return
}
