// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Uniformity.h"

#include "ir/ControlFlow.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace tegula {

Uniformity::Uniformity(Region &program, int64_t count) : program(program), count(count) { findVarying(program); }

// ---- One thread -----------------------------------------------------------------------------------------------------

/// The constant that the only result of an op without regions folds to in this thread. Folders may change the op in
/// place, operands change sides for instance: they get a copy of it.
Attribute Uniformity::foldedAt(Operation *op, int64_t thread) {
  Operation *copy = op->clone();
  auto erased = llvm::make_scope_exit([&] { copy->destroy(); });
  SmallVector<OpFoldResult> folded;
  // A change in place is success without results. After two of them, the op is as it will be.
  for (unsigned round = 0; round < 3 && folded.empty(); ++round) {
    SmallVector<Attribute> operands;
    for (Value operand : copy->getOperands())
      operands.push_back(valueAt(operand, thread));
    if (failed(copy->fold(operands, folded)))
      return {};
  }
  if (folded.size() != 1)
    return {};
  auto same = dyn_cast<Value>(folded.front());
  return same ? valueAt(same, thread) : cast<Attribute>(folded.front());
}

/// The constant that a value is in the thread of this index; null if it is none.
Attribute Uniformity::valueAt(Value value, int64_t thread) {
  auto [known, isNew] = values.try_emplace({value, thread}, Attribute());
  if (!isNew)
    return known->second;
  Operation *op = value.getDefiningOp();
  Attribute result;
  if (isa_and_nonnull<tile::ThreadIndexOp>(op)) {
    result = IntegerAttr::get(value.getType(), thread);
  } else if (auto branch = dyn_cast_or_null<scf::IfOp>(op)) {
    auto condition = dyn_cast_or_null<IntegerAttr>(valueAt(branch.getCondition(), thread));
    unsigned number = cast<OpResult>(value).getResultNumber();
    if (condition)
      result =
          valueAt((condition.getValue().isZero() ? branch.elseYield() : branch.thenYield()).getOperand(number), thread);
  } else if (op && !matchPattern(value, m_Constant(&result)) && op->getNumResults() == 1 && op->getNumRegions() == 0 &&
             isMemoryEffectFree(op)) {
    result = foldedAt(op, thread);
  }
  return values[{value, thread}] = result;
}

std::optional<bool> Uniformity::known(Value condition, unsigned threads) {
  std::optional<bool> result;
  for (int64_t thread = 0; thread < count; ++thread) {
    if (!(threads >> thread & 1))
      continue;
    auto value = dyn_cast_or_null<IntegerAttr>(valueAt(condition, thread));
    if (!value || (result && *result == value.getValue().isZero()))
      return std::nullopt;
    result = !value.getValue().isZero();
  }
  return result;
}

unsigned Uniformity::mayReach(Operation *op) {
  unsigned threads = (1u << count) - 1;
  for (Region *region = op->getParentRegion(); region != &program; region = region->getParentRegion()) {
    auto branch = dyn_cast<scf::IfOp>(region->getParentOp());
    if (!branch)
      continue;
    bool isThen = region == &branch.getThenRegion();
    for (int64_t thread = 0; thread < count; ++thread)
      if (known(branch.getCondition(), 1u << thread) == !isThen)
        threads &= ~(1u << thread);
  }
  return threads;
}

// ---- All threads ----------------------------------------------------------------------------------------------------

/// From the indices of thread and block, and from memory, on: through arithmetic, and through what control flow that
/// varies chooses.
void Uniformity::findVarying(Region &region) {
  bool changes = true;
  auto add = [&](Value value) { changes |= varying.insert(value).second; };
  auto varies = [&](Value value) { return varying.contains(value); };
  while (std::exchange(changes, false))
    region.walk([&](Operation *op) {
      if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
        bool all = decides(branch);
        tile::forEachCarried(branch, [&](OpOperand &from, Value to) {
          if (all || varies(from.get()))
            add(to);
        });
        for (Region &inner : op->getRegions()) // Also what nothing is passed on to: induction variables.
          for (BlockArgument argument : inner.getArguments())
            if (all)
              add(argument);
      } else if (isa<tile::ReadStepOp>(op)) {
        return; // All threads of the cluster get the same.
      } else if (isa<tile::ThreadIndexOp, tile::ClusterIndexOp, tile::ClusterRankOp>(op) || !isMemoryEffectFree(op) ||
                 llvm::any_of(op->getOperands(), varies)) {
        for (Value result : op->getResults())
          add(result);
      }
    });
}

/// Whether threads may take different ways through an op's regions.
bool Uniformity::decides(RegionBranchOpInterface op) const {
  return llvm::any_of(tile::decidingValues(op), [&](Value value) { return varying.contains(value); });
}

bool Uniformity::convergesAt(Operation *op) const {
  for (Operation *around = op->getParentOp(); around != program.getParentOp(); around = around->getParentOp())
    if (auto branch = dyn_cast<RegionBranchOpInterface>(around); !branch || decides(branch))
      return false;
  return true;
}

} // namespace tegula
