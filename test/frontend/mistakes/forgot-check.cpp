// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Blocks that are cut alike, of arrays that nobody has compared.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void product(tg::array<const float, 2> x, tg::array<const float, 2> y, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && y.dim(1) == o.dim(1), "o is not of the product's shape");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 64), tg::cdiv(o.dim(1), 64)}},
      [](auto x, auto y, auto o) {
        auto sum = tg::zeros<float, 64, 64>();
        for (tg::s64 k = 0; k < x.dim(1); k += 32)
          // CHECK: forgot-check.cpp:[[@LINE+2]]:23: error: the operands of this product may differ in extent along dimension 0: at most 32 of x.dim(1) from k and at most 32 of y.dim(0) from k [tegula-check-extents]
          // CHECK: forgot-check.cpp:[[@LINE+1]]:23: note: refuse other calls before the launch: tg::check(x.dim(1) == y.dim(0), "...")
          sum = sum + tg::dot(x[tg::all, tg::ds<32>(k)], y[tg::ds<32>(k)]);
        o[tg::all] = sum;
      },
      tg::in<64, tg::whole>(x, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 64>(y, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<64, 64>(o, [](auto i, auto j) { return tg::index(i, j); }));
}
