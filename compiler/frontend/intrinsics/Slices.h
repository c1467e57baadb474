// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands in the brackets after an array, a place or a tile.
#pragma once

#include "frontend/Importer.h"

namespace tegula::frontend {

/// What brackets say, dimension by dimension of the source.
struct Slices {
  llvm::SmallVector<mlir::Value> offsets, sizes;
  llvm::SmallVector<int32_t> modes;
  /// The size of each dimension that is kept; kWhole where it is that of the source.
  llvm::SmallVector<int64_t> kept;
  llvm::SmallVector<int64_t, 2> newAxes;
  bool isWhole = true;
  /// Tiles of indices, and the dimensions that they are of, among those that are kept.
  struct TileOfIndices {
    Operand tile;
    int64_t dim;
  };
  llvm::SmallVector<TileOfIndices, 2> tiles;
  /// Windows with a step, which are taken first: the rest keeps these dimensions whole.
  struct Strided {
    int64_t dim;
    mlir::Value offset, step;
    /// kDynamic: `size` says it at run time.
    int64_t bound;
    mlir::Value size;
  };
  llvm::SmallVector<Strided, 2> strided;
  /// How many new dimensions come before the first tile of indices.
  size_t newAxesBefore = 0;
  /// Set if a constant leads outside, which masked accesses of the place may.
  std::optional<OutsideIndex> outside;
};
inline constexpr int64_t kWhole = 0;

/// The brackets of a call whose first argument has these extents, -1 where one is known at run time; none if one of
/// them is in error. `isStatic`: of a tile, or of shared memory. `isTable`: of a list of arrays.
std::optional<Slices> slicesOf(Importer &importer, const IntrinsicCall &call, llvm::ArrayRef<int64_t> extents,
                               bool isStatic, bool isTable = false);

} // namespace tegula::frontend
