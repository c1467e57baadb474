// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions and products of parts. Along the dimension that is combined, a part is register-resident, or it is
// sequential and comes in chunks (Mode in Domain.h). A softmax of long rows:
//
//   a program a row:              a thread group a row, in `softmax_0`:
//     t = load x[i]                 for chunk:  m = max(m, chunk of load x[i])      // m: 2048 numbers, 8 a thread
//     m = max(t)                    the rest:   m = max(m, where(it exists, ..., -inf))
//     e = exp(t - m)          ->    m = reduce max m                                // by shuffles and shared memory
//     s = sum(e)                    for chunk:  s += exp(chunk of load x[i] - m)    // and so on; t is made again
//     store o[i] = e / s            for chunk:  store o[i] = exp(...) / s
//
// Elements beyond an extent are masked where they would count, and nowhere else. Loads and stores end with their refs.
// Reductions and products have the extents of their parts as operands, of which `tile-mask-extents` makes masks
// (MaskExtents.cpp). Chunks that are combined element by element are masked here.
//
// Long code is made shorter: programs that compute much for each element get smaller chunks (Cost.h), reductions that
// depend on each other become the stages of one loop (Chains.cpp), and those that do not become one loop
// (products/MergeLoops.h). For FMA units, a product is cut along its sides into sub-tiles of up to 128 by 128 (64 by 64
// where sub-tiles are few), and sums chunks of 16. A reduction by a function of the program combines tuples of
// elements, one of each source, by a region of scalars; its chunks are combined by `tile.combine` with the same region.
#include "transforms/MaskExtents.h"
#include "transforms/split/Body.h"

using namespace mlir;

namespace tegula::split {

// ---- Reductions -----------------------------------------------------------------------------------------------------

Type combinedIn(tile::Reduction kind, Type element) {
  bool rounds = kind == tile::Reduction::Sum || kind == tile::Reduction::Prod;
  return rounds && (element.isF16() || element.isBF16()) ? Type(Float32Type::get(element.getContext())) : element;
}

static Value combineNamed(OpBuilder &builder, Location loc, tile::Reduction kind, Value a, Value b) {
  Type type = a.getType();
  switch (kind) {
  case tile::Reduction::Custom:
    break;
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

/// Two tuples, element by element.
SmallVector<Value> BodyBuilder::combine(tile::ReduceOp reduce, ValueRange a, ValueRange b) {
  Location loc = reduce.getLoc();
  if (!reduce.isCustom())
    return {combineNamed(builder, loc, reduce.getKind(), a.front(), b.front())};
  SmallVector<Value> both(a);
  llvm::append_range(both, b);
  auto combined = builder.create<tile::CombineOp>(loc, TypeRange(a), both);
  cloneCombiner(reduce.getCombiner().front(), combined.getCombiner());
  return llvm::to_vector_of<Value>(combined.getResults());
}

/// Numbers of the program that the combiner uses are those of the kernel.
void BodyBuilder::cloneCombiner(Region &combiner, Region &target) {
  IRMapping own = mapping;
  combiner.cloneInto(&target, own);
}

Value castTo(OpBuilder &builder, Location loc, Type element, Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  if (type.getElementType() == element)
    return tile;
  return builder.create<tile::CastOp>(loc, RankedTensorType::get(type.getShape(), element), tile);
}

/// Combines the parts of the sources along `loops` with what is carried, element by element.
FailureOr<SmallVector<Value>> BodyBuilder::reduceChunks(tile::ReduceOp reduce, Parts &parts, ArrayRef<Combined> loops,
                                                        ValueRange carried) {
  Location loc = reduce.getLoc();
  if (!loops.empty()) {
    auto [dim, size, rest] = loops.front();
    auto chunk = [&, dim = dim, size = size, rest = rest](Value offset, bool full, ValueRange inside) {
      if (full && rest < size)
        return reduceInParts(reduce, parts, {dim, size, rest}, offset, inside);
      parts[dim] = {offset, rest, /*dropped=*/false, full};
      return reduceChunks(reduce, parts, loops.drop_front(), inside);
    };
    Value extent = extentHere(loc, extents.sourceThatTells(reduce.getSources(), dim), dim);
    auto partAt = [&](int role) { return std::optional(parts[role]); };
    SmallVector<int64_t> inner = llvm::map_to_vector(loops.drop_front(), [](const Combined &loop) { return loop.dim; });
    return forEachChunkOf(scansOfLoop(reduce, dim, inner), loc, extent, {size, rest}, carried, partAt, chunk);
  }
  FailureOr<SmallVector<Value>> part = partsOf(reduce, parts, /*isMasked=*/true);
  return failed(part) ? part : combine(reduce, carried, *part);
}

/// The parts of what is reduced, in the types that they are combined in. Those that are combined element by element are
/// masked.
FailureOr<SmallVector<Value>> BodyBuilder::partsOf(tile::ReduceOp reduce, const Parts &parts, bool isMasked) {
  Location loc = reduce.getLoc();
  SmallVector<Value> all;
  for (auto [i, source] : llvm::enumerate(reduce.getSources())) {
    FailureOr<Value> made = materialise(source, parts);
    if (failed(made))
      return failure();
    Type element = combinedIn(reduce, i);
    Value part = castTo(builder, loc, element, *made);
    for (int64_t axis : isMasked ? reduce.getAxes() : ArrayRef<int64_t>())
      if (!parts[axis].full)
        part = maskBeyond(builder, loc, part, tile::positionIn(parts, axis),
                          extentOf(loc, extents.sourceThatTells(reduce.getSources(), axis), axis, parts[axis]),
                          reduce.identityOf(i, element));
    all.push_back(part);
  }
  return all;
}

/// Combines a full chunk with what is carried, which is as large as a chunk of the rest: in parts of that size, pairs
/// of them first.
FailureOr<SmallVector<Value>> BodyBuilder::reduceInParts(tile::ReduceOp reduce, Parts &parts, Combined loop,
                                                         Value offset, ValueRange carried) {
  Location loc = reduce.getLoc();
  SmallVector<SmallVector<Value>> made;
  for (int64_t start = 0; start < loop.size; start += loop.rest) {
    Value from = start ? add(loc, offset, constant(loc, start)) : offset;
    parts[loop.dim] = {from, loop.rest, /*dropped=*/false, /*full=*/true};
    FailureOr<SmallVector<Value>> part = partsOf(reduce, parts, /*isMasked=*/true);
    if (failed(part))
      return failure();
    made.push_back(*part);
  }
  for (; made.size() > 1; made.resize(made.size() / 2))
    for (size_t i = 0; i < made.size() / 2; ++i)
      made[i] = combine(reduce, made[2 * i], made[2 * i + 1]);
  return combine(reduce, carried, made.front());
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
    std::optional<Resident> resident = program.residentFor(
        type.getDimSize(axis), extents.of(extents.sourceThatTells(reduce.getSources(), axis), axis));
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

FailureOr<SmallVector<Value>> BodyBuilder::makeReduce(tile::ReduceOp reduce, const Parts &wanted) {
  Location loc = reduce.getLoc();
  auto [parts, loops, isShared] = reducing(reduce, wanted);
  FailureOr<SmallVector<Value>> part = failure();
  SmallVector<Value> ends;
  if (loops.empty()) {
    part = partsOf(reduce, parts, /*isMasked=*/false);
    if (llvm::any_of(reduce.getAxes(), [&, &parts = parts](int64_t axis) { return !parts[axis].full; }))
      for (int64_t axis : reduce.getAxes())
        ends.push_back(extentOf(loc, extents.sourceThatTells(reduce.getSources(), axis), axis, parts[axis]));
  } else {
    putScansInside(reduce, loops);
    for (const Combined &loop : loops)
      parts[loop.dim] = {{}, loop.rest};
    part = reduceChunks(reduce, parts, loops, identities(builder, reduce, parts));
  }
  if (failed(part))
    return failure();
  SmallVector<Type> types;
  for (unsigned i = 0; i < part->size(); ++i)
    types.push_back(partType(combinedIn(reduce, i), wanted));
  auto made =
      builder.create<tile::ReduceOp>(loc, types, reduce.getKind(), *part, tile::positionsIn(parts, reduce.getAxes()),
                                     ends, reduce.getIdentitiesAttr(), isShared, /*partial=*/false,
                                     /*combinerCount=*/reduce.getCombiner().size());
  if (reduce.isCustom())
    cloneCombiner(reduce.getCombiner().front(), made.getCombiner().front());
  SmallVector<Value> results;
  for (auto [result, source] : llvm::zip(made.getResults(), reduce.getSources()))
    results.push_back(castTo(builder, loc, getElementTypeOrSelf(source.getType()), result));
  return results;
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
                                dropped)
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
