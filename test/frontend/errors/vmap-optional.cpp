// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// The size of a batch is that of an array which is there.
#include <tegula/tegula.h>
namespace tg = tegula;

tg::array<float, 1> copy(tg::array<const float, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all]; }, tg::in(x), tg::out(o));
  return o;
}

TEGULA_KERNEL void f(tg::array<float, 2> o, tg::array<const float, 2> x = {}) {
  // CHECK: vmap-optional.cpp:[[@LINE+1]]:9: error: the caller may omit every array that this tg::vmap maps over, and then the batch has no size: call it where one of them is present, inside if (array) { ... } [tegula-vmap-optional]
  (void)tg::vmap(copy, tg::over(x, 0));
  // As the message says:
  if (x)
    (void)tg::vmap(copy, tg::over(x, 0));
}
