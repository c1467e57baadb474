// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of tiles, made on demand. A part is made in the outermost block where all it needs exists, and once.
//
// `tile.load %x mask %m other %o` has all elements of a static block: its extent is not that of its window, which may
// extend past the end of the array. Parts of mask and other are made like those of the operands of an elementwise op.
// So a part that is full may be one of a window that is not (BodyBuilder::makeLoad). A thread whose mask holds for all
// of its elements, all of which exist, moves them in vectors, any other thread one by one, predicated (MaskedAccess in
// lower/TileAccess.h). On the CPU, elements that the mask leaves out need not exist: a window into which only masked
// accesses reach is a `cpu::reach`, which checks an index when it is used.
#include "ir/Elements.h"
#include "ir/ExchangedExtents.h"
#include "ir/Parts.h"
#include "transforms/TakeCosts.h"
#include "transforms/split/Body.h"
#include "transforms/split/Exchanges.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula::split {

Value BodyBuilder::constant(Location loc, int64_t value) {
  return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value));
}

/// A number as another one, null for none, and a constant that is added to it.
static std::pair<Value, int64_t> apart(Value number) {
  int64_t added = 0;
  IntegerAttr constant;
  while (auto sum = number.getDefiningOp<arith::AddIOp>()) {
    bool isLast = matchPattern(sum.getRhs(), m_Constant(&constant));
    if (!isLast && !matchPattern(sum.getLhs(), m_Constant(&constant)))
      return {number, added};
    added += constant.getInt();
    number = isLast ? sum.getLhs() : sum.getRhs();
  }
  if (!matchPattern(number, m_Constant(&constant)))
    return {number, added};
  return {Value(), added + constant.getInt()};
}

/// A sum that the block at the builder's place has before it. Parts of one offset are one: windows of windows, one step
/// after the other, have few offsets and many ways to add up to them.
static Value findSum(OpBuilder &builder, Value base, int64_t added) {
  Block *block = builder.getInsertionBlock();
  auto isHere = [&](Operation *op) {
    auto end = builder.getInsertionPoint();
    return op->getBlock() == block && (end == block->end() || op->isBeforeInBlock(&*end));
  };
  if (!base) {
    for (auto sum : block->getOps<arith::AddIOp>())
      if (isHere(sum) && apart(sum) == std::pair(Value(), added))
        return sum;
    return {};
  }
  llvm::SetVector<Value> sums;
  sums.insert(base);
  for (size_t i = 0; i < sums.size(); ++i)
    for (Operation *user : sums[i].getUsers()) {
      if (!isa<arith::AddIOp>(user) || apart(user->getResult(0)).first != base)
        continue;
      if (isHere(user) && apart(user->getResult(0)).second == added)
        return user->getResult(0);
      sums.insert(user->getResult(0));
    }
  return {};
}

Value BodyBuilder::add(Location loc, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  auto [baseA, addedA] = apart(a);
  auto [baseB, addedB] = apart(b);
  if (!(baseA && baseB) && a.getType() == builder.getI64Type())
    if (Value known = findSum(builder, baseA ? baseA : baseB, addedA + addedB))
      return known;
  return builder.create<arith::AddIOp>(loc, a, b);
}

std::optional<Part> Copy::SubTile::part(int64_t dim) const {
  const DomainDim &own = domain->dims[dim];
  if (own.mode == Mode::Sequential && !isInLoop())
    return std::nullopt;
  bool isFull = own.mode == Mode::Parallel ? full : own.mode == Mode::Resident ? own.isExact : bool(fullChunk[dim]);
  return Part{origin[dim], own.mode == Mode::Sequential && !isFull ? own.rest : own.part(), /*dropped=*/false, isFull};
}

/// The part of a tile in these roles, of which `partAt` knows the parts.
std::optional<Parts> BodyBuilder::partsOf(Value tile, const Roles &roles, PartAt partAt) {
  auto type = cast<RankedTensorType>(tile.getType());
  Parts parts;
  for (auto [i, role] : llvm::enumerate(roles)) {
    if (type.getDimSize(i) == 1) {
      parts.push_back({{}, 1});
    } else if (role != Demand::whole) {
      std::optional<Part> part = partAt(role);
      if (!part)
        return std::nullopt;
      parts.push_back(*part);
    } else {
      std::optional<Resident> resident = program.residentFor(type.getDimSize(i), extents.of(tile, i));
      if (!resident)
        return std::nullopt;
      parts.push_back(residentPart(*resident));
    }
  }
  return parts;
}

/// The part of a tile that a thread group of this copy holds when nobody says otherwise.
std::optional<Parts> BodyBuilder::naturalParts(Value tile) {
  for (const Copy::SubTile &subTile : copy.subTiles)
    for (const Roles &roles : subTile.domain->demand.of(tile))
      if (auto parts = partsOf(tile, roles, [&](int role) { return subTile.part(role); }))
        return parts;
  for (const Roles &roles : program.scalars.of(tile))
    return partsOf(tile, roles, [](int) { return std::nullopt; });
  return std::nullopt;
}

/// The innermost frame that the value, and the offsets of its part, belong to.
unsigned BodyBuilder::frameOf(Value value, const Parts &parts) {
  unsigned at = 0;
  for (auto [i, frame] : llvm::enumerate(frames)) {
    if (frame.source == value.getParentBlock())
      at = std::max<unsigned>(at, i);
    for (Part part : parts)
      if (part.offset && part.offset.getParentBlock() == frame.target)
        at = std::max<unsigned>(at, i);
  }
  return at;
}

/// Whether the thread group of this copy also writes the elements that it would read here, so that nobody else does:
/// along the dims that are cut, it is the part that a root of the array has.
bool BodyBuilder::isOwnPart(Operation *load, const Parts &parts) {
  return !isa<tile::GatherOp>(load) && llvm::any_of(copy.subTiles, [&](const Copy::SubTile &subTile) {
    ArrayRef<DomainDim> dims = subTile.domain->dims;
    bool isWriter = llvm::any_of(subTile.domain->roots, [&](tile::RootOpInterface root) {
      return isa<tile::StoreOp>(root.getOperation()) &&
             tile::arrayOf(root.getRootRef()) == tile::arrayOf(load->getOperand(0));
    });
    return isWriter && parts.size() == dims.size() && llvm::all_of(llvm::seq<size_t>(0, dims.size()), [&](size_t dim) {
             return !dims[dim].isCut() || parts[dim] == *subTile.part(dim);
           });
  });
}

/// Whether the elements of a load may have been written before the place where its part would be made, by this thread
/// group or by another one.
BodyBuilder::Overwritten BodyBuilder::isOverwritten(Operation *load, const Parts &parts, unsigned level) {
  Value array = tile::arrayOf(load->getOperand(0));
  if (!program.stored.contains(cast<BlockArgument>(array).getArgNumber()))
    return Overwritten::No;
  if (!program.isWhole() && !isOwnPart(load, parts))
    return Overwritten::ByOthers;
  if (stores.lookup(array) > storesBefore.lookup(load))
    return Overwritten::BeforeUse;
  // Chunks that were stored before are not read any more.
  bool isAmongChunks = stored && llvm::any_of(ArrayRef(frames).take_front(level + 1),
                                              [&](const Frame &frame) { return frame.target == stored->loop; });
  if (isAmongChunks && stored->array == array && (parts != stored->parts || isa<tile::GatherOp>(load)))
    return Overwritten::ByChunks;
  // A loop that the program runs after the load may come by here again.
  bool comesAgain = llvm::any_of(ArrayRef(frames).take_front(level + 1), [&](const Frame &frame) {
    if (!frame.source || frame.source->findAncestorOpInBlock(*load))
      return false;
    bool stores = false;
    frame.source->walk([&](tile::RootOpInterface root) { stores |= tile::arrayOf(root.getRootRef()) == array; });
    return stores;
  });
  return comesAgain ? Overwritten::InLoop : Overwritten::No;
}

/// What a loop or a branch carries, without dimensions of extent 1: a reduction of what is one element already. Null if
/// more than that is wanted of it.
Value BodyBuilder::dropUnits(Value value, const Parts &parts) {
  auto type = cast<RankedTensorType>(value.getType());
  if (tegula::isStored(type.getElementType()))
    return {};
  Parts whole = parts;
  SmallVector<int64_t> dims;
  for (auto [dim, part] : llvm::enumerate(whole))
    if (part.dropped && type.getDimSize(dim) == 1) {
      part = {{}, 1};
      dims.push_back(static_cast<int64_t>(dim));
    }
  for (const Frame &frame : llvm::reverse(frames))
    for (const Known &known : frame.partsOf(value))
      if (!dims.empty() && known.parts == whole) {
        auto kind = type.getElementType().isInteger(1) ? tile::Reduction::Any : tile::Reduction::Max;
        return builder
            .create<tile::ReduceOp>(value.getLoc(), partType(type.getElementType(), parts), kind, known.value,
                                    tile::positionsIn(whole, dims))
            .getResult();
      }
  return {};
}

FailureOr<Value> BodyBuilder::materialise(Value value, const Parts &parts) {
  for (Frame &frame : llvm::reverse(frames))
    for (const Known &known : frame.partsOf(value))
      if (known.parts == parts)
        return known.value;
  Operation *op = value.getDefiningOp();
  unsigned level = frameOf(value, parts);
  if (isa_and_nonnull<tile::LoadOp, tile::GatherOp>(op))
    if (Overwritten how = isOverwritten(op, parts, level); how != Overwritten::No)
      return refuse(op, how);
  if (auto atomic = dyn_cast_or_null<tile::AtomicOp>(op))
    return refuseAtomic(atomic);
  if (!op || isa<scf::IfOp, scf::ForOp, scf::WhileOp>(op)) {
    if (Value dropped = dropUnits(value, parts))
      return dropped;
    return refuseCarried(value);
  }

  // Deeper frames are out of reach for what is made here.
  SmallVector<Frame> deeper(std::make_move_iterator(frames.begin() + level + 1), std::make_move_iterator(frames.end()));
  frames.resize(level + 1);
  OpBuilder::InsertionGuard guard(builder);
  if (!deeper.empty() && frames[level].nested)
    builder.setInsertionPoint(frames[level].nested);
  FailureOr<SmallVector<Value>> made = make(op, parts);
  if (succeeded(made))
    for (auto [result, part] : llvm::zip_equal(op->getResults(), *made))
      frames[level].add({result, parts, part});
  llvm::append_range(frames,
                     llvm::make_range(std::make_move_iterator(deeper.begin()), std::make_move_iterator(deeper.end())));
  if (failed(made))
    return failure();
  return (*made)[cast<OpResult>(value).getResultNumber()];
}

/// The part of an operand that a part of the result takes.
Parts BodyBuilder::partsOfOperand(tile::IndexedOpInterface op, OpOperand &operand, const Parts &parts) {
  Parts result;
  for (const tile::DimIndex &index : op.getIndexingMap(operand)) {
    Value offset = index.offset ? mapping.lookupOrDefault(index.offset) : Value();
    if (index.isElement()) {
      result.push_back({offset, 1, /*dropped=*/true});
      continue;
    }
    if (index.isIndirect()) { // All of it, which there is room for (canHoldIndexed).
      auto dim = static_cast<int64_t>(result.size());
      int64_t size = cast<RankedTensorType>(operand.get().getType()).getDimSize(dim);
      result.push_back(size == 1 ? Part{{}, 1}
                                 : residentPart(*program.residentFor(size, extents.of(operand.get(), dim))));
      continue;
    }
    Part part = parts[index.dim];
    if (index.isUnit())
      part = {{}, 1, part.dropped, false};
    else if (index.isWindow())
      part.offset = add(op.getLoc(), part.offset, offset);
    result.push_back(part);
  }
  return result;
}

/// Whether a thread group can hold all of what indices choose from, and is to do so.
bool BodyBuilder::canHoldIndexed(tile::TakeOp take) {
  RankedTensorType type = take.getSource().getType();
  if (take->hasAttr(takesOfMade) && !canBeExchanged(take.getSource()))
    return false;
  return llvm::all_of(take.getDims(), [&](int64_t dim) {
    return type.getDimSize(dim) == 1 ||
           program.residentFor(type.getDimSize(dim), extents.of(take.getSource(), dim)).has_value();
  });
}

SmallVector<int64_t> extentsOfPart(const Program &program, Extents &extents, Value tile, const Parts &parts) {
  auto type = cast<RankedTensorType>(tile.getType());
  SmallVector<int64_t> most;
  for (auto [dim, part] : llvm::enumerate(parts)) {
    if (part.dropped)
      continue;
    int64_t bound = program.boundOf(type.getDimSize(dim), extents.of(tile, dim));
    bool isKnown = !part.offset && !ShapedType::isDynamic(bound);
    most.push_back(isKnown ? std::min(part.size, bound) : part.size);
  }
  return most;
}

/// Elements of a tile along a dimension.
static tile::TakeOp takePart(OpBuilder &builder, Location loc, Value tile, const Parts &has, const Parts &wanted,
                             int64_t dim) {
  const Part &part = wanted[dim];
  Type index = builder.getI64Type();
  Value offset = part.offset;
  if (!offset)
    offset = builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(0));
  Value indices;
  if (part.dropped)
    indices = builder.create<tile::FullOp>(loc, RankedTensorType::get({}, index), offset, ValueRange());
  else
    indices = builder.create<tile::IotaOp>(loc, RankedTensorType::get({part.size}, index), builder.getI64IntegerAttr(0),
                                           offset, ValueRange());
  Type element = getElementTypeOrSelf(tile.getType());
  return builder.create<tile::TakeOp>(loc, partType(element, wanted), tile, indices,
                                      ArrayRef<int64_t>{tile::positionIn(has, dim)}, tile::positionIn(wanted, dim));
}

/// Parts of what an op makes of all that is along a dimension, as `whole` has it.
FailureOr<SmallVector<Value>> BodyBuilder::takeOfWhole(Operation *op, const Parts &whole, const Parts &wanted,
                                                       int64_t dim) {
  SmallVector<Value> taken;
  for (Value result : op->getResults()) {
    FailureOr<Value> all = materialise(result, whole);
    if (failed(all))
      return failure();
    tile::TakeOp take = takePart(builder, op->getLoc(), *all, whole, wanted, dim);
    tile::noteExchangedExtents(take, extentsOfPart(program, extents, result, whole));
    taken.push_back(take);
  }
  return taken;
}

FailureOr<SmallVector<Value>> BodyBuilder::make(Operation *op, const Parts &parts) {
  if (auto reduce = dyn_cast<tile::ReduceOp>(op))
    return makeReduce(reduce, parts);
  if (auto scan = dyn_cast<tile::ScanOp>(op))
    return makeScan(scan, parts);
  if (auto sort = dyn_cast<tile::SortOp>(op))
    return makeSort(sort, parts);
  FailureOr<Value> made = makeAgain(op, parts);
  return failed(made) ? FailureOr<SmallVector<Value>>() : SmallVector<Value>{*made};
}

FailureOr<Value> BodyBuilder::makeAgain(Operation *op, const Parts &parts) {
  if (auto load = dyn_cast<tile::LoadOp>(op))
    return makeLoad(load, parts);
  if (auto dot = dyn_cast<tile::DotOp>(op))
    return makeDot(dot, parts, dot.getAcc());
  if (auto sum = dyn_cast<tile::AddOp>(op)) // A product is added to as it is made.
    for (auto [product, other] : {std::pair(sum.getRhs(), sum.getLhs()), std::pair(sum.getLhs(), sum.getRhs())})
      if (auto dot = product.getDefiningOp<tile::DotOp>(); dot && dot->hasOneUse() && !dot.getAcc())
        return makeDot(dot, parts, other);
  if (auto take = dyn_cast<tile::TakeOp>(op); take && !canHoldIndexed(take))
    return refuseTake(take);
  auto indexed = dyn_cast<tile::IndexedOpInterface>(op);
  if (!indexed || isContraction(op))
    return op->emitError() << "no part of this tile can be computed alone";
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    FailureOr<Value> made = isTile(operand.get()) ? materialise(operand.get(), partsOfOperand(indexed, operand, parts))
                                                  : mapping.lookupOrDefault(operand.get());
    if (failed(made))
      return failure();
    operands.push_back(*made);
  }
  Value made = indexed.makePart(builder, parts, operands);
  if (auto take = dyn_cast<tile::TakeOp>(op))
    tile::noteExchangedExtents(
        made.getDefiningOp(),
        extentsOfPart(program, extents, take.getSource(), partsOfOperand(indexed, take.getSourceMutable(), parts)));
  return made;
}

FailureOr<Value> BodyBuilder::makeLoad(tile::LoadOp load, const Parts &wanted) {
  Location loc = load.getLoc();
  FailureOr<Value> mask = Value(), other = Value();
  Parts parts = wanted;
  if (load.getMask()) {
    mask = materialise(load.getMask(), wanted);
    if (succeeded(mask))
      other = materialise(load.getOther(), wanted);
    if (failed(mask) || failed(other))
      return failure();
    // The tile goes on where the array ends: a part of it that is full may still extend past.
    for (auto [i, part] : llvm::enumerate(parts))
      part.full &= extents.of(load, i).symbol == extents.of(load.getRef(), i).symbol;
    mask = withinArray(load, *mask, parts);
  }
  Value ref = tile::makeWindow(builder, loc, mapping.lookupOrDefault(load.getRef()), parts);
  RankedTensorType type = cast<tile::RefType>(ref.getType()).getTileType();
  return builder.create<tile::LoadOp>(loc, type, ref, *mask, *other).getResult();
}

/// One element of a dimension is not cut off at the end of the array: the mask says where there is none.
Value BodyBuilder::withinArray(tile::LoadOp load, Value mask, const Parts &parts) {
  Location loc = load.getLoc();
  for (auto [i, part] : llvm::enumerate(parts)) {
    if (!part.dropped || load.getRef().getType().isExact(i))
      continue;
    Value extent = extentHere(loc, load.getRef(), i);
    Value isThere = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt,
                                                  part.offset ? part.offset : constant(loc, 0), extent);
    Value everywhere = builder.create<tile::FullOp>(loc, mask.getType(), isThere, ValueRange());
    mask = builder.create<tile::LogicalAndOp>(loc, mask.getType(), mask, everywhere);
  }
  return mask;
}

} // namespace tegula::split
