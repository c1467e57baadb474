// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/Value.h"

namespace tegula::tile {

/// A power of two that divides the integer for certain; 2^62 for 0.
int64_t divisorOf(mlir::Value value);

} // namespace tegula::tile
