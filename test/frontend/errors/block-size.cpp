// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Blocks are not empty.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      // CHECK: block-size.cpp:[[@LINE+1]]:68: error: a block has a positive size, not 0 [tegula-block-size]
      {.grid = {n}}, [](auto o) { o[tg::all] = 1.0f; }, tg::out(o, {0}, [](auto i) { return tg::index(i); }));
}
