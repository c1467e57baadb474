// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that counts in 32 bits begins its windows at multiples of a step, too: what wgmma asks of factors.
// RUN: tegulac -Rsplit --arch=sm_90a --emit=tile-split %s -o %t 2>&1 | FileCheck %s
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: remark: factors that TMA can copy: tensor cores, in sub-tiles of 64 by 64 (product_0_tensor)
TEGULA_KERNEL void product(tg::array<const tg::bf16, 2> a, tg::array<const tg::bf16, 2> b, tg::array<float, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 64), tg::cdiv(b.dim(1), 64)}},
      [](auto a, auto b, auto o) {
        auto sum = tg::zeros<float, 64, 64>();
        for (int k = 0; k < tg::cdiv(a.dim(1), 64); ++k)
          sum += tg::dot(a[tg::all, tg::ds<64>(64 * k)], b[tg::ds<64>(64 * k), tg::all]);
        o[tg::all] = sum;
      },
      tg::in<64, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 64>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<64, 64>(o, [](auto i, auto j) { return tg::index(i, j); }));
}
