// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks of a cluster along its axes. They are counted by ranks; the last axis runs fastest.
#pragma once

#include "mlir/Support/LLVM.h"

#include <cstdint>

namespace tegula::tile {

class ClusterShape {
public:
  explicit ClusterShape(mlir::ArrayRef<int64_t> sizes) : sizes(sizes) {}

  int64_t size(int64_t axis) const { return sizes[axis]; }
  /// What a step along the axis adds to the rank.
  int64_t stride(int64_t axis) const {
    int64_t stride = 1;
    for (int64_t size : sizes.drop_front(axis + 1))
      stride *= size;
    return stride;
  }
  /// The ranks of all blocks that stand anywhere along these axes, and at 0 along the others, as bits.
  int64_t ranksAlong(mlir::ArrayRef<int64_t> axes) const {
    int64_t ranks = 1;
    for (int64_t axis : axes) {
      int64_t known = ranks;
      for (int64_t i = 1; i < size(axis); ++i)
        ranks |= known << i * stride(axis);
    }
    return ranks;
  }
  /// How many they are.
  int64_t countAlong(mlir::ArrayRef<int64_t> axes) const {
    int64_t count = 1;
    for (int64_t axis : axes)
      count *= size(axis);
    return count;
  }
  /// How many blocks differ from a given one along at most one of these axes; it is one of them.
  int64_t countCrossing(mlir::ArrayRef<int64_t> axes) const {
    int64_t count = 1;
    for (int64_t axis : axes)
      count += size(axis) - 1;
    return count;
  }

private:
  mlir::ArrayRef<int64_t> sizes;
};

} // namespace tegula::tile
