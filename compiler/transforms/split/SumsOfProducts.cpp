// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/SumsOfProducts.h"

using namespace mlir;

namespace tegula::split {

/// Collects what a sum of nothing but products consists of; false if it is another one, or wanted elsewhere, too.
static bool collectProducts(Value sum, SmallVectorImpl<tile::DotOp> &products) {
  if (!sum.hasOneUse())
    return false;
  if (auto dot = sum.getDefiningOp<tile::DotOp>()) {
    products.push_back(dot);
    return !dot.getAcc();
  }
  auto add = sum.getDefiningOp<tile::AddOp>();
  return add && collectProducts(add.getLhs(), products) && collectProducts(add.getRhs(), products);
}

void addProductsInTurn(tile::LaunchOp launch) {
  SmallVector<tile::AddOp> sums;
  launch.getBody().walk([&](tile::AddOp add) { sums.push_back(add); });
  for (tile::AddOp add : llvm::reverse(sums)) { // The outermost first: those in it are then as they are to be.
    SmallVector<tile::DotOp> left, right;
    bool isLeft = collectProducts(add.getLhs(), left), isRight = collectProducts(add.getRhs(), right);
    if ((isLeft && isRight) || (!isLeft && !isRight) || (isLeft ? left : right).size() < 2)
      continue;
    OpBuilder builder(add);
    Value sum = isLeft ? add.getRhs() : add.getLhs();
    for (tile::DotOp product : isLeft ? left : right)
      sum = builder.create<tile::AddOp>(add.getLoc(), sum, product);
    add.replaceAllUsesWith(sum);
  }
  for (tile::AddOp add : llvm::reverse(sums))
    if (add.use_empty())
      add.erase();
}

/// The result of a product that is all that a loop subtracts from what it carries at `number`; null if it does else.
static tile::SubOp subtractionOf(scf::ForOp loop, unsigned number) {
  Value carried = loop.getRegionIterArg(number);
  auto difference = loop.getYieldedValues()[number].getDefiningOp<tile::SubOp>();
  if (!carried.hasOneUse() || !difference || difference->getParentOp() != loop || !difference->hasOneUse() ||
      difference.getLhs() != carried)
    return {};
  auto dot = difference.getRhs().getDefiningOp<tile::DotOp>();
  return dot && dot->hasOneUse() && !dot.getAcc() && dot->getParentOp() == loop ? difference : tile::SubOp();
}

void subtractSums(tile::LaunchOp launch) {
  SmallVector<scf::ForOp> loops;
  launch.getBody().walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    for (unsigned i = 0; i < loop.getNumResults(); ++i) {
      tile::SubOp difference = subtractionOf(loop, i);
      auto type = dyn_cast<RankedTensorType>(loop.getResult(i).getType());
      if (!difference || !type.hasStaticShape())
        continue;
      OpBuilder builder(loop);
      Location loc = difference.getLoc();
      Value zero =
          builder.create<arith::ConstantOp>(loc, builder.getZeroAttr(tile::scalarTypeOf(type.getElementType())));
      Value from = loop.getInitArgs()[i];
      loop.getInitArgsMutable()[i].set(builder.create<tile::FullOp>(loc, type, zero, ValueRange()));
      builder.setInsertionPoint(difference);
      difference.replaceAllUsesWith(
          builder.create<tile::AddOp>(loc, difference.getLhs(), difference.getRhs()).getResult());
      difference.erase();
      builder.setInsertionPointAfter(loop);
      auto result = builder.create<tile::SubOp>(loc, from, loop.getResult(i));
      loop.getResult(i).replaceAllUsesExcept(result, result);
    }
}

} // namespace tegula::split
