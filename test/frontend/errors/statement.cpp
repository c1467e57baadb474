// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// What is not understood is named.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: statement.cpp:[[@LINE+1]]:9: error: kernels cannot run this statement: write it with if, for, while and local variables [tegula-statement]
        while (int left = n)
          o[0] = x[left];
      },
      tg::in(x), tg::out(o));
}
