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

} // namespace tegula::split
