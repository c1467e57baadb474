// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// What the header has, but not this version.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 2> o) {
  // CHECK: intrinsic.cpp:[[@LINE+1]]:43: error: no member named 'T' in 'tegula::ref<float, tegula::memory_space::gmem, -1, -1>'
  tg::pallas_call([=](auto x, auto o) { o.T()[0, 0] = x.T()[0, 0]; }, tg::in(x), tg::out(o));
}
