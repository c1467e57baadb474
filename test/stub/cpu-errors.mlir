// An op that no program consists of is an error at its place, and nothing is written.
// RUN: rm -f %t.h
// RUN: not tegulac --emit=cpu %s -o %t.h 2>&1 | FileCheck %s
// RUN: not ls %t.h
tile.entry @wide(%a0: i64 {tile.name = "a"}) attributes {qualified_name = "wide"} {
  tile.launch "wide_0" grid() args(scalar %a = %a0 : i64) {
    // CHECK: cpu-errors.mlir:[[@LINE+1]]:{{[0-9]+}}: error: this 'mulsi_extended' is not allowed in an entry
    %low, %high = arith.mulsi_extended %a, %a : i64
    tile.debug_print "{} {}", %low, %high : i64, i64
    tile.yield
  }
  tile.return
}
