// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Elements.h"
#include "ir/TileDialect.h"

using namespace mlir;

namespace tegula::tile {

int64_t ReduceOp::getSourceDim(int64_t resultDim) {
  int64_t dim = resultDim;
  for (int64_t axis : getAxes())
    dim += axis <= dim;
  return dim;
}

TypedAttr identityOf(Reduction kind, Type element) {
  Type type = scalarTypeOf(element);
  bool isMost = kind == Reduction::Min;
  if (auto real = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = real.getFloatSemantics();
    APFloat value = kind == Reduction::Sum    ? APFloat::getZero(semantics)
                    : kind == Reduction::Prod ? APFloat::getOne(semantics)
                                              : APFloat::getInf(semantics, /*Negative=*/!isMost);
    return FloatAttr::get(type, value);
  }
  unsigned width = type.getIntOrFloatBitWidth();
  bool isUnsigned = element.isUnsignedInteger();
  APInt value(width, 0);
  switch (kind) {
  case Reduction::Sum:
  case Reduction::Any:
    break;
  case Reduction::Prod:
  case Reduction::All:
    value = APInt(width, 1);
    break;
  case Reduction::Max:
    value = isUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width);
    break;
  case Reduction::Min:
    value = isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
    break;
  }
  return IntegerAttr::get(type, value);
}

/// The tiles of a program know their extents by their types; parts of them, which kernels have, do not.
static LogicalResult verifyInKernel(Operation *op) {
  if (op->getParentOfType<LaunchOp>())
    return op->emitOpError(
        "is told an extent in a program, whose tiles have extents of their own: load a smaller window");
  return success();
}

LogicalResult ReduceOp::verify() {
  RankedTensorType source = getSource().getType(), result = getType();
  int64_t last = -1;
  for (int64_t axis : getAxes()) {
    if (axis <= last || axis >= source.getRank())
      return emitOpError("reduces dimension ") << axis << ", not ascending within rank " << source.getRank();
    last = axis;
  }
  if (source.getElementType() != result.getElementType())
    return emitOpError("does not convert elements");
  bool isLogic = getKind() == Reduction::Any || getKind() == Reduction::All;
  if (isLogic != source.getElementType().isInteger(1))
    return emitOpError("takes ") << (isLogic ? "bools" : "numbers") << ", not " << source.getElementType();
  SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < source.getRank(); ++dim)
    if (!isReduced(dim))
      kept.push_back(source.getDimSize(dim));
  if (!getExtents().empty() && (getExtents().size() != getAxes().size() || !source.hasStaticShape()))
    return emitOpError("has ") << getExtents().size() << " extents for " << getAxes().size() << " axes of " << source
                               << ": one for each axis, of a static tile";
  if (!getExtents().empty() && failed(verifyInKernel(*this)))
    return failure();
  if (getCluster() && result.getNumElements() != 1)
    return emitOpError("makes one element of what the blocks of a cluster have, not ") << result;
  if (getPartial() && (getKind() != Reduction::Sum || !isa<FloatType>(result.getElementType()) ||
                       !getExtents().empty() || getCluster()))
    return emitOpError("leaves parts only of a sum of floats, without extents, in one block");
  if (ArrayRef(kept) != result.getShape())
    return emitOpError("makes ") << result << " of " << source << " without " << getAxes().size() << " dimensions";
  if (getPartial() && !isWithinLanes())
    return emitOpError("leaves parts to lanes that hold copies of the result: by their layouts, ")
           << result << " of " << source << " is not made so";
  return success();
}

bool ReduceOp::isWithinLanes() {
  if (!getSource().getType().getEncoding() || !getType().getEncoding())
    return false;
  constexpr uint64_t lanes = layout::DistributedLayout::maxLanes - 1;
  uint64_t combined = placementOf(getSource().getType()).threadBitsAlong({getAxes().data(), getAxes().size()});
  return combined != 0 && combined == (placementOf(getType()).copyMask() & lanes);
}

/// The type in which products of elements are summed.
static Type sumTypeOf(Type element) {
  Builder builder(element.getContext());
  if (element.isF16() || element.isBF16() || isFloat8(element))
    return builder.getF32Type();
  if (auto integer = dyn_cast<IntegerType>(element); integer && integer.getWidth() <= 16)
    return builder.getIntegerType(32);
  return element;
}

LogicalResult DotOp::verify() {
  RankedTensorType a = getA().getType(), b = getB().getType(), result = getType();
  int64_t rank = result.getRank();
  if (rank < 2 || a.getRank() != rank || b.getRank() != rank)
    return emitOpError("multiplies tiles of equal rank, at least 2, not ")
           << a.getRank() << " and " << b.getRank() << " to " << rank;
  bool areFloats8 = isFloat8(a.getElementType()) && isFloat8(b.getElementType());
  if ((a.getElementType() != b.getElementType() && !areFloats8) || a.getElementType().isInteger(1))
    return emitOpError("multiplies ") << a.getElementType() << " with " << b.getElementType();
  if (getPrecision() == Precision::Tf32 && !a.getElementType().isF32())
    return emitOpError("takes factors of f32 as tf32, not of ") << a.getElementType();
  if (result.getElementType() != sumTypeOf(a.getElementType()))
    return emitOpError("sums products of ") << a.getElementType() << " in " << sumTypeOf(a.getElementType());
  for (int64_t dim = 0; dim < rank - 2; ++dim)
    if (a.getDimSize(dim) != result.getDimSize(dim) || b.getDimSize(dim) != result.getDimSize(dim))
      return emitOpError("has batches that differ in dimension ") << dim;
  if (a.getDimSize(rank - 2) != result.getDimSize(rank - 2) || b.getDimSize(rank - 1) != result.getDimSize(rank - 1) ||
      a.getDimSize(rank - 1) != b.getDimSize(rank - 2))
    return emitOpError("cannot multiply ") << a << " with " << b << " to " << result;
  if (getExtent() && ShapedType::isDynamic(a.getDimSize(rank - 1)))
    return emitOpError("has an extent along a K that is not static: ") << a;
  if (getExtent() && failed(verifyInKernel(*this)))
    return failure();
  if (getAcc() && getAcc().getType() != result)
    return emitOpError("adds to another type than its result's");
  return success();
}

LogicalResult PermuteOp::verify() {
  RankedTensorType source = getSource().getType(), result = getType();
  SmallVector<int64_t> seen(getPermutation());
  llvm::sort(seen);
  if (source.getRank() != result.getRank() || !llvm::equal(seen, llvm::seq<int64_t>(0, source.getRank())))
    return emitOpError("permutes ") << source.getRank() << " dimensions to " << result.getRank();
  if (source.getElementType() != result.getElementType())
    return emitOpError("does not convert elements");
  for (auto [i, dim] : llvm::enumerate(getPermutation()))
    if (source.getDimSize(dim) != result.getDimSize(i))
      return emitOpError("has another size along dimension ") << i << " than its source along " << dim;
  return success();
}

} // namespace tegula::tile
