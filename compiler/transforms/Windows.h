// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir/TileDialect.h"

namespace tegula {

/// The window that parts stand for, one for each dimension of a ref that has become `source`. What may extend past the
/// edge says so in its type.
mlir::Value windowOfParts(mlir::OpBuilder &builder, mlir::Location loc, tile::RefType type, mlir::Value source,
                          llvm::ArrayRef<tile::Part> parts);

} // namespace tegula
