// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Tiles that are made, loaded, stored, or taken from outside.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel([=] {
    tg::smem<float, 4, 64> rows;
    const auto before = x[0, tg::ds<64>(0)];
    tg::warp_map([&](auto warp) {
      // CHECK: warp-tile.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a tile is distributed over the four warps of a warpgroup, but here each warp runs by itself: load, compute and store tiles before tg::warp_map or after it, and read and write single elements here, x[i] [tegula-warp-tile]
      const auto row = x[warp, tg::ds<64>(0)];
      // CHECK: warp-tile.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a tile is distributed over
      o[warp, tg::ds<64>(0)] = row * 2.0f;
      // CHECK: warp-tile.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a tile is distributed over
      rows[warp] = before;
      // CHECK: warp-tile.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a tile is distributed over
      rows[warp, 0] = tg::sum(before);
    });
  });
}
