// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipelines/PipelineBuilder.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula {

PipelineBuilder::PipelineBuilder(OpBuilder &builder, Location loc, const Ring &ring, const PipelineGrid &grid,
                                 int64_t delay, ArrayRef<int64_t> delays, const PipelineBody &body)
    : RingAccess(builder, loc, ring), grid(grid), delay(delay), delays(delays), body(body) {}

Value PipelineBuilder::variable(Value init) {
  Value made = builder.create<tile::VariableOp>(loc, tile::VariableType::get(builder.getContext(), init.getType()));
  set(made, init);
  return made;
}

PipelineBuilder::Odometer::Odometer(PipelineBuilder &pipeline) : pipeline(pipeline) {
  if (pipeline.grid.sizes.size() > 1)
    for (size_t i = 0; i < pipeline.grid.sizes.size(); ++i)
      counters.push_back(pipeline.variable(pipeline.zero));
}

SmallVector<Value> PipelineBuilder::Odometer::point(Value step) {
  if (counters.empty())
    return SmallVector<Value>(pipeline.grid.sizes.size(), step);
  return llvm::map_to_vector(counters, [&](Value counter) { return pipeline.get(counter); });
}

SmallVector<Value> PipelineBuilder::Odometer::following(Value step) {
  SmallVector<Value> values = point(step);
  Value carry = pipeline.one;
  for (size_t i = values.size(); i-- > 0;) {
    values[i] = pipeline.make<arith::AddIOp>(values[i], carry);
    if (i == 0)
      break;
    Value wraps = pipeline.compare(arith::CmpIPredicate::eq, values[i], pipeline.grid.sizes[i]);
    carry = pipeline.builder.create<arith::ExtUIOp>(pipeline.loc, pipeline.builder.getI64Type(), wraps);
    values[i] = pipeline.builder.create<arith::SelectOp>(pipeline.loc, wraps, pipeline.zero, values[i]);
  }
  return values;
}

void PipelineBuilder::Odometer::advance() {
  if (counters.empty())
    return;
  for (auto [value, counter] : llvm::zip(following({}), counters))
    pipeline.set(counter, value);
}

void PipelineBuilder::loop(Value count, llvm::function_ref<void(Value)> inside) {
  auto op = builder.create<scf::ForOp>(loc, zero, count, one);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op.getBody()->getTerminator());
  inside(op.getInductionVar());
}

void PipelineBuilder::when(Value condition, llvm::function_ref<void()> inside) {
  if (!condition)
    return inside();
  auto op = builder.create<scf::IfOp>(loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op.thenBlock()->getTerminator());
  inside();
}

void PipelineBuilder::copyBlock(unsigned operand, ArrayRef<Value> point, Value stage) {
  if (Value window = body.window(operand, point))
    copyIn(operand, window, stage);
}

/// Whether a coordinate of a block changes with indices[axis] from step to step: it depends on it other than through a
/// comparison or a quotient, which are the same for several steps.
static bool changesAlong(size_t axis, Value coordinate, ArrayRef<Value> indices) {
  if (llvm::is_contained(indices, coordinate))
    return coordinate == indices[axis];
  Operation *op = coordinate.getDefiningOp();
  if (!op || isa<arith::CmpIOp, arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp, arith::FloorDivSIOp, arith::ShRSIOp,
                 arith::ShRUIOp>(op))
    return false;
  if (auto get = dyn_cast<tile::GetOp>(op)) { // A variable that the step sets: the author's to judge.
    Operation *loop = op->getParentOfType<scf::ForOp>();
    return llvm::any_of(get.getVariable().getUsers(), [&](Operation *user) {
      return isa<tile::SetOp>(user) && loop && loop->isProperAncestor(user);
    });
  }
  return op->getNumRegions() > 0 ||
         llvm::any_of(op->getOperands(), [&](Value operand) { return changesAlong(axis, operand, indices); });
}

/// Every step has a stage of its own, so that an output's block must change along every axis of the grid. With one
/// stage, a block that is only written may stay along the last axes: it is copied when these have been counted.
bool PipelineBuilder::changesEveryStep(unsigned operand, Value window, ArrayRef<Value> point) {
  OperandRange coordinates = window.getDefiningOp<tile::SliceOp>().getOffsets();
  std::optional<size_t> stays;
  bool isLast = true; // No axis behind it makes the block change and come back.
  for (size_t axis = 0; axis < point.size(); ++axis) {
    if (matchPattern(grid.sizes[axis], m_One()))
      continue;
    bool changes = llvm::any_of(coordinates, [&](Value coordinate) { return changesAlong(axis, coordinate, point); });
    if (!changes && !stays)
      stays = axis;
    isLast &= !(changes && stays);
  }
  bool mayStay = ring.operands[operand].access == tile::Access::Out && isLast;
  if (!stays || (mayStay && ring.depth == 1))
    return true;
  body.refuseStaying(operand, *stays, mayStay);
  return false;
}

/// A block goes to its array after the last of the steps in a row that have it. Every step is a group of copies, so
/// that counting steps counts groups.
void PipelineBuilder::copyOut(Odometer &odometer, Value step, Value stage) {
  if (!hasOutputs())
    return;
  builder.create<tile::FenceSharedOp>(loc);
  Value next = make<arith::AddIOp>(step, one);
  Value isLast = compare(arith::CmpIPredicate::eq, next, grid.numSteps);
  SmallVector<Value> now = odometer.point(step), then = odometer.following(step);
  for (auto [operand, what] : llvm::enumerate(ring.operands)) {
    if (what.access == tile::Access::In)
      continue;
    Value window = body.window(operand, now), other = body.window(operand, then);
    if (!window || !other || !changesEveryStep(operand, window, now))
      return;
    Value ends = isLast;
    auto slice = window.getDefiningOp<tile::SliceOp>(), following = other.getDefiningOp<tile::SliceOp>();
    if (slice && following)
      for (auto [a, b] : llvm::zip(slice.getOffsets(), following.getOffsets()))
        if (a != b)
          ends = make<arith::OrIOp>(ends, compare(arith::CmpIPredicate::ne, a, b));
    when(ends, [&, operand = operand] {
      builder.create<tile::CopyToGlobalOp>(loc, blockAt(operand, stage), window, Value(), false);
    });
  }
  builder.create<tile::CommitGroupOp>(loc);
}

void PipelineBuilder::step(Odometer &odometer, Value step, Value stage) {
  if (ring.full)
    waitFull(stage);
  if (hasOutputs()) // The stage's last copy has read it.
    builder.create<tile::WaitGroupOp>(loc, ring.depth - 1, true);
  SmallVector<Value> point = odometer.point(step), blocks;
  for (unsigned operand = 0; operand < ring.operands.size(); ++operand)
    blocks.push_back(blockAt(operand, stage));
  body.run(point, blocks);
  copyOut(odometer, step, stage);
}

void PipelineBuilder::buildAlone() {
  // Inputs that stay equally long are copied together, so many steps ahead of the step.
  struct Group {
    int64_t delay;
    SmallVector<unsigned> operands;
    Odometer odometer;
    Value stage;
    bool isSent = false;
  };
  SmallVector<Group, 1> groups;
  for (auto [number, what] : llvm::enumerate(ring.operands)) {
    if (what.access == tile::Access::Out)
      continue;
    auto *group =
        llvm::find_if(groups, [&, number = number](const Group &known) { return known.delay == delayOf(number); });
    if (group == groups.end()) {
      groups.push_back({delayOf(number), {}, Odometer(*this), {}});
      group = &groups.back();
      group->stage = variable(get(ring.stage));
    }
    group->operands.push_back(number);
    group->isSent |= what.access == tile::Access::InOut;
  }
  auto fetch = [&](Group &group, Value step) {
    Value stage = get(group.stage);
    for (unsigned operand : group.operands)
      copyBlock(operand, group.odometer.point(step), stage);
    group.odometer.advance();
    set(group.stage, ahead(stage, 1));
  };
  if (!groups.empty())
    loop(make<arith::MinSIOp>(grid.numSteps, index(ring.depth)), [&](Value step) {
      for (Group &group : groups)
        fetch(group, step);
    });
  Odometer odometer(*this);
  loop(grid.numSteps, [&](Value number) {
    Value stage = get(ring.stage);
    step(odometer, number, stage);
    bool isAllThere = grid.knownSteps && *grid.knownSteps <= ring.depth;
    for (Group &group : groups) {
      if (isAllThere)
        break;
      Value next = make<arith::AddIOp>(number, index(ring.depth - group.delay));
      Value isThere = compare(arith::CmpIPredicate::slt, next, grid.numSteps);
      if (group.delay > 0)
        isThere = make<arith::AndIOp>(isThere, compare(arith::CmpIPredicate::sge, number, index(group.delay)));
      when(isThere, [&] {
        if (group.isSent) // What was there has left.
          builder.create<tile::WaitGroupOp>(loc, group.delay, true);
        fetch(group, next);
      });
    }
    odometer.advance();
    advance();
  });
  if (hasOutputs())
    builder.create<tile::WaitGroupOp>(loc, 0, false);
}

void PipelineBuilder::buildProducer() {
  Odometer odometer(*this);
  loop(grid.numSteps, [&](Value step) {
    Value stage = get(ring.stage);
    waitEmpty(stage);
    for (auto [number, what] : llvm::enumerate(ring.operands))
      if (what.access == tile::Access::In)
        copyBlock(number, odometer.point(step), stage);
    odometer.advance();
    advance();
  });
}

void PipelineBuilder::buildConsumer() {
  Odometer odometer(*this);
  loop(grid.numSteps, [&](Value number) {
    Value stage = get(ring.stage);
    step(odometer, number, stage);
    Value isLate = delay > 0 ? compare(arith::CmpIPredicate::sge, number, index(delay)) : Value();
    when(isLate, [&] { release(behind(stage, delay)); });
    odometer.advance();
    advance();
  });
  if (delay > 0) {
    // The ring goes on: the next run waits for these.
    body.drain();
    Value stage = get(ring.stage);
    for (int64_t late = delay; late > 0; --late) {
      bool isThere = grid.knownSteps && *grid.knownSteps >= late;
      Value were = isThere ? Value() : compare(arith::CmpIPredicate::sge, grid.numSteps, index(late));
      when(were, [&] { release(behind(stage, late)); });
    }
  }
  if (hasOutputs())
    builder.create<tile::WaitGroupOp>(loc, 0, false);
}

} // namespace tegula
