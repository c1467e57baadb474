// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A dimension that is whole is not counted.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      // CHECK: index-map-of-whole.cpp:[[@LINE+1]]:57: error: dimension 0 of the block is tg::whole, so there is one block along it: its index must be the constant 0, not a run-time value [tegula-index-map-of-whole]
      {.grid = {n}}, [](auto o) { o[tg::all] = 1.0f; }, tg::out<tg::whole>(o, [](auto i) { return tg::index(i); }));
}
