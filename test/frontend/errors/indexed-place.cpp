// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Places at tiles of indices have no parts and no other views.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<const int, 1> idx, tg::array<float, 2> o) {
  tg::pallas_call(
      [](auto x, auto idx, auto o) {
        const auto place = x.at(idx[tg::all]);
        // CHECK: indexed-place.cpp:[[@LINE+1]]:25: error: a ref that is indexed by a tile can only be loaded, stored to and updated: give all indices at once, x.at(idx, tg::ds<8>(i)) [tegula-indexed-place]
        o[tg::all, 0] = place[tg::all, 0];
      },
      tg::in<64, 64>(x, [](auto...) { return tg::index(0, 0); }), tg::in<64>(idx, [](auto...) { return tg::index(0); }),
      tg::out<64, 64>(o, [](auto...) { return tg::index(0, 0); }));
}

TEGULA_KERNEL void g(tg::array<const float, 2> x, tg::array<const int, 1> idx, tg::array<float, 2> o) {
  tg::pallas_call(
      [](auto x, auto idx, auto o) {
        // CHECK: indexed-place.cpp:[[@LINE+1]]:22: error: a ref that is indexed by a tile
        o[tg::all] = tg::transpose_ref(x.at(idx[tg::all]))[tg::all];
      },
      tg::in<64, 64>(x, [](auto...) { return tg::index(0, 0); }), tg::in<64>(idx, [](auto...) { return tg::index(0); }),
      tg::out<64, 64>(o, [](auto...) { return tg::index(0, 0); }));
}
