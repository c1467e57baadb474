// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Nothing is stored through a new dimension.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  // CHECK: newaxis-store.cpp:[[@LINE+1]]:65: error: a store cannot use tg::newaxis: remove it, and index the value instead [tegula-newaxis-store]
  tg::pallas_call([=](auto x, auto o) { o[tg::all, tg::newaxis] = x[tg::all, tg::newaxis]; }, tg::in(x), tg::out(o));
}
