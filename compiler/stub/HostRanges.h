// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What integers of the host may be, so that arithmetic is checked for overflow where it can overflow, and nowhere else.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <utility>

namespace tegula::stub {

class HostRanges {
public:
  /// The least and the greatest value, wide enough for any sum or product of two.
  struct Range {
    __int128 least, greatest;
    bool isWithin(const Range &other) const { return least >= other.least && greatest <= other.greatest; }
    bool hasNegative() const { return least < 0; }
  };

  /// Of a signless integer, read as signed; of a bool 0 and 1. Where the printer checks an operation, a result that its
  /// type does not hold is none.
  Range of(mlir::Value value);
  /// Before its type cuts it: of an addition, a subtraction, a product, a shift to the left or a conversion.
  Range exact(mlir::Operation *op);
  /// Whether the type of its result holds whatever the op may compute.
  bool fits(mlir::Operation *op);
  static Range ofType(mlir::Type type);

private:
  /// The integer is at most so many times a product of different extents of one array, all of them 0 or more.
  struct Extents {
    mlir::Value array;
    unsigned axes = 0; ///< a bit for each
    __int128 factor = 1;
  };
  Range compute(mlir::Value value);
  Range computeOp(mlir::Operation *op);
  Range ofDim(mlir::Value array, int64_t axis);
  std::optional<Extents> extentsIn(mlir::Value value, unsigned depth);

  llvm::DenseMap<mlir::Value, Range> known;
  unsigned depth = 0;
};

/// The array of the host behind the argument of a launch's plan.
mlir::Value hostArrayOf(mlir::Value array);

} // namespace tegula::stub
