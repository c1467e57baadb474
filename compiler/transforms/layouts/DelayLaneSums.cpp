// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over lanes leave loops. What is added up, and multiplied by what all lanes know, can be added up by each lane of
// what it has itself; the lanes combine their parts once, where the sum is wanted:
//
//   for:  t = t * c + reduce sum x              for:  t = t * c + reduce sum x partial
//   store t                               ->    store combine_lanes t
//
// A step of an attention then shuffles for its maximum alone. Sums are rounded in another order, as approx_math allows.
#include "ir/ApproxMath.h"
#include "ir/ControlFlow.h"
#include "ir/TileDialect.h"
#include "transforms/Passes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILEDELAYLANESUMS
#include "transforms/Passes.h.inc"

namespace {

/// Zero is the sum of zeros: what lanes have of it is parts, too.
bool isZeroInParts(Value value) {
  if (auto full = value.getDefiningOp<tile::FullOp>())
    return matchPattern(full.getValue(), m_AnyZeroFloat());
  auto product = value.getDefiningOp<tile::MulOp>();
  return product && (isZeroInParts(product.getLhs()) || isZeroInParts(product.getRhs()));
}

/// Calls `visit` for each value that control flow makes of an operand.
void forEachTarget(OpOperand &operand, function_ref<void(Value)> visit) {
  Operation *owner = operand.getOwner();
  if (owner->hasTrait<OpTrait::IsTerminator>())
    owner = owner->getParentOp();
  if (auto branch = dyn_cast<RegionBranchOpInterface>(owner))
    tile::forEachCarried(branch, [&](OpOperand &from, Value to) {
      if (&from == &operand)
        visit(to);
    });
}

class LaneSums {
public:
  explicit LaneSums(tile::KernelOp kernel) : kernel(kernel) {}

  void run();

private:
  void grow();
  void shrink();
  bool canBeParts(Value value) const;
  bool isPartsOrZero(Value value) const { return parts.contains(value) || isZeroInParts(value); }
  /// Whether a use of parts makes parts again.
  bool makesParts(OpOperand &use) const;
  void delay(ArrayRef<Value> group);

  tile::KernelOp kernel;
  /// Values that lanes can have in parts.
  llvm::SetVector<Value> parts;
};

/// All that might be: the sums over lanes, and where they lead.
void LaneSums::grow() {
  kernel.walk([&](tile::ReduceOp reduce) {
    Type element = reduce.getType().getElementType();
    bool isApproximate = isa<FloatType>(element) && !element.isF64();
    if (isApproximate && reduce.getKind() == tile::Reduction::Sum && reduce.getExtents().empty() &&
        !reduce.getCluster() && reduce.isWithinLanes())
      parts.insert(reduce.getResult());
  });
  for (size_t i = 0; i < parts.size(); ++i) // Grows on the way.
    for (OpOperand &use : parts[i].getUses()) {
      if (isa<tile::AddOp, tile::MulOp>(use.getOwner()))
        parts.insert(use.getOwner()->getResult(0));
      forEachTarget(use, [&](Value target) { parts.insert(target); });
    }
}

bool LaneSums::canBeParts(Value value) const {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<tile::ReduceOp>(op))
    return true;
  if (isa_and_nonnull<tile::AddOp>(op))
    return llvm::all_of(op->getOperands(), [&](Value operand) { return isPartsOrZero(operand); });
  if (isa_and_nonnull<tile::MulOp>(op))
    return parts.contains(op->getOperand(0)) != parts.contains(op->getOperand(1));
  return llvm::all_of(tile::carriedSources(value), [&](Value source) { return isPartsOrZero(source); });
}

/// What is no sum of parts makes none.
void LaneSums::shrink() {
  while (parts.remove_if([&](Value value) { return !canBeParts(value); }))
    ;
}

bool LaneSums::makesParts(OpOperand &use) const {
  if (isa<tile::AddOp, tile::MulOp>(use.getOwner()))
    return parts.contains(use.getOwner()->getResult(0));
  bool makes = false;
  forEachTarget(use, [&](Value target) { makes |= parts.contains(target); });
  return makes;
}

/// Marks the sums of a group of dependent values as partial, if their lanes are then combined in fewer iterations.
void LaneSums::delay(ArrayRef<Value> group) {
  auto loopAround = [](Value value) -> Operation * {
    Operation *around = value.getParentBlock()->getParentOp();
    return isa<LoopLikeOpInterface>(around) ? around : around->getParentOfType<LoopLikeOpInterface>();
  };
  SmallVector<tile::ReduceOp> sums;
  SmallVector<Value> wanted;
  for (Value value : group) {
    if (auto sum = value.getDefiningOp<tile::ReduceOp>())
      sums.push_back(sum);
    if (llvm::any_of(value.getUses(), [&](OpOperand &use) { return !makesParts(use); }))
      wanted.push_back(value);
  }
  bool pays = llvm::all_of(wanted, [&](Value value) {
    Operation *loop = loopAround(value);
    return llvm::any_of(sums, [&](tile::ReduceOp sum) {
      Operation *inner = loopAround(sum.getResult());
      return inner && inner != loop && (!loop || loop->isProperAncestor(inner));
    });
  });
  if (!pays)
    return;
  for (tile::ReduceOp sum : sums)
    sum.setPartial(true);
  for (Value value : wanted) {
    OpBuilder builder(kernel.getContext());
    builder.setInsertionPointAfterValue(value);
    auto whole = builder.create<tile::CombineLanesOp>(value.getLoc(), value);
    value.replaceUsesWithIf(whole, [&](OpOperand &use) { return use.getOwner() != whole && !makesParts(use); });
  }
}

void LaneSums::run() {
  grow();
  shrink();
  llvm::EquivalenceClasses<void *> groups;
  for (Value value : parts) {
    groups.insert(value.getAsOpaquePointer());
    auto join = [&](Value other) { groups.unionSets(value.getAsOpaquePointer(), other.getAsOpaquePointer()); };
    for (OpOperand &use : value.getUses()) {
      if (!makesParts(use))
        continue;
      if (isa<tile::AddOp, tile::MulOp>(use.getOwner()))
        join(use.getOwner()->getResult(0));
      forEachTarget(use, join);
    }
  }
  llvm::MapVector<void *, SmallVector<Value>> members;
  for (Value value : parts)
    members[groups.getLeaderValue(value.getAsOpaquePointer())].push_back(value);
  for (auto &[leader, group] : members)
    delay(group);
}

struct DelayLaneSums : impl::TileDelayLaneSumsBase<DelayLaneSums> {
  void runOnOperation() override {
    getOperation().walk([](tile::KernelOp kernel) {
      if (hasApproxMath(kernel))
        LaneSums(kernel).run();
    });
  }
};
} // namespace
} // namespace tegula
