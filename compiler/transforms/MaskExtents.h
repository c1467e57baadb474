// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tegula {

/// A tile, but for what lies beyond `extent` along `dim`, which is a constant.
mlir::Value maskBeyond(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tile, int64_t dim, mlir::Value extent,
                       mlir::TypedAttr otherwise);

/// The same by a branch, for tiles that are seldom cut off.
mlir::Value maskIfCut(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tile, int64_t dim, mlir::Value extent,
                      mlir::TypedAttr otherwise);

} // namespace tegula
