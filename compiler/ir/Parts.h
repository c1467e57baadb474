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

/// Whether parts of a tile, cut along some of its dimensions, can be computed of parts of what it is computed of: back
/// to tiles that need not be computed again, as `isMade` says of a tile and the dimensions along which it is cut, and
/// to loads of which `canLoad` says that they may be repeated.
bool canMakeParts(mlir::Value tile, llvm::ArrayRef<bool> isCut,
                  llvm::function_ref<bool(mlir::Value, llvm::ArrayRef<bool>)> isMade,
                  llvm::function_ref<bool(LoadOp)> canLoad);

/// A part of a load, or what IndexedOpInterface::makePart makes.
mlir::Value makePart(mlir::OpBuilder &builder, IndexedOpInterface op, llvm::ArrayRef<Part> parts,
                     mlir::ValueRange operands);

} // namespace tegula::tile
