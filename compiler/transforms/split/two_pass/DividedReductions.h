// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which reductions of a program can be divided among others, which make partial results (TwoPass.h).
#pragma once

#include "transforms/split/Domain.h"
#include "transforms/split/two_pass/DividedTile.h"

namespace tegula::split {

/// A reduction whose sources are divided among programs, all along the same dimensions.
struct DividedReduction {
  tile::ReduceOp reduce;
  llvm::SmallVector<DividedTile, 1> sources;

  /// Dimensions of the source that no reduction goes along: those of the result.
  int64_t keptRank() const { return tile::ReduceOp(reduce).getType().getRank(); }
};

/// The reductions of whole arrays in a launch of one program, all along the same dimensions.
class DividedReductions {
public:
  DividedReductions(tile::LaunchOp launch, Extents &extents);

  llvm::SmallVector<DividedReduction> targets;
  /// The dimensions that are divided, and of each target those that are kept, whose extents are those of arrays.
  llvm::SmallVector<Extent> divided;
  llvm::SmallVector<llvm::SmallVector<Extent>> kept;
  /// Each thread group of the program combines but those partial results that it needs itself.
  bool areFused = true;

  /// Whether columns are kept, neighbours in memory, and not numbers alone.
  bool keepColumns() const {
    return llvm::any_of(targets, [](const DividedReduction &target) { return target.keptRank() > 0; });
  }

private:
  std::optional<DividedReduction> targetOf(tile::ReduceOp reduce);
  bool isOwn(tile::ReduceOp reduce);
  std::optional<llvm::SmallVector<Extent>> keptOf(tile::ReduceOp reduce);

  tile::LaunchOp launch;
  Extents &extents;
  llvm::SmallDenseSet<unsigned> stored;
};

} // namespace tegula::split
