// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Unrolling is not a matter of degree.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
// CHECK: unroll-count.cpp:[[@LINE+1]]:9: error: kernels unroll a loop fully or not at all: write #pragma unroll without a count, or with 1, not 4 [tegula-unroll-count]
#pragma unroll 4
        for (int i = 0; i < 8; ++i)
          o[i] = x[i];
#pragma unroll 1
        for (int i = 0; i < 8; ++i)
          o[i] = x[i];
      },
      tg::in(x), tg::out(o));
}
