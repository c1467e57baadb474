// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Expressions.h"

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

} // namespace tegula
