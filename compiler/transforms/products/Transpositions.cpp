// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/Transpositions.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tegula {

/// Whether each element of the result is made of those of the operands at the same place.
static bool isElementwise(Operation *op) {
  auto indexed = dyn_cast<tile::IndexedOpInterface>(op);
  if (!indexed || !isMemoryEffectFree(op) || isa<tile::PermuteOp>(op) || indexed.getNumReductionDims() > 0)
    return false;
  auto isTile = [](Value value) { return isa<RankedTensorType>(value.getType()); };
  return llvm::any_of(op->getOperands(), isTile) && llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
           tile::IndexingMap map = isTile(operand.get()) ? indexed.getIndexingMap(operand) : tile::IndexingMap();
           return llvm::all_of(llvm::enumerate(map), [](auto each) {
             return each.value().isIterated() && each.value().dim == static_cast<int64_t>(each.index());
           });
         });
}

void sinkTranspositions(tile::KernelOp kernel) {
  SmallVector<tile::PermuteOp> work;
  kernel.walk([&](tile::PermuteOp transpose) { work.push_back(transpose); });
  while (!work.empty()) {
    tile::PermuteOp transpose = work.pop_back_val();
    Operation *op = transpose.getSource().getDefiningOp();
    if (!op || !op->hasOneUse() || !isElementwise(op))
      continue;
    OpBuilder builder(transpose);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      if (type) {
        auto turned = RankedTensorType::get(transpose.getType().getShape(), type.getElementType());
        work.push_back(
            builder.create<tile::PermuteOp>(transpose.getLoc(), turned, operand, transpose.getPermutation()));
        operand = work.back();
      }
      operands.push_back(operand);
    }
    transpose.replaceAllUsesWith(tile::detail::makeAgain(builder, op, transpose.getType(), operands));
    transpose.erase();
    op->erase();
  }
}

} // namespace tegula
