// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products on Hopper's tensor cores: the program that one would write at the explicit level. A kernel for the consumers
// of a CTA gets a warpgroup more, the producer. It copies, by TMA and ahead of the others, what they multiply into a
// ring of buffers; they keep the sums in registers, and do the rest of the program as it stands.
#include "ir/Expressions.h"
#include "pipelines/PipelineBuilder.h"
#include "support/Target.h"
#include "transforms/Passes.h"
#include "transforms/products/Mainloop.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILESPECIALIZEPRODUCTS
#include "transforms/Passes.h.inc"

namespace {

/// What the producer needs to find addresses; setmaxnreg takes the others from it.
constexpr int64_t registersToCopy = 40;
/// How long a stage stays after its product has begun: while the next one is issued.
constexpr int64_t delay = 1;

class Specializer {
public:
  Specializer(tile::KernelOp kernel, const Mainloop &mainloop, int64_t sharedBytes)
      : kernel(kernel), mainloop(mainloop), loop(mainloop.loop), builder(kernel.getContext()), loc(loop.getLoc()),
        consumers(*kernel.getConsumers()), sharedBytes(sharedBytes) {}

  void run();

private:
  void replacePosition();
  void makeGrid();
  void makeRing();
  std::pair<SmallVector<Operation *>, SmallVector<Operation *>> findRest();
  Value windowOf(const Factor &factor, ArrayRef<int64_t> extents, Value step, bool isShared);
  void multiply(ArrayRef<Value> blocks);
  Value constant(int64_t value) { return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value)); }

  tile::KernelOp kernel;
  Mainloop mainloop;
  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  int64_t consumers, sharedBytes;
  TeamPosition position;
  PipelineGrid grid;
  Ring ring;
  Value accumulator; ///< a variable
};

/// A CTA is a team, and a warpgroup a member of it.
void Specializer::replacePosition() {
  position = positionIn(kernel);
  builder.setInsertionPointToStart(&kernel.getBody().front());
  Value team = builder.create<tile::ClusterIdOp>(loc), member = builder.create<tile::ThreadIndexOp>(loc);
  position.team.replaceAllUsesWith(team);
  if (position.member)
    position.member.replaceAllUsesWith(member);
  position = {team, member};
}

void Specializer::makeGrid() {
  builder.setInsertionPoint(loop);
  Value count = builder.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), loop.getLowerBound());
  APInt step;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)) || !step.isOne()) {
    Value rounded = builder.createOrFold<arith::SubIOp>(loc, loop.getStep(), constant(1));
    rounded = builder.createOrFold<arith::AddIOp>(loc, count, rounded);
    count = builder.createOrFold<arith::DivSIOp>(loc, rounded, loop.getStep());
  }
  // A loop that does not run has no steps.
  grid.numSteps = builder.createOrFold<arith::MaxSIOp>(loc, count, constant(0));
  grid.sizes = {grid.numSteps};
  if (APInt known; matchPattern(grid.numSteps, m_ConstantInt(&known)))
    grid.knownSteps = known.getSExtValue();
}

/// The left factor's rows of all consumers, and the right factor's columns, which they share: as many stages as fit.
void Specializer::makeRing() {
  RankedTensorType a = mainloop.a.load.getType(), b = mainloop.b.load.getType();
  int64_t bytes = 0;
  for (auto [type, rows] : {std::pair(a, a.getDimSize(0) * consumers), std::pair(b, b.getDimSize(0))}) {
    RingOperand operand;
    operand.element = type.getElementType();
    operand.block = {rows, type.getDimSize(1)};
    bytes += rows * type.getDimSize(1) * tile::bytesOf(operand.element);
    ring.operands.push_back(std::move(operand));
  }
  // Barriers take little. More stages than hide the latency of a copy are of no use.
  constexpr int64_t forBarriers = 1024, mostStages = 8;
  ring.depth = std::clamp<int64_t>((sharedBytes - forBarriers) / bytes, delay + 1, mostStages);
  builder.setInsertionPoint(loop);
  auto allocate = [&](unsigned operand, ArrayRef<int64_t> dims) -> Value {
    return builder.create<tile::AllocOp>(loc, tile::RefType::inShared(ring.operands[operand].element, dims),
                                         IntegerAttr(), false);
  };
  auto barriers = [&](int64_t count, int64_t arrivals, ArrayRef<int64_t>, StringRef name) -> Value {
    Location named = NameLoc::get(builder.getStringAttr(name), loc);
    return builder.create<tile::AllocBarriersOp>(named, tile::BarriersType::get(builder.getContext(), count), arrivals,
                                                 DenseI64ArrayAttr(), IntegerAttr(), false, false);
  };
  auto variable = [&](Type type, int64_t value) -> Value {
    Value made = builder.create<tile::VariableOp>(loc, tile::VariableType::get(builder.getContext(), type));
    builder.create<tile::SetOp>(loc, builder.create<arith::ConstantOp>(loc, builder.getIntegerAttr(type, value)), made);
    return made;
  };
  bool isMade = succeeded(tegula::makeRing(ring, {allocate, barriers, variable}, builder, consumers, {}));
  assert(isMade && "nothing in the way of the ring");
  static_cast<void>(isMade);
}

/// The window of an array that a step reads, for all consumers: `extents` in the array's dimensions.
Value Specializer::windowOf(const Factor &factor, ArrayRef<int64_t> extents, Value step, bool isShared) {
  IRMapping clones;
  Value index = builder.createOrFold<arith::MulIOp>(loc, step, loop.getStep());
  clones.map(loop.getInductionVar(), builder.createOrFold<arith::AddIOp>(loc, index, loop.getLowerBound()));
  if (!isShared)
    clones.map(position.member, constant(0));
  auto there = [&](Value value) -> std::optional<Value> {
    if (Value known = clones.lookupOrNull(value))
      return known;
    Operation *op = value.getDefiningOp();
    // Constants and arguments are there already, and so is the rest, where it is the same for all.
    if (!op || op->getNumOperands() == 0)
      return value;
    return std::nullopt;
  };
  SmallVector<Value> offsets;
  SmallVector<int32_t> modes;
  SmallVector<int64_t> dims;
  for (auto [sum, extent] : llvm::zip_equal(factor.offsets, extents)) {
    Value offset;
    for (Value value : sum) {
      Value part = cloneExpression(builder, value, clones, there);
      offset = offset ? builder.create<arith::AddIOp>(loc, offset, part).getResult() : part;
    }
    offsets.push_back(offset ? offset : constant(0));
    modes.push_back(static_cast<int32_t>(extent ? tile::SliceMode::Window : tile::SliceMode::Element));
    if (extent)
      dims.push_back(tile::RefType::atMost(extent));
  }
  auto type = cast<tile::RefType>(factor.array.getType());
  return builder.create<tile::SliceOp>(loc, tile::RefType::get(type.getElementType(), dims), factor.array, offsets,
                                       ValueRange(), modes, /*spec=*/false);
}

void Specializer::multiply(ArrayRef<Value> blocks) {
  Value a = blocks.front();
  auto type = cast<tile::RefType>(a.getType());
  if (consumers > 1) {
    int64_t rows = type.getDims().front() / consumers;
    int32_t modes[] = {static_cast<int32_t>(tile::SliceMode::Window), static_cast<int32_t>(tile::SliceMode::Whole)};
    Value first = builder.create<arith::MulIOp>(loc, position.member, constant(rows));
    a = builder.create<tile::SliceOp>(
        loc, tile::RefType::inShared(type.getElementType(), {rows, type.getDims().back()}, type.getSwizzle()), a, first,
        ValueRange(), modes, /*spec=*/false);
  }
  Location at = mainloop.dot.getLoc();
  Value sum = builder.create<tile::GetOp>(at, accumulator);
  sum = builder.create<tile::WgmmaOp>(at, sum, a, blocks.back(), /*accumulate=*/Value());
  sum = builder.create<tile::WgmmaWaitOp>(at, delay, sum).getResult(0);
  builder.create<tile::SetOp>(at, sum, accumulator);
}

/// What the consumers alone do: before the loop all that is a tile, an effect, or made of these, and everything after
/// it.
std::pair<SmallVector<Operation *>, SmallVector<Operation *>> Specializer::findRest() {
  SmallVector<Operation *> before, after;
  llvm::SmallPtrSet<Operation *, 16> moved;
  for (Operation &op : *loop->getBlock()) {
    bool isTile = llvm::any_of(op.getResultTypes(), [](Type type) { return isa<RankedTensorType>(type); });
    bool isMadeOfTiles =
        llvm::any_of(op.getOperands(), [&](Value value) { return moved.contains(value.getDefiningOp()); });
    if (op.hasTrait<OpTrait::IsTerminator>() || &op == loop) {
      continue;
    } else if (loop->isBeforeInBlock(&op)) {
      after.push_back(&op);
    } else if (isTile || isMadeOfTiles || !isMemoryEffectFree(&op)) {
      before.push_back(&op);
      moved.insert(&op);
    }
  }
  return {std::move(before), std::move(after)};
}

void Specializer::run() {
  replacePosition();
  makeGrid();
  auto [before, after] = findRest();
  makeRing();
  Value isProducer = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, position.member, constant(consumers));
  auto roles = builder.create<scf::IfOp>(loc, isProducer, /*withElseRegion=*/true);

  auto window = [&](unsigned operand, ArrayRef<Value> point) {
    const Factor &factor = operand == 0 ? mainloop.a : mainloop.b;
    SmallVector<int64_t> extents = factor.extents;
    if (operand == 0)
      extents[mainloop.rows] *= consumers;
    return windowOf(factor, extents, point.front(), /*isShared=*/operand != 0);
  };
  auto multiplyStep = [&](ArrayRef<Value>, ArrayRef<Value> blocks) { multiply(blocks); };
  auto drain = [&] {
    Value sum = builder.create<tile::GetOp>(loc, accumulator);
    builder.create<tile::SetOp>(loc, builder.create<tile::WgmmaWaitOp>(loc, 0, sum).getResult(0), accumulator);
  };
  auto refuseStaying = [](unsigned, size_t, bool) {};
  PipelineBody callbacks{window, multiplyStep, drain, refuseStaying};
  int64_t delays[] = {-1, -1};

  builder.setInsertionPointToStart(roles.thenBlock());
  builder.create<tile::SetMaxRegistersOp>(loc, registersToCopy, /*increase=*/false);
  PipelineBuilder(builder, loc, ring, grid, delay, delays, callbacks).buildProducer();

  Operation *end = roles.elseBlock()->getTerminator();
  for (Operation *op : before)
    op->moveBefore(end);
  builder.setInsertionPointToStart(roles.elseBlock());
  builder.create<tile::SetMaxRegistersOp>(loc, registersToCompute(consumers, registersToCopy), /*increase=*/true);
  builder.setInsertionPoint(end);
  Value init = loop.getInitArgs().front();
  accumulator = builder.create<tile::VariableOp>(loc, tile::VariableType::get(builder.getContext(), init.getType()));
  builder.create<tile::SetOp>(loc, init, accumulator);
  PipelineBuilder(builder, loc, ring, grid, delay, delays, callbacks).buildConsumer();
  loop.getResult(0).replaceAllUsesWith(builder.create<tile::GetOp>(loc, accumulator));
  for (Operation *op : after)
    op->moveBefore(end);
  loop.erase();

  kernel.setThreads((consumers + 1) * lanesOfWarpgroup);
  kernel.removeConsumersAttr();
}

struct SpecializeProducts : impl::TileSpecializeProductsBase<SpecializeProducts> {
  using TileSpecializeProductsBase::TileSpecializeProductsBase;

  void runOnOperation() override {
    const Target *target = findTarget(std::string(arch));
    if (!target) {
      getOperation().emitError() << unknownTargetMessage(std::string(arch));
      return signalPassFailure();
    }
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>()) {
      if (!kernel.getConsumers())
        continue;
      std::string obstacle;
      std::optional<Mainloop> mainloop = findMainloop(kernel, obstacle);
      if (!mainloop) {
        kernel.emitError() << "this kernel is not for tensor cores: " << obstacle;
        return signalPassFailure();
      }
      Specializer(kernel, *mainloop, target->archClass->sharedBytes).run();
    }
  }
};
} // namespace
} // namespace tegula
