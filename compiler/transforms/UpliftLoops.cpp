// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that count: from scf.while, which every run-time loop of C++ is at first, to scf.for.
#include "ir/TileDialect.h"
#include "transforms/Passes.h"

#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILEUPLIFTLOOPS
#include "transforms/Passes.h.inc"

namespace {

/// Moves what the condition of a loop computes from values outside in front of it, a bound such as cdiv(x.dim(1), 64).
/// The condition is computed once at least, so that nothing new is executed.
void hoistBounds(scf::WhileOp loop) {
  for (Operation &op : llvm::make_early_inc_range(loop.getBeforeBody()->without_terminator())) {
    bool isInvariant = llvm::all_of(
        op.getOperands(), [&](Value operand) { return !loop->isAncestor(operand.getParentBlock()->getParentOp()); });
    if (isInvariant && op.getNumRegions() == 0 && isMemoryEffectFree(&op))
      op.moveBefore(loop);
  }
}

/// k <= n is k < n + 1: a signed counter that passed the greatest number would be undefined.
void compareByLess(IRRewriter &rewriter, scf::WhileOp loop) {
  auto compare = loop.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return;
  bool isLeft = compare.getPredicate() == arith::CmpIPredicate::sle;
  if (!isLeft && compare.getPredicate() != arith::CmpIPredicate::sge)
    return;
  Value counter = isLeft ? compare.getLhs() : compare.getRhs(), bound = isLeft ? compare.getRhs() : compare.getLhs();
  if (loop->isAncestor(bound.getParentBlock()->getParentOp()))
    return;
  rewriter.setInsertionPoint(loop);
  Location loc = compare.getLoc();
  Value one = rewriter.create<arith::ConstantOp>(loc, rewriter.getIntegerAttr(bound.getType(), 1));
  Value end = rewriter.create<arith::AddIOp>(loc, bound, one);
  rewriter.setInsertionPoint(compare);
  rewriter.replaceOpWithNewOp<arith::CmpIOp>(compare, arith::CmpIPredicate::slt, counter, end);
}

/// An int that is compared with an extent, which has 64 bits, counts in 64 bits: its overflow is undefined in C++.
void widenCounter(IRRewriter &rewriter, scf::WhileOp loop) {
  auto compare = loop.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>();
  auto extended = compare ? compare.getLhs().getDefiningOp<arith::ExtSIOp>() : arith::ExtSIOp();
  auto argument = extended ? dyn_cast<BlockArgument>(extended.getIn()) : BlockArgument();
  if (!argument || argument.getOwner() != loop.getBeforeBody())
    return;
  unsigned number = argument.getArgNumber();
  auto next = loop.getYieldOp().getOperand(number).getDefiningOp<arith::AddIOp>();
  APInt step;
  if (!next || number >= loop.getNumResults() || loop.getConditionOp().getArgs()[number] != argument ||
      !loop.getResult(number).use_empty() || next.getLhs() != loop.getAfterArguments()[number] ||
      !matchPattern(next.getRhs(), m_ConstantInt(&step)))
    return;
  Type wide = extended.getType(), narrow = argument.getType();
  rewriter.setInsertionPoint(loop);
  loop->setOperand(number, rewriter.create<arith::ExtSIOp>(loop.getLoc(), wide, loop->getOperand(number)));
  Value by = rewriter.create<arith::ConstantOp>(next.getLoc(),
                                                rewriter.getIntegerAttr(wide, step.sext(wide.getIntOrFloatBitWidth())));
  loop.getResult(number).setType(wide);
  rewriter.replaceAllUsesWith(extended.getResult(), argument);
  rewriter.eraseOp(extended);
  for (BlockArgument counter : {argument, loop.getAfterArguments()[number]}) {
    counter.setType(wide);
    rewriter.setInsertionPointToStart(counter.getOwner());
    auto narrowed = rewriter.create<arith::TruncIOp>(counter.getLoc(), narrow, counter);
    rewriter.replaceUsesWithIf(counter, narrowed, [&](OpOperand &use) {
      return use.getOwner() != narrowed && use.getOwner() != compare && use.getOwner() != loop.getConditionOp();
    });
    if (narrowed.use_empty())
      rewriter.eraseOp(narrowed);
  }
  rewriter.setInsertionPoint(loop.getYieldOp());
  loop.getYieldOp()->setOperand(number,
                                rewriter.create<arith::AddIOp>(next.getLoc(), loop.getAfterArguments()[number], by));
  if (next.use_empty())
    rewriter.eraseOp(next);
}

/// What a while loop counts up by a positive constant, where nobody asks how far it came: MLIR's uplift takes any step,
/// and gives the last index for the one after it.
BlockArgument counterOf(scf::WhileOp loop) {
  auto compare = loop.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return {};
  Value counter = compare.getPredicate() == arith::CmpIPredicate::sgt ? compare.getRhs() : compare.getLhs();
  auto argument = dyn_cast<BlockArgument>(counter);
  if (!argument || argument.getOwner() != loop.getBeforeBody())
    return {};
  unsigned number = argument.getArgNumber();
  // The counter is passed on in its own place.
  if (number >= loop.getNumResults() || loop.getConditionOp().getArgs()[number] != counter ||
      !loop.getResult(number).use_empty())
    return {};
  auto next = loop.getYieldOp().getOperand(number).getDefiningOp<arith::AddIOp>();
  APInt step;
  bool isConstant =
      next && (matchPattern(next.getRhs(), m_ConstantInt(&step)) || matchPattern(next.getLhs(), m_ConstantInt(&step)));
  return isConstant && step.isStrictlyPositive() ? argument : BlockArgument();
}

/// Makes for loops of those that count. What has another form stays a while.
void uplift(IRRewriter &rewriter, scf::WhileOp loop) {
  hoistBounds(loop);
  compareByLess(rewriter, loop);
  widenCounter(rewriter, loop);
  BlockArgument counter = counterOf(loop);
  if (!counter)
    return;
  Location index = counter.getLoc();
  SmallVector<Location> carried;
  for (BlockArgument argument : loop.getBeforeArguments())
    if (argument != counter)
      carried.push_back(argument.getLoc());
  rewriter.setInsertionPoint(loop);
  FailureOr<scf::ForOp> uplifted = scf::upliftWhileToForLoop(rewriter, loop);
  if (failed(uplifted))
    return;
  uplifted->getInductionVar().setLoc(index); // The locations have the variables' names.
  for (auto [argument, location] : llvm::zip_equal(uplifted->getRegionIterArgs(), carried))
    argument.setLoc(location);
}

struct UpliftLoops : impl::TileUpliftLoopsBase<UpliftLoops> {
  void runOnOperation() override {
    SmallVector<scf::WhileOp> loops;
    getOperation().walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    for (scf::WhileOp loop : loops)
      uplift(rewriter, loop);
  }
};
} // namespace
} // namespace tegula
