// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checks/MadeExtents.h"

#include "ir/ControlFlow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tegula {
namespace {

class MadeExtents {
public:
  explicit MadeExtents(const Extents &extents) : extents(extents) {}

  void visit(tile::IndexedOpInterface made);
  void visit(tile::ConformOp conform);

private:
  /// A dimension of a tile.
  using Dim = std::pair<Value, int64_t>;

  /// Whether the extent comes from a ref, or from a tile that is not a full, an iota, or one of these in a variable.
  bool isTold(Dim dim);
  /// Whether some op takes its extent from this tile alone.
  bool isNeeded(Dim dim);
  bool isNeeded(Operation *user, Dim dim);
  bool isNeededByCarried(RegionBranchOpInterface flow, Operation *terminator, Dim dim);

  const Extents &extents;
  llvm::DenseMap<Dim, bool> told;
  llvm::DenseSet<Dim> open; ///< Of these it is being asked.
  llvm::DenseSet<Dim> visited;
};

} // namespace

bool MadeExtents::isTold(Dim dim) {
  Value tile = dim.first;
  int64_t at = dim.second;
  auto op = tile.getDefiningOp<tile::IndexedOpInterface>();
  // What a loop carries is told as long as nothing says otherwise.
  auto [known, isNew] = told.try_emplace(dim, !op);
  if (!isNew)
    return known->second;
  open.insert(dim);
  bool result = false;
  if (op && isa<tile::FullOp, tile::IotaOp>(op.getOperation())) {
    result = cast<RankedTensorType>(tile.getType()).isDynamicDim(at) && !op.getResultExtents().empty();
  } else if (op) {
    for (OpOperand &operand : op->getOpOperands())
      if (isa<RankedTensorType, tile::RefType>(operand.get().getType()))
        for (auto [i, index] : llvm::enumerate(op.getIndexingMap(operand)))
          result |= (index.isIterated() || index.isWindow()) && index.dim == at &&
                    (isa<tile::RefType>(operand.get().getType()) || isTold({operand.get(), i}));
  } else { // By all that it may be: branches and loops may be folded to any of these.
    SmallVector<Value> sources = tile::carriedSources(tile);
    result = !sources.empty() && llvm::all_of(sources, [&](Value source) { return isTold({source, at}); });
  }
  open.erase(dim);
  if (!op && !result) { // What was found in a loop rests on the assumption.
    SmallVector<Dim> assumed;
    for (auto [other, isSo] : told)
      if (isSo && !open.contains(other))
        assumed.push_back(other);
    for (const Dim &other : assumed)
      told.erase(other);
  }
  return told[dim] = result;
}

bool MadeExtents::isNeeded(Dim dim) {
  return visited.insert(dim).second &&
         llvm::any_of(dim.first.getUsers(), [&](Operation *user) { return isNeeded(user, dim); });
}

bool MadeExtents::isNeeded(Operation *user, Dim dim) {
  if (isa<tile::DimOp, tile::StoreOp>(user)) // Dims take extents that are known; a store, its window.
    return false;
  auto flow = dyn_cast<RegionBranchOpInterface>(user->hasTrait<OpTrait::IsTerminator>() ? user->getParentOp() : user);
  if (flow)
    return isNeededByCarried(flow, user, dim);
  auto op = dyn_cast<tile::IndexedOpInterface>(user);
  bool isCombined =
      tile::isElementwise(user) || isa<tile::BroadcastOp, tile::PermuteOp, tile::ScanOp, tile::ReduceOp>(user);
  if (!op || !isCombined)
    return true;
  // Of a scan from the end, the elements that the result's extent leaves out are in those that it has.
  auto scan = dyn_cast<tile::ScanOp>(user);
  bool isFromEnd = scan && scan.getReverse();
  for (OpOperand &operand : user->getOpOperands()) {
    if (operand.get() != dim.first)
      continue;
    const tile::DimIndex index = op.getIndexingMap(operand)[dim.second];
    if (!index.isIterated())
      return true;
    bool isSaid = false;
    for (OpOperand &other : user->getOpOperands())
      if (isa<RankedTensorType>(other.get().getType()))
        for (auto [i, of] : llvm::enumerate(op.getIndexingMap(other)))
          isSaid |= of.isIterated() && of.dim == index.dim && isTold({other.get(), i});
    if (isSaid)
      continue;
    if (isFromEnd && index.dim == scan.getScannedDim())
      return true;
    auto type = dyn_cast<RankedTensorType>(user->getResult(0).getType());
    if (!type || index.dim >= type.getRank() ||
        llvm::any_of(user->getResults(), [&](Value result) { return isNeeded({result, index.dim}); }))
      return true;
  }
  return false;
}

/// Whether what a branch or a loop makes of it is asked for the extent. Other sources may tell it, too, but there are
/// no others once the branch or the loop is folded.
bool MadeExtents::isNeededByCarried(RegionBranchOpInterface flow, Operation *terminator, Dim dim) {
  bool result = false;
  SmallVector<Value> targets;
  tile::forEachCarried(flow, [&](OpOperand &from, Value to) {
    if (from.getOwner() == terminator && from.get() == dim.first)
      targets.push_back(to);
  });
  for (Value to : targets)
    result |= isNeeded({to, dim.second});
  return result;
}

/// What a variable that keeps its extents is assigned.
void MadeExtents::visit(tile::ConformOp conform) {
  Value tile = conform.getResult();
  for (int64_t dim = 0; dim < conform.getSource().getType().getRank(); ++dim) {
    bool isNew = !extents.of(conform.getSource(), dim).symbol && extents.of(tile, dim).symbol;
    visited.clear();
    if (isNew && isNeeded({tile, dim}))
      return;
  }
  SmallVector<Value> dims(conform.getExtents());
  conform.replaceAllUsesWith(conform.getSource());
  conform.erase();
  for (Value dim : dims)
    if (Operation *op = dim.getDefiningOp(); op && isOpTriviallyDead(op))
      op->erase();
}

void MadeExtents::visit(tile::IndexedOpInterface made) {
  Value tile = made->getResult(0);
  auto type = cast<RankedTensorType>(tile.getType());
  ValueRange given = made.getResultExtents();
  if (type.getNumDynamicDims() == type.getRank() || static_cast<int64_t>(given.size()) != type.getRank())
    return;
  SmallVector<Value> needed;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    visited.clear();
    if (type.isDynamicDim(dim))
      needed.push_back(given[dim]);
    else if (extents.of(tile, dim).symbol && isNeeded({tile, dim}))
      return;
  }
  if (auto full = dyn_cast<tile::FullOp>(made.getOperation()))
    full.getExtentsMutable().assign(needed);
  else
    cast<tile::IotaOp>(made.getOperation()).getExtentsMutable().assign(needed);
}

void dropMadeExtents(tile::LaunchOp launch, const Extents &extents) {
  SmallVector<tile::ConformOp> assigned;
  launch.getBody().walk([&](tile::ConformOp conform) { assigned.push_back(conform); });
  for (tile::ConformOp conform : assigned)
    MadeExtents(extents).visit(conform);
  MadeExtents made(extents);
  launch.getBody().walk([&](Operation *op) {
    if (isa<tile::FullOp, tile::IotaOp>(op))
      made.visit(cast<tile::IndexedOpInterface>(op));
  });
}

} // namespace tegula
