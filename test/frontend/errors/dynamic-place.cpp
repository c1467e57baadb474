// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// All threads come to the loop, once.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::s64 n) {
  tg::kernel({.grid = {{"p", n}}, .threads = {"wg", 2}}, [=] {
    if (tg::axis_index("wg") == 0)
      // CHECK: dynamic-place.cpp:[[@LINE+1]]:7: error: all warpgroups of the CTA must run tg::dynamic_scheduling_loop, once: write it in the kernel's body itself, outside loops and conditions, and branch on the warpgroup inside it [tegula-dynamic-place]
      tg::dynamic_scheduling_loop({"p"}, {}, [](auto) {});
    for (int i = 0; i < n; ++i)
      // CHECK: dynamic-place.cpp:[[@LINE+1]]:7: error: all warpgroups of the CTA must run tg::dynamic_scheduling_loop, once
      tg::dynamic_scheduling_loop({"p"}, {}, [](auto) {});
  });
}
