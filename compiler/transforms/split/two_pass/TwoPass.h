// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two-pass reductions, of a program that is alone and reduces whole arrays to a number or to their columns. One thread
// group for each result would be too few. First many programs reduce a chunk each to partial results in scratch memory
// (PartialResults.h). Then these are combined, always in the same order, and the program goes on with the results.
//
// The second pass is the program itself if each of its thread groups needs only its own columns of the partial results,
// or if it stores numbers alone. If it goes on with a number for every element of an array, one thread group combines
// the partial results before. Columns are cut in three ways, by the bytes in flight (ColumnCut.h): wide sub-tiles of
// aligned arrays, of any others, and of few columns, which are neighbours in memory with those of the next rows.
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
