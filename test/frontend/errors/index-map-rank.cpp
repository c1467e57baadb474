// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A map that takes any number of indices gives one per dimension all the same.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      // CHECK: index-map-rank.cpp:[[@LINE+1]]:60: error: the index map returns 2 coordinates, but the array has 1 dimensions: tg::index(...) has one per dimension [tegula-index-map-rank]
      {.grid = {n, n}}, [](auto o) { o[tg::all] = 1.0f; }, tg::out<8>(o, [](auto... i) { return tg::index(i...); }));
}
