// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Slices in variables that change: said once each, and nothing of what follows from it.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL tg::array<float, 2> f(tg::array<const float, 2> x, int n) {
  return tg::vmap(
      [=](auto x) {
        // CHECK: vmap-swap.cpp:[[@LINE+1]]:18: error: an array made under tg::vmap cannot be assigned to a variable that changes: declare another variable, and return once [tegula-vmap-variable]
        auto a = tg::empty_like(x);
        // CHECK: vmap-swap.cpp:[[@LINE+1]]:18: error: an array made under tg::vmap cannot be assigned to a variable that changes: declare another variable, and return once [tegula-vmap-variable]
        auto b = tg::empty_like(x);
        for (int i = 0; i < n; ++i) {
          tg::pallas_call([](auto a, auto b) { b[tg::all] = 2.F * a[tg::all]; }, tg::in(a), tg::out(b));
          const auto t = a;
          a = b;
          b = t;
        }
        return a;
      },
      tg::over(x, 0));
}
