// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Steps are the points of the grid.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::s64 m, tg::s64 n) {
  tg::kernel({.grid = {{"m", m}, {"n", n}}, .cluster = {{"c", 2}}}, [=] {
    // CHECK: dynamic-axes.cpp:[[@LINE+1]]:33: error: tg::dynamic_scheduling_loop iterates over the grid of the kernel: name all of its axes, each once, and no others [tegula-dynamic-axes]
    tg::dynamic_scheduling_loop({"m"}, {}, [](auto) {});
    // CHECK: dynamic-axes.cpp:[[@LINE+1]]:33: error: tg::dynamic_scheduling_loop iterates over the grid of the kernel
    tg::dynamic_scheduling_loop({"m", "m"}, {}, [](auto) {});
    // CHECK: dynamic-axes.cpp:[[@LINE+1]]:33: error: tg::dynamic_scheduling_loop iterates over the grid of the kernel
    tg::dynamic_scheduling_loop({"m", "n", "c"}, {}, [](auto) {});
    // CHECK: dynamic-axes.cpp:[[@LINE+1]]:33: error: {{.*}}"k"
    tg::dynamic_scheduling_loop({"m", "k"}, {}, [](auto) {});
    // CHECK: dynamic-axes.cpp:[[@LINE+1]]:45: error: .tiling must have one extent of 1 or
    tg::dynamic_scheduling_loop({"m", "n"}, {.tiling = {8}}, [](auto) {});
  });
}
