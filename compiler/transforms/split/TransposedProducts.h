// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposed products, on Hopper, for right factors that are computed of narrow elements, as quantised weights of 4 or
// 8 bits are that lie along the sum. A launch is rewritten before it is split:
//   acc += x f(w)          ->      acc^T += f(w)^T x^T
//   store o = g(acc)               store o^T = g(acc^T)
// wgmma takes left factors from registers, where they are computed, and right ones from shared memory alone. The result
// is stored transposed (`stmatrix.trans` in products/PanelWriter.h). TMA copies packed elements as bytes. Four threads
// load the same 16 bytes, and each takes its own elements out when it converts them, two at a time
// (lower/explicit/NarrowLoads.cpp, `pairAs` in lower/Packed.h). Scales, numbers for each row of such a factor, are
// copied into the ring, too, if they are contiguous (`describeRows` in products/FactorWindow.h), else loaded a step
// ahead.
#pragma once

#include "ir/TileDialect.h"

namespace tegula::split {

/// Rewrites a launch all of whose products are such, and of whose results nothing is made but element by element.
/// False, and the launch as it was, if it is another one.
bool transposeProducts(tile::LaunchOp launch);

} // namespace tegula::split
