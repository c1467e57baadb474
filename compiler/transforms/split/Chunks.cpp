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

/// A loop over the full chunks of an extent, and a branch for the rest, or a loop if that takes several chunks; or, of
/// work that is too large to be written twice, a loop over chunks of which none is taken for full.
FailureOr<SmallVector<Value>> BodyBuilder::forEachChunk(Location loc, Value extent, Sizes sizes, ValueRange inits,
                                                        Chunk chunk) {
  int64_t size = sizes.full;
  bool isLarge = sizes.rest == 0;
  Value zero = constant(loc, 0), step = constant(loc, size);
  auto [end, rest] = divide(loc, extent, size);
  auto inside = [&](Operation *op, Block *block, Value offset, bool full,
                    ValueRange carried) -> FailureOr<SmallVector<Value>> {
    OpBuilder::InsertionGuard guard(builder);
    if (!block->empty())
      block->getTerminator()->erase();
    builder.setInsertionPointToEnd(block);
    if (!offset) // Of the block itself: what depends on it is made here and not before.
      offset = divide(loc, extent, size).first;
    Operation *before = std::exchange(frames.back().nested, op);
    frames.push_back({nullptr, block, nullptr, {}});
    FailureOr<SmallVector<Value>> next = chunk(offset, full, carried);
    frames.pop_back();
    frames.back().nested = before;
    if (succeeded(next))
      builder.create<scf::YieldOp>(loc, *next);
    return next;
  };

  APInt known;
  bool hasNoRest = matchPattern(rest, m_ConstantInt(&known)) && known.isZero();
  auto loop = builder.create<scf::ForOp>(loc, zero, isLarge ? extent : end, step, inits);
  if (failed(inside(loop, loop.getBody(), loop.getInductionVar(), /*full=*/hasNoRest || !isLarge,
                    loop.getRegionIterArgs())))
    return failure();
  if (hasNoRest || isLarge)
    return SmallVector<Value>(loop.getResults());
  if (sizes.rest < size) {
    auto ofRest = builder.create<scf::ForOp>(loc, end, extent, constant(loc, sizes.rest), loop.getResults());
    if (failed(inside(ofRest, ofRest.getBody(), ofRest.getInductionVar(), /*full=*/false, ofRest.getRegionIterArgs())))
      return failure();
    return SmallVector<Value>(ofRest.getResults());
  }
  Value hasRest = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, rest, zero);
  auto branch = builder.create<scf::IfOp>(loc, inits.getTypes(), hasRest, /*addThenBlock=*/true,
                                          /*addElseBlock=*/!inits.empty());
  if (failed(inside(branch, branch.thenBlock(), {}, /*full=*/false, loop.getResults())))
    return failure();
  if (!inits.empty()) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(branch.elseBlock());
    builder.create<scf::YieldOp>(loc, loop.getResults());
  }
  return SmallVector<Value>(branch.getResults());
}

/// How many elements of a part are there, of a tile along a dimension: up to none, or beyond all.
Value BodyBuilder::extentOf(Location loc, Value tile, int64_t dim, const Part &part) {
  if (part.full)
    return constant(loc, part.size);
  Value extent = extentHere(loc, tile, dim);
  return part.offset ? builder.createOrFold<arith::SubIOp>(loc, extent, part.offset) : extent;
}

} // namespace tegula::split
