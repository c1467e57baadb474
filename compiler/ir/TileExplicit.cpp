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
    return emitOpError("stands in the body of another one: a warp has no warps");
  return success();
}

LogicalResult AllocOp::verify() {
  if (!getType().isShared())
    return emitOpError("allocates shared memory, not ") << getType();
  if (getGroup() && (getGroup()->empty() || getGroup()->size() % 2 != 0))
    return emitOpError("is in a group by pairs of numbers, those of a union and of one of its groups");
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
      return emitOpError("ends the scope of an allocation of its block");
  return success();
}

LogicalResult AllocBarriersOp::verify() {
  if (getType().getCount() < 1 || static_cast<int64_t>(getArrivals()) < 1)
    return emitOpError("needs at least one barrier and one arrival");
  if (getLeader() && (!getClusterAxes() || getClusterAxes()->size() != 1 || getEverywhere()))
    return emitOpError("has a leader along one axis of the cluster");
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

/// What units of the block touch is its own memory.
static LogicalResult verifyOwn(Operation *op, Value shared) {
  if (isOfCluster(shared))
    return op->emitOpError("takes shared memory of its own block, not of another one of the cluster");
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
    return op->emitOpError("is a view of the same memory: of ") << source << ", not " << result;
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
    return emitOpError("has as many elements of one type as its source: ") << source << ", not " << result;
  if (source.isShared())
    return success();
  for (const ReshapeGroup &group : reshapeGroups(from, to))
    if (llvm::count_if(ArrayRef(from).slice(group.sourceBegin, group.sourceEnd - group.sourceBegin), isWide) > 1)
      return emitOpError("folds dimensions of an array");
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
    return emitOpError("has the bytes of its source, row by row: ") << source << ", not " << result;
  if (changesWidth() &&
      (from.empty() || arrayDimsOf(getSource()).back() + 1 != cast<RefType>(memoryOf(getSource()).getType()).getRank()))
    return emitOpError("changes elements along the last dimension of memory");
  return success();
}

LogicalResult MultipleOfOp::verify() {
  if (static_cast<int64_t>(getMultiple()) < 1)
    return emitOpError("is a multiple of 1 or more, not of ") << static_cast<int64_t>(getMultiple());
  return success();
}

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

// ---- Copies ---------------------------------------------------------------------------------------------------------

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

// ---- Matrix products ------------------------------------------------------------------------------------------------

static RankedTensorType matrixOf(Type type) {
  auto ref = dyn_cast<RefType>(type);
  return ref ? ref.getTileType() : cast<RankedTensorType>(type);
}

int64_t WgmmaOp::getRows() { return matrixOf(getA().getType()).getDimSize(0); }
int64_t WgmmaOp::getColumns() { return matrixOf(getB().getType()).getDimSize(1); }

/// A part of the accumulator consists of what instructions add to.
static LogicalResult verifyPart(WgmmaOp op, RankedTensorType acc, int64_t m, int64_t n) {
  ArrayRef<int64_t> at = *op.getAt();
  if (at.size() != 2 || at[0] < 0 || at[1] < 0 || at[0] % tegula::WgmmaTypes::rows != 0 || at[1] % 8 != 0)
    return op.emitOpError("adds to a part that begins at a multiple of 64 rows and of 8 columns, not at [")
           << at << "]";
  if (at[0] + m > acc.getDimSize(0) || at[1] + n > acc.getDimSize(1))
    return op.emitOpError("adds ") << m << " x " << n << " at [" << at << "], which lies outside of " << acc;
  return success();
}

LogicalResult WgmmaOp::verify() {
  RankedTensorType acc = getType(), a = matrixOf(getA().getType()), b = matrixOf(getB().getType());
  if (acc.getRank() != 2 || a.getRank() != 2 || b.getRank() != 2)
    return emitOpError("multiplies matrices");
  if (auto ref = dyn_cast<RefType>(getA().getType()); (ref && !ref.isShared()) || !getB().getType().isShared())
    return emitOpError("takes its operands from shared memory or registers");
  for (Value factor : {Value(getA()), Value(getB())})
    if (isa<RefType>(factor.getType()) && failed(verifyOwn(*this, factor)))
      return failure();
  int64_t m = getRows(), n = getColumns(), k = a.getDimSize(1);
  bool isWhole = m == acc.getDimSize(0) && n == acc.getDimSize(1);
  if ((!isWhole && !getAt()) || b.getDimSize(0) != k)
    return emitOpError("multiplies ") << a << " and " << b << " into " << acc;
  if (getAt() && failed(verifyPart(*this, acc, m, n)))
    return failure();
  std::optional<WgmmaTypes> types = findWgmma(a.getElementType(), b.getElementType(), acc.getElementType());
  if (!types)
    return emitOpError("has no instruction for ")
           << a.getElementType() << " and " << b.getElementType() << " into " << acc.getElementType();
  if (m % WgmmaTypes::rows != 0 || types->instructionColumns(n).empty())
    return emitOpError("adds to a multiple of ")
           << WgmmaTypes::rows << " rows and of " << (types->areIntegers() ? "16 columns, or 8 or 24" : "8 columns")
           << ", at most " << 2 * WgmmaTypes::mostColumns << ": not " << acc;
  if (k % types->depth() != 0)
    return emitOpError("contracts a multiple of ") << types->depth() << " elements, not " << k;
  return success();
}

LogicalResult WgmmaWaitOp::verify() {
  if (static_cast<int64_t>(getPending()) < 0 || getPending() > 7)
    return emitOpError("waits for 0 to 7 pending products");
  if (getAccumulators().getTypes() != getResults().getTypes())
    return emitOpError("passes its accumulators through");
  return success();
}

/// What no product adds to, a tile that ordinary ops make, need not pass through a wait.
static LogicalResult passFewer(WgmmaWaitOp op, PatternRewriter &rewriter) {
  SmallVector<Value> passed, results(op.getAccumulators());
  SmallVector<unsigned> places;
  for (auto [i, accumulator] : llvm::enumerate(op.getAccumulators())) {
    Operation *source = accumulator.getDefiningOp();
    if (source && source->getNumRegions() == 0 && !isa<WgmmaOp, WgmmaWaitOp>(source))
      continue;
    passed.push_back(accumulator);
    places.push_back(i);
  }
  if (passed.size() == results.size())
    return failure();
  auto fewer = rewriter.create<WgmmaWaitOp>(op.getLoc(), op.getPending(), passed);
  for (auto [place, result] : llvm::zip(places, fewer.getResults()))
    results[place] = result;
  rewriter.replaceOp(op, results);
  return success();
}

/// A wait with nothing issued since the wait for everything before it is none.
LogicalResult WgmmaWaitOp::canonicalize(WgmmaWaitOp op, PatternRewriter &rewriter) {
  if (succeeded(passFewer(op, rewriter)))
    return success();
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
    auto wait = dyn_cast<WgmmaWaitOp>(before);
    if (wait && wait.getPending() == 0) {
      rewriter.replaceOp(op, op.getAccumulators());
      return success();
    }
    if (isa<WgmmaOp>(before) || before->getNumRegions() > 0)
      return failure();
  }
  return failure();
}

LogicalResult MmaOp::verify() {
  RankedTensorType acc = getType(), a = getA().getType(), b = getB().getType();
  if (acc.getRank() != 2 || a.getRank() != 2 || b.getRank() != 2)
    return emitOpError("multiplies matrices");
  int64_t m = acc.getDimSize(0), n = acc.getDimSize(1), k = a.getDimSize(1);
  if (a.getDimSize(0) != m || b.getDimSize(0) != n || b.getDimSize(1) != k ||
      bytesOf(a.getElementType()) != bytesOf(b.getElementType()))
    return emitOpError("multiplies ") << a << " and a transposed " << b << " into " << acc;
  std::optional<WgmmaTypes> types = findMma(a.getElementType(), b.getElementType(), acc.getElementType());
  if (!types)
    return emitOpError("has no instruction for ")
           << a.getElementType() << " and " << b.getElementType() << " into " << acc.getElementType();
  int64_t instructionK = types->depth();
  if (m % 16 != 0 || n % 8 != 0 || k % instructionK != 0)
    return emitOpError("multiplies multiples of 16 rows, 8 columns and ")
           << instructionK << " elements that are summed, not " << m << " x " << n << " x " << k;
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
