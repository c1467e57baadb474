// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A static extent of 1 broadcasts to others, but takes no more than one element itself.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: many-into-one.cpp:[[@LINE+1]]:20: error: the extent of dimension 0 of this tile is known only at run time, but the destination has extent 1: take one of its elements, t[tg::ds<1>(0)], or reduce it, tg::sum<0>(t, tg::keepdims) [tegula-many-into-one]
        o[tg::all] = x[tg::all];
        // CHECK: many-into-one.cpp:[[@LINE+1]]:20: error: the extent of dimension 0 of this tile is known only at run time, but the destination has extent 1: take one of its elements, t[tg::ds<1>(0)], or reduce it, tg::sum<0>(t, tg::keepdims) [tegula-many-into-one]
        o[tg::all] += x[tg::all];
        // As the message says:
        o[tg::all] = x[tg::ds<1>(0)];
        o[tg::all] = x[tg::all][tg::ds<1>(0)];
        o[tg::all] = tg::sum<0>(x[tg::all], tg::keepdims);
      },
      tg::in(x), tg::inout<1>(o, [] { return tg::index(0); }));
}
