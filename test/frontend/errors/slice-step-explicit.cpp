// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// At the explicit level parts have no step.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::kernel([=] {
    // CHECK: slice-step-explicit.cpp:[[@LINE+1]]:27: error: slices in tg::kernel cannot have a step: take windows in a launch of tg::pallas_call, or single elements, x[i * step] [tegula-slice-step-explicit]
    o[tg::ds<128>(0)] = x[tg::ds<128>(0, 2)];
  });
}
