// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// A block of tg::in is read only.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: store-to-input.cpp:[[@LINE+1]]:20: error: this place is read-only: it is a block of tg::in, an array of const elements, or a const variable
        x[tg::all] = o[tg::all];
        // CHECK: store-to-input.cpp:[[@LINE+1]]:14: error: this place is read-only: a block of tg::in, or an array of const elements
        x[0] = 1.0f;
        // CHECK: store-to-input.cpp:[[@LINE+1]]:20: error: this place is read-only: it is a block of tg::in, an array of const elements, or a const variable
        x[tg::all] += 1.0f;
      },
      tg::in(x), tg::out(o));
}
