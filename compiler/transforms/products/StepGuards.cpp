// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/StepGuards.h"

#include "transforms/products/Mainloop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula {

StepGuards::StepGuards(scf::ForOp loop) : loop(loop) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto where = dyn_cast<tile::WhereOp>(op))
      findMask(where);
    if (auto reduce = dyn_cast<tile::ReduceOp>(op))
      for (Value extent : reduce.getExtents())
        findExtent(extent);
    if (auto dot = dyn_cast<tile::DotOp>(op); dot && dot.getExtent())
      findExtent(dot.getExtent());
  }
}

StepGuards::Sum StepGuards::combine(const Sum &a, const Sum &b, int64_t sign) {
  Sum sum = a;
  sum.factor += sign * b.factor;
  for (auto [value, factor] : b.terms)
    sum.terms.push_back({value, sign * factor});
  sum.least += sign > 0 ? b.least : -b.most;
  sum.most += sign > 0 ? b.most : -b.least;
  return sum;
}

static unsigned widthOf(Value integer) { return getElementTypeOrSelf(integer.getType()).getIntOrFloatBitWidth(); }

/// A scalar or a tile of signed integers as a sum, which may have wrapped: sums and fewer bits leave the lower bits
/// right. Where an integer gets more bits, its sum has to fit in those that it had.
std::optional<StepGuards::Sum> StepGuards::sumOf(Value value) {
  if (!getElementTypeOrSelf(value.getType()).isSignlessInteger() || widthOf(value) == 1)
    return std::nullopt;
  if (value == loop.getInductionVar())
    return Sum{1};
  if (APInt known; matchPattern(value, m_ConstantInt(&known)))
    return Sum{0, {}, known.getSExtValue(), known.getSExtValue()};
  Operation *op = value.getDefiningOp();
  if (isa<IntegerType>(value.getType()) && loop.isDefinedOutsideOfLoop(value))
    return Sum{0, {{value, 1}}};
  if (!op)
    return std::nullopt;
  if (auto iota = dyn_cast<tile::IotaOp>(op)) {
    Sum sum{0, {}, 0, iota.getType().getDimSize(iota.getAxis()) - 1};
    std::optional<Sum> offset = iota.getOffset() ? sumOf(iota.getOffset()) : Sum();
    return offset ? std::optional(combine(sum, *offset, 1)) : std::nullopt;
  }
  if (isa<tile::FullOp, tile::BroadcastOp, arith::ExtSIOp, arith::TruncIOp, tile::CastOp>(op)) {
    std::optional<Sum> sum = sumOf(op->getOperand(0));
    if (sum && widthOf(value) > widthOf(op->getOperand(0)))
      fits.push_back({*sum, widthOf(op->getOperand(0))});
    return sum;
  }
  bool adds = isa<tile::AddOp, arith::AddIOp>(op);
  if (!adds && !isa<tile::SubOp, arith::SubIOp>(op))
    return std::nullopt;
  std::optional<Sum> a = sumOf(op->getOperand(0)), b = sumOf(op->getOperand(1));
  return a && b ? std::optional(combine(*a, *b, adds ? 1 : -1)) : std::nullopt;
}

/// What it takes that less + margin <= greater, for all elements.
bool StepGuards::compare(Value less, Value greater, int64_t margin, Guards &out) {
  if (auto least = greater.getDefiningOp<tile::MinimumOp>())
    return compare(less, least.getLhs(), margin, out) && compare(less, least.getRhs(), margin, out);
  if (auto most = less.getDefiningOp<tile::MaximumOp>())
    return compare(most.getLhs(), greater, margin, out) && compare(most.getRhs(), greater, margin, out);
  // A broadcast of a minimum.
  auto inside = [](Value tile) {
    while (auto broadcast = tile.getDefiningOp<tile::BroadcastOp>())
      tile = broadcast.getSource();
    return tile;
  };
  if (inside(less) != less || inside(greater) != greater)
    return compare(inside(less), inside(greater), margin, out);
  std::optional<Sum> a = sumOf(less), b = sumOf(greater);
  if (!a || !b)
    return false;
  fits.push_back({*a, widthOf(less)});
  fits.push_back({*b, widthOf(greater)});
  out.push_back(combine(*a, *b, -1));
  out.back().most += margin;
  return true;
}

/// What it takes that a mask is `wanted` for all elements.
bool StepGuards::holds(Value mask, bool wanted, Guards &out) {
  Operation *op = mask.getDefiningOp();
  if (!op)
    return false;
  if (isa<tile::BroadcastOp>(op))
    return holds(op->getOperand(0), wanted, out);
  if (isa<tile::LogicalNotOp>(op))
    return holds(op->getOperand(0), !wanted, out);
  if ((isa<tile::LogicalAndOp, tile::BitAndOp>(op) && wanted) || (isa<tile::LogicalOrOp, tile::BitOrOp>(op) && !wanted))
    return holds(op->getOperand(0), wanted, out) && holds(op->getOperand(1), wanted, out);
  if (op->getNumOperands() != 2)
    return false;
  Value x = op->getOperand(0), y = op->getOperand(1);
  if (wanted ? isa<tile::LeOp>(op) : isa<tile::GtOp>(op))
    return compare(x, y, 0, out);
  if (wanted ? isa<tile::LtOp>(op) : isa<tile::GeOp>(op))
    return compare(x, y, 1, out);
  if (wanted ? isa<tile::GeOp>(op) : isa<tile::LtOp>(op))
    return compare(y, x, 0, out);
  if (wanted ? isa<tile::GtOp>(op) : isa<tile::LeOp>(op))
    return compare(y, x, 1, out);
  return false;
}

/// One limit is enough for guards that differ in nothing.
void StepGuards::add(Guards &&found) {
  for (Sum &guard : found) {
    bool isKnown = llvm::any_of(guards, [&](const Sum &other) {
      return other.factor == guard.factor && other.terms == guard.terms && other.most == guard.most;
    });
    if (!isKnown)
      guards.push_back(std::move(guard));
  }
}

static bool changes(const auto &guards) {
  return llvm::all_of(guards, [](const auto &guard) { return guard.factor == 1 || guard.factor == -1; });
}

/// A mask that leaves out a constant.
void StepGuards::findMask(tile::WhereOp where) {
  bool wanted = where.getRhs().getDefiningOp<tile::FullOp>() != nullptr;
  Guards found;
  if (!wanted && !where.getLhs().getDefiningOp<tile::FullOp>())
    return;
  if (!holds(where.getCondition(), wanted, found) || !changes(found))
    return;
  choices[where] = wanted ? where.getLhs() : where.getRhs();
  add(std::move(found));
}

/// A window that moves with the loop has all of its elements until the last step.
void StepGuards::findExtent(Value extent) {
  auto dim = extent.getDefiningOp<tile::DimOp>();
  auto slice = dim ? dim.getSource().getDefiningOp<tile::SliceOp>() : tile::SliceOp();
  if (!slice || fullExtents.contains(extent) || !loop.isDefinedOutsideOfLoop(slice.getSource()))
    return;
  for (unsigned source = 0, result = 0; source < slice.getModes().size(); ++source) {
    if (slice.getMode(source) == tile::SliceMode::Element)
      continue;
    if (result++ != dim.getAxis())
      continue;
    int64_t bound = slice.getBound(source);
    std::optional<Sum> offset =
        slice.getMode(source) == tile::SliceMode::Window && !slice.getSize(source) && !ShapedType::isDynamic(bound)
            ? sumOf(slice.getOffset(source))
            : std::nullopt;
    if (!offset || offset->factor != 1)
      return;
    Value &end = ends[{slice.getSource(), source}];
    if (!end)
      end = OpBuilder(loop).createOrFold<tile::DimOp>(extent.getLoc(), slice.getSource(), source);
    Guards found{combine(*offset, Sum{0, {{end, 1}}}, -1)};
    found.back().most += bound;
    fullExtents.insert(extent);
    add(std::move(found));
  }
}

bool StepGuards::areAtEnd() const {
  return llvm::any_of(guards, [](const Sum &guard) { return guard.factor > 0; });
}
bool StepGuards::areAtBegin() const {
  return llvm::any_of(guards, [](const Sum &guard) { return guard.factor < 0; });
}

namespace {
/// Arithmetic of 64 bits at the builder's place.
struct Arithmetic {
  OpBuilder &builder;
  Location loc;

  Value constant(int64_t value) { return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value)); }
  template <class Op> Value make(Value a, Value b) { return builder.createOrFold<Op>(loc, a, b); }
  Value widen(Value value) {
    return value.getType().isInteger(64) ? value
                                         : builder.createOrFold<arith::ExtSIOp>(loc, builder.getI64Type(), value);
  }
  /// sum + factor * value
  Value addTerm(Value sum, Value value, int64_t factor) {
    Value term = widen(value);
    if (factor != 1 && factor != -1)
      term = make<arith::MulIOp>(term, constant(std::abs(factor)));
    return factor > 0 ? make<arith::AddIOp>(sum, term) : make<arith::SubIOp>(sum, term);
  }
  /// Whether -bound <= value < bound, beside the condition.
  Value isWithin(Value condition, Value value, int64_t bound) {
    Value place = make<arith::AddIOp>(value, constant(bound));
    Value holds = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, place, constant(2 * bound));
    return condition ? make<arith::AndIOp>(condition, holds) : holds;
  }
};
} // namespace

/// How many bits hold an integer, at most.
static unsigned bitsOf(Value value) {
  constexpr unsigned ofExtent = 48, ofGrid = 33;
  unsigned width = value.getType().getIntOrFloatBitWidth();
  Operation *op = value.getDefiningOp();
  if (APInt known; matchPattern(value, m_ConstantInt(&known)))
    return known.getSignificantBits();
  if (!op)
    return width;
  auto operand = [&](unsigned number) { return bitsOf(op->getOperand(number)); };
  unsigned bits = llvm::TypeSwitch<Operation *, unsigned>(op)
                      .Case<tile::DimOp>([&](auto) { return ofExtent; })
                      .Case<tile::ThreadGroupOp, tile::ProgramIdOp>([&](auto) { return ofGrid; })
                      .Case<arith::ExtSIOp, arith::DivSIOp>([&](auto) { return operand(0); })
                      .Case<arith::MinSIOp, arith::MaxSIOp>([&](auto) { return std::max(operand(0), operand(1)); })
                      .Case<arith::AddIOp, arith::SubIOp>([&](auto) { return std::max(operand(0), operand(1)) + 1; })
                      .Case<arith::MulIOp>([&](auto) { return operand(0) + operand(1); })
                      .Default([&](auto) { return width; });
  return std::min(bits, width);
}

/// Whether the greatest, or the least, of a sum is plainly one of so many bits: what is added to one such integer, or
/// to a counter from 0, leads away from that end.
bool StepGuards::isKnownToFit(const Sum &sum, unsigned bits, bool isMost) {
  bool isFromZero = !isMost && sum.factor > 0 && matchPattern(loop.getLowerBound(), m_Zero());
  if ((isMost ? sum.most > 0 : sum.least < 0) || (sum.factor != 0 && !isFromZero))
    return false;
  return sum.terms.empty() ||
         (sum.terms.size() == 1 && sum.terms.front().second == 1 && bitsOf(sum.terms.front().first) <= bits);
}

/// Whether no integer wraps on the way to a comparison, in any step; null if none can. Of numbers that are a 16th of
/// what 64 bits hold, sums do not.
Value StepGuards::fitInAll(OpBuilder &builder) {
  constexpr unsigned bitsOfFew = 60;
  Arithmetic in{builder, loop.getLoc()};
  Value holds;
  llvm::SmallSetVector<Value, 8> wide;
  auto note = [&](Value value) {
    if (bitsOf(value) > bitsOfFew && wide.insert(value))
      holds = in.isWithin(holds, value, int64_t{1} << (bitsOfFew - 1));
  };
  note(loop.getLowerBound());
  note(loop.getUpperBound());
  for (const Sum &guard : guards)
    for (auto [value, factor] : guard.terms)
      note(value);
  for (const auto &[sum, bits] : fits) {
    if (bits == 64)
      continue;
    for (bool isMost : {false, true}) {
      if (isKnownToFit(sum, bits, isMost))
        continue;
      Value extreme = in.constant(isMost ? sum.most : sum.least);
      for (auto [value, factor] : sum.terms)
        extreme = in.addTerm(extreme, value, factor);
      if (sum.factor != 0)
        extreme =
            in.addTerm(extreme, (sum.factor > 0) == isMost ? loop.getUpperBound() : loop.getLowerBound(), sum.factor);
      holds = in.isWithin(holds, extreme, int64_t{1} << (bits - 1));
    }
  }
  return holds;
}

StepGuards::Range StepGuards::makeRange(OpBuilder &builder) {
  Arithmetic in{builder, loop.getLoc()};
  Value lowerBound = loop.getLowerBound(), stride = loop.getStep();
  Range range;
  for (const Sum &guard : guards) {
    // factor * (lower bound + number * step) <= room
    Value room = in.constant(-guard.most);
    for (auto [value, factor] : guard.terms)
      room = in.addTerm(room, value, -factor);
    // Numbers below 0 are not told apart: no step has one.
    if (guard.factor > 0) {
      Value past = in.make<arith::AddIOp>(in.make<arith::SubIOp>(room, lowerBound), stride);
      Value end = in.make<arith::DivSIOp>(in.make<arith::MaxSIOp>(past, in.constant(0)), stride);
      range.end = range.end ? in.make<arith::MinSIOp>(range.end, end) : end;
    } else {
      Value first = in.make<arith::SubIOp>(in.constant(0), in.make<arith::AddIOp>(room, lowerBound));
      first = in.make<arith::AddIOp>(first, in.make<arith::SubIOp>(stride, in.constant(1)));
      Value begin = in.make<arith::DivSIOp>(in.make<arith::MaxSIOp>(first, in.constant(0)), stride);
      range.begin = range.begin ? in.make<arith::MaxSIOp>(range.begin, begin) : begin;
    }
  }
  if (Value fit = guards.empty() ? Value() : fitInAll(builder)) {
    // Else all steps have masks.
    Value &limit = range.end ? range.end : range.begin;
    Value none = in.constant(range.end ? 0 : std::numeric_limits<int64_t>::max());
    limit = builder.createOrFold<arith::SelectOp>(loop.getLoc(), fit, limit, none);
  }
  return range;
}

} // namespace tegula
