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

/// Whether a load of an array gives the same whenever the program does it: threads of the explicit level may wait for
/// what others store.
bool isLoadedOnce(tile::LoadOp load) {
  auto launch = load->getParentOfType<tile::LaunchOp>();
  Value array = tile::memoryOf(load.getRef());
  if (!launch || launch.isExplicit() || !isa<BlockArgument>(array))
    return false;
  return !launch.getBody()
              .walk([&](tile::MemoryAccessOpInterface op) {
                return llvm::any_of(op.getMemoryAccesses(),
                                    [&](const tile::MemoryAccess &access) {
                                      return access.isWrite() && tile::memoryOf(access.ref) == array;
                                    })
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Moves what the condition of a loop computes from values outside in front of it, a bound such as cdiv(x.dim(1), 64)
/// or counts[0]. The condition is computed once at least, so that nothing new is executed.
void hoistBounds(scf::WhileOp loop) {
  for (Operation &op : llvm::make_early_inc_range(loop.getBeforeBody()->without_terminator())) {
    bool isInvariant = llvm::all_of(
        op.getOperands(), [&](Value operand) { return !loop->isAncestor(operand.getParentBlock()->getParentOp()); });
    auto load = dyn_cast<tile::LoadOp>(op);
    if (isInvariant && op.getNumRegions() == 0 && (load ? isLoadedOnce(load) : isMemoryEffectFree(&op)))
      op.moveBefore(loop);
  }
}

/// What a loop carries there, if that is what is compared, in more bits perhaps.
BlockArgument carriedAt(scf::WhileOp loop, Value compared) {
  if (Operation *extension = compared.getDefiningOp(); isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(extension))
    compared = extension->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(compared);
  return argument && argument.getOwner() == loop.getBeforeBody() ? argument : BlockArgument();
}

/// Whether it counts from a constant that is not negative, one by one: until it is n, it is less.
bool countsUpTo(scf::WhileOp loop, BlockArgument counter) {
  unsigned number = counter.getArgNumber();
  auto next = loop.getYieldOp().getOperand(number).getDefiningOp<arith::AddIOp>();
  APInt start, step;
  return next && matchPattern(loop.getInits()[number], m_ConstantInt(&start)) && start.isNonNegative() &&
         matchPattern(next.getRhs(), m_ConstantInt(&step)) && step.isOne();
}

/// Gives the condition the form k < n, of signed numbers. A counter that passed the greatest number of its type would
/// be undefined, or, without sign, never reach the end: so k <= n is k < n + 1, k != n is k < n, and unsigned numbers
/// are compared as signed ones of 64 bits.
void compareByLess(IRRewriter &rewriter, scf::WhileOp loop) {
  using P = arith::CmpIPredicate;
  auto compare = loop.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return;
  Value left = compare.getLhs(), right = compare.getRhs();
  P predicate = compare.getPredicate();
  if (!carriedAt(loop, left)) {
    std::swap(left, right);
    static constexpr std::pair<P, P> swapped[] = {
        {P::sgt, P::slt}, {P::sge, P::sle}, {P::ugt, P::ult}, {P::uge, P::ule}, {P::ne, P::ne}};
    const auto *other = llvm::find_if(swapped, [&](auto pair) { return pair.first == predicate; });
    if (other == std::end(swapped))
      return;
    predicate = other->second;
  }
  BlockArgument counter = carriedAt(loop, left);
  bool isUntil = predicate == P::ne, isUnsigned = isUntil || predicate == P::ult || predicate == P::ule;
  bool takesBound = predicate == P::sle || predicate == P::ule;
  if (!counter || loop->isAncestor(right.getParentBlock()->getParentOp()) || (isUntil && !countsUpTo(loop, counter)) ||
      !(isUnsigned || takesBound || predicate == P::slt))
    return;
  Location loc = compare.getLoc();
  Type i64 = rewriter.getI64Type();
  bool isWidened = isUnsigned && right.getType() != i64;
  rewriter.setInsertionPoint(loop);
  if (isWidened)
    right = rewriter.create<arith::ExtUIOp>(loc, i64, right);
  if (takesBound) {
    Value one = rewriter.create<arith::ConstantOp>(loc, rewriter.getIntegerAttr(right.getType(), 1));
    right = rewriter.create<arith::AddIOp>(loc, right, one);
  }
  rewriter.setInsertionPoint(compare);
  if (isWidened)
    left = rewriter.create<arith::ExtUIOp>(loc, i64, left);
  rewriter.replaceOpWithNewOp<arith::CmpIOp>(compare, P::slt, left, right);
}

/// An int that is compared with an extent, which has 64 bits, counts in 64 bits: its overflow is undefined in C++.
void widenCounter(IRRewriter &rewriter, scf::WhileOp loop) {
  auto compare = loop.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>();
  Operation *extended = compare ? compare.getLhs().getDefiningOp() : nullptr;
  BlockArgument argument = extended ? carriedAt(loop, compare.getLhs()) : BlockArgument();
  if (!argument)
    return;
  bool isSigned = isa<arith::ExtSIOp>(extended);
  unsigned number = argument.getArgNumber();
  auto next = loop.getYieldOp().getOperand(number).getDefiningOp<arith::AddIOp>();
  APInt step;
  if (!next || number >= loop.getNumResults() || loop.getConditionOp().getArgs()[number] != argument ||
      !loop.getResult(number).use_empty() || next.getLhs() != loop.getAfterArguments()[number] ||
      !matchPattern(next.getRhs(), m_ConstantInt(&step)))
    return;
  Type wide = compare.getLhs().getType(), narrow = argument.getType();
  rewriter.setInsertionPoint(loop);
  Value start = loop->getOperand(number);
  start = isSigned ? rewriter.create<arith::ExtSIOp>(loop.getLoc(), wide, start).getResult()
                   : rewriter.create<arith::ExtUIOp>(loop.getLoc(), wide, start).getResult();
  loop->setOperand(number, start);
  Value by = rewriter.create<arith::ConstantOp>(next.getLoc(),
                                                rewriter.getIntegerAttr(wide, step.sext(wide.getIntOrFloatBitWidth())));
  loop.getResult(number).setType(wide);
  rewriter.replaceAllUsesWith(extended->getResult(0), argument);
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

/// An integer that a loop carries and adds a constant to in each step, such as where a block begins, is one of the
/// counter: passes ask of what numbers are multiples, and where products read.
void countInductions(IRRewriter &rewriter, scf::ForOp loop) {
  APInt step;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return;
  for (unsigned i = 0; i < loop.getNumResults(); ++i) {
    BlockArgument carried = loop.getRegionIterArg(i);
    Type type = carried.getType();
    auto next = loop.getYieldedValues()[i].getDefiningOp<arith::AddIOp>();
    APInt by;
    if (!type.isIntOrIndex() || !next || next.getLhs() != carried || !matchPattern(next.getRhs(), m_ConstantInt(&by)) ||
        carried.use_empty() || !loop.getResult(i).use_empty())
      continue;
    Location loc = carried.getLoc();
    rewriter.setInsertionPointToStart(loop.getBody());
    Value steps = loop.getInductionVar();
    if (!matchPattern(loop.getLowerBound(), m_Zero()))
      steps = rewriter.create<arith::SubIOp>(loc, steps, loop.getLowerBound());
    if (!step.isOne())
      steps = rewriter.create<arith::DivUIOp>(loc, steps, loop.getStep());
    unsigned bits = type.getIntOrFloatBitWidth(), ofCounter = steps.getType().getIntOrFloatBitWidth();
    if (bits < ofCounter)
      steps = rewriter.create<arith::TruncIOp>(loc, type, steps);
    else if (bits > ofCounter)
      steps = rewriter.create<arith::ExtSIOp>(loc, type, steps);
    Value far = rewriter.create<arith::MulIOp>(
        loc, steps, rewriter.create<arith::ConstantOp>(loc, rewriter.getIntegerAttr(type, by)));
    Value value = rewriter.create<arith::AddIOp>(loc, loop.getInitArgs()[i], far);
    rewriter.replaceAllUsesWith(carried, value);
    // Nothing asks for what the loop carries here, which folds away.
    rewriter.modifyOpInPlace(loop, [&] { loop.getBody()->getTerminator()->setOperand(i, loop.getRegionIterArg(i)); });
  }
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
  countInductions(rewriter, *uplifted);
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
