// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dims of arrays that the host's branches and loops carry.
#include "analysis/Symbols.h"

#include "ir/ControlFlow.h"

using namespace mlir;

namespace tegula {

/// Arrays of the host that branches and loops carry have the dims of what they may be, where these are equal: that of
/// an array that a loop exchanges are those from before it, if an iteration that begins with such ends with such.
void Symbols::equateCarriedDims() {
  auto entry = launch->getParentOfType<tile::EntryOp>();
  if (!entry)
    return;
  /// Dimension `dim` of a carried array, and of all that it may be, one step back.
  struct Carried {
    Value array;
    int64_t dim;
    SmallVector<Value> sources;
    bool isEqual = true;
  };
  std::vector<Carried> carried;
  entry.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<tile::LaunchOp>(op))
      return WalkResult::skip();
    llvm::MapVector<Value, SmallVector<Value>> sources;
    auto add = [&](Value from, Value to) {
      if (isa<tile::ArrayType>(to.getType()))
        sources[to].push_back(from);
    };
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
      tile::forEachCarried(branch, [&](OpOperand &from, Value to) { add(from.get(), to); });
    if (auto select = dyn_cast<arith::SelectOp>(op))
      for (Value from : {select.getTrueValue(), select.getFalseValue()})
        add(from, select);
    for (auto &[array, from] : sources)
      for (int64_t dim = 0; dim < cast<tile::ArrayType>(array.getType()).getRank(); ++dim)
        carried.push_back({array, dim, from});
    return WalkResult::advance();
  });
  if (carried.empty())
    return;
  // Assumed of all, and given up where it does not follow: the most that holds together.
  for (bool isStable = false; !isStable;) {
    isStable = true;
    Symbols assumed(*this);
    for (const Carried &each : carried)
      if (each.isEqual)
        assumed.equate(assumed.ofArrayDim(each.array, each.dim), assumed.ofArrayDim(each.sources.front(), each.dim));
    assumed.closeUnderCongruence();
    assumed.numbered.clear();
    for (Carried &each : carried) {
      auto isSame = [&](Value source) {
        return assumed.ofArrayDim(source, each.dim) == assumed.ofArrayDim(each.array, each.dim);
      };
      if (each.isEqual && !llvm::all_of(each.sources, isSame))
        each.isEqual = isStable = false;
    }
    if (isStable)
      *this = std::move(assumed);
  }
}

} // namespace tegula
