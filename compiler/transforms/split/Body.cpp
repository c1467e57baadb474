// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow, scalars and effects of the program are cloned as they stand; tiles are made where they are wanted.
#include "transforms/split/Body.h"

#include "ir/Expressions.h"
#include "ir/Parts.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::split {

LogicalResult BodyBuilder::build(const Copy &what) {
  copy = what;
  mapping = arguments;
  Block &body = launch.getBody().front();
  frames.clear();
  frames.push_back({&body, builder.getInsertionBlock(), nullptr});
  stores.clear();
  storesBefore.clear();
  return cloneOps(body);
}

LogicalResult BodyBuilder::cloneOps(Block &source) {
  bool inChain = false;
  for (Operation &op : source.without_terminator()) {
    if (auto reduce = dyn_cast<tile::ReduceOp>(op); reduce && !inChain)
      if (std::optional<Chain> chain = chainFrom(reduce)) {
        inChain = true;
        if (failed(cloneChain(*chain)))
          return failure();
      }
    if (failed(cloneOp(op)))
      return failure();
  }
  return success();
}

LogicalResult BodyBuilder::cloneOp(Operation &op) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return cloneIf(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return cloneFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return cloneWhile(loop);
  if (auto root = dyn_cast<tile::RootOpInterface>(op))
    return cloneRoot(root);
  if (isa<tile::LoadOp, tile::GatherOp>(op)) {
    // What is overwritten later is read where the program reads it.
    Value array = tile::arrayOf(op.getOperand(0));
    if (!program.stored.contains(cast<BlockArgument>(array).getArgNumber()))
      return success();
    storesBefore[&op] = stores.lookup(array);
    std::optional<Parts> parts = naturalParts(op.getResult(0));
    bool isWanted = parts && (program.isWhole() || isOwnPart(&op, *parts));
    return isWanted ? LogicalResult(materialise(op.getResult(0), *parts)) : success();
  }
  if (auto extract = dyn_cast<tile::ExtractOp>(op)) {
    FailureOr<Value> value = materialise(extract.getTile(), {});
    if (failed(value))
      return failure();
    mapping.map(extract.getResult(),
                builder.create<tile::ExtractOp>(extract.getLoc(), extract.getType(), *value).getResult());
    return success();
  }
  if (auto id = dyn_cast<tile::ProgramIdOp>(op)) {
    mapping.map(id.getResult(), programIds[id.getAxis()]);
    return success();
  }
  if (auto count = dyn_cast<tile::NumProgramsOp>(op)) {
    mapping.map(count.getResult(), grid[count.getAxis()]);
    return success();
  }
  if (isa<tile::DebugPrintOp>(op) && !copy.prints)
    return success();
  if (llvm::any_of(op.getResults(), isTile))
    return success(); // Made where it is wanted.
  if (auto slice = dyn_cast<tile::SliceOp>(op)) {
    cloneSlice(slice);
    return success();
  }
  Operation *clone = builder.clone(op, mapping);
  if (isa<tile::TransposeOp, tile::StridedSliceOp>(clone)) { // Of what is perhaps whole by now.
    auto from = cast<tile::RefType>(clone->getOperand(0).getType());
    SmallVector<int64_t> dims(from.getDims());
    if (auto transpose = dyn_cast<tile::TransposeOp>(clone))
      dims = llvm::map_to_vector(transpose.getPermutation(), [&](int64_t dim) { return from.getDims()[dim]; });
    else if (auto strided = cast<tile::StridedSliceOp>(clone))
      dims[strided.getAxis()] = strided.getType().getDims()[strided.getAxis()];
    clone->getResult(0).setType(tile::RefType::get(from.getElementType(), dims));
  }
  return success();
}

/// A window that has all of a dimension is no window there: its end is the array's. What TMA copies must not end
/// before.
void BodyBuilder::cloneSlice(tile::SliceOp slice) {
  SmallVector<int32_t> modes(slice.getModes());
  SmallVector<Value> offsets, sizes;
  tile::RefType from = slice.getSource().getType(), to = slice.getType();
  auto here = cast<tile::RefType>(mapping.lookupOrDefault(slice.getSource()).getType()); // Perhaps whole by now.
  SmallVector<int64_t> dims(to.getDims());
  for (unsigned dim = 0, resultDim = 0; dim < modes.size(); ++dim) {
    Value offset = slice.getOffset(dim), size = slice.getSize(dim);
    bool isWindow = slice.getMode(dim) == tile::SliceMode::Window;
    bool keepsType = isWindow && from.getDims()[dim] == dims[resultDim];
    bool findsArray = here.isTable() && dim == 0; // Where that lies, the slice looks up.
    if (isWindow && !findsArray && matchPattern(offset, m_Zero()) && (keepsType || program.shape.tensor) &&
        extents.of(slice, resultDim).symbol == extents.of(slice.getSource(), dim).symbol) {
      modes[dim] = static_cast<int32_t>(tile::SliceMode::Whole);
      offset = size = {};
    }
    if (static_cast<tile::SliceMode>(modes[dim]) == tile::SliceMode::Whole)
      dims[resultDim] = here.getDims()[dim];
    resultDim += slice.getMode(dim) != tile::SliceMode::Element;
    if (offset)
      offsets.push_back(mapping.lookupOrDefault(offset));
    if (size)
      sizes.push_back(mapping.lookupOrDefault(size));
  }
  auto clone = cast<tile::SliceOp>(builder.clone(*slice, mapping));
  clone.getOffsetsMutable().assign(offsets);
  clone.getSizesMutable().assign(sizes);
  clone.setModes(modes);
  if (dims != to.getDims())
    clone.getResult().setType(here.sliced(clone.getMode(0) == tile::SliceMode::Element, dims));
}

/// Whether what an op takes may be loaded from an array; true where a loop or a branch made it.
static bool mayLoadFrom(Operation *op, Value array) {
  llvm::SetVector<Value> needed(op->operand_begin(), op->operand_end());
  for (size_t i = 0; i < needed.size(); ++i) {
    Operation *maker = needed[i].getDefiningOp();
    if (!maker && !isTile(needed[i]))
      continue;
    if (!maker || maker->getNumRegions() > 0)
      return true;
    if (isa<tile::LoadOp, tile::GatherOp>(maker) && tile::arrayOf(maker->getOperand(0)) == array)
      return true;
    needed.insert(maker->operand_begin(), maker->operand_end());
  }
  return false;
}

/// What an update finds is known in its chunk alone: the store of it, if that comes next and nothing tells it from one
/// behind all chunks. It is to another array, of which the update reads nothing, and has no mask that is to be computed
/// in front of the update.
static tile::StoreOp storeOfFound(tile::RootOpInterface root) {
  auto store = dyn_cast_or_null<tile::StoreOp>(root->getNextNode());
  if (!store || root->getNumResults() != 1 || store.getValue() != root->getResult(0) || store.getMask())
    return {};
  Value array = tile::arrayOf(store.getRef());
  return array == tile::arrayOf(root.getRootRef()) || mayLoadFrom(root, array) ? tile::StoreOp() : store;
}

LogicalResult BodyBuilder::cloneRoot(tile::RootOpInterface root) {
  for (const Copy::SubTile &subTile : copy.subTiles) {
    if (!llvm::is_contained(subTile.domain->roots, root))
      continue;
    if (storedWithUpdate.contains(root)) {
      ++stores[tile::arrayOf(root.getRootRef())];
      continue;
    }
    Copy::SubTile own = subTile;
    own.fullChunk.assign(own.domain->dims.size(), false);
    if (failed(storeChunks(root, own, sequentialDims(root, *own.domain), frames.size())))
      return failure();
    ++stores[tile::arrayOf(root.getRootRef())];
  }
  return success();
}

/// Loops over the chunks of the sequential dims, and stores what the thread group then has. The frames of these loops
/// begin at `level`.
LogicalResult BodyBuilder::storeChunks(tile::RootOpInterface root, Copy::SubTile subTile, ArrayRef<unsigned> sequential,
                                       unsigned level) {
  ArrayRef<DomainDim> dims = subTile.domain->dims;
  Location loc = root.getLoc();
  if (!sequential.empty()) {
    unsigned dim = sequential.front();
    auto chunk = [&](Value offset, bool full, ValueRange) -> FailureOr<SmallVector<Value>> {
      subTile.origin[dim] = offset;
      subTile.fullChunk[dim] = full;
      if (failed(storeChunks(root, subTile, sequential.drop_front(), level)))
        return failure();
      return SmallVector<Value>();
    };
    auto type = cast<RankedTensorType>(root.getRootValue().getType());
    auto partAt = [&](int role) { return subTile.part(role); };
    SmallVector<int64_t> inner = llvm::to_vector_of<int64_t>(sequential.drop_front());
    return forEachChunkOf(scansOfLoop(root, dim, inner), loc,
                          extentHere(loc, extents.of(root)[dim], type.getDimSize(dim)),
                          {dims[dim].subTile, dims[dim].rest}, {}, partAt, chunk);
  }
  Parts parts;
  for (unsigned i = 0; i < dims.size(); ++i)
    parts.push_back(*subTile.part(i));
  bool isChunk = frames.size() > level;
  auto storeHere = [&](tile::RootOpInterface root) {
    if (isChunk)
      stored = StoredChunk{tile::arrayOf(root.getRootRef()), frames[level].target, parts};
    return storePart(root, parts);
  };
  if (failed(storeHere(root)))
    return failure();
  tile::StoreOp found = storeOfFound(root);
  if (!isChunk || !found || !llvm::is_contained(subTile.domain->roots, found))
    return success();
  storedWithUpdate.insert(found);
  return storeHere(found);
}

LogicalResult BodyBuilder::storePart(tile::RootOpInterface root, const Parts &parts) {
  auto indexed = cast<tile::IndexedOpInterface>(root.getOperation());
  SmallVector<Value> operands;
  for (OpOperand &operand : root->getOpOperands()) {
    FailureOr<Value> made = isTile(operand.get()) ? materialise(operand.get(), partsOfOperand(indexed, operand, parts))
                                                  : mapping.lookupOrDefault(operand.get());
    if (failed(made)) {
      stored.reset();
      return failure();
    }
    operands.push_back(*made);
  }
  stored.reset();
  Value mask;
  if (root.getRootMask())
    mask = operands[llvm::find(root->getOperands(), root.getRootMask()) - root->operand_begin()];
  Operation *made = tile::makeRootPart(builder, root, parts, operands, withinExtents(root, mask, parts));
  if (made->getNumResults() > 0)
    frames.back().add({root->getResult(0), parts, made->getResult(0)});
  return success();
}

/// The dimensions of a root that tiles of indices have: the first one, and how many.
static std::pair<int64_t, int64_t> dimsOfIndices(tile::RootOpInterface root) {
  return llvm::TypeSwitch<Operation *, std::pair<int64_t, int64_t>>(root)
      .Case<tile::ScatterOp, tile::AtomicOp>([](auto op) { return std::pair(op.getPosition(), op.getIndexRank()); })
      .Default([](Operation *) { return std::pair(0, 0); });
}

/// Indices beyond the extent of a tile are undefined, and nothing is stored there. (The end of a window cuts off the
/// other dimensions.)
Value BodyBuilder::withinExtents(tile::RootOpInterface root, Value mask, const Parts &parts) {
  Location loc = root.getLoc();
  auto whole = cast<RankedTensorType>(root.getRootValue().getType());
  RankedTensorType type = partType(builder.getI1Type(), parts);
  auto [first, count] = dimsOfIndices(root);
  for (int64_t i = first; i < first + count; ++i) {
    if (parts[i].full)
      continue;
    Value extent = extentHere(loc, extents.of(root)[i], whole.getDimSize(i));
    auto along = RankedTensorType::get({parts[i].size}, builder.getI1Type());
    RankedTensorType numbers = along.clone(builder.getI64Type());
    Value at = builder.create<tile::IotaOp>(loc, numbers, builder.getI64IntegerAttr(0), parts[i].offset, ValueRange());
    Value end = builder.create<tile::FullOp>(loc, numbers, extent, ValueRange());
    Value isThere = builder.create<tile::LtOp>(loc, along, at, end);
    if (type != along)
      isThere = builder.create<tile::BroadcastOp>(loc, type, isThere, ArrayRef<int64_t>{i});
    mask = mask ? builder.create<tile::LogicalAndOp>(loc, type, mask, isThere).getResult() : isThere;
  }
  return mask;
}

// ---- Control flow ---------------------------------------------------------------------------------------------------

/// `target` is the part that all of one place of a loop or branch have: what goes in and round, `like`, and comes out.
void BodyBuilder::bind(Value source, Value target, Value like) {
  if (!isTile(source))
    mapping.map(source, target);
  else
    frames.back().add({source, naturalParts(like).value(), target});
}

/// A tile goes round a loop or out of a branch as the sub-tile of its domain, if the roots of this copy want it. One
/// that they want elsewhere stays out.
bool BodyBuilder::isCarried(Value value) { return !isTile(value) || naturalParts(value).has_value(); }

/// Values to be carried as the parts that `places` have, which are carried.
LogicalResult BodyBuilder::carry(ValueRange values, ValueRange places, SmallVectorImpl<Value> &carried) {
  for (auto [value, place] : llvm::zip_equal(values, places)) {
    FailureOr<Value> made =
        isTile(value) ? materialise(value, naturalParts(place).value()) : mapping.lookupOrDefault(value);
    if (failed(made))
      return failure();
    carried.push_back(*made);
  }
  return success();
}

/// Clones a region, whose arguments `carried` have become those of `target`, and ends it with `results`, each as the
/// part that its place has.
LogicalResult BodyBuilder::cloneRegion(Region &source, Region &target, ValueRange carried, ValueRange results,
                                       ValueRange places) {
  frames.back().nested = target.getParentOp();
  Block &block = target.empty() ? target.emplaceBlock() : target.front();
  frames.push_back(Frame{&source.front(), &block, nullptr});
  for (auto [argument, bound] : llvm::zip(carried, block.getArguments()))
    bind(argument, bound, argument);

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&block);
  SmallVector<Value> made;
  if (failed(cloneOps(source.front())) || failed(carry(results, places, made)))
    return failure();
  Operation *terminator = source.front().getTerminator();
  if (auto condition = dyn_cast<scf::ConditionOp>(terminator))
    builder.create<scf::ConditionOp>(condition.getLoc(), mapping.lookupOrDefault(condition.getCondition()), made);
  else
    builder.create<scf::YieldOp>(terminator->getLoc(), made);
  frames.pop_back();
  frames.back().nested = nullptr;
  return success();
}

/// Those of `values` whose counterpart in `like` is carried.
static SmallVector<Value> kept(ValueRange values, ArrayRef<bool> keep) {
  SmallVector<Value> result;
  for (auto [value, isKept] : llvm::zip(values, keep))
    if (isKept)
      result.push_back(value);
  return result;
}

LogicalResult BodyBuilder::cloneIf(scf::IfOp op) {
  SmallVector<bool> keep = llvm::map_to_vector(op.getResults(), [&](Value value) { return isCarried(value); });
  SmallVector<Type> types;
  for (Value result : kept(op.getResults(), keep))
    types.push_back(isTile(result)
                        ? partType(cast<RankedTensorType>(result.getType()).getElementType(), *naturalParts(result))
                        : result.getType());
  auto cloned = builder.create<scf::IfOp>(op.getLoc(), types, mapping.lookupOrDefault(op.getCondition()),
                                          /*addThenBlock=*/false, /*addElseBlock=*/false);
  auto branch = [&](Region &from, Region &to) {
    return cloneRegion(from, to, {}, kept(from.front().getTerminator()->getOperands(), keep),
                       kept(op.getResults(), keep));
  };
  if (failed(branch(op.getThenRegion(), cloned.getThenRegion())))
    return failure();
  if (!op.getElseRegion().empty() && failed(branch(op.getElseRegion(), cloned.getElseRegion())))
    return failure();
  for (auto [source, target] : llvm::zip(kept(op.getResults(), keep), cloned.getResults()))
    bind(source, target, source);
  return success();
}

LogicalResult BodyBuilder::cloneFor(scf::ForOp op) {
  SmallVector<bool> keep = llvm::map_to_vector(op.getRegionIterArgs(), [&](Value value) { return isCarried(value); });
  SmallVector<Value> places = kept(op.getRegionIterArgs(), keep), inits;
  if (failed(carry(kept(op.getInitArgs(), keep), places, inits)))
    return failure();
  auto cloned = builder.create<scf::ForOp>(op.getLoc(), mapping.lookupOrDefault(op.getLowerBound()),
                                           mapping.lookupOrDefault(op.getUpperBound()),
                                           mapping.lookupOrDefault(op.getStep()), inits);
  if (!cloned.getBody()->empty())
    cloned.getBody()->getTerminator()->erase();
  SmallVector<Value> carried{op.getInductionVar()};
  llvm::append_range(carried, places);
  if (failed(cloneRegion(op.getRegion(), cloned.getRegion(), carried, kept(op.getYieldedValues(), keep), places)))
    return failure();
  for (auto [source, target, place] : llvm::zip(kept(op.getResults(), keep), cloned.getResults(), places))
    bind(source, target, place);
  return success();
}

LogicalResult BodyBuilder::cloneWhile(scf::WhileOp op) {
  SmallVector<bool> before =
      llvm::map_to_vector(op.getBeforeArguments(), [&](Value value) { return isCarried(value); });
  SmallVector<bool> after = llvm::map_to_vector(op.getAfterArguments(), [&](Value value) { return isCarried(value); });
  auto typesOf = [&](ValueRange values) {
    return llvm::map_to_vector(values, [&](Value value) -> Type {
      return isTile(value) ? partType(cast<RankedTensorType>(value.getType()).getElementType(), *naturalParts(value))
                           : value.getType();
    });
  };
  SmallVector<Value> keptBefore = kept(op.getBeforeArguments(), before),
                     keptAfter = kept(op.getAfterArguments(), after), inits;
  if (failed(carry(kept(op.getInits(), before), keptBefore, inits)))
    return failure();
  auto cloned = builder.create<scf::WhileOp>(op.getLoc(), typesOf(keptAfter), inits);
  auto addBlock = [&](Region &region, ArrayRef<Value> arguments) {
    Block &block = region.emplaceBlock();
    for (Type type : typesOf(arguments))
      block.addArgument(type, op.getLoc());
  };
  addBlock(cloned.getBefore(), keptBefore);
  addBlock(cloned.getAfter(), keptAfter);
  if (failed(cloneRegion(op.getBefore(), cloned.getBefore(), keptBefore, kept(op.getConditionOp().getArgs(), after),
                         keptAfter)) ||
      failed(cloneRegion(op.getAfter(), cloned.getAfter(), keptAfter, kept(op.getYieldOp().getOperands(), before),
                         keptBefore)))
    return failure();
  for (auto [source, target, place] : llvm::zip(kept(op.getResults(), after), cloned.getResults(), keptAfter))
    bind(source, target, place);
  return success();
}

// ---- What is known before the program begins ------------------------------------------------------------------------

Value BodyBuilder::extentAtTop(const Domain &domain, int64_t dim) {
  if (domain.roots.empty())
    return {};
  atTop.clear(); // What was cloned for another domain may stand where it does not reach.
  const Extent &extent = extents.of(domain.roots.front())[dim];
  if (!extent.origin)
    return {};
  Value origin = cloneAtTop(extent.origin);
  if (!origin)
    return {};
  return isa<tile::RefType>(origin.getType())
             ? builder.createOrFold<tile::DimOp>(origin.getLoc(), origin, builder.getI64IntegerAttr(extent.dim))
             : origin;
}

/// Clones a pure expression of the program's top level to the builder's place, or gives null.
Value BodyBuilder::cloneAtTop(Value value) {
  return cloneExpression(builder, value, atTop, [&](Value value) -> std::optional<Value> {
    if (Value argument = arguments.lookupOrNull(value))
      return argument;
    Operation *op = value.getDefiningOp();
    if (auto id = dyn_cast_or_null<tile::ProgramIdOp>(op))
      return programIds[id.getAxis()];
    if (auto count = dyn_cast_or_null<tile::NumProgramsOp>(op))
      return grid[count.getAxis()];
    bool isClonable =
        op && op->getBlock() == &launch.getBody().front() && isPure(op) && llvm::none_of(op->getOperands(), isTile);
    return isClonable ? std::nullopt : std::optional<Value>(Value());
  });
}

} // namespace tegula::split
