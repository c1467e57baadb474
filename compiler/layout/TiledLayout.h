// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts that a program makes itself, of tiles within tiles. The first tile is the base tile. Each further one divides
// the last dimensions that there are, as many as it has: the numbers of the small tiles become dimensions, and behind
// them stand those within one. The accumulator of wgmma:
//
//   64 x 8                          64, 8
//   tiles of 16 x 8                 4, 1, 16, 8
//   tiles of 8 x 8                  4, 1, 2, 1, 8, 8
//   tiles of 2                      4, 1, 2, 1, 8, 4, 2
//                                   warp  |     lane  | neighbours
//
// Dimensions count from the last one, -1. The number of a lane, or warp, is that of its place along the dimensions that
// lanes have, the last of them fastest. What nobody has are registers, in row-major order, above the neighbours.
#pragma once

#include "layout/DistributedLayout.h"

namespace tegula::layout {

struct Tiling {
  /// A dimension, or so many threads that hold copies.
  struct Dim {
    int64_t number = 0, copies = 0;
  };
  std::vector<std::vector<int64_t>> tiles;
  std::vector<Dim> warps, lanes;
  int64_t vector = -1;
};

/// The layout of a warpgroup. Fails, saying why, where tiles do not divide each other, where dimensions are not there
/// or are given away twice, and where these are not 4 warps and 32 lanes.
Expected<DistributedLayout> tiledLayout(const Tiling &tiling);

} // namespace tegula::layout
