// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Expressions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tegula {

Value cloneExpression(OpBuilder &builder, Value value, IRMapping &clones,
                      llvm::function_ref<std::optional<Value>(Value)> there) {
  if (Value clone = clones.lookupOrNull(value))
    return clone;
  if (std::optional<Value> known = there(value))
    return *known;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() > 0)
    return {};
  for (Value operand : op->getOperands()) {
    Value clone = cloneExpression(builder, operand, clones, there);
    if (!clone)
      return {};
    clones.map(operand, clone);
  }
  builder.clone(*op, clones); // Which maps its results.
  return clones.lookup(value);
}

bool dependsOn(Value value, Value other) {
  llvm::SetVector<Value> all;
  all.insert(value);
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i] == other)
      return true;
    Operation *op = all[i].getDefiningOp();
    if (!op)
      continue;
    all.insert(op->operand_begin(), op->operand_end());
    op->walk([&](Operation *inside) { all.insert(inside->operand_begin(), inside->operand_end()); });
  }
  return false;
}

void forEachImplied(Value condition, bool holds, llvm::function_ref<void(Value, bool)> visit) {
  visit(condition, holds);
  // A choice is `a && b` where it is false without a, and `a || b` where it is true with a.
  auto visitChoice = [&](Value choice, Value ifTrue, Value ifFalse) {
    bool isOfBoth = holds ? matchPattern(ifFalse, m_Zero()) : matchPattern(ifTrue, m_One());
    if (!isOfBoth)
      return;
    forEachImplied(choice, holds, visit);
    forEachImplied(holds ? ifTrue : ifFalse, holds, visit);
  };
  Operation *op = condition.getDefiningOp();
  if (holds ? isa_and_nonnull<arith::AndIOp>(op) : isa_and_nonnull<arith::OrIOp>(op)) {
    for (Value side : op->getOperands())
      forEachImplied(side, holds, visit);
  } else if (isa_and_nonnull<arith::XOrIOp>(op) && matchPattern(op->getOperand(1), m_One())) {
    forEachImplied(op->getOperand(0), !holds, visit);
  } else if (auto select = dyn_cast_or_null<arith::SelectOp>(op)) {
    visitChoice(select.getCondition(), select.getTrueValue(), select.getFalseValue());
  } else if (auto branch = dyn_cast_or_null<scf::IfOp>(op); branch && branch.getNumResults() == 1) {
    visitChoice(branch.getCondition(), branch.thenYield().getOperand(0), branch.elseYield().getOperand(0));
  }
}

} // namespace tegula
