// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/Value.h"

namespace tegula::tile {

/// A power of two that divides the integer for certain; 2^62 for 0.
int64_t divisorOf(mlir::Value value);

/// The alignment, in bytes, of a window without the constants that it begins at along its rows, if these consist of
/// accesses of that size; 0 if nothing is known.
int64_t alignmentOfNeighbours(mlir::Value ref);

} // namespace tegula::tile
