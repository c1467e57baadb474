// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One ring serves several products, and one pass over memory several reductions.
#pragma once

#include "ir/TileDialect.h"

namespace tegula {

/// Makes one loop of those, next to each other, that sum products over the same steps: factors that they share are
/// loaded once. Splitting writes a loop for each product of whole rows.
void mergeProductLoops(tile::KernelOp kernel);

/// The same of loops over the chunks of reductions.
void mergeReductionLoops(tile::KernelOp kernel);

} // namespace tegula
