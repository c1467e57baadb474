// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/layouts/LayoutRelations.h"

#include "ir/Parts.h"

#include "mlir/IR/IRMapping.h"

#include <functional>

using namespace mlir;

namespace tegula {
using layout::DistributedLayout;

/// Of a root, that of what it stores.
static int64_t rankOfResult(Operation *op) {
  return cast<RankedTensorType>(tile::iteratedTile(op).getType()).getRank();
}

LayoutRelation relationOf(tile::IndexedOpInterface op, OpOperand &operand) {
  int64_t rank = rankOfResult(op), dims = rank + op.getNumReductionDims(), count = 0, last = -1;
  bool isSame = true, isIterated = true, isRepeated = true;
  for (const tile::DimIndex &index : op.getIndexingMap(operand)) {
    if (index.isElement()) // A part of fewer dimensions has no layout in common with the whole.
      return LayoutRelation::None;
    isSame &= !index.isUnit() && index.dim == count;
    isIterated &= index.isIterated();
    isRepeated &= !index.isWindow() && index.dim < rank && index.dim > last;
    last = index.dim;
    ++count;
  }
  if (isSame && count == rank)
    return LayoutRelation::Same;
  if (isIterated && count == dims)
    return LayoutRelation::FromOperand;
  return isRepeated ? LayoutRelation::FromResult : LayoutRelation::None;
}

DistributedLayout layoutOfOperand(OpOperand &operand, const DistributedLayout &result) {
  auto op = cast<tile::IndexedOpInterface>(operand.getOwner());
  tile::IndexingMap map = op.getIndexingMap(operand);
  DistributedLayout needed = result;
  for (int64_t dim = rankOfResult(op) - 1; dim >= 0; --dim)
    if (llvm::none_of(map, [&](const tile::DimIndex &index) { return index.dim == dim; }))
      needed = needed.withoutDim(static_cast<unsigned>(dim));
  return needed;
}

DistributedLayout layoutOfResult(OpOperand &operand, const DistributedLayout &source) {
  auto op = cast<tile::IndexedOpInterface>(operand.getOwner());
  tile::IndexingMap map = op.getIndexingMap(operand);
  int64_t rank = rankOfResult(op);
  DistributedLayout made = source;
  for (size_t dim = map.size(); dim-- > 0;)
    if (map[dim].dim >= rank) {
      made = made.withoutDim(static_cast<unsigned>(dim));
      map.erase(map.begin() + dim);
    }
  SmallVector<int64_t> permutation(rank);
  for (auto [sourceDim, index] : llvm::enumerate(map))
    permutation[index.dim] = sourceDim;
  return made.permuted({permutation.data(), permutation.size()});
}

LogicalResult copySource(OpOperand &operand) {
  SmallVector<Value> work{operand.get()};
  llvm::DenseSet<Value> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!tile::isTile(value) || !seen.insert(value).second)
      continue;
    auto op = dyn_cast_or_null<tile::IndexedOpInterface>(value.getDefiningOp());
    if (!op)
      return failure();
    for (OpOperand &source : op->getOpOperands())
      if (tile::isTile(source.get())) {
        LayoutRelation relation = relationOf(op, source);
        if (relation != LayoutRelation::Same && relation != LayoutRelation::FromResult)
          return failure();
        work.push_back(source.get());
      }
  }
  IRMapping copies;
  std::function<void(Value)> copy = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (copies.contains(value) || !tile::isTile(value))
      return;
    for (Value source : op->getOperands())
      copy(source);
    OpBuilder builder(op);
    builder.setInsertionPointAfter(op);
    builder.clone(*op, copies);
  };
  copy(operand.get());
  operand.set(copies.lookup(operand.get()));
  return success();
}

} // namespace tegula
