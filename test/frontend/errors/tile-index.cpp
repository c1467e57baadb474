// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Tiles of indices are for tg::pallas_call.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::kernel({.grid = {{"i", 1}}}, [=] {
    // CHECK: tile-index.cpp:[[@LINE+1]]:26: error: nothing can be indexed by a tile in tg::kernel, neither by x[idx] nor by tg::reshape, tg::concatenate and similar functions: gather in a launch of tg::pallas_call, or store the tile to shared memory and load the elements from there [tegula-tile-index]
    o[tg::ds<64>(0)] = x[tg::iota<int, 64>()];
    const auto part = x[tg::ds<64>(0)];
    // CHECK: tile-index.cpp:[[@LINE+1]]:26: error: nothing can be indexed by a tile in tg::kernel
    o[tg::ds<128>(64)] = tg::concatenate<0>(part, part);
  });
}
