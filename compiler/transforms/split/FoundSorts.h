// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sorts of a program whose rows no thread group holds, and what the program does beside them.
#pragma once

#include "analysis/Extents.h"
#include "transforms/split/RadixSort.h"

namespace tegula::split {

/// A sort, and where its rows come from and go to, as far as that is an array as it stands.
struct LongSort {
  tile::SortOp op;
  RadixSort radix;
  /// Of each source; null of indices, too.
  llvm::SmallVector<mlir::BlockArgument> from;
  /// Of each result.
  llvm::SmallVector<mlir::BlockArgument> to;
  /// In the program: the extent along each dimension; null where it is what the type says.
  llvm::SmallVector<mlir::Value> there;

  int64_t axis() { return static_cast<int64_t>(op.getAxis()); }
};

class FoundSorts {
public:
  /// `mostElements` is what a thread group holds.
  FoundSorts(tile::LaunchOp launch, Extents &extents, int64_t mostElements)
      : launch(launch), extents(extents), mostElements(mostElements) {}

  /// Refuses those that cannot be sorted.
  mlir::LogicalResult find();
  mlir::LogicalResult refuse(tile::SortOp sort, const llvm::Twine &why);
  /// What the launch in front does not have: what changes memory or reads what is changed, the sorts, and what is made
  /// of all that.
  llvm::SmallPtrSet<mlir::Operation *, 16> opsOfRest();

  llvm::SmallVector<LongSort, 2> sorts;
  /// All that is sorted comes from arrays as they stand; and nothing is done with it but to store it to such arrays.
  bool readsWhole = true, storesWhole = true;

private:
  mlir::LogicalResult check(tile::SortOp sort);
  void describe(LongSort &sort);

  tile::LaunchOp launch;
  Extents &extents;
  int64_t mostElements;
};

} // namespace tegula::split
