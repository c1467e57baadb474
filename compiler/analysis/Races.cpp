// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Races.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula {

Footprint footprintOf(Value ref, Symbols &symbols) {
  SmallVector<Operation *> views;
  for (; Operation *op = ref.getDefiningOp(); ref = op->getOperand(0))
    views.push_back(op);
  Footprint footprint(cast<tile::RefType>(ref.getType()).getRank());
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(footprint.size())); // The array's, of the view so far.
  for (Operation *op : llvm::reverse(views)) {
    SmallVector<int64_t> next;
    if (auto view = dyn_cast<tile::TransposeOp>(op)) {
      for (int64_t dim : view.getPermutation())
        next.push_back(dims[dim]);
    } else {
      auto slice = cast<tile::SliceOp>(op);
      for (auto [dim, ofArray] : llvm::enumerate(dims)) {
        tile::SliceMode mode = slice.getMode(dim);
        if (mode != tile::SliceMode::Element)
          next.push_back(ofArray);
        if (mode == tile::SliceMode::Whole)
          continue;
        Interval interval;
        if (!footprint[ofArray].empty())
          interval.start = footprint[ofArray].back().start;
        interval.start.add(symbols.linear(symbols.of(slice.getOffset(dim))), 1);
        if (int64_t bound = slice.getBound(dim); !ShapedType::isDynamic(bound))
          interval.size = bound;
        footprint[ofArray].push_back(std::move(interval));
      }
    }
    dims = std::move(next);
  }
  return footprint;
}

/// Elements of a dimension of which a program of index `i` has those from `factor * i + first` to `factor * i + end`.
namespace {
struct Strip {
  int64_t factor, first, end;
};
} // namespace

/// The smallest of the windows that only moves with the index.
static std::optional<Strip> stripOf(ArrayRef<Interval> windows, Symbol id) {
  for (const Interval &window : llvm::reverse(windows)) {
    int64_t factor = window.start.factors.lookup(id), first = window.start.constant;
    if (window.size && factor != 0 && window.start.factors.size() == 1)
      return Strip{factor, first, first + *window.size};
  }
  return std::nullopt;
}

/// Whether programs that differ in an index have different elements, by their indices along one dimension.
static bool areApart(ArrayRef<Footprint> footprints, unsigned dim, Symbol id) {
  std::optional<Strip> all;
  for (const Footprint &footprint : footprints) {
    std::optional<Strip> strip = stripOf(footprint[dim], id);
    if (!strip || (all && all->factor != strip->factor))
      return false;
    all = all ? Strip{strip->factor, std::min(all->first, strip->first), std::max(all->end, strip->end)} : strip;
  }
  return all && all->end - all->first <= std::abs(all->factor);
}

bool mayRace(tile::LaunchOp launch, BlockArgument argument, Symbols &symbols) {
  SmallVector<Footprint> footprints;
  bool isLoaded = false, isStored = false;
  SmallVector<std::optional<Symbol>> ids(launch.getGrid().size());
  launch.getBody().walk([&](Operation *op) {
    if (auto id = dyn_cast<tile::ProgramIdOp>(op))
      ids[id.getAxis()] = symbols.of(id);
    auto load = dyn_cast<tile::LoadOp>(op);
    auto store = dyn_cast<tile::StoreOp>(op);
    Value ref = load ? load.getRef() : store ? store.getRef() : nullptr;
    if (!ref || tile::arrayOf(ref) != argument)
      return;
    isLoaded |= bool(load);
    isStored |= bool(store);
    footprints.push_back(footprintOf(ref, symbols));
  });
  if (!isLoaded || !isStored)
    return false;
  return llvm::any_of(llvm::enumerate(launch.getGrid()), [&](auto axis) {
    auto isApart = [&](unsigned dim) { return areApart(footprints, dim, *ids[axis.index()]); };
    return !matchPattern(axis.value(), m_One()) &&
           (!ids[axis.index()] || llvm::none_of(llvm::seq<unsigned>(footprints.front().size()), isApart));
  });
}

} // namespace tegula
