// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Bits of other elements, and stochastic rounding.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<const int, 1> n, tg::array<bool, 1> flags) {
  tg::pallas_call(
      [](auto x, auto n, auto flags) {
        const auto t = x[tg::all];
        const auto i = n[tg::all];
        // CHECK-DAG: conversions.cpp:[[@LINE+1]]:19: error: bitcast cannot change the width of elements: tg::bitcast<tg::u32>(x) takes float, int or u32
        (void)tg::bitcast<tg::u16>(t);
        // CHECK-DAG: conversions.cpp:[[@LINE+1]]:19: error: bitcast does not take bools: convert with tg::astype<...>(x)
        (void)tg::bitcast<tg::u8>(flags[tg::all]);
        // CHECK-DAG: conversions.cpp:[[@LINE+1]]:19: error: elements without arithmetic have no scalars: use a tile of one element, which broadcasts, tg::full<tg::e4m3, 1>(value), or a window of one, x[tg::ds<1>(i)]
        (void)tg::bitcast<tg::e4m3>(static_cast<tg::u8>(3));
        // CHECK-DAG: conversions.cpp:[[@LINE+1]]:19: error: stochastic rounding takes random bits as u32: generate them by tg::randint(seed, offsets)
        (void)tg::astype<tg::bf16>(t, i);
        // CHECK-DAG: conversions.cpp:[[@LINE+1]]:19: error: this conversion has no stochastic rounding: its target is f16, bf16 or an 8-bit float
        (void)tg::astype<double>(t, tg::bitcast<tg::u32>(i));
        // CHECK-DAG: conversions.cpp:[[@LINE+1]]:15: error: tg::bitcast<tg::u32>(x) takes the dtype in angle brackets, and a tile or a scalar
        (void)tg::bitcast(t);
      },
      tg::in(x), tg::in(n), tg::inout(flags));
}
