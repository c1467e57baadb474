// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/StepGuards.h"

#include "transforms/products/Mainloop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

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

/// A scalar or a tile as a sum. Signed integers alone: where they overflow, the program is wrong anyway.
std::optional<StepGuards::Sum> StepGuards::sumOf(Value value) {
  if (auto tile = dyn_cast<RankedTensorType>(value.getType()); tile && !tile.getElementType().isSignlessInteger())
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
  if (isa<tile::FullOp, tile::BroadcastOp, arith::ExtSIOp, arith::TruncIOp>(op))
    return sumOf(op->getOperand(0));
  if (auto cast = dyn_cast<tile::CastOp>(op)) // Of integers: sums have no others.
    return sumOf(cast.getOperand());
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

StepGuards::Range StepGuards::makeRange(OpBuilder &builder) {
  Location loc = loop.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value));
  };
  auto make = [&]<class Op>(Op, Value a, Value b) -> Value { return builder.createOrFold<Op>(loc, a, b); };
  Value lowerBound = loop.getLowerBound(), stride = loop.getStep();
  Range range;
  for (const Sum &guard : guards) {
    // factor * (lower bound + number * step) <= room
    Value room = constant(-guard.most);
    for (auto [value, factor] : guard.terms) {
      Value wide = value.getType().isInteger(64)
                       ? value
                       : builder.createOrFold<arith::ExtSIOp>(loc, builder.getI64Type(), value);
      Value term = factor == 1 || factor == -1 ? wide : make(arith::MulIOp(), wide, constant(std::abs(factor)));
      room = factor < 0 ? make(arith::AddIOp(), room, term) : make(arith::SubIOp(), room, term);
    }
    // Numbers below 0 are not told apart: no step has one.
    if (guard.factor > 0) {
      Value past = make(arith::AddIOp(), make(arith::SubIOp(), room, lowerBound), stride);
      Value end = make(arith::DivSIOp(), make(arith::MaxSIOp(), past, constant(0)), stride);
      range.end = range.end ? make(arith::MinSIOp(), range.end, end) : end;
    } else {
      Value first = make(arith::SubIOp(), constant(0), make(arith::AddIOp(), room, lowerBound));
      first = make(arith::AddIOp(), first, make(arith::SubIOp(), stride, constant(1)));
      Value begin = make(arith::DivSIOp(), make(arith::MaxSIOp(), first, constant(0)), stride);
      range.begin = range.begin ? make(arith::MaxSIOp(), range.begin, begin) : begin;
    }
  }
  return range;
}

} // namespace tegula
