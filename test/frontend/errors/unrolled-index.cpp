// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// The head of an unrolled loop changes its index.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
          if (x[i] > 0.0f)
            // CHECK: unrolled-index.cpp:[[@LINE+1]]:15: error: the index of an unrolled loop may change only in the head of the loop: use another variable, or remove #pragma unroll [tegula-unrolled-index]
            i += 1;
      },
      tg::in(x), tg::out(o));
}
