// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The accuracy of each function that the language's header states is what the tests of kernels allow.
// RUN: %python %S/accuracy.py %source | FileCheck %s
// CHECK: 26 functions, 0 complaints
// RUN: %python %S/accuracy.py %source %S/Inputs/inaccurate.h | FileCheck %s --check-prefix=FOUND
// FOUND: exp is stated to be within 1 and 2 units, and tested for 2 and 2
// FOUND-NEXT: gamma is stated to be within 4 and 4 units, and tested for nothing
// FOUND-NEXT: 3 functions, 2 complaints
