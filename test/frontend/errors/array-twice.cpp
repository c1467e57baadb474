// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// The refs of a launch do not overlap.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  // CHECK: array-twice.cpp:[[@LINE+1]]:79: error: this array is passed to the launch twice, and written: the refs of a launch must not overlap; use one tg::inout [tegula-array-twice]
  tg::pallas_call([](auto a, auto b) { b[tg::all] = a[tg::all]; }, tg::in(o), tg::out(o));
  tg::pallas_call([](auto a, auto b, auto o) { o[tg::all] = a[tg::all] + b[tg::all]; }, tg::in(x), tg::in(x),
                  tg::out(o));
}
