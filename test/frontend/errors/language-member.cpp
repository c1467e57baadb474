// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// The fields of the language's classes are not part of it.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        const tg::f16 half = x[0];
        // CHECK: language-member.cpp:[[@LINE+1]]:21: error: 'bits' is internal to the header: use the functions of tegula/tegula.h [tegula-language-member]
        o[0] = half.bits;
      },
      tg::in(x), tg::out(o));
}
