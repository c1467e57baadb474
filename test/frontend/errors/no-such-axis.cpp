// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Axes are checked.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      {.grid = {4, 4}},
      [=](auto x, auto o) {
        // CHECK: no-such-axis.cpp:[[@LINE+1]]:50: error: there is no grid axis 2: the grid has 2 axes [tegula-no-such-axis]
        o[0] = static_cast<float>(tg::program_id(2));
        // CHECK: no-such-axis.cpp:[[@LINE+1]]:52: error: there is no grid axis -1: the grid has 2 axes [tegula-no-such-axis]
        o[1] = static_cast<float>(tg::num_programs(-1));
      },
      tg::in(x), tg::out(o));
  // CHECK: no-such-axis.cpp:[[@LINE+2]]:{{[0-9]+}}: error: there is no grid axis 1: the grid has 1 axes [tegula-no-such-axis]
  tg::pallas_call(
      {.grid = {4}, .dimension_semantics = {tg::parallel, tg::sequential}},
      [=](auto x, auto o) { o[0] = x[0]; }, tg::in(x), tg::out(o));
}
