// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Globals are constants.
#include <tegula/tegula.h>
namespace tg = tegula;

int position = 0;
TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  // CHECK: mutable-global.cpp:[[@LINE+1]]:50: error: 'position' is a global variable that can change: make it constexpr, or pass its value as a parameter of the entry [tegula-mutable-global]
  tg::pallas_call([=](auto x, auto o) { o[0] = x[position]; }, tg::in(x), tg::out(o));
}
