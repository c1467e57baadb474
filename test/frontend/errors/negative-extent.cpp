// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// An extent that is a constant is not negative.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> o) {
  constexpr int n = 3;
  tg::pallas_call(
      [=](auto o) {
        // CHECK: negative-extent.cpp:[[@LINE+1]]:41: error: an extent of a tile must be 0 or more, not -1, and is not inferred: the extent of a slice is t.dim(0), the number of elements of a matrix t.dim(0) * t.dim(1) [tegula-negative-extent]
        o[tg::all] = tg::zeros<float>(n - 4);
        // As the message says:
        o[tg::all] = tg::zeros<float>(o.dim(0));
      },
      tg::out(o));
}
