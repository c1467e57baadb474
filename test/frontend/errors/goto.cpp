// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Control flow is structured.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: goto.cpp:[[@LINE+1]]:9: error: a kernel's control flow is structured: write if, for, while, break, continue or return instead of goto [tegula-goto]
        again:
          o[0] = x[0];
          if (n)
            // CHECK: goto.cpp:[[@LINE+1]]:13: error: a kernel's control flow is structured: write if, for, while, break, continue or return instead of goto [tegula-goto]
            goto again;
      },
      tg::in(x), tg::out(o));
}
