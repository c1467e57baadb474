// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches whose programs thread groups cannot share as they are, since one part of a program depends on another one
// through memory, or since all of a value is wanted that no thread group holds. They are cut into stages, each a launch
// of its own, which run one after the other:
//
//   a program:                              a program:                   a program:
//     x[ds(0, n - 1)] = x[ds(1, n - 1)]  ->   scratch = x[ds(1, n - 1)]    x[ds(0, n - 1)] = scratch
//
// What a stage needs is computed in it, unless what that is loaded from has been stored to by then: such values are kept
// in scratch arrays (Scratch.h). Each stage is split as any launch, in passes of its own where these pay.
#pragma once

#include "transforms/split/GroupShape.h"

#include "ir/TileDialect.h"

namespace tegula::split {

/// Writes the kernels and the plan of a launch by `splitStage` of its stages. Fails if it has no more than one, or if
/// one of them cannot be split.
mlir::LogicalResult splitInStages(tile::LaunchOp launch, bool remarks,
                                  llvm::function_ref<mlir::LogicalResult(tile::LaunchOp stage)> splitStage);

} // namespace tegula::split
