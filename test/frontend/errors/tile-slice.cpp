// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Parts of tiles have static sizes.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        const auto t = x[tg::all];
        // CHECK: tile-slice.cpp:[[@LINE+1]]:29: error: the size of a slice of a tile or of shared memory must be a compile-time constant, tg::ds<size>(start): only slices of arrays may have run-time sizes; of a tile, write tg::take<0>(tile, start + tg::iota<tg::s64>(size)) [tegula-tile-slice]
        o[tg::ds(0, n)] = t[tg::ds(0, n)];
      },
      tg::in(x), tg::out(o));
}
