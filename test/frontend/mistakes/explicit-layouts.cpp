// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Layouts are of tiles.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel([=] {
    const auto all = tg::ds<64>(0);
    // CHECK: explicit-layouts.cpp:[[@LINE+1]]:5: error: tg::layout_cast(x, tg::layout::wgmma) takes a tile and a layout
    tg::layout_cast(x.at(all, all), tg::layout::wgmma);
    // CHECK: explicit-layouts.cpp:[[@LINE+1]]:9: error: print_layout takes a tile or shared memory: print_layout("x has layout {}", x)
    tg::print_layout("{}", x.at(all, all));
  });
}
