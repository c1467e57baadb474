// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// 8-bit floats are moved, converted and multiplied.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const tg::e4m3, 2> x, tg::array<tg::e5m2, 2> y, tg::array<float, 2> o) {
  tg::pallas_call(
      [](auto x, auto y, auto o) {
        const auto t = x[tg::all];
        // CHECK-DAG: float8.cpp:[[@LINE+1]]:18: error: 8-bit floats (except in tg::dot), e8m0 and elements of 4 bits have no arithmetic: convert the tile, tg::astype<float>(tile)
        (void)(t + t);
        // CHECK-DAG: float8.cpp:[[@LINE+1]]:18: error: 8-bit floats (except in tg::dot), e8m0 and elements of 4 bits have no arithmetic: convert the tile, tg::astype<float>(tile)
        (void)(t < t);
        // CHECK-DAG: float8.cpp:[[@LINE+1]]:19: error: 8-bit floats (except in tg::dot), e8m0 and elements of 4 bits have no arithmetic: convert the tile, tg::astype<float>(tile)
        (void)tg::sum<1>(t);
        // CHECK-DAG: float8.cpp:[[@LINE+1]]:19: error: the function takes floating-point elements only: convert with tg::astype<float>(x)
        (void)tg::exp(t);
        // CHECK-DAG: float8.cpp:[[@LINE+1]]:19: error: elements without arithmetic have no scalars: use a tile of one element, which broadcasts, tg::full<tg::e4m3, 1>(value), or a window of one, x[tg::ds<1>(i)]
        (void)tg::astype<tg::e4m3>(1.0f);
        // CHECK-DAG: float8.cpp:[[@LINE+1]]:20: error: elements without arithmetic have no scalars: use a tile of one element, which broadcasts, tg::full<tg::e4m3, 1>(value), or a window of one, x[tg::ds<1>(i)]
        y[tg::all] = y[0, 0];
        // CHECK-DAG: float8.cpp:[[@LINE+1]]:26: error: the factors of dot differ in element type: convert one with tg::astype<...>(tile)
        o[tg::all] = tg::dot(t, o[tg::all]);
        // CHECK-DAG: float8.cpp:[[@LINE+1]]:20: error: the element types differ, and an assignment does not convert: write tg::astype<...>(value)
        y[tg::all] = t;
      },
      tg::in(x), tg::out(y), tg::inout(o));
}
