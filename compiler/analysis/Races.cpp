// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Races.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula {

// ---- Footprints -----------------------------------------------------------------------------------------------------

/// i and n of a window of n elements from i * n on.
static std::optional<std::pair<Symbol, Symbol>> blockOf(tile::SliceOp slice, unsigned dim, Symbols &symbols) {
  Value size = slice.getSize(dim);
  auto product = slice.getOffset(dim).getDefiningOp<arith::MulIOp>();
  if (!size || !product)
    return std::nullopt;
  Symbol count = symbols.of(size);
  for (auto [index, factor] :
       {std::pair(product.getLhs(), product.getRhs()), std::pair(product.getRhs(), product.getLhs())})
    if (symbols.of(factor) == count)
      return std::pair(symbols.of(index), count);
  return std::nullopt;
}

Footprint footprintOf(Value ref, Symbols &symbols) {
  SmallVector<tile::SliceOp> slices;
  for (; Operation *op = ref.getDefiningOp(); ref = op->getOperand(0))
    if (auto slice = dyn_cast<tile::SliceOp>(op))
      slices.push_back(slice);
    else if (isa<tile::StridedSliceOp>(op)) // Windows of it count its elements, not the array's.
      slices.clear();
  Footprint footprint(cast<tile::RefType>(ref.getType()).getRank());
  for (tile::SliceOp slice : llvm::reverse(slices))
    for (auto [dim, ofArray] : llvm::enumerate(tile::arrayDimsOf(slice.getSource()))) {
      if (slice.getMode(dim) == tile::SliceMode::Whole)
        continue;
      Interval interval;
      if (footprint[ofArray].empty())
        interval.block = blockOf(slice, dim, symbols);
      else
        interval.start = footprint[ofArray].back().start;
      interval.start.add(symbols.linear(symbols.of(slice.getOffset(dim))), 1);
      if (int64_t bound = slice.getBound(dim); !ShapedType::isDynamic(bound))
        interval.size = bound;
      footprint[ofArray].push_back(std::move(interval));
    }
  return footprint;
}

// ---- Races ----------------------------------------------------------------------------------------------------------

SmallVector<Operation *> accessesOf(tile::LaunchOp launch, BlockArgument argument) {
  SmallVector<Operation *> accesses;
  launch.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto memory = dyn_cast<tile::MemoryAccessOpInterface>(op);
    if (memory && llvm::any_of(memory.getMemoryAccesses(),
                               [&](const tile::MemoryAccess &access) { return tile::arrayOf(access.ref) == argument; }))
      accesses.push_back(op);
  });
  return accesses;
}

namespace {
/// Elements of a dimension: a program of index i has [factor * i + first, factor * i + end).
struct Strip {
  int64_t factor, first, end;
};
} // namespace

/// The innermost window of static size that begins at such a place; of no numbers whose product with an index wraps.
static std::optional<Strip> stripOf(ArrayRef<Interval> windows, Symbol id) {
  auto isSmall = [](int64_t number) { return llvm::isInt<32>(number); };
  for (const Interval &window : llvm::reverse(windows)) {
    int64_t factor = window.start.factors.lookup(id), first = window.start.constant;
    if (window.size && factor != 0 && window.start.factors.size() == 1 && isSmall(factor) && isSmall(first) &&
        isSmall(*window.size))
      return Strip{factor, first, first + *window.size};
  }
  return std::nullopt;
}

/// Whether programs that differ in an index have different elements, whatever they do with them, by their indices along
/// one dimension: all accesses are in one block of run-time size, or in strips that together are no longer than the
/// step from one program's to the next.
static bool areApart(ArrayRef<Footprint> footprints, unsigned dim, Symbol id) {
  auto blockOf = [&](const Footprint &footprint) {
    ArrayRef<Interval> windows = footprint[dim];
    return windows.empty() ? std::nullopt : windows.front().block;
  };
  auto block = blockOf(footprints.front());
  if (block && block->first == id &&
      llvm::all_of(footprints, [&](const Footprint &footprint) { return blockOf(footprint) == block; }))
    return true;
  std::optional<Strip> hull;
  for (const Footprint &footprint : footprints) {
    std::optional<Strip> strip = stripOf(footprint[dim], id);
    if (!strip || (hull && hull->factor != strip->factor))
      return false;
    hull = hull ? Strip{hull->factor, std::min(hull->first, strip->first), std::max(hull->end, strip->end)} : strip;
  }
  return hull->end - hull->first <= std::abs(hull->factor);
}

bool mayRace(tile::LaunchOp launch, BlockArgument argument, Symbols &symbols) {
  SmallVector<Operation *> accesses = accessesOf(launch, argument);
  auto isLoad = [](Operation *op) { return isa<tile::LoadOp, tile::GatherOp>(op); };
  auto isAtomic = [](Operation *op) { return isa<tile::AtomicOp>(op); };
  // Atomic updates do not race with each other, but with any other access.
  if (llvm::all_of(accesses, isAtomic))
    return false;
  if (llvm::none_of(accesses, isAtomic) && (llvm::none_of(accesses, isLoad) || llvm::all_of(accesses, isLoad)))
    return false;
  SmallVector<Footprint> footprints;
  for (Operation *op : accesses) {
    tile::MemoryAccess access = cast<tile::MemoryAccessOpInterface>(op).getMemoryAccesses().front();
    footprints.push_back(footprintOf(access.ref, symbols));
  }
  SmallVector<std::optional<Symbol>> ids(launch.getGrid().size());
  launch.getBody().walk([&](tile::ProgramIdOp id) { ids[id.getAxis()] = symbols.of(id); });

  for (auto [size, id] : llvm::zip_equal(launch.getGrid(), ids)) {
    if (matchPattern(size, m_One()))
      continue;
    bool isApart = false;
    for (unsigned dim = 0; id && dim < footprints.front().size(); ++dim)
      isApart |= areApart(footprints, dim, *id);
    if (!isApart)
      return true;
  }
  return false;
}

} // namespace tegula
