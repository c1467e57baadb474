// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Instructions see nothing of the program but their operands: neither does what they mean.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, float by) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ");
  tg::pallas_call(
      [=](auto x, auto o) {
        const float factor = 2.0f;
        const auto given = tg::inline_ptx<float>(
            "mul.f32 $0, $1, $2;", [=](float a, float b) { return a * b * factor; }, x[tg::all], by);
        const auto captured = tg::inline_ptx<float>(
            // CHECK: inline-capture.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the function of tg::inline_ptx may use only its parameters and constants: pass other values of the program as operands [tegula-inline-capture]
            "neg.f32 $0, $1;", [=](float a) { return a * by; }, given);
        o[tg::all] = captured;
      },
      tg::in(x), tg::out(o));
}
