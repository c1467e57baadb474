// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Const elements are not written.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  // CHECK: out-of-const.cpp:[[@LINE+1]]:44: error: the elements of this array are const, so it cannot be tg::out: use tg::in, or an array of non-const elements [tegula-out-of-const]
  tg::pallas_call([](auto x) { (void)x; }, tg::out(x));
}
