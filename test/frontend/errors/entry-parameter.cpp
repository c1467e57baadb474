// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Entries take arrays and scalars.
#include <tegula/tegula.h>
namespace tg = tegula;

struct pair {
  int a, b;
};
// CHECK: entry-parameter.cpp:[[@LINE+3]]:27: error: an entry takes arrays, lists of arrays and scalars by value, each as a parameter of its own, but 'p' is of type 'pair' [tegula-entry-parameter]
// CHECK: entry-parameter.cpp:[[@LINE+2]]:51: error: an entry takes arrays, lists of arrays and scalars by value, each as a parameter of its own, but 'o' is of type 'tg::array<float, 1> &' [tegula-entry-parameter]
// CHECK: entry-parameter.cpp:[[@LINE+1]]:67: error: an entry takes arrays, lists of arrays and scalars by value, each as a parameter of its own, but 'x' is of type 'const float *' [tegula-entry-parameter]
TEGULA_KERNEL void f(pair p, tg::array<float, 1> &o, const float *x, const tg::array<float, 1> &y) {}
