// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Tiles index arrays; values, and arrays of the explicit level, they do not.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::pallas_call(
      [](auto x, auto o) {
        const auto t = x[tg::all];
        // CHECK: tile-index.cpp:[[@LINE+1]]:24: error: a tile is indexed by a tile, which only arrays of tg::pallas_call are: index the array, x[idx], when it is loaded [tegula-tile-index]
        o[tg::all] = t[tg::iota<int, 64>()];
      },
      tg::in<64>(x, [](auto...) { return tg::index(0); }), tg::out<64>(o, [](auto...) { return tg::index(0); }));
}

TEGULA_KERNEL void g(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::kernel({.grid = {{"i", 1}}}, [=] {
    // CHECK: tile-index.cpp:[[@LINE+1]]:26: error: in tg::kernel, an array is indexed by a tile, which only arrays of tg::pallas_call are
    o[tg::ds<64>(0)] = x[tg::iota<int, 64>()];
  });
}
