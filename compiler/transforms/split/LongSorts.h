// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts of rows that no thread group holds: longer ones, and those of run-time extent. All of the GPU sorts them, in
// launches of their own between what makes the rows and what is made of them:
//
//   t = f(load x)                  launch      store f(load x), rows         // left out if x itself is sorted
//   s = sort t             ->      count, and a pass for each digit: rows -> sorted
//   store g(s), o                  launch      store g(load sorted), o       // left out if only s is stored
//
// The first and the last are also left out where the host sees that arrays have the rows as they are. In a pass
// (`tile.radix_pass`), each CTA ranks the elements of a part of a row by a digit of their keys, and looks back at what
// the parts before it have published (ir/RadixSort.h, lower/RadixSort.cpp): each element is read once and written once.
// The CPU sorts rows of any length by `tile.sort` itself.
#pragma once

#include "transforms/split/GroupShape.h"

#include "ir/TileDialect.h"

namespace tegula::split {

/// Whether a program sorts rows that no thread group holds.
bool hasLongSorts(tile::LaunchOp launch);

/// Splits such a launch.
mlir::LogicalResult splitLongSorts(tile::LaunchOp launch, const GroupShape &shape, bool remarks);

} // namespace tegula::split
