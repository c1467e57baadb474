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
  case Reduction::Custom: // Which says its own.
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
        "must not have an extent in a program, whose tiles have extents of their own: load a smaller window");
  return success();
}

template <class Op> static TypedAttr identityIn(Op op, unsigned source, Type element) {
  return op.isCustom() ? cast<TypedAttr>((*op.getIdentities())[source]) : tile::identityOf(op.getKind(), element);
}
TypedAttr ReduceOp::identityOf(unsigned source, Type element) { return identityIn(*this, source, element); }
TypedAttr ScanOp::identityOf(unsigned source, Type element) { return identityIn(*this, source, element); }

/// A custom reduction or scan has a combiner and identities, any other one has one source and its element's class.
template <class Op> static LogicalResult verifyKind(Op op) {
  if (op.getSources().empty() || op.getSources().size() != op.getResults().size())
    return op.emitOpError("has ") << op.getSources().size() << " sources and " << op.getResults().size()
                                  << " results: their numbers must be equal";
  size_t regions = op.isCustom() ? 1 : 0;
  if (op.getCombiner().size() != regions || op.isCustom() != op.getIdentities().has_value())
    return op.emitOpError(op.isCustom() ? "needs a combiner and identities" : "has a combiner of its own, by its name");
  if (op.isCustom()) {
    if (op.getIdentities()->size() != op.getSources().size())
      return op.emitOpError("has ") << op.getIdentities()->size() << " identities for " << op.getSources().size()
                                    << " sources";
    for (auto [identity, source] : llvm::zip(*op.getIdentities(), op.getSources()))
      if (auto typed = dyn_cast<TypedAttr>(identity);
          !typed || typed.getType() != scalarTypeOf(getElementTypeOrSelf(source.getType())))
        return op.emitOpError("has an identity that is no scalar of its source's: ") << identity;
    return success();
  }
  if (op.getSources().size() != 1)
    return op.emitOpError("combines one source, not ") << op.getSources().size();
  bool isLogic = op.getKind() == Reduction::Any || op.getKind() == Reduction::All;
  Type element = getElementTypeOrSelf(op.getSource().getType());
  if (isLogic != element.isInteger(1))
    return op.emitOpError("takes ") << (isLogic ? "bools" : "numbers") << ", not " << element;
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyKind(*this)))
    return failure();
  RankedTensorType source = getSource().getType(), result = getType();
  int64_t last = -1;
  for (int64_t axis : getAxes()) {
    if (axis <= last || axis >= source.getRank())
      return emitOpError("reduces dimension ") << axis << ", not ascending within rank " << source.getRank();
    last = axis;
  }
  SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < source.getRank(); ++dim)
    if (!isReduced(dim))
      kept.push_back(source.getDimSize(dim));
  for (auto [from, to] : llvm::zip(getSources(), getResults())) {
    auto given = cast<RankedTensorType>(from.getType()), made = cast<RankedTensorType>(to.getType());
    if (given.getElementType() != made.getElementType())
      return emitOpError("does not convert elements");
    if (given.getShape() != source.getShape())
      return emitOpError("combines tiles of one shape, not ") << source << " and " << given;
    if (made.getShape() != ArrayRef(kept))
      return emitOpError("makes ") << made << " of " << given << " without " << getAxes().size() << " dimensions";
  }
  if (!getExtents().empty() && (getExtents().size() != getAxes().size() || !source.hasStaticShape()))
    return emitOpError("has ") << getExtents().size() << " extents for " << getAxes().size() << " axes of " << source
                               << ": one for each axis, of a static tile";
  if (!getExtents().empty() && failed(verifyInKernel(*this)))
    return failure();
  if (getCluster() && result.getNumElements() != 1)
    return emitOpError("combines the elements of the CTAs of a cluster into one element, not ") << result;
  if (getPartial() && (getKind() != Reduction::Sum || !isa<FloatType>(result.getElementType()) ||
                       !getExtents().empty() || getCluster()))
    return emitOpError("leaves partial results only of a sum of floats, without extents, in one CTA");
  if (getPartial() && !isWithinLanes())
    return emitOpError(
               "leaves partial results in lanes that hold copies of the result, which the layouts do not give: ")
           << result << " of " << source;
  return success();
}

/// The combiner of tuples of such elements.
static LogicalResult verifyCombiner(Operation *op, Region &combiner, TypeRange tiles) {
  if (!combiner.hasOneBlock())
    return op->emitOpError("has a combiner of one block");
  Block &block = combiner.front();
  SmallVector<Type> scalars;
  for (Type type : tiles)
    scalars.push_back(scalarTypeOf(getElementTypeOrSelf(type)));
  SmallVector<Type> both(scalars);
  both.append(scalars);
  if (block.getArgumentTypes() != ArrayRef<Type>(both))
    return op->emitOpError("has a combiner whose arguments are not the elements of two tuples");
  auto end = dyn_cast_or_null<CombinedOp>(block.empty() ? nullptr : &block.back());
  if (!end || end.getOperandTypes() != ArrayRef<Type>(scalars))
    return op->emitOpError("has a combiner that does not end with tile.combined of a tuple");
  return success();
}

LogicalResult ReduceOp::verifyRegions() {
  return isCustom() ? verifyCombiner(*this, getCombiner().front(), getSources().getTypes()) : success();
}

LogicalResult ScanOp::verify() {
  if (failed(verifyKind(*this)))
    return failure();
  if (getKind() == Reduction::Any || getKind() == Reduction::All)
    return emitOpError("combines numbers, not bools: reduce them");
  RankedTensorType source = getSource().getType();
  auto axis = static_cast<int64_t>(getAxis());
  if (axis < 0 || axis >= source.getRank())
    return emitOpError("runs along dimension ") << axis << " of a tile of rank " << source.getRank();
  for (auto [from, to] : llvm::zip(getSources(), getResults())) {
    if (from.getType() != to.getType())
      return emitOpError("makes ") << to.getType() << " of " << from.getType() << ": the types must be equal";
    if (cast<RankedTensorType>(from.getType()).getShape() != source.getShape())
      return emitOpError("combines tiles of one shape, not ") << source << " and " << from.getType();
  }
  if (!getPosition().empty() && (!getState() || getPosition().size() != 3))
    return emitOpError("has ") << getPosition().size()
                               << " numbers of its part, but needs three, and only for a row that is shared";
  if (!getInits().empty() && getInits().size() != getSources().size())
    return emitOpError("has ") << getInits().size() << " inits for " << getSources().size() << " sources";
  SmallVector<int64_t> kept(source.getShape());
  kept.erase(kept.begin() + axis);
  for (auto [init, from] : llvm::zip(getInits(), getSources())) {
    auto given = cast<RankedTensorType>(init.getType());
    if (given.getShape() != ArrayRef(kept) || given.getElementType() != getElementTypeOrSelf(from.getType()))
      return emitOpError("begins with ") << given << ", which is not " << from.getType() << " without dimension "
                                         << axis;
  }
  return success();
}

/// What thread groups tell each other is told once, in their order.
Speculation::Speculatability ScanOp::getSpeculatability() {
  return getState() ? Speculation::NotSpeculatable : Speculation::Speculatable;
}
void ScanOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (!getState())
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult ScanOp::verifyRegions() {
  return isCustom() ? verifyCombiner(*this, getCombiner().front(), getSources().getTypes()) : success();
}

LogicalResult ScanTotalOp::verify() {
  if (!getScan())
    return emitOpError("takes a result of tile.scan");
  RankedTensorType source = getSource().getType();
  SmallVector<int64_t> kept(source.getShape());
  kept.erase(kept.begin() + getScan().getAxis());
  if (getType().getShape() != ArrayRef(kept) || getType().getElementType() != source.getElementType())
    return emitOpError("makes ") << getType() << " of " << source << " without dimension " << getScan().getAxis();
  return success();
}

LogicalResult CombineOp::verify() {
  size_t count = getResults().size();
  if (count == 0 || getOperands().size() != 2 * count)
    return emitOpError("has ") << getOperands().size() << " operands for " << count << " results: two tuples";
  for (size_t i = 0; i < 2 * count; ++i)
    if (getOperand(i).getType() != getResult(i % count).getType() ||
        cast<RankedTensorType>(getOperand(i).getType()).getShape() !=
            cast<RankedTensorType>(getResult(0).getType()).getShape())
      return emitOpError("combines tiles of one shape, tuple with tuple");
  return success();
}

LogicalResult CombineOp::verifyRegions() { return verifyCombiner(*this, getCombiner(), getResultTypes()); }

bool ReduceOp::isWithinLanes() {
  if (!getSource().getType().getEncoding() || !getType().getEncoding())
    return false;
  constexpr uint64_t lanes = layout::DistributedLayout::maxLanes - 1;
  uint64_t combined = placementOf(getSource().getType()).threadBitsAlong({getAxes().data(), getAxes().size()});
  return combined != 0 && combined == (placementOf(getType()).copyMask() & lanes);
}

LogicalResult SortOp::verify() {
  auto count = static_cast<int64_t>(getSources().size()), keys = static_cast<int64_t>(getKeys());
  if (count == 0 || getSources().getTypes() != getResultTypes())
    return emitOpError("puts ") << count << " sources into order, with a result of the same type for each";
  if (keys < 1 || keys > count)
    return emitOpError("has ") << keys << " keys among " << count << " sources";
  if (static_cast<int64_t>(getAxis()) >= getType().getRank())
    return emitOpError("sorts along dimension ") << getAxis() << " of rank " << getType().getRank();
  for (Value source : getSources())
    if (cast<RankedTensorType>(source.getType()).getShape() != getType().getShape())
      return emitOpError("sorts tiles of one shape, not ") << getType() << " and " << source.getType();
  for (Value key : getSources().take_front(keys))
    if (isStored(getElementTypeOrSelf(key.getType())))
      return emitOpError("does not compare ") << getElementTypeOrSelf(key.getType());
  for (Value source : getSources())
    if (tegula::isPacked(getElementTypeOrSelf(source.getType())))
      return emitOpError("moves no elements of less than a byte: ") << source.getType();
  return getExtent() ? verifyInKernel(*this) : success();
}

static int64_t storedBytes(Value tile) { return bytesOf(getElementTypeOrSelf(tile.getType())); }

bool SortOp::isPacked() { return getKeys() == 1 && storedBytes(getSources().front()) <= 2; }

int64_t SortOp::getExchangedBytes() {
  constexpr int64_t ofIndex = 2, ofPacked = 4;
  int64_t ofKeys = ofIndex, most = 0;
  for (auto [i, source] : llvm::enumerate(getSources())) {
    most = std::max(most, storedBytes(source));
    ofKeys += static_cast<int64_t>(i) < static_cast<int64_t>(getKeys()) ? storedBytes(source) : 0;
  }
  return std::max(isPacked() ? ofPacked : ofKeys, most);
}

bool SortOp::isExchanged(int64_t length) {
  constexpr int64_t mostElements = 8192;
  auto padded = static_cast<int64_t>(llvm::PowerOf2Ceil(static_cast<uint64_t>(length)));
  return padded <= mostElements && padded * getExchangedBytes() <= mostBytes;
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
  bool isNoFactor = a.getElementType().isInteger(1) || (isStored(a.getElementType()) && !areFloats8);
  if ((a.getElementType() != b.getElementType() && !areFloats8) || isNoFactor)
    return emitOpError("multiplies ") << a.getElementType() << " with " << b.getElementType();
  if (getPrecision() == Precision::Tf32 && !a.getElementType().isF32())
    return emitOpError("takes operands of f32 as tf32, not of ") << a.getElementType();
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
