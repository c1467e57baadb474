// What the compiler says of its own ops, it says in words that do not ask to know them.
// RUN: not tegulac %s --emit=tile -o /dev/null 2>&1 | FileCheck %s
// CHECK: messages.mlir:[[@LINE+3]]:3: error: this 'set_max_registers' sets a multiple of 8 from 24 to 256 registers, not 25
// CHECK-NOT: ' op
tile.kernel @k() attributes {threads = 128 : i64, group = 128 : i64} {
  tile.set_max_registers 25
  tile.return
}
