// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: tegulac --emit=tile -DREMEDY %s -o /dev/null
// What is checked of an array that callers may leave out leaves room for that.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void add_bias(tg::array<const float, 2> x, tg::array<float, 2> o, tg::array<const float, 1> bias = {}) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "o is as x is");
#ifdef REMEDY
  tg::check(!bias || x.dim(1) == bias.dim(0), "bias has an element for each column");
#endif
  tg::pallas_call(
      [](auto x, auto bias, auto o) {
        auto t = x[tg::all];
        // CHECK: absent-arrays.cpp:[[@LINE+3]]:{{[0-9]+}}: error: these tiles may differ in extent along dimension 1: o.dim(1) and bias.dim(0)
        // CHECK: note: refuse other calls before the launch: tg::check(!bias || o.dim(1) == bias.dim(0), "...")
        if (bias)
          t += bias[tg::all];
        o[tg::all] = t;
      },
      tg::in(x), tg::in(bias), tg::out(o));
}
