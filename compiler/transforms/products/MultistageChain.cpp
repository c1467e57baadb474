// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/MultistageChain.h"

#include "ir/Arrangement.h"
#include "ir/Parts.h"
#include "transforms/products/ChainSteps.h"
#include "transforms/products/EpiloguePanels.h"
#include "transforms/products/SharedMatrices.h"
#include "transforms/products/StageShape.h"
#include "transforms/products/StageWindows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tegula {
namespace {

/// More stages than hide the latency of a copy are of no use.
constexpr int64_t mostStagesForWarps = 2;
constexpr int64_t partsOfStep = 2;

class MultistageChain {
public:
  MultistageChain(tile::KernelOp kernel, const Mainloop &mainloop, int64_t sharedBytes)
      : kernel(kernel), mainloop(mainloop), loop(mainloop.loop), builder(kernel.getContext()), loc(loop.getLoc()),
        consumers(*kernel.getConsumers()), stages(stagesOfChainForWarps(mainloop, consumers, sharedBytes)),
        position(positionIn(kernel)), windows(builder, kernel, mainloop), steps(builder, this->mainloop) {}

  void run();

private:
  /// Which products of a step.
  enum class Part { first, last };

  Value allocate(const Factor &factor);
  void makeBuffers();
  Value windowOf(Value ref, Value row, int64_t rows, int64_t slice);
  Value stageOf(unsigned factor, Value stage);
  Value matrixOf(unsigned factor, Value buffer);
  Value firstRow(int64_t rows);
  ArrayRef<Product> productsOf(Part part) const {
    return part == Part::first ? steps.firstProducts() : steps.lastProducts();
  }
  void fetchFixed();
  void fetch(Part part, Value step, Value stage);
  void fetchAhead();
  void await(Part part, Value step);
  Value fixedSlice(const Product &product, Value buffer, int64_t slice);
  Value multiply(const Product &product, Value sum, function_ref<Value(int64_t)> left);
  Value multiplyFirst(const Product &product, Value buffer, Value sum);
  Value multiplyLast(const Product &product, Value sum, Value left);
  void buildStep(Value step, bool isMasked);
  /// How many parts are on their way, at most, when one is waited for.
  int64_t ahead() const { return partsOfStep * stages - 1; }
  static int64_t depthOfSlice(tile::DotOp dot) { return tensorTypesOf(dot, /*mmaSync=*/true)->depth(); }
  Value constant(int64_t value) { return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value)); }
  /// Of 32 bits, as addresses in shared memory have.
  Value stageNumber(int64_t value) {
    return builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(static_cast<int32_t>(value)));
  }

  tile::KernelOp kernel;
  Mainloop mainloop;
  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  int64_t consumers, stages;
  Position position;
  StageWindows windows;
  ChainSteps steps;
  SmallVector<Value> rings; ///< for each factor that changes, in the order of its array's dimensions
  SmallVector<Value> fixed; ///< the left factor of each first product, of all consumers
  Value numSteps;
  Value stage; ///< a variable: where the factors of the step are
};

bool isDepthFirst(const Factor &factor) { return depthDimOf(factor) < static_cast<int64_t>(factor.side); }

Value MultistageChain::allocate(const Factor &factor) {
  SmallVector<int64_t> dims = {factor.extents[factor.side] * (factor.isLeft ? consumers : 1), depthOf(factor)};
  if (isDepthFirst(factor))
    std::swap(dims[0], dims[1]);
  if (!factor.isFixed)
    dims.insert(dims.begin(), stages);
  auto type = tile::RefType::inShared(elementTypeOf(factor), dims);
  return builder.create<tile::AllocOp>(loc, type, IntegerAttr(), /*padded=*/false);
}

void MultistageChain::makeBuffers() {
  builder.setInsertionPoint(mainloop.work);
  for (const Factor &factor : mainloop.factors)
    rings.push_back(factor.isFixed ? Value() : allocate(factor));
  for (const Product &product : steps.firstProducts()) {
    if (product.a != Product::computed) {
      fixed.push_back(allocate(mainloop.factors[product.a]));
      continue;
    }
    RankedTensorType type = tile::DotOp(product.dot).getA().getType();
    int64_t dims[] = {consumers * type.getDimSize(0), type.getDimSize(1)};
    int64_t swizzle = tile::widestSwizzle(dims[1] * tile::bytesOf(type.getElementType()));
    auto shared = tile::RefType::inShared(type.getElementType(), dims, swizzle);
    fixed.push_back(builder.create<tile::AllocOp>(loc, shared, IntegerAttr(), /*padded=*/false));
  }
}

/// Rows of a matrix from one on, or all, and a slice of what is summed.
Value MultistageChain::windowOf(Value ref, Value row, int64_t rows, int64_t slice) {
  auto type = cast<tile::RefType>(ref.getType());
  constexpr auto window = static_cast<int32_t>(tile::SliceMode::Window);
  const int32_t modes[] = {row ? window : static_cast<int32_t>(tile::SliceMode::Whole), window};
  int64_t depth = tensorTypesOf(mainloop.products.front().dot, /*mmaSync=*/true)->depth();
  SmallVector<Value> offsets;
  if (row)
    offsets.push_back(row);
  offsets.push_back(constant(slice * depth));
  auto part = tile::RefType::inShared(type.getElementType(), {rows, depth}, type.getSwizzle());
  return builder.create<tile::SliceOp>(loc, part, ref, offsets, ValueRange(), modes, /*spec=*/false);
}

Value MultistageChain::stageOf(unsigned factor, Value number) {
  auto type = cast<tile::RefType>(rings[factor].getType());
  auto block = tile::RefType::inShared(type.getElementType(), type.getDims().drop_front());
  constexpr auto whole = static_cast<int32_t>(tile::SliceMode::Whole);
  const int32_t modes[] = {static_cast<int32_t>(tile::SliceMode::Element), whole, whole};
  Value index = builder.create<arith::ExtUIOp>(loc, builder.getI64Type(), number);
  return builder.create<tile::SliceOp>(loc, block, rings[factor], index, ValueRange(), modes, /*spec=*/false);
}

/// Rows, or columns, of the product by what is summed.
Value MultistageChain::matrixOf(unsigned factor, Value buffer) {
  return isDepthFirst(mainloop.factors[factor]) ? transposed(builder, loc, buffer) : buffer;
}

/// The first row of this consumer.
Value MultistageChain::firstRow(int64_t rows) {
  Value number = position.member ? position.member : constant(0);
  return builder.createOrFold<arith::MulIOp>(loc, number, constant(rows));
}

/// Copies, which become a group with those of the first part, and what consumers have computed of their rows.
void MultistageChain::fetchFixed() {
  for (auto [product, buffer] : llvm::zip_equal(steps.firstProducts(), fixed)) {
    if (product.a != Product::computed) {
      const Factor &factor = mainloop.factors[product.a];
      Value window = windows.of(factor, constant(0), /*within=*/Value(), depthOf(factor));
      builder.create<tile::CpAsyncOp>(loc, window, buffer, /*predicate=*/Value());
      continue;
    }
    auto tile = tile::DotOp(product.dot).getA();
    tile::Parts rows = tile::wholeOf(tile.getType());
    rows[0].offset = firstRow(rows[0].size);
    builder.create<tile::StoreOp>(loc, tile, tile::makeWindow(builder, loc, buffer, rows));
  }
}

/// Begins to copy what a part of a step multiplies, if there is such a step. The copies become a group.
void MultistageChain::fetch(Part part, Value step, Value stage) {
  Value isThere = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, step, numSteps);
  OpBuilder::InsertionGuard guard(builder);
  scf::IfOp branch;
  if (windows.areLoaded()) {
    branch = builder.create<scf::IfOp>(loc, isThere, /*withElseRegion=*/false);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    isThere = {};
  }
  for (const Product &product : productsOf(part)) {
    const Factor &factor = mainloop.factors[product.b];
    Value window = windows.of(factor, step, /*within=*/Value(), depthOf(factor));
    builder.create<tile::CpAsyncOp>(loc, window, stageOf(product.b, stage), isThere);
  }
  if (branch)
    builder.setInsertionPointAfter(branch);
  builder.create<tile::CpAsyncCommitOp>(loc);
}

/// What the first steps multiply.
void MultistageChain::fetchAhead() {
  fetchFixed();
  for (int64_t i = 0; i < ahead(); ++i)
    fetch(i % partsOfStep ? Part::last : Part::first, constant(i / partsOfStep), stageNumber(i / partsOfStep));
}

/// Waits for the factors of a part. Where those of the part before were, the next ones are copied to.
void MultistageChain::await(Part part, Value step) {
  builder.create<tile::CpAsyncWaitOp>(loc, ahead() - 1);
  Value here = builder.create<tile::GetOp>(loc, stage);
  if (part == Part::last)
    return fetch(Part::first, builder.create<arith::AddIOp>(loc, step, constant(stages)), here);
  Value before = here;
  if (stages > 1) {
    Value isFirst = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, here, stageNumber(0));
    before = builder.create<arith::SubIOp>(loc, here, stageNumber(1));
    before = builder.create<arith::SelectOp>(loc, isFirst, stageNumber(stages - 1), before);
  }
  fetch(Part::last, builder.createOrFold<arith::AddIOp>(loc, step, constant(stages - 1)), before);
}

/// Of the left factor that stays, this consumer's rows.
Value MultistageChain::fixedSlice(const Product &product, Value buffer, int64_t slice) {
  tile::DotOp dot = product.dot;
  RankedTensorType all = dot.getA().getType();
  Value matrix = product.a == Product::computed ? buffer : matrixOf(product.a, buffer);
  return builder.create<tile::LoadOp>(
      loc, RankedTensorType::get({all.getDimSize(0), depthOfSlice(dot)}, all.getElementType()),
      windowOf(matrix, firstRow(all.getDimSize(0)), all.getDimSize(0), slice));
}

/// Adds up slices of the depth.
Value MultistageChain::multiply(const Product &product, Value sum, function_ref<Value(int64_t)> left) {
  tile::DotOp dot = product.dot;
  int64_t depth = depthOfSlice(dot), columns = dot.getType().getDimSize(1);
  auto type = RankedTensorType::get({columns, depth}, dot.getB().getType().getElementType());
  Value right = matrixOf(product.b, stageOf(product.b, builder.create<tile::GetOp>(loc, stage)));
  for (int64_t slice = 0; slice < depthOf(product) / depth; ++slice) {
    Value a = left(slice);
    Value b = builder.create<tile::LoadOp>(loc, type, windowOf(right, /*row=*/Value(), columns, slice));
    sum = builder.create<tile::MmaOp>(dot.getLoc(), sum, a, b, /*rows=*/true);
  }
  return sum;
}

/// From a sum on, or, if it is null, from zero.
Value MultistageChain::multiplyFirst(const Product &product, Value buffer, Value sum) {
  RankedTensorType type = tile::DotOp(product.dot).getType();
  if (!sum) {
    Value zero = builder.create<arith::ConstantOp>(loc, builder.getZeroAttr(type.getElementType()));
    sum = builder.create<tile::FullOp>(loc, type, zero, ValueRange());
  }
  return multiply(product, sum, [&](int64_t slice) { return fixedSlice(product, buffer, slice); });
}

/// The left factor is in registers, as the products lie there that it is made of.
Value MultistageChain::multiplyLast(const Product &product, Value sum, Value left) {
  auto all = cast<RankedTensorType>(left.getType());
  int64_t depth = depthOfSlice(product.dot);
  auto type = RankedTensorType::get({all.getDimSize(0), depth}, all.getElementType());
  const int32_t modes[] = {static_cast<int32_t>(tile::SliceMode::Whole), static_cast<int32_t>(tile::SliceMode::Window)};
  return multiply(product, sum, [&](int64_t slice) -> Value {
    return all == type ? left
                       : builder.create<tile::SubtileOp>(loc, type, left, constant(slice * depth), ValueRange(), modes);
  });
}

void MultistageChain::buildStep(Value step, bool isMasked) {
  IRMapping mapping = steps.begin(step);
  for (const Product &product : steps.lastProducts())
    mapping.map(loop.getRegionIterArg(product.sum), steps.getCarried(product.sum));
  await(Part::first, step);
  for (auto [product, buffer] : llvm::zip_equal(steps.firstProducts(), fixed))
    mapping.map(tile::DotOp(product.dot).getResult(),
                multiplyFirst(product, buffer,
                              steps.goesOn(product) ? mapping.lookup(tile::DotOp(product.dot).getAcc()) : Value()));
  await(Part::last, step);
  for (Operation *op : steps.computed())
    steps.clone(op, isMasked, mapping);
  for (const Product &product : steps.lastProducts()) {
    Value sum = mapping.lookupOrDefault(tile::DotOp(product.dot).getAcc());
    steps.setCarried(product.sum, multiplyLast(product, sum, steps.leftOf(product, isMasked, mapping)));
  }
  steps.carry(mapping);
  if (stages == 1)
    return;
  Value behind = builder.create<arith::AddIOp>(loc, builder.create<tile::GetOp>(loc, stage), stageNumber(1));
  Value isEnd = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, behind, stageNumber(stages));
  builder.create<tile::SetOp>(loc, builder.create<arith::SelectOp>(loc, isEnd, stageNumber(0), behind), stage);
}

void MultistageChain::run() {
  makeBuffers();
  builder.setInsertionPoint(loop);
  numSteps = makeNumSteps(builder, loop);
  steps.makeCarried();
  stage = builder.create<tile::VariableOp>(loc, tile::VariableType::get(builder.getContext(), builder.getI32Type()));
  builder.create<tile::SetOp>(loc, stageNumber(0), stage);
  Value runs = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::sgt, numSteps, constant(0));
  auto branch = builder.create<scf::IfOp>(loc, runs, /*withElseRegion=*/false);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  fetchAhead();
  steps.buildLoops(steps.rangeWithoutMasks(), constant(0), numSteps,
                   [&](Value step, bool isMasked) { buildStep(step, isMasked); });
  builder.setInsertionPoint(loop);
  SmallVector<Value> results = steps.replaceResults();
  EpiloguePanels(builder, results).cutStores(mainloop.work.getBody(), /*dim=*/1, [](RankedTensorType) {
    return columnsOfPanel;
  });
  loop.erase();
  unwrapWork(mainloop.work);
  kernel.removeConsumersAttr();
  kernel.removeMmaSyncAttr();
}
} // namespace

int64_t stagesOfChainForWarps(const Mainloop &mainloop, int64_t consumers, int64_t sharedBytes) {
  scf::ForOp loop = mainloop.loop;
  int64_t room = sharedBytes - bytesOfFixed(mainloop, consumers) -
                 sharedForReductions(loop->getParentOfType<tile::KernelOp>(), /*except=*/loop);
  return std::clamp<int64_t>(room / bytesOfStage(mainloop, consumers), 0, mostStagesForWarps);
}

void makeMultistageChain(tile::KernelOp kernel, const Mainloop &mainloop, int64_t sharedBytes) {
  MultistageChain(kernel, mainloop, sharedBytes).run();
}

} // namespace tegula
