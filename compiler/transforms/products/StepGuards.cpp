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
    if (auto load = dyn_cast<tile::LoadOp>(op))
      findWindows(load);
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

/// Where a block begins, of its number. Numbers that are larger may be anything.
std::optional<StepGuards::Sum> StepGuards::times(const Sum &sum, int64_t factor) {
  auto isLarge = [](int64_t number) { return std::abs(number) > mostFactor; };
  auto product = [&](int64_t number) { return number * factor; };
  if (isLarge(factor) || isLarge(sum.factor) || isLarge(sum.least) || isLarge(sum.most) ||
      llvm::any_of(sum.terms, [&](const auto &term) { return isLarge(term.second); }))
    return std::nullopt;
  Sum scaled{product(sum.factor), {}, product(sum.least), product(sum.most)};
  if (factor < 0)
    std::swap(scaled.least, scaled.most);
  for (auto [value, own] : sum.terms)
    scaled.terms.push_back({value, product(own)});
  return scaled;
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
  if (isa<tile::FullOp, tile::BroadcastOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, tile::CastOp>(op)) {
    std::optional<Sum> sum = sumOf(op->getOperand(0));
    if (sum && widthOf(value) > widthOf(op->getOperand(0)))
      fits.push_back({*sum, widthOf(op->getOperand(0)), /*isUnsigned=*/isa<arith::ExtUIOp>(op)});
    return sum;
  }
  if (APInt factor; isa<arith::MulIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&factor))) {
    std::optional<Sum> sum = sumOf(op->getOperand(0));
    return sum ? times(*sum, factor.getSExtValue()) : std::nullopt;
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
  fits.push_back({*a, widthOf(less), false});
  fits.push_back({*b, widthOf(greater), false});
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
  return llvm::all_of(guards, [](const auto &guard) { return guard.factor != 0; });
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

/// What it takes that a window that moves with the loop has all of its elements along a dimension of its source, which
/// it has until the last step.
std::optional<StepGuards::Sum> StepGuards::fullWindow(tile::SliceOp slice, unsigned source) {
  int64_t bound = slice.getBound(source);
  if (slice.getMode(source) != tile::SliceMode::Window || slice.getSize(source) || ShapedType::isDynamic(bound) ||
      !loop.isDefinedOutsideOfLoop(slice.getSource()))
    return std::nullopt;
  std::optional<Sum> offset = sumOf(slice.getOffset(source));
  if (!offset || offset->factor <= 0)
    return std::nullopt;
  Value &end = ends[{slice.getSource(), source}];
  if (!end)
    end = OpBuilder(loop).createOrFold<tile::DimOp>(slice.getLoc(), slice.getSource(), source);
  Sum guard = combine(*offset, Sum{0, {{end, 1}}}, -1);
  guard.most += bound;
  return guard;
}

void StepGuards::findExtent(Value extent) {
  auto dim = extent.getDefiningOp<tile::DimOp>();
  auto slice = dim ? dim.getSource().getDefiningOp<tile::SliceOp>() : tile::SliceOp();
  if (!slice || fullExtents.contains(extent))
    return;
  if (std::optional<Sum> guard = fullWindow(slice, slice.getSourceDim(dim.getAxis()))) {
    fullExtents.insert(extent);
    add({*guard});
  }
}

/// Of what threads load beside the factors, which others copy.
void StepGuards::findWindows(tile::LoadOp load) {
  if (llvm::all_of(load->getUsers(), [](Operation *user) { return isa<tile::DotOp, tile::PermuteOp>(user); }))
    return;
  for (auto slice = load.getRef().getDefiningOp<tile::SliceOp>(); slice && loop->isAncestor(slice);
       slice = slice.getSource().getDefiningOp<tile::SliceOp>())
    for (unsigned dim = 0; dim < slice.getType().getRank(); ++dim)
      if (std::optional<Sum> guard =
              slice.getType().isExact(dim) ? std::nullopt : fullWindow(slice, slice.getSourceDim(dim))) {
        fullWindows[slice].push_back(dim);
        add({*guard});
      }
}

tile::RefType StepGuards::unmaskedType(tile::SliceOp slice, tile::RefType source) const {
  tile::RefType type = slice.getType();
  SmallVector<int64_t> dims(type.getDims());
  for (unsigned full : fullWindows.lookup(slice))
    dims[full] = type.getBound(full);
  for (unsigned dim = 0; dim < dims.size(); ++dim)
    if (unsigned from = slice.getSourceDim(dim); slice.getMode(from) == tile::SliceMode::Whole)
      dims[dim] = source.getDims()[from];
  return tile::RefType::get(type.getContext(), type.getElementType(), dims, type.getAlignment(), type.getIsEven(),
                            type.getSpace(), type.getSwizzle());
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
  /// Whether least <= value < least + size, beside the condition.
  Value isWithin(Value condition, Value value, int64_t least, int64_t size) {
    Value place = make<arith::SubIOp>(value, constant(least));
    Value holds = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, place, constant(size));
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
                      .Case<arith::ExtSIOp>([&](auto) { return operand(0); })
                      .Case<arith::ExtUIOp>([&](auto) { return operand(0) + 1; })
                      .Case<arith::DivSIOp>([&](auto) {
                        APInt divisor;
                        bool isKnown =
                            matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) && divisor.isStrictlyPositive();
                        return operand(0) - (isKnown ? std::min(operand(0) - 1, divisor.logBase2()) : 0);
                      })
                      .Case<arith::MinSIOp, arith::MaxSIOp>([&](auto) { return std::max(operand(0), operand(1)); })
                      .Case<arith::AddIOp, arith::SubIOp>([&](auto) { return std::max(operand(0), operand(1)) + 1; })
                      .Case<arith::MulIOp>([&](auto) { return operand(0) + operand(1); })
                      .Default([&](auto) { return width; });
  return std::min(bits, width);
}

/// Whether the greatest, or the least, of a sum is plainly one of so many bits: what is added to one such integer, or
/// to a counter from 0, leads away from that end.
bool StepGuards::isKnownToFit(const Sum &sum, unsigned bits, bool isMost, bool isUnsigned) {
  bool isFromZero = !isMost && sum.factor > 0 && matchPattern(loop.getLowerBound(), m_Zero());
  if ((isMost ? sum.most > 0 : sum.least < 0) || (sum.factor != 0 && !isFromZero))
    return false;
  return sum.terms.empty() || (!isUnsigned && sum.terms.size() == 1 && sum.terms.front().second == 1 &&
                               bitsOf(sum.terms.front().first) <= bits);
}

/// Whether no integer wraps on the way to a comparison, in any step; null if none can. Of numbers that are a 16th of
/// what 64 bits hold, with their factors, sums do not.
Value StepGuards::fitInAll(OpBuilder &builder) {
  constexpr unsigned bitsOfFew = 60;
  Arithmetic in{builder, loop.getLoc()};
  llvm::SmallMapVector<Value, uint64_t, 8> factors; ///< the greatest of each number
  auto note = [&](const Sum &sum) {
    auto add = [&](Value value, int64_t factor) {
      uint64_t &most = factors[value];
      most = std::max<uint64_t>(most, std::abs(factor));
    };
    for (Value bound : {loop.getLowerBound(), loop.getUpperBound()})
      add(bound, std::max<int64_t>(1, std::abs(sum.factor)));
    for (auto [value, factor] : sum.terms)
      add(value, factor);
  };
  for (const Sum &guard : guards)
    note(guard);
  for (const Fit &fit : fits)
    if (fit.bits < 64)
      note(fit.sum);
  Value holds;
  for (auto [value, factor] : factors)
    if (unsigned bits = bitsOfFew - llvm::Log2_64_Ceil(factor); bitsOf(value) > bits)
      holds = in.isWithin(holds, in.widen(value), -(int64_t{1} << (bits - 1)), int64_t{1} << bits);
  for (const auto &[sum, bits, isUnsigned] : fits) {
    if (bits == 64)
      continue;
    for (bool isMost : {false, true}) {
      if (isKnownToFit(sum, bits, isMost, isUnsigned))
        continue;
      Value extreme = in.constant(isMost ? sum.most : sum.least);
      for (auto [value, factor] : sum.terms)
        extreme = in.addTerm(extreme, value, factor);
      if (sum.factor != 0)
        extreme =
            in.addTerm(extreme, (sum.factor > 0) == isMost ? loop.getUpperBound() : loop.getLowerBound(), sum.factor);
      int64_t size = int64_t{1} << bits;
      holds = in.isWithin(holds, extreme, isUnsigned ? 0 : -size / 2, isUnsigned ? size / 2 : size);
    }
  }
  return holds;
}

StepGuards::Range StepGuards::makeRange(OpBuilder &builder) {
  Arithmetic in{builder, loop.getLoc()};
  Value lowerBound = loop.getLowerBound();
  Range range;
  for (const Sum &guard : guards) {
    // factor * (lower bound + number * step) <= room
    Value room = in.constant(-guard.most);
    for (auto [value, factor] : guard.terms)
      room = in.addTerm(room, value, -factor);
    room = in.addTerm(room, lowerBound, -guard.factor);
    Value stride = in.addTerm(in.constant(0), loop.getStep(), std::abs(guard.factor));
    // Numbers below 0 are not told apart: no step has one.
    if (guard.factor > 0) {
      Value past = in.make<arith::AddIOp>(room, stride);
      Value end = in.make<arith::DivSIOp>(in.make<arith::MaxSIOp>(past, in.constant(0)), stride);
      range.end = range.end ? in.make<arith::MinSIOp>(range.end, end) : end;
    } else {
      Value first = in.make<arith::SubIOp>(in.make<arith::SubIOp>(stride, in.constant(1)), room);
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
