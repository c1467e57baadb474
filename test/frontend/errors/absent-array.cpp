// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// An array that the caller may leave out is used where it is there.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> o, tg::array<const float, 1> x = {}) {
  tg::check(!x || x.dim(0) == o.dim(0), "x and o differ in length");
  // CHECK: absent-array.cpp:[[@LINE+1]]:53: error: the caller may omit this array, and the launch is also compiled without it: use it inside if (array) { ... } [tegula-absent-array]
  tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all]; }, tg::in(x), tg::out(o));
  // As the message says:
  tg::pallas_call(
      [](auto x, auto o) {
        if (x)
          o[tg::all] = x[tg::all];
        else
          o[tg::all] = 0.0f;
      },
      tg::in(x), tg::out(o));
}
