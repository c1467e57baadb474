// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Axes are named as the kernel names them.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::s64 n) {
  tg::kernel({.grid = {{"m", n}}, .threads = {"wg", 2}}, [=] {
    constexpr tg::axis typo = "mm";
    (void)tg::axis_index("wg");
    // CHECK: axis-name.cpp:[[@LINE+1]]:26: error: no axis of the kernel is called "mm": it has "m", "wg" [tegula-axis-name]
    (void)tg::axis_index(typo);
    // CHECK: axis-name.cpp:[[@LINE+1]]:22: error: no axis of the kernel is called "cluster": it has "m", "wg" [tegula-axis-name]
    tg::nd_loop({n}, {.collective_axes = {"cluster"}}, [](auto) {});
  });
  // CHECK: axis-name.cpp:[[@LINE+1]]:40: error: no axis of the kernel is called "m": it has none [tegula-axis-name]
  tg::kernel([=] { (void)tg::axis_size("m"); });
}
