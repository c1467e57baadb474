// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Recursion ends by a constant.
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: recursion.cpp:[[@LINE+1]]:58: error: calls of 'halve' nest more than 512 deep: the condition that ends a recursion must be a compile-time constant [tegula-recursion]
inline float halve(float v, int n) { return n == 0 ? v : halve(v / 2, n - 1); }
TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call([=](auto x, auto o) { o[0] = halve(x[0], n); }, tg::in(x), tg::out(o));
}
