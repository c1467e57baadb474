// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A variable that is never set.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        int k;
        // CHECK: uninitialized.cpp:[[@LINE+1]]:18: error: this variable has no value here: initialise it where it is declared [tegula-uninitialized]
        o[0] = x[k];
      },
      tg::in(x), tg::out(o));
}
