// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not tegulac --emit=tile -DLOOP %s 2>&1 | FileCheck %s --check-prefix=LOOP --implicit-check-not=error:
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

// What Clang knows before anything runs.
#ifdef LOOP
TEGULA_KERNEL void in_loop(tg::array<float, 1> o) {
  tg::pallas_call(
      [](auto o) {
        float sum;
        for (int i = 0; i < 3; ++i)
          // LOOP: uninitialized.cpp:[[@LINE+1]]:11: error: this variable has no value here: initialise it where it is declared
          sum += 1.F;
        o[0] = sum;
      },
      tg::out(o));
}
#endif
