// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Constants are checked.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr int zero = 0;
TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: division-by-zero.cpp:[[@LINE+1]]:20: error: the divisor is zero [tegula-division-by-zero]
        o[0] = x[n / zero];
        // CHECK: division-by-zero.cpp:[[@LINE+1]]:20: error: the divisor is zero [tegula-division-by-zero]
        o[1] = x[n % zero];
      },
      tg::in(x), tg::out(o));
}
