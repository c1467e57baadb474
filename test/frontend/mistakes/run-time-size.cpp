// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// A size in angle brackets is a constant.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  // CHECK: run-time-size.cpp:[[@LINE+1]]:61: error: the size in tg::ds<size>(start) must be a compile-time constant: for a run-time size, write tg::ds(start, size)
  tg::pallas_call([=](auto x, auto o) { o[tg::ds<4>(0)] = x[tg::ds<n>(0)]; }, tg::in(x), tg::out(o));
}
