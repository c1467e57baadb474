// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long the code of a program is. A thread's registers are indexed by constants, so an operation on a tile is as
// many instructions as a thread has elements of it: long programs get fewer elements a thread, and fewer variants.
#pragma once

#include "ir/TileDialect.h"

namespace tegula::split {

/// The instructions of a thread from which on code is made shorter: LLVM and ptxas take about a tenth of a second each
/// for so many. Programs with up to 7 functions (exp, division) for each element of a row stay below.
inline constexpr int64_t longCode = 4096;

/// About how many instructions an operation takes for one element.
int64_t weightOf(mlir::Operation *op);

/// About how many instructions a program takes for one element, if it makes each tile once.
int64_t weightOf(tile::LaunchOp launch);

} // namespace tegula::split
