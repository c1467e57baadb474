// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/SinkTranspositions.h"

#include "ir/Parts.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tegula {
namespace {

Value permuted(OpBuilder &builder, Value tile, ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(tile.getType());
  auto turned = RankedTensorType::get(applyPermutation(type.getShape(), permutation), type.getElementType());
  return builder.createOrFold<tile::PermuteOp>(tile.getLoc(), turned, tile, permutation);
}

/// What a permuted tile is made of, with its own dimensions in that order; null if it stays as it is.
Value sunk(tile::PermuteOp permute) {
  auto op = permute.getSource().getDefiningOp<tile::IndexedOpInterface>();
  if (!op)
    return {};
  OpBuilder builder(permute);
  ArrayRef<int64_t> permutation = permute.getPermutation();
  SmallVector<int64_t> back = invertPermutationVector(permutation);
  if (auto iota = dyn_cast<tile::IotaOp>(op.getOperation()); iota && iota.getExtents().empty())
    return builder.create<tile::IotaOp>(iota.getLoc(), permute.getType(),
                                        builder.getI64IntegerAttr(back[iota.getAxis()]), iota.getOffset(),
                                        ValueRange());
  if (auto broadcast = dyn_cast<tile::BroadcastOp>(op.getOperation())) {
    // The dimensions of the source, by where they come to be.
    SmallVector<std::pair<int64_t, int64_t>> order;
    for (auto [dim, ofResult] : llvm::enumerate(broadcast.getDims()))
      order.push_back({back[ofResult], static_cast<int64_t>(dim)});
    llvm::sort(order);
    Value source = permuted(builder, broadcast.getSource(), llvm::to_vector(llvm::make_second_range(order)));
    return builder.create<tile::BroadcastOp>(broadcast.getLoc(), permute.getType(), source,
                                             llvm::to_vector(llvm::make_first_range(order)));
  }
  if (!(tile::isElementwise(op) || isa<tile::FullOp>(op.getOperation())) || !op.getResultExtents().empty())
    return {};
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(tile::isTile(operand) ? permuted(builder, operand, permutation) : operand);
  tile::Parts parts;
  for (int64_t size : permute.getType().getShape())
    parts.push_back({{}, size});
  return op.makePart(builder, parts, operands);
}

} // namespace

void sinkTranspositions(tile::KernelOp kernel) {
  SmallVector<Value> work;
  kernel.walk([&](tile::DotOp dot) { work.append({dot.getA(), dot.getB()}); });
  llvm::DenseSet<Value> seen;
  while (!work.empty()) {
    Value tile = work.pop_back_val();
    if (!tile::isTile(tile) || !seen.insert(tile).second)
      continue;
    if (auto permute = tile.getDefiningOp<tile::PermuteOp>())
      if (Value made = sunk(permute)) {
        permute.replaceAllUsesWith(made);
        tile = made;
      }
    if (Operation *op = tile.getDefiningOp(); op && op->getNumRegions() == 0)
      llvm::append_range(work, op->getOperands());
  }
  SmallVector<Operation *> ops;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
}

} // namespace tegula
