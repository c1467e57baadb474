// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Extents.h"

#include "ir/ControlFlow.h"
#include "ir/Expressions.h"
#include "ir/KernelAttributes.h"
#include "ir/Locations.h"

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

static bool hasExtents(Value value) { return isa<RankedTensorType, tile::RefType>(value.getType()); }

void Extents::visit(Operation &op) {
  auto load = dyn_cast<tile::LoadOp>(op);
  auto gather = dyn_cast<tile::GatherOp>(op);
  if (load && load.getMask())
    visitMaskedLoad(load);
  else if (gather && gather.getMask())
    visitMaskedGather(gather);
  else if (auto root = dyn_cast<tile::RootOpInterface>(op))
    visitRoot(root);
  else if (auto indexed = dyn_cast<tile::IndexedOpInterface>(op); indexed && hasExtents(op.getResult(0)))
    visitIndexed(indexed);
  else if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
    visitRegions(branch);
  else if (auto dim = dyn_cast<tile::DimOp>(op); dim && has(dim.getSource()))
    visitDim(dim);
  else
    visitUnknown(op);
}

void Extents::visitDim(tile::DimOp dim) {
  if (std::optional<Symbol> symbol = of(dim.getSource(), dim.getAxis()).symbol)
    names.set(dim, *symbol);
  else if (auto tile = dyn_cast<RankedTensorType>(dim.getSource().getType()); tile && !tile.isDynamicDim(dim.getAxis()))
    names.set(dim, names.ofConstant(tile.getDimSize(dim.getAxis()))); // It conforms.
}

void Extents::visitUnknown(Operation &op) {
  for (Value result : op.getResults())
    if (hasExtents(result)) {
      auto type = dyn_cast<RankedTensorType>(result.getType());
      known[result] = Shape(type ? type.getRank() : cast<tile::RefType>(result.getType()).getRank());
      if (!llvm::is_contained(unknownOps, &op))
        unknownOps.push_back(&op);
    }
}

/// Dimensions of the result, and those that are reduced, are as long as the operands' that they index.
void Extents::visitIndexed(tile::IndexedOpInterface op) {
  Value result = op->getResult(0);
  auto type = dyn_cast<RankedTensorType>(result.getType());
  int64_t rank = type ? type.getRank() : cast<tile::RefType>(result.getType()).getRank();
  Shape shape = type ? told(type, op.getResultExtents()) : Shape(rank);
  if (isa<tile::ConformOp>(op.getOperation())) { // What the source has goes first.
    for (auto [own, given] : llvm::zip_equal(known[op->getOperand(0)], shape))
      given = own.symbol ? own : given;
    known[result] = std::move(shape);
    return;
  }
  shape.resize(rank + op.getNumReductionDims());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!hasExtents(operand.get()))
      continue;
    for (auto [i, index] : llvm::enumerate(op.getIndexingMap(operand))) {
      const Extent source = known[operand.get()][i];
      if (index.isIterated())
        join(op, i, shape[index.dim], source);
      else if (index.isWindow())
        join(op, i, shape[index.dim], windowOn(source, index, isa<RankedTensorType>(operand.get().getType()), op));
    }
  }
  shape.truncate(rank);
  if (auto broadcast = dyn_cast<tile::BroadcastOp>(op.getOperation()))
    bound(broadcast, shape);
  if (auto conforming = op->getAttrOfType<DenseI64ArrayAttr>(tile::conformingDims))
    for (int64_t dim : conforming.asArrayRef())
      shape[dim] = Extent();
  for (Value other : op->getResults().drop_front()) // All are made alike.
    known[other] = shape;
  known[result] = std::move(shape);
}

/// A dimension that one side bounds by its type is within that bound.
void Extents::bound(tile::BroadcastOp op, Shape &shape) {
  for (auto [i, dim] : llvm::enumerate(op.getDims())) {
    if (!op.isBound(i))
      continue;
    int64_t from = op.getSource().getType().getDimSize(i), to = op.getType().getDimSize(dim);
    Extent all{names.ofConstant(ShapedType::isDynamic(from) ? to : from), {}, 0};
    Extent &extent = shape[dim];
    auto isWithin = [&](Symbol symbol) {
      Linear rest;
      rest.constant = to;
      rest.add(names.linear(symbol), -1);
      std::optional<int64_t> most = names.mostOf(symbol);
      return (most && *most <= to) || names.isAtLeastZero(rest);
    };
    if (ShapedType::isDynamic(from)) {
      if (extent.symbol && !isWithin(*extent.symbol))
        join(op, dim, extent, all);
    } else if (!extent.symbol) {
      extent = all; // It conforms no longer: all that its type says are there.
    }
  }
}

/// The most elements that a tile or ref has along a dimension.
static int64_t boundOf(Value value, int64_t dim) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getDimSize(dim) : cast<tile::RefType>(value.getType()).getBound(dim);
}

Value Extents::sourceThatTells(ValueRange sources, int64_t axis) const {
  for (Value source : sources)
    if (of(source, axis).symbol)
      return source;
  return sources.front();
}

Extent Extents::windowOn(const Extent &source, const tile::DimIndex &index, bool isOfTile,
                         tile::IndexedOpInterface op) {
  if (!source.symbol)
    return {};
  Value result = op->getResult(0);
  Symbol most = index.size ? names.of(index.size) : names.ofConstant(boundOf(result, index.dim));
  Symbol start = names.of(index.offset);
  Symbol symbol = op.hasWindowsInBounds() ? most
                  : index.step            ? names.ofStrided(*source.symbol, start, names.of(index.step), most)
                  : isOfTile              ? names.ofWindow(*source.symbol, start, most)
                                          : names.ofBlock(*source.symbol, start, most);
  return {symbol, result, index.dim};
}

/// With `other` beyond its edge, a static window is as large as its type says.
void Extents::visitMaskedLoad(tile::LoadOp load) {
  Shape shape = known[load.getRef()];
  for (int64_t i = 0; i < load.getType().getRank(); ++i)
    if (!load.getType().isDynamicDim(i))
      shape[i] = {names.ofConstant(load.getType().getDimSize(i)), {}, 0};
  for (Value operand : {load.getMask(), load.getOther()})
    join(load, shape, Shape(known[operand]));
  known[load] = std::move(shape);
}

/// So is a gather's along the dimensions that are not indexed.
void Extents::visitMaskedGather(tile::GatherOp gather) {
  auto indexed = cast<tile::IndexedOpInterface>(gather.getOperation());
  Shape shape(gather.getType().getRank());
  for (OpOperand &operand : gather->getOpOperands())
    for (auto [i, index] : llvm::enumerate(indexed.getIndexingMap(operand))) {
      if (!index.isIterated())
        continue;
      bool isBlock = operand.get() == gather.getRef() && !gather.getType().isDynamicDim(index.dim);
      join(gather, index.dim, shape[index.dim],
           isBlock ? Extent{names.ofConstant(gather.getType().getDimSize(index.dim)), {}, 0}
                   : Extent(known[operand.get()][i]));
    }
  known[gather] = std::move(shape);
}

/// Whether an operand says where a root goes.
static bool isOfPlace(tile::RootOpInterface root, Value operand) {
  auto isOf = [&](auto op) { return operand == op.getRef() || llvm::is_contained(op.getIndices(), operand); };
  if (auto scatter = dyn_cast<tile::ScatterOp>(root.getOperation()))
    return isOf(scatter);
  if (auto atomic = dyn_cast<tile::AtomicOp>(root.getOperation()))
    return isOf(atomic);
  return operand == root.getRootRef();
}

/// What is as large as its type says is stored as far as the place goes: as far as the window does, and as there are
/// indices. Where these conform, so does the place.
void Extents::visitRoot(tile::RootOpInterface root) {
  Value value = root.getRootValue();
  auto indexed = cast<tile::IndexedOpInterface>(root.getOperation());
  Shape shape(cast<RankedTensorType>(value.getType()).getRank());
  SmallVector<Value> stored;
  for (OpOperand &operand : root->getOpOperands()) {
    if (!hasExtents(operand.get()))
      continue;
    if (!isOfPlace(root, operand.get())) {
      stored.push_back(operand.get());
      continue;
    }
    for (auto [i, index] : llvm::enumerate(indexed.getIndexingMap(operand)))
      if (index.isIterated())
        join(root, index.dim, shape[index.dim], Extent(known[operand.get()][i]));
  }
  for (Value operand : stored) {
    Shape other = known[operand];
    auto type = cast<RankedTensorType>(operand.getType());
    for (auto [i, extent] : llvm::enumerate(other))
      if (!type.isDynamicDim(i) && extent.symbol == names.ofConstant(type.getDimSize(i)))
        extent = {};
    join(root, shape, other);
  }
  auto type = cast<RankedTensorType>(value.getType());
  for (auto [i, extent] : llvm::enumerate(shape))
    if (!extent.symbol && !type.isDynamicDim(i))
      extent = {names.ofConstant(type.getDimSize(i)), {}, 0};
  if (root->getNumResults() > 0)
    known[root->getResult(0)] = shape;
  roots[root] = std::move(shape);
}

Extents::Shape Extents::told(RankedTensorType type, ValueRange extents) {
  Shape shape(type.getRank());
  unsigned next = 0;
  bool isOfAll = static_cast<int64_t>(extents.size()) == type.getRank();
  for (int64_t i = 0; i < type.getRank() && !extents.empty(); ++i) {
    if (!isOfAll && !type.isDynamicDim(i))
      continue;
    Value extent = extents[next++];
    auto dim = extent.getDefiningOp<tile::DimOp>();
    if (dim && has(dim.getSource()))
      shape[i] = Extent(known[dim.getSource()][dim.getAxis()]);
    else
      shape[i] = {names.of(extent), extent, 0};
    if (!shape[i].symbol && !shape[i].made && type.isDynamicDim(i))
      shape[i].made = names.constantOf(names.of(extent));
    if (!type.isDynamicDim(i) && shape[i].symbol == names.ofConstant(type.getDimSize(i)))
      shape[i] = Extent(); // All that its type has: it conforms, as one without extents.
  }
  return shape;
}

bool Extents::join(Operation *op, int64_t dim, Extent &into, const Extent &from) {
  if (!from.symbol) {
    if (!into.symbol && !into.made)
      into.made = from.made;
    return false;
  }
  if (!into.symbol) {
    into = from;
    return true;
  }
  if (*into.symbol != *from.symbol)
    addConflict({op, dim, *into.symbol, *from.symbol});
  return false;
}

bool Extents::join(Operation *op, Shape &into, ArrayRef<Extent> from) {
  bool changed = false;
  for (auto [i, extents] : llvm::enumerate(llvm::zip_equal(into, from)))
    changed |= join(op, static_cast<int64_t>(i), std::get<0>(extents), std::get<1>(extents));
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

/// Whether more is asked of a tile than which extents a variable has that is assigned another one.
static bool isWanted(Value tile) {
  return llvm::any_of(tile.getUsers(), [](Operation *user) {
    return !isa<tile::DimOp>(user) || !llvm::all_of(user->getUsers(), llvm::IsaPred<tile::ConformOp>);
  });
}

/// What is carried has the extents of all that it may be. They change at most once, from conforming to known.
void Extents::visitRegions(RegionBranchOpInterface op) {
  bool changed = true;
  auto pass = [&](OpOperand &from, Value to) {
    auto type = dyn_cast<RankedTensorType>(from.get().getType());
    if (!type || !known.contains(from.get()))
      return;
    const Shape passed = known[from.get()];
    Shape &carried = known.try_emplace(to, Shape(type.getRank())).first->second;
    changed |= join(op, carried, passed) && !to.getDefiningOp();
    hoist(op, known[to]);
  };
  auto passFrom = [&](Block *block) {
    tile::forEachCarried(op, [&](OpOperand &from, Value to) {
      if (from.getOwner()->getBlock() == block)
        pass(from, to);
    });
  };
  passFrom(op->getBlock());
  while (std::exchange(changed, false))
    for (Region &region : op->getRegions())
      if (!region.empty()) {
        visit(region.front());
        passFrom(&region.front());
      }
  tile::forEachCarried(op, [&](OpOperand &from, Value to) {
    if (from.getOwner() != op && hasExtents(from.get()) && isWanted(to))
      refuseInner(op, from.get());
  });
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
  return windowAt(extent.origin.getDefiningOp<tile::IndexedOpInterface>(), extent.dim, at);
}

/// clamp(extent of the source - start, 0, size); with a step, clamp(ceil((extent of the source - start) / step), 0,
/// size).
Value Extents::windowAt(tile::IndexedOpInterface op, int64_t dim, Operation *at) {
  auto [sourceDim, index] = tile::windowOf(op, dim);
  Value whole = valueOf(of(op->getOperand(0), sourceDim), at), start = reaching(index.offset, at);
  OpBuilder builder(at);
  Location loc = tile::withoutName(at->getLoc());
  auto constant = [&](int64_t value) -> Value {
    return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value));
  };
  Value size = index.size ? reaching(index.size, at) : constant(boundOf(op->getResult(0), dim));
  Value step = index.step ? reaching(index.step, at) : constant(1);
  if (!whole || !start || !size || !step)
    return {};
  bool isFromStart = matchPattern(start, m_Zero());
  if (isFromStart && !index.step)
    return builder.createOrFold<arith::MinSIOp>(loc, size, whole);
  Value rest = isFromStart ? whole : builder.createOrFold<arith::SubIOp>(loc, whole, start);
  if (index.step) { // A rest below 0 becomes 0 or less. In front of a loop that never runs, a step may be anything.
    if (!getConstantIntValue(step))
      step = builder.create<arith::MaxSIOp>(loc, step, constant(1));
    Value most = builder.createOrFold<arith::SubIOp>(loc, step, constant(1));
    rest = builder.createOrFold<arith::DivSIOp>(loc, builder.createOrFold<arith::AddIOp>(loc, rest, most), step);
  }
  return builder.createOrFold<arith::MinSIOp>(loc, size, builder.createOrFold<arith::MaxSIOp>(loc, rest, constant(0)));
}

/// Whether it divides by what is at least 1, as windowAt does.
static bool isSafeDivision(Operation *op) {
  auto division = dyn_cast<arith::DivSIOp>(op);
  auto most = division ? division.getRhs().getDefiningOp<arith::MaxSIOp>() : arith::MaxSIOp();
  std::optional<int64_t> least = most ? getConstantIntValue(most.getRhs()) : std::nullopt;
  return least && *least > 0;
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
    return op && (isPure(op) || isSafeDivision(op)) ? std::nullopt : std::optional<Value>(Value());
  });
}

} // namespace tegula
