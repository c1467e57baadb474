// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop does in its last step alone stands behind it then: a sequential axis of a grid whose last program stores
// what all have summed is a loop that sums, and tensor cores take such.
//
//   for k: sum += dot(...)                       for k: sum += dot(...)
//          if (k == n - 1) o[all] = sum    ->    o[all] = sum
#include "ir/TileDialect.h"
#include "transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILESINKLASTSTEP
#include "transforms/Passes.h.inc"

namespace {
/// Whether a number is one less than the bound of the loop.
bool isLastIndex(scf::ForOp loop, Value index) {
  APInt last, bound, by;
  if (matchPattern(index, m_ConstantInt(&last)) && matchPattern(loop.getUpperBound(), m_ConstantInt(&bound)))
    return last + 1 == bound;
  Operation *op = index.getDefiningOp();
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op) || op->getOperand(0) != loop.getUpperBound() ||
      !matchPattern(op->getOperand(1), m_ConstantInt(&by)))
    return false;
  return isa<arith::AddIOp>(op) ? by.isAllOnes() : by.isOne();
}

/// The branch at the end of the loop's body that its last step alone takes; null if there is none.
scf::IfOp lastStepOf(scf::ForOp loop) {
  Operation *end = loop.getBody()->getTerminator()->getPrevNode();
  auto branch = dyn_cast_or_null<scf::IfOp>(end);
  bool hasElse = branch && !branch.getElseRegion().empty() && !branch.elseBlock()->without_terminator().empty();
  if (!branch || branch.getNumResults() > 0 || hasElse || !matchPattern(loop.getStep(), m_One()))
    return {};
  auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq)
    return {};
  for (auto [index, other] :
       {std::pair(compare.getLhs(), compare.getRhs()), std::pair(compare.getRhs(), compare.getLhs())})
    if (index == loop.getInductionVar() && isLastIndex(loop, other))
      return branch;
  return {};
}

class Sinker {
public:
  Sinker(scf::ForOp loop, scf::IfOp branch) : loop(loop), branch(branch), builder(loop->getContext()) {
    builder.setInsertionPointAfter(loop);
  }

  bool sink() {
    llvm::SetVector<Value> needed;
    branch->walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        if (op != branch && !branch->isAncestor(operand.getParentBlock()->getParentOp()))
          needed.insert(operand);
    });
    if (!llvm::all_of(needed, [&](Value value) { return isKnownBehind(value); }))
      return false;
    Location loc = branch.getLoc();
    if (!storesOutputsAlone()) { // Without a step there is no last one.
      Value any =
          builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, loop.getLowerBound(), loop.getUpperBound());
      auto guard = builder.create<scf::IfOp>(loc, any, /*withElseRegion=*/false);
      builder.setInsertionPointToStart(guard.thenBlock());
    }
    for (Value value : needed)
      behind(value);
    for (Operation &op : branch.thenBlock()->without_terminator())
      builder.clone(op, known);
    branch.erase();
    return true;
  }

private:
  bool isOutside(Value value) { return !loop->isAncestor(value.getParentBlock()->getParentOp()); }

  /// What the loop passes on has a name behind it; numbers and places are computed once more.
  bool isKnownBehind(Value value) {
    if (isOutside(value) || value == loop.getInductionVar() || llvm::is_contained(loop.getYieldedValues(), value))
      return true;
    Operation *op = value.getDefiningOp();
    return op && op->getNumRegions() == 0 && isMemoryEffectFree(op) && !isa<RankedTensorType>(value.getType()) &&
           llvm::all_of(op->getOperands(), [&](Value operand) {
             return !isa<RankedTensorType>(operand.getType()) && isKnownBehind(operand);
           });
  }

  Value behind(Value value) {
    if (isOutside(value))
      return value;
    if (Value made = known.lookupOrNull(value))
      return made;
    Value result;
    if (value == loop.getInductionVar()) {
      Location loc = branch.getLoc();
      Value one = builder.create<arith::ConstantOp>(loc, builder.getIntegerAttr(value.getType(), 1));
      result = builder.create<arith::SubIOp>(loc, loop.getUpperBound(), one);
    } else if (auto yielded = llvm::find(loop.getYieldedValues(), value); yielded != loop.getYieldedValues().end()) {
      result = loop.getResult(yielded - loop.getYieldedValues().begin());
    } else {
      Operation *op = value.getDefiningOp();
      for (Value operand : op->getOperands())
        behind(operand);
      result = builder.clone(*op, known)->getResult(cast<OpResult>(value).getResultNumber());
    }
    known.map(value, result);
    return result;
  }

  /// An output that no step stores to is undefined: it may as well hold what the loop began with.
  bool storesOutputsAlone() {
    auto launch = loop->getParentOfType<tile::LaunchOp>();
    WalkResult result = branch->walk([&](Operation *op) {
      if (isMemoryEffectFree(op) || op == branch || isa<tile::LoadOp>(op))
        return WalkResult::advance();
      auto store = dyn_cast<tile::StoreOp>(op);
      auto array = store ? dyn_cast_or_null<BlockArgument>(tile::arrayOf(store.getRef())) : BlockArgument();
      bool isOutput = array && launch && array.getOwner() == &launch.getBody().front() &&
                      launch.getAccessOf(array.getArgNumber()) == tile::Access::Out;
      return isOutput ? WalkResult::advance() : WalkResult::interrupt();
    });
    return !result.wasInterrupted();
  }

  scf::ForOp loop;
  scf::IfOp branch;
  OpBuilder builder;
  IRMapping known;
};

struct SinkLastStep : impl::TileSinkLastStepBase<SinkLastStep> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](tile::LaunchOp launch) {
      if (!launch.isExplicit())
        launch.getBody().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    });
    for (scf::ForOp loop : loops)
      if (scf::IfOp branch = lastStepOf(loop))
        Sinker(loop, branch).sink();
  }
};
} // namespace
} // namespace tegula
