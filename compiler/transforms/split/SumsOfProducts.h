// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of several products in a form that tensor cores run in one loop. `tf32x3` and `bf16x3` are three products each,
// from the frontend on.
#pragma once

#include "ir/TileDialect.h"

namespace tegula::split {

/// Adds products to a sum one after the other: x + (a b + c d) becomes (x + a b) + c d, which tensor cores keep in
/// their registers. (The order in which they sum up is theirs anyway.)
void addProductsInTurn(tile::LaunchOp launch);

/// Subtracts the sum of a loop's products behind the loop: tensor cores add.
void subtractSums(tile::LaunchOp launch);

} // namespace tegula::split
