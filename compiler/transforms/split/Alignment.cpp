// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/Alignment.h"

#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;

namespace tegula::split {
namespace {

/// A power of two that divides the value for certain; 2^62 for 0.
int64_t divisorOf(Value value) {
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
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()); loop && loop.getInductionVar() == value)
      return std::min(divisorOf(loop.getLowerBound()), divisorOf(loop.getStep()));
  return 1;
}

/// Along the innermost dimension only windows keep the promise: an element of it has neighbours elsewhere.
int64_t alignmentOf(tile::SliceOp slice) {
  tile::RefType source = slice.getSource().getType();
  int64_t alignment = source.getAlignment();
  if (alignment == 0 || source.getRank() == 0 || slice.getType().getRank() == 0)
    return 0;
  unsigned inner = source.getRank() - 1;
  switch (slice.getMode(inner)) {
  case tile::SliceMode::Whole:
    return alignment;
  case tile::SliceMode::Element:
    return 0;
  case tile::SliceMode::Window:
    break;
  }
  int64_t bytes = std::max<int64_t>(1, source.getElementType().getIntOrFloatBitWidth() / 8);
  int64_t divisor = std::min(divisorOf(slice.getOffset(inner)), alignment);
  return std::min(alignment, divisor * bytes);
}

} // namespace

bool propagateAlignment(tile::KernelOp kernel) {
  bool gains = false;
  kernel.getBody().walk([&](Operation *op) {
    if (auto slice = dyn_cast<tile::SliceOp>(op)) {
      tile::RefType type = slice.getType();
      slice.getResult().setType(tile::RefType::get(type.getElementType(), type.getDims(), alignmentOf(slice)));
      return;
    }
    tile::RefType ref;
    if (auto load = dyn_cast<tile::LoadOp>(op))
      ref = load.getRef().getType();
    else if (auto store = dyn_cast<tile::StoreOp>(op))
      ref = store.getRef().getType();
    else
      return;
    int64_t bytes = std::max<int64_t>(1, ref.getElementType().getIntOrFloatBitWidth() / 8);
    gains |= ref.getRank() > 0 && ref.getBound(ref.getRank() - 1) > 1 && ref.getAlignment() > bytes;
  });
  return gains;
}

} // namespace tegula::split
