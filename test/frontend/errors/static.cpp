// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Programs share no state; a constant may be static.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        static constexpr int first = 0;
        // CHECK: static.cpp:[[@LINE+1]]:20: error: 'calls' is a static variable, but programs share no state: make it constexpr, or a local variable [tegula-static]
        static int calls = 0;
        o[first] = x[calls];
      },
      tg::in(x), tg::out(o));
}
