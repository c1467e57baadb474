// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An elementwise op without its CPU meaning, its spelling in the language or its lowering is caught here.
// RUN: %python %S/Inputs/elementwise_complete.py %source | FileCheck %s
// CHECK: ops are complete
