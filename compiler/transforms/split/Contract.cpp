// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions and products of parts. What is combined is register-resident, or sequential, in chunks. How much of a part
// is there, reductions and products say as operands; chunks that are combined element by element are masked.
#include "transforms/MaskExtents.h"
#include "transforms/split/Body.h"

using namespace mlir;

namespace tegula::split {

// ---- Reductions -----------------------------------------------------------------------------------------------------

Type combinedIn(tile::ReduceOp reduce) {
  Type element = reduce.getType().getElementType();
  bool rounds = reduce.getKind() == tile::Reduction::Sum || reduce.getKind() == tile::Reduction::Prod;
  return rounds && (element.isF16() || element.isBF16()) ? Type(Float32Type::get(element.getContext())) : element;
}

static Value combine(OpBuilder &builder, Location loc, tile::Reduction kind, Value a, Value b) {
  Type type = a.getType();
  switch (kind) {
  case tile::Reduction::Sum:
    return builder.create<tile::AddOp>(loc, type, a, b);
  case tile::Reduction::Prod:
    return builder.create<tile::MulOp>(loc, type, a, b);
  case tile::Reduction::Max:
    return builder.create<tile::MaximumOp>(loc, type, a, b);
  case tile::Reduction::Min:
    return builder.create<tile::MinimumOp>(loc, type, a, b);
  case tile::Reduction::Any:
    return builder.create<tile::LogicalOrOp>(loc, type, a, b);
  case tile::Reduction::All:
    return builder.create<tile::LogicalAndOp>(loc, type, a, b);
  }
  llvm_unreachable("all reductions are covered");
}

Value castTo(OpBuilder &builder, Location loc, Type element, Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  if (type.getElementType() == element)
    return tile;
  return builder.create<tile::CastOp>(loc, RankedTensorType::get(type.getShape(), element), tile);
}

/// Combines the parts of the source along `loops` with what is carried, element by element.
FailureOr<Value> BodyBuilder::reduceChunks(tile::ReduceOp reduce, Parts &parts, ArrayRef<Combined> loops,
                                           Value carried) {
  Location loc = reduce.getLoc();
  if (!loops.empty()) {
    auto [dim, size, rest] = loops.front();
    auto chunk = [&, dim = dim, size = size, rest = rest](Value offset, bool full,
                                                          ValueRange inside) -> FailureOr<SmallVector<Value>> {
      if (full && rest < size) {
        FailureOr<Value> next = reduceInParts(reduce, parts, {dim, size, rest}, offset, inside.front());
        return failed(next) ? FailureOr<SmallVector<Value>>() : SmallVector<Value>{*next};
      }
      parts[dim] = {offset, rest, /*dropped=*/false, full};
      FailureOr<Value> next = reduceChunks(reduce, parts, loops.drop_front(), inside.front());
      if (failed(next))
        return failure();
      return SmallVector<Value>{*next};
    };
    Value extent = extentHere(loc, reduce.getSource(), dim);
    FailureOr<SmallVector<Value>> result = forEachChunk(loc, extent, {size, rest}, carried, chunk);
    if (failed(result))
      return failure();
    return result->front();
  }
  FailureOr<Value> part = partOf(reduce, parts, /*isMasked=*/true);
  return failed(part) ? part : combine(builder, loc, reduce.getKind(), carried, *part);
}

/// The part of what is reduced, in the type that it is combined in. Parts that are combined element by element are
/// masked.
FailureOr<Value> BodyBuilder::partOf(tile::ReduceOp reduce, const Parts &parts, bool isMasked) {
  FailureOr<Value> made = materialise(reduce.getSource(), parts);
  if (failed(made))
    return failure();
  Location loc = reduce.getLoc();
  Type element = combinedIn(reduce);
  Value part = castTo(builder, loc, element, *made);
  for (int64_t axis : isMasked ? reduce.getAxes() : ArrayRef<int64_t>())
    if (!parts[axis].full)
      part =
          maskBeyond(builder, loc, part, tile::positionIn(parts, axis),
                     extentOf(loc, reduce.getSource(), axis, parts[axis]), tile::identityOf(reduce.getKind(), element));
  return part;
}

/// Combines a full chunk with what is carried, which is as large as a chunk of the rest: in parts of that size, pairs
/// of them first.
FailureOr<Value> BodyBuilder::reduceInParts(tile::ReduceOp reduce, Parts &parts, Combined loop, Value offset,
                                            Value carried) {
  Location loc = reduce.getLoc();
  SmallVector<Value> made;
  for (int64_t start = 0; start < loop.size; start += loop.rest) {
    Value from = start ? add(loc, offset, constant(loc, start)) : offset;
    parts[loop.dim] = {from, loop.rest, /*dropped=*/false, /*full=*/true};
    FailureOr<Value> part = partOf(reduce, parts, /*isMasked=*/true);
    if (failed(part))
      return failure();
    made.push_back(*part);
  }
  for (; made.size() > 1; made.resize(made.size() / 2))
    for (size_t i = 0; i < made.size() / 2; ++i)
      made[i] = combine(builder, loc, reduce.getKind(), made[2 * i], made[2 * i + 1]);
  return combine(builder, loc, reduce.getKind(), carried, made.front());
}

/// Whether products of several matrices are among what a tile is made of.
static bool isMadeOfMatrices(Value tile) {
  llvm::DenseSet<Value> seen;
  SmallVector<Value> work{tile};
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (!op)
      continue;
    if (auto dot = dyn_cast<tile::DotOp>(op); dot && dot.getBatchRank() > 0)
      return true;
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()) && seen.insert(operand).second)
        work.push_back(operand);
  }
  return false;
}

/// Which of the dimensions that a reduction combines are register-resident, and which are sequential.
BodyBuilder::Reducing BodyBuilder::reducing(tile::ReduceOp reduce, const Parts &wanted) {
  RankedTensorType type = reduce.getSource().getType();
  Reducing how{Parts(type.getRank()), {}, false};
  int64_t kept = 1;
  for (auto [i, part] : llvm::enumerate(wanted)) {
    how.parts[reduce.getSourceDim(i)] = part;
    kept *= part.size;
  }
  const GroupShape &shape = program.shape;
  int64_t most = sizeWithin(program.group * shape.mostPerThread / kept);
  int64_t chunks = sizeWithin(program.group * shape.perChunk(tile::bytesOf(type.getElementType())) / kept);
  // Whichever axes number them, and those that are kept may, too.
  int64_t mostOfMatrices = isMadeOfMatrices(reduce.getSource()) ? sizeWithin(matricesTogether / kept) : most;
  for (int64_t axis : llvm::reverse(reduce.getAxes())) {
    std::optional<Resident> resident = program.residentFor(type.getDimSize(axis), extents.of(reduce.getSource(), axis));
    if (resident && resident->size <= std::min(most, mostOfMatrices)) {
      how.parts[axis] = residentPart(*resident);
      how.isShared |= resident->isShared;
      most /= resident->size;
      chunks = std::max<int64_t>(1, chunks / resident->size);
      continue;
    }
    chunks = std::min(chunks, mostOfMatrices);
    bool isInnermost = axis + 1 == type.getRank() && how.loops.empty();
    int64_t rest = isInnermost ? shape.restOf(chunks) : chunks;
    if (shape.restOfColumns && how.loops.empty() && !isInnermost)
      rest = std::min(chunks, sizeWithin(program.group * shape.restOfColumns / kept));
    how.loops.insert(how.loops.begin(), {axis, chunks, rest});
    most = chunks = 1;
  }
  return how;
}

FailureOr<Value> BodyBuilder::makeReduce(tile::ReduceOp reduce, const Parts &wanted) {
  Location loc = reduce.getLoc();
  Type narrow = reduce.getSource().getType().getElementType(), element = combinedIn(reduce);
  auto [parts, loops, isShared] = reducing(reduce, wanted);
  FailureOr<Value> part = failure();
  SmallVector<Value> ends;
  if (loops.empty()) {
    part = partOf(reduce, parts, /*isMasked=*/false);
    if (llvm::any_of(reduce.getAxes(), [&, &parts = parts](int64_t axis) { return !parts[axis].full; }))
      for (int64_t axis : reduce.getAxes())
        ends.push_back(extentOf(loc, reduce.getSource(), axis, parts[axis]));
  } else {
    for (const Combined &loop : loops)
      parts[loop.dim] = {{}, loop.rest};
    Value identity = builder.create<arith::ConstantOp>(loc, tile::identityOf(reduce.getKind(), element));
    part = reduceChunks(reduce, parts, loops,
                        builder.create<tile::FullOp>(loc, partType(element, parts), identity, ValueRange()));
  }
  if (failed(part))
    return failure();
  Value result = builder.create<tile::ReduceOp>(loc, partType(element, wanted), reduce.getKind(), *part,
                                                tile::positionsIn(parts, reduce.getAxes()), ends, isShared);
  return castTo(builder, loc, narrow, result);
}

// ---- Products -------------------------------------------------------------------------------------------------------

/// Whether a contraction, or what control flow carries, is among what a tile is made of.
static bool isMadeOfMany(Value tile) {
  llvm::DenseSet<Value> seen;
  SmallVector<Value> work{tile};
  while (!work.empty()) {
    Value value = work.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!isa<RankedTensorType>(value.getType()) || !seen.insert(value).second)
      continue;
    if (!op || op->getNumRegions() > 0 || isContraction(op))
      return true;
    llvm::append_range(work, op->getOperands());
  }
  return false;
}

FailureOr<Value> BodyBuilder::makeDot(tile::DotOp dot, const Parts &wanted, Value acc) {
  Location loc = dot.getLoc();
  if (llvm::any_of(wanted, [](const Part &part) { return part.dropped; })) {
    // A row, a column or an element of it: a product with a side of 1, which then goes.
    Parts sides = wanted;
    SmallVector<int64_t> dropped;
    for (auto [i, part] : llvm::enumerate(sides))
      if (std::exchange(part.dropped, false))
        dropped.push_back(i);
    FailureOr<Value> made = makeDot(dot, sides, acc);
    if (failed(made))
      return failure();
    return builder
        .create<tile::ReduceOp>(loc, partType(dot.getType().getElementType(), wanted), tile::Reduction::Sum, *made,
                                dropped, ValueRange(), /*cluster=*/false)
        .getResult();
  }
  Value start;
  if (acc) {
    FailureOr<Value> made = materialise(acc, wanted);
    if (failed(made))
      return failure();
    start = *made;
  } else {
    Type element = dot.getType().getElementType();
    Value zero = builder.create<arith::ConstantOp>(loc, builder.getZeroAttr(tile::scalarTypeOf(element)));
    start = builder.create<tile::FullOp>(loc, partType(element, wanted), zero, ValueRange());
  }
  int64_t rank = wanted.size(), last = rank - 1, beforeLast = rank - 2;
  // One of the factors may conform to the other.
  bool isToldByA = extents.of(dot.getA(), last).symbol.has_value();
  std::pair<Value, int64_t> told = isToldByA ? std::pair(dot.getA(), last) : std::pair(dot.getB(), beforeLast);
  auto multiply = [&](const Part &along, Value sum) -> FailureOr<Value> {
    Parts ofA = wanted, ofB = wanted;
    ofA[last] = ofB[beforeLast] = along;
    FailureOr<Value> left = materialise(dot.getA(), ofA), right = failure();
    if (succeeded(left))
      right = materialise(dot.getB(), ofB);
    if (failed(right))
      return failure();
    Value end = along.full ? Value() : extentOf(loc, told.first, told.second, along);
    return builder.create<tile::DotOp>(loc, sum.getType(), *left, *right, sum, end, dot.getPrecision()).getResult();
  };

  int64_t depth = program.shape.productDepth, bound = dot.getA().getType().getDimSize(last);
  // Chunks of what is itself made of many elements would be made again and again.
  std::optional<Resident> resident = program.residentFor(bound, extents.of(told.first, told.second));
  // As long as the factors stay in registers, more or less.
  int64_t sides = 1;
  for (const Part &part : wanted)
    sides *= part.size;
  int64_t longest = std::max(sides / wanted[last].size, sides / wanted[beforeLast].size);
  bool fits = resident && resident->size * longest <= 4 * program.shape.mostElements();
  if (isMadeOfMatrices(dot.getA()) || isMadeOfMatrices(dot.getB())) // Which this sums over, perhaps.
    fits &= resident && resident->size <= matricesTogether;
  bool isStep = program.shape.tensor && !ShapedType::isDynamic(bound) && bound <= depth;
  if (isStep && isa<scf::ForOp>(dot->getParentOp())) // Of the program's own loop, of any multiple.
    return multiply({{}, bound, /*dropped=*/false, resident && resident->isExact}, start);
  if (!program.shape.tensor && resident &&
      (resident->size <= depth || (fits && (isMadeOfMany(dot.getA()) || isMadeOfMany(dot.getB())))))
    return multiply(residentPart(*resident), start);
  if (isStep && bound % TensorTile::depthStep == 0)
    depth = bound;
  auto chunk = [&](Value offset, bool full, ValueRange carried) -> FailureOr<SmallVector<Value>> {
    FailureOr<Value> next = multiply({offset, depth, /*dropped=*/false, full}, carried.front());
    if (failed(next))
      return failure();
    return SmallVector<Value>{*next};
  };
  FailureOr<SmallVector<Value>> result =
      forEachChunk(loc, extentHere(loc, told.first, told.second), {depth}, start, chunk);
  if (failed(result))
    return failure();
  return result->front();
}

} // namespace tegula::split
