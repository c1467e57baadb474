// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What TMA asks of the windows that it copies (CUDA C++ Programming Guide, "Tensor Memory Access"). Of arrays the host
// finds it out (tile.can_map).
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace tegula {

inline constexpr int64_t mostDimsOfMap = 5;

/// Numbers that the host passes to a kernel, and that TMA wants to be multiples of 16 bytes: along its innermost
/// dimension, a window begins at such a place.
using EvenArguments = llvm::SmallVector<mlir::BlockArgument, 1>;

/// Whether a window of the array that begins there along its innermost dimension can be copied, perhaps if some
/// arguments are multiples of 16 bytes.
bool isEven(mlir::Value start, mlir::BlockArgument array, EvenArguments &even);

} // namespace tegula
