// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The default build has no benchmarks: their kernels are split without a message all the same.
// RUN: %python %S/Inputs/benchmarks.py tegulac %source %t | FileCheck %s
// CHECK-NOT: exit status
// CHECK: {{[1-9][0-9]*}} files
