// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of a dimension is there, at a place in a kernel, and loops over its chunks.
#include "ir/Expressions.h"
#include "transforms/split/Body.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula::split {

/// What a number or a window of the source is at the builder's place. An extent that both sides of a branch have may be
/// computed inside: it is computed once more here.
Value BodyBuilder::here(Value source) {
  IRMapping clones;
  return cloneExpression(builder, source, clones, [&](Value value) -> std::optional<Value> {
    bool isInReach = !value.getDefiningOp() ||
                     llvm::any_of(frames, [&](const Frame &frame) { return frame.source == value.getParentBlock(); });
    return isInReach ? std::optional(mapping.lookupOrDefault(value)) : std::nullopt;
  });
}

/// The first dimension of the launch's arrays that is known to be as long, or where a program finds the extent: loops
/// over equal extents are then equal, too, and may become one.
std::pair<Value, int64_t> BodyBuilder::originOf(const Extent &extent) {
  for (Value array : launch.getBody().getArguments())
    if (auto ref = dyn_cast<tile::RefType>(array.getType()))
      for (int64_t dim = 0; dim < ref.getRank(); ++dim)
        if (extents.of(array, dim).symbol == extent.symbol)
          return {array, dim};
  return {extent.origin, extent.dim};
}

/// The extent of a tile or ref of the source, at the builder's place.
Value BodyBuilder::extentHere(Location loc, Value source, int64_t dim) {
  auto tensor = dyn_cast<RankedTensorType>(source.getType());
  int64_t bound = tensor ? tensor.getDimSize(dim) : cast<tile::RefType>(source.getType()).getBound(dim);
  return extentHere(loc, extents.of(source, dim), bound);
}

Value BodyBuilder::extentHere(Location loc, const Extent &extent, int64_t bound) {
  if (!extent.origin) // It conforms: all that its type says.
    return constant(loc, bound);
  if (!ShapedType::isDynamic(bound) && *extent.symbol == extents.symbols().ofConstant(bound))
    return constant(loc, bound);
  if (auto part = dyn_cast<RankedTensorType>(extent.origin.getType())) {
    auto op = extent.origin.getDefiningOp<tile::IndexedOpInterface>();
    auto [sourceDim, index] = tile::windowOf(op, extent.dim);
    Value size = index.size ? here(index.size) : constant(loc, part.getDimSize(extent.dim));
    Value rest =
        builder.createOrFold<arith::SubIOp>(loc, extentHere(loc, op->getOperand(0), sourceDim), here(index.offset));
    Value most = builder.createOrFold<arith::MinSIOp>(loc, rest, size);
    return builder.createOrFold<arith::MaxSIOp>(loc, most, constant(loc, 0));
  }
  auto [known, originDim] = originOf(extent);
  Value origin = here(known);
  return isa<tile::RefType>(origin.getType())
             ? builder.createOrFold<tile::DimOp>(loc, origin, builder.getI64IntegerAttr(originDim))
             : origin;
}

/// The full chunks of an extent, as elements, and the rest.
std::pair<Value, Value> BodyBuilder::divide(Location loc, Value extent, int64_t size) {
  if (llvm::isPowerOf2_64(size))
    return {builder.createOrFold<arith::AndIOp>(loc, extent, constant(loc, -size)),
            builder.createOrFold<arith::AndIOp>(loc, extent, constant(loc, size - 1))};
  Value rest = builder.createOrFold<arith::RemUIOp>(loc, extent, constant(loc, size));
  return {builder.createOrFold<arith::SubIOp>(loc, extent, rest), rest};
}

/// Makes a chunk in a block of `op`, a loop or a branch, where `offset` says where it begins.
FailureOr<SmallVector<Value>> BodyBuilder::makeChunk(Operation *op, Block *block, llvm::function_ref<Value()> offset,
                                                     bool full, ValueRange carried, Chunk chunk) {
  OpBuilder::InsertionGuard guard(builder);
  if (!block->empty())
    block->getTerminator()->erase();
  builder.setInsertionPointToEnd(block);
  Value from = offset();
  Operation *before = std::exchange(frames.back().nested, op);
  frames.push_back({nullptr, block, nullptr});
  FailureOr<SmallVector<Value>> next = chunk(from, full, carried);
  frames.pop_back();
  frames.back().nested = before;
  if (succeeded(next))
    builder.create<scf::YieldOp>(op->getLoc(), *next);
  return next;
}

FailureOr<SmallVector<Value>> BodyBuilder::loopOverChunks(Location loc, Value begin, Value end, int64_t step, bool full,
                                                          ValueRange inits, Chunk chunk,
                                                          llvm::function_ref<Value(Value)> offset) {
  auto loop = builder.create<scf::ForOp>(loc, begin, end, constant(loc, step), inits);
  auto from = [&] { return offset(loop.getInductionVar()); };
  if (failed(makeChunk(loop, loop.getBody(), from, full, loop.getRegionIterArgs(), chunk)))
    return failure();
  return SmallVector<Value>(loop.getResults());
}

/// A loop over the full chunks of an extent, and a branch for the rest, or a loop if that takes several chunks; or, of
/// work that is too large to be written twice, a loop over chunks of which none is taken for full.
FailureOr<SmallVector<Value>> BodyBuilder::forEachChunk(Location loc, Value extent, Sizes sizes, ValueRange inits,
                                                        Chunk chunk) {
  if (sizes.isBackward)
    return forEachChunkBackward(loc, extent, sizes, inits, chunk);
  int64_t size = sizes.full;
  bool isLarge = sizes.rest == 0;
  Value zero = constant(loc, 0);
  auto [end, rest] = divide(loc, extent, size);
  auto itself = [](Value offset) { return offset; };
  APInt known;
  bool hasNoRest = matchPattern(rest, m_ConstantInt(&known)) && known.isZero();
  FailureOr<SmallVector<Value>> full = loopOverChunks(loc, zero, isLarge ? extent : end, size,
                                                      /*full=*/hasNoRest || !isLarge, inits, chunk, itself);
  if (failed(full) || hasNoRest || isLarge)
    return full;
  if (sizes.rest < size)
    return loopOverChunks(loc, end, extent, sizes.rest, /*full=*/false, *full, chunk, itself);
  Value hasRest = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, rest, zero);
  auto branch = builder.create<scf::IfOp>(loc, inits.getTypes(), hasRest, /*addThenBlock=*/true,
                                          /*addElseBlock=*/!inits.empty());
  // Of the block itself: what depends on it is made here and not before.
  auto from = [&] { return divide(loc, extent, size).first; };
  if (failed(makeChunk(branch, branch.thenBlock(), from, /*full=*/false, *full, chunk)))
    return failure();
  if (!inits.empty()) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(branch.elseBlock());
    builder.create<scf::YieldOp>(loc, *full);
  }
  return SmallVector<Value>(branch.getResults());
}

/// The same from the last chunk to the first: the rest, then full ones.
FailureOr<SmallVector<Value>> BodyBuilder::forEachChunkBackward(Location loc, Value extent, Sizes sizes,
                                                                ValueRange inits, Chunk chunk) {
  Value zero = constant(loc, 0);
  auto [end, rest] = divide(loc, extent, sizes.full);
  Value beforeLast = divide(loc, builder.createOrFold<arith::SubIOp>(loc, rest, constant(loc, 1)), sizes.rest).first;
  Value last = builder.createOrFold<arith::AddIOp>(loc, end, beforeLast);
  Value lastFull = builder.createOrFold<arith::SubIOp>(loc, end, constant(loc, sizes.full));
  auto behind = [&](Value from) {
    return [&, from](Value done) { return builder.create<arith::SubIOp>(loc, from, done).getResult(); };
  };
  FailureOr<SmallVector<Value>> ofRest =
      loopOverChunks(loc, zero, rest, sizes.rest, /*full=*/false, inits, chunk, behind(last));
  return failed(ofRest) ? ofRest
                        : loopOverChunks(loc, zero, end, sizes.full, /*full=*/true, *ofRest, chunk, behind(lastFull));
}

/// How many elements of a part are there, of a tile along a dimension: up to none, or beyond all.
Value BodyBuilder::extentOf(Location loc, Value tile, int64_t dim, const Part &part) {
  if (part.full)
    return constant(loc, part.size);
  Value extent = extentHere(loc, tile, dim);
  return part.offset ? builder.createOrFold<arith::SubIOp>(loc, extent, part.offset) : extent;
}

} // namespace tegula::split
