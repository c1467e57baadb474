// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir/TileDialect.h"

namespace tegula::split {

/// Adds products to a sum one after the other: x + (a b + c d) becomes (x + a b) + c d, which tensor cores keep in
/// their registers. (The order in which they sum up is theirs anyway.)
void addProductsInTurn(tile::LaunchOp launch);

/// Subtracts the sum of a loop's products behind the loop: tensor cores add.
void subtractSums(tile::LaunchOp launch);

} // namespace tegula::split
