// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which layouts the operands of an op have for a layout of its result, and the other way round, if no data is to move
// between threads.
#pragma once

#include "ir/TileDialect.h"
#include "layout/DistributedLayout.h"

namespace tegula {

/// Which of the two layouts follows from the other one.
enum class LayoutRelation {
  None,
  Same,        ///< one element of the operand for each of the result, at the same index
  FromOperand, ///< the operand has all elements of the iteration space: the result is where they are combined or moved
  FromResult,  ///< the operand is repeated: each copy is where the result needs it
};
LayoutRelation relationOf(tile::IndexedOpInterface op, mlir::OpOperand &operand);

/// The layout of an operand that puts each element where the result needs it: of LayoutRelation::FromResult.
layout::DistributedLayout layoutOfOperand(mlir::OpOperand &operand, const layout::DistributedLayout &result);

/// The layout of what is made where the elements of an operand are: of LayoutRelation::FromOperand.
layout::DistributedLayout layoutOfResult(mlir::OpOperand &operand, const layout::DistributedLayout &source);

/// Gives a repeated operand a source of its own, by computing it once more: loads are repeated where they are. Fails
/// where that cannot be done, or is not cheap.
mlir::LogicalResult copySource(mlir::OpOperand &operand);

} // namespace tegula
