// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Tiles of the explicit level are static.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 2> x) {
  tg::kernel([=] {
    // CHECK: run-time-tile.cpp:[[@LINE+1]]:16: error: a tile in tg::kernel is held in registers and must have static extents: slice the array, x[tg::ds<64>(start), tg::ds<64>(start)] [tegula-run-time-tile]
    auto all = x[tg::all];
    // CHECK: run-time-tile.cpp:[[@LINE+1]]:31: error: a tile in tg::kernel is held in registers and must have static extents: slice the array, x[tg::ds<64>(start), tg::ds<64>(start)] [tegula-run-time-tile]
    x[0, tg::ds(0, x.dim(1))] = 1.0f;
    // CHECK: run-time-tile.cpp:[[@LINE+1]]:5: error: a tile in tg::kernel is held in registers and must have static extents: slice the array, x[tg::ds<64>(start), tg::ds<64>(start)] [tegula-run-time-tile]
    tg::store(x.at(0), 2);
  });
}
