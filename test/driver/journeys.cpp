// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every journey of compiler/README.md touches the files that it names, and no others.
// RUN: %python %S/Inputs/journeys.py %source | FileCheck %s
// CHECK: 4 journeys, 0 differ
