// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers, scatters and atomic updates: what they access, and how they are made of parts.
//
//   o[all] = x[rows[all]] + bias[all]      ->      %i = load rows[16]                      // an index a row
//                                                  %t = gather %x[%i] [0] at 0             // 16 rows of x
//                                                  store %t + broadcast(load bias), o[16, all]
//
// They access a window of which some dimensions are indexed by tiles of integers. The other dimensions are iterated,
// and cut, as those of any window. Values computed from the indices follow the dimensions that the indices have in the
// result: a thread has the indices of its rows, computes where each row begins, and moves elements by the accesses of a
// window (IndirectRows in lower/TileAccess.h).
//
// Indices beyond the extent of their tile are undefined. A gather that may be asked for elements there is `guarded`: it
// checks that the index is within the window. Scatters and updates get a mask of the extent
// (BodyBuilder::withinExtents). Several programs, and several thread groups of one program, store and update in no
// order; a thread group that runs all of a program keeps its order.
//
// `tile.take` does the same with values: tg::flip, tg::reshape and the like (language/shapes.h) are C++ over it, with
// computed indices. `tile-sink-takes` moves the indices to where the tile comes from, so that a load becomes a gather
// and nothing is exchanged. The takes that remain are of reductions, products and tiles of loops: splitting holds such
// a tile whole, and threads find its elements in shared memory.
#include "ir/Parts.h"
#include "ir/TileDialect.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::tile {

int64_t detail::iteratedDim(ArrayRef<int64_t> indexedDims, int64_t position, int64_t indexRank, int64_t refDim) {
  if (llvm::is_contained(indexedDims, refDim))
    return -1;
  int64_t kept = refDim - llvm::count_if(indexedDims, [&](int64_t dim) { return dim < refDim; });
  return kept < position ? kept : kept + indexRank;
}

Value iteratedTile(Operation *op) {
  return op->getNumResults() > 0 ? op->getResult(0) : cast<RootOpInterface>(op).getRootValue();
}

// ---- Indexing maps --------------------------------------------------------------------------------------------------

template <class IndirectOp> static IndexingMap mapOfIndirect(IndirectOp op, OpOperand &operand) {
  if (operand.get() == op.getRef() && isa<RefType>(operand.get().getType())) {
    IndexingMap map;
    for (int64_t dim = 0; dim < op.getRef().getType().getRank(); ++dim) {
      int64_t iterated = op.getIteratedDim(dim);
      map.push_back(iterated < 0 ? DimIndex::indirect() : DimIndex::iterated(iterated));
    }
    return map;
  }
  IndexingMap map = detail::identityMap(operand);
  OperandRange indices = op.getIndices();
  unsigned first = indices.empty() ? 0 : indices.getBeginOperandIndex();
  if (!indices.empty() && operand.getOperandNumber() >= first && operand.getOperandNumber() < first + indices.size())
    for (DimIndex &index : map)
      index.dim += op.getPosition();
  return map;
}

IndexingMap GatherOp::getIndexingMap(OpOperand &operand) { return mapOfIndirect(*this, operand); }
IndexingMap ScatterOp::getIndexingMap(OpOperand &operand) { return mapOfIndirect(*this, operand); }
IndexingMap AtomicOp::getIndexingMap(OpOperand &operand) { return mapOfIndirect(*this, operand); }

IndexingMap TakeOp::getIndexingMap(OpOperand &operand) {
  IndexingMap map = detail::identityMap(operand);
  for (auto [dim, index] : llvm::enumerate(map)) {
    if (operand.getOperandNumber() > 0)
      index.dim += getPosition();
    else if (int64_t iterated = getIteratedDim(dim); iterated >= 0)
      index.dim = iterated;
    else
      index = DimIndex::indirect();
  }
  return map;
}

// ---- Parts ----------------------------------------------------------------------------------------------------------

template <class IndirectOp>
IndirectPlace makePlace(OpBuilder &builder, IndirectOp op, Value ref, ArrayRef<Part> parts, bool isMasked) {
  auto type = cast<RefType>(ref.getType());
  IndirectPlace place{{}, {}, 0, {}};
  Parts ofRef;
  int64_t kept = 0;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t iterated = op.getIteratedDim(dim);
    if (iterated < 0) {
      place.dims.push_back(kept++);
      ofRef.push_back({{}, type.getBound(dim)});
      continue;
    }
    Part part = parts[iterated];
    // What is made of a static block goes on where the array ends.
    auto made = cast<RankedTensorType>(iteratedTile(op).getType());
    if (isMasked && !type.isExact(dim) && !made.isDynamicDim(iterated)) {
      part.full = false;
      if (part.dropped) {
        Value extent = builder.createOrFold<DimOp>(op.getLoc(), ref, builder.getI64IntegerAttr(dim));
        Value at = part.offset
                       ? part.offset
                       : builder.create<arith::ConstantOp>(op.getLoc(), builder.getI64IntegerAttr(0)).getResult();
        Value isInside = builder.create<arith::CmpIOp>(op.getLoc(), arith::CmpIPredicate::slt, at, extent);
        place.isThere =
            place.isThere ? builder.create<arith::AndIOp>(op.getLoc(), place.isThere, isInside).getResult() : isInside;
      }
    }
    kept += !part.dropped;
    ofRef.push_back(part);
  }
  place.ref = makeWindow(builder, op.getLoc(), ref, ofRef);
  place.position = positionIn(parts, op.getPosition());
  return place;
}
template IndirectPlace makePlace(OpBuilder &, GatherOp, Value, ArrayRef<Part>, bool);
template IndirectPlace makePlace(OpBuilder &, ScatterOp, Value, ArrayRef<Part>, bool);
template IndirectPlace makePlace(OpBuilder &, AtomicOp, Value, ArrayRef<Part>, bool);

static Value both(OpBuilder &builder, Location loc, Value mask, Value isThere) {
  if (!isThere)
    return mask;
  Value everywhere = builder.create<FullOp>(loc, mask.getType(), isThere, ValueRange());
  return builder.create<LogicalAndOp>(loc, mask.getType(), mask, everywhere);
}

Value GatherOp::makePart(OpBuilder &builder, ArrayRef<Part> parts, ValueRange operands) {
  size_t count = getIndices().size();
  ValueRange indices = operands.slice(1, count);
  IndirectPlace place = makePlace(builder, *this, operands.front(), parts, bool(getMask()));
  Value mask = getMask() ? both(builder, getLoc(), operands[1 + count], place.isThere) : Value();
  Value other = getMask() ? operands[2 + count] : Value();
  bool isGuarded = getGuarded();
  for (int64_t dim = getPosition(); dim < static_cast<int64_t>(getPosition()) + getIndexRank(); ++dim)
    isGuarded |= !parts[dim].full && !parts[dim].dropped && getType().getDimSize(dim) != 1;
  return builder.create<GatherOp>(getLoc(), partType(getType().getElementType(), parts), place.ref, indices, place.dims,
                                  place.position, mask, other, isGuarded);
}

/// Of the source, all is there along the dimensions that are indexed.
Value TakeOp::makePart(OpBuilder &builder, ArrayRef<Part> parts, ValueRange operands) {
  SmallVector<int64_t> dims;
  int64_t kept = 0;
  for (int64_t dim = 0; dim < getSource().getType().getRank(); ++dim) {
    int64_t iterated = getIteratedDim(dim);
    if (iterated < 0)
      dims.push_back(kept++);
    else
      kept += !parts[iterated].dropped;
  }
  return builder.create<TakeOp>(getLoc(), partType(getType().getElementType(), parts), operands.front(),
                                operands.drop_front(), dims, positionIn(parts, getPosition()));
}

Operation *makeRootPart(OpBuilder &builder, RootOpInterface root, ArrayRef<Part> parts, ValueRange operands,
                        Value mask) {
  Location loc = root.getLoc();
  return llvm::TypeSwitch<Operation *, Operation *>(root)
      .Case([&](StoreOp) {
        return builder.create<StoreOp>(loc, operands[0], makeWindow(builder, loc, operands[1], parts), mask);
      })
      .Case([&](ScatterOp scatter) {
        IndirectPlace place = makePlace(builder, scatter, operands[1], parts, /*isMasked=*/false);
        return builder.create<ScatterOp>(loc, operands[0], place.ref, operands.slice(2, scatter.getIndices().size()),
                                         place.dims, place.position, mask);
      })
      .Case([&](AtomicOp atomic) {
        size_t count = atomic.getIndices().size();
        IndirectPlace place = makePlace(builder, atomic, operands[1], parts, /*isMasked=*/false);
        return builder.create<AtomicOp>(loc, operands[0].getType(), atomic.getKind(), operands[0], place.ref,
                                        operands.slice(2, count), place.dims, place.position,
                                        atomic.getCompare() ? operands[2 + count] : Value(), mask, atomic.getOrder(),
                                        atomic.getScope(), atomic.getPrivately());
      });
}

// ---- Verifiers ------------------------------------------------------------------------------------------------------

/// `tile` has the dimensions of what is indexed, those that are replaced.
template <class IndirectOp>
static LogicalResult verifyIndices(IndirectOp op, RankedTensorType whole, RankedTensorType tile) {
  if (op.getDims().size() != op.getIndices().size())
    return op.emitOpError("has ") << op.getIndices().size() << " tiles of indices for " << op.getDims().size()
                                  << " dimensions";
  for (auto [i, dim] : llvm::enumerate(op.getDims()))
    if (dim < 0 || dim >= whole.getRank() || (i > 0 && dim <= op.getDims()[i - 1]))
      return op.emitOpError("indexes dimension ") << dim << ", not ascending within rank " << whole.getRank();
  SmallVector<int64_t> shape, index;
  for (int64_t dim = 0; dim < whole.getRank(); ++dim)
    if (!llvm::is_contained(op.getDims(), dim))
      shape.push_back(whole.getDimSize(dim));
  int64_t position = op.getPosition();
  if (position < 0 || position > static_cast<int64_t>(shape.size()))
    return op.emitOpError("puts the dimensions of its indices at ") << position << " among " << shape.size();
  for (Value indices : op.getIndices()) {
    ArrayRef<int64_t> own = cast<RankedTensorType>(indices.getType()).getShape();
    if (indices == op.getIndices().front())
      index.assign(own.begin(), own.end());
    else if (own != ArrayRef(index))
      return op.emitOpError("has tiles of indices of different shapes");
  }
  shape.insert(shape.begin() + position, index.begin(), index.end());
  if (tile.getShape() != ArrayRef(shape) || tile.getElementType() != whole.getElementType())
    return op.emitOpError("has a tile of type ")
           << tile << ", the ref holds " << RankedTensorType::get(shape, whole.getElementType());
  return success();
}

template <class IndirectOp> static LogicalResult verifyIndirect(IndirectOp op, RankedTensorType tile, Value mask) {
  RefType ref = op.getRef().getType();
  if (ref.isShared() && !op.getIndices().empty())
    return op.emitOpError("indexes shared memory");
  if (failed(verifyIndices(op, ref.getTileType(), tile)))
    return failure();
  auto type = mask ? cast<RankedTensorType>(mask.getType()) : RankedTensorType();
  if (type && (type.getShape() != tile.getShape() || !type.getElementType().isInteger(1)))
    return op.emitOpError("has a mask of type ") << type << " for " << tile;
  return success();
}

LogicalResult GatherOp::verify() {
  if (getIndices().empty())
    return emitOpError("has no indices");
  if (!getMask() != !getOther())
    return emitOpError("must have a mask and the value where it is false, or neither");
  if (getOther() && getOther().getType() != getType())
    return emitOpError("has ") << getOther().getType() << " in place of " << getType();
  return verifyIndirect(*this, getType(), getMask());
}

LogicalResult TakeOp::verify() {
  if (getIndices().empty())
    return emitOpError("has no indices");
  return verifyIndices(*this, getSource().getType(), getType());
}

LogicalResult ScatterOp::verify() {
  if (getIndices().empty())
    return emitOpError("has no indices");
  return verifyIndirect(*this, getValue().getType(), getMask());
}

bool isCombining(Atomic kind) { return kind != Atomic::Exch && kind != Atomic::Cas; }

LogicalResult PrivateOpenOp::verify() {
  if (!isCombining(getKind()))
    return emitOpError("combines updates, but of those by ") << stringifyAtomic(getKind()) << " only one remains";
  if (getRef().getType().isShared() || !isa<BlockArgument>(getRef()))
    return emitOpError("copies an array, an argument of the kernel");
  return success();
}

LogicalResult AtomicOp::verify() {
  Type element = getValue().getType().getElementType();
  bool isFloat = isa<FloatType>(element),
       isOfBits = llvm::is_contained({Atomic::And, Atomic::Or, Atomic::Xor}, getKind());
  if (element.getIntOrFloatBitWidth() < 32 && !isFloat)
    return emitOpError("updates elements of type ") << element << ": integers have 32 or 64 bits";
  if (isOfBits && isFloat)
    return emitOpError("combines bits of ") << element;
  if ((getKind() == Atomic::Cas) != bool(getCompare()))
    return emitOpError("must have a value to compare with if it is a cas, and only then");
  if (getPrivately() && (!isCombining(getKind()) || !getResult().use_empty()))
    return emitOpError("cannot return the old value: a private copy combines updates");
  if (getCompare() && getCompare().getType() != getValue().getType())
    return emitOpError("compares ") << getValue().getType() << " with " << getCompare().getType();
  return verifyIndirect(*this, getValue().getType(), getMask());
}

} // namespace tegula::tile
