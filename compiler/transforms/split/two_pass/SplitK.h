// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Split-K: two passes for long sums of products, in so few sub-tiles that most multiprocessors would be idle (CUTLASS:
// "parallel split-K"). Before splitting, a launch becomes two:
//
//   a program (m, n):                           a program (m, n, part):             a program (m, n):
//     for k: acc += dot a[m, k], b[k, n]   ->     for k of the part: acc += dot ...   acc = sum of partial[all, m, n]
//     store o[m, n] = relu(acc + bias[n])         store partial[part, m, n] = acc     store o[m, n] = relu(acc + ...)
//
// The first has one more grid axis. The second is the program itself, which does what follows the sum element by
// element: conversions, a bias, its stores. DividedProducts.h says which sums can be divided: those of a loop that adds
// up products and does nothing else, and products of whole rows, of which a part has a chunk (DividedTile.h).
//
// The number of parts depends on the shapes alone, not on the multiprocessors, and parts are added up in one order:
// results are the same in every run and on all chips of a class. The first pass is one kernel, with the widest
// sub-tiles of the fastest unit (split/PartialKernels.cpp), for calls that it can serve. The host decides by sub-tiles
// and steps; all other calls are served as without split-K.
#pragma once

#include "transforms/split/GroupShape.h"

#include "ir/TileDialect.h"

namespace tegula::split {

/// Writes the kernels and the plan of a launch, as `splitLaunch` does, and for few sub-tiles the passes, where its
/// products allow it. With `remarks`, tells the author.
mlir::LogicalResult splitAlongDepth(tile::LaunchOp launch, const GroupShape &shape, bool remarks);

} // namespace tegula::split
