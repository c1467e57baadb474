// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=ptx --arch=sm_90a %s -DELEMENT=float -DAPPROXIMATE=true -o - | FileCheck %s --check-prefix=FAST
// RUN: tegulac --emit=ptx --arch=sm_90a %s -DELEMENT=float -DAPPROXIMATE=false -o - | FileCheck %s --check-prefix=EXACT
// RUN: tegulac --emit=ptx --arch=sm_90a %s -DELEMENT=double -DAPPROXIMATE=true -o - | FileCheck %s --check-prefix=WIDE
// RUN: tegulac --emit=ptx --arch=sm_90a %s -DEXPLICIT -o - | FileCheck %s --check-prefix=EXPLICIT
// What .approx_math allows: instructions of the multi-function unit, and products that are not rounded before a sum.
#include <tegula/tegula.h>
namespace tg = tegula;

#ifndef EXPLICIT
TEGULA_KERNEL void functions(tg::array<const ELEMENT, 1> x, tg::array<ELEMENT, 2> o) {
  tg::check(o.dim(1) == x.dim(0), "a row for each function");
  tg::pallas_call({.approx_math = APPROXIMATE}, [](auto x, auto o) {
    const auto t = x[tg::ds<256>(0)];
    o[0, tg::ds<256>(0)] = tg::exp(t);
    o[1, tg::ds<256>(0)] = tg::log2(t);
    o[2, tg::ds<256>(0)] = tg::tanh(t);
    o[3, tg::ds<256>(0)] = 1.5f / t;
    o[4, tg::ds<256>(0)] = tg::sqrt(t);
    o[5, tg::ds<256>(0)] = t * t + 3;
    o[6, tg::ds<256>(0)] = tg::tan(t);
    o[7, tg::ds<256>(0)] = tg::pow(t, 3);
    o[8, tg::ds<256>(0)] = tg::silu(t);
  }, tg::in(x), tg::out(o));
}
#else
// At the explicit level, too; what a reduction sums up is added by the same instructions.
TEGULA_KERNEL void sum_of_squares(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::kernel({.approx_math = true}, [=] {
    o[0] = tg::sum<0>(tg::square(x[tg::ds<4096>(0)]));
  });
}
#endif
// FAST-LABEL: .entry functions_0(
// FAST-DAG:   mul.rn.f32 {{.*}}, 0f3FB8AA3B;
// FAST-DAG:   ex2.approx.ftz.f32
// FAST-DAG:   lg2.approx.ftz.f32
// FAST-DAG:   tanh.approx.f32
// FAST-DAG:   rcp.approx.ftz.f32
// FAST-DAG:   sqrt.approx.ftz.f32
// FAST-DAG:   fma.rn.f32 {{.*}}, 0f40400000;
// FAST-DAG:   cos.approx.ftz.f32
// EXACT-NOT:  tanh.approx
// EXACT-NOT:  sqrt.approx
// EXACT-NOT:  fma.rn.f32 {{.*}}, 0f40400000;
// EXACT:      sqrt.rn.f32
// WIDE-NOT:   lg2.approx
// WIDE-NOT:   tanh.approx
// WIDE:       fma.rn.f64
// EXPLICIT-LABEL:    .entry sum_of_squares_0(
// Of 32 squares a thread, every other one.
// EXPLICIT-COUNT-16: fma.rn.f32
