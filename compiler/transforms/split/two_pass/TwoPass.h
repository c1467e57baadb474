// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two passes for a program that is alone and reduces whole arrays to a number, or to their columns: first many programs
// reduce a chunk each to partial results in scratch memory, then these are combined, always in the same order, and the
// program goes on with what they come to.
//
// The second pass is the program itself where each of its thread groups needs but its own columns of the partial
// results, or where it stores numbers alone. Where it goes on with a number for every element of an array, one thread
// group combines the partial results before. Columns go in three ways: wide sub-tiles of aligned arrays, of any others,
// and of few columns, which are neighbours in memory with those of the next rows.
#pragma once

#include "transforms/split/GroupShape.h"

#include "ir/TileDialect.h"

namespace tegula::split {

/// From this many elements of an array on, several launches, each of many thread groups, take less time than one launch
/// of one.
inline constexpr int64_t fewestForSeveralPasses = 1 << 16;

/// Writes the kernels and the plan of a launch, as `splitLaunch` does, and for large arrays the passes, where a
/// reduction, or a product (SplitK.h), allows it. With `remarks`, tells the author.
mlir::LogicalResult splitInPasses(tile::LaunchOp launch, const GroupShape &shape, bool remarks);

} // namespace tegula::split
