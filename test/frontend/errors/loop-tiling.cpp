// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A tiling is of the loop's axes.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::s64 m, tg::s64 n) {
  tg::kernel([=] {
    // CHECK: loop-tiling.cpp:[[@LINE+1]]:25: error: .tiling must have one extent of 1 or more for each axis of the loop, 2 here: not {4} [tegula-loop-tiling]
    tg::nd_loop({m, n}, {.tiling = {4}}, [](auto) {});
    // CHECK: loop-tiling.cpp:[[@LINE+1]]:25: error: .tiling must have one extent of 1 or more for each axis of the loop, 2 here: not {4, 2, 2} [tegula-loop-tiling]
    tg::nd_loop({m, n}, {.tiling = {4, 2, 2}}, [](auto) {});
    // CHECK: loop-tiling.cpp:[[@LINE+1]]:25: error: .tiling must have one extent of 1 or more for each axis of the loop, 2 here: not {0, 2} [tegula-loop-tiling]
    tg::nd_loop({m, n}, {.tiling = {0, 2}}, [](auto) {});
    // CHECK: loop-tiling.cpp:[[@LINE+1]]:25: error: .tiling must be a compile-time constant: write a literal
    tg::nd_loop({m, n}, {.tiling = {m, 2}}, [](auto) {});
  });
}
