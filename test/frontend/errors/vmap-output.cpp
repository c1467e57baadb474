// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// An array that all slices write to.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 1> o, tg::array<float, 2> both) {
  tg::vmap(
      [&](auto x, auto both) {
        // CHECK: vmap-output.cpp:[[@LINE+1]]:85: error: every call under tg::vmap would write to this same array: give tg::vmap its slices, tg::over(o, axis), or make the array in the function [tegula-vmap-output]
        tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all]; }, tg::in(x), tg::out(o));
        tg::vmap(
            [&](auto element) {
              // CHECK: vmap-output.cpp:[[@LINE+1]]:66: error: every call under tg::vmap would write to this same array: give tg::vmap its slices, tg::over(o, axis), or make the array in the function [tegula-vmap-output]
              tg::pallas_call([=](auto o) { o[0] = element[]; }, tg::inout(both));
            },
            tg::over(x, 0));
      },
      tg::over(x, 0), tg::over(both, 0));
}
