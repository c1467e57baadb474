// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// Brackets of refs and tiles.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void refs(tg::array<float, 3> x, int n) {
  tg::pallas_call(
      [=](auto x) {
        const auto t = x[tg::all];
        x[0, 1, 2] = t[0, n, 3];
        x[n, 2, 3] += 1;
        x[tg::all, tg::ds<2>(n), 1] = 2.0f;
        x.at(n)[tg::ds(0, n)] = 3.0f;
        tg::store(x.at(1, 2), 4);
        const auto u = x[0, tg::newaxis, tg::all, tg::ds<4>(0)][0, tg::ds<2>(1), tg::newaxis];
        x[0, tg::ds<2>(0), tg::ds<4>(0)] = u[tg::all, 0] + tg::load(x.at(1, 1, 1));
        x[0, 0, 0] = static_cast<float>(x.dim(1) + t.dim(2));
      },
      tg::inout<2, 4, 8>(x, [] { return tg::index(0, 0, 0); }));
}
