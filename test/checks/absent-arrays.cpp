// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: tegulac --emit=tile -DREMEDY %s -o /dev/null
// RUN: tegulac --emit=tile -DREMEDY -DREFUSED %s -o /dev/null
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

// What no one asked of may not be there, whatever a check says of it.
TEGULA_KERNEL void scale(tg::array<float, 1> x, tg::array<const float, 1> bias = {}, tg::array<const float, 1> s = {}) {
  tg::check(!s || x.dim(0) == s.dim(0), "s has an element for each of x");
#ifdef REFUSED
  tg::check(bool(s), "s is needed");
#endif
  tg::pallas_call(
      [=](auto x) {
        // CHECK: absent-arrays.cpp:[[@LINE+6]]:{{[0-9]+}}: error: these tiles may differ in extent along dimension 0: x.dim(0) and s.dim(0)
        // CHECK: note: a caller may omit s: use it inside if (s) { ... }, or refuse calls without it before the launch, tg::check(bool(s), "...")
        if (bias)
#if defined(REMEDY) && !defined(REFUSED)
          if (s)
#endif
            x[tg::all] *= s[tg::all];
      },
      tg::inout(x));
}
