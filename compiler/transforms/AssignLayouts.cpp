// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts for the tiles of kernels. Tiles that elementwise ops, masks and control flow tie together form a *group* and
// share one layout. Broadcasts, reductions and permutations lead from one group to another; a group takes the layout
// that follows from the other one's by the op, which then moves no data between threads. Matrix units and products say
// what they have, and a tile whose type has a layout already keeps it. All others take the blocked layout of their
// shape. Where an op would lead to two layouts, a relayout stands between.
#include "ir/TileDialect.h"
#include "transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILEASSIGNLAYOUTS
#include "transforms/Passes.h.inc"

namespace {
using layout::DistributedLayout;

/// The widest access of global memory, in bytes.
constexpr int64_t widestAccess = 16;

RankedTensorType tileOf(Value value) { return dyn_cast<RankedTensorType>(value.getType()); }

class LayoutAssigner {
public:
  explicit LayoutAssigner(tile::KernelOp kernel) : kernel(kernel) {}

  LogicalResult run();

private:
  using Group = void *;

  void collect(Value value);
  void unite(Value a, Value b);
  void uniteCarried(Operation *op);
  void uniteProducts(Operation *op);
  Group groupOf(Value value) { return groups.getLeaderValue(value.getAsOpaquePointer()); }

  void noteAccess(tile::RefType ref, Value tile, ValueRange with);
  FailureOr<DistributedLayout> blocked(RankedTensorType type, Operation *at);
  FailureOr<DistributedLayout> layoutOf(Value value);
  FailureOr<DistributedLayout> neededBy(tile::BroadcastOp broadcast);
  FailureOr<DistributedLayout> madeBy(Operation *op);
  FailureOr<DistributedLayout> choose(Value value, Group group);
  void fix(Value value, const DistributedLayout &layout);
  LogicalResult fixKnown(Value value, const DistributedLayout &layout);
  LogicalResult fixProducts(bool &changed);
  void separate(tile::DotOp dot);
  LogicalResult copySource(tile::BroadcastOp broadcast);
  LogicalResult separateBroadcasts(bool &changed);
  LogicalResult assign();
  void setLayout(Value value, const DistributedLayout &layout);

  tile::KernelOp kernel;
  llvm::EquivalenceClasses<void *> groups;
  SmallVector<Value> tiles;
  /// What the matrix unit has in registers.
  SmallVector<Value> accumulators;
  SmallVector<tile::DotOp> products;
  /// Reductions and permutations, by the group of their results.
  llvm::MapVector<Group, SmallVector<Operation *>> makers;
  llvm::DenseSet<Group> inProgress;
  /// The broadcasts out of a group.
  llvm::MapVector<Group, SmallVector<tile::BroadcastOp>> broadcasts;
  llvm::DenseMap<Group, DistributedLayout *> chosen;
  std::vector<std::unique_ptr<DistributedLayout>> storage;
  /// For tiles of a shape, the elements that the widest provably aligned access moves.
  std::map<std::vector<int64_t>, int64_t> vectors;
};

void LayoutAssigner::collect(Value value) {
  if (!tileOf(value))
    return;
  tiles.push_back(value);
  groups.insert(value.getAsOpaquePointer());
}

void LayoutAssigner::unite(Value a, Value b) {
  if (tileOf(a))
    groups.unionSets(a.getAsOpaquePointer(), b.getAsOpaquePointer());
}

/// What goes into a loop or out of a region is what comes out.
void LayoutAssigner::uniteCarried(Operation *op) {
  auto uniteAll = [&](ValueRange a, ValueRange b) {
    for (auto [left, right] : llvm::zip_equal(a, b))
      unite(left, right);
  };
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
      if (!region->empty())
        uniteAll(branch.getResults(), region->front().getTerminator()->getOperands());
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    uniteAll(loop.getResults(), loop.getInitArgs());
    uniteAll(loop.getResults(), loop.getRegionIterArgs());
    uniteAll(loop.getResults(), loop.getYieldedValues());
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    uniteAll(loop.getInits(), loop.getBeforeArguments());
    uniteAll(loop.getInits(), loop.getYieldedValues());
    uniteAll(loop.getResults(), loop.getConditionOp().getArgs());
    uniteAll(loop.getResults(), loop.getAfterArguments());
  }
}

void LayoutAssigner::uniteProducts(Operation *op) {
  if (auto product = dyn_cast<tile::WgmmaOp>(op)) {
    unite(product.getAccumulator(), product.getResult());
    accumulators.push_back(product.getResult());
    if (tileOf(product.getA())) // Of 16 bits, a left operand lies as an accumulator does.
      accumulators.push_back(product.getA());
  } else if (auto dot = dyn_cast<tile::DotOp>(op)) {
    products.push_back(dot);
    if (dot.getAcc())
      unite(dot.getAcc(), dot.getResult());
  } else if (auto wait = dyn_cast<tile::WgmmaWaitOp>(op)) {
    for (auto [before, after] : llvm::zip(wait.getAccumulators(), wait.getResults()))
      unite(before, after);
  } else if (auto zero = dyn_cast<tile::ZeroIfOp>(op)) {
    unite(zero.getSource(), zero.getResult());
  } else if (auto subtile = dyn_cast<tile::SubtileOp>(op)) {
    // A part of fewer dimensions has no layout in common with the whole.
    if (subtile.getSource().getType().getRank() == subtile.getType().getRank())
      unite(subtile.getSource(), subtile.getResult());
  }
}

/// `with`: its mask, and what stands where that is false.
void LayoutAssigner::noteAccess(tile::RefType ref, Value tile, ValueRange with) {
  for (Value value : with)
    unite(tile, value);
  int64_t bytes = std::max<int64_t>(ref.getElementType().getIntOrFloatBitWidth() / 8, 1);
  int64_t &vector = vectors.try_emplace(tileOf(tile).getShape().vec(), 1).first->second;
  vector = std::max(vector, std::min(ref.getAlignment(), widestAccess) / bytes);
}

/// Neighbouring elements for each thread, as many as one access moves, but not so many that threads get none.
FailureOr<DistributedLayout> LayoutAssigner::blocked(RankedTensorType type, Operation *at) {
  int64_t team = kernel.getTeam(), vector = 1;
  if (auto known = vectors.find(type.getShape().vec()); known != vectors.end())
    vector = known->second;
  while (vector > 1 && team * vector > type.getNumElements())
    vector /= 2;
  while (vector > 1 && type.getShape().back() % vector != 0)
    vector /= 2;
  auto result = DistributedLayout::blocked({type.getShape().data(), type.getShape().size()}, team, vector);
  if (!result)
    return at->emitOpError("has a tile of type ") << type << " that cannot be laid out: " << result.message();
  return *result;
}

/// The layout of a broadcast's source that puts each element where the result needs it.
FailureOr<DistributedLayout> LayoutAssigner::neededBy(tile::BroadcastOp broadcast) {
  FailureOr<DistributedLayout> result = layoutOf(broadcast.getResult());
  if (failed(result))
    return failure();
  DistributedLayout needed = *result;
  for (int64_t dim = broadcast.getType().getRank() - 1; dim >= 0; --dim)
    if (!llvm::is_contained(broadcast.getDims(), dim))
      needed = needed.withoutDim(static_cast<unsigned>(dim));
  return needed;
}

/// The layout of what a reduction or a permutation makes where the elements are.
FailureOr<DistributedLayout> LayoutAssigner::madeBy(Operation *op) {
  FailureOr<DistributedLayout> source = layoutOf(op->getOperand(0));
  if (failed(source))
    return failure();
  if (auto permute = dyn_cast<tile::PermuteOp>(op))
    return source->permuted({permute.getPermutation().data(), permute.getPermutation().size()});
  DistributedLayout made = *source;
  for (int64_t axis : llvm::reverse(cast<tile::ReduceOp>(op).getAxes()))
    made = made.withoutDim(static_cast<unsigned>(axis));
  return made;
}

FailureOr<DistributedLayout> LayoutAssigner::choose(Value value, Group group) {
  // Groups may lead to one another: where the way comes back, it ends.
  bool isNew = inProgress.insert(group).second;
  auto finished = llvm::make_scope_exit([&] {
    if (isNew)
      inProgress.erase(group);
  });
  if (auto made = makers.find(group); isNew && made != makers.end())
    return madeBy(made->second.front());
  if (auto out = broadcasts.find(group); isNew && out != broadcasts.end())
    return neededBy(out->second.front());
  return blocked(tileOf(value), value.getDefiningOp() ? value.getDefiningOp() : kernel.getOperation());
}

void LayoutAssigner::fix(Value value, const DistributedLayout &layout) {
  chosen[groupOf(value)] = storage.emplace_back(std::make_unique<DistributedLayout>(layout)).get();
}

/// Gives a group the layout that a value's type or a matrix unit demands.
LogicalResult LayoutAssigner::fixKnown(Value value, const DistributedLayout &layout) {
  DistributedLayout *known = chosen.lookup(groupOf(value));
  if (!known)
    fix(value, layout);
  else if (*known != layout)
    return emitError(value.getLoc()) << "this tile has the layout " << layout.str()
                                     << ", and what it is computed of or goes into " << known->str()
                                     << ": put a tile.relayout between them";
  return success();
}

/// Gives a product a group of its own, which only relayouts lead to.
void LayoutAssigner::separate(tile::DotOp dot) {
  OpBuilder builder(dot);
  RankedTensorType type = dot.getType();
  if (Value acc = dot.getAcc())
    dot.getAccMutable().assign(builder.create<tile::RelayoutOp>(dot.getLoc(), type, acc));
  builder.setInsertionPointAfter(dot);
  auto relayout = builder.create<tile::RelayoutOp>(dot.getLoc(), type, dot.getResult());
  dot.getResult().replaceAllUsesExcept(relayout, relayout);
}

/// Types and matrix units come first: what a warpgroup's products have in registers cannot be moved. A product whose
/// group has another layout is separated from it.
LogicalResult LayoutAssigner::fixProducts(bool &changed) {
  for (Value value : tiles)
    if (auto known = dyn_cast_or_null<tile::LayoutAttr>(tileOf(value).getEncoding()))
      if (failed(fixKnown(value, known.getLayout())))
        return failure();
  for (Value accumulator : accumulators)
    if (failed(fixKnown(accumulator, DistributedLayout::wgmmaAccumulator())))
      return failure();
  for (tile::DotOp dot : products) {
    ArrayRef<int64_t> shape = dot.getType().getShape();
    auto layout = DistributedLayout::product({shape.data(), shape.size()}, kernel.getTeam());
    if (!layout)
      return dot.emitOpError("cannot be laid out: ") << layout.message();
    DistributedLayout *known = chosen.lookup(groupOf(dot));
    if (!known || *known == *layout) {
      fix(dot, *layout);
    } else if (dot.getType().getEncoding()) {
      return fixKnown(dot, *layout);
    } else {
      separate(dot);
      changed = true;
      return success();
    }
  }
  return success();
}

FailureOr<DistributedLayout> LayoutAssigner::layoutOf(Value value) {
  Group group = groupOf(value);
  if (DistributedLayout *known = chosen.lookup(group))
    return *known;
  FailureOr<DistributedLayout> result = choose(value, group);
  if (DistributedLayout *known = chosen.lookup(group)) // Decided on the way.
    return *known;
  if (succeeded(result))
    fix(value, *result);
  return result;
}

/// Gives a broadcast a source of its own, by computing it once more: loads are repeated where they are. Fails where
/// that cannot be done.
LogicalResult LayoutAssigner::copySource(tile::BroadcastOp broadcast) {
  SmallVector<Value> work{broadcast.getSource()};
  llvm::DenseSet<Value> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!tileOf(value) || !seen.insert(value).second)
      continue;
    Operation *op = value.getDefiningOp();
    if (!op || !(isa<tile::LoadOp, tile::FullOp, tile::IotaOp, tile::BroadcastOp>(op) || tile::isElementwise(op)))
      return failure();
    llvm::append_range(work, op->getOperands());
  }
  IRMapping copies;
  std::function<void(Value)> copy = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (copies.contains(value) || !tileOf(value))
      return;
    for (Value operand : op->getOperands())
      copy(operand);
    OpBuilder builder(op);
    builder.setInsertionPointAfter(op);
    builder.clone(*op, copies);
  };
  copy(broadcast.getSource());
  broadcast.getSourceMutable().assign(copies.lookup(broadcast.getSource()));
  return success();
}

/// Broadcasts of one group into several that need different layouts get sources of their own, as far as these are cheap
/// to make again.
LogicalResult LayoutAssigner::separateBroadcasts(bool &changed) {
  for (auto &[group, out] : broadcasts)
    for (tile::BroadcastOp broadcast : out) {
      FailureOr<DistributedLayout> mine = layoutOf(broadcast.getSource()), needed = neededBy(broadcast);
      if (failed(mine) || failed(needed))
        return failure();
      if (*mine != *needed && out.size() > 1 && succeeded(copySource(broadcast))) {
        changed = true;
        return success();
      }
    }
  return success();
}

void LayoutAssigner::setLayout(Value value, const DistributedLayout &layout) {
  RankedTensorType type = tileOf(value);
  value.setType(RankedTensorType::get(type.getShape(), type.getElementType(),
                                      tile::LayoutAttr::get(kernel.getContext(), layout)));
}

LogicalResult LayoutAssigner::assign() {
  for (Value value : tiles)
    if (failed(layoutOf(value)))
      return failure();
  for (Value value : tiles) {
    RankedTensorType type = tileOf(value);
    const DistributedLayout &layout = *chosen.lookup(groupOf(value));
    if (auto placed = layout.on({type.getShape().data(), type.getShape().size()}); !placed)
      return emitError(value.getLoc()) << "a tile of type " << type
                                       << " does not fit the layout of those that it is made of: " << placed.message();
  }
  // What ops lead to, as long as all layouts are those of groups; then the types.
  SmallVector<std::pair<OpOperand *, DistributedLayout>> sources;
  SmallVector<std::pair<OpResult, DistributedLayout>> results;
  for (auto &[group, out] : broadcasts)
    for (tile::BroadcastOp broadcast : out)
      if (FailureOr<DistributedLayout> needed = neededBy(broadcast); *needed != *layoutOf(broadcast.getSource()))
        sources.emplace_back(&broadcast.getSourceMutable(), *needed);
  for (auto &[group, ops] : makers)
    for (Operation *op : ops)
      if (FailureOr<DistributedLayout> made = madeBy(op); *made != *layoutOf(op->getResult(0)))
        results.emplace_back(op->getResult(0), *made);
  for (Value value : tiles)
    setLayout(value, *chosen.lookup(groupOf(value)));
  for (auto &[operand, needed] : sources) {
    OpBuilder builder(operand->getOwner());
    auto relayout =
        builder.create<tile::RelayoutOp>(operand->getOwner()->getLoc(), operand->get().getType(), operand->get());
    setLayout(relayout, needed);
    operand->set(relayout);
  }
  for (auto &[result, made] : results) {
    OpBuilder builder(result.getOwner());
    builder.setInsertionPointAfter(result.getOwner());
    auto relayout = builder.create<tile::RelayoutOp>(result.getLoc(), result.getType(), result);
    result.replaceAllUsesExcept(relayout, relayout);
    setLayout(result, made);
  }
  return success();
}

LogicalResult LayoutAssigner::run() {
  kernel.walk([&](Operation *op) {
    for (Value result : op->getResults())
      collect(result);
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        collect(argument);
  });
  for (Value value : tiles)
    if (!tileOf(value).hasStaticShape())
      return emitError(value.getLoc()) << "a tile within a kernel has a static shape, not " << value.getType();
  kernel.walk([&](Operation *op) {
    if (tile::isElementwise(op))
      for (Value operand : op->getOperands())
        unite(op->getResult(0), operand);
    else if (auto load = dyn_cast<tile::LoadOp>(op))
      noteAccess(load.getRef().getType(), load, load->getOperands().drop_front());
    else if (auto store = dyn_cast<tile::StoreOp>(op))
      noteAccess(store.getRef().getType(), store.getValue(), store->getOperands().drop_front(2));
    else
      uniteCarried(op);
    uniteProducts(op);
  });
  bool changed = false;
  if (failed(fixProducts(changed)))
    return failure();
  if (changed)
    return LayoutAssigner(kernel).run();
  kernel.walk([&](Operation *op) {
    if (auto broadcast = dyn_cast<tile::BroadcastOp>(op))
      broadcasts[groupOf(broadcast.getSource())].push_back(broadcast);
    else if (isa<tile::ReduceOp, tile::PermuteOp>(op))
      makers[groupOf(op->getResult(0))].push_back(op);
  });
  if (failed(separateBroadcasts(changed)))
    return failure();
  // Groups have changed: begin again.
  return changed ? LayoutAssigner(kernel).run() : assign();
}

struct AssignLayouts : impl::TileAssignLayoutsBase<AssignLayouts> {
  void runOnOperation() override {
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>())
      if (failed(LayoutAssigner(kernel).run()))
        return signalPassFailure();
  }
};
} // namespace
} // namespace tegula
