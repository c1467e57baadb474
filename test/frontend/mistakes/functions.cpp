// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Elementwise functions of elements that they do not take: one message each.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<const int, 1> n, tg::array<bool, 1> flags) {
  tg::pallas_call(
      [](auto x, auto n, auto flags) {
        const auto t = x[tg::all];
        const auto i = n[tg::all];
        // CHECK-DAG: functions.cpp:[[@LINE+1]]:19: error: the function takes floating-point elements only: convert with tg::astype<float>(x)
        (void)tg::pow(i, 2);
        // CHECK-DAG: functions.cpp:[[@LINE+1]]:19: error: the function takes floating-point elements only: convert with tg::astype<float>(x)
        (void)tg::floor(i);
        // CHECK-DAG: functions.cpp:[[@LINE+1]]:19: error: the function takes floating-point elements only: convert with tg::astype<float>(x)
        (void)tg::isnan(i);
        // CHECK-DAG: functions.cpp:[[@LINE+1]]:19: error: the function takes floating-point elements only: convert with tg::astype<float>(x)
        (void)tg::softplus(i);
        // CHECK-DAG: functions.cpp:[[@LINE+1]]:19: error: the function takes floating-point elements only: convert with tg::astype<float>(x)
        (void)tg::nextafter(i, 1);
        // CHECK-DAG: functions.cpp:[[@LINE+1]]:19: error: nextafter(x, y) takes its element type from x, so x cannot be a scalar if y is a tile: make x a tile
        (void)tg::nextafter(1.F, t);
        // CHECK-DAG: functions.cpp:[[@LINE+1]]:19: error: the function takes integers only: convert with tg::astype<...>(x), or take the bits of a float, tg::bitcast<tg::u32>(x)
        (void)tg::clz(t);
        // CHECK-DAG: functions.cpp:[[@LINE+1]]:19: error: the function takes integers only: convert with tg::astype<...>(x), or take the bits of a float, tg::bitcast<tg::u32>(x)
        (void)tg::mul_hi(t, 3);
        // CHECK-DAG: functions.cpp:[[@LINE+1]]:19: error: the tiles differ in element type: convert one with tg::astype<...>(tile)
        (void)tg::hypot(t, i);
        // CHECK-DAG: functions.cpp:[[@LINE+1]]:19: error: sign does not take bools: convert with tg::astype<...>(x)
        (void)tg::sign(flags[tg::all]);
        // CHECK-DAG: functions.cpp:[[@LINE+1]]:19: error: the counter is not an integer or a tile of integers: count by tg::iota<int, 64>()
        (void)tg::rand(7, t);
        // CHECK-DAG: functions.cpp:[[@LINE+1]]:19: error: a ref is a place, not a value: load it, ref[tg::all]
        (void)tg::erf(x);
        // CHECK-DAG: functions.cpp:[[@LINE+1]]:19: error: a ref is a place, not a value: load it, ref[tg::all]
        (void)tg::fma(x, t, t);
        // CHECK-DAG: functions.cpp:[[@LINE+1]]:15: error: this function takes two tiles or scalars: tg::pow(x, y)
        (void)tg::pow(t);
        // CHECK-DAG: functions.cpp:[[@LINE+1]]:15: error: there is no clip: write tg::clamp(x, low, high)
        (void)tg::clip(t, 0, 1);
        // CHECK-DAG: functions.cpp:[[@LINE+1]]:19: error: there is no floordiv: it is tg::floor_divide(x, y)
        (void)tg::floordiv(i, 2);
      },
      tg::in(x), tg::in(n), tg::inout(flags));
}
