// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of the explicit level (TileExplicit.td).
#include "ir/Arrangement.h"
#include "ir/PtxText.h"
#include "ir/Wgmma.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tegula::tile;

void WarpMapOp::build(OpBuilder &builder, OperationState &state, ValueRange inits) {
  state.addOperands(inits);
  state.addTypes(inits.getTypes());
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(state.addRegion());
  body->addArgument(builder.getI64Type(), state.location);
  for (Value init : inits)
    body->addArgument(init.getType(), init.getLoc());
}

OperandRange WarpMapOp::getEntrySuccessorOperands(RegionBranchPoint) { return getInits(); }

void WarpMapOp::getSuccessorRegions(RegionBranchPoint from, SmallVectorImpl<RegionSuccessor> &successors) {
  if (from.isParent())
    successors.emplace_back(&getBody(), getCarried());
  else
    successors.emplace_back(getResults());
}

LogicalResult WarpMapOp::verify() {
  Block::BlockArgListType arguments = getBody().getArguments();
  if (arguments.empty() || !arguments.front().getType().isInteger(64))
    return emitOpError("has a body whose first argument is the warp's number, an i64");
  if ((*this)->getParentOfType<WarpMapOp>())
    return emitOpError("is nested in the body of another one, but a warp has no warps");
  return success();
}

LogicalResult AllocOp::verify() {
  if (!getType().isShared())
    return emitOpError("allocates shared memory, not ") << getType();
  if (getGroup() && (getGroup()->empty() || getGroup()->size() % 2 != 0))
    return emitOpError("must name its group by pairs of numbers, a union and one of its groups");
  return success();
}

bool AllocOp::alternatesWith(AllocOp other) {
  ArrayRef<int64_t> own = getGroup().value_or(ArrayRef<int64_t>()),
                    others = other.getGroup().value_or(own.take_front(0));
  for (size_t i = 0; i < own.size() && i < others.size() && own[i] == others[i]; i += 2)
    if (own[i + 1] != others[i + 1])
      return true;
  return false;
}

LogicalResult FreeOp::verify() {
  for (Value allocation : getAllocations())
    if (auto alloc = allocation.getDefiningOp<AllocOp>(); !alloc || alloc->getBlock() != (*this)->getBlock())
      return emitOpError("must end the scope of an allocation of its own block");
  return success();
}

LogicalResult AllocBarriersOp::verify() {
  if (getType().getCount() < 1 || static_cast<int64_t>(getArrivals()) < 1)
    return emitOpError("needs at least one barrier and one arrival");
  if (getLeader() && (!getClusterAxes() || getClusterAxes()->size() != 1 || getEverywhere()))
    return emitOpError("must have exactly one axis of the cluster for its leader");
  return success();
}

bool AllocBarriersOp::countsWarps() {
  return !getClusterAxes() && llvm::all_of(getResult().getUsers(), [](Operation *op) {
    bool arrivesAlone = isa<BarrierArriveOp>(op) && op->getParentOfType<WarpMapOp>();
    return isa<BarrierArriveOp, BarrierWaitOp, BarrierTestOp>(op) && !arrivesAlone;
  });
}

LogicalResult AllocNamedBarriersOp::verify() {
  if (getType().getCount() < 1 || static_cast<int64_t>(getThreads()) < 1)
    return emitOpError("needs at least one barrier and one thread");
  return success();
}

LogicalResult NamedBarrierOp::verify() {
  if (!getBarriers().getDefiningOp<AllocNamedBarriersOp>())
    return emitOpError("takes barriers of tile.alloc_named_barriers");
  return success();
}

LogicalResult TransposeOp::verify() {
  RefType source = getSource().getType(), result = getType();
  SmallVector<bool> seen(source.getRank());
  if (static_cast<int64_t>(getPermutation().size()) != source.getRank() || result.getRank() != source.getRank())
    return emitOpError("permutes ") << getPermutation().size() << " of " << source.getRank() << " dimensions";
  for (auto [i, dim] : llvm::enumerate(getPermutation())) {
    if (dim < 0 || dim >= source.getRank() || seen[dim])
      return emitOpError("has no permutation of its dimensions");
    seen[dim] = true;
    if (result.getDims()[i] != source.getDims()[dim])
      return emitOpError("has another extent in dimension ") << i << " of its result";
  }
  return success();
}

LogicalResult tegula::tile::verifyOwn(Operation *op, Value shared) {
  if (isOfCluster(shared))
    return op->emitOpError("takes shared memory of its own CTA, not of another CTA of the cluster");
  return success();
}

LogicalResult ClusterRefOp::verify() {
  if (!getSource().getType().isShared())
    return emitOpError("is a window of shared memory, not of ") << getSource().getType();
  return verifyOwn(*this, getSource());
}

// ---- Views ----------------------------------------------------------------------------------------------------------

static bool isWide(int64_t extent) { return extent != 1; }

SmallVector<ReshapeGroup> tegula::tile::reshapeGroups(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<ReshapeGroup> groups;
  unsigned i = 0, j = 0;
  auto next = [](ArrayRef<int64_t> extents, unsigned &at) { return at < extents.size() ? extents[at++] : 1; };
  while (i < from.size() || j < to.size()) {
    ReshapeGroup group{i, i, j, j};
    int64_t left = next(from, i), right = next(to, j);
    while (left != right)
      (left < right ? left : right) *= left < right ? next(from, i) : next(to, j);
    group.sourceEnd = i;
    group.resultEnd = j;
    groups.push_back(group);
  }
  return groups;
}

static SmallVector<int64_t> boundsOf(RefType type) {
  return llvm::map_to_vector(llvm::seq<int64_t>(0, type.getRank()), [&](int64_t i) { return type.getBound(i); });
}

static int64_t countOf(ArrayRef<int64_t> extents) {
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  return count;
}

int64_t ReshapeRefOp::getSourceDim(int64_t resultDim) {
  SmallVector<int64_t> from = boundsOf(getSource().getType()), to = boundsOf(getType());
  for (const ReshapeGroup &group : reshapeGroups(from, to)) {
    if (resultDim < group.resultBegin || resultDim >= group.resultEnd)
      continue;
    bool isInnermost = llvm::none_of(ArrayRef(to).slice(resultDim + 1, group.resultEnd - resultDim - 1), isWide);
    unsigned found = group.sourceBegin;
    for (unsigned dim = group.sourceBegin; dim < group.sourceEnd && isInnermost; ++dim)
      if (isWide(from[dim]))
        found = dim;
    return std::min<int64_t>(found, std::max<int64_t>(0, getSource().getType().getRank() - 1));
  }
  llvm_unreachable("every dimension is in a group");
}

IndexingMap ReshapeRefOp::getIndexingMap(OpOperand &) {
  IndexingMap map(getSource().getType().getRank(), DimIndex::iterated(0));
  for (int64_t dim = 0; dim < getType().getRank(); ++dim)
    if (!map.empty())
      map[getSourceDim(dim)] = DimIndex::iterated(dim);
  return map;
}

/// Of static extents.
static LogicalResult verifyView(Operation *op, RefType source, RefType result) {
  auto isStatic = [](RefType type) { return llvm::none_of(boundsOf(type), ShapedType::isDynamic); };
  if (source.isTable() || source.getSpace() != result.getSpace() || source.getSwizzle() != result.getSwizzle())
    return op->emitOpError("must keep the memory space and the swizzle of its source: ")
           << source << ", not " << result;
  if (!isStatic(source) || !isStatic(result))
    return op->emitOpError("is a view of static extents, not of ") << source;
  return success();
}

LogicalResult ReshapeRefOp::verify() {
  RefType source = getSource().getType(), result = getType();
  if (failed(verifyView(*this, source, result)))
    return failure();
  SmallVector<int64_t> from = boundsOf(source), to = boundsOf(result);
  if (source.getElementType() != result.getElementType() || countOf(from) != countOf(to))
    return emitOpError("must keep the number and the type of the elements of its source: ")
           << source << ", not " << result;
  if (source.isShared())
    return success();
  for (const ReshapeGroup &group : reshapeGroups(from, to))
    if (llvm::count_if(ArrayRef(from).slice(group.sourceBegin, group.sourceEnd - group.sourceBegin), isWide) > 1)
      return emitOpError("merges dimensions of an array");
  return success();
}

bool BitcastRefOp::changesWidth() {
  return bytesOf(getSource().getType().getElementType()) != bytesOf(getType().getElementType());
}

LogicalResult BitcastRefOp::verify() {
  RefType source = getSource().getType(), result = getType();
  if (failed(verifyView(*this, source, result)))
    return failure();
  SmallVector<int64_t> from = boundsOf(source), to = boundsOf(result);
  auto bytesOfRow = [](RefType type, ArrayRef<int64_t> extents) {
    return (extents.empty() ? 1 : extents.back()) * bytesOf(type.getElementType());
  };
  if (from.size() != to.size() || bytesOfRow(source, from) != bytesOfRow(result, to) ||
      (!from.empty() && ArrayRef(from).drop_back() != ArrayRef(to).drop_back()))
    return emitOpError("must keep the number of bytes in each row of its source: ") << source << ", not " << result;
  if (changesWidth() &&
      (from.empty() || arrayDimsOf(getSource()).back() + 1 != cast<RefType>(memoryOf(getSource()).getType()).getRank()))
    return emitOpError("changes the width of elements, which requires that the last dimension is innermost in memory");
  return success();
}

LogicalResult MultipleOfOp::verify() {
  if (static_cast<int64_t>(getMultiple()) < 1)
    return emitOpError("is a multiple of 1 or more, not of ") << static_cast<int64_t>(getMultiple());
  return success();
}

LogicalResult LayoutCastOp::verify() {
  ArrayRef<int64_t> shape = getType().getShape();
  if (!getType().hasStaticShape())
    return emitOpError("asks for the layout of a tile of static extents, not of ") << getType();
  if (auto placed = getLayout().getLayout().on({shape.data(), shape.size()}); !placed)
    return emitOpError("asks for a layout that does not fit: ") << placed.message();
  return success();
}

LogicalResult SetMaxRegistersOp::verify() {
  int64_t count = getCount();
  if (count < 24 || count > 256 || count % 8 != 0)
    return emitOpError("sets a multiple of 8 from 24 to 256 registers, not ") << count;
  return success();
}

// ---- Instructions of the program's own ------------------------------------------------------------------------------

LogicalResult InlinePtxOp::verify() {
  for (Type type : getOperandTypes())
    if (cast<RankedTensorType>(type).getShape() != getType().getShape())
      return emitOpError("takes tiles of one shape: ") << type << " and " << getType();
  if (std::optional<std::string> flaw = flawOfPtx(getText(), getNumOperands()))
    return emitOpError("has a text that ") << *flaw;
  return success();
}

LogicalResult InlinePtxOp::verifyRegions() {
  if (!getMeaning().hasOneBlock())
    return emitOpError("has a meaning of one block");
  Block &block = getMeaning().front();
  auto scalar = [](Type type) { return scalarTypeOf(getElementTypeOrSelf(type)); };
  SmallVector<Type> given = llvm::map_to_vector(getOperandTypes(), scalar);
  if (block.getArgumentTypes() != ArrayRef<Type>(given))
    return emitOpError("has a meaning whose arguments are not the elements of its operands");
  auto end = dyn_cast_or_null<CombinedOp>(block.empty() ? nullptr : &block.back());
  if (!end || end.getNumOperands() != 1 || end.getOperand(0).getType() != scalar(getType()))
    return emitOpError("has a meaning that does not end with tile.combined of an element");
  return success();
}
