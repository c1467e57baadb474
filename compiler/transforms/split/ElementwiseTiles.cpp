// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sub-tiles of programs that compute element by element:
//
//   rows       each thread makes accesses of 16 bytes
//   squares    where what is loaded along one dimension is stored along another one: elements move between threads
//              through shared memory
//   columns    of some rows each, where an element is computed of its neighbours (a stencil): an element is loaded once
//              for all rows of its thread
//
// Windows of a stencil compute their addresses alike (LoweredRef::common in lower/KernelLowering.h), so that LLVM sees
// which loads are the same. CTAs prefetch to L2 what later ones load (lower/Prefetch.cpp). Where rows consist of whole
// pairs of elements, StencilKernels.cpp adds a kernel.
#include "transforms/split/Domain.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tegula::split {
namespace {

class ElementwiseTiles {
public:
  ElementwiseTiles(const Program &program, Domain &domain)
      : program(program), shape(program.shape), domain(domain), last(int(domain.dims.size()) - 1) {
    tile::LaunchOp(program.launch).getBody().walk([&](tile::LoadOp load) {
      if (load.getType().getRank() > 0)
        for (const Roles &roles : domain.demand.of(load))
          loads[tile::arrayOf(load.getRef())].push_back({load, roles});
    });
  }

  void choose(bool wantsLarge);

private:
  struct Load {
    tile::LoadOp op;
    Roles roles;
  };

  bool isIndirect() const;
  std::optional<int> transposedDim() const;
  SmallVector<int, 2> sharedDims() const;
  bool differAlong(ArrayRef<Load> loads, int dim) const;
  std::optional<Symbol> startAlong(tile::SliceOp slice, int64_t kept) const;
  int64_t most(int dim, int64_t wanted) const;
  void take(int dim, int64_t wanted);

  const Program &program;
  const GroupShape &shape;
  Domain &domain;
  int last; ///< the domain's last dimension
  /// By the array that they are of.
  llvm::MapVector<BlockArgument, SmallVector<Load>> loads;
  /// Dimensions whose sub-tiles are chosen, and the elements of the others together.
  llvm::SmallDenseSet<int> taken;
  int64_t rest = 1;
};

/// Data says which elements of a window the program touches.
bool ElementwiseTiles::isIndirect() const {
  WalkResult walked = tile::LaunchOp(program.launch).getBody().walk([](tile::MemoryAccessOpInterface op) {
    bool is = llvm::any_of(op.getMemoryAccesses(), [](const tile::MemoryAccess &access) { return access.isIndirect; });
    return is ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walked.wasInterrupted();
}

/// A dimension other than the last one along which something that is loaded is contiguous in memory, and varies along
/// the last one, too.
std::optional<int> ElementwiseTiles::transposedDim() const {
  for (const auto &[array, ofArray] : loads)
    for (const Load &load : ofArray)
      if (int dim = load.roles.back(); dim != Demand::whole && dim != last && llvm::is_contained(load.roles, last))
        return dim;
  return std::nullopt;
}

/// Those other than the last one along which neighbours read the same elements, as in a stencil: an array is loaded in
/// windows that begin at several places there.
SmallVector<int, 2> ElementwiseTiles::sharedDims() const {
  SmallVector<int, 2> result;
  for (int dim = 0; dim < last; ++dim)
    if (llvm::any_of(loads, [&](const auto &array) { return differAlong(array.second, dim); }))
      result.push_back(dim);
  return result;
}

bool ElementwiseTiles::differAlong(ArrayRef<Load> loads, int dim) const {
  std::optional<Symbol> first;
  for (const Load &load : loads) {
    const int *at = llvm::find(load.roles, dim);
    auto slice = tile::LoadOp(load.op).getRef().getDefiningOp<tile::SliceOp>();
    if (at == load.roles.end() || !slice || load.roles.back() != last)
      continue;
    std::optional<Symbol> start = startAlong(slice, at - load.roles.begin());
    if (start && first && *start != *first)
      return true;
    first = start;
  }
  return false;
}

/// Where a window begins along a dimension that it keeps, counted without those that it does not.
std::optional<Symbol> ElementwiseTiles::startAlong(tile::SliceOp slice, int64_t kept) const {
  for (int64_t dim = 0; dim < slice.getSource().getType().getRank(); ++dim)
    if (slice.getMode(dim) != tile::SliceMode::Element && kept-- == 0)
      return slice.getMode(dim) == tile::SliceMode::Window
                 ? std::optional(program.extents->symbols().of(slice.getOffset(dim)))
                 : std::nullopt;
  return std::nullopt;
}

int64_t ElementwiseTiles::most(int dim, int64_t wanted) const {
  const DomainDim &of = domain.dims[dim];
  return of.isStatic() ? std::min(wanted, int64_t(llvm::PowerOf2Ceil(of.bound))) : wanted;
}

void ElementwiseTiles::take(int dim, int64_t wanted) {
  domain.dims[dim].subTile = most(dim, wanted);
  taken.insert(dim);
}

void ElementwiseTiles::choose(bool wantsLarge) {
  // Finding one's place in a grid, and what is the same for many elements, pay off over two accesses; a whole array is
  // fastest by one.
  int64_t accesses = shape.perThread * (tile::LaunchOp(program.launch).getGrid().empty() ? 1 : 2);
  int64_t whole = 1, perAccess = 16 / std::min<int64_t>(16, domain.smallestElement);
  for (const DomainDim &dim : domain.dims)
    whole = !dim.isStatic()                ? ShapedType::kDynamic
            : ShapedType::isDynamic(whole) ? whole
                                           : whole * int64_t(llvm::PowerOf2Ceil(dim.bound));
  int64_t cut = shape.threads * accesses * perAccess;
  bool fits = !ShapedType::isDynamic(whole) && whole <= (wantsLarge ? shape.mostElements() : cut);
  rest = fits ? whole : cut;
  SmallVector<int, 2> shared;
  if (std::optional<int> transposed = transposedDim(); transposed && !fits) {
    // Whole sectors along both dimensions, which threads exchange through shared memory.
    int64_t side = std::max<int64_t>(64, 128 / domain.smallestElement);
    take(*transposed, side);
    rest = side * side / domain.dims[*transposed].subTile;
  } else if (shared = sharedDims(); !shared.empty() && !fits) {
    // Each thread has some rows of a column, and loads what several of them need once (test/benchmark/RESULTS.md).
    constexpr int64_t columns = 256, rowsOfTwo = 4;
    const int64_t rows = shape.rowsOf ? 16 : 8;
    domain.isStencil = true;
    for (const auto &[array, ofArray] : loads)
      if (llvm::any_of(ofArray, [&](const Load &load) { return load.roles.back() == last; }))
        domain.loadedAlong.insert(array.getArgNumber());
    for (int dim : ArrayRef(shared).take_back(2))
      take(dim, shared.size() > 1 ? rowsOfTwo : rows);
    rest = columns;
    // Registers of addresses, where strides are known to the host alone.
    constexpr int64_t mostLoads = 256;
    int64_t loadsOfElement = 0, elements = 1;
    for (const auto &[array, ofArray] : loads)
      loadsOfElement += int64_t(ofArray.size());
    for (int dim : taken)
      elements *= domain.dims[dim].subTile;
    while (rest > lanesOfWarp && rest * elements / shape.threads * loadsOfElement > mostLoads)
      rest /= 2;
  }
  // Rows that are gathered are often short: a warp's access of each.
  if (last > 0 && taken.empty() && !domain.dims[last].isStatic() && isIndirect()) {
    take(last, std::min(rest, lanesOfWarp * perAccess));
    rest /= domain.dims[last].subTile;
  }
  for (int dim = last; dim >= 0; --dim)
    if (!taken.contains(dim)) {
      take(dim, rest);
      rest /= domain.dims[dim].subTile;
    }
}

} // namespace

void chooseElementwise(const Program &program, Domain &domain, bool wantsLarge) {
  ElementwiseTiles(program, domain).choose(wantsLarge);
}

} // namespace tegula::split
