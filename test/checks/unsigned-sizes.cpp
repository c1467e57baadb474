// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile-split %s -o /dev/null
// What the host computes of unsigned numbers is what the program computes of them: a check of it says extents.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void doubled(tg::array<const float, 1> x, tg::array<float, 1> o, tg::u64 n, tg::u64 m) {
  tg::check(tg::s64(n * m) <= x.dim(0), "x is shorter than n * m");
  tg::check(o.dim(0) == tg::s64(n * m), "o has other than n * m elements");
  tg::pallas_call(
      [=](auto x, auto o) {
        const tg::s64 size = n * m;
        o[tg::all] = x[tg::ds(0, size)] + tg::iota<float>(size);
      },
      tg::in(x), tg::out(o));
}
