// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir/TileDialect.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula::tile {

inline bool isTile(mlir::Value value) { return llvm::isa<mlir::RankedTensorType>(value.getType()); }

/// The window of a ref that a part stands for; the ref itself if that is all of it. One that may extend past the edge
/// says so in its type.
mlir::Value makeWindow(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value ref, llvm::ArrayRef<Part> parts);

/// The part that is all of a tile.
Parts wholeOf(mlir::RankedTensorType type);

/// The part of an operand that a part of the result takes. `here` is what an offset of the op is at the builder's
/// place.
Parts partsOfOperand(mlir::OpBuilder &builder, IndexedOpInterface op, mlir::OpOperand &operand,
                     llvm::ArrayRef<Part> parts, llvm::function_ref<mlir::Value(mlir::Value)> here);

/// A part of a load, or what IndexedOpInterface::makePart makes.
mlir::Value makePart(mlir::OpBuilder &builder, IndexedOpInterface op, llvm::ArrayRef<Part> parts,
                     mlir::ValueRange operands);

} // namespace tegula::tile
