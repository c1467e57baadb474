// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// The tiles of an expression have one element type.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  // CHECK: element-types.cpp:[[@LINE+1]]:82: error: the tiles differ in element type: convert one with tg::astype<...>(tile)
  tg::pallas_call([=](auto x, auto o) { o[tg::all] = tg::astype<int>(x[tg::all]) + x[tg::all]; }, tg::in(x),
                  tg::out(o));
}
