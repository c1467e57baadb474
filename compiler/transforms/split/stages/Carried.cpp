// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/stages/Carried.h"

#include "transforms/split/Demand.h"
#include "transforms/split/stages/Scratch.h"

using namespace mlir;

namespace tegula::split {
namespace {

class Carried {
public:
  Carried(tile::LaunchOp launch, Operation *op, CarriedKinds kinds)
      : launch(launch), op(op), kinds(kinds), builder(op) {}

  Operation *run() {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return ofFor(loop);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return ofIf(branch);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return ofWhile(loop);
    return op;
  }

private:
  /// Tiles of one element are numbers.
  bool isKept(Value value) const {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return kinds == CarriedKinds::all || (type && type.getRank() > 0);
  }
  /// Arrays for those of the values that go to memory, in front of the op.
  bool allocate(ValueRange values, SmallVectorImpl<std::optional<Scratch>> &made) {
    for (Value value : values) {
      made.emplace_back();
      if (isKept(value) && failed(made.back().emplace(launch, value).allocate(op)))
        return false;
    }
    builder.setInsertionPoint(op);
    return true;
  }
  bool keepsNone(ValueRange values) const {
    return llvm::none_of(values, [&](Value value) { return isKept(value); });
  }
  static SmallVector<Value> others(ValueRange values, ArrayRef<std::optional<Scratch>> made) {
    SmallVector<Value> left;
    for (auto [value, scratch] : llvm::zip_equal(values, made))
      if (!scratch)
        left.push_back(value);
    return left;
  }
  /// Stores the values in front of an op, and leaves the others in it.
  void storeAt(Operation *terminator, OperandRange values, MutableArrayRef<std::optional<Scratch>> made) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(terminator);
    SmallVector<Value> left = others(values, made);
    storeAll(values, made);
    unsigned first = terminator->getNumOperands() - values.size();
    SmallVector<Value> operands(terminator->getOperands().take_front(first));
    llvm::append_range(operands, left);
    terminator->setOperands(operands);
  }
  void storeAll(ValueRange values, MutableArrayRef<std::optional<Scratch>> made) {
    for (auto [value, scratch] : llvm::zip_equal(llvm::to_vector(values), made))
      if (scratch)
        scratch->store(builder, value);
  }
  /// At the beginning of a block: what its last arguments were.
  void loadArguments(Block &block, unsigned first, MutableArrayRef<std::optional<Scratch>> made) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&block);
    for (auto [i, scratch] : llvm::enumerate(made))
      if (scratch)
        block.getArgument(first + i).replaceAllUsesWith(scratch->load(builder));
    for (size_t i = made.size(); i-- > 0;)
      if (made[i])
        block.eraseArgument(first + i);
  }
  /// Behind the op that takes its place.
  void replaceResults(Operation *by, MutableArrayRef<std::optional<Scratch>> made) {
    builder.setInsertionPointAfter(by);
    unsigned next = 0;
    for (auto [result, scratch] : llvm::zip_equal(op->getResults(), made))
      if (!scratch)
        result.replaceAllUsesWith(by->getResult(next++));
      else if (!result.use_empty())
        result.replaceAllUsesWith(scratch->load(builder));
    op->erase();
  }

  Operation *ofFor(scf::ForOp loop);
  Operation *ofIf(scf::IfOp branch);
  Operation *ofWhile(scf::WhileOp loop);

  tile::LaunchOp launch;
  Operation *op;
  CarriedKinds kinds;
  OpBuilder builder;
};

} // namespace

Operation *Carried::ofFor(scf::ForOp loop) {
  SmallVector<std::optional<Scratch>> made;
  if (keepsNone(loop.getResults()))
    return op;
  if (!allocate(loop.getResults(), made))
    return nullptr;
  storeAll(loop.getInitArgs(), made);
  auto again = builder.create<scf::ForOp>(loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(), loop.getStep(),
                                          others(loop.getInitArgs(), made));
  Block &body = *loop.getBody();
  storeAt(body.getTerminator(), body.getTerminator()->getOperands(), made);
  loadArguments(body, 1, made);
  again.getRegion().takeBody(loop.getRegion());
  replaceResults(again, made);
  return again;
}

Operation *Carried::ofIf(scf::IfOp branch) {
  SmallVector<std::optional<Scratch>> made;
  if (keepsNone(branch.getResults()))
    return op;
  if (!allocate(branch.getResults(), made))
    return nullptr;
  SmallVector<Value> left = others(branch.getResults(), made);
  auto again = builder.create<scf::IfOp>(branch.getLoc(), ValueRange(left).getTypes(), branch.getCondition(),
                                         /*addThenBlock=*/false, /*addElseBlock=*/false);
  for (auto [from, to] : llvm::zip_equal(branch->getRegions(), again->getRegions())) {
    Operation *end = from.front().getTerminator();
    storeAt(end, end->getOperands(), made);
    to.takeBody(from);
  }
  replaceResults(again, made);
  return again;
}

/// What goes round and what the condition passes on are two lists.
Operation *Carried::ofWhile(scf::WhileOp loop) {
  SmallVector<std::optional<Scratch>> round, passed;
  if (keepsNone(loop.getInits()) && keepsNone(loop.getResults()))
    return op;
  if (!allocate(loop.getBeforeArguments(), round) || !allocate(loop.getResults(), passed))
    return nullptr;
  storeAll(loop.getInits(), round);
  SmallVector<Value> left = others(loop.getResults(), passed);
  auto again = builder.create<scf::WhileOp>(loop.getLoc(), ValueRange(left).getTypes(), others(loop.getInits(), round));
  scf::ConditionOp condition = loop.getConditionOp();
  storeAt(condition, condition.getArgs(), passed);
  scf::YieldOp yield = loop.getYieldOp();
  storeAt(yield, yield->getOperands(), round);
  loadArguments(loop.getBefore().front(), 0, round);
  loadArguments(loop.getAfter().front(), 0, passed);
  again.getBefore().takeBody(loop.getBefore());
  again.getAfter().takeBody(loop.getAfter());
  replaceResults(again, passed);
  return again;
}

Operation *keepCarried(tile::LaunchOp launch, Operation *op, CarriedKinds kinds) {
  return Carried(launch, op, kinds).run();
}

} // namespace tegula::split
