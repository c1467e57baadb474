// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// A ref is not its value.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: forgot-load.cpp:[[@LINE+1]]:24: error: a ref is a place, not a value: load it, ref[tg::all]
        o[tg::all] = x + 1.0f;
        // CHECK: forgot-load.cpp:[[@LINE+1]]:26: error: a ref is a place, not a value: load it, ref[tg::all]
        o[tg::all] = tg::exp(x);
      },
      tg::in(x), tg::out(o));
}
