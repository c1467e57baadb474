// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements of its operands each element of an op's result is made of, and how a part of it is made.
#include "ir/TileDialect.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tegula::tile;

WindowOf tegula::tile::windowOf(IndexedOpInterface op, int64_t resultDim) {
  for (auto [sourceDim, index] : llvm::enumerate(op.getIndexingMap(op->getOpOperand(0))))
    if (index.isWindow() && index.dim == resultDim)
      return {static_cast<unsigned>(sourceDim), index};
  llvm_unreachable("no window lies along this dimension");
}

SmallVector<int64_t> tegula::tile::arrayDimsOf(Value ref) {
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, cast<RefType>(ref.getType()).getRank()));
  for (; auto view = ref.getDefiningOp<IndexedOpInterface>(); ref = view->getOperand(0)) {
    if (auto reshape = dyn_cast<ReshapeRefOp>(view.getOperation())) {
      for (int64_t &dim : dims)
        dim = reshape.getSourceDim(dim);
      continue;
    }
    IndexingMap source = view.getIndexingMap(view->getOpOperand(0));
    for (int64_t &dim : dims)
      dim = llvm::find_if(source, [&](const DimIndex &index) { return index.dim == dim; }) - source.begin();
  }
  return dims;
}

SmallVector<int64_t> tegula::tile::copyOrderOf(Value ref) {
  bool isTransposed = false;
  for (Value at = ref; auto view = at.getDefiningOp<IndexedOpInterface>(); at = view->getOperand(0))
    isTransposed |= isa<TransposeOp>(view.getOperation());
  auto all = llvm::seq<int64_t>(0, cast<RefType>(memoryOf(ref).getType()).getRank());
  if (!isTransposed)
    return llvm::to_vector(all);
  SmallVector<int64_t> dims = arrayDimsOf(ref), order;
  llvm::copy_if(all, std::back_inserter(order), [&](int64_t dim) { return !llvm::is_contained(dims, dim); });
  order.append(dims);
  return order;
}

RankedTensorType tegula::tile::partType(Type element, ArrayRef<Part> parts) {
  SmallVector<int64_t> shape;
  for (const Part &part : parts)
    if (!part.dropped)
      shape.push_back(part.size);
  return RankedTensorType::get(shape, element);
}

int64_t tegula::tile::positionIn(ArrayRef<Part> parts, int64_t dim) {
  return llvm::count_if(parts.take_front(dim), [](const Part &part) { return !part.dropped; });
}

SmallVector<int64_t> tegula::tile::positionsIn(ArrayRef<Part> parts, ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(dims, [&](int64_t dim) { return positionIn(parts, dim); });
}

IndexingMap tegula::tile::detail::identityMap(OpOperand &operand) {
  int64_t rank = 0;
  if (auto ref = dyn_cast<RefType>(operand.get().getType()))
    rank = ref.getRank();
  else
    rank = cast<RankedTensorType>(operand.get().getType()).getRank();
  return llvm::map_to_vector<4>(llvm::seq<int64_t>(0, rank), DimIndex::iterated);
}

Value tegula::tile::detail::makeAgain(OpBuilder &builder, Operation *op, Type type, ValueRange operands) {
  Operation *made = Operation::create(op->getLoc(), op->getName(), type, operands, op->getAttrs(),
                                      op->getPropertiesStorage(), {}, op->getNumRegions());
  for (auto [from, to] : llvm::zip(op->getRegions(), made->getRegions())) {
    IRMapping mapping; // It takes nothing from outside.
    from.cloneInto(&to, mapping);
  }
  return builder.insert(made)->getResult(0);
}

namespace {
/// A variable that is not set on some path.
struct IndexedPoison : IndexedOpInterface::ExternalModel<IndexedPoison, ub::PoisonOp> {};
} // namespace

void TileDialect::describeForeignOps() { ub::PoisonOp::attachInterface<IndexedPoison>(*getContext()); }

static RankedTensorType partOf(Operation *op, ArrayRef<Part> parts) {
  return partType(cast<RankedTensorType>(op->getResult(0).getType()).getElementType(), parts);
}

// ---- Parts and views ------------------------------------------------------------------------------------------------

template <class SlicingOp> static IndexingMap mapOfSlice(SlicingOp op) {
  IndexingMap map;
  int64_t next = 0;
  for (unsigned dim = 0; dim < op.getModes().size(); ++dim)
    switch (op.getMode(dim)) {
    case SliceMode::Whole:
      map.push_back(DimIndex::iterated(next++));
      break;
    case SliceMode::Window:
      map.push_back({DimIndex::Kind::Window, next++, op.getOffset(dim), op.getSize(dim)});
      break;
    case SliceMode::Element:
      map.push_back({DimIndex::Kind::Element, -1, op.getOffset(dim)});
      break;
    }
  return map;
}

IndexingMap SliceOp::getIndexingMap(OpOperand &) { return mapOfSlice(*this); }
IndexingMap StridedSliceOp::getIndexingMap(OpOperand &operand) {
  IndexingMap map = detail::identityMap(operand);
  map[getAxis()] = {DimIndex::Kind::Window, static_cast<int64_t>(getAxis()), getOffset(), getSize(), getStep()};
  return map;
}
IndexingMap SubtileOp::getIndexingMap(OpOperand &) { return mapOfSlice(*this); }
/// A part of the source's is a part of it.
Value SubtileOp::makePart(OpBuilder &, ArrayRef<Part>, ValueRange operands) { return operands.front(); }

static IndexingMap mapOfPermutation(ArrayRef<int64_t> permutation) {
  IndexingMap map(permutation.size(), DimIndex::iterated(0));
  for (auto [dim, sourceDim] : llvm::enumerate(permutation))
    map[sourceDim] = DimIndex::iterated(static_cast<int64_t>(dim));
  return map;
}

IndexingMap TransposeOp::getIndexingMap(OpOperand &) { return mapOfPermutation(getPermutation()); }
IndexingMap PermuteOp::getIndexingMap(OpOperand &) { return mapOfPermutation(getPermutation()); }

Value PermuteOp::makePart(OpBuilder &builder, ArrayRef<Part> parts, ValueRange operands) {
  // Dimensions that the part drops are gone on both sides.
  Parts source(parts.size());
  for (auto [dim, sourceDim] : llvm::enumerate(getPermutation()))
    source[sourceDim] = parts[dim];
  SmallVector<int64_t> permutation;
  for (auto [dim, sourceDim] : llvm::enumerate(getPermutation()))
    if (!parts[dim].dropped)
      permutation.push_back(positionIn(source, sourceDim));
  return builder.createOrFold<PermuteOp>(getLoc(), partOf(*this, parts), operands.front(), permutation);
}

// ---- Repeated and computed elements ---------------------------------------------------------------------------------

IndexingMap BroadcastOp::getIndexingMap(OpOperand &) {
  IndexingMap map;
  for (auto [i, dim] : llvm::enumerate(getDims())) {
    bool isRepeated = getSource().getType().getDimSize(i) != getType().getDimSize(dim) && !isBound(i);
    map.push_back(isRepeated ? DimIndex::unit(dim) : DimIndex::iterated(dim));
  }
  return map;
}

Value BroadcastOp::makePart(OpBuilder &builder, ArrayRef<Part> parts, ValueRange operands) {
  // Dimensions that the part drops are gone on both sides.
  SmallVector<int64_t> dims;
  for (int64_t dim : getDims())
    if (!parts[dim].dropped)
      dims.push_back(positionIn(parts, dim));
  RankedTensorType type = partOf(*this, parts);
  if (operands.front().getType() == type)
    return operands.front();
  return builder.create<BroadcastOp>(getLoc(), type, operands.front(), dims);
}

Value FullOp::makePart(OpBuilder &builder, ArrayRef<Part> parts, ValueRange operands) {
  return builder.create<FullOp>(getLoc(), partOf(*this, parts), operands.front(), ValueRange());
}

/// Parts are as long as their tile is asked for.
Value ConformOp::makePart(OpBuilder &, ArrayRef<Part>, ValueRange operands) { return operands.front(); }

Value IotaOp::makePart(OpBuilder &builder, ArrayRef<Part> parts, ValueRange operands) {
  const Part &along = parts[getAxis()];
  Value offset = along.offset, own = getOffset() ? operands.front() : Value();
  if (offset && own)
    offset = builder.create<arith::AddIOp>(getLoc(), offset, own);
  else if (own)
    offset = own;
  RankedTensorType type = partOf(*this, parts);
  if (!along.dropped)
    return builder.create<IotaOp>(getLoc(), type, builder.getI64IntegerAttr(positionIn(parts, getAxis())), offset,
                                  ValueRange());
  // One index of it: the same value everywhere.
  if (!offset)
    offset = builder.create<arith::ConstantOp>(getLoc(), builder.getI64IntegerAttr(0));
  auto index = RankedTensorType::get({}, builder.getI64Type());
  Value value = builder.create<FullOp>(getLoc(), index, offset, ValueRange());
  value = builder.create<CastOp>(getLoc(), RankedTensorType::get({}, type.getElementType()), value);
  return builder.create<BroadcastOp>(getLoc(), type, value, ArrayRef<int64_t>());
}

// ---- Reductions, scans and products ---------------------------------------------------------------------------------

bool tegula::tile::isContraction(Operation *op) {
  auto indexed = dyn_cast_or_null<IndexedOpInterface>(op);
  return indexed && (indexed.getNumReductionDims() > 0 || indexed.getScannedDim() >= 0);
}

IndexingMap ReduceOp::getIndexingMap(OpOperand &) {
  IndexingMap map;
  int64_t kept = 0, reduced = getType().getRank();
  for (int64_t dim = 0; dim < getSource().getType().getRank(); ++dim)
    map.push_back(DimIndex::iterated(isReduced(dim) ? reduced++ : kept++));
  return map;
}

/// Sources as they are; what they begin with lacks the axis.
IndexingMap ScanOp::getIndexingMap(OpOperand &operand) {
  IndexingMap map;
  if (getState() && operand.get() == getState())
    return {DimIndex::indirect()};
  bool isInit = operand.getOperandNumber() >= getSources().size();
  for (int64_t dim = 0; dim < getSource().getType().getRank(); ++dim)
    if (!isInit || dim != getScannedDim())
      map.push_back(DimIndex::iterated(dim));
  return map;
}

int64_t ScanOp::getScannedDim() { return static_cast<int64_t>(getAxis()); }

IndexingMap ScanTotalOp::getIndexingMap(OpOperand &) {
  IndexingMap map;
  int64_t kept = 0, axis = getScan().getScannedDim();
  for (int64_t dim = 0; dim < getSource().getType().getRank(); ++dim)
    map.push_back(DimIndex::iterated(dim == axis ? getType().getRank() : kept++));
  return map;
}

int64_t ScanTotalOp::getNumReductionDims() { return 1; }

IndexingMap DotOp::getIndexingMap(OpOperand &operand) {
  IndexingMap map = detail::identityMap(operand);
  int64_t rank = getType().getRank();
  if (operand.get() == getA() && operand.getOperandNumber() == 0)
    map[rank - 1].dim = rank;
  else if (operand.getOperandNumber() == 1)
    map[rank - 2].dim = rank;
  return map;
}
