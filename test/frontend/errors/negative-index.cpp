// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Indices do not count from the end.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: negative-index.cpp:[[@LINE+1]]:18: error: the index -1 lies before the array: indices do not count from the end; x.dim(axis) - 1 is the last [tegula-negative-index]
        o[0] = x[-1];
        // CHECK: negative-index.cpp:[[@LINE+1]]:11: error: the index -2 lies before the array: indices do not count from the end; x.dim(axis) - 1 is the last [tegula-negative-index]
        o[tg::ds<2>(-2)] = 1.0f;
      },
      tg::in(x), tg::out(o));
}
