// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass: from a launch to kernels and a plan. Domain.h explains how programs are cut.
#include "transforms/Kernels.h"
#include "transforms/Passes.h"
#include "transforms/split/Alignment.h"
#include "transforms/split/Body.h"
#include "transforms/split/Plan.h"

#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILESPLIT
#include "transforms/Passes.h.inc"

namespace split {
namespace {

/// A kernel's arguments beyond those of the launch: the grid, then the tile counts of the domains, then the teams.
struct Signature {
  SmallVector<Type> types;
  SmallVector<Location> locations;
  /// Where the count along a domain's dimension is among the arguments; -1 if it is static.
  SmallVector<SmallVector<int64_t>> counts;
  int64_t grid = 0, most = -1, teams = -1;
  /// The sub-tiles of the largest domain, where the types tell.
  std::optional<int64_t> staticMost;
};

class KernelBuilder {
public:
  KernelBuilder(const Program &program, Extents &extents, const Shape &shape)
      : program(program), launch(program.launch), extents(extents), shape(shape), builder(launch.getContext()),
        loc(launch.getLoc()) {
    describe();
  }

  /// Writes a kernel into the module. With `aligned`, arrays are as tile.dense found them.
  FailureOr<tile::KernelOp> build(StringRef name, bool aligned);

  const Signature &getSignature() const { return signature; }

private:
  void describe();
  LogicalResult buildBody();
  LogicalResult buildWhole(BodyBuilder &body);
  LogicalResult buildShare(BodyBuilder &body, const Domain &domain, Value tileIndex, bool first);
  LogicalResult buildFullOr(Value isFull, Copy copy, BodyBuilder &body);
  Value isFull(BodyBuilder &body, const Domain &domain, ArrayRef<Value> origin, bool &isKnown);
  void decode(Value team, SmallVectorImpl<Value> &programIds, Value &tileIndex);
  Value count(unsigned domain, unsigned dim);
  Value constant(int64_t value) { return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value)); }
  /// Runs `then` where the condition holds.
  LogicalResult guarded(Value condition, llvm::function_ref<LogicalResult()> then);

  const Program &program;
  tile::LaunchOp launch;
  Extents &extents;
  Shape shape;
  OpBuilder builder;
  Location loc;
  Signature signature;
  tile::KernelOp kernel;
};

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
      counts.push_back(ShapedType::isDynamic(dim.bound) ? addNumber("tiles") : -1);
  }
  if (!program.isWhole()) {
    signature.staticMost = program.mostTiles();
    if (!signature.staticMost)
      signature.most = addNumber("most_tiles");
  }
  signature.teams = addNumber("teams");
}

Value KernelBuilder::count(unsigned domain, unsigned dim) {
  int64_t argument = signature.counts[domain][dim];
  if (argument >= 0)
    return kernel.getArgument(argument);
  return constant(program.domains[domain].tiles(dim));
}

FailureOr<tile::KernelOp> KernelBuilder::build(StringRef name, bool aligned) {
  auto module = launch->getParentOfType<ModuleOp>();
  builder.setInsertionPointToEnd(module.getBody());
  SmallVector<Type> types = signature.types;
  for (Type &type : types)
    if (auto ref = dyn_cast<tile::RefType>(type); ref && aligned)
      type = tile::RefType::get(ref.getElementType(), ref.getDims(), accessBytes);
  kernel = builder.create<tile::KernelOp>(loc, name, builder.getFunctionType(types, {}), shape.threads, program.team);
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

void KernelBuilder::decode(Value team, SmallVectorImpl<Value> &programIds, Value &tileIndex) {
  Value index = team;
  if (!program.isWhole()) {
    Value most = signature.staticMost ? constant(*signature.staticMost) : kernel.getArgument(signature.most);
    tileIndex = team;
    if (!launch.getGrid().empty()) {
      tileIndex = builder.create<arith::RemUIOp>(loc, team, most);
      index = builder.create<arith::DivUIOp>(loc, team, most);
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

LogicalResult KernelBuilder::buildBody() {
  Value team = builder.create<tile::TeamOp>(loc);
  auto work = [&]() -> LogicalResult {
    SmallVector<Value> programIds, grid;
    Value tileIndex;
    decode(team, programIds, tileIndex);
    for (unsigned axis = 0; axis < launch.getGrid().size(); ++axis)
      grid.push_back(kernel.getArgument(signature.grid + axis));
    IRMapping arguments;
    for (auto [inside, argument] : llvm::zip(launch.getBody().getArguments(), kernel.getArguments()))
      arguments.map(inside, argument);
    BodyBuilder body(builder, program, extents, arguments, programIds, grid);
    if (program.isWhole())
      return buildWhole(body);
    for (auto [i, domain] : llvm::enumerate(program.domains))
      if (failed(buildShare(body, domain, tileIndex, i == 0)))
        return failure();
    return success();
  };
  if (program.team == shape.threads)
    return work();
  Value inRange =
      builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, team, kernel.getArgument(signature.teams));
  return guarded(inRange, work);
}

/// Whether a sub-tile is full, decided as far as the types do not tell. `isKnown` is false if the program must begin
/// before anyone can tell.
Value KernelBuilder::isFull(BodyBuilder &body, const Domain &domain, ArrayRef<Value> origin, bool &isKnown) {
  Value all;
  for (auto [i, dim] : llvm::enumerate(domain.dims)) {
    auto type = tile::StoreOp(domain.roots.front()).getRef().getType();
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
    Value end = constant(dim.subTile);
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
    for (Copy::Share &share : copy.shares)
      share.full = full;
    Block *block = full ? branch.thenBlock() : branch.elseBlock();
    block->getTerminator()->erase();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    if (failed(body.build(copy)))
      return failure();
    builder.setInsertionPointToEnd(block);
    builder.create<scf::YieldOp>(loc);
  }
  return success();
}

/// One team runs all of the program.
LogicalResult KernelBuilder::buildWhole(BodyBuilder &body) {
  Copy copy;
  copy.prints = true;
  Value full;
  bool isKnown = true;
  for (const Domain &domain : program.domains) {
    Origin origin(domain.dims.size());
    bool mine = true;
    Value here = domain.roots.empty() ? Value() : isFull(body, domain, origin, mine);
    isKnown &= mine;
    if (here)
      full = full ? builder.create<arith::AndIOp>(loc, full, here) : here;
    copy.shares.push_back({&domain, origin, false});
  }
  if (isKnown && full)
    return buildFullOr(full, copy, body);
  for (Copy::Share &share : copy.shares)
    share.full = isKnown;
  return body.build(copy);
}

/// This team's sub-tile of one domain.
LogicalResult KernelBuilder::buildShare(BodyBuilder &body, const Domain &domain, Value tileIndex, bool first) {
  unsigned number = &domain - program.domains.begin();
  Copy copy;
  copy.prints = domain.isScalar() ||
                (first && llvm::none_of(program.domains, [](const Domain &other) { return other.isScalar(); }));
  SmallVector<unsigned> cut;
  for (auto [i, dim] : llvm::enumerate(domain.dims))
    if (!dim.isWhole())
      cut.push_back(i);
  Value tiles;
  for (unsigned dim : cut)
    tiles = tiles ? builder.create<arith::MulIOp>(loc, tiles, count(number, dim)).getResult() : count(number, dim);
  if (!tiles)
    tiles = constant(1);

  auto work = [&]() -> LogicalResult {
    Origin origin(domain.dims.size());
    Value index = tileIndex;
    for (unsigned dim : llvm::reverse(cut)) {
      Value along = index;
      if (dim != cut.front()) {
        along = builder.create<arith::RemUIOp>(loc, index, count(number, dim));
        index = builder.create<arith::DivUIOp>(loc, index, count(number, dim));
      }
      origin[dim] = builder.create<arith::MulIOp>(loc, along, constant(domain.dims[dim].subTile));
    }
    bool isKnown = true;
    Value full = domain.roots.empty() ? Value() : isFull(body, domain, origin, isKnown);
    copy.shares.push_back({&domain, origin, isKnown && !full});
    return isKnown && full ? buildFullOr(full, copy, body) : body.build(copy);
  };
  if (program.domains.size() == 1)
    return work();
  return guarded(builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, tileIndex, tiles), work);
}

LogicalResult splitLaunch(tile::LaunchOp launch, const Shape &shape) {
  Extents extents(launch);
  FailureOr<Program> program = analyse(launch, extents, shape);
  if (failed(program))
    return failure();
  KernelBuilder kernels(*program, extents, shape);
  FailureOr<tile::KernelOp> aligned = kernels.build((launch.getName() + "_dense").str(), /*aligned=*/true);
  if (failed(aligned))
    return failure();
  removeDeadCode(*aligned);
  bool gains = propagateAlignment(*aligned);
  if (!gains)
    aligned->erase();
  FailureOr<tile::KernelOp> any = kernels.build(launch.getName(), /*aligned=*/false);
  if (failed(any))
    return failure();
  removeDeadCode(*any);

  PlanBuilder plan(*program);
  const Signature &signature = kernels.getSignature();
  SmallVector<Value> arguments(plan.arguments());
  llvm::append_range(arguments, plan.grid());
  for (auto [domain, counts] : llvm::zip(program->domains, signature.counts))
    for (auto [dim, argument] : llvm::enumerate(counts))
      if (argument >= 0)
        arguments.push_back(plan.tiles(domain, dim));
  if (signature.most >= 0)
    arguments.push_back(plan.mostTiles());
  Value teams = plan.teams();
  arguments.push_back(teams);
  Value blocks = plan.ceilDiv(teams, shape.threads / program->team);

  auto run = [&](tile::KernelOp kernel) {
    SmallVector<Value> kept;
    for (unsigned argument : dropUnusedArguments(kernel))
      kept.push_back(arguments[argument]);
    plan.get().create<tile::LaunchKernelOp>(launch.getLoc(), kernel.getSymName(), blocks, kept);
  };
  if (gains) {
    SmallVector<Value> arrays;
    for (Value argument : plan.arguments())
      if (isa<tile::ArrayType>(argument.getType()))
        arrays.push_back(argument);
    OpBuilder &builder = plan.get();
    Value dense = builder.create<tile::DenseOp>(launch.getLoc(), arrays, accessBytes, /*contiguous=*/false);
    auto branch = builder.create<scf::IfOp>(launch.getLoc(), dense, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    run(*aligned);
    builder.setInsertionPointToStart(branch.elseBlock());
    run(*any);
  } else {
    run(*any);
  }
  plan.get().setInsertionPointToEnd(&launch.getPlan().front());
  plan.finish();
  return success();
}
} // namespace
} // namespace split

namespace {
struct Split : impl::TileSplitBase<Split> {
  using TileSplitBase::TileSplitBase;

  void runOnOperation() override {
    SmallVector<tile::LaunchOp> launches;
    getOperation().walk([&](tile::LaunchOp launch) {
      if (!launch.isExplicit())
        launches.push_back(launch);
    });
    WalkResult walk = getOperation().walk([](Operation *op) {
      auto load = dyn_cast<tile::LoadOp>(op);
      auto store = dyn_cast<tile::StoreOp>(op);
      if (!(load && load.getMask()) && !(store && store.getMask()))
        return WalkResult::advance();
      op->emitError()
          << "masks are for the CPU alone so far: load the block, and choose with tg::where(mask, x, other)";
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    split::Shape shape;
    shape.threads = threads;
    shape.perThread = perThread;
    for (tile::LaunchOp launch : launches)
      if (failed(split::splitLaunch(launch, shape)))
        return signalPassFailure();
  }
};
} // namespace
} // namespace tegula
