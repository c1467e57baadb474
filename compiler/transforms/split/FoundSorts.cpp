// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/FoundSorts.h"

#include "transforms/split/LongSorts.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula::split {

/// Whether all of the GPU sorts the rows: their extent is not known to be short.
static bool isLong(tile::SortOp sort, Extents &extents) {
  auto axis = static_cast<int64_t>(sort.getAxis());
  std::optional<int64_t> most = sort.getType().getDimSize(axis);
  if (sort.getType().isDynamicDim(axis)) {
    std::optional<Symbol> symbol = extents.of(extents.sourceThatTells(sort.getSources(), axis), axis).symbol;
    most = symbol ? extents.symbols().mostOf(*symbol) : std::nullopt;
  }
  return !most || !sort.isExchanged(*most);
}

/// The argument of which a ref is, program for program, all that there is: its dimensions are the axes of the grid, and
/// then those of the ref. That they are as long, the host sees. Null if it is not such a ref.
static BlockArgument wholeArgument(Value ref, tile::LaunchOp launch) {
  size_t axes = launch.getGrid().size();
  auto slice = ref.getDefiningOp<tile::SliceOp>();
  if (tile::RefType type = slice ? slice.getSource().getType() : cast<tile::RefType>(ref.getType()); type.isTable())
    return {};
  if (!slice)
    return axes == 0 ? dyn_cast<BlockArgument>(ref) : BlockArgument();
  auto rank = static_cast<unsigned>(slice.getSource().getType().getRank());
  for (unsigned dim = 0; dim < rank; ++dim) {
    Value offset = slice.getOffset(dim);
    auto program = offset ? offset.getDefiningOp<tile::ProgramIdOp>() : tile::ProgramIdOp();
    bool isOfGrid = slice.getMode(dim) == tile::SliceMode::Element && program && program.getAxis() == dim;
    bool isWhole = slice.getMode(dim) == tile::SliceMode::Whole || (offset && matchPattern(offset, m_Zero()));
    if (dim < axes ? !isOfGrid : !isWhole || slice.getMode(dim) == tile::SliceMode::Element)
      return {};
  }
  return rank > axes ? dyn_cast<BlockArgument>(slice.getSource()) : BlockArgument();
}

LogicalResult FoundSorts::refuse(tile::SortOp sort, const Twine &why) {
  InFlightDiagnostic diagnostic = sort.emitError()
                                  << "all of dimension " << sort.getAxis() << " is sorted together, and may be more "
                                  << "than a thread group can hold; all of the GPU sorts such rows, but not " << why;
  diagnostic.attachNote() << "use static blocks of at most " << mostElements
                          << " elements along it, of which those out of bounds are not sorted";
  return failure();
}

static bool changesMemory(Operation &op) {
  return op
      .walk([](Operation *inner) {
        return isa<tile::RootOpInterface, tile::DebugPrintOp>(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

llvm::SmallPtrSet<Operation *, 16> FoundSorts::opsOfRest() {
  llvm::SmallPtrSet<Operation *, 16> rest;
  llvm::SmallDenseSet<Value> changed; // Arrays.
  auto isOfRest = [&](Operation *op) {
    if (llvm::any_of(op->getOperands(), [&](Value operand) { return rest.contains(operand.getDefiningOp()); }))
      return true;
    auto access = dyn_cast<tile::MemoryAccessOpInterface>(op);
    return access && llvm::any_of(access.getMemoryAccesses(), [&](const tile::MemoryAccess &each) {
             return changed.contains(tile::arrayOf(each.ref));
           });
  };
  for (Operation &op : launch.getBody().front()) {
    bool isSort = llvm::any_of(sorts, [&](const LongSort &sort) { return sort.op == &op; });
    bool isLater = op.walk([&](Operation *inner) {
                       return isOfRest(inner) ? WalkResult::interrupt() : WalkResult::advance();
                     }).wasInterrupted();
    if (!isSort && !isLater && !changesMemory(op))
      continue;
    rest.insert(&op);
    op.walk([&](tile::RootOpInterface root) {
      if (auto access = dyn_cast<tile::MemoryAccessOpInterface>(root.getOperation()))
        for (const tile::MemoryAccess &each : access.getMemoryAccesses())
          changed.insert(tile::arrayOf(each.ref));
    });
  }
  return rest;
}

LogicalResult FoundSorts::check(tile::SortOp sort) {
  if (sort->getParentOp() != launch)
    return refuse(sort, "in loops and branches: store them to an array, and sort that in a launch of its own");
  if (sort.getKeys() > 1)
    return refuse(sort, "by several keys: sort by the last one first, each in a launch of its own");
  if (sort.getSources().size() > 2)
    return refuse(sort, "several tiles with a key: sort the places, tg::argsort, and gather the others in a launch "
                        "behind");
  return success();
}

void FoundSorts::describe(LongSort &sort) {
  for (int64_t dim = 0; dim < sort.op.getType().getRank(); ++dim)
    sort.there.push_back(extents.valueOf(extents.of(extents.sourceThatTells(sort.op.getSources(), dim), dim), sort.op));
  bool isInnermost = sort.axis() + 1 == sort.op.getType().getRank();
  for (Value source : sort.op.getSources()) {
    auto load = source.getDefiningOp<tile::LoadOp>();
    bool isPlain = isInnermost && load && !load.getMask();
    sort.from.push_back(isPlain ? wholeArgument(load.getRef(), launch) : BlockArgument());
    readsWhole &= sort.radix.isPlaces(source) || sort.from.back();
  }
  for (Value result : sort.op.getResults()) {
    auto store = result.hasOneUse() ? dyn_cast<tile::StoreOp>(*result.user_begin()) : tile::StoreOp();
    bool isPlain = isInnermost && store && !store.getMask() && store.getValue() == result;
    BlockArgument to = isPlain ? wholeArgument(store.getRef(), launch) : BlockArgument();
    // One pass does not write where it reads.
    bool isInPlace = to && sort.radix.passes() == 1 && llvm::is_contained(sort.from, to);
    sort.to.push_back(isInPlace ? BlockArgument() : to);
    storesWhole &= result.use_empty() || sort.to.back();
  }
}

LogicalResult FoundSorts::find() {
  LogicalResult result = success();
  launch.getBody().walk([&](tile::SortOp sort) {
    if (!isLong(sort, extents))
      return;
    if (failed(check(sort)))
      result = failure();
    else
      sorts.push_back({sort, RadixSort(launch, sort, sorts.size()), {}, {}, {}});
  });
  if (failed(result))
    return failure();
  llvm::SmallPtrSet<Operation *, 16> rest = opsOfRest();
  size_t stores = 0;
  for (LongSort &sort : sorts) {
    for (Value source : sort.op.getSources())
      if (rest.contains(source.getDefiningOp()))
        return refuse(sort.op, "what is made of what the program sorts, stores or updates: do that in a launch before");
    describe(sort);
    stores += llvm::count_if(sort.op.getResults(), [](Value result) { return !result.use_empty(); });
  }
  for (LongSort &sort : sorts) // One sort does not write what another one is still to read.
    for (LongSort &other : sorts)
      for (BlockArgument to : sort.to)
        storesWhole &= &sort == &other || !to || !llvm::is_contained(other.from, to);
  storesWhole &= stores == static_cast<size_t>(llvm::count_if(launch.getBody().front(), changesMemory));
  return success();
}

bool hasLongSorts(tile::LaunchOp launch) {
  SmallVector<tile::SortOp> sorts;
  launch.getBody().walk([&](tile::SortOp sort) { sorts.push_back(sort); });
  if (sorts.empty())
    return false;
  Extents extents(launch);
  return llvm::any_of(sorts, [&](tile::SortOp sort) { return isLong(sort, extents); });
}

} // namespace tegula::split
