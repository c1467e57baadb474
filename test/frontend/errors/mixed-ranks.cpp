// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A reduction drops its axis, so that what is left meets another one.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL tg::array<float, 2> softmax(tg::array<const float, 2> x) {
  auto o = tg::empty_like(x);
  const auto map = [](auto i) { return tg::index(i, 0); };
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 4)}},
      [](auto x, auto o) {
        const auto t = x[tg::all];
        // CHECK: mixed-ranks.cpp:[[@LINE+1]]:34: error: a tile of rank 1 is combined with one of rank 2 along the last dimension, where an extent known at run time meets a static extent of 4: a reduction keeps its axis by tg::keepdims, tg::sum<1>(t, tg::keepdims), and t[tg::all, tg::newaxis] inserts one [tegula-mixed-ranks]
        const auto e = tg::exp(t - tg::max<1>(t));
        // As the message says:
        o[tg::all] = tg::exp(t - tg::max<1>(t, tg::keepdims)) + tg::max<1>(t)[tg::all, tg::newaxis];
      },
      tg::in<4, tg::whole>(x, map), tg::out<4, tg::whole>(o, map));
  return o;
}
