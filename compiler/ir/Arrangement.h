// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the elements of shared memory lie, swizzles apart: what tile.ref says of `swizzle`, in bytes.
#pragma once

#include "ir/TileDialect.h"

#include <optional>

namespace tegula::tile {

/// The most elements that one TMA copy moves along a dimension: its box (PTX ISA, "Tensor Mode").
constexpr int64_t largestCopyBox = 256;
/// TMA reads and writes shared memory at multiples of so many bytes (PTX ISA, cp.async.bulk.tensor).
constexpr int64_t copyAlignment = 128;

/// What copies and tensor cores of a block touch in shared memory is its own; else the op is in error.
mlir::LogicalResult verifyOwn(mlir::Operation *op, mlir::Value shared);

/// A swizzle permutes the 16-byte units of so many rows in the same way again and again.
constexpr int64_t rowsOfAtom = 8;

/// The widest swizzle whose panels divide rows of so many bytes; 16, which is none, if there is no other.
constexpr int64_t widestSwizzle(int64_t bytesOfRow) {
  int64_t swizzle = 128;
  while (swizzle > 16 && bytesOfRow % swizzle != 0)
    swizzle /= 2;
  return swizzle;
}

/// Of a ref into shared memory: its strides, and the dimension whose elements are neighbours. That one is cut into
/// panels; its stride counts within one.
struct Arrangement {
  int64_t elementBytes = 1, panelElements = 1, panelBytes = 0;
  llvm::SmallVector<int64_t> strides;
  /// `none` in a window of a single column.
  unsigned inner = 0;
  static constexpr unsigned none = ~0u;
  /// Rows lie as TMA and tensor cores have them, in panels as wide as the swizzle; those of some views do not.
  bool isForUnits = true;
  /// What an allocation takes, padding included.
  int64_t allocatedBytes = 0;

  /// All of an allocation, whose swizzle is chosen.
  static Arrangement of(AllocOp allocation);
  /// A window or a view of an allocation.
  static Arrangement of(mlir::Value ref);

  Arrangement sliced(SliceOp slice) const;
  Arrangement transposed(TransposeOp transpose) const;
  /// None where the elements of the view do not lie at strides.
  std::optional<Arrangement> reshaped(ReshapeRefOp reshape) const;
  std::optional<Arrangement> bitcast(BitcastRefOp bitcast) const;

  /// The bytes from the start to the element at an offset along a dimension.
  int64_t offset(unsigned dim, int64_t index) const {
    return dim == inner ? index / panelElements * panelBytes + index % panelElements * elementBytes
                        : index * strides[dim];
  }
};

} // namespace tegula::tile
