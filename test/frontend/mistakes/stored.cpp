// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// What has no arithmetic of its own and is not multiplied either.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const tg::e8m0, 2> x, tg::array<tg::e8m0, 2> y, tg::array<float, 2> o) {
  tg::pallas_call(
      [](auto x, auto y, auto o) {
        const auto t = x[tg::all];
        // CHECK-DAG: stored.cpp:[[@LINE+1]]:18: error: 8-bit floats (except in tg::dot), e8m0 and elements of 4 bits have no arithmetic: convert the tile, tg::astype<float>(tile)
        (void)(t * t);
        // CHECK-DAG: stored.cpp:[[@LINE+1]]:26: error: dot does not multiply e8m0 or elements of 4 bits: convert them, tg::astype<tg::bf16>(tile)
        o[tg::all] = tg::dot(t, t);
        // CHECK-DAG: stored.cpp:[[@LINE+1]]:20: error: elements without arithmetic have no scalars: use a tile of one element, which broadcasts, tg::full<tg::e4m3, 1>(value), or a window of one, x[tg::ds<1>(i)]
        y[tg::all] = x[0, 0];
        // CHECK-DAG: stored.cpp:[[@LINE+1]]:26: error: the scalar does not fit the tile's element type: convert one with tg::astype<...>
        y[tg::all] = tg::full<tg::u4>(0.5, y.dim(0), y.dim(1));
        // CHECK-DAG: stored.cpp:[[@LINE+1]]:19: error: the scalar does not fit the tile's element type
        (void)tg::full<tg::s4, 64, 64>(3.0f);
        // CHECK-DAG: stored.cpp:[[@LINE+1]]:19: error: the scalar does not fit the tile's element type
        (void)tg::full_like(tg::zeros<tg::s4, 8>(), 1.5);
        // CHECK-DAG: stored.cpp:[[@LINE+1]]:19: error: the value of pad is not a scalar: pass a number, which is converted to the element type, tg::pad<1, 2, 0>(x, 0)
        (void)tg::pad<1, 1, 1>(t, tg::e8m0{0});
      },
      tg::in(x), tg::out(y), tg::inout(o));
}
