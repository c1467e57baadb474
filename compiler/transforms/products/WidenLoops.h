// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows and steps are counted in 64 bits; programs may count in other types.
#pragma once

#include "ir/TileDialect.h"

namespace tegula {

/// Lets loops with products count in 64 bits, in which windows and steps are: programs may count in others.
void widenProductLoops(tile::KernelOp kernel);

} // namespace tegula
