// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two sums that the CTAs of a cluster share, and that do not depend on each other, become one of pairs: the CTAs wait
// for each other once,
//
//   a = reduce sum x cluster;  y = f(x);  b = reduce sum y cluster   ->   y = f(x);  a, b = reduce custom x, y cluster
//
// Within a CTA that takes more registers than waiting takes time (test/benchmark/RESULTS.md).
#include "transforms/Passes.h"

#include "ir/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILEMERGEREDUCTIONS
#include "transforms/Passes.h.inc"

namespace {

/// A sum of a row that a cluster has, in a type that the sum is taken in.
bool isSumOfCluster(tile::ReduceOp reduce) {
  Type element = reduce.getType().getElementType();
  return reduce.getKind() == tile::Reduction::Sum && reduce.getCluster() &&
         (element.isF32() || element.isF64() || element.isInteger(32) || element.isInteger(64));
}

/// What `op` needs of the ops between another one and it, in their order. None if one of these depends on the other
/// one, or something is in the way of loads.
std::optional<SmallVector<Operation *>> neededAfter(Operation *first, Operation *op) {
  llvm::SmallDenseSet<Operation *> needed;
  SmallVector<Operation *> ops = {op};
  while (!ops.empty()) {
    for (Value operand : ops.pop_back_val()->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (!source || source->getBlock() != op->getBlock() || source->isBeforeInBlock(first))
        continue;
      if (source == first || source->getNumRegions() > 0 || !(isMemoryEffectFree(source) || isa<tile::LoadOp>(source)))
        return std::nullopt;
      if (needed.insert(source).second)
        ops.push_back(source);
    }
  }
  SmallVector<Operation *> inOrder;
  for (Operation *each = first->getNextNode(); each != op; each = each->getNextNode()) {
    if (!isMemoryEffectFree(each) && !isa<tile::LoadOp>(each))
      return std::nullopt;
    if (needed.contains(each))
      inOrder.push_back(each);
  }
  return inOrder;
}

void merge(tile::ReduceOp first, tile::ReduceOp second, ArrayRef<Operation *> needed) {
  for (Operation *each : needed)
    each->moveBefore(first);
  OpBuilder builder(first);
  Location loc = second.getLoc();
  SmallVector<Value> sources = {first.getSource(), second.getSource()};
  SmallVector<Attribute> identities;
  SmallVector<Type> types, scalars;
  for (tile::ReduceOp each : {first, second}) {
    Type element = each.getType().getElementType();
    types.push_back(each.getType());
    scalars.push_back(element);
    identities.push_back(tile::identityOf(tile::Reduction::Sum, element));
  }
  auto both = builder.create<tile::ReduceOp>(loc, types, tile::Reduction::Custom, sources, first.getAxes(),
                                             first.getExtents(), builder.getArrayAttr(identities), first.getCluster(),
                                             /*partial=*/false, /*combinerCount=*/1);
  Region &region = both.getCombiner().front();
  Block &block = region.emplaceBlock();
  for (int i = 0; i < 2; ++i)
    for (Type scalar : scalars)
      block.addArgument(scalar, loc);
  builder.setInsertionPointToEnd(&block);
  SmallVector<Value> sums;
  for (auto [i, scalar] : llvm::enumerate(scalars)) {
    Value a = block.getArgument(i), b = block.getArgument(scalars.size() + i);
    sums.push_back(isa<FloatType>(scalar) ? builder.create<arith::AddFOp>(loc, a, b).getResult()
                                          : builder.create<arith::AddIOp>(loc, a, b).getResult());
  }
  builder.create<tile::CombinedOp>(loc, sums);
  first.getResult().replaceAllUsesWith(both.getResults()[0]);
  second.getResult().replaceAllUsesWith(both.getResults()[1]);
  first.erase();
  second.erase();
}

struct MergeReductions : impl::TileMergeReductionsBase<MergeReductions> {
  void runOnOperation() override {
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>()) {
      SmallVector<tile::ReduceOp> sums;
      kernel.walk([&](tile::ReduceOp reduce) {
        if (isSumOfCluster(reduce))
          sums.push_back(reduce);
      });
      for (size_t i = 0; i + 1 < sums.size(); ++i) {
        tile::ReduceOp first = sums[i], second = sums[i + 1];
        bool areAlike = first->getBlock() == second->getBlock() && first.getAxes() == second.getAxes() &&
                        first.getExtents() == second.getExtents() &&
                        first.getSource().getType().getShape() == second.getSource().getType().getShape();
        if (!areAlike)
          continue;
        if (std::optional<SmallVector<Operation *>> needed = neededAfter(first, second)) {
          merge(first, second, *needed);
          ++i;
        }
      }
    }
  }
};

} // namespace
} // namespace tegula
