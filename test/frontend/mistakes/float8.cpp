// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// 8-bit floats are moved, converted and multiplied.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const tg::e4m3, 2> x, tg::array<tg::e5m2, 2> y, tg::array<float, 2> o) {
  tg::pallas_call(
      [](auto x, auto y, auto o) {
        const auto t = x[tg::all];
        // CHECK-DAG: float8.cpp:[[@LINE+1]]:18: error: 8-bit floats (which tg::dot multiplies), e8m0 and elements of 4 bits are moved and converted, and do not compute: convert the tile, tg::astype<float>(tile)
        (void)(t + t);
        // CHECK-DAG: float8.cpp:[[@LINE+1]]:18: error: 8-bit floats (which tg::dot multiplies), e8m0 and elements of 4 bits are moved and converted, and do not compute
        (void)(t < t);
        // CHECK-DAG: float8.cpp:[[@LINE+1]]:19: error: 8-bit floats (which tg::dot multiplies), e8m0 and elements of 4 bits are moved and converted, and do not compute
        (void)tg::sum<1>(t);
        // CHECK-DAG: float8.cpp:[[@LINE+1]]:19: error: the function takes floating-point elements: convert with tg::astype<float>(x)
        (void)tg::exp(t);
        // CHECK-DAG: float8.cpp:[[@LINE+1]]:19: error: there are no scalars of elements that do not compute: a tile of one element broadcasts, tg::full<tg::e4m3, 1>(value); of an array, take a slice of one, x[tg::ds<1>(i)]
        (void)tg::astype<tg::e4m3>(1.0f);
        // CHECK-DAG: float8.cpp:[[@LINE+1]]:20: error: there are no scalars of elements that do not compute: a tile of one element broadcasts
        y[tg::all] = y[0, 0];
        // CHECK-DAG: float8.cpp:[[@LINE+1]]:26: error: dot takes tiles of one element type: convert one with tg::astype<...>(tile)
        o[tg::all] = tg::dot(t, o[tg::all]);
        // CHECK-DAG: float8.cpp:[[@LINE+1]]:20: error: an assignment does not convert elements: write tg::astype<...>(value)
        y[tg::all] = t;
      },
      tg::in(x), tg::out(y), tg::inout(o));
}
