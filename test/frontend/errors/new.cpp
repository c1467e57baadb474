// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A tile is a local variable.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: new.cpp:[[@LINE+1]]:19: error: kernels do not allocate with new: a tile of any size is a local variable [tegula-new]
        auto *p = new int(n);
        // CHECK: new.cpp:[[@LINE+1]]:9: error: kernels do not allocate with new: a tile of any size is a local variable [tegula-new]
        delete p;
      },
      tg::in(x), tg::out(o));
}
