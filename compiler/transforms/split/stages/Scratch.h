// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of a launch's own, in which its programs keep values from one stage to the next (Stages.h).
#pragma once

#include "ir/TileDialect.h"

namespace tegula::split {

/// Keeps a value of the body in memory: stores it where it is made, and loads it for all that use it. The array, which
/// has a part for each program, is host code in front of the launch, and an argument more. Fails, without a word, where
/// the host cannot tell how large it is.
mlir::LogicalResult keepInScratch(tile::LaunchOp launch, mlir::Value value);

} // namespace tegula::split
