// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "frontend/Values.h"
#include "ir/TileDialect.h"

#include "clang/Basic/SourceLocation.h"

namespace tegula::frontend {

/// How `tg::in`, `out` and `inout` cut an array into blocks.
struct Spec {
  tile::Access access = tile::Access::In;
  mlir::Value array;
  /// Static extents, tg::whole or tg::squeezed; those of a run-time block are in `sizes`.
  llvm::SmallVector<int64_t, 4> block;
  llvm::SmallVector<mlir::Value, 4> sizes;
  /// The index map; null for the whole array.
  Object *map = nullptr;
  clang::SourceLocation where;
};

} // namespace tegula::frontend
