// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A run-time extent does not meet a static one.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> y, tg::array<float, 1> o) {
  tg::pallas_call(
      [=](auto x, auto y, auto o) {
        // CHECK: mixed-extents.cpp:[[@LINE+1]]:33: error: an extent known at run time is combined with a static extent of 64 along dimension 0: use blocks of the same kind for both arrays [tegula-mixed-extents]
        o[tg::all] = x[tg::all] + y[tg::all];
        // CHECK: mixed-extents.cpp:[[@LINE+1]]:20: error: an extent known at run time is combined with a static extent of 64 along dimension 0: use blocks of the same kind for both arrays [tegula-mixed-extents]
        o[tg::all] = y[tg::all];
        // CHECK: mixed-extents.cpp:[[@LINE+1]]:20: error: an extent known at run time is combined with a static extent of 64 along dimension 0: use blocks of the same kind for both arrays [tegula-mixed-extents]
        y[tg::all] += x[tg::all];
        // CHECK: mixed-extents.cpp:[[@LINE+1]]:9: error: an extent known at run time is combined with a static extent of 64 along dimension 1: use blocks of the same kind for both arrays [tegula-mixed-extents]
        tg::dot(x[tg::newaxis, tg::all], y[tg::all, tg::newaxis]);
      },
      tg::in(x), tg::inout<64>(y, [] { return tg::index(0); }), tg::out(o));
}
