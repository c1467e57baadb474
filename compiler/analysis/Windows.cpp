// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Windows.h"

#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;

namespace tegula {

/// Sums of more than this are taken as they are: those that share terms have exponentially many.
static constexpr unsigned deepest = 10;

bool Windows::equal(Value a, Value b) {
  return tile::isSameWindow(a, b, [&](Value x, Value y) { return symbols.of(x) == symbols.of(y); });
}

/// Whether windows of one step fall between one another: o[ds(0, n, 2)] and o[ds(1, n, 2)].
bool Windows::interleave(tile::StridedSliceOp left, tile::StridedSliceOp right) {
  std::optional<int64_t> step = left.stepSharedWith(right);
  if (!step || !equal(left.getSource(), right.getSource()))
    return false;
  Start a = startOf(left.getOffset()), b = startOf(right.getOffset());
  Linear between = b.fixed;
  between.add(a.fixed, -1);
  int64_t by = std::gcd(*step, std::gcd(a.step, b.step));
  for (auto [symbol, factor] : between.factors)
    by = std::gcd(by, factor);
  return between.constant % by != 0;
}

bool Windows::disjoint(Value a, Value b) {
  if (auto left = a.getDefiningOp<tile::StridedSliceOp>(), right = b.getDefiningOp<tile::StridedSliceOp>();
      left && right)
    return interleave(left, right);
  auto left = a.getDefiningOp<tile::SliceOp>(), right = b.getDefiningOp<tile::SliceOp>();
  if (!left || !right || !equal(left.getSource(), right.getSource()))
    return false;
  for (unsigned dim = 0; dim < left.getModes().size(); ++dim)
    if (apart(left, right, dim))
      return true;
  return false;
}

/// It stays where it is, or moves by all that it spans.
bool Windows::repeatsApart(tile::StridedSliceOp strided) {
  APInt each;
  int64_t step = startOf(strided.getOffset()).step, size = strided.getType().getBound(strided.getAxis());
  if (step == 0)
    return !varies(strided.getStep());
  return matchPattern(strided.getStep(), m_ConstantInt(&each)) && !ShapedType::isDynamic(size) &&
         step > (size - 1) * each.getSExtValue();
}

bool Windows::repeatsApart(Value ref) {
  // A slice, with a step or not, or a view with the dims in another order.
  for (Operation *op = ref.getDefiningOp(); op; op = op->getOperand(0).getDefiningOp()) {
    if (auto strided = dyn_cast<tile::StridedSliceOp>(op); strided && !repeatsApart(strided))
      return false;
    auto slice = dyn_cast<tile::SliceOp>(op);
    for (unsigned dim = 0; slice && dim < slice.getModes().size(); ++dim) {
      if (slice.getMode(dim) != tile::SliceMode::Window)
        continue;
      int64_t step = startOf(slice.getOffset(dim)).step, size = slice.getBound(dim);
      if (step != 0 && (ShapedType::isDynamic(size) || step < size))
        return false;
    }
  }
  return true;
}

/// Whether a value may change from one iteration of a loop to the next.
bool Windows::varies(Value value) {
  if (auto known = varying.find(value); known != varying.end())
    return known->second;
  bool result = false;
  if (Operation *op = value.getDefiningOp(); op && isPure(op) && op->getNumRegions() == 0) {
    result = llvm::any_of(op->getOperands(), [&](Value operand) { return varies(operand); });
  } else {
    for (Operation *op = value.getParentBlock()->getParentOp(); op && op != launch; op = op->getParentOp())
      result |= isa<scf::ForOp, scf::WhileOp>(op);
  }
  return varying[value] = result;
}

Windows::Start Windows::startOf(Value offset) {
  Start start;
  add(start, offset, 1, /*depth=*/0);
  return start;
}

void Windows::add(Start &start, Value value, int64_t factor, unsigned depth) {
  if (!varies(value)) {
    start.fixed.add(symbols.linear(symbols.of(value)), factor);
    return;
  }
  APInt constant;
  Operation *op = depth < deepest ? value.getDefiningOp() : nullptr;
  if (auto extended = dyn_cast_or_null<arith::ExtSIOp>(op)) {
    add(start, extended.getIn(), factor, depth + 1);
  } else if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
    add(start, op->getOperand(0), factor, depth + 1);
    add(start, op->getOperand(1), isa<arith::SubIOp>(op) ? -factor : factor, depth + 1);
  } else if (isa_and_nonnull<arith::MulIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&constant))) {
    add(start, op->getOperand(0), factor * constant.getSExtValue(), depth + 1);
  } else {
    addVarying(start, value, factor, depth);
  }
}

/// An index that counts from the same number every time differs from it by a multiple of its step; anything else may be
/// any integer.
void Windows::addVarying(Start &start, Value value, int64_t factor, unsigned depth) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  APInt step;
  if (loop && loop.getInductionVar() == value && !varies(loop.getLowerBound()) &&
      matchPattern(loop.getStep(), m_ConstantInt(&step))) {
    add(start, loop.getLowerBound(), factor, depth + 1);
    factor *= step.getSExtValue();
  }
  start.step = std::gcd(start.step, factor);
}

Linear Windows::sizeOf(tile::SliceOp slice, unsigned dim) {
  if (Value size = slice.getSize(dim))
    return symbols.linear(symbols.of(size));
  Linear size;
  size.constant = slice.getBound(dim);
  return size;
}

bool Windows::apart(tile::SliceOp left, tile::SliceOp right, unsigned dim) {
  if (left.getMode(dim) == tile::SliceMode::Whole || right.getMode(dim) == tile::SliceMode::Whole)
    return false;
  Start a = startOf(left.getOffset(dim)), b = startOf(right.getOffset(dim));
  Linear between = b.fixed, sizeOfLeft = sizeOf(left, dim), sizeOfRight = sizeOf(right, dim);
  between.add(a.fixed, -1);
  int64_t step = std::gcd(a.step, b.step);
  if (step == 0) {
    Linear before = between, behind;
    before.add(sizeOfLeft, -1);
    behind.add(between, -1);
    behind.add(sizeOfRight, -1);
    return symbols.isAtLeastZero(before) || symbols.isAtLeastZero(behind);
  }
  for (auto [symbol, factor] : between.factors)
    step = std::gcd(step, factor);
  if (!sizeOfLeft.factors.empty() || !sizeOfRight.factors.empty())
    return false;
  // They begin as far apart as this, or any number of steps more or less.
  int64_t distance = (between.constant % step + step) % step;
  return distance >= sizeOfLeft.constant && step - distance >= sizeOfRight.constant;
}

} // namespace tegula
