// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products by what is computed of narrow elements, as quantised weights are:
//   acc += x f(w)          ->      acc^T += f(w)^T x^T
//   store o = g(acc)               store o^T = g(acc^T)
// wgmma takes left factors from registers, where they are computed, and right ones from shared memory alone.
#pragma once

#include "ir/TileDialect.h"

namespace tegula::split {

/// Rewrites a launch all of whose products are such, and of whose results nothing is made but element by element.
/// False, and the launch as it was, if it is another one.
bool transposeProducts(tile::LaunchOp launch);

} // namespace tegula::split
