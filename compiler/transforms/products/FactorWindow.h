// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in its array a factor of a product is, and what that asks of whoever copies it.
#pragma once

#include "transforms/products/Mainloop.h"

namespace tegula {

/// How messages call a factor.
inline llvm::StringRef nameOf(bool isLeft) { return isLeft ? "the left factor" : "the right factor"; }

/// Whether a load gives all that is there, and zeros outside: load(block, true, 0). TMA copies a window so.
bool isFilledWithZeros(tile::LoadOp load);

/// A factor of the loop: a window that is loaded, and `isTurned` multiplied with its dimensions in the other order.
/// None, with an obstacle, if it is to be copied by TMA, which cannot do that.
std::optional<Factor> describeFactor(tile::LoadOp load, bool isTurned, bool isLeft, bool isByTma,
                                     std::string &obstacle);

/// What has a number for each row of a left factor, as scales are, as TMA copies it: none if it cannot.
std::optional<Factor> describeRows(tile::LoadOp load, int64_t rows);

} // namespace tegula
