// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// What a body captures by value does not change.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) mutable {
        // CHECK: const-changed.cpp:[[@LINE+1]]:11: error: a body cannot change a variable of the host: its programs run at once and elsewhere; store to an array, tg::out(o) [tegula-host-variable]
        n += 1;
        o[0] = x[n];
      },
      tg::in(x), tg::out(o));
}
