// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/SpecializeChain.h"

#include "ir/Parts.h"
#include "pipelines/RingAccess.h"
#include "transforms/products/ChainPhases.h"
#include "transforms/products/ChainSteps.h"
#include "transforms/products/EpiloguePanels.h"
#include "transforms/products/PanelWriter.h"
#include "transforms/products/ProducerWindows.h"
#include "transforms/products/RoleKernel.h"
#include "transforms/products/SharedMatrices.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula {
namespace {

class ChainSpecializer {
public:
  ChainSpecializer(tile::KernelOp kernel, const Mainloop &mainloop, const RoleResources &resources)
      : kernel(kernel), mainloop(mainloop), loop(mainloop.loop), builder(kernel.getContext()), loc(loop.getLoc()),
        roles(builder, kernel, this->mainloop), windows(builder, this->mainloop, roles.consumers),
        steps(builder, this->mainloop), resources(resources) {}

  void run();

private:
  ArrayRef<Product> firstProducts() { return steps.firstProducts(); }
  ArrayRef<Product> lastProducts() { return steps.lastProducts(); }
  Value get(Value variable) { return builder.create<tile::GetOp>(loc, variable); }
  void set(Value variable, Value value) { builder.create<tile::SetOp>(loc, value, variable); }
  Value makeVariable(Type type) {
    return builder.create<tile::VariableOp>(loc, tile::VariableType::get(builder.getContext(), type));
  }
  Value mine(Value buffer);
  void makeRings();
  void makeFixed();
  void fillFixed();
  void buildProducer(Block *block);
  void buildConsumers(Block *block);
  void buildSteps();
  void buildFirst(const StepGuards::Range &full);
  void buildStep(Value step, bool isMasked, bool isFirst);
  size_t accumulatorOf(const Product &product);
  SmallVector<Value> beginFirst();
  SmallVector<Value> beginLast();
  SmallVector<Value> wait(int64_t pending, ValueRange products);
  void release(ArrayRef<Product> products);
  void clone(ChainPhase phase, bool isMasked, IRMapping &mapping);
  Value rightOf(const Product &product);
  Value placeFor(const PanelStore &panel);
  void storeResults(ArrayRef<PanelStore> panels, ValueRange results);

  tile::KernelOp kernel;
  Mainloop mainloop;
  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  RoleKernel roles;
  ProducerWindows windows;
  ChainSteps steps;
  RoleResources resources;
  Value numSteps;
  SmallVector<Ring, 2> rings;    ///< one for each factor; those of fixed ones are empty
  SmallVector<Value> fixed;      ///< shared memory, for each first product: [consumers, rows, depth]
  Value fixedReady, fixedParity; ///< a barrier for each consumer
  SmallVector<Value> lefts;      ///< variables of the left factors of the last products
  SmallVector<std::pair<Operation *, ChainPhase>> ops;
};

Value ChainSpecializer::mine(Value buffer) {
  auto type = cast<tile::RefType>(buffer.getType());
  constexpr auto whole = static_cast<int32_t>(tile::SliceMode::Whole);
  const int32_t modes[] = {static_cast<int32_t>(tile::SliceMode::Element), whole, whole};
  auto part = tile::RefType::inShared(type.getElementType(), type.getDims().drop_front(), type.getSwizzle());
  return builder.create<tile::SliceOp>(loc, part, buffer, roles.warpgroup, ValueRange(), modes, /*spec=*/false);
}

/// A ring for each factor that changes.
void ChainSpecializer::makeRings() {
  rings.resize(mainloop.factors.size());
  for (auto [ring, factor] : llvm::zip_equal(rings, mainloop.factors)) {
    if (factor.isFixed)
      continue;
    RingOperand operand;
    operand.element = cast<tile::RefType>(factor.array.getType()).getElementType();
    for (int64_t extent : factor.extents)
      if (extent)
        operand.block.push_back(extent);
    ring.operands.push_back(std::move(operand));
    ring.depth = resources.stages;
    roles.makeRing(ring);
  }
}

void ChainSpecializer::makeFixed() {
  builder.setInsertionPoint(mainloop.work);
  int64_t copies = 0;
  for (const Product &product : firstProducts()) {
    RankedTensorType type = tile::DotOp(product.dot).getA().getType();
    fixed.push_back(roles.allocate(type.getElementType(), {roles.consumers, type.getDimSize(0), type.getDimSize(1)}));
    copies += product.a != Product::computed;
  }
  if (copies == 0)
    return;
  fixedReady = roles.allocateBarriers(roles.consumers, copies, {}, "fixed");
}

/// Each consumer copies, or stores, its rows of the left factors that stay.
void ChainSpecializer::fillFixed() {
  bool isStored = false;
  for (auto [product, buffer] : llvm::zip_equal(firstProducts(), fixed)) {
    if (product.a == Product::computed) {
      builder.create<tile::StoreOp>(loc, tile::DotOp(product.dot).getA(), mine(buffer));
      isStored = true;
      continue;
    }
    const Factor &factor = mainloop.factors[product.a];
    Value window = windowOf(builder, factor, factor.extents, [](Value value) { return value; });
    builder.create<tile::CopyToSharedOp>(loc, window, mine(buffer), fixedReady, roles.warpgroup, Value(),
                                         DenseI64ArrayAttr(), IntegerAttr());
  }
  if (isStored)
    builder.create<tile::FenceSharedOp>(loc);
  if (!fixedReady)
    return;
  Value first = builder.create<arith::ConstantOp>(loc, builder.getBoolAttr(false));
  builder.create<tile::BarrierWaitOp>(loc, fixedReady, roles.warpgroup, first);
}

Value ChainSpecializer::rightOf(const Product &product) {
  RingAccess access(builder, loc, rings[product.b]);
  Value stage = access.stage();
  access.waitFull(stage);
  Value block = access.blockAt(0, stage);
  return mainloop.factors[product.b].isTransposed ? transposed(builder, loc, block) : block;
}

/// Which of the first products' accumulators one has, of those that have their own.
size_t ChainSpecializer::accumulatorOf(const Product &product) {
  auto sum = cast<tile::DotOp>(product.dot);
  while (auto before = sum.getAcc() ? sum.getAcc().getDefiningOp<tile::DotOp>() : tile::DotOp())
    sum = before;
  size_t number = 0;
  for (const Product &other : firstProducts()) {
    if (tile::DotOp(other.dot) == sum)
      break;
    number += !steps.goesOn(other);
  }
  return number;
}

/// The accumulators.
SmallVector<Value> ChainSpecializer::beginFirst() {
  SmallVector<Value> begun;
  for (auto [product, buffer] : llvm::zip_equal(firstProducts(), fixed)) {
    Location at = tile::DotOp(product.dot).getLoc();
    Value right = rightOf(product);
    if (steps.goesOn(product)) {
      Value &sum = begun[accumulatorOf(product)];
      sum = builder.create<tile::WgmmaOp>(at, sum, mine(buffer), right, /*accumulate=*/Value());
      continue;
    }
    Value start = builder.create<tile::UndefinedOp>(at, tile::DotOp(product.dot).getType());
    Value isAdded = builder.create<arith::ConstantOp>(at, builder.getBoolAttr(false));
    begun.push_back(builder.create<tile::WgmmaOp>(at, start, mine(buffer), right, isAdded));
  }
  return begun;
}

SmallVector<Value> ChainSpecializer::beginLast() {
  SmallVector<Value> begun;
  for (auto [product, left] : llvm::zip_equal(lastProducts(), lefts)) {
    Location at = tile::DotOp(product.dot).getLoc();
    Value right = rightOf(product);
    begun.push_back(
        builder.create<tile::WgmmaOp>(at, steps.getCarried(product.sum), get(left), right, /*accumulate=*/Value()));
  }
  return begun;
}

SmallVector<Value> ChainSpecializer::wait(int64_t pending, ValueRange products) {
  return builder.create<tile::WgmmaWaitOp>(loc, pending, products).getResults();
}

/// Stages that have been multiplied.
void ChainSpecializer::release(ArrayRef<Product> products) {
  for (const Product &product : products) {
    RingAccess access(builder, loc, rings[product.b]);
    access.release(access.stage());
    access.advance();
  }
}

void ChainSpecializer::clone(ChainPhase phase, bool isMasked, IRMapping &mapping) {
  for (auto [op, when] : ops)
    if (when == phase)
      steps.clone(op, isMasked, mapping);
}

/// A step as far as its last products, which the next one begins, or what comes behind the loop.
void ChainSpecializer::buildStep(Value step, bool isMasked, bool isFirst) {
  IRMapping mapping = steps.begin(step);
  SmallVector<Value> first = beginFirst(), last = isFirst ? SmallVector<Value>() : beginLast(), all = first;
  llvm::append_range(all, last);
  clone(ChainPhase::early, isMasked, mapping);
  all = wait(last.size(), all);
  for (const Product &product : firstProducts())
    mapping.map(tile::DotOp(product.dot).getResult(), all[accumulatorOf(product)]);
  release(firstProducts());
  clone(ChainPhase::middle, isMasked, mapping);
  if (!isFirst) {
    last = wait(0, ArrayRef(all).drop_front(first.size()));
    release(lastProducts());
  }
  for (auto [number, product] : llvm::enumerate(lastProducts()))
    mapping.map(loop.getRegionIterArg(product.sum), isFirst ? steps.getCarried(product.sum) : last[number]);
  clone(ChainPhase::late, isMasked, mapping);
  steps.carry(mapping);
  for (auto [product, variable] : llvm::zip_equal(lastProducts(), lefts)) {
    set(variable, steps.leftOf(product, isMasked, mapping));
    steps.setCarried(product.sum, mapping.lookupOrDefault(tile::DotOp(product.dot).getAcc()));
  }
}

/// The first step, in two copies if it may need masks.
void ChainSpecializer::buildFirst(const StepGuards::Range &full) {
  Value zero = roles.constant(0), isFull;
  auto require = [&](arith::CmpIPredicate predicate, Value limit) {
    Value holds = builder.create<arith::CmpIOp>(loc, predicate, limit, zero);
    isFull = isFull ? builder.create<arith::AndIOp>(loc, isFull, holds).getResult() : holds;
  };
  if (full.begin)
    require(arith::CmpIPredicate::sle, full.begin);
  if (full.end)
    require(arith::CmpIPredicate::sgt, full.end);
  if (!isFull)
    return buildStep(zero, /*isMasked=*/false, /*isFirst=*/true);
  auto choice = builder.create<scf::IfOp>(loc, isFull, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(choice.thenBlock()->getTerminator());
  buildStep(zero, /*isMasked=*/false, /*isFirst=*/true);
  builder.setInsertionPoint(choice.elseBlock()->getTerminator());
  buildStep(zero, /*isMasked=*/true, /*isFirst=*/true);
}

void ChainSpecializer::buildSteps() {
  for (const Product &product : lastProducts())
    lefts.push_back(makeVariable(tile::DotOp(product.dot).getA().getType()));
  StepGuards::Range full = steps.rangeWithoutMasks();
  buildFirst(full);
  steps.buildLoops(full, roles.constant(1), numSteps,
                   [&](Value step, bool isMasked) { buildStep(step, isMasked, /*isFirst=*/false); });
  SmallVector<Value> last = wait(0, beginLast());
  release(lastProducts());
  for (auto [product, sum] : llvm::zip_equal(lastProducts(), last))
    steps.setCarried(product.sum, sum);
}

void ChainSpecializer::buildProducer(Block *block) {
  builder.setInsertionPointToStart(block);
  builder.create<tile::SetMaxRegistersOp>(loc, resources.registersToCopy, /*increase=*/false);
  auto work = builder.create<scf::ForOp>(loc, mainloop.work.getLowerBound(), mainloop.work.getUpperBound(),
                                         mainloop.work.getStep());
  builder.setInsertionPoint(work.getBody()->getTerminator());
  windows.begin(work.getInductionVar(), roles.member, roles.firstMember());
  auto copies = builder.create<scf::ForOp>(loc, roles.constant(0), windows.copyOf(numSteps), roles.constant(1));
  builder.setInsertionPoint(copies.getBody()->getTerminator());
  for (auto [ring, factor] : llvm::zip_equal(rings, mainloop.factors)) {
    if (factor.isFixed)
      continue;
    RingAccess access(builder, loc, ring);
    Value stage = access.stage();
    access.waitEmpty(stage);
    access.copyIn(0, windows.of(factor, copies.getInductionVar()), stage);
    access.advance();
  }
  unwrapWork(work);
}

/// Where a store's elements have room in shared memory: in the place of a left factor that is no longer needed.
Value ChainSpecializer::placeFor(const PanelStore &panel) {
  auto type = cast<RankedTensorType>(tile::StoreOp(panel.store).getValue().getType());
  auto *place = llvm::find_if(fixed, [&](Value buffer) {
    auto shared = cast<tile::RefType>(buffer.getType());
    return shared.getElementType() == type.getElementType() && shared.getDims().drop_front() == type.getShape();
  });
  bool isFree = place != fixed.end() && kernel.getArgAttr(panel.array.getArgNumber(), canBeCopied);
  return isFree ? *place : Value();
}

/// Stores by TMA, where that can be, and else by threads. All is made panel by panel, which takes few registers.
void ChainSpecializer::storeResults(ArrayRef<PanelStore> panels, ValueRange results) {
  auto cut = [&](Block *block) {
    EpiloguePanels(builder, results).cutStores(block, /*dim=*/1, [](RankedTensorType) { return columnsOfPanel; });
  };
  bool isPlaced = false;
  for (const PanelStore &panel : panels) {
    Value place = isPlaced ? Value() : placeFor(panel);
    if (!place)
      continue;
    isPlaced = true;
    tile::StoreOp store = panel.store;
    Location at = store.getLoc();
    builder.setInsertionPoint(store);
    if (Value condition = isCopied(builder, kernel, panel)) {
      auto choice = builder.create<scf::IfOp>(at, condition, /*withElseRegion=*/true);
      builder.setInsertionPoint(choice.elseBlock()->getTerminator());
      builder.clone(*store);
      cut(choice.elseBlock());
      store->moveBefore(choice.thenBlock()->getTerminator());
    }
    EpiloguePanels parts(builder, results);
    builder.setInsertionPoint(store);
    Value buffer = mine(place);
    SmallVector<tile::Parts> all = parts.cut(store.getValue().getType(), /*dim=*/1, columnsOfPanel);
    bool isCut = parts.canCut(store, /*dim=*/1);
    for (size_t i = 0; i < all.size() && isCut; ++i) {
      Value part = parts.make(store, all, i).value;
      builder.create<tile::StoreOp>(at, part, tile::makeWindow(builder, at, buffer, all[i]));
    }
    if (!isCut)
      builder.create<tile::StoreOp>(at, store.getValue(), buffer);
    builder.create<tile::FenceSharedOp>(at);
    builder.create<tile::CopyToGlobalOp>(at, buffer, store.getRef(), Value(), /*commit=*/true);
    store.erase();
  }
  cut(mainloop.work.getBody());
}

void ChainSpecializer::buildConsumers(Block *block) {
  builder.setInsertionPointToStart(block);
  builder.create<tile::SetMaxRegistersOp>(loc, resources.registersToCompute, /*increase=*/true);
  SmallVector<PanelStore> panels = findPanelStores(mainloop);
  mainloop.work->moveBefore(block->getTerminator());
  builder.setInsertionPoint(loop);
  fillFixed();
  steps.makeCarried();
  Value runs = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::sgt, numSteps, roles.constant(0));
  auto branch = builder.create<scf::IfOp>(loc, runs, /*withElseRegion=*/false);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  buildSteps();
  builder.setInsertionPoint(loop);
  SmallVector<Value> results = steps.replaceResults();
  storeResults(panels, results);
  builder.setInsertionPoint(block->getTerminator());
  if (!panels.empty())
    builder.create<tile::WaitGroupOp>(loc, 0, /*read=*/false);
  loop.erase();
  unwrapWork(mainloop.work);
}

void ChainSpecializer::run() {
  roles.replacePosition();
  builder.setInsertionPoint(loop);
  numSteps = makeNumSteps(builder, loop);
  ops = findPhases(steps, loop);
  makeFixed();
  makeRings();
  builder.setInsertionPoint(mainloop.work);
  scf::IfOp branch = roles.makeRoles();
  buildProducer(branch.thenBlock());
  buildConsumers(branch.elseBlock());
  roles.finish();
}
} // namespace

void specializeChain(tile::KernelOp kernel, const Mainloop &mainloop, const RoleResources &resources) {
  ChainSpecializer(kernel, mainloop, resources).run();
}

} // namespace tegula
