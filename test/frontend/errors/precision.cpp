// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// tf32 is float with less, and whether it is wanted is known when the kernel is compiled.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const tg::bf16, 2> x, tg::array<const float, 2> y, tg::array<float, 2> o, bool is_exact) {
  tg::pallas_call(
      [=](auto x, auto y, auto o) {
        // CHECK: precision.cpp:[[@LINE+1]]:22: error: tg::precision::tf32 is for operands of float, and these are bf16: leave .precision out, or convert them with tg::astype<float>(tile) [tegula-precision]
        o[tg::all] = tg::dot(x[tg::all], x[tg::all], {.precision = tg::precision::tf32});
        // CHECK: precision.cpp:[[@LINE+1]]:22: error: tg::precision::bf16x3 is for operands of float, and these are bf16: leave .precision out, or
        o[tg::all] = tg::dot(x[tg::all], x[tg::all], {.precision = tg::precision::bf16x3});
        // CHECK: precision.cpp:[[@LINE+1]]:22: error: .precision must be a compile-time constant: write a literal
        o[tg::all] = tg::dot(y[tg::all], y[tg::all], {.precision = is_exact ? tg::precision::ieee : tg::precision::tf32});
      },
      tg::in(x), tg::in(y), tg::out(o));
}
