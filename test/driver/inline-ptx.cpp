// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=cubin --arch=sm_90a %s -o %t.cubin 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=defect
// RUN: not tegulac --emit=cubin --arch=sm_90a --lineinfo %s -o %t.cubin 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: tegulac --emit=ptx --arch=sm_90a %s -o - | FileCheck %s --check-prefix=PTX
// What ptxas refuses of a program's own instructions is an error at their line, each once.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ");
  tg::pallas_call(
      [](auto x, auto o) {
        const auto same = [](float a) { return a; };
        const auto twice = [](float a) { return 2 * a; };
        // CHECK: inline-ptx.cpp:[[@LINE+1]]:24: error: ptxas refuses these instructions of tg::inline_ptx for sm_90a: Not a name of any known instruction: 'nonsense', in 'nonsense.f32 %f{{[0-9]+}}, %f{{[0-9]+}};' [tegula-inline-ptx]
        const auto a = tg::inline_ptx<float>("nonsense.f32 $0, $1;", same, x[tg::all]);
        // CHECK: inline-ptx.cpp:[[@LINE+1]]:24: error: ptxas refuses these instructions of tg::inline_ptx for sm_90a: {{.*}} [tegula-inline-ptx]
        const auto b = tg::inline_ptx<float>("{ .reg .f32 two;\n // all of it\n\n mov.f32 two, 0f40000000;\n mul.f33 $0, $1, two;\n}\n", twice, a);
        o[tg::all] = tg::inline_ptx<float>("abs.f32 $0, $1;", [](float a) { return tg::abs(a); }, b);
      },
      tg::in(x), tg::out(o));
}
// Of several lines, it is one.
// PTX: {{^	}}{ .reg .f32 two; mov.f32 two, 0f40000000; mul.f33 %f{{[0-9]+}}, %f{{[0-9]+}}, two; }{{$}}
