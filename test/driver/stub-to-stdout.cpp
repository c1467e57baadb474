// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two files cannot be printed as one.
// RUN: not tegulac --emit=stub -o - %s 2>&1 | FileCheck %s
// CHECK: tegulac: error: a stub consists of two files, a header and a source: name them, as in -o out/kernels
// CHECK-NOT: {{.}}
