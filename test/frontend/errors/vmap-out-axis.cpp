// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// The batch stands at an axis of the result.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL tg::array<float, 2> f(tg::array<const float, 2> x) {
  const auto make = [](auto x) { return tg::empty_like(x); };
  // CHECK: vmap-out-axis.cpp:[[@LINE+1]]:9: error: the function returns an array of 1 dimensions, so .out_axis must be 0 to 1, not 2 [tegula-vmap-out-axis]
  (void)tg::vmap({.out_axis = 2}, make, tg::over(x, 0));
  // CHECK: vmap-out-axis.cpp:[[@LINE+1]]:10: error: the function returns an array of 1 dimensions, so .out_axis must be 0 to 1, not -1 [tegula-vmap-out-axis]
  return tg::vmap({.out_axis = -1}, make, tg::over(x, 0));
}
