// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Layouts are asked for at the explicit level: at the portable one they follow from what a program computes.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void portable(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: portable-layouts.cpp:[[@LINE+1]]:22: error: tg::layout_cast is allowed only in the body of tg::kernel, whose programs have warpgroups and shared memory
        o[tg::all] = tg::layout_cast(x[tg::all], tg::layout::wgmma);
        // CHECK: portable-layouts.cpp:[[@LINE+1]]:22: error: tg::load with a layout is allowed only in the body of tg::kernel, whose programs have warpgroups and shared memory
        o[tg::all] = tg::load(x, {.layout = tg::layout::wgmma});
      },
      tg::in<64, 64>(x, [] { return tg::index(0, 0); }), tg::out<64, 64>(o, [] { return tg::index(0, 0); }));
}
