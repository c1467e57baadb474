// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From aligned arrays to aligned windows.
#pragma once

#include "ir/TileDialect.h"

namespace tegula {

/// The widest access that an array promises when the host has found it dense (tile.dense), in bytes.
inline constexpr int64_t accessBytes = 16;

/// Gives every window of an array in a kernel the alignment that its source and its offsets prove. True if some access
/// gains by it.
bool propagateAlignment(tile::KernelOp kernel);

} // namespace tegula
