// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// Tiles out of nothing, and what a program knows.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void making(tg::array<tg::f16, 2> o, tg::f16 a, tg::u32 n) {
  tg::pallas_call(
      {.grid = {2, 3}},
      [=](auto o) {
        const auto t = o[tg::all];
        o[tg::all] = tg::full_like(t, a) + tg::zeros_like(t);
        const auto b =
            tg::broadcasted_iota<tg::f16, 1, 4, 8>() + tg::full<tg::f16, 4, 8>(0.5f) + tg::iota<tg::f16, 8>();
        o[tg::ds<4>(0), tg::ds<8>(0)] = b - tg::zeros<tg::f16, 1, 8>();
        o[tg::ds(0, n), tg::ds(0, n)] = tg::zeros<tg::f16>(n, n);
        tg::debug_print("{} of {}, {}", tg::program_id(1), tg::num_programs(0), n);
      },
      tg::inout(o));
}
