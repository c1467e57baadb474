// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/Extents.h"

#include "ir/Locations.h"
#include "transforms/Expressions.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula {

Extents::Extents(tile::LaunchOp launch) : names(launch) {
  for (BlockArgument argument : launch.getBody().getArguments())
    if (auto ref = dyn_cast<tile::RefType>(argument.getType())) {
      Value array = launch.getArguments()[argument.getArgNumber()];
      Shape shape;
      for (int64_t i = 0; i < ref.getRank(); ++i)
        shape.push_back({names.ofArrayDim(array, i), argument, i});
      known[argument] = std::move(shape);
    }
  visit(launch.getBody().front());
}

void Extents::visit(Block &block) {
  for (Operation &op : block)
    visit(op);
}

void Extents::visit(Operation &op) {
  if (auto slice = dyn_cast<tile::SliceOp>(op)) {
    known[slice] = sliced(slice);
  } else if (auto subtile = dyn_cast<tile::SubtileOp>(op)) {
    known[subtile] = sliced(subtile);
  } else if (auto load = dyn_cast<tile::LoadOp>(op)) {
    known[load] = load.getMask() ? masked(load) : Shape(known[load.getRef()]);
  } else if (auto full = dyn_cast<tile::FullOp>(op)) {
    known[full] = made(full.getType(), full.getExtents());
  } else if (auto iota = dyn_cast<tile::IotaOp>(op)) {
    known[iota] = made(iota.getType(), iota.getExtents());
  } else if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
    Shape shape(broadcast.getType().getRank());
    for (auto [i, dim] : llvm::enumerate(broadcast.getDims()))
      if (broadcast.getSource().getType().getDimSize(i) == broadcast.getType().getDimSize(dim))
        shape[dim] = known[broadcast.getSource()][i];
    known[broadcast] = std::move(shape);
  } else if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
    Shape shape;
    for (int64_t i = 0; i < reduce.getType().getRank(); ++i)
      shape.push_back(known[reduce.getSource()][reduce.getSourceDim(i)]);
    known[reduce] = std::move(shape);
  } else if (auto dot = dyn_cast<tile::DotOp>(op)) {
    known[dot] = multiplied(dot);
  } else if (auto permute = dyn_cast<tile::PermuteOp>(op)) {
    known[permute] = permuted(permute.getSource(), permute.getPermutation());
  } else if (auto transpose = dyn_cast<tile::TransposeOp>(op)) {
    known[transpose] = permuted(transpose.getSource(), transpose.getPermutation());
  } else if (tile::isElementwise(&op)) {
    SmallVector<Value> operands(op.getOperands());
    known[op.getResult(0)] = joined(&op, operands);
  } else if (auto store = dyn_cast<tile::StoreOp>(op)) {
    visitStore(store);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    visitIf(branch);
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    visitFor(loop);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    visitWhile(loop);
  } else {
    for (Value result : op.getResults()) // ub.poison, arith.select: whatever the consumer has.
      if (auto tile = dyn_cast<RankedTensorType>(result.getType()))
        known[result] = Shape(tile.getRank());
  }
}

/// With `other` beyond its edge, a static window is as large as its type says.
Extents::Shape Extents::masked(tile::LoadOp load) {
  Shape shape = known[load.getRef()];
  for (int64_t i = 0; i < load.getType().getRank(); ++i)
    if (!load.getType().isDynamicDim(i))
      shape[i] = {names.ofConstant(load.getType().getDimSize(i)), {}, 0};
  for (Value operand : {load.getMask(), load.getOther()})
    join(load, shape, Shape(known[operand]));
  return shape;
}

/// What is as large as its type says is stored as far as the place goes.
void Extents::visitStore(tile::StoreOp store) {
  Shape shape = known[store.getRef()];
  for (Value operand : {Value(store.getValue()), Value(store.getMask())}) {
    if (!operand)
      continue;
    Shape other = known[operand];
    auto type = cast<RankedTensorType>(operand.getType());
    for (auto [i, extent] : llvm::enumerate(other))
      if (!type.isDynamicDim(i) && extent.symbol == names.ofConstant(type.getDimSize(i)))
        extent = {};
    join(store, shape, other);
  }
}

Extents::Shape Extents::sliced(tile::SliceOp slice) {
  Shape shape;
  tile::RefType type = slice.getType();
  for (int64_t i = 0; i < type.getRank(); ++i) {
    unsigned from = slice.getSourceDim(i);
    const Extent &source = known[slice.getSource()][from];
    if (slice.getMode(from) == tile::SliceMode::Whole) {
      shape.push_back(source);
      continue;
    }
    Value size = slice.getSize(from);
    Symbol most = size ? names.of(size) : names.ofConstant(type.getBound(i));
    Symbol symbol = slice.getInBounds() ? most : names.ofWindow(*source.symbol, names.of(slice.getOffset(from)), most);
    shape.push_back({symbol, slice, i});
  }
  return shape;
}

Extents::Shape Extents::sliced(tile::SubtileOp subtile) {
  Shape shape;
  for (int64_t i = 0; i < subtile.getType().getRank(); ++i) {
    unsigned from = subtile.getSourceDim(i);
    const Extent &source = known[subtile.getSource()][from];
    if (subtile.getMode(from) == tile::SliceMode::Whole) {
      shape.push_back(source);
    } else if (!source.symbol) {
      shape.push_back({});
    } else {
      Value size = subtile.getSize(from);
      Symbol most = size ? names.of(size) : names.ofConstant(subtile.getType().getDimSize(i));
      shape.push_back({names.ofWindow(*source.symbol, names.of(subtile.getOffset(from)), most), subtile, i});
    }
  }
  return shape;
}

Extents::Shape Extents::permuted(Value source, ArrayRef<int64_t> permutation) {
  Shape shape;
  for (int64_t dim : permutation)
    shape.push_back(known[source][dim]);
  return shape;
}

Extents::Shape Extents::multiplied(tile::DotOp dot) {
  int64_t batch = dot.getBatchRank();
  const Shape a = known[dot.getA()], b = known[dot.getB()];
  Shape shape(a.begin(), a.begin() + batch), other(b.begin(), b.begin() + batch);
  shape.resize(batch + 2);
  other.resize(batch + 2);
  shape[batch] = a[batch];
  shape[batch + 1] = b[batch + 1];
  join(dot, shape, other);
  if (dot.getAcc())
    join(dot, shape, Shape(known[dot.getAcc()]));
  // The dimension that they are multiplied along is the last but one of b.
  Shape along(batch + 2);
  along[batch] = a[batch + 1];
  other.assign(batch + 2, {});
  other[batch] = b[batch];
  join(dot, along, other);
  return shape;
}

Extents::Shape Extents::made(RankedTensorType type, OperandRange extents) {
  Shape shape(type.getRank());
  unsigned next = 0;
  for (int64_t i = 0; i < type.getRank() && !extents.empty(); ++i)
    if (type.isDynamicDim(i)) {
      Value extent = extents[next++];
      auto dim = extent.getDefiningOp<tile::DimOp>();
      if (dim && has(dim.getSource())) {
        shape[i] = Extent(known[dim.getSource()][dim.getAxis()]);
        continue;
      }
      shape[i] = {names.of(extent), extent, 0};
    }
  return shape;
}

bool Extents::join(Operation *op, Shape &into, ArrayRef<Extent> from) {
  bool changed = false;
  for (auto [i, extents] : llvm::enumerate(llvm::zip(into, from))) {
    auto &[mine, other] = extents;
    if (!other.symbol)
      continue;
    if (!mine.symbol) {
      mine = other;
      changed = true;
    } else if (*mine.symbol != *other.symbol) {
      addConflict({op, static_cast<int64_t>(i), *mine.symbol, *other.symbol});
    }
  }
  return changed;
}

void Extents::addConflict(const ExtentConflict &conflict) {
  if (llvm::none_of(found,
                    [&](const ExtentConflict &seen) { return seen.op == conflict.op && seen.dim == conflict.dim; }))
    found.push_back(conflict);
}

/// What a loop or a branch passes on ends where the outside can tell: another iteration may have another end.
void Extents::refuseInner(Operation *op, Value leaving) {
  for (auto [i, extent] : llvm::enumerate(known[leaving]))
    if (extent.symbol && !names.isKnownOutside(*extent.symbol, op))
      addConflict({op, static_cast<int64_t>(i), *extent.symbol, *extent.symbol, /*isInner=*/true});
}

Extents::Shape Extents::joined(Operation *op, ArrayRef<Value> values) {
  Shape shape = known[values.front()];
  for (Value value : values.drop_front())
    join(op, shape, Shape(known[value]));
  return shape;
}

void Extents::visitIf(scf::IfOp op) {
  visit(*op.thenBlock());
  if (!op.elseBlock())
    return;
  visit(*op.elseBlock());
  for (auto [result, left, right] :
       llvm::zip(op.getResults(), op.thenYield().getOperands(), op.elseYield().getOperands()))
    if (isa<RankedTensorType>(result.getType())) {
      known[result] = joined(op, {left, right});
      refuseInner(op, left);
      refuseInner(op, right);
      hoist(op, known[result]);
    }
}

void Extents::iterate(Operation *loop, ValueRange arguments, ValueRange inits,
                      llvm::function_ref<ValueRange()> walkOnce) {
  for (auto [argument, init] : llvm::zip(arguments, inits))
    if (isa<RankedTensorType>(argument.getType()))
      known[argument] = Shape(known[init]);
  // An extent changes at most once, from conforming to known.
  for (bool changed = true; changed;) {
    changed = false;
    ValueRange next = walkOnce();
    for (auto [argument, value] : llvm::zip(arguments, next))
      if (isa<RankedTensorType>(argument.getType())) {
        changed |= join(loop, known[argument], Shape(known[value]));
        refuseInner(loop, value);
      }
  }
  for (Value argument : arguments)
    if (isa<RankedTensorType>(argument.getType()))
      hoist(loop, known[argument]);
  walkOnce(); // With what is known in front of the loop.
}

void Extents::visitFor(scf::ForOp op) {
  iterate(op, op.getRegionIterArgs(), op.getInitArgs(), [&]() -> ValueRange {
    visit(*op.getBody());
    return op.getYieldedValues();
  });
  for (auto [result, argument] : llvm::zip(op.getResults(), op.getRegionIterArgs()))
    if (isa<RankedTensorType>(result.getType()))
      known[result] = Shape(known[argument]);
}

void Extents::visitWhile(scf::WhileOp op) {
  iterate(op, op.getBeforeArguments(), op.getInits(), [&]() -> ValueRange {
    visit(*op.getBeforeBody());
    for (auto [after, passed] : llvm::zip(op.getAfterArguments(), op.getConditionOp().getArgs()))
      if (isa<RankedTensorType>(after.getType())) {
        known[after] = Shape(known[passed]);
        hoist(op, known[after]);
      }
    visit(*op.getAfterBody());
    return op.getYieldOp().getOperands();
  });
  for (auto [result, passed] : llvm::zip(op.getResults(), op.getConditionOp().getArgs()))
    if (isa<RankedTensorType>(result.getType())) {
      refuseInner(op, passed);
      known[result] = Shape(known[passed]);
      hoist(op, known[result]);
    }
}

void Extents::hoist(Operation *op, Shape &carried) {
  for (Extent &extent : carried) {
    if (!extent.origin || reaches(extent.origin, op) || !names.isKnownOutside(*extent.symbol, op))
      continue;
    Value &there = hoisted[{op, *extent.symbol}];
    if (!there)
      there = valueOf(extent, op);
    if (there)
      extent = {extent.symbol, there, 0};
  }
}

// ---- Values ---------------------------------------------------------------------------------------------------------

bool reaches(Value value, Operation *at) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getParentRegion()->isAncestor(at->getParentRegion());
  Operation *op = value.getDefiningOp(), *beside = op->getBlock()->findAncestorOpInBlock(*at);
  return beside && op->isBeforeInBlock(beside);
}

Value Extents::valueOf(const Extent &extent, Operation *at) {
  OpBuilder builder(at);
  if (!extent.symbol)
    return {};
  if (std::optional<int64_t> constant = names.constantOf(*extent.symbol))
    return builder.create<arith::ConstantOp>(tile::withoutName(at->getLoc()), builder.getI64IntegerAttr(*constant));
  if (!isa<RankedTensorType, tile::RefType>(extent.origin.getType()))
    return reaching(extent.origin, at);
  if (isa<tile::RefType>(extent.origin.getType()) && reaches(extent.origin, at))
    return builder.createOrFold<tile::DimOp>(tile::withoutName(at->getLoc()), extent.origin, extent.dim);
  if (auto slice = extent.origin.getDefiningOp<tile::SliceOp>())
    return windowOf(slice, extent.dim, at);
  return windowOf(extent.origin.getDefiningOp<tile::SubtileOp>(), extent.dim, at);
}

/// clamp(extent of the source - start, 0, size).
template <class SlicingOp> Value Extents::windowOf(SlicingOp op, int64_t dim, Operation *at) {
  unsigned from = op.getSourceDim(dim);
  Value whole = valueOf(of(op.getSource(), from), at), start = reaching(op.getOffset(from), at);
  Value size = op.getSize(from);
  if (size)
    size = reaching(size, at);
  OpBuilder builder(at);
  Location loc = tile::withoutName(at->getLoc());
  auto constant = [&](int64_t value) -> Value {
    return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value));
  };
  if (!op.getSize(from)) {
    if constexpr (std::is_same_v<SlicingOp, tile::SliceOp>)
      size = constant(op.getType().getBound(dim));
    else
      size = constant(op.getType().getDimSize(dim));
  }
  if (!whole || !start || !size)
    return {};
  if (matchPattern(start, m_Zero()))
    return builder.createOrFold<arith::MinSIOp>(loc, size, whole);
  Value rest = builder.createOrFold<arith::SubIOp>(loc, whole, start);
  return builder.createOrFold<arith::MinSIOp>(loc, size, builder.createOrFold<arith::MaxSIOp>(loc, rest, constant(0)));
}

Value Extents::reaching(Value value, Operation *at) {
  OpBuilder builder(at);
  IRMapping clones;
  return cloneExpression(builder, value, clones, [&](Value value) -> std::optional<Value> {
    if (reaches(value, at))
      return value;
    Operation *op = value.getDefiningOp();
    if (auto dim = dyn_cast_or_null<tile::DimOp>(op))
      return has(dim.getSource()) ? valueOf(of(dim.getSource(), dim.getAxis()), at) : Value();
    return op && isPure(op) ? std::nullopt : std::optional<Value>(Value());
  });
}

} // namespace tegula
