// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/KernelBuilder.h"

#include "transforms/split/Alignment.h"
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
}

Value KernelBuilder::count(unsigned domain, unsigned dim) {
  int64_t argument = signature.counts[domain][dim];
  if (argument >= 0)
    return kernel.getArgument(argument);
  return constant(program.domains[domain].tiles(dim));
}

FailureOr<tile::KernelOp> KernelBuilder::build(StringRef name, bool aligned, std::optional<Symbol> evenRow) {
  auto module = launch->getParentOfType<ModuleOp>();
  builder.setInsertionPointToEnd(module.getBody());
  SmallVector<Type> types = signature.types;
  for (auto [type, argument] : llvm::zip(types, launch.getBody().getArguments()))
    if (auto ref = dyn_cast<tile::RefType>(type); ref && aligned)
      type = tile::RefType::get(ref.getElementType(), ref.getDims(), accessBytes,
                                evenRow && endsIn(extents, argument, *evenRow));
  kernel = builder.create<tile::KernelOp>(loc, name, builder.getFunctionType(types, {}), shape.threads, program.group);
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

void KernelBuilder::decode(Value group, SmallVectorImpl<Value> &programIds, Value &tileIndex) {
  Value index = group;
  if (!program.isWhole()) {
    Value most = signature.staticMost ? constant(*signature.staticMost) : kernel.getArgument(signature.most);
    tileIndex = group;
    if (!launch.getGrid().empty()) {
      tileIndex = builder.create<arith::RemUIOp>(loc, group, most);
      index = builder.create<arith::DivUIOp>(loc, group, most);
    }
  }
  programIds.resize(launch.getGrid().size());
  for (int64_t axis = static_cast<int64_t>(programIds.size()) - 1; axis >= 0; --axis) {
    if (axis == 0) {
      programIds[0] = index;
      break;
    }
    Value size = kernel.getArgument(signature.grid + axis);
    programIds[axis] = builder.create<arith::RemUIOp>(loc, index, size);
    index = builder.create<arith::DivUIOp>(loc, index, size);
  }
}

/// Where this block's part begins of a dimension that the blocks of a cluster share; null if there is none.
Value KernelBuilder::startOfClusterPart() {
  for (const auto &[symbol, resident] : program.resident)
    if (resident.isShared)
      return builder.create<arith::MulIOp>(loc, builder.create<tile::ClusterRankOp>(loc), constant(resident.size));
  return {};
}

LogicalResult KernelBuilder::buildBody() {
  Value group = builder.create<tile::ThreadGroupOp>(loc);
  auto work = [&]() -> LogicalResult {
    SmallVector<Value> programIds, grid;
    Value tileIndex;
    decode(group, programIds, tileIndex);
    for (unsigned axis = 0; axis < launch.getGrid().size(); ++axis)
      grid.push_back(kernel.getArgument(signature.grid + axis));
    IRMapping arguments;
    for (auto [inside, argument] : llvm::zip(launch.getBody().getArguments(), kernel.getArguments()))
      arguments.map(inside, argument);
    clusterPart = startOfClusterPart();
    BodyBuilder body(builder, program, extents, arguments, programIds, grid, clusterPart);
    return buildDomains(body, tileIndex);
  };
  if (program.group == shape.threads)
    return work();
  if (shape.tensor) { // All thread groups of a CTA have work: the parts of one sub-tile.
    Value members = constant(shape.tensor->consumers);
    member = builder.create<arith::RemUIOp>(loc, group, members);
    group = builder.create<arith::DivUIOp>(loc, group, members);
    return work();
  }
  Value inRange =
      builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, group, kernel.getArgument(signature.groups));
  return guarded(inRange, work);
}

/// Whether a sub-tile is full, decided as far as the types do not tell. `isKnown` is false if the program must begin
/// before anyone can tell.
Value KernelBuilder::isFull(BodyBuilder &body, const Domain &domain, ArrayRef<Value> origin, bool &isKnown) {
  Value all;
  for (auto [i, dim] : llvm::enumerate(domain.dims)) {
    auto type = tile::StoreOp(domain.roots.front()).getRef().getType();
    if (dim.mode != Mode::Parallel)
      continue;
    if (type.isExact(i) && type.getBound(i) % dim.subTile == 0)
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
  unsigned number = &domain - program.domains.begin();
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
  for (unsigned dim : llvm::reverse(cut)) {
    Value along = tileIndex;
    if (dim != cut.front()) {
      along = builder.create<arith::RemUIOp>(loc, tileIndex, count(number, dim));
      tileIndex = builder.create<arith::DivUIOp>(loc, tileIndex, count(number, dim));
    }
    origin[dim] = builder.create<arith::MulIOp>(loc, along, constant(domain.dims[dim].subTile));
  }
  for (unsigned dim : cut)
    shared.push_back(origin[dim]);
  return origin;
}

/// From where a sub-tile begins to where this thread group's part of it does.
void KernelBuilder::addPart(const Domain &domain, Origin &origin) {
  for (auto [offset, dim] : llvm::zip_equal(origin, domain.dims)) {
    if (dim.members == 1)
      continue;
    Value part = builder.create<arith::MulIOp>(loc, member, constant(dim.part()));
    offset = offset ? builder.create<arith::AddIOp>(loc, offset, part).getResult() : part;
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
  for (const Domain *domain : domains) {
    Origin origin = originOf(*domain, tileIndex, shared);
    addPart(*domain, origin);
    bool isMine = true;
    Value here = domain->roots.empty() ? Value() : isFull(body, *domain, origin, isMine);
    isKnown &= isMine;
    if (here && full != here)
      full = full ? builder.create<arith::AndIOp>(loc, full, here) : here;
    copy.subTiles.push_back({domain, origin, false});
  }
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
