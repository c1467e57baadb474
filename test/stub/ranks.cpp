// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=cpu %s -o - | FileCheck %s --implicit-check-not='cpu::tile<{{[a-z:0-9]+}}, {{[789]}}>'
// Indices behind an axis that is dropped make no tiles of more than six dimensions.
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: void behind_0_cpu
TEGULA_KERNEL tg::array<float, 4> behind(tg::array<const float, 5> x, tg::array<const int, 4> j) {
  auto o = tg::empty<float>(4, 2, 4, 2);
  tg::pallas_call(
      [](auto x, auto j, auto o) {
        const auto a = tg::load(x, true, 0);
        o[tg::all] = tg::take_along_axis<0>(tg::squeeze<2>(tg::concatenate<1>(a, a)), tg::load(j, true, 0));
      },
      tg::in<4, 1, 1, 4, 2>(x, [] { return tg::index(0, 0, 0, 0, 0); }),
      tg::in<4, 2, 4, 2>(j, [] { return tg::index(0, 0, 0, 0); }),
      tg::out<4, 2, 4, 2>(o, [] { return tg::index(0, 0, 0, 0); }));
  return o;
}
