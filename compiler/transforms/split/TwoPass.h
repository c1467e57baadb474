// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two passes for a program that reduces whole arrays to a number and is alone: first many programs reduce a chunk each,
// then one combines what they found, and the program goes on with the number.
#pragma once

#include "transforms/split/Domain.h"

namespace tegula::split {

/// Writes into the plan of a launch, which has one for all calls, another one for large arrays. `split` gives a launch
/// its plan. Does nothing where there is no such reduction; `remarks` tells the author where there is.
mlir::LogicalResult addTwoPass(tile::LaunchOp launch, llvm::function_ref<mlir::LogicalResult(tile::LaunchOp)> split,
                               bool remarks);

} // namespace tegula::split
