// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/split/GroupShape.h"

#include "ir/TileDialect.h"

namespace tegula::split {

/// Whether a program does nothing along its rows but to compute element by element and to scan, so that thread groups
/// can share a row, each with a part of it that waits for those before.
bool canShareScans(tile::LaunchOp launch);

/// Splits such a launch: calls with few long rows share them, all others have what splitLaunch makes.
mlir::LogicalResult splitScans(tile::LaunchOp launch, const GroupShape &shape, bool remarks);

} // namespace tegula::split
