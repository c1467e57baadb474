// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// A tile is not one truth value.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: tile-condition.cpp:[[@LINE+1]]:13: error: a tile is not a single bool: choose per element by tg::where(condition, a, b)
        if (x[tg::all] > 0.0f)
          return;
      },
      tg::in(x), tg::out(o));
}
