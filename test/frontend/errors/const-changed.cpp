// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// What is const stays as it is; the copies of a mutable lambda change.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) mutable {
        const int k = 0;
        // CHECK: const-changed.cpp:[[@LINE+1]]:30: error: this object is const and cannot be assigned: declare a variable that is not const [tegula-const-changed]
        const_cast<int &>(k) = n++;
        o[k] = x[n];
      },
      tg::in(x), tg::out(o));
}
