// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Axes are checked.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  // CHECK: no-such-dimension.cpp:[[@LINE+1]]:73: error: there is no dimension 1: the rank is 1 [tegula-no-such-dimension]
  tg::pallas_call([=](auto x, auto o) { o[0] = static_cast<float>(x.dim(1)); }, tg::in(x), tg::out(o));
}
