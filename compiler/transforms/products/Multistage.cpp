// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/Multistage.h"

#include "ir/Expressions.h"

#include <array>

using namespace mlir;

namespace tegula {
namespace {

/// Of the depth, what an instruction sums, and what a stage has at most.
constexpr int64_t bytesOfSlice = 32, mostBytesOfStage = 64;
/// What one cp.async copies.
constexpr int64_t unitBytes = 16;
/// More stages than hide the latency of a copy are of no use.
constexpr int64_t mostStages = 6;
/// One that is multiplied, one that waits; the next one is in registers.
constexpr int64_t stagesThroughRegisters = 2;
/// Elements of a row of a stage that threads load one by one, in which few registers are left.
constexpr int64_t mostThroughRegisters = 16;

class Multistage {
public:
  Multistage(tile::KernelOp kernel, const Mainloop &mainloop, int64_t sharedBytes)
      : kernel(kernel), mainloop(mainloop), loop(mainloop.loop), builder(kernel.getContext()), loc(loop.getLoc()),
        consumers(*kernel.getConsumers()), sharedBytes(sharedBytes), position(positionIn(kernel)) {
    dot = mainloop.products.front().dot; // The one that there is.
    int64_t bytes = tile::bytesOf(dot.getA().getType().getElementType());
    stepDepth = dot.getA().getType().getDimSize(1);
    slice = bytesOfSlice / bytes;
    isAsync = llvm::all_of(mainloop.factors, [&](const Factor &factor) {
      return tile::KernelOp(kernel).getArgAttr(factor.array.getArgNumber(), isCopiedAsync) != nullptr;
    });
    int64_t most =
        isAsync ? mostBytesOfStage : std::clamp(mostThroughRegisters * bytes, bytesOfSlice, mostBytesOfStage);
    depth = stepDepth * bytes % most == 0 ? most / bytes : slice;
  }

  void run();

private:
  /// A factor as a stage holds it: in the order of its array's dimensions.
  struct Operand {
    const Factor *factor;
    int64_t depthDim;  ///< the dimension of its array that is summed over
    int64_t rows;      ///< or columns, of the product
    bool isDepthFirst; ///< what is summed is the first of its array's two dimensions
    Value ring;        ///< [stages, rows, depth] or [stages, depth, rows]
  };
  /// The factors of one slice, in registers.
  struct Fragments {
    Value a, b;
  };
  /// What goes to a stage through registers; nothing if cp.async copies it.
  using Fetched = SmallVector<Value, 2>;

  void makeRing();
  Value countSteps();
  bool dependsOnMember(Value value);
  Value copyOf(Value value, IRMapping &clones);
  Value windowOf(Value ref, int64_t depthDim, Value &within, IRMapping &clones);
  Value windowOf(tile::SliceOp slice, int64_t depthDim, Value &within, IRMapping &clones);
  Value stageOf(const Operand &operand, Value stage);
  Value sliceOf(Value ref, ArrayRef<Value> offsets, ArrayRef<int64_t> extents);
  SmallVector<Value, 2> windowsOf(Value number);
  Fetched fetch(Value number, Value stage);
  Value loadOrZero(Value window, RankedTensorType type);
  void put(const Fetched &tiles, Value stage);
  Value load(const Operand &operand, Value stage, int64_t index);
  Fragments load(Value stage, int64_t index) { return {load(a, stage, index), load(b, stage, index)}; }
  /// Of stores and loads, tile-order-accesses keeps the order.
  void wait(int64_t pending) {
    if (isAsync)
      builder.create<tile::CpAsyncWaitOp>(loc, pending);
  }
  Value next(Value stage);
  /// How many stages are on their way when one is multiplied.
  int64_t ahead() const { return isAsync ? stages - 1 : stages; }
  void buildLoop(Fragments first);
  Value constant(int64_t value) { return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value)); }
  /// Of 32 bits, as addresses in shared memory have.
  Value stageNumber(int64_t value) {
    return builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(static_cast<int32_t>(value)));
  }

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
  bool isAsync;
  Operand a, b;
  Value numStages; ///< to be copied, in all
};

static int64_t depthDimOf(const Factor &factor) {
  SmallVector<int64_t> dims = tile::arrayDimsOf(tile::LoadOp(factor.load).getRef());
  return dims[0] == static_cast<int64_t>(factor.side) ? dims[1] : dims[0];
}

/// As many stages as fit.
void Multistage::makeRing() {
  RankedTensorType result = dot.getType();
  const Factor &left = mainloop.factors.front(), &right = mainloop.factors.back();
  a = {&left, depthDimOf(left), result.getDimSize(0) * consumers, left.isTransposed, {}};
  b = {&right, depthDimOf(right), result.getDimSize(1), !right.isTransposed, {}};
  Type element = dot.getA().getType().getElementType();
  int64_t room = sharedBytes;
  constexpr int64_t forReductions = 16 << 10; // Threads exchange what they reduce.
  if (kernel.walk([](tile::ReduceOp) { return WalkResult::interrupt(); }).wasInterrupted())
    room -= forReductions;
  int64_t most = isAsync ? mostStages : stagesThroughRegisters;
  stages = std::clamp<int64_t>(room / ((a.rows + b.rows) * depth * tile::bytesOf(element)), 2, most);
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

/// A window of an array, for all consumers: as many times larger where they have parts of it. If `within`, the part of
/// a step that a stage takes from there on; it is reset where that is done.
Value Multistage::windowOf(Value ref, int64_t depthDim, Value &within, IRMapping &clones) {
  Operation *view = ref.getDefiningOp();
  if (!view)
    return ref;
  if (auto slice = dyn_cast<tile::SliceOp>(view))
    return windowOf(slice, depthDim, within, clones);
  auto transpose = cast<tile::TransposeOp>(view);
  Value source = windowOf(transpose.getSource(), depthDim, within, clones);
  auto type = cast<tile::RefType>(source.getType());
  SmallVector<int64_t> dims;
  for (int64_t from : transpose.getPermutation())
    dims.push_back(type.getDims()[from]);
  return builder.create<tile::TransposeOp>(loc, tile::RefType::get(type.getElementType(), dims), source,
                                           transpose.getPermutation());
}

Value Multistage::windowOf(tile::SliceOp slice, int64_t depthDim, Value &within, IRMapping &clones) {
  SmallVector<int64_t> ofArray = tile::arrayDimsOf(slice.getSource());
  // The window that is closest to the product is the step.
  Value inStep;
  auto isStep = [&](unsigned dim) {
    return ofArray[dim] == depthDim && slice.getMode(dim) == tile::SliceMode::Window && !slice.getSize(dim) &&
           slice.getBound(dim) == stepDepth;
  };
  if (llvm::any_of(llvm::seq<unsigned>(0, ofArray.size()), isStep))
    inStep = std::exchange(within, Value());
  Value source = windowOf(slice.getSource(), depthDim, within, clones);
  ArrayRef<int64_t> before = slice.getSource().getType().getDims(),
                    after = cast<tile::RefType>(source.getType()).getDims();
  tile::RefType type = slice.getType();
  SmallVector<int64_t> dims(type.getDims());
  SmallVector<Value> offsets, sizes;
  for (unsigned dim = 0, kept = 0; dim < ofArray.size(); ++dim) {
    Value offset = slice.getOffset(dim);
    bool isOfMember = offset && position.member && dependsOnMember(offset);
    if (offset)
      offsets.push_back(copyOf(offset, clones));
    if (slice.getSize(dim))
      sizes.push_back(copyOf(slice.getSize(dim), clones));
    if (slice.getMode(dim) == tile::SliceMode::Element)
      continue;
    if (slice.getMode(dim) == tile::SliceMode::Whole)
      dims[kept] = after[dim];
    else if (isOfMember || before[dim] != after[dim])
      dims[kept] *= consumers;
    if (inStep && isStep(dim)) {
      offsets.back() = builder.create<arith::AddIOp>(loc, offsets.back(), inStep);
      dims[kept] = tile::RefType::atMost(depth);
    }
    ++kept;
  }
  auto window = tile::RefType::get(type.getElementType(), dims, type.getAlignment(), type.getIsEven());
  return builder.create<tile::SliceOp>(loc, window, source, offsets, sizes, slice.getModes(), /*spec=*/false);
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
  auto block = tile::RefType::inShared(type.getElementType(), type.getDims().drop_front());
  int32_t modes[] = {static_cast<int32_t>(tile::SliceMode::Element), static_cast<int32_t>(tile::SliceMode::Whole),
                     static_cast<int32_t>(tile::SliceMode::Whole)};
  Value index = builder.create<arith::ExtUIOp>(loc, builder.getI64Type(), stage);
  return builder.create<tile::SliceOp>(loc, block, operand.ring, index, ValueRange(), modes, /*spec=*/false);
}

/// The windows of both arrays that the stage of this number holds, in the order of their dimensions.
SmallVector<Value, 2> Multistage::windowsOf(Value number) {
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
  SmallVector<Value, 2> windows;
  for (const Operand &operand : {a, b}) {
    tile::LoadOp load = operand.factor->load;
    Value part = within, window = windowOf(load.getRef(), operand.depthDim, part, clones);
    SmallVector<int64_t> dims = tile::arrayDimsOf(load.getRef());
    if (dims[0] > dims[1]) {
      auto type = cast<tile::RefType>(window.getType());
      int64_t turned[] = {type.getDims()[1], type.getDims()[0]};
      window = builder.create<tile::TransposeOp>(loc, tile::RefType::get(type.getElementType(), turned), window,
                                                 ArrayRef<int64_t>{1, 0});
    }
    if (part) // The step is not the last window.
      window = operand.isDepthFirst ? sliceOf(window, {part, Value()}, {depth, 0})
                                    : sliceOf(window, {Value(), part}, {0, depth});
    if (kernel.getArgAttr(operand.factor->array.getArgNumber(), hasEvenRows)) {
      auto type = cast<tile::RefType>(window.getType());
      window.setType(tile::RefType::get(type.getElementType(), type.getDims(), unitBytes, /*isEven=*/true));
    }
    windows.push_back(window);
  }
  return windows;
}

/// Begins to bring what is multiplied in the stage of this number, if there are so many: copies into the stage, which
/// become a group, or loads.
Multistage::Fetched Multistage::fetch(Value number, Value stage) {
  Value isThere = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, number, numStages);
  SmallVector<Value, 2> windows = windowsOf(number);
  if (isAsync) {
    for (auto [operand, window] : llvm::zip_equal(std::array{&a, &b}, windows))
      builder.create<tile::CpAsyncOp>(loc, window, stageOf(*operand, stage), isThere);
    builder.create<tile::CpAsyncCommitOp>(loc);
    return {};
  }
  SmallVector<Type> types;
  for (const Operand &operand : {a, b}) {
    auto ring = cast<tile::RefType>(operand.ring.getType());
    types.push_back(RankedTensorType::get(ring.getDims().drop_front(), ring.getElementType()));
  }
  auto branch = builder.create<scf::IfOp>(loc, types, isThere, /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  for (Block *block : {branch.thenBlock(), branch.elseBlock()}) {
    builder.setInsertionPointToStart(block);
    Fetched tiles;
    for (auto [type, window] : llvm::zip_equal(types, windows))
      tiles.push_back(block == branch.thenBlock() ? loadOrZero(window, cast<RankedTensorType>(type))
                                                  : builder.create<tile::UndefinedOp>(loc, type).getResult());
    builder.create<scf::YieldOp>(loc, tiles);
  }
  return Fetched(branch.getResults());
}

/// A window as a tile, with 0 where it ends before.
Value Multistage::loadOrZero(Value window, RankedTensorType type) {
  Value truth = builder.create<arith::ConstantOp>(loc, builder.getBoolAttr(true));
  Value zero = builder.create<arith::ConstantOp>(loc, builder.getZeroAttr(tile::scalarTypeOf(type.getElementType())));
  auto maskType = RankedTensorType::get(type.getShape(), builder.getI1Type());
  Value mask = builder.create<tile::FullOp>(loc, maskType, truth, ValueRange());
  Value other = builder.create<tile::FullOp>(loc, type, zero, ValueRange());
  return builder.create<tile::LoadOp>(loc, type, window, mask, other);
}

void Multistage::put(const Fetched &tiles, Value stage) {
  if (isAsync)
    return;
  for (auto [operand, tile] : llvm::zip_equal(std::array{&a, &b}, tiles))
    builder.create<tile::StoreOp>(loc, tile, stageOf(*operand, stage));
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
  Value behind = builder.create<arith::AddIOp>(loc, stage, stageNumber(1));
  Value isEnd = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, behind, stageNumber(stages));
  return builder.create<arith::SelectOp>(loc, isEnd, stageNumber(0), behind);
}

void Multistage::buildLoop(Fragments first) {
  SmallVector<Value> inits = {loop.getInitArgs().front(), first.a, first.b, stageNumber(0), stageNumber(stages - 1)};
  auto steps = builder.create<scf::ForOp>(loc, constant(0), numStages, constant(1), inits);
  builder.setInsertionPointToStart(steps.getBody());
  ValueRange carried = steps.getRegionIterArgs();
  Value sum = carried[0], stage = carried[3];
  Fragments here{carried[1], carried[2]};
  // cp.async fills the stage that was multiplied before; what is stored waits until this one has been.
  Value free = isAsync ? carried[4] : stage;
  Fetched fetched;
  auto fetchLater = [&] {
    fetched = fetch(builder.create<arith::AddIOp>(loc, steps.getInductionVar(), constant(ahead())), free);
  };
  int64_t slices = depth / slice;
  for (int64_t i = 0; i < slices; ++i) {
    Fragments coming;
    if (i + 1 < slices)
      coming = load(stage, i + 1);
    if (i == 0)
      fetchLater();
    if (i + 1 == slices) {
      wait(stages - 2);
      stage = next(stage);
      coming = load(stage, 0);
    }
    sum = builder.create<tile::MmaOp>(dot.getLoc(), sum, here.a, here.b);
    here = coming;
  }
  put(fetched, free);
  builder.create<scf::YieldOp>(loc, ValueRange{sum, here.a, here.b, stage, carried[3]});
  loop.getResult(0).replaceAllUsesWith(steps.getResult(0));
}

void Multistage::run() {
  makeRing();
  builder.setInsertionPoint(loop);
  numStages = builder.createOrFold<arith::MulIOp>(loc, countSteps(), constant(stepDepth / depth));
  wait(0); // No thread still reads what the last sub-tile had there.
  for (int64_t i = 0; i < ahead(); ++i)
    put(fetch(constant(i), stageNumber(i)), stageNumber(i));
  wait(stages - 2);
  buildLoop(load(stageNumber(0), 0));
  loop.erase();
  kernel.removeConsumersAttr();
  kernel.removeMmaSyncAttr();
}

} // namespace

void makeMultistage(tile::KernelOp kernel, const Mainloop &mainloop, int64_t sharedBytes) {
  Multistage(kernel, mainloop, sharedBytes).run();
}

} // namespace tegula
