// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir/TileDialect.h"

namespace tegula::tile {

/// The window of a ref that a part stands for; the ref itself if that is all of it. One that may extend past the edge
/// says so in its type.
mlir::Value makeWindow(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value ref, llvm::ArrayRef<Part> parts);

} // namespace tegula::tile
