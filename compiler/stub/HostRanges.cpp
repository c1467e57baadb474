// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/HostRanges.h"

#include "ir/GridOps.h"
#include "ir/TileDialect.h"

#include "tegula/abi_version.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;

namespace tegula::stub {

using Range = HostRanges::Range;

/// Expressions of people and plans nest less.
static constexpr unsigned deepest = 64, deepestExtents = 8;

Range HostRanges::ofType(Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == 1)
    return {0, 1};
  __int128 end = __int128{1} << (width - 1);
  return {-end, end - 1};
}

static Range unite(const Range &a, const Range &b) {
  return {std::min(a.least, b.least), std::max(a.greatest, b.greatest)};
}

/// From the values of a function at the corners, for one that is monotone in each operand.
template <class Function> static Range ofCorners(const Range &a, const Range &b, Function function) {
  __int128 corners[] = {function(a.least, b.least), function(a.least, b.greatest), function(a.greatest, b.least),
                        function(a.greatest, b.greatest)};
  return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

Value hostArrayOf(Value array) {
  for (auto argument = dyn_cast<BlockArgument>(array); argument; argument = dyn_cast<BlockArgument>(array)) {
    auto launch = dyn_cast<tile::LaunchOp>(argument.getOwner()->getParentOp());
    if (!launch)
      break;
    array = launch.getArguments()[argument.getArgNumber() - launch.getGrid().size()];
  }
  return array;
}

Range HostRanges::of(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Range type = ofType(value.getType());
  if (depth > deepest)
    return type;
  ++depth;
  Range range = compute(value);
  --depth;
  if (!range.isWithin(type)) // It wraps, or is checked.
    range = type;
  known[value] = range;
  return range;
}

Range HostRanges::compute(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    int64_t number = constant.getBitWidth() == 1 ? constant.getZExtValue() : constant.getSExtValue();
    return {number, number};
  }
  if (Operation *op = value.getDefiningOp())
    return op->getNumResults() == 1 ? computeOp(op) : ofType(value.getType());
  auto argument = cast<BlockArgument>(value);
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(parent); loop && loop.getInductionVar() == value)
    return {of(loop.getLowerBound()).least,
            std::max(of(loop.getLowerBound()).least, of(loop.getUpperBound()).greatest - 1)};
  if (auto launch = dyn_cast<tile::LaunchOp>(parent)) { // In its plan, behind the check of its grid.
    unsigned i = argument.getArgNumber(), axes = launch.getGrid().size();
    Range range = of(i < axes ? launch.getGrid()[i] : launch.getArguments()[i - axes]);
    return i < axes ? Range{std::max<__int128>(range.least, 0), std::max<__int128>(range.greatest, 0)} : range;
  }
  return ofType(value.getType());
}

/// All extents of an array are 0 or more, and those of the entry's are as few as its call admits.
Range HostRanges::ofDim(Value array, int64_t axis) {
  array = hostArrayOf(array);
  if (auto made = array.getDefiningOp<tile::EmptyOp>()) {
    Range size = of(made.getDims()[axis]);
    return {std::max<__int128>(size.least, 0), std::clamp<__int128>(size.greatest, 0, abi::max_elements)};
  }
  return {0, abi::max_elements};
}

std::optional<HostRanges::Extents> HostRanges::extentsIn(Value value, unsigned nested) {
  Operation *op = value.getDefiningOp();
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto launch = dyn_cast<tile::LaunchOp>(argument.getOwner()->getParentOp());
        launch && argument.getArgNumber() < launch.getGrid().size() && nested > 0)
      return extentsIn(launch.getGrid()[argument.getArgNumber()], nested - 1);
  if (!op || nested == 0)
    return std::nullopt;
  if (auto dim = dyn_cast<tile::DimOp>(op)) {
    auto type = dyn_cast<tile::ArrayType>(dim.getSource().getType());
    Value array = hostArrayOf(dim.getSource());
    bool countsArrays = type && type.getIsTable() && dim.getAxis() == 0;
    // What the call makes may be empty, and of any other extents.
    if (!type || countsArrays || !isa<BlockArgument>(array) ||
        !isa<tile::EntryOp>(cast<BlockArgument>(array).getOwner()->getParentOp()))
      return std::nullopt;
    return Extents{array, 1U << dim.getAxis(), 1};
  }
  if (auto product = dyn_cast<arith::MulIOp>(op)) {
    std::optional<Extents> left = extentsIn(product.getLhs(), nested - 1),
                           right = extentsIn(product.getRhs(), nested - 1);
    if (left && right && left->array == right->array && (left->axes & right->axes) == 0)
      return Extents{left->array, left->axes | right->axes, left->factor * right->factor};
    APInt times;
    if (left && matchPattern(product.getRhs(), m_ConstantInt(&times)) && times.sgt(0) && times.isSignedIntN(32))
      return Extents{left->array, left->axes, left->factor * times.getSExtValue()};
    return std::nullopt;
  }
  // What is divided by a constant, rounded down or up, is no more.
  APInt by;
  if (!isa<arith::DivSIOp, arith::CeilDivSIOp>(op) || !matchPattern(op->getOperand(1), m_ConstantInt(&by)) ||
      !by.sgt(0) || of(op->getOperand(0)).hasNegative())
    return std::nullopt;
  Value divided = op->getOperand(0);
  auto sum = divided.getDefiningOp<arith::AddIOp>();
  APInt more;
  if (isa<arith::DivSIOp>(op) && sum && matchPattern(sum.getRhs(), m_ConstantInt(&more)) && more == by - 1 &&
      !of(sum.getLhs()).hasNegative())
    divided = sum.getLhs();
  return extentsIn(divided, nested - 1);
}

Range HostRanges::exact(Operation *op) {
  Range a = of(op->getOperand(0)), b = op->getNumOperands() == 2 ? of(op->getOperand(1)) : Range{0, 0};
  return llvm::TypeSwitch<Operation *, Range>(op)
      .Case([&](arith::AddIOp) { return Range{a.least + b.least, a.greatest + b.greatest}; })
      .Case([&](arith::SubIOp) { return Range{a.least - b.greatest, a.greatest - b.least}; })
      .Case([&](arith::MulIOp product) {
        Range range = ofCorners(a, b, [](__int128 x, __int128 y) { return x * y; });
        std::optional<Extents> extents = range.hasNegative() ? std::nullopt : extentsIn(product, deepestExtents);
        if (extents && extents->factor <= (__int128{1} << 62))
          range.greatest = std::min(range.greatest, extents->factor * abi::max_elements);
        return range;
      })
      .Case([&](arith::ShLIOp) {
        if (b.least < 0 || b.greatest >= 63)
          return ofType(IntegerType::get(op->getContext(), 128 - 1)); // More than any type of the host holds.
        return ofCorners(a, b, [](__int128 x, __int128 y) { return x * (__int128{1} << y); });
      })
      .Default([&](Operation *) {
        return isa<arith::ExtSIOp>(op) && a.greatest == 1 && op->getOperand(0).getType().isInteger(1) ? Range{-1, 0}
                                                                                                      : a;
      });
}

bool HostRanges::fits(Operation *op) { return exact(op).isWithin(ofType(op->getResult(0).getType())); }

Range HostRanges::computeOp(Operation *op) {
  Range type = ofType(op->getResult(0).getType());
  auto operand = [&](unsigned i) { return of(op->getOperand(i)); };
  auto divide = [&](auto quotient) {
    Range a = operand(0), b = operand(1);
    return b.least > 0 ? ofCorners(a, b, quotient) : type;
  };
  auto isNatural = [&] { return !operand(0).hasNegative() && !operand(1).hasNegative(); };
  return llvm::TypeSwitch<Operation *, Range>(op)
      .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp, arith::TruncIOp, arith::ExtSIOp>(
          [&](auto) { return isa<FloatType>(op->getOperand(0).getType()) ? type : exact(op); })
      .Case([&](tile::DimOp dim) { return ofDim(dim.getSource(), dim.getAxis()); })
      .Case([&](tile::MultiprocessorsOp) { return Range{1, 1 << 20}; })
      .Case([&](arith::ExtUIOp wide) {
        Range range = of(wide.getIn());
        if (!range.hasNegative())
          return range;
        return Range{0, (__int128{1} << wide.getIn().getType().getIntOrFloatBitWidth()) - 1};
      })
      .Case([&](arith::DivSIOp) { return divide([](__int128 x, __int128 y) { return x / y; }); })
      .Case<arith::CeilDivSIOp, arith::FloorDivSIOp>([&](auto) { // One more at most, either way.
        Range range = divide([](__int128 x, __int128 y) { return x / y; });
        return Range{range.least - operand(0).hasNegative(), range.greatest + 1};
      })
      .Case([&](arith::RemSIOp) {
        Range a = operand(0), b = operand(1);
        __int128 most = std::max<__int128>(std::max(b.greatest, -b.least) - 1, 0);
        return Range{a.hasNegative() ? std::max(-most, a.least) : 0, std::clamp<__int128>(a.greatest, 0, most)};
      })
      .Case<arith::DivUIOp, arith::RemUIOp, arith::ShRUIOp>(
          [&](auto) { return isNatural() ? Range{0, operand(0).greatest} : type; })
      .Case([&](arith::ShRSIOp) {
        Range a = operand(0);
        return Range{std::min<__int128>(a.least, 0), std::max<__int128>(a.greatest, 0)};
      })
      .Case([&](arith::AndIOp) {
        return isNatural() ? Range{0, std::min(operand(0).greatest, operand(1).greatest)} : type;
      })
      .Case([&](arith::MinSIOp) {
        Range a = operand(0), b = operand(1);
        return Range{std::min(a.least, b.least), std::min(a.greatest, b.greatest)};
      })
      .Case([&](arith::MaxSIOp) {
        Range a = operand(0), b = operand(1);
        return Range{std::max(a.least, b.least), std::max(a.greatest, b.greatest)};
      })
      .Case([&](arith::SelectOp select) { return unite(of(select.getTrueValue()), of(select.getFalseValue())); })
      .Case([&](scf::IfOp branch) {
        return unite(of(branch.thenYield().getOperand(0)), of(branch.elseYield().getOperand(0)));
      })
      .Default([&](Operation *) { return type; });
}

} // namespace tegula::stub
