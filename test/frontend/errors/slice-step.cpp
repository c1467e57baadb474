// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Parts go forward.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::pallas_call(
      [](auto x, auto o) {
        const auto t = x[tg::ds<64>(0)];
        // CHECK: slice-step.cpp:[[@LINE+1]]:24: error: the step of a slice must be 1 or more, not 0: to reverse a tile, use tg::flip [tegula-slice-step]
        o[tg::all] = x[tg::ds<8>(0, 0)];
        // CHECK: slice-step.cpp:[[@LINE+1]]:11: error: the step of a slice must be 1 or more, not -2: to reverse a tile, use tg::flip [tegula-slice-step]
        o[tg::ds(8, 4, -2)] = 1;
        // CHECK: slice-step.cpp:[[@LINE+1]]:24: error: the step of a slice must be 1 or more, not -1: to reverse a tile, use tg::flip [tegula-slice-step]
        o[tg::all] = t[tg::ds<8>(0, -1)];
        // CHECK: slice-step.cpp:[[@LINE+1]]:24: error: index 64 is out of bounds for an extent of 64 [tegula-index]
        o[tg::all] = t[tg::ds<8>(1, 9)];
      },
      tg::in(x), tg::inout(o));
}
