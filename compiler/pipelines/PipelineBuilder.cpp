// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipelines/PipelineBuilder.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <limits>

using namespace mlir;

namespace tegula {

PipelineRing PipelineRing::ofAll(const Ring &ring, int64_t delay) {
  return {&ring, llvm::to_vector(llvm::seq(0u, static_cast<unsigned>(ring.operands.size()))), delay};
}

PipelineBuilder::PipelineBuilder(OpBuilder &builder, Location loc, ArrayRef<PipelineRing> rings,
                                 const PipelineGrid &grid, const PipelineBody &body)
    : LoopEmitter(builder, loc), grid(grid), body(body) {
  size_t count = 0;
  for (const PipelineRing &ring : rings) {
    lanes.push_back({ring, RingAccess(builder, loc, *ring.ring), {}});
    count += ring.operands.size();
  }
  members.resize(count);
  for (Lane &lane : lanes)
    for (auto [number, operand] : llvm::enumerate(lane.what.operands))
      members[operand] = {&lane, static_cast<unsigned>(number)};
}

// ---- Emitting -------------------------------------------------------------------------------------------------------

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

scf::ForOp PipelineBuilder::loop(Value count, llvm::function_ref<void(Value)> inside) {
  auto op = builder.create<scf::ForOp>(loc, zero, count, one);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op.getBody()->getTerminator());
  inside(op.getInductionVar());
  return op;
}

void PipelineBuilder::when(Value condition, llvm::function_ref<void()> inside) {
  if (!condition)
    return inside();
  auto op = builder.create<scf::IfOp>(loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op.thenBlock()->getTerminator());
  inside();
}

Value PipelineBuilder::bothOf(Value a, Value b) { return a && b ? make<arith::AndIOp>(a, b) : a ? a : b; }

Value PipelineBuilder::hasSteps() {
  bool isKnown = grid.knownSteps && *grid.knownSteps > 0;
  return isKnown ? Value() : compare(arith::CmpIPredicate::sgt, grid.numSteps, zero);
}

int64_t PipelineBuilder::outputDepth() const {
  int64_t depth = std::numeric_limits<int64_t>::max();
  for (const Member &member : members)
    if (member.isOutput())
      depth = std::min(depth, member.lane->depth());
  return depth;
}

int64_t PipelineBuilder::longestDelay() const {
  int64_t delay = 0;
  for (const Lane &lane : lanes)
    delay = std::max(delay, lane.isFed() ? lane.what.delay : 0);
  return delay;
}

// ---- Inputs ---------------------------------------------------------------------------------------------------------

void PipelineBuilder::copyBlocks(Lane &lane, ArrayRef<Value> point, Value stage) {
  for (auto [number, operand] : llvm::enumerate(lane.what.operands))
    if (lane.access.ring.operands[number].access != tile::Access::Out)
      if (Value window = body.window(operand, point))
        lane.access.copyIn(number, window, stage);
}

void PipelineBuilder::copyOnce(bool waitsForRelease) {
  if (llvm::none_of(lanes, [](const Lane &lane) { return lane.isFedOnce(); }))
    return;
  when(hasSteps(), [&] {
    for (Lane &lane : lanes) {
      if (!lane.isFedOnce())
        continue;
      Value stage = lane.access.stage();
      if (waitsForRelease)
        lane.access.waitEmpty(stage);
      copyBlocks(lane, SmallVector<Value>(grid.sizes.size(), zero), stage);
    }
  });
}

void PipelineBuilder::waitOnce() {
  if (llvm::none_of(lanes, [](const Lane &lane) { return lane.isFedOnce(); }))
    return;
  for (Lane &lane : lanes)
    if (lane.isFedOnce())
      lane.stage = lane.access.stage();
  when(hasSteps(), [&] {
    for (Lane &lane : lanes)
      if (lane.isFedOnce())
        lane.access.waitFull(lane.stage);
  });
}

void PipelineBuilder::endOnce(bool releases) {
  if (llvm::none_of(lanes, [](const Lane &lane) { return lane.isFedOnce(); }))
    return;
  when(hasSteps(), [&] {
    for (Lane &lane : lanes) {
      if (!lane.isFedOnce())
        continue;
      if (releases)
        lane.access.release(lane.stage);
      lane.access.advance();
    }
  });
}

/// Whether a value is the same at all points of the grid, whose indices `probe` has as arguments.
static bool isConstantIn(Value value, Block *probe) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() != probe;
  Operation *op = value.getDefiningOp();
  if (!probe->getParent()->isAncestor(op->getParentRegion()))
    return true;
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return isConstantIn(operand, probe); });
}

SmallVector<bool> findConstantWindows(OpBuilder &builder, Location loc, const PipelineGrid &grid, unsigned numOperands,
                                      PipelineWindow window) {
  // The windows stand in a loop that is not kept.
  OpBuilder::InsertionGuard guard(builder);
  auto probe = builder.create<scf::ForOp>(loc, grid.numSteps, grid.numSteps, grid.numSteps,
                                          SmallVector<Value>(grid.sizes.size(), grid.numSteps));
  builder.setInsertionPointToStart(probe.getBody());
  SmallVector<bool> result;
  SmallVector<Value> point(probe.getRegionIterArgs());
  for (unsigned operand = 0; operand < numOperands; ++operand) {
    Value found = window(operand, point);
    result.push_back(found && isConstantIn(found, probe.getBody()));
  }
  probe.erase();
  return result;
}

// ---- Outputs --------------------------------------------------------------------------------------------------------

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

/// Whether a value is computed from the thread's index.
static bool dependsOnThread(Value value) {
  Operation *op = value.getDefiningOp();
  return op && (isa<tile::ThreadIndexOp>(op) || llvm::any_of(op->getOperands(), dependsOnThread));
}

/// The first axis of the grid along which an output's block stays for several steps; `isLast`, if no axis behind it
/// makes the block change and come back.
std::optional<size_t> PipelineBuilder::stays(Value window, ArrayRef<Value> point, bool &isLast) {
  SmallVector<Value> coordinates;
  if (auto slice = window.getDefiningOp<tile::SliceOp>())
    coordinates = slice.getOffsets();
  std::optional<size_t> stays;
  isLast = true;
  for (size_t axis = 0; axis < point.size(); ++axis) {
    if (matchPattern(grid.sizes[axis], m_One()))
      continue;
    bool changes = llvm::any_of(coordinates, [&](Value coordinate) { return changesAlong(axis, coordinate, point); });
    if (!changes && !stays)
      stays = axis;
    isLast &= !(changes && stays);
  }
  return stays;
}

/// A block that stays for several steps has a stage for all of them. It counts its stages itself.
void PipelineBuilder::keepStage(const Sent &sent) {
  Lane &lane = *sent.member.lane;
  if (lane.depth() == 1)
    return;
  Value own;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(around);
    own = variable(zero);
  }
  auto stage = sent.block.getDefiningOp<tile::SliceOp>().getOffsets().front().getDefiningOp<tile::GetOp>();
  stage.getVariableMutable().assign(own);
  Value next = builder.create<arith::SelectOp>(loc, sent.ends, lane.access.ahead(stage, 1), stage);
  set(own, next);
}

/// A block goes to its array after the last of the steps in a row that have it. Every step is a group of copies, so
/// that counting steps counts groups.
void PipelineBuilder::copyOut(Odometer &odometer, Value step, ArrayRef<Value> blocks) {
  if (!hasOutputs())
    return;
  builder.create<tile::FenceSharedOp>(loc);
  Value next = make<arith::AddIOp>(step, one);
  Value isLast = compare(arith::CmpIPredicate::eq, next, grid.numSteps);
  SmallVector<Value> now = odometer.point(step), then = odometer.following(step);
  SmallVector<Sent> sent;
  for (auto [operand, member] : llvm::enumerate(members)) {
    if (!member.isOutput())
      continue;
    Value window = body.window(operand, now), other = body.window(operand, then);
    if (!window || !other)
      return;
    Sent each{blocks[operand], window, isLast, member};
    auto slice = window.getDefiningOp<tile::SliceOp>(), following = other.getDefiningOp<tile::SliceOp>();
    if (slice && following)
      for (auto [a, b] : llvm::zip(slice.getOffsets(), following.getOffsets()))
        if (a != b)
          each.ends = make<arith::OrIOp>(each.ends, compare(arith::CmpIPredicate::ne, a, b));
    if (body.meet && slice && llvm::any_of(slice.getOffsets(), dependsOnThread))
      return body.refuseThread(operand);
    bool isLastAxis = false;
    if (std::optional<size_t> axis = stays(window, now, isLastAxis)) {
      if (!isLastAxis || member.operand().access == tile::Access::InOut)
        return body.refuseStaying(operand, *axis);
      keepStage(each);
    }
    sent.push_back(each);
  }
  int64_t depth = outputDepth();
  if (body.meet) {
    // Where one stage more is free, the first thread has seen to it that the next one is.
    if (depth > 1)
      waitForSent(depth - 2, /*read=*/true);
    body.meet();
  }
  when(isSender, [&] {
    for (const Sent &each : sent)
      when(each.ends, [&] { each.member.lane->access.copyOut(each.member.number, each.window, each.block); });
    builder.create<tile::CommitGroupOp>(loc);
  });
}

void PipelineBuilder::waitForSent(int64_t pending, bool read) {
  when(isSender, [&] { builder.create<tile::WaitGroupOp>(loc, pending, read); });
}

// ---- Steps ----------------------------------------------------------------------------------------------------------

void PipelineBuilder::step(Odometer &odometer, Value step) {
  for (Lane &lane : lanes) {
    if (lane.isFedOnce())
      continue;
    lane.stage = lane.access.stage();
    if (lane.isFed() && lane.what.waits)
      lane.access.waitFull(lane.stage);
  }
  if (hasOutputs()) { // The stage's last copy has read it.
    int64_t depth = outputDepth();
    if (!body.meet || depth == 1)
      waitForSent(depth - 1, /*read=*/true);
    if (body.meet && depth == 1)
      body.meet();
  }
  SmallVector<Value> point = odometer.point(step), blocks;
  for (const Member &member : members) {
    // An output may come to count its stages itself.
    Value stage = member.isOutput() ? member.lane->access.stage() : member.lane->stage;
    blocks.push_back(member.lane->access.blockAt(member.number, stage));
    if (body.announce && !member.isOutput())
      body.announce(blocks.back(), member.lane->what, stage);
  }
  body.run(point, blocks);
  copyOut(odometer, step, blocks);
}

void PipelineBuilder::advanceAll() {
  for (Lane &lane : lanes)
    if (!lane.isFedOnce())
      lane.access.advance(body.turns);
}

void PipelineBuilder::moveAll(Value steps) {
  if (!steps)
    return;
  for (Lane &lane : lanes)
    if (!lane.isFedOnce())
      lane.access.move(steps);
}

void PipelineBuilder::buildAlone() {
  // The inputs of a ring are copied together, so many steps ahead of the step.
  struct Fetch {
    Lane &lane;
    Odometer odometer;
    Value stage;
    bool isSent = false;
  };
  SmallVector<Fetch, 1> fetches;
  int64_t deepest = 0;
  for (Lane &lane : lanes) {
    if (!lane.isFed())
      continue;
    deepest = std::max(deepest, lane.depth());
    fetches.push_back({lane, Odometer(*this), {}});
    fetches.back().stage = variable(lane.access.stage());
    for (const RingOperand &operand : lane.access.ring.operands)
      fetches.back().isSent |= operand.access == tile::Access::InOut;
  }
  auto fetch = [&](Fetch &one, Value step) {
    Value stage = get(one.stage);
    copyBlocks(one.lane, one.odometer.point(step), stage);
    one.odometer.advance();
    set(one.stage, one.lane.access.ahead(stage, 1));
  };
  copyOnce(/*waitsForRelease=*/false);
  if (!fetches.empty())
    loop(make<arith::MinSIOp>(grid.numSteps, index(deepest)), [&](Value step) {
      for (Fetch &each : fetches) {
        bool isShort = each.lane.depth() < deepest;
        when(isShort ? compare(arith::CmpIPredicate::slt, step, index(each.lane.depth())) : Value(),
             [&] { fetch(each, step); });
      }
    });
  waitOnce();
  Odometer odometer(*this);
  auto steps = builder.create<scf::ForOp>(loc, zero, grid.numSteps, one);
  around = steps;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(steps.getBody()->getTerminator());
    Value number = steps.getInductionVar();
    step(odometer, number);
    for (Fetch &each : fetches) {
      int64_t depth = each.lane.depth(), delay = each.lane.what.delay;
      if (grid.knownSteps && *grid.knownSteps <= depth)
        continue;
      Value next = make<arith::AddIOp>(number, index(depth - delay));
      Value isThere = compare(arith::CmpIPredicate::slt, next, grid.numSteps);
      if (delay > 0)
        isThere = make<arith::AndIOp>(isThere, compare(arith::CmpIPredicate::sge, number, index(delay)));
      when(isThere, [&] {
        if (each.isSent) // What was there has left.
          builder.create<tile::WaitGroupOp>(loc, delay, true);
        fetch(each, next);
      });
    }
    odometer.advance();
    advanceAll();
  }
  endOnce(/*releases=*/false);
  if (hasOutputs())
    waitForSent(0, /*read=*/false);
}

void PipelineBuilder::buildProducer() {
  // A ring of fewer stages is filled later, so that all wait for the same step to end.
  struct Feed {
    Lane &lane;
    Odometer odometer;
    int64_t late = 0;
  };
  int64_t ahead = 0, latest = 0;
  auto stepsAhead = [](const Lane &lane) { return lane.depth() - lane.what.delay; };
  for (const Lane &lane : lanes)
    ahead = std::max(ahead, lane.isFed() ? stepsAhead(lane) : 0);
  SmallVector<Feed, 2> feeds;
  for (Lane &lane : lanes)
    if (lane.isFed())
      feeds.push_back({lane, Odometer(*this), ahead - stepsAhead(lane)});
  for (const Feed &feed : feeds)
    latest = std::max(latest, feed.late);
  copyOnce(/*waitsForRelease=*/true);
  if (!feeds.empty())
    loop(latest > 0 ? make<arith::AddIOp>(grid.numSteps, index(latest)) : grid.numSteps, [&](Value number) {
      for (Feed &feed : feeds) {
        Value step = number, isThere;
        if (latest > 0) {
          step = feed.late > 0 ? make<arith::SubIOp>(number, index(feed.late)) : number;
          if (feed.late < latest)
            isThere = compare(arith::CmpIPredicate::slt, step, grid.numSteps);
          if (feed.late > 0)
            isThere = bothOf(isThere, compare(arith::CmpIPredicate::sge, step, zero));
        }
        when(isThere, [&] {
          Value stage = feed.lane.access.stage();
          feed.lane.access.waitEmpty(stage);
          copyBlocks(feed.lane, feed.odometer.point(step), stage);
          feed.odometer.advance();
          feed.lane.access.advance();
        });
      }
    });
  endOnce(/*releases=*/false);
}

void PipelineBuilder::buildConsumer() {
  if (body.meet && hasOutputs())
    isSender = compare(arith::CmpIPredicate::eq,
                       builder.create<tile::ThreadIndexOp>(loc, builder.getI64Type()).getResult(), zero);
  waitOnce();
  Odometer odometer(*this);
  moveAll(body.firstStep);
  auto steps = builder.create<scf::ForOp>(loc, body.firstStep ? body.firstStep : zero, grid.numSteps,
                                          body.turns > 1 ? index(body.turns) : one);
  around = steps;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(steps.getBody()->getTerminator());
    Value number = steps.getInductionVar();
    step(odometer, number);
    for (Lane &lane : lanes) {
      if (!lane.isFed() || !lane.what.releases)
        continue;
      int64_t delay = lane.what.delay;
      Value isLate = delay > 0 ? compare(arith::CmpIPredicate::sge, number, index(delay)) : Value();
      when(isLate, [&] { lane.access.release(lane.access.behind(lane.stage, delay)); });
    }
    odometer.advance();
    advanceAll();
  }
  if (body.firstStep) { // This thread's next stage may be beyond the one where the next run begins.
    Value beyond = make<arith::AndIOp>(make<arith::SubIOp>(body.firstStep, grid.numSteps), index(body.turns - 1));
    moveAll(make<arith::SubIOp>(zero, beyond));
  }
  if (longestDelay() > 0) {
    // The rings go on: the next run waits for these.
    body.drain();
    for (Lane &lane : lanes) {
      if (!lane.isFed() || !lane.what.releases || lane.what.delay == 0)
        continue;
      Value stage = lane.access.stage();
      for (int64_t late = lane.what.delay; late > 0; --late) {
        bool isThere = grid.knownSteps && *grid.knownSteps >= late;
        Value were = isThere ? Value() : compare(arith::CmpIPredicate::sge, grid.numSteps, index(late));
        when(were, [&] { lane.access.release(lane.access.behind(stage, late)); });
      }
    }
  }
  endOnce(/*releases=*/true);
  if (hasOutputs()) {
    waitForSent(0, /*read=*/false);
    if (body.meet)
      body.meet();
  }
}

} // namespace tegula
