// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiplications by 1 that warps leave out. The sums of an online softmax are scaled by exp(greatest before - greatest
// now) in each step, which is 1 where no greater score turned up:
//
//   c = exp2 d;  sum = mul sum, broadcast c    ->    sum = if warp_all (eq c, 1):  sum  else:  mul sum, broadcast c
//
// A product by 1 has the bits of the other factor, so that nothing changes but the time.
#include "ir/TileDialect.h"
#include "transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILESKIPSCALES
#include "transforms/Passes.h.inc"

/// The exponentials of which an operand has one for each row; null if it is something else.
static Value exponentialsOf(Value operand) {
  bool isBroadcast = false;
  for (; auto broadcast = operand.getDefiningOp<tile::BroadcastOp>(); operand = broadcast.getSource())
    isBroadcast = true;
  Operation *op = operand.getDefiningOp();
  return isBroadcast && isa_and_nonnull<tile::ExpOp, tile::Exp2Op>(op) ? operand : Value();
}

/// A broadcast in another place.
static Value broadcastAgain(OpBuilder &builder, Value tile) {
  auto broadcast = tile.getDefiningOp<tile::BroadcastOp>();
  if (!broadcast)
    return tile;
  IRMapping mapping;
  mapping.map(broadcast.getSource(), broadcastAgain(builder, broadcast.getSource()));
  return builder.clone(*broadcast, mapping)->getResult(0);
}

/// A branch is a boundary that ptxas moves nothing across: it stands where its operands are known, so that what follows
/// is scheduled together.
static void setAsEarly(OpBuilder &builder, Operation *op, ArrayRef<Value> operands) {
  builder.setInsertionPointToStart(op->getBlock());
  for (Value operand : operands)
    if (Operation *made = operand.getDefiningOp();
        made && made->getBlock() == op->getBlock() && !made->isBeforeInBlock(&*builder.getInsertionPoint()))
      builder.setInsertionPointAfter(made);
}

static void skip(tile::MulOp product) {
  // Of fewer elements in a thread, the boundary costs what is saved (test/benchmark/RESULTS.md).
  constexpr int64_t leastElements = 64;
  auto kernel = product->getParentOfType<tile::KernelOp>();
  auto type = cast<RankedTensorType>(product.getType());
  if (!kernel || !type.getElementType().isF32() || type.getRank() != 2 ||
      type.getNumElements() < leastElements * static_cast<int64_t>(kernel.getGroup()) ||
      !product->getParentOfType<LoopLikeOpInterface>())
    return;
  for (Value operand : {product.getLhs(), product.getRhs()}) {
    Value scale = exponentialsOf(operand);
    Value scaled = operand == product.getLhs() ? product.getRhs() : product.getLhs();
    if (!scale || exponentialsOf(scaled))
      continue;
    OpBuilder builder(product);
    setAsEarly(builder, product, {scale, scaled});
    Location loc = product.getLoc();
    auto scaleType = cast<RankedTensorType>(scale.getType());
    Value number = builder.create<arith::ConstantOp>(loc, builder.getF32FloatAttr(1));
    Value one = builder.create<tile::FullOp>(loc, scaleType, number, ValueRange());
    auto bools = RankedTensorType::get(scaleType.getShape(), builder.getI1Type(), scaleType.getEncoding());
    Value isOne = builder.create<tile::EqOp>(loc, bools, scale, one);
    Value isSkipped = builder.create<tile::WarpAllOp>(loc, builder.getI1Type(), isOne);
    auto choice = builder.create<scf::IfOp>(loc, TypeRange(type), isSkipped, /*withElseRegion=*/true);
    product.replaceAllUsesWith(choice);
    choice.getThenBodyBuilder().create<scf::YieldOp>(loc, scaled);
    OpBuilder inside = choice.getElseBodyBuilder();
    auto yield = inside.create<scf::YieldOp>(loc, product.getResult());
    inside.setInsertionPoint(yield);
    Value rows = broadcastAgain(inside, operand);
    product->replaceUsesOfWith(operand, rows);
    product->moveBefore(yield);
    return;
  }
}

namespace {
struct SkipScales : impl::TileSkipScalesBase<SkipScales> {
  void runOnOperation() override {
    SmallVector<tile::MulOp> products;
    getOperation().walk([&](tile::MulOp product) { products.push_back(product); });
    llvm::for_each(products, skip);
  }
};
} // namespace

} // namespace tegula
