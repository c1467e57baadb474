// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Code has an end.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
#pragma unroll
        // CHECK: unroll-size.cpp:[[@LINE+1]]:27: error: a loop is unrolled by at most 4096 iterations: remove #pragma unroll, so that it runs as a loop [tegula-unroll-size]
        for (int i = 0; i < 100000; ++i)
          (void)n;
      },
      tg::in(x), tg::out(o));
}
