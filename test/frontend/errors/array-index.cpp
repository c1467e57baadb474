// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Constant indices are checked.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        const float a[2] = {x[0], x[1]};
#pragma unroll
        for (int i = 0; i < 3; ++i)
          // CHECK: array-index.cpp:[[@LINE+1]]:20: error: index 2 is out of bounds for an array of 2 elements [tegula-array-index]
          o[i] = a[i];
      },
      tg::in(x), tg::out(o));
}
