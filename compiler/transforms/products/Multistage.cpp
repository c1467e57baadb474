// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/Multistage.h"

#include "layout/MmaLayouts.h"
#include "transforms/products/EpiloguePanels.h"
#include "transforms/products/FactorBuilder.h"
#include "transforms/products/SharedMatrices.h"
#include "transforms/products/StageShape.h"
#include "transforms/products/StageWindows.h"

using namespace mlir;

namespace tegula {
namespace {

/// More stages than hide the latency of a copy are of no use.
constexpr int64_t mostStages = 6;
/// One that is multiplied, one that waits; the next one is in registers.
constexpr int64_t stagesThroughRegisters = 2;

class Multistage {
public:
  Multistage(tile::KernelOp kernel, const Mainloop &mainloop, int64_t sharedBytes)
      : kernel(kernel), mainloop(mainloop), loop(mainloop.loop), builder(kernel.getContext()), loc(loop.getLoc()),
        consumers(*kernel.getConsumers()), sharedBytes(sharedBytes), position(positionIn(kernel)),
        isAsync(llvm::all_of(mainloop.factors,
                             [&](const Factor &factor) {
                               return tile::KernelOp(kernel).getArgAttr(factor.array.getArgNumber(), isCopiedAsync);
                             })),
        shape(mainloop, isAsync), windows(builder, kernel, mainloop) {}

  void run();

private:
  /// A factor as a stage holds it: in the order of its array's dimensions.
  struct Operand {
    const Factor *factor;
    int64_t rows, depth; ///< of a stage: rows or columns of the product, by what is summed
    bool isDepthFirst;   ///< what is summed is the first of its array's two dimensions
    Value ring;          ///< [stages, rows, depth] or [stages, depth, rows]
  };
  /// A tile for each factor: a slice of it in registers, or what goes to a stage through them. Null or none where there
  /// is nothing.
  using Tiles = SmallVector<Value, 4>;
  /// The stages of the program's steps: which step this one is of, and where in it the stage begins, in stages.
  struct Place {
    Value step, part;
  };

  void makeRing();
  Value countSteps();
  Value stageOf(const Operand &operand, Value stage);
  Value sliceOf(Value ref, ArrayRef<Value> offsets, ArrayRef<int64_t> extents);
  Place placeOf(Value number);
  SmallVector<Value> windowsOf(Value number);
  void copy(Value number, Value stage, Value isThere);
  Tiles fetch(Value number, Value stage);
  Value loadOrZero(Value window, RankedTensorType type);
  void put(const Tiles &tiles, Value stage);
  Value load(const Operand &operand, Value stage, int64_t index);
  Tiles load(Value stage, int64_t index);
  Value factorOf(const Product &product, bool isLeft, const Place &place, int64_t index, const Tiles &tiles);
  void multiply(MutableArrayRef<Value> sums, Value number, int64_t index, const Tiles &tiles);
  /// Of stores and loads, tile-order-accesses keeps the order.
  void wait(int64_t pending) {
    if (isAsync)
      builder.create<tile::CpAsyncWaitOp>(loc, pending);
  }
  Value next(Value stage);
  /// How many stages are on their way when one is multiplied.
  int64_t ahead() const { return isAsync ? stages - 1 : stages; }
  void buildLoop(const Tiles &first);
  Value constant(int64_t value) { return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value)); }
  /// Of 32 bits, as addresses in shared memory have.
  Value stageNumber(int64_t value) {
    return builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  Value times(Value number, int64_t factor) { return builder.create<arith::MulIOp>(loc, number, constant(factor)); }

  tile::KernelOp kernel;
  Mainloop mainloop;
  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  int64_t consumers, sharedBytes;
  Position position;
  bool isAsync;
  StageShape shape;
  StageWindows windows;
  int64_t stages = 0;
  SmallVector<Operand> operands; ///< as the factors are numbered
  Value numStages;               ///< to be copied, in all
};

/// As many stages as fit.
void Multistage::makeRing() {
  int64_t room = sharedBytes - sharedForReductions(kernel);
  int64_t bytes = 0;
  for (const Factor &factor : mainloop.factors)
    bytes += bytesInStage(factor, shape, consumers);
  stages = std::clamp<int64_t>(room / bytes, leastStages, isAsync ? mostStages : stagesThroughRegisters);
  builder.setInsertionPoint(mainloop.work);
  for (const Factor &factor : mainloop.factors) {
    int64_t rows = factor.extents[factor.side] * (factor.isLeft ? consumers : 1);
    bool isDepthFirst = depthDimOf(factor) < static_cast<int64_t>(factor.side);
    Operand operand{&factor, rows, shape.depth(depthOf(factor)), isDepthFirst, {}};
    int64_t dims[] = {stages, operand.rows, operand.depth};
    if (operand.isDepthFirst)
      std::swap(dims[1], dims[2]);
    auto type = tile::RefType::inShared(elementTypeOf(factor), dims);
    operand.ring = builder.create<tile::AllocOp>(loc, type, IntegerAttr(), /*padded=*/false);
    operands.push_back(operand);
  }
}

/// How often the loop runs: 0 times, if its end comes before its start.
Value Multistage::countSteps() {
  Value count = builder.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), loop.getLowerBound());
  return builder.createOrFold<arith::MaxSIOp>(loc, builder.createOrFold<arith::CeilDivSIOp>(loc, count, loop.getStep()),
                                              constant(0));
}

/// A part of a matrix in shared memory; a null offset stands for all of a dimension.
Value Multistage::sliceOf(Value ref, ArrayRef<Value> offsets, ArrayRef<int64_t> extents) {
  auto type = cast<tile::RefType>(ref.getType());
  SmallVector<int64_t> dims;
  SmallVector<int32_t> modes;
  SmallVector<Value> starts;
  for (auto [dim, offset, extent] : llvm::zip_equal(type.getDims(), offsets, extents)) {
    modes.push_back(static_cast<int32_t>(offset ? tile::SliceMode::Window : tile::SliceMode::Whole));
    dims.push_back(offset ? extent : dim);
    if (offset)
      starts.push_back(offset);
  }
  return builder.create<tile::SliceOp>(loc, tile::RefType::inShared(type.getElementType(), dims), ref, starts,
                                       ValueRange(), modes, /*spec=*/false);
}

Value Multistage::stageOf(const Operand &operand, Value stage) {
  auto type = cast<tile::RefType>(operand.ring.getType());
  auto block = tile::RefType::inShared(type.getElementType(), type.getDims().drop_front());
  int32_t modes[] = {static_cast<int32_t>(tile::SliceMode::Element), static_cast<int32_t>(tile::SliceMode::Whole),
                     static_cast<int32_t>(tile::SliceMode::Whole)};
  Value index = builder.create<arith::ExtUIOp>(loc, builder.getI64Type(), stage);
  return builder.create<tile::SliceOp>(loc, block, operand.ring, index, ValueRange(), modes, /*spec=*/false);
}

Multistage::Place Multistage::placeOf(Value number) {
  if (shape.perStep == 1)
    return {number, {}};
  return {builder.create<arith::DivUIOp>(loc, number, constant(shape.perStep)),
          builder.create<arith::RemUIOp>(loc, number, constant(shape.perStep))};
}

/// The windows of the arrays that the stage of this number holds.
SmallVector<Value> Multistage::windowsOf(Value number) {
  Place place = placeOf(number);
  return llvm::map_to_vector(operands, [&](const Operand &operand) {
    Value within = place.part ? times(place.part, operand.depth) : Value();
    return windows.of(*operand.factor, place.step, within, operand.depth);
  });
}

/// Begins the copies of a stage, if there is such a one.
void Multistage::copy(Value number, Value stage, Value isThere) {
  OpBuilder::InsertionGuard guard(builder);
  scf::IfOp branch;
  if (windows.areLoaded()) {
    branch = builder.create<scf::IfOp>(loc, isThere, /*withElseRegion=*/false);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    isThere = {};
  }
  for (auto [operand, window] : llvm::zip_equal(operands, windowsOf(number)))
    builder.create<tile::CpAsyncOp>(loc, window, stageOf(operand, stage), isThere);
  if (branch)
    builder.setInsertionPointAfter(branch);
}

/// Begins to bring what is multiplied in the stage of this number, if there are so many: copies into the stage, which
/// become a group, or loads.
Multistage::Tiles Multistage::fetch(Value number, Value stage) {
  Value isThere = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, number, numStages);
  if (isAsync) {
    copy(number, stage, isThere);
    builder.create<tile::CpAsyncCommitOp>(loc);
    return {};
  }
  SmallVector<Value> sources;
  if (!windows.areLoaded())
    sources = windowsOf(number);
  SmallVector<Type> types;
  for (const Operand &operand : operands) {
    auto ring = cast<tile::RefType>(operand.ring.getType());
    types.push_back(RankedTensorType::get(ring.getDims().drop_front(), ring.getElementType()));
  }
  auto branch = builder.create<scf::IfOp>(loc, types, isThere, /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  for (Block *block : {branch.thenBlock(), branch.elseBlock()}) {
    builder.setInsertionPointToStart(block);
    if (windows.areLoaded() && block == branch.thenBlock())
      sources = windowsOf(number);
    Tiles tiles;
    for (auto [type, window] : llvm::zip_equal(types, sources))
      tiles.push_back(block == branch.thenBlock() ? loadOrZero(window, cast<RankedTensorType>(type))
                                                  : builder.create<tile::UndefinedOp>(loc, type).getResult());
    builder.create<scf::YieldOp>(loc, tiles);
  }
  return Tiles(branch.getResults());
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

void Multistage::put(const Tiles &tiles, Value stage) {
  if (isAsync)
    return;
  for (auto [operand, tile] : llvm::zip_equal(operands, tiles))
    builder.create<tile::StoreOp>(loc, tile, stageOf(operand, stage));
}

/// A slice of a stage as this consumer takes it: rows, or columns, of the product by what is summed.
Value Multistage::load(const Operand &operand, Value stage, int64_t index) {
  Value block = stageOf(operand, stage);
  auto type = cast<tile::RefType>(block.getType());
  bool isLeft = operand.factor->isLeft;
  if (operand.isDepthFirst)
    block = transposed(builder, loc, block);
  int64_t rows = operand.rows / (isLeft ? consumers : 1);
  Value first;
  if (isLeft && position.member)
    first = times(position.member, rows);
  block = sliceOf(block, {first, constant(index * shape.slice)}, {rows, shape.slice});
  return builder.create<tile::LoadOp>(loc, RankedTensorType::get({rows, shape.slice}, type.getElementType()), block);
}

Multistage::Tiles Multistage::load(Value stage, int64_t index) {
  Tiles tiles;
  for (const Operand &operand : operands)
    tiles.push_back(index * shape.slice < operand.depth ? load(operand, stage, index) : Value());
  return tiles;
}

/// A slice of a factor of a product, as it is loaded or computed from such.
Value Multistage::factorOf(const Product &product, bool isLeft, const Place &place, int64_t index, const Tiles &tiles) {
  unsigned factor = isLeft ? product.a : product.b;
  if (factor != Product::computed)
    return tiles[factor];
  Value number = builder.createOrFold<arith::MulIOp>(loc, place.step, loop.getStep());
  number = builder.createOrFold<arith::AddIOp>(loc, number, loop.getLowerBound());
  Value offset = constant(index * shape.slice);
  if (place.part)
    offset = builder.createOrFold<arith::AddIOp>(loc, times(place.part, shape.depth(depthOf(product))), offset);
  else if (index == 0)
    offset = {};
  auto turned = [&](Value matrix) -> Value { // The same elements in the same registers.
    auto type = cast<RankedTensorType>(matrix.getType());
    int64_t dims[] = {type.getDimSize(1), type.getDimSize(0)};
    return builder.create<tile::PermuteOp>(loc, RankedTensorType::get(dims, type.getElementType()), matrix,
                                           ArrayRef<int64_t>{1, 0});
  };
  FactorBuilder factors(builder, mainloop);
  factors.begin(number, [&](unsigned factor, Value, const tile::Parts &) {
    return isLeft || mainloop.factors[factor].isLeft ? tiles[factor] : turned(tiles[factor]);
  });
  Value made = factors.makeSlice(product.dot, isLeft, {number, offset, shape.slice});
  return isLeft ? made : turned(made);
}

/// Adds the products of a slice of the stage of this number.
void Multistage::multiply(MutableArrayRef<Value> sums, Value number, int64_t index, const Tiles &tiles) {
  auto isComputed = [](const Product &each) { return each.isComputed(true) || each.isComputed(false); };
  Place place;
  if (llvm::any_of(mainloop.products, isComputed))
    place = placeOf(number);
  for (const Product &product : mainloop.products) {
    if (index * shape.slice >= shape.depth(depthOf(product)))
      continue;
    Value left = factorOf(product, /*isLeft=*/true, place, index, tiles);
    Value right = factorOf(product, /*isLeft=*/false, place, index, tiles);
    sums[product.sum] = builder.create<tile::MmaOp>(tile::DotOp(product.dot).getLoc(), sums[product.sum], left, right);
  }
}

/// The stage behind this one.
Value Multistage::next(Value stage) {
  Value behind = builder.create<arith::AddIOp>(loc, stage, stageNumber(1));
  Value isEnd = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, behind, stageNumber(stages));
  return builder.create<arith::SelectOp>(loc, isEnd, stageNumber(0), behind);
}

void Multistage::buildLoop(const Tiles &first) {
  SmallVector<Value> inits(loop.getInitArgs());
  size_t numSums = inits.size(), numFactors = operands.size();
  llvm::append_range(inits, first);
  inits.append({stageNumber(0), stageNumber(stages - 1)});
  auto steps = builder.create<scf::ForOp>(loc, constant(0), numStages, constant(1), inits);
  builder.setInsertionPointToStart(steps.getBody());
  ValueRange carried = steps.getRegionIterArgs();
  SmallVector<Value> sums(carried.take_front(numSums));
  Tiles here(carried.slice(numSums, numFactors));
  Value stage = carried[numSums + numFactors], before = carried.back();
  // cp.async fills the stage that was multiplied before; what is stored waits until this one has been.
  Value current = stage, free = isAsync ? before : stage;
  Tiles fetched;
  int64_t deepest = 0;
  for (const Product &product : mainloop.products)
    deepest = std::max(deepest, shape.depth(depthOf(product)));
  for (int64_t i = 0, slices = deepest / shape.slice; i < slices; ++i) {
    Tiles coming;
    if (i + 1 < slices)
      coming = load(stage, i + 1);
    if (i == 0)
      fetched = fetch(builder.create<arith::AddIOp>(loc, steps.getInductionVar(), constant(ahead())), free);
    if (i + 1 == slices) {
      wait(stages - 2);
      stage = next(stage);
      coming = load(stage, 0);
    }
    multiply(sums, steps.getInductionVar(), i, here);
    here = coming;
  }
  put(fetched, free);
  SmallVector<Value> yielded(sums);
  llvm::append_range(yielded, here);
  yielded.append({stage, current});
  builder.create<scf::YieldOp>(loc, yielded);
  ValueRange results = steps.getResults().take_front(numSums);
  loop.replaceAllUsesWith(results);
  // Warps that share the columns have all rows, of which a panel is some of each warp's.
  EpiloguePanels(builder, results).cutStores(mainloop.work.getBody(), /*dim=*/0, [&](RankedTensorType type) {
    auto layout = layout::mmaAccumulator(type.getDimSize(0), type.getDimSize(1), kernel.getGroup());
    return layout->map().outs().front().size();
  });
}

void Multistage::run() {
  makeRing();
  builder.setInsertionPoint(loop);
  numStages = builder.createOrFold<arith::MulIOp>(loc, countSteps(), constant(shape.perStep));
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
