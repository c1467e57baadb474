// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tegula {

/// Whether elements of a tile of this shape are there: true where the index along `dim` is less than `extent`, an i64.
mlir::Value isWithin(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<int64_t> shape, int64_t dim,
                     mlir::Value extent);

/// A tile, but for what lies beyond `extent` along `dim`, which is a constant.
mlir::Value maskBeyond(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tile, int64_t dim, mlir::Value extent,
                       mlir::TypedAttr otherwise);

} // namespace tegula
