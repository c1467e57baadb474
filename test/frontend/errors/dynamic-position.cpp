// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A block that takes steps has no place of its own.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> x, tg::s64 n) {
  tg::kernel({.grid = {{"p", n}}, .threads = {"wg", 2}}, [=] {
    // CHECK: dynamic-position.cpp:[[@LINE+1]]:35: error: the CTAs of this kernel take the points of its grid in tg::dynamic_scheduling_loop, and have no index in the grid themselves: use the index of a step, step.index [tegula-dynamic-position]
    const auto p = tg::axis_index("p");
    tg::dynamic_scheduling_loop({"p"}, {}, [&](auto step) {
      // The number of the thread, and the size of the grid, are as ever.
      x[step.index[0]] = tg::astype<float>(p + tg::axis_index("wg") + tg::axis_size("p"));
      // CHECK: dynamic-position.cpp:[[@LINE+1]]:47: error: the CTAs of this kernel take the points of its grid in
      x[p] = tg::astype<float>(tg::axis_index("p"));
    });
    // CHECK: dynamic-position.cpp:[[@LINE+1]]:22: error: the CTAs of this kernel take the points of its grid in
    tg::nd_loop({n}, {.collective_axes = {"p"}}, [](auto) {});
  });
}
