// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that one thread group runs from beginning to end, whatever they do in whichever order: all that does not
// stay in registers goes through memory, chunk by chunk, with barriers between.
#pragma once

#include "ir/TileDialect.h"

namespace tegula::split {

/// Keeps in scratch what such a program carries through control flow, what it combines, and what it reads of arrays
/// that it stores to. Fails, without a word, where the host cannot tell how large that is.
mlir::LogicalResult keepForOneGroup(tile::LaunchOp launch);

} // namespace tegula::split
