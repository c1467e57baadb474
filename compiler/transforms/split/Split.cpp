// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass: from a launch to kernels and a plan. Domain.h explains how programs are cut.
#include "transforms/Kernels.h"
#include "transforms/Passes.h"
#include "transforms/split/Alignment.h"
#include "transforms/split/Body.h"
#include "transforms/split/Classes.h"
#include "transforms/split/Cost.h"
#include "transforms/split/Edges.h"
#include "transforms/split/Plan.h"
#include "transforms/split/Remarks.h"
#include "transforms/split/TwoPass.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILESPLIT
#include "transforms/Passes.h.inc"

namespace split {
namespace {

/// A kernel's arguments beyond those of the launch: the grid, then the tile counts of the domains, then the thread
/// groups.
struct Signature {
  SmallVector<Type> types;
  SmallVector<Location> locations;
  /// Where the count along a domain's dimension is among the arguments; -1 if it is static.
  SmallVector<SmallVector<int64_t>> counts;
  int64_t grid = 0, most = -1, groups = -1;
  /// The sub-tiles of the largest domain, where the types tell.
  std::optional<int64_t> staticMost;
};

/// Whether this is the extent of the innermost dimension of an array.
bool endsIn(const Extents &extents, Value array, Symbol extent) {
  ArrayRef<Extent> shape = extents.of(array);
  return !shape.empty() && shape.back().symbol == extent;
}

class KernelBuilder {
public:
  KernelBuilder(const Program &program, Extents &extents, const GroupShape &shape)
      : program(program), launch(program.launch), extents(extents), shape(shape), builder(launch.getContext()),
        loc(launch.getLoc()) {
    describe();
  }

  /// Writes a kernel into the module. With `aligned`, arrays are as tile.dense found them, and `evenRow`, an extent, is
  /// a multiple of all their accesses.
  FailureOr<tile::KernelOp> build(StringRef name, bool aligned, std::optional<Symbol> evenRow);

  const Signature &getSignature() const { return signature; }

private:
  void describe();
  LogicalResult buildBody();
  LogicalResult buildDomains(BodyBuilder &body, Value tileIndex);
  LogicalResult buildTogether(BodyBuilder &body, ArrayRef<const Domain *> domains, Value tileIndex, bool prints);
  Origin originOf(const Domain &domain, Value tileIndex, Origin &shared);
  LogicalResult buildFullOr(Value isFull, Copy copy, BodyBuilder &body);
  Value isFull(BodyBuilder &body, const Domain &domain, ArrayRef<Value> origin, bool &isKnown);
  Value startOfClusterPart();
  void decode(Value group, SmallVectorImpl<Value> &programIds, Value &tileIndex);
  Value count(unsigned domain, unsigned dim);
  Value constant(int64_t value) { return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value)); }
  /// Runs `then` where the condition holds.
  LogicalResult guarded(Value condition, llvm::function_ref<LogicalResult()> then);

  const Program &program;
  tile::LaunchOp launch;
  Extents &extents;
  GroupShape shape;
  OpBuilder builder;
  Location loc;
  Signature signature;
  tile::KernelOp kernel;
  Value clusterPart;
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
  for (const auto &[symbol, held] : program.resident)
    if (held.isShared)
      return builder.create<arith::MulIOp>(loc, builder.create<tile::ClusterRankOp>(loc), constant(held.size));
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

/// The kernels of one launch, and the code that launches them, at the plan's place.
class LaunchBuilder {
public:
  LaunchBuilder(tile::LaunchOp launch, Extents &extents, bool remarks)
      : launch(launch), extents(extents), plan(launch), remarks(remarks) {}

  /// Writes all of the plan: `program` serves every call, variants of it may be faster for some.
  LogicalResult run(const Program &program);

private:
  FailureOr<tile::KernelOp> build(const Program &program, const Twine &suffix, bool aligned, bool *gains = nullptr);
  void launchKernel(const Program &program, tile::KernelOp kernel, Value cluster = {});
  LogicalResult runVariants(const Program &program, tile::KernelOp kernel, bool aligned);
  LogicalResult runResident(const Program &program, tile::KernelOp general, const Extent &row, bool aligned);
  Value isDense();
  /// Whether a kernel that holds rows would be long.
  bool isLong(const GroupShape &shape) { return weightOf(launch) * shape.mostPerThread > longCode; }
  void runCluster(const Program &program, const Extent &row);
  FailureOr<tile::KernelOp> buildCluster(Program &program, const Extent &row);
  LogicalResult runSmaller(const Program &program, bool aligned);
  /// What follows is for calls that satisfy the condition, until `otherwise` puts the builder into the other branch.
  scf::IfOp branch(Value condition) {
    auto op = plan.get().create<scf::IfOp>(launch.getLoc(), condition, /*withElseRegion=*/true);
    plan.get().setInsertionPointToStart(op.thenBlock());
    return op;
  }
  void otherwise(scf::IfOp op) { plan.get().setInsertionPointToStart(op.elseBlock()); }
  Value compare(arith::CmpIPredicate predicate, Value value, int64_t constant) {
    return plan.get().create<arith::CmpIOp>(launch.getLoc(), predicate, value, plan.constant(constant));
  }

  /// Tells the author which calls another kernel serves.
  void remark(const Twine &calls, const Twine &how) {
    if (remarks)
      launch.emitRemark() << calls.str() << ": " << how.str();
  }

  tile::LaunchOp launch;
  Extents &extents;
  PlanBuilder plan;
  bool remarks;
  /// The row that variants are for, if there is one.
  std::optional<Extent> row;
};

FailureOr<tile::KernelOp> LaunchBuilder::build(const Program &program, const Twine &suffix, bool aligned, bool *gains) {
  KernelBuilder kernels(program, extents, program.shape);
  std::string name = (launch.getName() + suffix + (aligned ? "_dense" : "")).str();
  FailureOr<tile::KernelOp> kernel = kernels.build(name, aligned, row ? row->symbol : std::nullopt);
  if (failed(kernel))
    return failure();
  removeDeadCode(*kernel);
  bool isFaster = aligned && propagateAlignment(*kernel);
  if (gains)
    *gains = isFaster;
  return kernel;
}

void LaunchBuilder::launchKernel(const Program &program, tile::KernelOp kernel, Value cluster) {
  Signature signature = KernelBuilder(program, extents, program.shape).getSignature();
  SmallVector<Value> arguments(plan.arguments());
  llvm::append_range(arguments, plan.grid());
  for (auto [domain, counts] : llvm::zip(program.domains, signature.counts))
    for (auto [dim, argument] : llvm::enumerate(counts))
      if (argument >= 0)
        arguments.push_back(plan.tiles(domain, dim));
  if (signature.most >= 0)
    arguments.push_back(plan.mostTiles(program));
  Value groups = plan.groups(program);
  arguments.push_back(groups);
  Value blocks = plan.ceilDiv(groups, program.shape.threads / program.group);
  if (cluster)
    blocks = plan.get().createOrFold<arith::MulIOp>(launch.getLoc(), blocks, cluster);
  SmallVector<Value> kept;
  for (unsigned argument : dropUnusedArguments(kernel))
    kept.push_back(arguments[argument]);
  plan.get().create<tile::LaunchKernelOp>(launch.getLoc(), kernel.getSymName(), blocks, cluster, kept);
}

/// The one dimension of run-time extent that reductions go through in chunks, if there is no other, and neighbours
/// along it are neighbours in memory: it is worth code of its own where it is short, for a thread group can hold it
/// then. None of it where there is one thread group at all.
std::optional<Extent> rowOf(const Program &program, Extents &extents) {
  tile::LaunchOp launch = program.launch;
  if (launch.getGrid().empty() && program.isWhole())
    return std::nullopt;
  std::optional<Extent> row;
  bool isOnly = true;
  auto consider = [&](const Demand &demand) {
    for (const Demand::Contraction &contraction : demand.contractions()) {
      auto reduce = contraction.value.getDefiningOp<tile::ReduceOp>();
      isOnly &= reduce != nullptr;
      for (int64_t axis : reduce ? reduce.getAxes() : ArrayRef<int64_t>()) {
        const Extent &extent = extents.of(reduce.getSource(), axis);
        if (program.holds(reduce.getSource().getType().getDimSize(axis), extent))
          continue;
        bool isInnermost = axis + 1 == reduce.getSource().getType().getRank();
        isOnly &= isInnermost && extent.symbol && (!row || row->symbol == extent.symbol);
        row = extent;
      }
    }
  };
  consider(program.scalars);
  for (const Domain &domain : program.domains)
    consider(domain.demand);
  bool isSame = row && isa_and_nonnull<BlockArgument>(row->origin); // In all programs.
  return isOnly && isSame ? row : std::nullopt;
}

/// Whether arrays allow accesses of 16 bytes: those along the row have rows of whole vectors, too. (Rows that follow
/// one another without gaps do as soon as each begins aligned. What is left, a padded array with an odd end, is rare,
/// and to move its last elements one by one would take half of the code of every variant.)
Value LaunchBuilder::isDense() {
  SmallVector<Value> arrays;
  int64_t vector = 1;
  for (auto [argument, inside] : llvm::zip(plan.arguments(), launch.getBody().getArguments()))
    if (auto type = dyn_cast<tile::ArrayType>(argument.getType())) {
      arrays.push_back(argument);
      if (row && endsIn(extents, inside, *row->symbol))
        vector = std::max(vector, accessBytes / tile::bytesOf(type.getElementType()));
    }
  OpBuilder &builder = plan.get();
  Location loc = launch.getLoc();
  Value dense = builder.create<tile::DenseOp>(loc, arrays, accessBytes, /*contiguous=*/false);
  if (vector == 1)
    return dense;
  Value rest = builder.create<arith::AndIOp>(loc, plan.most(*row), plan.constant(vector - 1));
  return builder.create<arith::AndIOp>(loc, dense, compare(arith::CmpIPredicate::eq, rest, 0));
}

/// Elements that a thread has at a time of the end of a row that accesses of single elements go through: rows that are
/// not aligned are mostly short, and then are all end.
static constexpr int64_t restByElements = 4;

LogicalResult LaunchBuilder::run(const Program &program) {
  row = rowOf(program, extents);
  if (row && !plan.most(*row))
    row.reset();
  bool gains = false;
  if (program.shape.variants.vector) {
    FailureOr<tile::KernelOp> aligned = build(program, "", /*aligned=*/true, &gains);
    if (failed(aligned))
      return failure();
    if (gains) {
      GroupShape shape = program.shape;
      shape.restPerThread = restByElements;
      FailureOr<Program> byElements =
          row ? analyse(launch, extents, shape, ResidentDims()) : FailureOr<Program>(program);
      if (failed(byElements))
        return failure();
      FailureOr<tile::KernelOp> any = build(*byElements, "", /*aligned=*/false);
      if (failed(any))
        return failure();
      scf::IfOp dense = branch(isDense());
      if (failed(runVariants(program, *aligned, /*aligned=*/true)))
        return failure();
      otherwise(dense);
      launchKernel(*byElements, *any);
    } else {
      aligned->erase();
    }
  }
  if (!gains) {
    FailureOr<tile::KernelOp> any = build(program, "", /*aligned=*/false);
    if (failed(any) || failed(runVariants(program, *any, /*aligned=*/false)))
      return failure();
  }
  plan.get().setInsertionPointToEnd(&launch.getPlan().front());
  plan.finish();
  return success();
}

/// A warp holds a short row, a whole block one that is eight times as long. (A kernel that does not get to hold a row
/// is what serves every call, `general`.)
LogicalResult LaunchBuilder::runResident(const Program &program, tile::KernelOp general, const Extent &row,
                                         bool aligned) {
  Value length = plan.most(row);
  const GroupShape &shape = program.shape;
  if (isLong(shape)) {
    remark("rows of any length", "sequential in one thread group: registers for a whole row, at " +
                                     Twine(shape.mostPerThread) + " elements a thread, would take code for " +
                                     Twine(weightOf(launch) * shape.mostPerThread) + " operations, more than " +
                                     Twine(longCode));
    return success();
  }
  for (bool isWarp : {true, false}) {
    if (!(isWarp ? shape.variants.warp : shape.variants.block))
      continue;
    int64_t size = (isWarp ? lanesOfWarp : shape.threads) * shape.mostPerThread;
    FailureOr<Program> held =
        analyse(launch, extents, shape, ResidentDims{{*row.symbol, Resident{size, /*isExact=*/false}}});
    if (failed(held))
      return failure();
    FailureOr<tile::KernelOp> kernel = build(*held, "_resident" + Twine(size), aligned);
    if (failed(kernel))
      return failure();
    if (areSame(*kernel, general)) {
      kernel->erase();
      continue;
    }
    remark("rows of at most " + Twine(size) + " elements", "a thread group of " + Twine(held->group) +
                                                               " threads keeps one in registers (" +
                                                               kernel->getSymName() + ")");
    scf::IfOp fits = branch(compare(arith::CmpIPredicate::sle, length, size));
    launchKernel(*held, *kernel);
    otherwise(fits);
  }
  return success();
}

/// Whether the blocks of a cluster can do a program together: none reads what another one writes, and nothing is done
/// by one of them alone.
static bool canShare(const Program &program) {
  WalkResult result = tile::LaunchOp(program.launch).getBody().walk([&](Operation *op) {
    auto load = dyn_cast<tile::LoadOp>(op);
    bool readsWritten = load && program.stored.contains(tile::arrayOf(load.getRef()).getArgNumber());
    bool isAlone = isa<tile::DebugPrintOp, tile::DotOp, tile::PermuteOp>(op);
    return readsWritten || isAlone ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !result.wasInterrupted() && program.isShared() && !program.ordered && program.group == program.shape.threads;
}

FailureOr<tile::KernelOp> LaunchBuilder::buildCluster(Program &program, const Extent &row) {
  // What cannot be shared is still done by one block: nothing to tell the author.
  ScopedDiagnosticHandler silent(launch.getContext(), [](Diagnostic &) { return success(); });
  GroupShape shape = program.shape;
  Resident held{shape.mostElements(), /*isExact=*/false, /*isShared=*/true};
  FailureOr<Program> shared = analyse(launch, extents, shape, ResidentDims{{*row.symbol, held}});
  if (failed(shared) || !canShare(*shared))
    return failure();
  program = std::move(*shared);
  auto module = launch->getParentOfType<ModuleOp>();
  size_t known = llvm::range_size(module.getOps<tile::KernelOp>());
  FailureOr<tile::KernelOp> kernel = build(program, "_cluster" + Twine(held.size), /*aligned=*/true);
  if (failed(kernel))
    for (tile::KernelOp unfinished : llvm::to_vector(llvm::drop_begin(module.getOps<tile::KernelOp>(), known)))
      unfinished.erase();
  return kernel;
}

/// Blocks of a cluster hold a row together that is too long for one of them, each a part of it, and combine what they
/// reduced it to.
void LaunchBuilder::runCluster(const Program &general, const Extent &row) {
  const Variants &variants = general.shape.variants;
  if (general.shape.mostInCluster == 1 || !variants.cluster || isLong(general.shape))
    return;
  Program shared = general;
  FailureOr<tile::KernelOp> kernel = buildCluster(shared, row);
  if (failed(kernel))
    return;
  int64_t size = general.shape.mostElements(), most = size * general.shape.mostInCluster;
  remark("rows of at most " + Twine(most) + " elements, on chips with clusters",
         "up to " + Twine(general.shape.mostInCluster) + " blocks hold one together, " + Twine(size) +
             " elements each (" + kernel->getSymName() + ")");
  Value length = plan.most(row);
  scf::IfOp subTiles = branch(compare(arith::CmpIPredicate::sle, length, most));
  launchKernel(shared, *kernel, plan.ceilDiv(length, size));
  otherwise(subTiles);
}

/// Products in so few sub-tiles that processors would be idle take smaller ones.
LogicalResult LaunchBuilder::runSmaller(const Program &program, bool aligned) {
  GroupShape shape = program.shape;
  scf::IfOp isFew = branch(compare(arith::CmpIPredicate::slt, plan.groups(program), shape.fewGroups));
  shape.productSide /= 2;
  FailureOr<Program> smaller = analyse(launch, extents, shape, ResidentDims());
  if (failed(smaller))
    return failure();
  FailureOr<tile::KernelOp> kernel = build(*smaller, "_small", aligned);
  if (failed(kernel))
    return failure();
  remark("fewer than " + Twine(shape.fewGroups) + " sub-tiles in all",
         "those of products are smaller, of " + Twine(shape.productSide) + " (" + kernel->getSymName() + ")");
  launchKernel(*smaller, *kernel);
  otherwise(isFew);
  return success();
}

LogicalResult LaunchBuilder::runVariants(const Program &program, tile::KernelOp kernel, bool aligned) {
  if (row) {
    if (failed(runResident(program, kernel, *row, aligned)))
      return failure();
    if (aligned)
      runCluster(program, *row);
  }
  bool multiplies =
      llvm::any_of(program.domains, [](const Domain &domain) { return domain.multiplies() && !domain.isWhole(); });
  if (multiplies && program.shape.variants.small && failed(runSmaller(program, aligned)))
    return failure();
  launchKernel(program, kernel);
  return success();
}

LogicalResult splitLaunch(tile::LaunchOp launch, GroupShape shape, bool remarks) {
  Extents extents(launch);
  // What is sequential stands there twice, for full chunks and for the rest.
  while (shape.accessesPerChunk && 2 * weightOf(launch) * shape.perChunk(sizeof(float)) > longCode)
    shape.accessesPerChunk /= 2;
  FailureOr<Program> program = analyse(launch, extents, shape, ResidentDims());
  if (failed(program))
    return failure();
  if (remarks)
    split::remark(*program);
  return LaunchBuilder(launch, extents, remarks).run(*program);
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
    split::GroupShape shape;
    shape.threads = threads;
    shape.perThread = perThread;
    shape.mostPerThread = mostPerThread;
    shape.productSide = productSide;
    shape.productDepth = productDepth;
    shape.columns = columns;
    if (!variants.empty()) {
      std::optional<split::Variants> wanted =
          split::Variants::of(SmallVector<std::string>(variants.begin(), variants.end()));
      if (!wanted) {
        getOperation().emitError() << "no variant of a kernel is called '" << llvm::join(variants, ",")
                                   << "': there are " << split::Variants::names();
        return signalPassFailure();
      }
      shape.variants = *wanted;
    }
    FailureOr<SmallVector<split::ClassGroup>> groups = groupClasses();
    if (failed(groups))
      return signalPassFailure();
    auto splitFor = [&](tile::LaunchOp launch, const split::ClassGroup &group) {
      split::GroupShape ofClass = shape;
      ofClass.mostInCluster = group.front()->mostInCluster;
      bool remarksHere = remarks && group == groups->back(); // Of the newest chips: told once.
      auto splitPass = [&](tile::LaunchOp pass) { return split::splitLaunch(pass, ofClass, false); };
      return success(succeeded(split::splitLaunch(launch, ofClass, remarksHere)) &&
                     succeeded(split::addTwoPass(launch, splitPass, remarksHere)));
    };
    for (tile::LaunchOp launch : launches) // All that is to be refused is told at once.
      if (failed(split::planByClass(launch, *groups, splitFor)))
        signalPassFailure();
  }

  /// Classes whose records are the same to splitting are split together.
  FailureOr<SmallVector<split::ClassGroup>> groupClasses() {
    SmallVector<split::ClassGroup> groups;
    for (const std::string &name : classes) {
      const ArchClass *archClass = findClass(name);
      if (!archClass)
        return getOperation().emitError() << "unknown class of architectures '" << name << "'";
      auto *same = llvm::find_if(groups, [&](const split::ClassGroup &group) {
        return group.front()->mostInCluster == archClass->mostInCluster;
      });
      same == groups.end() ? groups.push_back({archClass}) : same->push_back(archClass);
    }
    if (groups.empty())
      groups.push_back({&knownClasses().front()});
    return groups;
  }
};
} // namespace
} // namespace tegula
