// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be told of the values of a tile's elements from how it is made.
#pragma once

#include "mlir/IR/Value.h"

namespace tegula::tile {

/// On a tile.exp of f32: no element of the operand is above 0. (NaN may be there.)
inline constexpr llvm::StringLiteral neverPositiveAttr = "tile.never_positive";

/// Whether no element is above 0: a tile less its maximum, or less what is at least that.
bool isNeverPositive(mlir::Value tile);

/// Whether no element has a sign, a NaN perhaps.
bool isNeverNegative(mlir::Value tile);

} // namespace tegula::tile
