// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Entries take arrays and scalars.
#include <tegula/tegula.h>
namespace tg = tegula;

struct pair {
  int a, b;
};
// CHECK: entry-parameter.cpp:[[@LINE+3]]:27: error: an entry takes arrays and scalars by value, but 'p' is 'pair': pass the parts of a struct one by one [tegula-entry-parameter]
// CHECK: entry-parameter.cpp:[[@LINE+2]]:51: error: an entry takes arrays and scalars by value, but 'o' is 'tg::array<float, 1> &': pass the parts of a struct one by one [tegula-entry-parameter]
// CHECK: entry-parameter.cpp:[[@LINE+1]]:67: error: an entry takes arrays and scalars by value, but 'x' is 'const float *': pass the parts of a struct one by one [tegula-entry-parameter]
TEGULA_KERNEL void f(pair p, tg::array<float, 1> &o, const float *x, const tg::array<float, 1> &y) {}
