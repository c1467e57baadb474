// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A variable that begins with an array of another constness keeps it.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::array<const float, 1> y = o;
  // CHECK: const-array-assigned.cpp:[[@LINE+1]]:5: error: a variable that holds an array of const elements keeps it: declare a new variable [tegula-const-array-assigned]
  y = x;
  tg::pallas_call([](auto y) { (void)y[0]; }, tg::in(y));
}
