// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// What registers of PTX do not hold, and meanings that do not fit, C++ sees; texts are literals.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<const tg::u8, 2> bytes) {
  tg::pallas_call(
      [=](auto x, auto bytes) {
        const auto same = [](auto a) { return a; };
        const auto a = x[tg::all];
        // CHECK: inline-ptx.cpp:[[@LINE+1]]:19: error: a ref is a place, not a value: load it, ref[tg::all]
        (void)tg::inline_ptx<float>("abs.f32 $0, $1;", same, x);
        // CHECK: inline-ptx.cpp:[[@LINE+1]]:19: error: this type has no PTX register: use f16, bf16, float, double, or integers of 16, 32 and 64 bits
        (void)tg::inline_ptx<tg::u8>("mov.b8 $0, $1;", same, bytes[tg::all]);
        // CHECK: inline-ptx.cpp:[[@LINE+1]]:19: error: inline_ptx has no operands, so the compiler would compute it once for all: pass at least one number
        (void)tg::inline_ptx<int>("mov.u32 $0, %clock;", [] { return 0; });
        // CHECK: inline-ptx.cpp:[[@LINE+1]]:19: error: the tiles of inline_ptx differ in shape: broadcast them to one shape
        (void)tg::inline_ptx<float>("add.f32 $0, $1, $2;", [](float a, float b) { return a + b; }, a, a[0]);
        // CHECK: inline-ptx.cpp:[[@LINE+1]]:19: error: the function of inline_ptx returns another type than its result: inline_ptx<float>("...", [](float a) { return a; }, x)
        (void)tg::inline_ptx<int>("cvt.rni.s32.f32 $0, $1;", same, a);
      },
      tg::in(x), tg::in(bytes));
}
