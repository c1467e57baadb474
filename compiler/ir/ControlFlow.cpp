// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ControlFlow.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tegula::tile {

static MutableArrayRef<OpOperand> asArray(Operation *owner, OperandRange operands) {
  return owner->getOpOperands().slice(operands.empty() ? 0 : operands.getBeginOperandIndex(), operands.size());
}

void forEachCarried(RegionBranchOpInterface op, function_ref<void(OpOperand &, Value)> visit) {
  auto pass = [&](RegionBranchPoint from, auto operandsFor) {
    SmallVector<RegionSuccessor> successors;
    op.getSuccessorRegions(from, successors);
    for (RegionSuccessor &successor : successors)
      for (auto [operand, input] : llvm::zip(operandsFor(successor), successor.getSuccessorInputs()))
        visit(operand, input);
  };
  pass(RegionBranchPoint::parent(),
       [&](RegionSuccessor &successor) { return asArray(op, op.getEntrySuccessorOperands(successor)); });
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(block.getTerminator()))
        pass(region, [&](RegionSuccessor &successor) {
          return asArray(terminator, terminator.getSuccessorOperands(successor));
        });
}

SmallVector<Value> carriedSources(Value value) {
  Operation *owner = value.getDefiningOp();
  if (!owner)
    owner = value.getParentBlock()->getParentOp();
  auto op = dyn_cast<RegionBranchOpInterface>(owner);
  if (!op)
    return {};
  llvm::SmallSetVector<OpOperand *, 4> passed;
  forEachCarried(op, [&](OpOperand &from, Value to) {
    if (to == value)
      passed.insert(&from);
  });
  llvm::SmallSetVector<Value, 4> sources;
  for (OpOperand *operand : passed)
    sources.insert(operand->get());
  forEachCarried(op, [&](OpOperand &from, Value to) {
    if (to != value && passed.contains(&from))
      sources.insert(to);
  });
  return llvm::to_vector(sources);
}

SmallVector<Value> decidingValues(RegionBranchOpInterface op) {
  llvm::SmallPtrSet<OpOperand *, 8> passed;
  forEachCarried(op, [&](OpOperand &from, Value) { passed.insert(&from); });
  SmallVector<Value> result;
  auto add = [&](Operation *of) {
    for (OpOperand &operand : of->getOpOperands())
      if (!passed.contains(&operand))
        result.push_back(operand.get());
  };
  add(op);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      add(block.getTerminator());
  return result;
}

} // namespace tegula::tile
