// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that are sorted and that no thread group holds: all of the GPU sorts them, in launches of their own
// (ir/RadixSort.h), between what makes the rows and what is made of them.
//
//   t = f(load x)                  launch      store f(load x), rows         // where it is not x that is sorted
//   s = sort t             ->      count, and a pass for each digit: rows -> sorted
//   store g(s), o                  launch      store g(load sorted), o       // where more is computed of it
#pragma once

#include "transforms/split/GroupShape.h"

#include "ir/TileDialect.h"

namespace tegula::split {

/// Whether a program sorts rows that no thread group holds.
bool hasLongSorts(tile::LaunchOp launch);

/// Splits such a launch.
mlir::LogicalResult splitLongSorts(tile::LaunchOp launch, const GroupShape &shape, bool remarks);

} // namespace tegula::split
