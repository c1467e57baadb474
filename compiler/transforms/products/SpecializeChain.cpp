// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/SpecializeChain.h"

#include "ir/Parts.h"
#include "ir/ProductOptions.h"
#include "pipelines/RingAccess.h"
#include "support/Registers.h"
#include "transforms/MaskExtents.h"
#include "transforms/products/EpiloguePanels.h"
#include "transforms/products/PanelWriter.h"
#include "transforms/products/ProducerWindows.h"
#include "transforms/products/RoleKernel.h"
#include "transforms/products/SharedMatrices.h"
#include "transforms/products/StepGuards.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula {
namespace {

class ChainSpecializer {
public:
  ChainSpecializer(tile::KernelOp kernel, const Mainloop &mainloop, int64_t sharedBytes)
      : kernel(kernel), mainloop(mainloop), loop(mainloop.loop), builder(kernel.getContext()), loc(loop.getLoc()),
        roles(builder, kernel, this->mainloop), windows(builder, this->mainloop, roles.consumers), guards(loop),
        sharedBytes(sharedBytes) {}

  void run();

private:
  /// When an op of a step is computed: while the first products are in flight, of what they make, or when the other
  /// ones have been waited for, too.
  enum class Phase { early, middle, late };

  ArrayRef<Product> firstProducts() { return ArrayRef(mainloop.products).take_front(mainloop.numFirst); }
  ArrayRef<Product> lastProducts() { return ArrayRef(mainloop.products).drop_front(mainloop.numFirst); }
  int64_t registersToCopy() const { return roles.consumers > 2 ? 32 : 24; }
  Value get(Value variable) { return builder.create<tile::GetOp>(loc, variable); }
  void set(Value variable, Value value) { builder.create<tile::SetOp>(loc, value, variable); }
  Value makeVariable(Type type) {
    return builder.create<tile::VariableOp>(loc, tile::VariableType::get(builder.getContext(), type));
  }
  Value mine(Value buffer);
  void makeRings();
  void makeFixed();
  void fillFixed();
  void findPhases();
  void buildProducer(Block *block);
  void buildConsumers(Block *block);
  void buildSteps();
  void buildFirst(const StepGuards::Range &full);
  void buildLoop(Value from, Value to, bool isMasked);
  void buildStep(Value step, bool isMasked, bool isFirst);
  SmallVector<Value> beginFirst();
  SmallVector<Value> beginLast();
  SmallVector<Value> wait(int64_t pending, ValueRange products);
  void release(ArrayRef<Product> products);
  void clone(Phase phase, bool isMasked, IRMapping &mapping);
  static bool isZeroBeyond(Value tile, Value extent);
  void mask(tile::ReduceOp reduce, IRMapping &mapping);
  Value rightOf(const Product &product);
  Value placeFor(const PanelStore &panel);
  void storeResults(ArrayRef<PanelStore> panels, ValueRange results);
  static void unwrap(scf::ForOp work);

  tile::KernelOp kernel;
  Mainloop mainloop;
  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  RoleKernel roles;
  ProducerWindows windows;
  StepGuards guards;
  int64_t sharedBytes;
  Value numSteps;
  SmallVector<Ring, 2> rings;    ///< one for each factor; those of fixed ones are empty
  SmallVector<Value> fixed;      ///< shared memory, for each first product: [consumers, rows, depth]
  Value fixedReady, fixedParity; ///< a barrier for each consumer
  SmallVector<Value> carried;    ///< variables of what the loop carries
  SmallVector<Value> lefts;      ///< variables of the left factors of the last products
  SmallVector<std::pair<Operation *, Phase>> ops;
};

Value ChainSpecializer::mine(Value buffer) {
  auto type = cast<tile::RefType>(buffer.getType());
  constexpr auto whole = static_cast<int32_t>(tile::SliceMode::Whole);
  const int32_t modes[] = {static_cast<int32_t>(tile::SliceMode::Element), whole, whole};
  auto part = tile::RefType::inShared(type.getElementType(), type.getDims().drop_front(), type.getSwizzle());
  return builder.create<tile::SliceOp>(loc, part, buffer, roles.warpgroup, ValueRange(), modes, /*spec=*/false);
}

/// A ring for each factor that changes, of as many stages as fit.
void ChainSpecializer::makeRings() {
  // More stages than hide the latency of a copy are of no use.
  constexpr int64_t mostStages = 4;
  auto chosen = kernel->getAttrOfType<IntegerAttr>(stagesOfRing);
  int64_t depth = chosen ? chosen.getInt()
                         : std::clamp<int64_t>(roomForChain(mainloop, roles.consumers, sharedBytes) /
                                                   bytesOfStage(mainloop, roles.consumers),
                                               leastStagesOfChain, mostStages);
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
    ring.depth = depth;
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

/// What is computed element by element once rows have been reduced, the left factors of the last products among it, is
/// late: the registers of those factors are read until the products of the step before are complete.
void ChainSpecializer::findPhases() {
  llvm::SmallDenseSet<Value> made, reduced, late;
  for (const Product &product : firstProducts())
    made.insert(tile::DotOp(product.dot).getResult());
  for (const Product &product : lastProducts())
    late.insert(loop.getRegionIterArg(product.sum));
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isa<tile::DotOp>(op) || llvm::any_of(op.getResults(), [&](Value value) {
          return mainloop.tiles.contains(value) ||
                 (isa<tile::LoadOp>(op) && llvm::any_of(value.getUsers(), [&](Operation *user) {
                    return isa<tile::PermuteOp>(user) && mainloop.tiles.contains(user->getResult(0));
                  }));
        }))
      continue;
    auto has = [&](const llvm::SmallDenseSet<Value> &values) {
      return llvm::any_of(op.getOperands(), [&](Value operand) { return values.contains(operand); });
    };
    bool isMade = has(made), isReduced = has(reduced), isLate = has(late);
    auto mark = [&](llvm::SmallDenseSet<Value> &values) { values.insert(op.result_begin(), op.result_end()); };
    if (isMade && isa<tile::ReduceOp>(op))
      mark(reduced);
    if (isReduced)
      mark(reduced);
    isLate |= isReduced && llvm::any_of(op.getResultTypes(), [](Type type) {
                auto tile = dyn_cast<RankedTensorType>(type);
                return tile && tile.getRank() == 2;
              });
    if (isMade)
      mark(made);
    if (isLate)
      mark(late);
    ops.push_back({&op, isLate ? Phase::late : isMade ? Phase::middle : Phase::early});
  }
  // What nothing wants before is computed where it is wanted, next to what it is an operand of.
  llvm::SmallPtrSet<Operation *, 32> areLate;
  for (auto &[op, phase] : llvm::reverse(ops)) {
    // The products of the step before read the registers that left factors have.
    auto isWantedLate = [&](Operation *user) { return areLate.contains(user) || isa<tile::DotOp>(user); };
    if (phase == Phase::middle && llvm::all_of(op->getUsers(), isWantedLate))
      phase = Phase::late;
    if (phase == Phase::late)
      areLate.insert(op);
  }
}

Value ChainSpecializer::rightOf(const Product &product) {
  RingAccess access(builder, loc, rings[product.b]);
  Value stage = access.stage();
  access.waitFull(stage);
  Value block = access.blockAt(0, stage);
  return mainloop.factors[product.b].isTransposed ? transposed(builder, loc, block) : block;
}

SmallVector<Value> ChainSpecializer::beginFirst() {
  SmallVector<Value> begun;
  for (auto [product, buffer] : llvm::zip_equal(firstProducts(), fixed)) {
    Location at = tile::DotOp(product.dot).getLoc();
    Value right = rightOf(product);
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
        builder.create<tile::WgmmaOp>(at, get(carried[product.sum]), get(left), right, /*accumulate=*/Value()));
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

void ChainSpecializer::clone(Phase phase, bool isMasked, IRMapping &mapping) {
  for (auto [op, when] : ops) {
    if (when != phase)
      continue;
    if (Value choice = isMasked ? Value() : guards.unmasked(op)) {
      mapping.map(op->getResult(0), mapping.lookupOrDefault(choice));
      continue;
    }
    auto reduce = dyn_cast<tile::ReduceOp>(op);
    bool isFull = !reduce ||
                  (!isMasked && llvm::all_of(reduce.getExtents(), [&](Value extent) { return guards.isFull(extent); }));
    if (reduce && !isFull)
      mask(reduce, mapping);
    Operation *cloned = builder.clone(*op, mapping);
    if (reduce)
      cast<tile::ReduceOp>(cloned).getExtentsMutable().clear();
  }
}

/// Leaves out of the rows that are reduced what is beyond their end. What else is made of them may be anything there:
/// it is made of what is masked, so that one mask is enough for all.
void ChainSpecializer::mask(tile::ReduceOp reduce, IRMapping &mapping) {
  TypedAttr identity = tile::identityOf(reduce.getKind(), reduce.getType().getElementType());
  for (auto [axis, extent] : llvm::zip(reduce.getAxes(), reduce.getExtents())) {
    Value source = mapping.lookupOrDefault(reduce.getSource()), end = mapping.lookupOrDefault(extent);
    Value masked;
    if (guards.haveMasks()) { // Steps that have others for another reason may well be full.
      Value size = roles.constant(reduce.getSource().getType().getDimSize(axis));
      Value isCut = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, end, size);
      auto choice = builder.create<scf::IfOp>(
          reduce.getLoc(), isCut,
          [&](OpBuilder &inside, Location at) {
            inside.create<scf::YieldOp>(at, maskBeyond(inside, at, source, axis, end, identity));
          },
          [&](OpBuilder &inside, Location at) { inside.create<scf::YieldOp>(at, source); });
      masked = choice.getResult(0);
    } else {
      masked = maskBeyond(builder, reduce.getLoc(), source, axis, end, identity);
    }
    mapping.map(reduce.getSource(), masked);
  }
}

/// Whether a left factor is 0 beyond an extent, where rows that it is made of are summed up to there.
bool ChainSpecializer::isZeroBeyond(Value tile, Value extent) {
  while (auto cast = tile.getDefiningOp<tile::CastOp>())
    tile = cast.getOperand();
  auto source = [](Value each) {
    auto dim = each.getDefiningOp<tile::DimOp>();
    return dim ? std::pair<Value, uint64_t>(dim.getSource(), dim.getAxis()) : std::pair<Value, uint64_t>(each, 0);
  };
  return llvm::any_of(tile.getUsers(), [&](Operation *user) {
    auto reduce = dyn_cast<tile::ReduceOp>(user);
    return reduce && reduce.getKind() == tile::Reduction::Sum && !reduce.getExtents().empty() &&
           source(reduce.getExtents().front()) == source(extent) &&
           llvm::all_of(tile.getUsers(), [&](Operation *other) {
             return other == user || (other->getBlock() == user->getBlock() && user->isBeforeInBlock(other));
           });
  });
}

/// A step as far as its last products, which the next one begins, or what comes behind the loop.
void ChainSpecializer::buildStep(Value step, bool isMasked, bool isFirst) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), makeIndex(builder, loop, step, [](Value value) { return value; }));
  SmallVector<bool> isSum(carried.size(), false);
  for (const Product &product : lastProducts())
    isSum[product.sum] = true;
  for (auto [argument, variable, sum] : llvm::zip_equal(loop.getRegionIterArgs(), carried, isSum))
    if (!sum)
      mapping.map(argument, get(variable));
  SmallVector<Value> first = beginFirst(), last = isFirst ? SmallVector<Value>() : beginLast(), all = first;
  llvm::append_range(all, last);
  clone(Phase::early, isMasked, mapping);
  all = wait(last.size(), all);
  for (auto [product, made] : llvm::zip(firstProducts(), all))
    mapping.map(tile::DotOp(product.dot).getResult(), made);
  release(firstProducts());
  clone(Phase::middle, isMasked, mapping);
  if (!isFirst) {
    last = wait(0, ArrayRef(all).drop_front(first.size()));
    release(lastProducts());
  }
  for (auto [number, product] : llvm::enumerate(lastProducts()))
    mapping.map(loop.getRegionIterArg(product.sum), isFirst ? get(carried[product.sum]) : last[number]);
  clone(Phase::late, isMasked, mapping);
  for (auto [argument, yielded, variable, sum] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues(), carried, isSum))
    if (!sum)
      set(variable, mapping.lookupOrDefault(yielded));
  for (auto [product, variable] : llvm::zip_equal(lastProducts(), lefts)) {
    tile::DotOp dot = product.dot;
    Value left = mapping.lookupOrDefault(dot.getA());
    // TMA fills in zeros there, which infinite factors would make NaN of.
    Value extent = dot.getExtent();
    if (extent && (isMasked || !guards.isFull(extent)) && !isZeroBeyond(dot.getA(), extent))
      left = maskBeyond(builder, dot.getLoc(), left, 1, mapping.lookupOrDefault(extent),
                        builder.getZeroAttr(cast<RankedTensorType>(left.getType()).getElementType()));
    set(variable, left);
    set(carried[product.sum], mapping.lookupOrDefault(dot.getAcc()));
  }
}

void ChainSpecializer::buildLoop(Value from, Value to, bool isMasked) {
  auto steps = builder.create<scf::ForOp>(loc, from, to, roles.constant(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(steps.getBody()->getTerminator());
  buildStep(steps.getInductionVar(), isMasked, /*isFirst=*/false);
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
  StepGuards::Range full = guards.makeRange(builder);
  buildFirst(full);
  auto within = [&](Value step, Value least) -> Value {
    return builder.create<arith::MinSIOp>(loc, builder.create<arith::MaxSIOp>(loc, step, least), numSteps);
  };
  Value at = roles.constant(1);
  if (full.begin) {
    Value begin = within(full.begin, at);
    buildLoop(at, begin, /*isMasked=*/true);
    at = begin;
  }
  Value end = full.end ? within(full.end, at) : numSteps;
  buildLoop(at, end, /*isMasked=*/false);
  if (full.end)
    buildLoop(end, numSteps, /*isMasked=*/true);
  SmallVector<Value> last = wait(0, beginLast());
  release(lastProducts());
  for (auto [product, sum] : llvm::zip_equal(lastProducts(), last))
    set(carried[product.sum], sum);
}

void ChainSpecializer::buildProducer(Block *block) {
  builder.setInsertionPointToStart(block);
  builder.create<tile::SetMaxRegistersOp>(loc, registersToCopy(), /*increase=*/false);
  auto work = builder.create<scf::ForOp>(loc, mainloop.work.getLowerBound(), mainloop.work.getUpperBound(),
                                         mainloop.work.getStep());
  builder.setInsertionPoint(work.getBody()->getTerminator());
  windows.begin(work.getInductionVar(), roles.member, roles.firstMember());
  auto steps = builder.create<scf::ForOp>(loc, roles.constant(0), windows.copyOf(numSteps), roles.constant(1));
  builder.setInsertionPoint(steps.getBody()->getTerminator());
  for (auto [ring, factor] : llvm::zip_equal(rings, mainloop.factors)) {
    if (factor.isFixed)
      continue;
    RingAccess access(builder, loc, ring);
    Value stage = access.stage();
    access.waitEmpty(stage);
    access.copyIn(0, windows.of(factor, steps.getInductionVar()), stage);
    access.advance();
  }
  unwrap(work);
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

/// Every sub-tile has a CTA of its own: no loop over them is left.
void ChainSpecializer::unwrap(scf::ForOp work) {
  work.getInductionVar().replaceAllUsesWith(work.getLowerBound());
  work->getBlock()->getOperations().splice(work->getIterator(), work.getBody()->getOperations(),
                                           work.getBody()->begin(), std::prev(work.getBody()->end()));
  work.erase();
}

void ChainSpecializer::buildConsumers(Block *block) {
  builder.setInsertionPointToStart(block);
  builder.create<tile::SetMaxRegistersOp>(loc, registersToCompute(roles.consumers, registersToCopy()),
                                          /*increase=*/true);
  SmallVector<PanelStore> panels = findPanelStores(mainloop);
  mainloop.work->moveBefore(block->getTerminator());
  builder.setInsertionPoint(loop);
  fillFixed();
  for (Value init : loop.getInitArgs()) {
    carried.push_back(makeVariable(init.getType()));
    set(carried.back(), init);
  }
  Value runs = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::sgt, numSteps, roles.constant(0));
  auto branch = builder.create<scf::IfOp>(loc, runs, /*withElseRegion=*/false);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  buildSteps();
  builder.setInsertionPoint(loop);
  SmallVector<Value> results;
  for (auto [result, variable] : llvm::zip_equal(loop.getResults(), carried)) {
    results.push_back(get(variable));
    result.replaceAllUsesWith(results.back());
  }
  storeResults(panels, results);
  builder.setInsertionPoint(block->getTerminator());
  if (!panels.empty())
    builder.create<tile::WaitGroupOp>(loc, 0, /*read=*/false);
  loop.erase();
  unwrap(mainloop.work);
}

void ChainSpecializer::run() {
  roles.replacePosition();
  builder.setInsertionPoint(loop);
  numSteps = makeNumSteps(builder, loop);
  findPhases();
  makeFixed();
  makeRings();
  builder.setInsertionPoint(mainloop.work);
  scf::IfOp branch = roles.makeRoles();
  buildProducer(branch.thenBlock());
  buildConsumers(branch.elseBlock());
  roles.finish();
}
} // namespace

void specializeChain(tile::KernelOp kernel, const Mainloop &mainloop, int64_t sharedBytes) {
  ChainSpecializer(kernel, mainloop, sharedBytes).run();
}

} // namespace tegula
