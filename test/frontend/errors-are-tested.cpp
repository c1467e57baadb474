// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %python %S/errors_are_tested.py %source/compiler/frontend/diagnostics/Diagnostics.def %S/errors | FileCheck %s
// CHECK: {{[0-9]+}} messages, 0 without a test
