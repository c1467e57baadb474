// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of copies (TileCopies.td).
#include "ir/Arrangement.h"
#include "ir/Wgmma.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tegula::tile;

bool tegula::tile::hasAsyncReduction(CopyReduction kind, Type element) {
  if (!element.isIntOrIndex())
    return false;
  unsigned bits = element.getIntOrFloatBitWidth();
  bool isCount = kind == CopyReduction::Inc || kind == CopyReduction::Dec;
  return isCount ? element.isUnsignedInteger(32) : bits == 32 || (bits == 64 && kind == CopyReduction::Add);
}

LogicalResult AsyncStoreOp::verify() {
  RefType target = getTarget().getType();
  RankedTensorType tile = target.getTileType(), value = getValue().getType();
  if (!target.isShared() || target.getRank() == 0)
    return emitOpError("stores a tile to shared memory, not to ") << target;
  if (value.getShape() != tile.getShape() || value.getElementType() != tile.getElementType())
    return emitOpError("has a tile of type ") << value << ", the window holds " << tile;
  if (target.getSizeInBytes() % 4 != 0)
    return emitOpError("stores whole words of 4 bytes, not ") << target.getSizeInBytes() << " bytes";
  if (getReduction() && !hasAsyncReduction(*getReduction(), target.getElementType()))
    return emitOpError("has no instruction for ")
           << stringifyCopyReduction(*getReduction()) << " of " << target.getElementType();
  return success();
}

/// A copy between windows: of as many elements, dimensions of 1 apart.
static LogicalResult verifyCopy(Operation *op, RefType global, RefType shared) {
  if (global.isShared() || !shared.isShared())
    return op->emitOpError("copies between global and shared memory");
  if (global.getElementType() != shared.getElementType())
    return op->emitOpError("does not convert elements");
  auto extents = [](RefType type) {
    SmallVector<int64_t> kept;
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (type.getBound(i) != 1)
        kept.push_back(type.getBound(i));
    return kept;
  };
  if (extents(global) != extents(shared))
    return op->emitOpError("copies between windows of other extents: ") << global << " and " << shared;
  return success();
}

bool tegula::tile::canFillWithNan(Type element) {
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element);
}

LogicalResult CopyToSharedOp::verify() {
  if (auto dim = getUnfilled(); dim && *dim >= static_cast<uint64_t>(getSource().getType().getRank()))
    return emitOpError("leaves dimension ") << *dim << " unfilled, which its window does not have";
  Type element = getSource().getType().getElementType();
  if (getOutside() == Outside::Nan && !canFillWithNan(element))
    return emitOpError("fills with NaN elements of f16, bf16, f32 or f64, not ") << element;
  if (failed(verifyOwn(*this, getTarget())))
    return failure();
  return verifyCopy(*this, getSource().getType(), getTarget().getType());
}

bool tegula::tile::hasCopyReduction(CopyReduction kind, Type element) {
  bool isInt =
      element.isIntOrIndex() && (element.getIntOrFloatBitWidth() == 32 || element.getIntOrFloatBitWidth() == 64);
  switch (kind) {
  case CopyReduction::Add:
    return isInt || isa<Float16Type, BFloat16Type, Float32Type>(element);
  case CopyReduction::Min:
  case CopyReduction::Max:
    return isInt || isa<Float16Type, BFloat16Type>(element);
  case CopyReduction::Inc:
  case CopyReduction::Dec:
    return element.isUnsignedInteger(32);
  case CopyReduction::And:
  case CopyReduction::Or:
  case CopyReduction::Xor:
    return isInt;
  }
  llvm_unreachable("a kind of reduction");
}

/// Of a copy to global memory.
template <class Op> static LogicalResult verifyReduction(Op op) {
  Type element = op.getTarget().getType().getElementType();
  if (op.getReduction() && !hasCopyReduction(*op.getReduction(), element))
    return op.emitOpError("has no instruction for ") << stringifyCopyReduction(*op.getReduction()) << " of " << element;
  return success();
}

LogicalResult CopyToGlobalOp::verify() {
  if (failed(verifyOwn(*this, getSource())) || failed(verifyCopy(*this, getTarget().getType(), getSource().getType())))
    return failure();
  return verifyReduction(*this);
}

/// A run is a row of whole units of 16 bytes, in the array and in shared memory.
static LogicalResult verifyRun(Operation *op, RefType global, RefType shared) {
  if (failed(verifyCopy(op, global, shared)))
    return failure();
  int64_t wide = 0, length = 1;
  for (int64_t i = 0; i < shared.getRank(); ++i) {
    wide += shared.getBound(i) != 1;
    length *= shared.getBound(i);
  }
  if (wide > 1 || length * bytesOf(shared.getElementType()) % 16 != 0)
    return op->emitOpError("copies a run of a multiple of 16 bytes, not ") << shared;
  return success();
}

/// Along the last dimension of memory, in its own order.
static bool isRun(Value ref) {
  auto type = cast<RefType>(ref.getType());
  SmallVector<int64_t> dims = arrayDimsOf(ref);
  int64_t last = cast<RefType>(memoryOf(ref).getType()).getRank() - 1, wide = 0;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (type.getBound(i) != 1 && dims[i] != last)
      return false;
    wide += type.getBound(i) != 1;
  }
  return wide <= 1;
}

bool tegula::tile::areRuns(Value global, Value shared) {
  auto type = cast<RefType>(shared.getType());
  bool isWhole = !isPacked(type.getElementType()) && type.getSizeInBytes() % 16 == 0;
  return isWhole && isRun(global) && isRun(shared);
}

LogicalResult BulkLoadOp::verify() {
  if (failed(verifyOwn(*this, getTarget())))
    return failure();
  return verifyRun(*this, getSource().getType(), getTarget().getType());
}
LogicalResult BulkStoreOp::verify() {
  if (failed(verifyOwn(*this, getSource())) || failed(verifyRun(*this, getTarget().getType(), getSource().getType())))
    return failure();
  return verifyReduction(*this);
}

LogicalResult CpAsyncOp::verify() {
  RefType target = getTarget().getType();
  if (failed(verifyOwn(*this, getTarget())) || failed(verifyCopy(*this, getSource().getType(), target)))
    return failure();
  int64_t rank = target.getRank();
  if (getSource().getType().getRank() != rank || rank < 1 || rank > 2 ||
      target.getDims().back() * bytesOf(target.getElementType()) % 16 != 0)
    return emitOpError("copies a vector or a matrix whose rows are a multiple of 16 bytes, not ")
           << getSource().getType() << " to " << target;
  return success();
}

static bool isPermutation(ArrayRef<int64_t> axes, int64_t rank) {
  SmallVector<int64_t> seen(axes);
  llvm::sort(seen);
  return llvm::equal(seen, llvm::seq<int64_t>(0, rank));
}

/// What holds for every tensor map.
template <class Op> static LogicalResult verifyMap(Op op) {
  ArrayType array = op.getArray().getType();
  int64_t rank = array.getRank();
  if (array.getIsTable())
    return op.emitOpError("maps one array, not a table");
  if (rank < 1 || rank > 5)
    return op.emitOpError("maps an array of rank 1 to 5, not ") << rank;
  if (auto order = op.getPermutation(); order && !isPermutation(*order, rank))
    return op.emitOpError("has the permutation [")
           << *order << "], which does not name each dimension of an array of rank " << rank << " once";
  if (static_cast<int64_t>(op.getBox().size()) != rank)
    return op.emitOpError("has a box of ") << op.getBox().size() << " dimensions for an array of rank " << rank;
  for (auto [i, extent] : llvm::enumerate(op.getBox()))
    if (extent < 1 || extent > 256)
      return op.emitOpError("has a box of ") << extent << " elements in dimension " << i << ", not of 1 to 256";
  int64_t swizzle = op.getSwizzle(), width = op.getBox().back() * bytesOf(array.getElementType());
  if (swizzle != 16 && swizzle != 32 && swizzle != 64 && swizzle != 128)
    return op.emitOpError("has a swizzle of 16, 32, 64 or 128 bytes, not ") << swizzle;
  if (swizzle == 16 ? width % 16 != 0 : width != swizzle)
    return op.emitOpError("has a box ") << width << " bytes wide, not " << (swizzle == 16 ? "a multiple of " : "")
                                        << swizzle;
  return success();
}

LogicalResult TensorMapOp::verify() {
  if (failed(verifyMap(*this)))
    return failure();
  ArrayRef<int64_t> box = getBox();
  if (auto dim = getClipped(); dim && (*dim >= static_cast<uint64_t>(box.size() - 1) || box[*dim] % rowsOfAtom != 0))
    return emitOpError("is clipped along a dimension of ")
           << rowsOfAtom << " rows or a multiple of them, which is not the innermost one";
  return success();
}
LogicalResult CanMapOp::verify() { return verifyMap(*this); }
