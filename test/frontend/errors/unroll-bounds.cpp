// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// What is unrolled has constant bounds.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
#pragma unroll
        // CHECK: unroll-bounds.cpp:[[@LINE+1]]:27: error: an unrolled loop must count its own variables between compile-time constants, for (int i = 0; i < 4; ++i): remove #pragma unroll, or make the bounds constant [tegula-unroll-bounds]
        for (int i = 0; i < n; ++i)
          o[i] = x[i];
#pragma unroll
        // CHECK: unroll-bounds.cpp:[[@LINE+1]]:18: error: an unrolled loop must count its own variables between compile-time constants, for (int i = 0; i < 4; ++i): remove #pragma unroll, or make the bounds constant [tegula-unroll-bounds]
        for (int i = n; i < 4; ++i)
          o[i] = x[i];
        int k = 0;
#pragma unroll
        // CHECK: unroll-bounds.cpp:[[@LINE+1]]:9: error: an unrolled loop must count its own variables between compile-time constants, for (int i = 0; i < 4; ++i): remove #pragma unroll, or make the bounds constant [tegula-unroll-bounds]
        while (k < 4)
          o[k] = x[k++];
      },
      tg::in(x), tg::out(o));
}
