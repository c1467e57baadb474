// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Constants are checked.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr int width = 32;
TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: shift.cpp:[[@LINE+1]]:20: error: an integer of 32 bits can be shifted by 0 to 31, not by 32 [tegula-shift]
        o[0] = x[n << width];
        // CHECK: shift.cpp:[[@LINE+1]]:20: error: an integer of 32 bits can be shifted by 0 to 31, not by -1 [tegula-shift]
        o[1] = x[n >> -1];
      },
      tg::in(x), tg::out(o));
}
