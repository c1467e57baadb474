// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A const global is one if its value is known.
#include <tegula/tegula.h>
namespace tg = tegula;

int where();
const int position = where();
TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  // CHECK: not-a-constant.cpp:[[@LINE+1]]:50: error: the value of 'position' is not a compile-time constant: make it constexpr, or a parameter of the entry [tegula-not-a-constant]
  tg::pallas_call([=](auto x, auto o) { o[0] = x[position]; }, tg::in(x), tg::out(o));
}
