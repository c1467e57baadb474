// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// The function of vmap takes what vmap is given.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL tg::array<float, 2> f(tg::array<const float, 2> x) {
  const auto first = [](auto x, auto y) { return tg::empty_like(x); };
  const auto nothing = [] {};
  // CHECK: vmap-arity.cpp:[[@LINE+2]]:7: error: the function of tg::vmap takes one parameter per argument that follows it, sliced by tg::over or not
  // CHECK: vmap-arity.cpp:[[@LINE-2]]:24: note: candidate function not viable: requires 0 arguments, but 1 was provided
  tg::vmap(nothing, tg::over(x, 0));
  // CHECK: vmap-arity.cpp:[[@LINE+2]]:14: error: the function of tg::vmap takes one parameter per argument that follows it, sliced by tg::over or not
  // CHECK: vmap-arity.cpp:[[@LINE-6]]:22: note: candidate function template not viable: requires 2 arguments, but 1 was provided
  return tg::vmap(first, tg::over(x, 0));
}
