// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Split-K: two passes for sums of products that are long, in so few sub-tiles that most multiprocessors would be idle.
// The first is a launch with one more grid axis: each program sums a part of what is summed over, and stores that to
// scratch memory. The second is the program itself, whose sums are what the parts came to: it does what is left,
// conversions, a bias, its stores.
//
// How many parts there are depends on the shapes alone, not on the multiprocessors, and they are added up in one order:
// results are the same in every run and on all chips of a class. The first pass is one kernel, the widest sub-tiles of
// the fastest unit, for calls that it can serve; all others go the way that they would go without. (CUTLASS: "parallel
// split-K".)
#pragma once

#include "transforms/split/GroupShape.h"

#include "ir/TileDialect.h"

namespace tegula::split {

/// Writes the kernels and the plan of a launch, as `splitLaunch` does, and for few sub-tiles the passes, where its
/// products allow it. With `remarks`, tells the author.
mlir::LogicalResult splitAlongDepth(tile::LaunchOp launch, const GroupShape &shape, bool remarks);

} // namespace tegula::split
