// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/Demand.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tegula::split {

SmallVector<Value> sourcesOf(Value tile) {
  if (auto argument = dyn_cast<BlockArgument>(tile)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      return {loop.getTiedLoopInit(argument)->get(), loop.getTiedLoopYieldedValue(argument)->get()};
    auto loop = cast<scf::WhileOp>(parent);
    unsigned number = argument.getArgNumber();
    if (argument.getOwner() == loop.getAfterBody())
      return {loop.getConditionOp().getArgs()[number]};
    return {loop.getInits()[number], loop.getYieldOp().getOperand(number)};
  }
  Operation *op = tile.getDefiningOp();
  unsigned number = cast<OpResult>(tile).getResultNumber();
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return {branch.thenYield().getOperand(number), branch.elseYield().getOperand(number)};
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return {loop.getRegionIterArg(number)};
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return {loop.getAfterArguments()[number]};
  return SmallVector<Value>(op->getOperands());
}

/// Made once, by a loop or a branch.
static bool isCarried(Value tile) { return !tile.getDefiningOp() || tile.getDefiningOp()->getNumRegions() > 0; }

ArrayRef<Roles> Demand::of(Value tile) const {
  auto found = needed.find(tile);
  return found == needed.end() ? ArrayRef<Roles>() : found->second;
}

void Demand::visit(Value tile, const Roles &wanted) {
  if (!isTile(tile))
    return;
  SmallVector<Roles, 1> &known = needed[tile];
  if (known.empty() || !isCarried(tile)) {
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
    Operation *op = value.getDefiningOp();
    if (auto broadcast = dyn_cast_or_null<tile::BroadcastOp>(op)) {
      Roles source;
      for (auto [i, dim] : llvm::enumerate(broadcast.getDims()))
        source.push_back(broadcast.getSource().getType().getDimSize(i) == 1 ? whole : mine[dim]);
      visit(broadcast.getSource(), source);
    } else if (auto subtile = dyn_cast_or_null<tile::SubtileOp>(op)) {
      Roles source(subtile.getSource().getType().getRank(), whole);
      for (unsigned i = 0; i < mine.size(); ++i)
        if (unsigned dim = subtile.getSourceDim(i); subtile.getMode(dim) == tile::SliceMode::Whole)
          source[dim] = mine[i];
      visit(subtile.getSource(), source);
    } else if (auto permute = dyn_cast_or_null<tile::PermuteOp>(op)) {
      Roles source(mine.size());
      for (auto [i, dim] : llvm::enumerate(permute.getPermutation()))
        source[dim] = mine[i];
      visit(permute.getSource(), source);
    } else if (auto reduce = dyn_cast_or_null<tile::ReduceOp>(op)) {
      Roles source(reduce.getSource().getType().getRank(), whole);
      for (unsigned i = 0; i < mine.size(); ++i)
        source[reduce.getSourceDim(i)] = mine[i];
      visit(reduce.getSource(), source);
    } else if (auto dot = dyn_cast_or_null<tile::DotOp>(op)) {
      Roles a = mine, b = mine;
      a.back() = whole;
      b[b.size() - 2] = whole;
      visit(dot.getA(), a);
      visit(dot.getB(), b);
      if (dot.getAcc())
        visit(dot.getAcc(), mine);
    } else {
      for (Value source : sourcesOf(value)) // Elementwise, the mask of a load, or carried by control flow.
        visit(source, mine);
    }
  }
}

SmallVector<Demand::Contraction> Demand::contractions() const {
  SmallVector<Contraction> result;
  for (const auto &[value, all] : needed) {
    Operation *op = value.getDefiningOp();
    bool holds = false;
    if (op && isa<LoopLikeOpInterface>(op))
      op->walk([&](Operation *inner) { holds |= isContraction(inner); });
    if (isContraction(op) || holds)
      for (const Roles &roles : all)
        result.push_back({value, roles});
  }
  return result;
}

} // namespace tegula::split
