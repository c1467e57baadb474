// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What loops and branches carry, put into memory: a loop is then the same effects again and again.
//
//   for k iter_args(t = x):  yield f(t)         ->     scratch = x;  for k: scratch = f(scratch)
#pragma once

#include "ir/TileDialect.h"

namespace tegula::split {

/// What may go to memory: tiles alone, or numbers, too.
enum class CarriedKinds { tiles, all };

/// Keeps in scratch what an op of a launch, a loop or a branch, carries. What stands in its place is returned: the op
/// itself if it carries nothing, null if the host cannot tell how large that is.
mlir::Operation *keepCarried(tile::LaunchOp launch, mlir::Operation *op, CarriedKinds kinds);

} // namespace tegula::split
