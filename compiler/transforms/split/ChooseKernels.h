// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a launch to its kernels and the plan that chooses among them.
#pragma once

#include "transforms/split/GroupShape.h"

#include "ir/TileDialect.h"

namespace tegula::split {

/// Writes the kernels and the plan of a launch of the portable level. With `remarks`, says at the launch which calls
/// each kernel serves.
mlir::LogicalResult splitLaunch(tile::LaunchOp launch, GroupShape shape, bool remarks);

} // namespace tegula::split
