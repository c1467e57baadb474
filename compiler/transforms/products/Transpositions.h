// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir/TileDialect.h"

namespace tegula {

/// Has elementwise ops work on what is transposed instead of transposing what they make: transpose(f(x)) becomes
/// f(transpose(x)). What is loaded can be transposed on its way.
void sinkTranspositions(tile::KernelOp kernel);

} // namespace tegula
