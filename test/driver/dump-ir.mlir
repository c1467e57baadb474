// RUN: tegulac %s --dump-ir=tile-split --emit=tile-split -o /dev/null 2>&1 | FileCheck %s
// RUN: not tegulac %s --dump-ir=tile-spilt --emit=tile-split -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// CHECK: IR Dump After {{.*}}tile-split
// CHECK-NOT: IR Dump
// UNKNOWN: tegulac: error: no pass is called 'tile-spilt'; there are tile-check-tables, tile-promote-variables, tile-uplift-loops, tile-sink-takes, canonicalize, cse, {{.*}}tile-split, {{.*}}tile-lower-to-llvm
tile.entry @nothing() attributes {qualified_name = "nothing"} {
  tile.return
}
