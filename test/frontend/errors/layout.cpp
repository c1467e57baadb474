// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Layouts that a tile does not fit.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<const tg::s8, 2> y) {
  tg::kernel([=] {
    const auto all = tg::ds<64>(0);
    const auto small = x[tg::ds<32>(0), all];
    // CHECK: layout.cpp:[[@LINE+1]]:5: error: a tile of 32 x 64 elements of f32 cannot have the layout tg::layout::wgmma: dimension 0 has 32 elements, not a multiple of 64 [tegula-layout]
    tg::layout_cast(small, tg::layout::wgmma);
    // CHECK: layout.cpp:[[@LINE+1]]:5: error: a tile of 64 x 48 elements of s8 cannot have the layout tg::layout::smem_gmem_copy: rows of 48 elements do not divide into chunks of 128 bytes
    tg::load(y.at(all, tg::ds<48>(0)), {.layout = tg::layout::smem_gmem_copy()});
    // CHECK: layout.cpp:[[@LINE+1]]:5: error: a tile of 64 x 64 elements of f32 cannot have the layout tg::layout::wgmma.reduce: the tile must have one dimension, the one that the reduction of a matrix leaves
    tg::layout_cast(x[all, all], tg::layout::wgmma.reduce(1));
    // CHECK: layout.cpp:[[@LINE+1]]:5: error: a tile of 64 elements of f32 cannot have the layout tg::layout::wgmma: this is a layout of matrices only
    tg::layout_cast(x[0, all], tg::layout::wgmma);
    // CHECK: layout.cpp:[[@LINE+1]]:5: error: a tile of 64 elements of f32 cannot have the layout tg::layout::wgmma.reduce: .reduce applies once to a layout of the tensor cores, along dimension 0 or 1
    tg::layout_cast(x[0, all], tg::layout::wgmma.reduce(2));
    // CHECK: layout.cpp:[[@LINE+1]]:5: error: a tile of 64 elements of f32 cannot have the layout tg::layout::wgmma.reduce: .reduce applies once to a layout of the tensor cores, along dimension 0 or 1
    tg::layout_cast(x[0, all], tg::layout::wgmma.reduce(1).reduce(0));
    // CHECK: layout.cpp:[[@LINE+1]]:5: error: a tile of 64 elements of f32 cannot have the layout tg::layout::tiled: it is of tiles of 2 dimensions
    tg::layout_cast(x[0, all], tg::layout::tiled({.tiles = {{64, 8}, {16, 8}, {8, 8}, {2}}, .warp_dims = {-7}, .lane_dims = {-3, -2}}));
    // CHECK: layout.cpp:[[@LINE+1]]:5: error: a tile of 32 x 64 elements of f32 cannot have the layout tg::layout::tiled: dimension 0 has 32 elements, not a multiple of 64
    tg::layout_cast(small, tg::layout::tiled({.tiles = {{64, 8}, {16, 8}, {8, 8}, {2}}, .warp_dims = {-7}, .lane_dims = {-3, -2}}));
    // CHECK: layout.cpp:[[@LINE+1]]:5: error: a tile of 32 x 64 elements of f32 cannot have the layout tg::layout::tiled: .lane_dims has 16 places in all, and needs 32
    tg::layout_cast(small, tg::layout::tiled({.tiles = {{32, 4}, {8, 4}}, .warp_dims = {-4}, .lane_dims = {tg::replicated(2), -2}}));
    // CHECK: layout.cpp:[[@LINE+1]]:5: error: a tile of 32 x 64 elements of f32 cannot have the layout tg::layout::tiled: .lane_dims names -1, which .vector_dim names, too
    tg::layout_cast(small, tg::layout::tiled({.tiles = {{32, 4}, {8, 4}}, .warp_dims = {-4}, .lane_dims = {-2, -1}}));
    // CHECK: layout.cpp:[[@LINE+1]]:5: error: a tile of 32 x 64 elements of f32 cannot have the layout tg::layout::tiled: it has no tile
    tg::layout_cast(small, tg::layout::tiled({}));
    // CHECK: layout.cpp:[[@LINE+1]]:5: error: a tile of 32 x 64 elements of f32 cannot have the layout tg::layout::tiled: .lane_dims names -5: the 4 dimensions of the tiling count back from the last, -1 to -4
    tg::layout_cast(small, tg::layout::tiled({.tiles = {{32, 4}, {8, 4}}, .warp_dims = {-4}, .lane_dims = {-5}}));
    // CHECK: layout.cpp:[[@LINE+1]]:5: error: a tile of 32 x 64 elements of f32 cannot have the layout tg::layout::wg_strided: the number of contiguous elements of each lane must be a power of two, not -1
    tg::layout_cast(small, tg::layout::wg_strided(-1));
    // CHECK: layout.cpp:[[@LINE+1]]:5: error: a tile of 32 x 64 elements of f32 cannot have the layout tg::layout::wg_strided: the number of elements, 2048, is not a multiple of the 4096 that 128 lanes have with 32 each
    tg::layout_cast(small, tg::layout::wg_strided(32));
    // CHECK: layout.cpp:[[@LINE+1]]:5: error: the format has 2 {}
    tg::print_layout("{} and {}", small);
  });
}
