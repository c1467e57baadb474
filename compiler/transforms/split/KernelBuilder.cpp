// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/KernelBuilder.h"

#include "ir/ApproxMath.h"
#include "ir/Elements.h"
#include "ir/KernelAttributes.h"
#include "transforms/Alignment.h"
#include "transforms/split/Edges.h"

#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace tegula::split {

bool endsIn(const Extents &extents, Value array, Symbol extent) {
  ArrayRef<Extent> shape = extents.of(array);
  return !shape.empty() && shape.back().symbol == extent;
}

void KernelBuilder::describe() {
  for (BlockArgument argument : launch.getBody().getArguments()) {
    signature.types.push_back(argument.getType());
    signature.locations.push_back(argument.getLoc());
  }
  auto addNumber = [&](StringRef name) {
    signature.types.push_back(builder.getI64Type());
    signature.locations.push_back(NameLoc::get(builder.getStringAttr(name), loc));
    return static_cast<int64_t>(signature.types.size()) - 1;
  };
  signature.grid = signature.types.size();
  for (unsigned axis = 0; axis < launch.getGrid().size(); ++axis)
    addNumber("grid" + std::to_string(axis));
  for (const Domain &domain : program.domains) {
    auto &counts = signature.counts.emplace_back();
    for (const DomainDim &dim : domain.dims)
      counts.push_back(dim.isCut() && !dim.isStatic() ? addNumber("tiles") : -1);
  }
  if (!program.isWhole()) {
    signature.staticMost = program.mostTiles();
    if (!signature.staticMost)
      signature.most = addNumber("most_tiles");
  }
  signature.groups = addNumber("thread groups");
  if (isPersistent())
    signature.blocks = addNumber("blocks");
  if (shape.tensor && shape.tensor->isLongestLast && program.isWhole() && launch.getGrid().size() > 1)
    signature.turns = addNumber("turns");
}

Value KernelBuilder::count(unsigned domain, unsigned dim) {
  int64_t argument = signature.counts[domain][dim];
  if (argument >= 0)
    return kernel.getArgument(argument);
  return constant(program.domains[domain].tiles(dim));
}

FailureOr<tile::KernelOp> KernelBuilder::build(StringRef name, Rows rows, std::optional<Symbol> evenRow) {
  auto module = launch->getParentOfType<ModuleOp>();
  builder.setInsertionPointToEnd(module.getBody());
  SmallVector<Type> types = signature.types;
  if (rows == Rows::whole)
    for (unsigned number : arraysOfRows(program)) {
      auto ref = cast<tile::RefType>(types[number]);
      int64_t bytes = tile::bytesIn(shape.rowsOf, ref.getElementType());
      types[number] = tile::RefType::get(ref.getElementType(), ref.getDims(), bytes, /*isEven=*/true, ref.getSpace());
    }
  for (auto [type, argument] : llvm::zip(types, launch.getBody().getArguments()))
    if (auto ref = dyn_cast<tile::RefType>(type);
        ref && (rows == Rows::contiguous || rows == Rows::aligned ||
                isPacked(ref.getElementType()))) { // These begin rows with bytes.
      bool isEven = rows == Rows::aligned && evenRow && endsIn(extents, argument, *evenRow);
      int64_t bytes = rows == Rows::aligned ? accessBytes : tile::bytesOf(ref.getElementType());
      type = tile::RefType::get(ref.getElementType(), ref.getDims(), bytes, isEven, ref.getSpace());
    }
  kernel = builder.create<tile::KernelOp>(loc, name, builder.getFunctionType(types, {}), shape.threads, program.group);
  passApproxMath(launch, kernel);
  if (program.isShared())
    kernel.setCluster(shape.mostInCluster);
  Block &entry = kernel.getBody().emplaceBlock();
  entry.addArguments(types, signature.locations);
  builder.setInsertionPointToEnd(&entry);
  if (failed(buildBody()))
    return failure();
  builder.setInsertionPointToEnd(&entry);
  builder.create<tile::ReturnOp>(loc, ValueRange());
  return kernel;
}

LogicalResult KernelBuilder::guarded(Value condition, llvm::function_ref<LogicalResult()> then) {
  auto branch = builder.create<scf::IfOp>(loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  // The terminator is added last, so that what is built appends to the block.
  branch.thenBlock()->getTerminator()->erase();
  builder.setInsertionPointToEnd(branch.thenBlock());
  if (failed(then()))
    return failure();
  builder.setInsertionPointToEnd(branch.thenBlock());
  builder.create<scf::YieldOp>(loc);
  return success();
}

/// Quotient and remainder. Sub-tiles for tensor cores are mostly fewer than 2^31 (the plan sees to it), and a CTA does
/// many: a division of 64 bits takes some hundred cycles, and registers that a producer does not have.
std::pair<Value, Value> KernelBuilder::divide(Value number, Value divisor) {
  if (!shape.tensor || shape.tensor->areMany) {
    Value remainder = builder.create<arith::RemUIOp>(loc, number, divisor);
    return {builder.create<arith::DivUIOp>(loc, number, divisor), remainder};
  }
  auto narrow = [&](Value each) { return builder.create<arith::TruncIOp>(loc, builder.getI32Type(), each); };
  auto wide = [&](Value each) { return builder.create<arith::ExtUIOp>(loc, builder.getI64Type(), each); };
  Value from = narrow(number), by = narrow(divisor);
  Value quotient = builder.create<arith::DivUIOp>(loc, from, by);
  Value remainder = builder.create<arith::SubIOp>(loc, from, builder.create<arith::MulIOp>(loc, quotient, by));
  return {wide(quotient), wide(remainder)};
}

/// The row and the column of a number that counts through a plane. CTAs run at the same time that have neighbouring
/// numbers, and what they read comes from the L2 cache if they share it: they go down `height` rows, then on to the
/// next column, and back again through the next rows.
std::pair<Value, Value> KernelBuilder::orderInPlane(Value number, Value rows, Value columns) {
  const int64_t height = 16 / shape.tensor->cluster;
  auto make = [&]<class Op>(Op, Value a, Value b) -> Value { return builder.create<Op>(loc, a, b); };
  Value most = constant(std::numeric_limits<int32_t>::max());
  auto [which, within] = divide(number, make(arith::MinSIOp(), most, make(arith::MulIOp(), columns, constant(height))));
  Value first = make(arith::MulIOp(), which, constant(height));
  Value there = make(arith::MinSIOp(), constant(height), make(arith::SubIOp(), rows, first));
  auto [column, down] = divide(within, there);
  Value row = make(arith::AddIOp(), first, down);
  Value back = make(arith::SubIOp(), make(arith::SubIOp(), columns, constant(1)), column);
  Value isOdd = builder.create<arith::TruncIOp>(loc, builder.getI1Type(), which);
  return {row, builder.create<arith::SelectOp>(loc, isOdd, back, column)};
}

/// The row of this CTA's program, of the cluster of this number. Where the last cluster has one too many, that one does
/// what another one does, too: stores the same.
Value KernelBuilder::rowInCluster(Value clusterRow, Value rows) {
  Value first = builder.create<arith::MulIOp>(loc, clusterRow, constant(shape.tensor->cluster));
  Value row = builder.create<arith::AddIOp>(loc, first, rank);
  return builder.create<arith::MinSIOp>(loc, row, builder.create<arith::SubIOp>(loc, rows, constant(1)));
}

Value KernelBuilder::ceilDiv(Value number, int64_t divisor) {
  Value sum = builder.create<arith::AddIOp>(loc, number, constant(divisor - 1));
  return builder.create<arith::DivUIOp>(loc, sum, constant(divisor));
}

/// The programs of a chain of which those with longer loops begin first. Along the last axis they share right factors,
/// as do the queries of a head: the programs of as many rows take turns as have these in the L2 cache together.
void KernelBuilder::decodeLongestFirst(Value number, SmallVectorImpl<Value> &programIds) {
  auto make = [&]<class Op>(Op, Value a, Value b) -> Value { return builder.create<Op>(loc, a, b); };
  size_t last = programIds.size() - 1;
  Value columns = kernel.getArgument(signature.grid + last), turns = kernel.getArgument(signature.turns), rows;
  for (size_t axis = 0; axis < last; ++axis) {
    Value size = kernel.getArgument(signature.grid + axis);
    rows = rows ? make(arith::MulIOp(), rows, size) : size;
  }
  auto [band, inBand] = divide(number, make(arith::MulIOp(), columns, turns));
  Value first = make(arith::MulIOp(), band, turns);
  Value there = make(arith::MinSIOp(), turns, make(arith::SubIOp(), rows, first));
  auto [column, down] = divide(inBand, there);
  programIds[last] = make(arith::SubIOp(), make(arith::SubIOp(), columns, constant(1)), column);
  Value row = make(arith::AddIOp(), first, down);
  for (size_t axis = last; axis-- > 1;)
    std::tie(row, programIds[axis]) = divide(row, kernel.getArgument(signature.grid + axis));
  programIds[0] = row;
}

void KernelBuilder::decode(Value group, SmallVectorImpl<Value> &programIds, Value &tileIndex) {
  Value index = group;
  if (!program.isWhole()) {
    Value most = signature.staticMost ? constant(*signature.staticMost) : kernel.getArgument(signature.most);
    tileIndex = group;
    if (!launch.getGrid().empty()) {
      std::tie(index, tileIndex) = divide(group, most);
    }
  }
  programIds.resize(launch.getGrid().size());
  auto last = static_cast<int64_t>(programIds.size()) - 1;
  if (signature.turns >= 0)
    return decodeLongestFirst(index, programIds);
  bool isChain = shape.tensor && shape.tensor->isChain;
  if (shape.tensor && !isChain && program.isWhole() && last > 0) { // Neighbouring programs share factors.
    Value allRows = kernel.getArgument(signature.grid + last - 1), columns = kernel.getArgument(signature.grid + last);
    Value rows = program.areInClusters() ? ceilDiv(allRows, shape.tensor->cluster) : allRows;
    Value plane = builder.create<arith::MulIOp>(loc, rows, columns), number = index;
    if (last > 1) {
      std::tie(index, number) = divide(index, plane);
    }
    std::tie(programIds[last - 1], programIds[last]) = orderInPlane(number, rows, columns);
    if (program.areInClusters())
      programIds[last - 1] = rowInCluster(programIds[last - 1], allRows);
    last -= 2;
  }
  for (int64_t axis = last; axis >= 0; --axis) {
    if (axis == 0) {
      programIds[0] = index;
      break;
    }
    std::tie(index, programIds[axis]) = divide(index, kernel.getArgument(signature.grid + axis));
  }
}

/// Where this block's part begins of a dimension that the blocks of a cluster share; null if there is none.
Value KernelBuilder::startOfClusterPart() {
  for (const auto &[symbol, resident] : program.resident)
    if (resident.isShared)
      return builder.create<arith::MulIOp>(loc, builder.create<tile::ClusterRankOp>(loc), constant(resident.size));
  return {};
}

/// A CTA, or a cluster, stays and does one sub-tile after the other: the producer fetches the factors of the next one
/// while this one is stored. All its thread groups have work, the parts of one sub-tile. Or a cluster does one row
/// after the other (StagedRows.h).
LogicalResult KernelBuilder::buildPersistent(Value group, llvm::function_ref<LogicalResult(Value)> work) {
  Value first = group;
  if (shape.tensor && shape.tensor->members() > 1) {
    Value members = constant(shape.tensor->members());
    member = builder.create<arith::RemUIOp>(loc, group, members);
    first = builder.create<arith::DivUIOp>(loc, group, members);
  }
  if (program.areInClusters()) {
    Value consumers = constant(shape.tensor->consumers);
    rank = builder.create<arith::DivUIOp>(loc, member, consumers);
    member = builder.create<arith::RemUIOp>(loc, member, consumers);
  }
  auto loop = builder.create<scf::ForOp>(loc, first, kernel.getArgument(signature.groups),
                                         kernel.getArgument(signature.blocks));
  OpBuilder::InsertionGuard guard(builder);
  loop.getBody()->getTerminator()->erase();
  builder.setInsertionPointToEnd(loop.getBody());
  if (failed(work(loop.getInductionVar())))
    return failure();
  builder.setInsertionPointToEnd(loop.getBody());
  builder.create<scf::YieldOp>(loc);
  return success();
}

LogicalResult KernelBuilder::buildBody() {
  tile::ScanOp shared = program.sharedScan();
  Value group = builder.create<tile::ThreadGroupOp>(loc);
  number = shared ? group : Value();
  if (shared)
    kernel->setAttr(tile::ctasPerMultiprocessor, builder.getI64IntegerAttr(sharedRows(launch, shape).ctas));
  if (!shape.rowsOf && llvm::any_of(program.domains, [](const Domain &domain) { return domain.isStencil; }))
    kernel->setAttr(tile::prefetchesWindows, builder.getUnitAttr());
  if (shape.rowsOf)
    kernel->setAttr(tile::loadsAround, builder.getUnitAttr());
  auto work = [&](Value group) -> LogicalResult {
    SmallVector<Value> programIds, grid;
    Value tileIndex;
    decode(group, programIds, tileIndex);
    for (unsigned axis = 0; axis < launch.getGrid().size(); ++axis)
      grid.push_back(kernel.getArgument(signature.grid + axis));
    IRMapping arguments;
    for (auto [inside, argument] : llvm::zip(launch.getBody().getArguments(), kernel.getArguments()))
      arguments.map(inside, argument);
    BodyBuilder body(builder, program, extents, arguments, programIds, grid, clusterPart);
    return buildDomains(body, tileIndex);
  };
  clusterPart = startOfClusterPart();
  if (isPersistent())
    return shape.combinesPrivately ? buildPrivately(group, work) : buildPersistent(group, work);
  if (program.group == shape.threads)
    return work(group);
  Value inRange =
      builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, group, kernel.getArgument(signature.groups));
  return guarded(inRange, [&] { return work(group); });
}

/// Whether a sub-tile is full, decided as far as the types do not tell. `isKnown` is false if the program must begin
/// before anyone can tell.
Value KernelBuilder::isFull(BodyBuilder &body, const Domain &domain, ArrayRef<Value> origin, bool &isKnown) {
  Value all;
  for (auto [i, dim] : llvm::enumerate(domain.dims)) {
    if (dim.mode != Mode::Parallel)
      continue;
    tile::RootOpInterface root = domain.roots.front();
    auto store = dyn_cast<tile::StoreOp>(root.getOperation());
    bool isExact = store ? store.getRef().getType().isExact(i)
                         : dim.isStatic() && dim.extent == extents.symbols().ofConstant(dim.bound);
    if (isExact && dim.bound % dim.subTile == 0)
      continue;
    if (!ShapedType::isDynamic(dim.bound) && dim.bound < dim.subTile) {
      isKnown = false; // It never is.
      return {};
    }
    Value extent = body.extentAtTop(domain, i);
    if (!extent) {
      isKnown = false;
      return {};
    }
    Value end = constant(dim.part());
    if (origin[i])
      end = builder.create<arith::AddIOp>(loc, origin[i], end);
    Value fits = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::sle, end, extent);
    all = all ? builder.create<arith::AndIOp>(loc, all, fits) : fits;
  }
  return all;
}

/// Two copies of the program: one for full sub-tiles, without masks, and one for those at an edge.
LogicalResult KernelBuilder::buildFullOr(Value isFull, Copy copy, BodyBuilder &body) {
  auto branch = builder.create<scf::IfOp>(loc, isFull, /*withElseRegion=*/true);
  for (bool full : {true, false}) {
    for (Copy::SubTile &subTile : copy.subTiles)
      subTile.full = full;
    Block *block = full ? branch.thenBlock() : branch.elseBlock();
    block->getTerminator()->erase();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    if (failed(body.build(copy)))
      return failure();
    builder.setInsertionPointToEnd(block);
    builder.create<scf::YieldOp>(loc);
  }
  shareComputation(branch);
  return success();
}

/// Where the sub-tile of this number begins. Domains that are cut alike share the offsets along dims that are cut.
Origin KernelBuilder::originOf(const Domain &domain, Value tileIndex, Origin &shared) {
  unsigned which = &domain - program.domains.begin();
  SmallVector<unsigned> cut;
  for (auto [i, dim] : llvm::enumerate(domain.dims))
    if (dim.isCut())
      cut.push_back(i);
  Origin origin(domain.dims.size());
  for (auto [i, dim] : llvm::enumerate(domain.dims))
    if (dim.isShared)
      origin[i] = clusterPart;
  for (auto [dim, offset] : llvm::zip(cut, shared))
    origin[dim] = offset;
  if (!shared.empty())
    return origin;
  SmallVector<unsigned> left = cut;
  if (shape.tensor && cut.size() == 2) {
    auto [row, column] = orderInPlane(tileIndex, count(which, cut[0]), count(which, cut[1]));
    for (auto [dim, along] : {std::pair(cut[0], row), std::pair(cut[1], column)})
      origin[dim] = builder.create<arith::MulIOp>(loc, along, constant(domain.dims[dim].subTile));
    left.clear();
  }
  for (unsigned dim : llvm::reverse(left)) {
    Value along = tileIndex;
    if (dim != cut.front()) {
      std::tie(tileIndex, along) = divide(tileIndex, count(which, dim));
    }
    if (number && dim == left.back() && program.sharedScan().getReverse()) { // Numbers are in the order of the scan.
      Value last = builder.create<arith::SubIOp>(loc, count(which, dim), constant(1));
      along = builder.create<arith::SubIOp>(loc, last, along);
    }
    origin[dim] = builder.create<arith::MulIOp>(loc, along, constant(domain.dims[dim].subTile));
  }
  for (unsigned dim : cut)
    shared.push_back(origin[dim]);
  return origin;
}

/// From where a sub-tile begins to where this thread group's part of it does. Domains that begin at the same values
/// share what is made for their parts.
void KernelBuilder::addPart(const Domain &domain, Origin &origin, PartStarts &known) {
  for (auto [offset, dim] : llvm::zip_equal(origin, domain.dims)) {
    if (dim.members == 1)
      continue;
    Value &start = known[{offset, dim.part()}];
    if (!start) {
      start = builder.create<arith::MulIOp>(loc, member, constant(dim.part()));
      if (offset)
        start = builder.create<arith::AddIOp>(loc, offset, start);
    }
    offset = start;
  }
}

/// The last sub-tile along a dimension begins where it is full: what it has in common with the one before is stored
/// twice.
void KernelBuilder::beginEarlier(BodyBuilder &body, const Domain &domain, Origin &origin) {
  for (auto [i, dim] : llvm::enumerate(domain.dims))
    if (dim.isCut()) {
      Value last = builder.create<arith::SubIOp>(loc, body.extentAtTop(domain, i), constant(dim.subTile));
      origin[i] = builder.create<arith::MinSIOp>(loc, origin[i], last);
    }
}

/// This thread group's sub-tiles of domains that are cut alike.
LogicalResult KernelBuilder::buildTogether(BodyBuilder &body, ArrayRef<const Domain *> domains, Value tileIndex,
                                           bool prints) {
  Copy copy;
  copy.prints = prints;
  Value full;
  bool isKnown = true;
  Origin shared;
  PartStarts starts;
  for (const Domain *domain : domains) {
    Origin origin = originOf(*domain, tileIndex, shared);
    addPart(*domain, origin, starts);
    if (shape.rowsOf)
      beginEarlier(body, *domain, origin);
    bool isMine = true;
    Value here = domain->roots.empty() || shape.rowsOf ? Value() : isFull(body, *domain, origin, isMine);
    isKnown &= isMine;
    if (here && full != here)
      full = full ? builder.create<arith::AndIOp>(loc, full, here) : here;
    copy.subTiles.push_back({domain, origin, false});
  }
  if (number)
    copy.position = {number, count(domains.front() - program.domains.begin(), domains.front()->dims.size() - 1),
                     kernel.getArgument(signature.groups)};
  // A product is too large to be written twice, and hides what masks cost.
  bool multiplies = llvm::any_of(domains, [](const Domain *domain) { return domain->multiplies(); });
  if (isKnown && full && !multiplies)
    return buildFullOr(full, copy, body);
  isKnown &= !full;
  for (Copy::SubTile &subTile : copy.subTiles)
    subTile.full = isKnown;
  return body.build(copy);
}

/// The sub-tiles of this number of all domains; one that has fewer is left alone.
LogicalResult KernelBuilder::buildDomains(BodyBuilder &body, Value tileIndex) {
  bool hasScalars = llvm::any_of(program.domains, [](const Domain &domain) { return domain.isScalar(); });
  if (program.isCutAlike())
    return buildTogether(body, llvm::to_vector(llvm::make_pointer_range(program.domains)), tileIndex, /*prints=*/true);
  for (auto [number, domain] : llvm::enumerate(program.domains)) {
    bool prints = hasScalars ? domain.isScalar() : number == 0;
    Value tiles = constant(1);
    for (auto [i, dim] : llvm::enumerate(domain.dims))
      if (dim.isCut())
        tiles = builder.createOrFold<arith::MulIOp>(loc, tiles, count(number, i));
    Value isThere = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, tileIndex, tiles);
    if (failed(guarded(isThere, [&] { return buildTogether(body, {&domain}, tileIndex, prints); })))
      return failure();
  }
  return success();
}

} // namespace tegula::split
