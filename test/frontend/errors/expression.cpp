// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// What is not understood is named.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  // CHECK: expression.cpp:[[@LINE+1]]:50: error: kernels cannot run this expression: compute it from scalars, tiles, structs and function calls [tegula-expression]
  tg::pallas_call([=](auto x, auto o) { o[0] = x[({ n + 1; })]; }, tg::in(x), tg::out(o));
}
