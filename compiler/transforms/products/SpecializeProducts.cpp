// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products on Hopper's tensor cores: the program that one would write at the explicit level. A kernel for the consumers
// of a CTA (split/TensorKernels.cpp) gets one more warpgroup, the producer. It copies, by TMA and ahead of the others,
// what they multiply into a ring of buffers (pipelines/Ring.h). Consumers keep the sums in registers, and do the rest
// of the program as it is written.
//
//   for sub-tile of this CTA:                   producer:   for sub-tile: for k:  wait until a stage is empty
//     for k:                                                  copy a[128 rows, k], b[k, 256 columns] into it     // TMA
//       acc = dot load a[64 rows, k],    ->     consumers:  for sub-tile: for k:  wait until the stage is full
//                 load b[k, 256 columns],                     acc = wgmma a[my 64 rows, k], b[k, all] + acc
//                 acc                                         release the stage before
//     store acc                                             store acc, in panels through shared memory           // TMA
//
// A CTA is persistent: it does one sub-tile after another. What the producer copies is in ProducerWindows.h, computed
// factors are in StagedFactors.h and FactorBuilder.h, stores by TMA in PanelStores.h and PanelWriter.h. Kernels for
// mma.sync are Multistage.h's.
#include "ir/Parts.h"
#include "pipelines/PipelineBuilder.h"
#include "support/Target.h"
#include "transforms/Alignment.h"
#include "transforms/Passes.h"
#include "transforms/products/EpiloguePanels.h"
#include "transforms/products/FactorBuilder.h"
#include "transforms/products/FindMainloop.h"
#include "transforms/products/Multistage.h"
#include "transforms/products/MultistageChain.h"
#include "transforms/products/PanelWriter.h"
#include "transforms/products/ProducerWindows.h"
#include "transforms/products/RoleKernel.h"
#include "transforms/products/RoleResources.h"
#include "transforms/products/SharedMatrices.h"
#include "transforms/products/SlicedDepth.h"
#include "transforms/products/SpecializeChain.h"
#include "transforms/products/StagedFactors.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILESPECIALIZEPRODUCTS
#include "transforms/Passes.h.inc"

namespace {

class Specializer {
public:
  Specializer(tile::KernelOp kernel, const Mainloop &mainloop, const RoleResources &resources)
      : kernel(kernel), mainloop(mainloop), loop(mainloop.loop), builder(kernel.getContext()), loc(loop.getLoc()),
        roles(builder, kernel, this->mainloop, resources.slices), consumers(roles.consumers), cluster(roles.cluster),
        resources(resources), windows(builder, this->mainloop, consumers), factors(builder, this->mainloop),
        staged(builder, this->mainloop, factors, consumers), panels(builder, kernel, this->mainloop),
        slices(builder, this->mainloop, resources.slices) {}

  void run();

private:
  void makeGrid();
  void makeRing();
  void buildProducer(PipelineBody &body);
  void buildConsumers(PipelineBody &body, Block *block);
  Value partOf(Value block, int64_t dim = 0);
  Value numberOf(Value step);
  int64_t depthOfSlices(const Product &product);
  void multiplySlices(const Product &product, Value right, int64_t depth);
  void multiply(Value step, ArrayRef<Value> blocks);
  void combine(Value step, ArrayRef<Value> products);
  void wait(int64_t pending);
  Value constant(int64_t value) { return roles.constant(value); }

  tile::KernelOp kernel;
  Mainloop mainloop;
  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  RoleKernel roles;
  int64_t consumers, cluster;
  RoleResources resources;
  PipelineGrid grid; ///< of the consumers
  Ring ring;
  ProducerWindows windows;
  FactorBuilder factors;
  StagedFactors staged;
  SmallVector<Value> sums; ///< variables
  PanelWriter panels;
  SlicedDepth slices;
};

void Specializer::makeGrid() {
  builder.setInsertionPoint(loop);
  grid.numSteps = makeNumSteps(builder, loop);
  grid.sizes = {grid.numSteps};
  if (APInt known; matchPattern(grid.numSteps, m_ConstantInt(&known)))
    grid.knownSteps = known.getSExtValue();
}

/// The left factors' rows of all consumers, and the right factors' columns, which they share.
void Specializer::makeRing() {
  for (const Factor &factor : mainloop.factors) {
    RingOperand operand;
    operand.element = cast<tile::RefType>(factor.array.getType()).getElementType();
    for (int64_t extent : windows.extentsOf(factor))
      if (extent)
        operand.block.push_back(extent);
    if (operand.block.size() == 1) // Stages are no rows of one matrix.
      operand.swizzle = 16;
    if (!factor.isLeft && cluster > 1)
      operand.multicast = {0};
    // What is multiplied of rows and columns outside the arrays is not stored, unless the program fills them.
    if (factor.side + 1 != factor.extents.size() && !factor.isFilled)
      operand.unfilled = 0;
    ring.operands.push_back(std::move(operand));
  }
  ring.depth = resources.stages;
  roles.makeRing(ring);
}

/// This consumer's rows of a block that has those of all, in its dimension `dim`.
Value Specializer::partOf(Value block, int64_t dim) {
  auto type = cast<tile::RefType>(block.getType());
  if (consumers == 1)
    return block;
  SmallVector<int64_t> dims(type.getDims());
  dims[dim] /= consumers;
  SmallVector<int32_t> modes(dims.size(), static_cast<int32_t>(tile::SliceMode::Whole));
  modes[dim] = static_cast<int32_t>(tile::SliceMode::Window);
  Value first = builder.create<arith::MulIOp>(loc, roles.warpgroup, constant(dims[dim]));
  return builder.create<tile::SliceOp>(loc, tile::RefType::inShared(type.getElementType(), dims, type.getSwizzle()),
                                       block, first, ValueRange(), modes, /*spec=*/false);
}

/// Waits until so many of the products are in flight; the sums are those after it.
void Specializer::wait(int64_t pending) {
  SmallVector<Value> values =
      llvm::map_to_vector(sums, [&](Value sum) { return builder.create<tile::GetOp>(loc, sum).getResult(); });
  auto waited = builder.create<tile::WgmmaWaitOp>(loc, pending, values);
  for (auto [sum, value] : llvm::zip_equal(sums, waited.getResults()))
    builder.create<tile::SetOp>(loc, value, sum);
}

/// The loop's number in a step, to consumers.
Value Specializer::numberOf(Value step) {
  return makeIndex(builder, loop, step, [](Value value) { return value; });
}

/// The elements of the sum of which a left factor is computed at a time, while those before are multiplied; 0 if it is
/// made at once: narrow products take less time than that gains (test/benchmark/RESULTS.md).
int64_t Specializer::depthOfSlices(const Product &product) {
  tile::DotOp dot = product.dot;
  constexpr int64_t instructions = 2, narrow = 128;
  int64_t depth = instructions * tensorTypesOf(dot, /*mmaSync=*/false)->depth();
  bool isInRegisters = product.isComputed(/*isLeft=*/true) && !mainloop.findStaged(dot.getA());
  int64_t ofStep = dot.getA().getType().getDimSize(1);
  bool isWide = dot.getType().getDimSize(1) > narrow;
  bool canCut = isInRegisters && isWide && !mainloop.combines && ofStep % depth == 0 && ofStep > depth;
  return canCut && FactorBuilder::canSlice(dot.getA(), mainloop, {false, true}) ? depth : 0;
}

void Specializer::multiplySlices(const Product &product, Value right, int64_t depth) {
  tile::DotOp dot = product.dot;
  Location at = dot.getLoc();
  int64_t columns = dot.getType().getDimSize(1);
  for (int64_t first = 0; first < dot.getA().getType().getDimSize(1); first += depth) {
    Value offset = first > 0 ? constant(first) : Value();
    Value left = factors.makeSlice(dot, /*isLeft=*/true, {{}, offset, depth});
    Value window = tile::makeWindow(builder, at, right, {{offset, depth}, {{}, columns}});
    Value sum = builder.create<tile::GetOp>(at, sums[product.sum]);
    sum = builder.create<tile::WgmmaOp>(at, sum, left, window, /*accumulate=*/Value());
    builder.create<tile::SetOp>(at, sum, sums[product.sum]);
  }
}

void Specializer::multiply(Value step, ArrayRef<Value> blocks) {
  SmallVector<Value> ordered;
  for (auto [factor, block] : llvm::zip_equal(mainloop.factors, blocks)) {
    Value inOrder = factor.isTransposed ? transposed(builder, loc, block) : block;
    // Of numbers for each row, these are not the first dimension of a row vector.
    ArrayRef<int64_t> dims = cast<tile::RefType>(inOrder.getType()).getDims();
    ordered.push_back(factor.isLeft ? partOf(inOrder, /*dim=*/dims.front() == 1 ? 1 : 0) : inOrder);
  }
  factors.begin(numberOf(step), [&](unsigned factor, Value tile, const tile::Parts &parts) -> Value {
    Value window = tile::makeWindow(builder, tile.getLoc(), ordered[factor], parts);
    return builder.create<tile::LoadOp>(tile.getLoc(), cast<tile::RefType>(window.getType()).getTileType(), window);
  });
  Value last = builder.createOrFold<arith::SubIOp>(loc, grid.numSteps, constant(1));
  Value next = builder.create<arith::MinSIOp>(loc, slices.after(step), last);
  factors.loadAhead(numberOf(next));
  SmallVector<Value> places = staged.make(ring, [&](Value block) { return partOf(block); });
  auto operand = [&](const Product &product, bool isLeft) -> Value {
    tile::DotOp dot = product.dot;
    if (unsigned number = isLeft ? product.a : product.b; number != Product::computed)
      return ordered[number];
    if (const StagedFactor *factor = mainloop.findStaged(isLeft ? dot.getA() : dot.getB()))
      return places[factor - mainloop.staged.begin()];
    return factors.make(dot, isLeft);
  };
  SmallVector<Value> partial;
  for (const Product &product : mainloop.products) {
    tile::DotOp dot = product.dot;
    Location at = dot.getLoc();
    if (int64_t depth = depthOfSlices(product)) {
      multiplySlices(product, operand(product, /*isLeft=*/false), depth);
      continue;
    }
    Value left = operand(product, /*isLeft=*/true), right = operand(product, /*isLeft=*/false);
    if (mainloop.combines) {
      Value start = builder.create<tile::UndefinedOp>(at, dot.getType());
      Value isAdded = builder.create<arith::ConstantOp>(at, builder.getBoolAttr(false));
      partial.push_back(builder.create<tile::WgmmaOp>(at, start, left, right, isAdded));
      continue;
    }
    Value sum = builder.create<tile::GetOp>(at, sums[product.sum]);
    sum = builder.create<tile::WgmmaOp>(at, sum, left, right, /*accumulate=*/Value());
    builder.create<tile::SetOp>(at, sum, sums[product.sum]);
  }
  if (mainloop.combines)
    return combine(step, partial);
  wait(releaseDelay(mainloop) * static_cast<int64_t>(mainloop.products.size()));
}

/// What the loop carries after a step. What needs no product is loaded and computed while they are in flight.
void Specializer::combine(Value step, ArrayRef<Value> products) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), numberOf(step));
  for (auto [carried, sum] : llvm::zip_equal(loop.getRegionIterArgs(), sums))
    mapping.map(carried, builder.create<tile::GetOp>(loc, sum).getResult());
  llvm::SmallDenseSet<Value> isLater;
  for (const Product &product : mainloop.products)
    isLater.insert(tile::DotOp(product.dot).getResult());
  SmallVector<Operation *> later;
  for (Operation *op : mainloop.combination()) {
    if (llvm::none_of(op->getOperands(), [&](Value operand) { return isLater.contains(operand); })) {
      builder.clone(*op, mapping);
      continue;
    }
    isLater.insert(op->result_begin(), op->result_end());
    later.push_back(op);
  }
  auto wait = builder.create<tile::WgmmaWaitOp>(loc, 0, products);
  for (auto [product, result] : llvm::zip_equal(mainloop.products, wait.getResults()))
    mapping.map(tile::DotOp(product.dot).getResult(), result);
  for (Operation *op : later)
    builder.clone(*op, mapping);
  for (auto [value, sum] : llvm::zip_equal(loop.getYieldedValues(), sums))
    builder.create<tile::SetOp>(loc, mapping.lookupOrDefault(value), sum);
}

/// What the producer does for a sub-tile: the loop over sub-tiles with nothing in it but its copies.
void Specializer::buildProducer(PipelineBody &body) {
  builder.create<tile::SetMaxRegistersOp>(loc, resources.registersToCopy, /*increase=*/false);
  auto work = builder.create<scf::ForOp>(loc, mainloop.work.getLowerBound(), mainloop.work.getUpperBound(),
                                         mainloop.work.getStep());
  builder.setInsertionPoint(work.getBody()->getTerminator());
  windows.begin(work.getInductionVar(), roles.member, roles.firstMember());
  PipelineGrid steps = grid;
  steps.numSteps = windows.copyOf(grid.numSteps);
  steps.sizes = {steps.numSteps};
  PipelineBuilder(builder, loc, PipelineRing::ofAll(ring, releaseDelay(mainloop)), steps, body).buildProducer();
}

/// The program as it stands, but for what it multiplies.
void Specializer::buildConsumers(PipelineBody &body, Block *block) {
  builder.create<tile::SetMaxRegistersOp>(loc, resources.registersToCompute, /*increase=*/true);
  mainloop.work->moveBefore(block->getTerminator());
  builder.setInsertionPoint(loop);
  slices.begin(roles.warpgroup, ring);
  for (Value init : loop.getInitArgs()) {
    sums.push_back(
        builder.create<tile::VariableOp>(loc, tile::VariableType::get(builder.getContext(), init.getType())));
    builder.create<tile::SetOp>(loc, slices.initOf(init), sums.back());
  }
  staged.hoist();
  if (slices.isCut()) {
    body.firstStep = slices.first();
    body.turns = resources.slices;
  }
  Value first = slices.first();
  Value isAny = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::sgt, grid.numSteps, first);
  factors.hoistLoads(numberOf(first), isAny);
  PipelineBuilder(builder, loc, PipelineRing::ofAll(ring, releaseDelay(mainloop)), grid, body).buildConsumer();
  SmallVector<Value> results =
      llvm::map_to_vector(sums, [&](Value sum) { return builder.create<tile::GetOp>(loc, sum).getResult(); });
  if (slices.isCut())
    panels.waitForReads();
  results = slices.addUp(results);
  for (auto [result, made] : llvm::zip_equal(loop.getResults(), results))
    result.replaceAllUsesWith(made);
  EpiloguePanels epilogue(builder, results);
  panels.store(epilogue, slices.isCut() ? constant(0) : roles.warpgroup);
  epilogue.cutStores(results.front().getParentBlock(), /*dim=*/1, [](RankedTensorType) { return columnsOfPanel; });
  builder.setInsertionPoint(block->getTerminator());
  panels.wait();
}

void Specializer::run() {
  roles.replacePosition();
  makeGrid();
  panels.allocate();
  makeRing();
  staged.allocate(ring.depth, roles.warpgroup);
  slices.allocate();
  scf::IfOp branch = roles.makeRoles();

  auto window = [&](unsigned operand, ArrayRef<Value> point) {
    return windows.of(mainloop.factors[operand], point.front());
  };
  auto multiplyStep = [&](ArrayRef<Value> point, ArrayRef<Value> blocks) { multiply(point.front(), blocks); };
  auto drain = [&] {
    if (!mainloop.combines)
      wait(0);
  };
  auto refuseStaying = [](unsigned, size_t) {};
  PipelineBody body{window, multiplyStep, drain, refuseStaying};

  builder.setInsertionPointToStart(branch.thenBlock());
  buildProducer(body);
  builder.setInsertionPointToStart(branch.elseBlock());
  buildConsumers(body, branch.elseBlock());
  loop.erase();

  roles.finish();
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
      if (mainloop->isChain() && kernel.getMmaSync())
        makeMultistageChain(kernel, *mainloop, sharedBytesForMmaSync());
      else if (mainloop->isChain())
        specializeChain(kernel, *mainloop, resourcesOf(kernel, *mainloop, target->archClass->sharedBytes));
      else if (kernel.getMmaSync())
        makeMultistage(kernel, *mainloop, sharedBytesForMmaSync());
      else
        Specializer(kernel, *mainloop, resourcesOf(kernel, *mainloop, target->archClass->sharedBytes)).run();
      propagateAlignment(kernel); // To the windows of panels.
    }
  }
};
} // namespace
} // namespace tegula
