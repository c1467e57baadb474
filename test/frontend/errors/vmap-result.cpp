// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// What vmap stacks is made inside.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL tg::array<float, 2> f(tg::array<float, 2> x, tg::array<float, 1> o) {
  // CHECK: vmap-result.cpp:[[@LINE+1]]:9: error: the function of tg::vmap must return an array that it makes itself, by tg::empty or tg::empty_like: this one is not [tegula-vmap-result]
  (void)tg::vmap([](auto x) { return x; }, tg::over(x, 0));
  // CHECK: vmap-result.cpp:[[@LINE+1]]:10: error: the function of tg::vmap must return an array that it makes itself, by tg::empty or tg::empty_like: this one is not [tegula-vmap-result]
  return tg::vmap([&](auto) { return o; }, tg::over(x, 0));
}
