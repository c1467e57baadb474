// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products on Hopper's tensor cores: the program that one would write at the explicit level. A kernel for the consumers
// of a CTA gets a warpgroup more, the producer. It copies, by TMA and ahead of the others, what they multiply into a
// ring of buffers; they keep the sums in registers, and do the rest of the program as it stands.
#include "ir/Expressions.h"
#include "ir/Parts.h"
#include "ir/ProductOptions.h"
#include "pipelines/PipelineBuilder.h"
#include "support/Target.h"
#include "transforms/Alignment.h"
#include "transforms/Passes.h"
#include "transforms/products/EpiloguePanels.h"
#include "transforms/products/FactorBuilder.h"
#include "transforms/products/Multistage.h"
#include "transforms/products/PanelStores.h"

#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILESPECIALIZEPRODUCTS
#include "transforms/Passes.h.inc"

namespace {

/// What the producer needs to find addresses; setmaxnreg takes the others from it.
constexpr int64_t registersToCopy = 40;
constexpr int64_t buffersOut = PanelStore::buffers;

class Specializer {
public:
  Specializer(tile::KernelOp kernel, const Mainloop &mainloop, int64_t sharedBytes)
      : kernel(kernel), mainloop(mainloop), loop(mainloop.loop), builder(kernel.getContext()), loc(loop.getLoc()),
        consumers(*kernel.getConsumers()), sharedBytes(sharedBytes), factors(builder, this->mainloop) {}

  void run();

private:
  void replacePosition();
  void makeGrid();
  void makeRing();
  void buildProducer(PipelineBody &body);
  void buildConsumers(PipelineBody &body, Block *block);
  void findStores();
  void makeStaging();
  Value bufferOf(const PanelStore &panel, int64_t index);
  void storePanels(const PanelStore &panel, EpiloguePanels &epilogue);
  Value isCopied(const PanelStore &panel);
  Value copyOf(Value value, IRMapping &known);
  void hoist(ArrayRef<Value> integers);
  SmallVector<int64_t> extentsOf(const Factor &factor);
  Value windowOf(const Factor &factor, Value step);
  Value transposed(Value block);
  Value partOf(Value block);
  Value numberOf(Value step);
  void makeStaged();
  Value placeOf(const StagedFactor &factor, Value buffers);
  void forEachPiece(const StagedFactor &factor, llvm::function_ref<void(tile::DotOp, Value, int64_t)> inside);
  SmallVector<Value> stageFactors();
  void multiply(Value step, ArrayRef<Value> blocks);
  void combine(Value step, ArrayRef<Value> products);
  void wait(int64_t pending);
  /// How long a stage stays after its products have begun: while the next ones are issued, unless registers that they
  /// read are computed anew, or they are waited for in each step.
  int64_t delay() {
    bool computesInRegisters = llvm::any_of(mainloop.products, [&](const Product &of) {
      return of.isComputed(/*isLeft=*/true) && !mainloop.findStaged(tile::DotOp(of.dot).getA());
    });
    return computesInRegisters || mainloop.combines ? 0 : 1;
  }
  Value constant(int64_t value) { return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value)); }

  tile::KernelOp kernel;
  Mainloop mainloop;
  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  int64_t consumers, sharedBytes;
  Position position;
  PipelineGrid grid; ///< of the consumers
  IRMapping here;    ///< what is of a sub-tile, in the producer
  Ring ring;
  FactorBuilder factors;
  SmallVector<Value> staged;                                     ///< shared memory of staged factors
  bool areTogether = false;                                      ///< several consumers make a factor
  Value computed;                                                ///< barriers: they have
  llvm::SmallDenseMap<int64_t, SmallVector<Value>> firstColumns; ///< of pieces of so many
  SmallVector<Value> sums;                                       ///< variables
  SmallVector<PanelStore> stores;
  bool areEven = true; ///< each store is of a multiple of the buffers
  Value staging;       ///< shared memory that TMA stores from: [consumers, buffers, rows, bytes of a row]
};

void Specializer::replacePosition() {
  position = positionIn(kernel);
  builder.setInsertionPointToStart(&kernel.getBody().front());
  Value block = builder.create<tile::ClusterIdOp>(loc), member = builder.create<tile::ThreadIndexOp>(loc);
  position.block.replaceAllUsesWith(block);
  if (position.member)
    position.member.replaceAllUsesWith(member);
  position.member = member;
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

/// What a step reads, of all consumers, in the array's dimensions.
SmallVector<int64_t> Specializer::extentsOf(const Factor &factor) {
  SmallVector<int64_t> extents = factor.extents;
  if (factor.isLeft)
    extents[factor.side] *= consumers;
  return extents;
}

/// The left factors' rows of all consumers, and the right factors' columns, which they share: as many stages as fit.
void Specializer::makeRing() {
  for (const Factor &factor : mainloop.factors) {
    RingOperand operand;
    operand.element = cast<tile::RefType>(factor.array.getType()).getElementType();
    for (int64_t extent : extentsOf(factor))
      if (extent)
        operand.block.push_back(extent);
    // What is multiplied of rows and columns outside the arrays is not stored.
    if (factor.side + 1 != factor.extents.size())
      operand.unfilled = 0;
    ring.operands.push_back(std::move(operand));
  }
  // More stages than hide the latency of a copy are of no use.
  constexpr int64_t mostStages = 8;
  int64_t room = sharedBytes - sharedForBarriers;
  if (kernel.walk([](tile::ReduceOp) { return WalkResult::interrupt(); }).wasInterrupted())
    room -= sharedForReductions;
  if (staging)
    room -= cast<tile::RefType>(staging.getType()).getSizeInBytes();
  auto chosen = kernel->getAttrOfType<IntegerAttr>(stagesOfRing);
  ring.depth =
      chosen ? chosen.getInt() : std::clamp<int64_t>(room / bytesOfStage(mainloop, consumers), delay() + 1, mostStages);
  builder.setInsertionPoint(mainloop.work);
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

/// An integer as the producer computes it.
Value Specializer::copyOf(Value value, IRMapping &known) {
  return cloneExpression(builder, value, known, [&](Value each) -> std::optional<Value> {
    if (Value there = known.lookupOrNull(each))
      return there;
    Operation *op = each.getDefiningOp();
    if (!op || !mainloop.work->isProperAncestor(op)) // What both roles see.
      return each;
    return std::nullopt;
  });
}

/// The window of an array that a step reads, for all consumers.
Value Specializer::windowOf(const Factor &factor, Value step) {
  IRMapping clones = here;
  Value index = builder.createOrFold<arith::MulIOp>(loc, step, copyOf(loop.getStep(), clones));
  clones.map(loop.getInductionVar(),
             builder.createOrFold<arith::AddIOp>(loc, index, copyOf(loop.getLowerBound(), clones)));
  SmallVector<Value> offsets;
  SmallVector<int32_t> modes;
  SmallVector<int64_t> dims;
  for (auto [sum, extent] : llvm::zip_equal(factor.offsets, extentsOf(factor))) {
    Value offset;
    for (Value value : sum) {
      Value part = copyOf(value, clones);
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

/// A block with its dimensions in the other order.
Value Specializer::transposed(Value block) {
  auto type = cast<tile::RefType>(block.getType());
  int64_t dims[] = {type.getDims()[1], type.getDims()[0]};
  return builder.create<tile::TransposeOp>(loc, tile::RefType::inShared(type.getElementType(), dims, type.getSwizzle()),
                                           block, ArrayRef<int64_t>{1, 0});
}

/// This consumer's rows of a block that has those of all.
Value Specializer::partOf(Value block) {
  auto type = cast<tile::RefType>(block.getType());
  if (consumers == 1)
    return block;
  int64_t rows = type.getDims().front() / consumers;
  int32_t modes[] = {static_cast<int32_t>(tile::SliceMode::Window), static_cast<int32_t>(tile::SliceMode::Whole)};
  Value first = builder.create<arith::MulIOp>(loc, position.member, constant(rows));
  return builder.create<tile::SliceOp>(
      loc, tile::RefType::inShared(type.getElementType(), {rows, type.getDims().back()}, type.getSwizzle()), block,
      first, ValueRange(), modes, /*spec=*/false);
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
  Value index = builder.createOrFold<arith::MulIOp>(loc, step, loop.getStep());
  return builder.createOrFold<arith::AddIOp>(loc, index, loop.getLowerBound());
}

/// Allocates the shared memory of staged factors. A stage has a place for each, which is free when the stage
/// is.
void Specializer::makeStaged() {
  builder.setInsertionPoint(mainloop.work);
  for (const StagedFactor &factor : mainloop.staged) {
    auto type = cast<RankedTensorType>(factor.tile.getType());
    int64_t dims[] = {ring.depth, type.getDimSize(0), type.getDimSize(1)};
    if (factor.isLeft)
      dims[1] *= consumers;
    if (factor.isTransposed)
      std::swap(dims[1], dims[2]);
    staged.push_back(
        builder.create<tile::AllocOp>(loc, tile::RefType::inShared(type.getElementType(), dims), IntegerAttr(), false));
    areTogether |= !factor.isLeft && consumers > 1;
  }
  if (areTogether) {
    Location named = NameLoc::get(builder.getStringAttr("computed"), loc);
    computed = builder.create<tile::AllocBarriersOp>(named, tile::BarriersType::get(builder.getContext(), ring.depth),
                                                     consumers, DenseI64ArrayAttr(), IntegerAttr(), false, false);
  }
}

/// A step's place of a staged factor, as products take it.
Value Specializer::placeOf(const StagedFactor &factor, Value buffers) {
  auto type = cast<tile::RefType>(buffers.getType());
  const int32_t modes[] = {static_cast<int32_t>(tile::SliceMode::Element), static_cast<int32_t>(tile::SliceMode::Whole),
                           static_cast<int32_t>(tile::SliceMode::Whole)};
  Value stage = builder.create<tile::GetOp>(loc, ring.stage);
  auto placeType = tile::RefType::inShared(type.getElementType(), type.getDims().drop_front());
  Value place = builder.create<tile::SliceOp>(loc, placeType, buffers, stage, ValueRange(), modes, /*spec=*/false);
  if (factor.isTransposed)
    place = transposed(place);
  return factor.isLeft ? partOf(place) : place;
}

/// The columns of a right factor that a consumer makes at a time: with them it fills few registers.
static int64_t columnsOfPiece(const StagedFactor &factor, int64_t consumers) {
  constexpr int64_t most = 64;
  return std::gcd(cast<RankedTensorType>(factor.tile.getType()).getDimSize(1) / consumers, most);
}

void Specializer::forEachPiece(const StagedFactor &factor,
                               llvm::function_ref<void(tile::DotOp, Value, int64_t)> inside) {
  const Product *product = llvm::find_if(mainloop.products, [&](const Product &each) {
    return (factor.isLeft ? tile::DotOp(each.dot).getA() : tile::DotOp(each.dot).getB()) == factor.tile;
  });
  if (factor.isLeft)
    return inside(product->dot, Value(), 0);
  int64_t columns = columnsOfPiece(factor, consumers);
  SmallVector<Value> &first = firstColumns[columns];
  int64_t mine = cast<RankedTensorType>(factor.tile.getType()).getDimSize(1) / consumers;
  for (int64_t i = 0; i < mine / columns; ++i) {
    if (first.size() == static_cast<size_t>(i)) {
      Value start = builder.createOrFold<arith::MulIOp>(loc, position.member, constant(mine));
      first.push_back(consumers == 1 ? constant(i * columns)
                                     : builder.createOrFold<arith::AddIOp>(loc, start, constant(i * columns)));
    }
    inside(product->dot, first[i], columns);
  }
}

/// Computes the staged factors, and has tensor cores see them.
SmallVector<Value> Specializer::stageFactors() {
  SmallVector<Value> places;
  for (auto [factor, buffers] : llvm::zip_equal(mainloop.staged, staged)) {
    Value place = placeOf(factor, buffers);
    places.push_back(place);
    forEachPiece(factor, [&, &factor = factor](tile::DotOp dot, Value first, int64_t columns) {
      if (factor.isLeft) {
        builder.create<tile::StoreOp>(dot.getLoc(), factors.make(dot, /*isLeft=*/true), place);
        return;
      }
      Value made = factors.makeColumns(dot, first, columns);
      tile::Parts parts = {{{}, dot.getB().getType().getDimSize(0)}, {first, columns}};
      builder.create<tile::StoreOp>(dot.getLoc(), made, tile::makeWindow(builder, dot.getLoc(), place, parts));
    });
  }
  if (staged.empty())
    return places;
  builder.create<tile::FenceSharedOp>(loc);
  if (areTogether) {
    Value stage = builder.create<tile::GetOp>(loc, ring.stage), parity = builder.create<tile::GetOp>(loc, ring.parity);
    builder.create<tile::BarrierArriveOp>(loc, computed, stage);
    builder.create<tile::BarrierWaitOp>(loc, computed, stage, parity);
  }
  return places;
}

void Specializer::multiply(Value step, ArrayRef<Value> blocks) {
  SmallVector<Value> ordered;
  for (auto [factor, block] : llvm::zip_equal(mainloop.factors, blocks)) {
    Value inOrder = factor.isTransposed ? transposed(block) : block;
    ordered.push_back(factor.isLeft ? partOf(inOrder) : inOrder);
  }
  factors.begin(numberOf(step), [&](unsigned factor, Value tile, const tile::Parts &parts) -> Value {
    Value window = tile::makeWindow(builder, tile.getLoc(), ordered[factor], parts);
    return builder.create<tile::LoadOp>(tile.getLoc(), cast<tile::RefType>(window.getType()).getTileType(), window);
  });
  SmallVector<Value> places = stageFactors();
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
  wait(delay() * static_cast<int64_t>(mainloop.products.size()));
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

void Specializer::findStores() {
  for (PanelStore &panel : findPanelStores(mainloop))
    if (kernel.getArgAttr(panel.array.getArgNumber(), canBeCopied)) {
      areEven &= panel.panels % buffersOut == 0;
      stores.push_back(std::move(panel));
    }
}

void Specializer::makeStaging() {
  if (stores.empty())
    return;
  builder.setInsertionPoint(mainloop.work);
  const PanelStore &first = stores.front();
  Type element = cast<tile::RefType>(first.array.getType()).getElementType();
  int64_t dims[] = {consumers, buffersOut, first.rows, first.columns};
  staging = builder.create<tile::AllocOp>(loc, tile::RefType::inShared(element, dims), IntegerAttr(), false);
}

/// Whether a store is one for TMA; null if it always is.
Value Specializer::isCopied(const PanelStore &panel) {
  tile::StoreOp store = panel.store;
  Value condition;
  auto require = [&](Value next) {
    condition = condition ? builder.create<arith::AndIOp>(store.getLoc(), condition, next).getResult() : next;
  };
  for (BlockArgument argument : kernel.getArguments())
    if (kernel.getArgAttr(argument.getArgNumber(), areCopied))
      require(argument);
  auto refType = cast<tile::RefType>(store.getRef().getType());
  for (int64_t dim = 0; dim < 2 && !panel.isCutByArray; ++dim)
    if (!refType.isExact(dim)) {
      Value extent = builder.create<tile::DimOp>(store.getLoc(), store.getRef(), dim);
      Value most = constant(cast<RankedTensorType>(store.getValue().getType()).getDimSize(dim));
      require(builder.create<arith::CmpIOp>(store.getLoc(), arith::CmpIPredicate::eq, extent, most));
    }
  return condition;
}

/// The shared memory of a panel of this consumer.
Value Specializer::bufferOf(const PanelStore &panel, int64_t index) {
  Location at = tile::StoreOp(panel.store).getLoc();
  auto mode = [](tile::SliceMode each) { return static_cast<int32_t>(each); };
  const int32_t modes[] = {mode(tile::SliceMode::Element), mode(tile::SliceMode::Element), mode(tile::SliceMode::Whole),
                           mode(tile::SliceMode::Whole)};
  auto type = cast<tile::RefType>(staging.getType());
  auto bufferType = tile::RefType::inShared(type.getElementType(), type.getDims().drop_front(2));
  Value offsets[] = {position.member, constant(index % buffersOut)};
  return builder.create<tile::SliceOp>(at, bufferType, staging, offsets, ValueRange(), modes, /*spec=*/false);
}

/// A panel goes to shared memory, as soon as the one before the last has left it, and from there to the array. It is
/// computed by halves: where threads wait, the computations of one end.
void Specializer::storePanels(const PanelStore &panel, EpiloguePanels &epilogue) {
  constexpr int64_t columnsAtATime = 32;
  tile::StoreOp store = panel.store;
  Location at = store.getLoc();
  RankedTensorType type = store.getValue().getType();
  bool isCut = type.getDimSize(1) > columnsOfPanel && epilogue.canCut(store, /*dim=*/1);
  builder.setInsertionPoint(store);
  Value condition = isCopied(panel);
  int64_t columns = isCut ? std::min(panel.columns, columnsAtATime) : panel.columns;
  int64_t perPanel = panel.columns / columns;
  SmallVector<tile::Parts> panels = epilogue.cut(type, /*dim=*/1, panel.columns),
                           inPanel =
                               epilogue.cut(tile::partType(type.getElementType(), panels.front()), /*dim=*/1, columns);
  SmallVector<tile::Parts> parts = perPanel == 1 ? panels : epilogue.cut(type, /*dim=*/1, columns);
  for (int64_t i = 0; i < static_cast<int64_t>(parts.size()); ++i) {
    OpBuilder::InsertionGuard guard(builder);
    Value part = isCut ? epilogue.make(store, parts, i).value : epilogue.subtile(store.getValue(), parts[i]);
    if (condition) {
      auto choice = builder.create<scf::IfOp>(at, condition, /*withElseRegion=*/true);
      builder.setInsertionPoint(choice.elseBlock()->getTerminator());
      builder.create<tile::StoreOp>(at, part, tile::makeWindow(builder, at, store.getRef(), parts[i]));
      builder.setInsertionPoint(choice.thenBlock()->getTerminator());
    }
    // Where a store is of an odd number of panels, the next one may begin with the buffer that was the last.
    bool isReusedAtOnce = i == 0 && !areEven;
    if (i % perPanel == 0)
      builder.create<tile::WaitGroupOp>(at, isReusedAtOnce ? 0 : buffersOut - 1, /*read=*/true);
    Value buffer = bufferOf(panel, i / perPanel);
    builder.create<tile::StoreOp>(at, part, tile::makeWindow(builder, at, buffer, inPanel[i % perPanel]));
    if ((i + 1) % perPanel != 0)
      continue;
    builder.create<tile::FenceSharedOp>(at);
    Value window = tile::makeWindow(builder, at, store.getRef(), panels[i / perPanel]);
    builder.create<tile::CopyToGlobalOp>(at, buffer, window, Value(), /*commit=*/true);
  }
  store.erase();
}

/// Has the producer compute once what is the same in all steps of a sub-tile.
void Specializer::hoist(ArrayRef<Value> integers) {
  SetVector<Value> all(integers.begin(), integers.end());
  for (size_t i = 0; i < all.size(); ++i) {
    Operation *op = all[i].getDefiningOp();
    if (!op)
      continue;
    if (loop->isProperAncestor(op))
      all.insert(op->operand_begin(), op->operand_end());
    else
      here.map(all[i], copyOf(all[i], here));
  }
}

/// What the producer does for a sub-tile: the loop over sub-tiles with nothing in it but its copies.
void Specializer::buildProducer(PipelineBody &body) {
  builder.create<tile::SetMaxRegistersOp>(loc, registersToCopy, /*increase=*/false);
  auto work = builder.create<scf::ForOp>(loc, mainloop.work.getLowerBound(), mainloop.work.getUpperBound(),
                                         mainloop.work.getStep());
  builder.setInsertionPoint(work.getBody()->getTerminator());
  here.map(mainloop.work.getInductionVar(), work.getInductionVar());
  here.map(position.member, constant(0)); // From the first consumer's rows on.
  for (const Factor &factor : mainloop.factors)
    for (ArrayRef<Value> sum : factor.offsets)
      hoist(sum);
  PipelineGrid steps = grid;
  steps.numSteps = copyOf(grid.numSteps, here);
  steps.sizes = {steps.numSteps};
  PipelineBuilder(builder, loc, ring, steps, delay(), SmallVector<int64_t>(mainloop.factors.size(), -1), body)
      .buildProducer();
}

/// The program as it stands, but for what it multiplies.
void Specializer::buildConsumers(PipelineBody &body, Block *block) {
  builder.create<tile::SetMaxRegistersOp>(loc, registersToCompute(consumers, registersToCopy), /*increase=*/true);
  mainloop.work->moveBefore(block->getTerminator());
  builder.setInsertionPoint(loop);
  for (Value init : loop.getInitArgs()) {
    sums.push_back(
        builder.create<tile::VariableOp>(loc, tile::VariableType::get(builder.getContext(), init.getType())));
    builder.create<tile::SetOp>(loc, init, sums.back());
  }
  for (const StagedFactor &factor : mainloop.staged)
    forEachPiece(factor, [&](tile::DotOp dot, Value first, int64_t columns) {
      if (!factor.isLeft)
        factors.hoistColumns(dot, first, columns);
    });
  PipelineBuilder(builder, loc, ring, grid, delay(), SmallVector<int64_t>(mainloop.factors.size(), -1), body)
      .buildConsumer();
  SmallVector<Value> results;
  for (auto [result, sum] : llvm::zip_equal(loop.getResults(), sums)) {
    results.push_back(builder.create<tile::GetOp>(loc, sum));
    result.replaceAllUsesWith(results.back());
  }
  EpiloguePanels epilogue(builder, results);
  for (const PanelStore &panel : stores)
    storePanels(panel, epilogue);
  epilogue.cutStores(mainloop.work.getBody(), /*dim=*/1, [](RankedTensorType) { return columnsOfPanel; });
  if (!stores.empty()) {
    builder.setInsertionPoint(block->getTerminator());
    builder.create<tile::WaitGroupOp>(loc, 0, /*read=*/false);
  }
}

void Specializer::run() {
  replacePosition();
  makeGrid();
  findStores();
  makeStaging();
  makeRing();
  makeStaged();
  Value isProducer = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, position.member, constant(consumers));
  auto roles = builder.create<scf::IfOp>(loc, isProducer, /*withElseRegion=*/true);

  auto window = [&](unsigned operand, ArrayRef<Value> point) {
    return windowOf(mainloop.factors[operand], point.front());
  };
  auto multiplyStep = [&](ArrayRef<Value> point, ArrayRef<Value> blocks) { multiply(point.front(), blocks); };
  auto drain = [&] {
    if (!mainloop.combines)
      wait(0);
  };
  auto refuseStaying = [](unsigned, size_t, bool) {};
  PipelineBody body{window, multiplyStep, drain, refuseStaying};

  builder.setInsertionPointToStart(roles.thenBlock());
  buildProducer(body);
  builder.setInsertionPointToStart(roles.elseBlock());
  buildConsumers(body, roles.elseBlock());
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
      if (kernel.getMmaSync())
        makeMultistage(kernel, *mainloop, sharedBytesForMmaSync());
      else
        Specializer(kernel, *mainloop, target->archClass->sharedBytes).run();
      propagateAlignment(kernel); // To the windows of panels.
    }
  }
};
} // namespace
} // namespace tegula
