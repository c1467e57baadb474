// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t && mkdir -p %t && cp %samples/iota/kernels.cpp %t/k.cpp
// RUN: not tegulac %t/k.cpp --arch sm_90a -o %t/k 2>&1 | FileCheck %s
// RUN: diff %t/k.cpp %samples/iota/kernels.cpp
// RUN: not ls %t/k.h
// CHECK: tegulac: error: the output would replace its own input, {{.*}}k.cpp: give -o another name
