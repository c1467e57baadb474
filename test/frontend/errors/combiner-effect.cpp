// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// What combines two elements computes, and does nothing else.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<const float, 1> y, tg::array<float, 1> o) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
  tg::pallas_call(
      [=](auto x, auto y, auto o) {
        const auto t = x[tg::all];
        // CHECK: combiner-effect.cpp:[[@LINE+1]]:16: error: the function of tg::reduce must only compute with scalars: it loads, stores, prints, changes a variable or takes a tile of the program's; load before the call into a tile, and give tg::reduce a tg::tuple of tiles [tegula-combiner-effect]
        o[0] = tg::reduce(t, 0.0f, [=](auto a, auto b) { return a + b * y[0]; });
        // CHECK: combiner-effect.cpp:[[@LINE+1]]:16: error: the function of tg::reduce must only compute with
        o[1] = tg::reduce(t, 0.0f, [=](auto a, auto b) { return a + b * tg::sum(t); });
        // CHECK: combiner-effect.cpp:[[@LINE+1]]:16: error: the function of tg::reduce must only compute with
        o[2] = tg::reduce(t, 0.0f, [=](auto a, auto b) {
          tg::debug_print("{}", a);
          return a + b;
        });
        float last = 0, bias = x[0];
        bias += 1; // Is only read.
        o[4] = tg::reduce(t, 0.0f, [&](auto a, auto b) { return a + b * bias; });
        // CHECK: combiner-effect.cpp:[[@LINE+1]]:16: error: the function of tg::reduce must only compute with
        o[5] = tg::reduce(t, 0.0f, [&](auto a, auto b) {
          last = last + a;
          return a + b;
        });
        o[6] = last;
        // CHECK: combiner-effect.cpp:[[@LINE+1]]:30: error: the function of tg::associative_scan must only compute with
        const auto scanned = tg::associative_scan<0>(t, 0.0f, [=](auto a, auto b) { return a + b * y[0]; });
        o[7] = tg::sum(scanned);
        // As the message says:
        const auto [sum, weighted] = tg::reduce(tg::tuple(t, t * y[tg::all]), tg::tuple(0, 0), [](auto a, auto b) {
          return tg::tuple(a.first + b.first, a.second + b.second);
        });
        o[3] = sum + weighted;
      },
      tg::in(x), tg::in(y), tg::out(o));
}
