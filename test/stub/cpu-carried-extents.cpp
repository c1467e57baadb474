// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile that conforms to an edge goes no further than what it meets, where both are carried.
// RUN: tegulac --emit=cpu -o - %s | FileCheck %s
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: cpu::tile<float, 1> next({{.*}}{b.dim(0) < a.dim(0) ? b.dim(0) : a.dim(0)});
TEGULA_KERNEL tg::array<float, 1> carried(tg::array<const float, 2> x) {
  auto o = tg::empty<float>(x.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(1), 64)}},
      [](auto x, auto o) {
        auto a = tg::zeros<float, 64>(), b = a;
        for (tg::s64 j = 0; j < x.dim(0); ++j) {
          a = a + b;
          b += x[j];
        }
        o[tg::all] = a + b;
      },
      tg::in<tg::whole, 64>(x, [](auto i) { return tg::index(0, i); }), tg::out<64>(o, [](auto i) { return tg::index(i); }));
  return o;
}
