// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// An array has six dimensions, those of the batches included.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> x) {
  tg::vmap(
      [](auto x) {
        // CHECK: vmap-rank.cpp:[[@LINE+1]]:24: error: with the batches of tg::vmap the array has 7 dimensions, but at most 6 are allowed [tegula-vmap-rank]
        auto scratch = tg::empty<float>(1, 2, 3, 4, 5, 6);
        tg::pallas_call([](auto x, auto y) { x[] = y[0, 0, 0, 0, 0, 0]; }, tg::inout(x), tg::in(scratch));
      },
      tg::over(x, 0));
}
