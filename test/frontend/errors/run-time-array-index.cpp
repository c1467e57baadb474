// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// The elements of a C array are variables.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        const float a[2] = {x[0], x[1]};
        // CHECK: run-time-array-index.cpp:[[@LINE+1]]:18: error: the elements of a C array are separate variables, so this index must be a compile-time constant: use #pragma unroll or tg::static_for for the loop around it, or a tile [tegula-run-time-array-index]
        o[0] = a[n];
        for (int i = 0; i < 2; ++i)
          // CHECK: run-time-array-index.cpp:[[@LINE+1]]:20: error: the elements of a C array are separate variables, so this index must be a compile-time constant: use #pragma unroll or tg::static_for for the loop around it, or a tile [tegula-run-time-array-index]
          o[i] = a[i];
#pragma unroll
        for (int i = 0; i < 2; ++i)
          o[i] = a[i];
      },
      tg::in(x), tg::out(o));
}
