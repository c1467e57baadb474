// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// No virtual functions.
#include <tegula/tegula.h>
namespace tg = tegula;

struct twice {
  virtual float apply(float v) const { return 2 * v; }
};
TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: virtual.cpp:[[@LINE+1]]:21: error: 'twice' has virtual members, which kernels cannot call: choose at compile time with a template parameter [tegula-virtual]
        const twice t;
        // CHECK: virtual.cpp:[[@LINE+1]]:18: error: 'twice' has virtual members, which kernels cannot call: choose at compile time with a template parameter [tegula-virtual]
        o[0] = t.apply(x[0]);
      },
      tg::in(x), tg::out(o));
}
