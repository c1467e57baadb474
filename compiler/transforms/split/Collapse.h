// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise programs over whole arrays of several dimensions: where arrays are dense, all is one row. Rows of any
// length are then accessed in vectors, and short ones leave no thread idle.
#pragma once

#include "transforms/split/GroupShape.h"

#include "ir/TileDialect.h"

namespace tegula::split {

/// Has `split` write the kernels and the plan of a launch. If its programs together do the same to all elements of
/// arrays of one shape, at once or block by block, writes a kernel for one row, too, and into the plan which calls it
/// serves. With `remarks`, tells the author.
mlir::LogicalResult splitCollapsed(tile::LaunchOp launch, const GroupShape &shape, bool remarks,
                                   llvm::function_ref<mlir::LogicalResult()> split);

} // namespace tegula::split
