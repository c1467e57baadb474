// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Nothing happens at the end of a scope.
#include <tegula/tegula.h>
namespace tg = tegula;

struct guard {
  int n;
  ~guard() {}
  int changed() {
    int *place = &n;
    return *place;
  }
};
TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: destructor.cpp:[[@LINE+1]]:21: error: the type of 'g' has a destructor, which kernels do not run: use a struct without one [tegula-destructor]
        const guard g{n};
        o[0] = x[g.n];
        // CHECK: destructor.cpp:[[@LINE+1]]:15: error: the type of 'h' has a destructor
        guard h{n};
        o[1] = h.changed(); // What its functions do is no matter.
      },
      tg::in(x), tg::out(o));
}
