// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/Edges.h"

#include "transforms/split/Cost.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tegula::split {

/// The instructions for one element below which computing twice costs less than another branch.
static constexpr int64_t leastShared = 16;

/// What the copies need not have in common.
static bool makesWindow(Operation *op) { return isa<tile::SliceOp, tile::StridedSliceOp, arith::ConstantOp>(op); }

/// What thread groups tell each other of their parts is written and read by scans alone, which stay in order.
static bool isSharedScan(Operation *op) {
  auto scan = dyn_cast<tile::ScanOp>(op);
  return scan && scan.getState();
}

/// A copy of the program but for its windows, if there are no loops and branches, and all loads come first.
static std::optional<SmallVector<Operation *>> straightOps(Block &copy) {
  SmallVector<Operation *> ops;
  bool hasStored = false;
  for (Operation &op : copy.without_terminator()) {
    if (makesWindow(&op))
      continue;
    auto load = dyn_cast<tile::LoadOp>(op);
    auto store = dyn_cast<tile::StoreOp>(op);
    if (load ? hasStored || load.getMask() : !store && !isSharedScan(&op) && !isMemoryEffectFree(&op))
      return std::nullopt;
    if (isSharedScan(&op)) {
      ops.push_back(&op);
      continue;
    }
    bool usesWindow = llvm::any_of(op.getOperandTypes(), llvm::IsaPred<tile::RefType>);
    if (op.getNumRegions() || (usesWindow && !load && !store))
      return std::nullopt;
    hasStored |= store != nullptr;
    ops.push_back(&op);
  }
  return ops;
}

static bool areAlike(Operation *a, Operation *b) {
  return a->getName() == b->getName() && a->getResultTypes() == b->getResultTypes() &&
         a->getAttrDictionary() == b->getAttrDictionary() && a->getNumOperands() == b->getNumOperands();
}

void shareComputation(scf::IfOp copies) {
  auto full = straightOps(*copies.thenBlock());
  auto edge = straightOps(*copies.elseBlock());
  if (!full || !edge || full->size() != edge->size() ||
      !llvm::all_of(llvm::zip(*full, *edge), [](auto pair) { return areAlike(std::get<0>(pair), std::get<1>(pair)); }))
    return;
  int64_t weight = 0;
  SmallVector<Type> loaded;
  for (Operation *op : *full) {
    weight += weightOf(op);
    if (auto load = dyn_cast<tile::LoadOp>(op))
      loaded.push_back(load.getType());
  }
  if (weight < leastShared && llvm::none_of(*full, isSharedScan))
    return;

  OpBuilder builder(copies);
  Location loc = copies.getLoc();
  auto branchOn = [&](TypeRange types) {
    auto branch = builder.create<scf::IfOp>(loc, types, copies.getCondition(), /*withElseRegion=*/true);
    for (Region &region : branch->getRegions())
      region.front().clear();
    return branch;
  };
  // Each copy is cloned up to its first shared scan; what is not needed has no use and goes with the dead code.
  auto loads = branchOn(loaded);
  for (auto [source, target] : llvm::zip(copies->getRegions(), loads->getRegions())) {
    OpBuilder inside = OpBuilder::atBlockEnd(&target.front());
    IRMapping mapping;
    SmallVector<Value> values;
    llvm::SmallDenseSet<Value> later;
    for (Operation &op : source.front().without_terminator()) {
      bool isLater = isSharedScan(&op) || llvm::any_of(op.getOperands(), [&](Value v) { return later.contains(v); });
      if (isLater)
        later.insert(op.result_begin(), op.result_end());
      if (isLater || isa<tile::StoreOp>(op))
        continue;
      Operation *made = inside.clone(op, mapping);
      if (isa<tile::LoadOp>(op))
        values.push_back(made->getResult(0));
    }
    inside.create<scf::YieldOp>(loc, values);
  }

  IRMapping computed;
  for (auto constant : copies.thenBlock()->getOps<arith::ConstantOp>())
    builder.clone(*constant, computed);
  unsigned nextLoad = 0;
  for (auto [mine, other] : llvm::zip(*full, *edge)) {
    if (isa<tile::StoreOp>(mine))
      continue;
    ResultRange results = isa<tile::LoadOp>(mine) ? loads.getResults().slice(nextLoad++, 1)
                                                  : builder.clone(*mine, computed)->getResults();
    computed.map(mine->getResults(), results);
    computed.map(other->getResults(), results);
  }

  auto stores = branchOn({});
  for (auto [source, target] : llvm::zip(copies->getRegions(), stores->getRegions())) {
    OpBuilder inside = OpBuilder::atBlockEnd(&target.front());
    IRMapping mapping = computed;
    for (Operation &op : source.front().without_terminator())
      if (makesWindow(&op) || isa<tile::StoreOp>(op))
        inside.clone(op, mapping);
    inside.create<scf::YieldOp>(loc);
  }
  copies.erase();
}

} // namespace tegula::split
