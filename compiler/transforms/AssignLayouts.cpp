// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts for the tiles of kernels. Tiles that elementwise ops and control flow tie together form a *group* and share
// one layout. A group that is broadcast into another one takes what the other one's threads need: broadcasting then
// moves no data. All others take the blocked layout of their shape.
#include "ir/TileDialect.h"
#include "transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

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

  void noteAccess(tile::RefType ref, RankedTensorType tile);
  FailureOr<DistributedLayout> blocked(RankedTensorType type, Operation *at);
  FailureOr<DistributedLayout> layoutOf(Value value);
  FailureOr<DistributedLayout> neededBy(tile::BroadcastOp broadcast);
  LogicalResult separate(tile::BroadcastOp broadcast);
  LogicalResult assign();

  tile::KernelOp kernel;
  llvm::EquivalenceClasses<void *> groups;
  SmallVector<Value> tiles;
  /// What the matrix unit has in registers.
  SmallVector<Value> accumulators;
  /// The broadcasts out of a group.
  llvm::DenseMap<Group, SmallVector<tile::BroadcastOp>> broadcasts;
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

void LayoutAssigner::noteAccess(tile::RefType ref, RankedTensorType tile) {
  int64_t bytes = std::max<int64_t>(ref.getElementType().getIntOrFloatBitWidth() / 8, 1);
  int64_t &vector = vectors.try_emplace(tile.getShape().vec(), 1).first->second;
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

FailureOr<DistributedLayout> LayoutAssigner::layoutOf(Value value) {
  Group group = groupOf(value);
  if (DistributedLayout *known = chosen.lookup(group))
    return *known;
  // Broadcasts enlarge: following them from source to result ends.
  auto out = broadcasts.find(group);
  Operation *at = value.getDefiningOp() ? value.getDefiningOp() : kernel.getOperation();
  FailureOr<DistributedLayout> result =
      out == broadcasts.end() ? blocked(tileOf(value), at) : neededBy(out->second.front());
  if (succeeded(result))
    chosen[group] = storage.emplace_back(std::make_unique<DistributedLayout>(*result)).get();
  return result;
}

/// Gives a broadcast a source of its own, by computing it once more: loads are repeated where they are.
LogicalResult LayoutAssigner::separate(tile::BroadcastOp broadcast) {
  IRMapping copies;
  std::function<LogicalResult(Value)> copy = [&](Value value) -> LogicalResult {
    Operation *op = value.getDefiningOp();
    if (copies.contains(value) || !tileOf(value))
      return success();
    bool isRepeatable =
        op && (isa<tile::LoadOp, tile::FullOp, tile::IotaOp, tile::BroadcastOp>(op) || tile::isElementwise(op));
    if (!isRepeatable)
      return broadcast.emitOpError("needs its source in a second layout, which is not supported for tiles that loops "
                                   "or branches compute");
    for (Value operand : op->getOperands())
      if (failed(copy(operand)))
        return failure();
    OpBuilder builder(op);
    builder.setInsertionPointAfter(op);
    builder.clone(*op, copies);
    return success();
  };
  if (failed(copy(broadcast.getSource())))
    return failure();
  broadcast.getSourceMutable().assign(copies.lookup(broadcast.getSource()));
  return success();
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
    auto encoding = tile::LayoutAttr::get(kernel.getContext(), layout);
    value.setType(RankedTensorType::get(type.getShape(), type.getElementType(), encoding));
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
      noteAccess(load.getRef().getType(), load.getType());
    else if (auto store = dyn_cast<tile::StoreOp>(op))
      noteAccess(store.getRef().getType(), store.getValue().getType());
    else
      uniteCarried(op);
    uniteProducts(op);
  });
  for (Value accumulator : accumulators)
    chosen[groupOf(accumulator)] =
        storage.emplace_back(std::make_unique<DistributedLayout>(DistributedLayout::wgmmaAccumulator())).get();
  kernel.walk([&](tile::BroadcastOp op) { broadcasts[groupOf(op.getSource())].push_back(op); });
  for (auto &[group, out] : broadcasts)
    for (tile::BroadcastOp broadcast : ArrayRef(out).drop_front()) {
      FailureOr<DistributedLayout> first = neededBy(out.front()), other = neededBy(broadcast);
      if (failed(first) || failed(other))
        return failure();
      if (*first == *other)
        continue;
      // Groups change: begin again.
      return failed(separate(broadcast)) ? failure() : LayoutAssigner(kernel).run();
    }
  return assign();
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
