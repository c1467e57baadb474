// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/Multistage.h"

#include "ir/Expressions.h"

using namespace mlir;

namespace tegula {
namespace {

/// Of the depth, what an instruction sums, and what a stage has at most.
constexpr int64_t bytesOfSlice = 32, mostBytesOfStage = 64;
/// More stages than hide the latency of a copy are of no use.
constexpr int64_t mostStages = 6;

class Multistage {
public:
  Multistage(tile::KernelOp kernel, const Mainloop &mainloop, int64_t sharedBytes)
      : kernel(kernel), mainloop(mainloop), loop(mainloop.loop), builder(kernel.getContext()), loc(loop.getLoc()),
        consumers(*kernel.getConsumers()), sharedBytes(sharedBytes), position(positionIn(kernel)) {
    dot = mainloop.products.front().dot; // The one that there is.
    int64_t bytes = tile::bytesOf(dot.getA().getType().getElementType());
    stepDepth = dot.getA().getType().getDimSize(1);
    slice = bytesOfSlice / bytes;
    depth = stepDepth * bytes % mostBytesOfStage == 0 ? mostBytesOfStage / bytes : slice;
  }

  void run();

private:
  /// A factor as a stage holds it: in the order of its array's dimensions.
  struct Operand {
    const Factor *factor;
    int64_t rows;      ///< or columns, of the product
    bool isDepthFirst; ///< what is summed is the first of its array's two dimensions
    Value ring;        ///< [stages, rows, depth] or [stages, depth, rows]
  };
  /// The factors of one slice, in registers.
  struct Fragments {
    Value a, b;
  };

  void makeRing();
  Value countSteps();
  bool dependsOnMember(Value value);
  Value copyOf(Value value, IRMapping &clones);
  Value windowOf(Value ref, IRMapping &clones);
  Value stageOf(const Operand &operand, Value stage);
  Value sliceOf(Value ref, ArrayRef<Value> offsets, ArrayRef<int64_t> extents);
  void copyStage(Value number, Value stage);
  Value load(const Operand &operand, Value stage, int64_t index);
  Fragments load(Value stage, int64_t index) { return {load(a, stage, index), load(b, stage, index)}; }
  void wait(int64_t pending) { builder.create<tile::CpAsyncWaitOp>(loc, pending); }
  Value next(Value stage);
  void buildLoop(Fragments first);
  Value constant(int64_t value) { return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value)); }

  tile::KernelOp kernel;
  Mainloop mainloop;
  scf::ForOp loop;
  tile::DotOp dot;
  OpBuilder builder;
  Location loc;
  int64_t consumers, sharedBytes;
  Position position;
  int64_t stepDepth, depth, slice; ///< elements: of a step of the program, of a stage, of an instruction
  int64_t stages = 0;
  Operand a, b;
  Value numStages; ///< to be copied, in all
};

/// As many stages as fit.
void Multistage::makeRing() {
  RankedTensorType result = dot.getType();
  const Factor &left = mainloop.factors.front(), &right = mainloop.factors.back();
  a = {&left, result.getDimSize(0) * consumers, left.isTransposed, {}};
  b = {&right, result.getDimSize(1), !right.isTransposed, {}};
  Type element = dot.getA().getType().getElementType();
  int64_t room = sharedBytes;
  constexpr int64_t forReductions = 16 << 10; // Threads exchange what they reduce.
  if (kernel.walk([](tile::ReduceOp) { return WalkResult::interrupt(); }).wasInterrupted())
    room -= forReductions;
  stages = std::clamp<int64_t>(room / ((a.rows + b.rows) * depth * tile::bytesOf(element)), 2, mostStages);
  builder.setInsertionPoint(mainloop.work);
  for (Operand *operand : {&a, &b}) {
    int64_t dims[] = {stages, operand->rows, depth};
    if (operand->isDepthFirst)
      std::swap(dims[1], dims[2]);
    operand->ring =
        builder.create<tile::AllocOp>(loc, tile::RefType::inShared(element, dims), IntegerAttr(), /*padded=*/false);
  }
}

/// How often the loop runs: 0 times, if its end comes before its start.
Value Multistage::countSteps() {
  Value count = builder.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), loop.getLowerBound());
  return builder.createOrFold<arith::MaxSIOp>(loc, builder.createOrFold<arith::CeilDivSIOp>(loc, count, loop.getStep()),
                                              constant(0));
}

bool Multistage::dependsOnMember(Value value) {
  if (value == position.member)
    return true;
  Operation *op = value.getDefiningOp();
  return op && llvm::any_of(op->getOperands(), [&](Value operand) { return dependsOnMember(operand); });
}

/// An integer in the step that `clones` has, from the first consumer's rows on.
Value Multistage::copyOf(Value value, IRMapping &clones) {
  return cloneExpression(builder, value, clones, [&](Value each) -> std::optional<Value> {
    Operation *op = each.getDefiningOp();
    if (!op || (!loop->isProperAncestor(op) && !(position.member && dependsOnMember(each))))
      return each;
    return std::nullopt;
  });
}

/// A window of an array, for all consumers: as many times larger where they have parts of it.
Value Multistage::windowOf(Value ref, IRMapping &clones) {
  Operation *view = ref.getDefiningOp();
  if (!view)
    return ref;
  Value source = windowOf(view->getOperand(0), clones);
  auto before = cast<tile::RefType>(view->getOperand(0).getType()), after = cast<tile::RefType>(source.getType());
  auto type = cast<tile::RefType>(ref.getType());
  SmallVector<int64_t> dims(type.getDims());
  IRMapping operands;
  operands.map(view->getOperand(0), source);
  if (auto transpose = dyn_cast<tile::TransposeOp>(view)) {
    for (auto [dim, from] : llvm::zip_equal(dims, transpose.getPermutation()))
      dim = after.getDims()[from];
  } else {
    auto slice = cast<tile::SliceOp>(view);
    for (Value operand : llvm::drop_begin(view->getOperands()))
      operands.map(operand, copyOf(operand, clones));
    unsigned kept = 0;
    for (unsigned dim = 0; dim < slice.getModes().size(); ++dim) {
      if (slice.getMode(dim) == tile::SliceMode::Element)
        continue;
      Value offset = slice.getOffset(dim);
      if (before.getDims()[dim] != after.getDims()[dim] || (offset && position.member && dependsOnMember(offset)))
        dims[kept] *= consumers;
      ++kept;
    }
  }
  Operation *clone = builder.clone(*view, operands);
  clone->getResult(0).setType(tile::RefType::get(type.getElementType(), dims, type.getAlignment(), type.getIsEven()));
  return clone->getResult(0);
}

/// A part of a matrix; a null offset stands for all of a dimension.
Value Multistage::sliceOf(Value ref, ArrayRef<Value> offsets, ArrayRef<int64_t> extents) {
  auto type = cast<tile::RefType>(ref.getType());
  SmallVector<int64_t> dims;
  SmallVector<int32_t> modes;
  SmallVector<Value> starts;
  for (auto [dim, offset, extent] : llvm::zip_equal(type.getDims(), offsets, extents)) {
    modes.push_back(static_cast<int32_t>(offset ? tile::SliceMode::Window : tile::SliceMode::Whole));
    dims.push_back(!offset ? dim : type.isShared() ? extent : tile::RefType::atMost(extent));
    if (offset)
      starts.push_back(offset);
  }
  Type part = type.isShared() ? tile::RefType::inShared(type.getElementType(), dims)
                              : tile::RefType::get(type.getElementType(), dims, type.getAlignment());
  return builder.create<tile::SliceOp>(loc, part, ref, starts, ValueRange(), modes, /*spec=*/false);
}

Value Multistage::stageOf(const Operand &operand, Value stage) {
  auto type = cast<tile::RefType>(operand.ring.getType());
  int32_t modes[] = {static_cast<int32_t>(tile::SliceMode::Element), static_cast<int32_t>(tile::SliceMode::Whole),
                     static_cast<int32_t>(tile::SliceMode::Whole)};
  return builder.create<tile::SliceOp>(loc, tile::RefType::inShared(type.getElementType(), type.getDims().drop_front()),
                                       operand.ring, stage, ValueRange(), modes, /*spec=*/false);
}

/// Begins the copies of what is multiplied in the stage of this number, if there are so many, and makes them a group.
void Multistage::copyStage(Value number, Value stage) {
  Value isThere = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, number, numStages);
  int64_t perStep = stepDepth / depth;
  Value step = number, within;
  if (perStep > 1) {
    step = builder.create<arith::DivUIOp>(loc, number, constant(perStep));
    Value part = builder.create<arith::RemUIOp>(loc, number, constant(perStep));
    within = builder.create<arith::MulIOp>(loc, part, constant(depth));
  }
  IRMapping clones;
  Value index = builder.createOrFold<arith::MulIOp>(loc, step, loop.getStep());
  clones.map(loop.getInductionVar(), builder.createOrFold<arith::AddIOp>(loc, index, loop.getLowerBound()));
  if (position.member)
    clones.map(position.member, constant(0));
  for (const Operand &operand : {a, b}) {
    tile::LoadOp load = operand.factor->load;
    Value window = windowOf(load.getRef(), clones);
    SmallVector<int64_t> dims = tile::arrayDimsOf(load.getRef());
    if (dims[0] > dims[1]) {
      auto type = cast<tile::RefType>(window.getType());
      int64_t turned[] = {type.getDims()[1], type.getDims()[0]};
      window = builder.create<tile::TransposeOp>(loc, tile::RefType::get(type.getElementType(), turned), window,
                                                 ArrayRef<int64_t>{1, 0});
    }
    if (within)
      window = operand.isDepthFirst ? sliceOf(window, {within, Value()}, {depth, 0})
                                    : sliceOf(window, {Value(), within}, {0, depth});
    builder.create<tile::CpAsyncOp>(loc, window, stageOf(operand, stage), isThere);
  }
  builder.create<tile::CpAsyncCommitOp>(loc);
}

/// A slice of a stage as this consumer takes it: rows, or columns, of the product by what is summed.
Value Multistage::load(const Operand &operand, Value stage, int64_t index) {
  Value block = stageOf(operand, stage);
  auto type = cast<tile::RefType>(block.getType());
  bool isLeft = operand.factor->isLeft;
  if (operand.isDepthFirst) {
    int64_t dims[] = {type.getDims()[1], type.getDims()[0]};
    block = builder.create<tile::TransposeOp>(loc, tile::RefType::inShared(type.getElementType(), dims), block,
                                              ArrayRef<int64_t>{1, 0});
  }
  int64_t rows = operand.rows / (isLeft ? consumers : 1);
  Value first;
  if (isLeft && position.member)
    first = builder.create<arith::MulIOp>(loc, position.member, constant(rows));
  block = sliceOf(block, {first, constant(index * slice)}, {rows, slice});
  return builder.create<tile::LoadOp>(loc, RankedTensorType::get({rows, slice}, type.getElementType()), block);
}

/// The stage behind this one.
Value Multistage::next(Value stage) {
  Value behind = builder.create<arith::AddIOp>(loc, stage, constant(1));
  Value isEnd = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, behind, constant(stages));
  return builder.create<arith::SelectOp>(loc, isEnd, constant(0), behind);
}

void Multistage::buildLoop(Fragments first) {
  SmallVector<Value> inits = {loop.getInitArgs().front(), first.a, first.b, constant(0), constant(stages - 1)};
  auto steps = builder.create<scf::ForOp>(loc, constant(0), numStages, constant(1), inits);
  builder.setInsertionPointToStart(steps.getBody());
  ValueRange carried = steps.getRegionIterArgs();
  Value sum = carried[0], stage = carried[3], free = carried[4];
  Fragments here{carried[1], carried[2]};
  int64_t slices = depth / slice;
  auto copy = [&] {
    copyStage(builder.create<arith::AddIOp>(loc, steps.getInductionVar(), constant(stages - 1)), free);
  };
  for (int64_t i = 0; i < slices; ++i) {
    bool isLast = i + 1 == slices;
    Fragments coming;
    if (isLast) {
      if (i == 0)
        copy();
      wait(stages - 2);
      stage = next(stage);
      coming = load(stage, 0);
    } else {
      coming = load(stage, i + 1);
      if (i == 0)
        copy();
    }
    sum = builder.create<tile::MmaOp>(dot.getLoc(), sum, here.a, here.b);
    here = coming;
  }
  builder.create<scf::YieldOp>(loc, ValueRange{sum, here.a, here.b, stage, next(free)});
  loop.getResult(0).replaceAllUsesWith(steps.getResult(0));
}

void Multistage::run() {
  makeRing();
  builder.setInsertionPoint(loop);
  numStages = builder.createOrFold<arith::MulIOp>(loc, countSteps(), constant(stepDepth / depth));
  wait(0); // No thread still reads what the last sub-tile had there.
  for (int64_t i = 0; i < stages - 1; ++i)
    copyStage(constant(i), constant(i));
  wait(stages - 2);
  buildLoop(load(constant(0), 0));
  loop.erase();
  kernel.removeConsumersAttr();
  kernel.removeMmaSyncAttr();
}

} // namespace

void makeMultistage(tile::KernelOp kernel, const Mainloop &mainloop, int64_t sharedBytes) {
  Multistage(kernel, mainloop, sharedBytes).run();
}

} // namespace tegula
