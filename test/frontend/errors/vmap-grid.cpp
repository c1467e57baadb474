// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A grid has six axes, those of the batches included.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> x) {
  tg::vmap(
      [](auto x) {
        // CHECK: vmap-grid.cpp:[[@LINE+1]]:9: error: with the axes of tg::vmap the grid has 7 axes, but at most 6 are allowed [tegula-vmap-grid]
        tg::pallas_call({.grid = {1, 1, 1, 1, 1, 1}}, [](auto x) { x[] = 0.0f; }, tg::inout(x));
      },
      tg::over(x, 0));
}
