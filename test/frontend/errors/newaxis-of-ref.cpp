// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A place has no new dimensions.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  // CHECK: newaxis-of-ref.cpp:[[@LINE+1]]:57: error: a ref cannot have new dimensions: insert tg::newaxis when you load it [tegula-newaxis-of-ref]
  tg::pallas_call([=](auto x, auto o) { auto column = o.at(tg::all, tg::newaxis); }, tg::in(x), tg::out(o));
}
