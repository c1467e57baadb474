// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Rows of an array may lie anywhere.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel([=] {
    const auto window = x.at(tg::ds<16>(0), tg::ds<64>(0));
    // CHECK: reshape-folds.cpp:[[@LINE+1]]:20: error: tg::reshape_ref can split dimensions of an array, but not merge them, because the rows of an array may have any stride: load the window and reshape the tile, or reshape shared memory [tegula-reshape-folds]
    const auto a = tg::reshape_ref<1024>(window)[tg::all];
    const auto b = tg::reshape_ref<2, 8, 1, 64>(window)[tg::all];
    tg::smem<float, 16, 64> s;
    s[tg::all] = tg::reshape_ref<16, 64>(window)[tg::all];
    o[0, tg::ds<1024>(0)] = tg::reshape_ref<1024>(s)[tg::all];
  });
}
