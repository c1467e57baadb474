// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of matrices in memory.
#pragma once

#include "ir/TileDialect.h"

namespace tegula {

/// A matrix with its dimensions in the other order.
mlir::Value transposed(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value matrix);

} // namespace tegula
