// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A slice is known while the entry is imported: no variable chooses between slices.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 2> x, tg::array<float, 2> y, bool first) {
  // CHECK: vmap-variable.cpp:[[@LINE+1]]:3: error: an array made under tg::vmap cannot be assigned to a variable that changes: declare another variable, and return once [tegula-vmap-variable]
  tg::vmap(
      [=](auto x, auto y) {
        auto chosen = x;
        if (!first)
          chosen = y;
        tg::pallas_call([](auto o) { o[tg::all] = 1.0f; }, tg::out(y));
      },
      tg::over(x, 0), tg::over(y, 0));
}
