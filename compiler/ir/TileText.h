// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles in messages: those who read them know the language, and not MLIR.
#pragma once

#include "mlir/IR/BuiltinTypes.h"

#include <string>

namespace tegula::tile {

/// "a tile of 64 x 12 elements of f32". Extents that are known at run time are "?".
std::string inWords(mlir::RankedTensorType tile);

} // namespace tegula::tile
