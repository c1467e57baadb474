// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// volatile means nothing here.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: volatile.cpp:[[@LINE+1]]:22: error: 'k' is volatile, which has no meaning in a kernel: remove volatile [tegula-volatile]
        volatile int k = n;
        o[0] = x[k];
      },
      tg::in(x), tg::out(o));
}
