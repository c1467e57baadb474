// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Divisors.h"

#include "ir/Elements.h"
#include "ir/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula;

/// Sums of more than this are not looked into: those that share terms have exponentially many.
static constexpr unsigned deepest = 12;

static int64_t divisor(Value value, unsigned depth) {
  constexpr int64_t any = int64_t(1) << 62;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    int64_t number = constant.getSExtValue();
    return number == 0 ? any : number & -number;
  }
  if (depth == deepest)
    return 1;
  Operation *op = value.getDefiningOp();
  if (auto product = dyn_cast_or_null<arith::MulIOp>(op)) {
    int64_t left = divisor(product.getLhs(), depth + 1), right = divisor(product.getRhs(), depth + 1);
    return left > any / right ? any : left * right;
  }
  if (auto shift = dyn_cast_or_null<arith::ShLIOp>(op);
      shift && matchPattern(shift.getRhs(), m_ConstantInt(&constant))) {
    int64_t left = divisor(shift.getLhs(), depth + 1);
    return constant.uge(62) || left > any >> constant.getZExtValue() ? any : left << constant.getZExtValue();
  }
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp>(op))
    return std::min(divisor(op->getOperand(0), depth + 1), divisor(op->getOperand(1), depth + 1));
  if (isa_and_nonnull<arith::AndIOp>(op)) // Bits that one side lacks are gone.
    return std::max(divisor(op->getOperand(0), depth + 1), divisor(op->getOperand(1), depth + 1));
  if (isa_and_nonnull<arith::TruncIOp, arith::ExtSIOp, arith::ExtUIOp>(op)) // Divisors are powers of two.
    return divisor(op->getOperand(0), depth + 1);
  if (auto promise = dyn_cast_or_null<tile::MultipleOfOp>(op)) {
    auto multiple = static_cast<int64_t>(promise.getMultiple());
    return std::max(multiple & -multiple, divisor(promise.getValue(), depth + 1));
  }
  if (auto dim = dyn_cast_or_null<tile::DimOp>(op))
    if (auto ref = dyn_cast<tile::RefType>(dim.getSource().getType()))
      return ref.getIsEven() && static_cast<int64_t>(dim.getAxis()) + 1 == ref.getRank()
                 ? std::max<int64_t>(1, tile::elementsIn(ref.getAlignment(), ref.getElementType()))
                 : 1;
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()); loop && loop.getInductionVar() == value)
      return std::min(divisor(loop.getLowerBound(), depth + 1), divisor(loop.getStep(), depth + 1));
  return 1;
}

int64_t tegula::tile::divisorOf(Value value) { return divisor(value, /*depth=*/0); }

int64_t tegula::tile::alignmentOfNeighbours(Value ref) {
  auto type = cast<RefType>(ref.getType());
  if (type.getRank() == 0 || type.isShared() || type.isTable() || isPacked(type.getElementType()))
    return 0;
  if (isa<BlockArgument>(ref))
    return type.getIsEven() ? type.getAlignment() : 0;
  auto slice = ref.getDefiningOp<SliceOp>();
  int64_t alignment = slice ? alignmentOfNeighbours(slice.getSource()) : 0;
  if (alignment == 0)
    return 0;
  unsigned inner = slice.getSource().getType().getRank() - 1;
  switch (slice.getMode(inner)) {
  case SliceMode::Whole:
    return alignment;
  case SliceMode::Element:
    return 0;
  case SliceMode::Window:
    break;
  }
  IntegerAttr constant;
  if (matchPattern(slice.getOffset(inner), m_Constant(&constant)))
    return alignment;
  int64_t divisor = std::min(divisorOf(slice.getOffset(inner)), elementsIn(alignment, type.getElementType()));
  return bytesIn(divisor, type.getElementType());
}
