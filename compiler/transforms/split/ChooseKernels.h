// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a launch to its kernels and the plan that chooses among them.
#pragma once

#include "transforms/split/Domain.h"

#include "ir/TileDialect.h"

namespace tegula::split {

/// Writes the kernels and the plan of a launch of the portable level. With `remarks`, says at the launch which calls
/// each kernel serves.
mlir::LogicalResult splitLaunch(tile::LaunchOp launch, GroupShape shape, bool remarks);

/// Writes one kernel of a launch of products, and a plan that launches it in a branch (LaunchBuilder::runAlone).
mlir::FailureOr<Program> splitAlone(tile::LaunchOp launch, const GroupShape &shape);

} // namespace tegula::split
