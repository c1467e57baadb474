// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No kernel of a sample has to keep registers in memory, on any architecture that the sample is built for.
// RUN: %python %S/no_spills.py %samples %built_samples | FileCheck %s
// CHECK: {{[0-9]+}} kernels, 0 spill
