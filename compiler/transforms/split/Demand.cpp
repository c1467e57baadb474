// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/Demand.h"

#include "ir/ControlFlow.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tegula::split {

/// Made once, by a loop or a branch, or found in memory by an update of it.
static bool isMadeOnce(Value tile) {
  return !tile.getDefiningOp() || isa<RegionBranchOpInterface>(tile.getDefiningOp()) || isOfAtomic(tile);
}

std::optional<Combining> combiningOf(Operation *op) {
  if (auto reduce = dyn_cast_or_null<tile::ReduceOp>(op))
    return Combining{reduce.getSources(), SmallVector<int64_t, 2>(reduce.getAxes())};
  if (auto scan = dyn_cast_or_null<tile::ScanOp>(op))
    return Combining{scan.getSources(), {scan.getScannedDim()}};
  return std::nullopt;
}

ArrayRef<Roles> Demand::of(Value tile) const {
  auto found = needed.find(tile);
  return found == needed.end() ? ArrayRef<Roles>() : found->second;
}

void Demand::visit(Value tile, const Roles &wanted) {
  if (!isTile(tile))
    return;
  SmallVector<Roles, 1> &known = needed[tile];
  if (known.empty() || !isMadeOnce(tile)) {
    if (!llvm::is_contained(known, wanted)) {
      known.push_back(wanted);
      work.emplace_back(tile, wanted);
    }
    return;
  }
  // A dimension that is wanted at two places is wanted whole.
  Roles both = known.front();
  for (auto [mine, other] : llvm::zip(both, wanted))
    mine = mine == other ? mine : whole;
  if (both != known.front()) {
    known.front() = both;
    work.emplace_back(tile, both);
  }
}

void Demand::add(Value tile, const Roles &wanted) {
  visit(tile, wanted);
  while (!work.empty()) {
    auto [value, mine] = work.pop_back_val();
    if (isOfAtomic(value)) // A root of its own.
      continue;
    auto op = dyn_cast_or_null<tile::IndexedOpInterface>(value.getDefiningOp());
    if (!op) { // Carried by control flow.
      for (Value source : tile::carriedSources(value))
        visit(source, mine);
      continue;
    }
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isTile(operand.get()))
        continue;
      Roles source;
      for (const tile::DimIndex &index : op.getIndexingMap(operand))
        source.push_back(index.isIterated() && index.dim < int64_t(mine.size()) ? mine[index.dim] : whole);
      visit(operand.get(), source);
    }
  }
}

void Demand::addRoot(tile::RootOpInterface root) {
  auto indexed = cast<tile::IndexedOpInterface>(root.getOperation());
  for (OpOperand &operand : root->getOpOperands())
    if (isTile(operand.get()))
      add(operand.get(), llvm::map_to_vector(indexed.getIndexingMap(operand),
                                             [](const tile::DimIndex &index) { return int(index.dim); }));
}

SmallVector<Demand::Contraction> Demand::contractions() const {
  SmallVector<Contraction> result;
  for (const auto &[value, all] : needed) {
    Operation *op = value.getDefiningOp();
    bool holds = false;
    if (op && isa<LoopLikeOpInterface>(op))
      op->walk([&](Operation *inner) { holds |= isContraction(inner); });
    if (!isContraction(op) && !isOfAtomic(value) && !holds)
      continue;
    auto scan = dyn_cast_or_null<tile::ScanOp>(op);
    for (const Roles &roles : all) {
      result.push_back({value, roles});
      if (scan && !scan.getState()) // Thread groups that share a row have parts of it.
        result.back().roles[scan.getAxis()] = whole;
      if (auto sort = dyn_cast_or_null<tile::SortOp>(op)) // All of the row, wherever its elements go.
        result.back().roles[sort.getAxis()] = whole;
    }
  }
  return result;
}

} // namespace tegula::split
