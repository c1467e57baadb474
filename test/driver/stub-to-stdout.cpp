// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two files cannot be printed as one.
// RUN: not tegulac --emit=stub -o - %s 2>&1 | FileCheck %s
// CHECK: tegulac: error: a stub is two files, a header and a source: say where, as in -o out/kernels
// CHECK-NOT: {{.}}
