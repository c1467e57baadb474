// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts that a program may ask for by name (tg::layout), for a warpgroup: those of Hopper's tensor cores, and of
// what comes to them and leaves them.
#pragma once

#include "layout/DistributedLayout.h"

namespace tegula::layout {

/// In the order of tg::layout::kind.
enum class LayoutName {
  /// Accumulators, and left factors of 16 bits: 64 x 8; row in the warp: lane / 4, a lane has two neighbours.
  wgmma,
  /// Left factors of 8 bits: 64 x 16; a lane has four neighbours.
  wgmma8Bit,
  /// What is widened to twice its width: 64 x 16. Pairs of what a lane has go to the two lanes that have them of
  /// `wgmma`.
  wgmmaUpcast2x,
  /// What is widened to four times its width: 64 x 32.
  wgmmaUpcast4x,
  /// What becomes `wgmma` when rows and columns change places by shuffles within quads: a lane has two rows.
  wgmmaTransposed,
  /// Neighbours along the tile, row-major: `parameter` of them for each thread in turn.
  wgStrided,
  /// Accumulators, left and right factors (K x N) of a warpgroup's mma.sync, which has whole rows in each warp.
  mmaAccumulator,
  mmaLeft,
  mmaRight,
  /// 16 bytes a lane, so that rows of `parameter` bytes are whole in global memory, and without conflicts in shared
  /// memory of that swizzle.
  sharedGlobalCopy,
};
/// How many there are; tg::layout::kind goes on with a layout that a program makes itself (TiledLayout.h).
inline constexpr int64_t layoutNames = static_cast<int64_t>(LayoutName::sharedGlobalCopy) + 1;

/// The layout for a tile of this shape and elements. `parameter` is 0 where a name takes none, or for its default.
/// Fails, saying why, where the tile is not made of what the layout repeats.
Expected<DistributedLayout> namedLayout(LayoutName name, std::span<const int64_t> shape, int64_t elementBits,
                                        int64_t parameter);

/// The layout, if the tile is made of its base tiles.
Expected<DistributedLayout> fitting(const DistributedLayout &layout, std::span<const int64_t> shape);

/// What a program calls a layout of such elements: "wgmma", or "wgmma.reduce(1)" for what is left of a reduction; else
/// the text of the layout.
std::string describe(const DistributedLayout &layout, int64_t elementBits);

/// The left factor of wgmma, in elements of so many bytes.
DistributedLayout wgmmaFactor(int64_t elementBytes);

} // namespace tegula::layout
