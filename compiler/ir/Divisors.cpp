// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Divisors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

int64_t tegula::tile::divisorOf(Value value) {
  constexpr int64_t any = int64_t(1) << 62;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    int64_t number = constant.getSExtValue();
    return number == 0 ? any : number & -number;
  }
  Operation *op = value.getDefiningOp();
  if (auto product = dyn_cast_or_null<arith::MulIOp>(op)) {
    int64_t left = divisorOf(product.getLhs()), right = divisorOf(product.getRhs());
    return left > any / right ? any : left * right;
  }
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
    return std::min(divisorOf(op->getOperand(0)), divisorOf(op->getOperand(1)));
  if (isa_and_nonnull<arith::AndIOp>(op)) // Bits that one side lacks are gone.
    return std::max(divisorOf(op->getOperand(0)), divisorOf(op->getOperand(1)));
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()); loop && loop.getInductionVar() == value)
      return std::min(divisorOf(loop.getLowerBound()), divisorOf(loop.getStep()));
  return 1;
}
