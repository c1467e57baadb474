// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accumulators that are zero when the first product comes. To zero one takes an instruction for each of its registers;
// not to read it, none.
#include "ir/TileDialect.h"
#include "transforms/Passes.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILESTARTPRODUCTS
#include "transforms/Passes.h.inc"

namespace {

bool isZero(Value tile) {
  auto full = tile.getDefiningOp<tile::FullOp>();
  return full && (matchPattern(full.getValue(), m_PosZeroFloat()) || matchPattern(full.getValue(), m_Zero()));
}

/// What the product adds to, waits apart; null if anything else reads it on the way, and for a part of an accumulator,
/// whose rest has to be zero.
OpOperand *sourceOf(tile::WgmmaOp product) {
  if (product.getAt())
    return nullptr;
  OpOperand *use = &product.getAccumulatorMutable();
  while (auto wait = use->get().getDefiningOp<tile::WgmmaWaitOp>()) {
    if (!use->get().hasOneUse())
      return nullptr;
    use = &wait.getAccumulatorsMutable()[cast<OpResult>(use->get()).getResultNumber()];
  }
  return use;
}

/// The wait after the loop that alone reads a result of it, once all products are done.
OpOperand *waitFor(OpResult result) {
  if (!result.hasOneUse())
    return nullptr;
  auto wait = dyn_cast<tile::WgmmaWaitOp>(*result.user_begin());
  bool isForAll = wait && wait.getPending() == 0 && wait->getBlock() == result.getOwner()->getBlock();
  return isForAll ? &*result.use_begin() : nullptr;
}

/// The products of this loop's first iteration that add to zero. Where there is no first iteration, the accumulator is
/// zeroed after the wait for its products: ptxas lets nothing else write it before.
void start(scf::ForOp loop) {
  Location loc = loop.getLoc();
  Value isLater, isSkipped;
  for (auto product : loop.getBody()->getOps<tile::WgmmaOp>()) {
    OpOperand *source = product.getAccumulate() ? nullptr : sourceOf(product);
    auto argument = source ? dyn_cast<BlockArgument>(source->get()) : BlockArgument();
    bool isCarried = argument && argument.getOwner() == loop.getBody() && argument.getArgNumber() > 0;
    if (!isCarried || !argument.hasOneUse() || source->getOwner()->getBlock() != loop.getBody())
      continue;
    unsigned number = argument.getArgNumber() - 1;
    OpOperand &init = loop.getInitArgsMutable()[number], *waited = waitFor(loop->getResult(number));
    if (!isZero(init.get()) || !waited)
      continue;
    OpBuilder builder(loop);
    if (!isLater) {
      isSkipped =
          builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, loop.getLowerBound(), loop.getUpperBound());
      OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
      isLater =
          inside.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, loop.getInductionVar(), loop.getLowerBound());
    }
    init.set(builder.create<tile::UndefinedOp>(init.get().getLoc(), argument.getType()));
    product.getAccumulateMutable().assign(isLater);
    builder.setInsertionPointAfter(waited->getOwner());
    Value sum = waited->getOwner()->getResult(waited->getOperandNumber());
    auto result = builder.create<tile::ZeroIfOp>(loc, isSkipped, sum);
    sum.replaceAllUsesExcept(result, result);
  }
}

struct StartProducts : impl::TileStartProductsBase<StartProducts> {
  void runOnOperation() override {
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>()) {
      SmallVector<scf::ForOp> loops;
      kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
      for (scf::ForOp loop : loops)
        start(loop);
      kernel.walk([](tile::WgmmaOp product) {
        OpOperand *source = product.getAccumulate() ? nullptr : sourceOf(product);
        if (!source || !isZero(source->get()))
          return;
        OpBuilder builder(source->getOwner());
        source->set(builder.create<tile::UndefinedOp>(source->get().getLoc(), source->get().getType()));
        builder.setInsertionPoint(product);
        product.getAccumulateMutable().assign(
            builder.create<arith::ConstantOp>(product.getLoc(), builder.getBoolAttr(false)));
      });
    }
  }
};
} // namespace
} // namespace tegula
