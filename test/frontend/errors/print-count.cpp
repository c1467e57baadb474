// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Each {} has its value.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  // CHECK: print-count.cpp:[[@LINE+1]]:41: error: the format has 2 {}, but 1 values follow it [tegula-print-count]
  tg::pallas_call([=](auto x, auto o) { tg::debug_print("{} of {}", n); }, tg::in(x), tg::out(o));
}
