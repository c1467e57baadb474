// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The default build has no benchmarks: their kernels stay ones that are compiled without a message.
// RUN: %python %S/Inputs/benchmarks.py tegulac %source | FileCheck %s
// CHECK-NOT: exit status
// CHECK: {{[1-9][0-9]*}} files
