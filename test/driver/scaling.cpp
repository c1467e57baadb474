// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The time to compile grows no faster than the program, of whatever the program has many, and long ones compile.
// RUN: %python %S/Inputs/scaling.py tegulac %t | FileCheck %s
// CHECK-NOT: a fault
// CHECK: 9 kinds grow, 7 are long, 0 faults
