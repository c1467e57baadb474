// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir/TileDialect.h"

namespace tegula {

/// Has factors of products computed as the products take them: a transposition of what is computed becomes one of what
/// is loaded.
void sinkTranspositions(tile::KernelOp kernel);

} // namespace tegula
