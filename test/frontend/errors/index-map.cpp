// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A map takes one index per axis.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      // CHECK: index-map.cpp:[[@LINE+1]]:60: error: the index map takes 1 indices, but the grid has 2 axes: an index map takes one index per axis [tegula-index-map]
      {.grid = {n, n}}, [](auto o) { o[tg::all] = 1.0f; }, tg::out<8>(o, [](auto i) { return tg::index(i); }));
}
