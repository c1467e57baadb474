// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/two_pass/DividedReductions.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace tegula::split {

/// The extents of a reduction's result: columns, neighbours in memory, of arrays. None if they are anything else.
std::optional<SmallVector<Extent>> DividedReductions::keptOf(tile::ReduceOp reduce) {
  int64_t rank = reduce.getType().getRank();
  if (rank > 0 && reduce.getSourceDim(rank - 1) + 1 != reduce.getSource().getType().getRank())
    return std::nullopt;
  SmallVector<Extent> dims;
  for (int64_t i = 0; i < rank; ++i) {
    const Extent &extent = extents.of(reduce.getResult(), i);
    auto array = dyn_cast_or_null<BlockArgument>(extent.origin);
    if (!reduce.getType().isDynamicDim(i) || !array || !isa<tile::RefType>(array.getType()))
      return std::nullopt;
    dims.push_back(extent);
  }
  return dims;
}

/// Whether each thread group of the rest of the program would combine but what it needs itself of the partial results.
bool DividedReductions::isOwn(tile::ReduceOp reduce) {
  bool isOwn = true, isNumber = false, storesTiles = false;
  auto consider = [&](const Demand &demand, int64_t rank) {
    for (const Demand::Contraction &contraction : demand.contractions())
      if (contraction.value.getDefiningOp() == reduce)
        isOwn &= llvm::all_of(llvm::seq<int>(0, rank), [&](int dim) { return contraction.follows(dim); });
  };
  launch.getBody().walk([&](Operation *op) {
    Demand demand;
    if (auto store = dyn_cast<tile::StoreOp>(op)) {
      int64_t rank = store.getValue().getType().getRank();
      Roles all = llvm::to_vector(llvm::seq<int>(0, rank));
      demand.add(store.getValue(), all);
      if (store.getMask())
        demand.add(store.getMask(), all);
      consider(demand, rank);
      storesTiles |= rank > 0;
    } else if (auto extract = dyn_cast<tile::ExtractOp>(op)) {
      demand.add(extract.getTile(), {});
      isNumber |= llvm::any_of(reduce.getResults(), [&](Value result) { return !demand.of(result).empty(); });
    }
  });
  return isOwn && !(isNumber && storesTiles);
}

/// Whether a combiner has nothing from outside but constants: the passes have these.
static bool takesConstants(tile::ReduceOp reduce) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(reduce->getRegions(), captured);
  return llvm::all_of(captured, [](Value value) { return matchPattern(value, m_Constant()); });
}

std::optional<DividedReduction> DividedReductions::targetOf(tile::ReduceOp reduce) {
  RankedTensorType source = reduce.getSource().getType();
  SmallVector<int64_t> dims;
  SmallVector<Extent> along;
  for (int64_t axis : reduce.getAxes()) {
    const Extent &extent = extents.of(extents.sourceThatTells(reduce.getSources(), axis), axis);
    if (!source.isDynamicDim(axis) || !extent.origin || !isa<BlockArgument>(extent.origin) ||
        !isa<tile::RefType>(extent.origin.getType()))
      continue;
    dims.push_back(axis);
    along.push_back(extent);
  }
  DividedReduction target{reduce, {}};
  for (Value each : reduce.getSources()) {
    target.sources.push_back({each, dims, {}});
    target.sources.back().demand.add(each, llvm::to_vector(llvm::seq<int>(0, source.getRank())));
  }
  // What is made in the shape of something conforms to it, where a chunk of that is loaded beside.
  bool mayConform = llvm::any_of(target.sources, [](const DividedTile &each) { return loadsChunks(each); });
  // The first one decides what is divided.
  bool isAlike = targets.empty() ||
                 llvm::equal(along, divided, [](const Extent &a, const Extent &b) { return a.symbol == b.symbol; });
  if (along.empty() || !isAlike || !takesConstants(reduce) ||
      !llvm::all_of(target.sources,
                    [&](const DividedTile &each) { return isDivisible(each, launch, stored, mayConform); }))
    return std::nullopt;
  if (targets.empty())
    divided = along;
  return target;
}

DividedReductions::DividedReductions(tile::LaunchOp launch, Extents &extents) : launch(launch), extents(extents) {
  if (!launch.getGrid().empty())
    return;
  launch.getBody().walk([&](tile::StoreOp store) { stored.insert(tile::arrayOf(store.getRef()).getArgNumber()); });
  for (auto reduce : launch.getBody().front().getOps<tile::ReduceOp>()) {
    std::optional<SmallVector<Extent>> dims = keptOf(reduce);
    bool isFoundByEach = isOwn(reduce);
    if (!dims || (!isFoundByEach && !dims->empty()))
      continue;
    std::optional<DividedReduction> target = targetOf(reduce);
    if (!target)
      continue;
    targets.push_back(std::move(*target));
    kept.push_back(std::move(*dims));
    areFused &= isFoundByEach;
  }
}

} // namespace tegula::split
