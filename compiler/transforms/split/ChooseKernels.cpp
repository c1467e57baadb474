// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernels a launch has, and which of them serves a call: the plan. Variants.h lists them.
#include "transforms/split/ChooseKernels.h"

#include "transforms/Alignment.h"
#include "transforms/Kernels.h"
#include "transforms/products/MergeLoops.h"
#include "transforms/products/PanelStores.h"
#include "transforms/split/KernelBuilder.h"
#include "transforms/split/LaunchBuilder.h"
#include "transforms/split/Remarks.h"

using namespace mlir;

namespace tegula::split {

FailureOr<tile::KernelOp> LaunchBuilder::build(const Program &program, const Twine &suffix, bool aligned, bool *gains) {
  KernelBuilder kernels(program, extents, program.shape);
  std::string name = (launch.getName() + suffix + (aligned ? "_dense" : "")).str();
  FailureOr<tile::KernelOp> kernel = kernels.build(name, aligned, even ? even->symbol : std::nullopt);
  if (failed(kernel))
    return failure();
  removeDeadCode(*kernel);
  mergeReductionLoops(*kernel);
  bool isFaster = aligned && propagateAlignment(*kernel);
  if (gains)
    *gains = isFaster;
  return kernel;
}

FailureOr<tile::KernelOp> LaunchBuilder::tryBuild(const Program &program, const Twine &suffix, bool aligned) {
  auto module = launch->getParentOfType<ModuleOp>();
  size_t known = llvm::range_size(module.getOps<tile::KernelOp>());
  FailureOr<tile::KernelOp> kernel = build(program, suffix, aligned);
  if (failed(kernel))
    for (tile::KernelOp unfinished : llvm::to_vector(llvm::drop_begin(module.getOps<tile::KernelOp>(), known)))
      unfinished.erase();
  return kernel;
}

/// `canCopy`: whether TMA can copy to what the kernel stores to, if it is one that asks.
void LaunchBuilder::launchKernel(const Program &program, tile::KernelOp kernel, Value cluster, Value canCopy) {
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
  Value blocks;
  if (program.shape.tensor) {
    blocks = groups;
    if (!program.shape.takesMmaSync) { // Persistent: a CTA has a multiprocessor.
      Value processors = plan.get().create<tile::MultiprocessorsOp>(launch.getLoc());
      blocks = plan.get().create<arith::MinSIOp>(launch.getLoc(), groups, processors);
    }
    arguments.push_back(blocks);
  } else {
    blocks = plan.ceilDiv(groups, program.shape.threads / program.group);
  }
  if (cluster)
    blocks = plan.get().createOrFold<arith::MulIOp>(launch.getLoc(), blocks, cluster);
  SmallVector<Value> kept;
  for (unsigned argument : dropUnusedArguments(kernel))
    kept.push_back(arguments[argument]);
  if (canCopy) {
    NamedAttribute asks(plan.get().getStringAttr(areCopied), plan.get().getUnitAttr());
    kernel.insertArgument(kernel.getNumArguments(), canCopy.getType(), plan.get().getDictionaryAttr(asks),
                          NameLoc::get(plan.get().getStringAttr("can_copy"), launch.getLoc()));
    kept.push_back(canCopy);
  }
  plan.get().create<tile::LaunchKernelOp>(launch.getLoc(), kernel.getSymName(), blocks, cluster, kept);
}

/// The one dimension of run-time extent along which reductions loop over chunks, if there is no other, and neighbours
/// along it are neighbours in memory: it is worth code of its own where it is short, for then it stays in registers.
/// None of it where there is one thread group at all.
static std::optional<Extent> rowOf(const Program &program, Extents &extents) {
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
        if (program.residentFor(reduce.getSource().getType().getDimSize(axis), extent))
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

/// The extent in which the rows of all arrays of a program end that has no reductions, if one has several rows. (Of one
/// row, the end is as well aligned as its length happens to be.)
static std::optional<Extent> rowEnd(const Program &program, Extents &extents) {
  std::optional<Extent> end;
  bool hasRows = false, isOne = program.scalars.contractions().empty();
  for (const Domain &domain : program.domains)
    isOne &= domain.demand.contractions().empty();
  for (BlockArgument argument : tile::LaunchOp(program.launch).getBody().getArguments()) {
    ArrayRef<Extent> dims = isa<tile::RefType>(argument.getType()) ? extents.of(argument) : ArrayRef<Extent>();
    if (dims.empty())
      continue;
    hasRows |= dims.size() > 1;
    isOne &= !end || end->symbol == dims.back().symbol;
    end = dims.back();
  }
  return isOne && hasRows ? end : std::nullopt;
}

/// Whether arrays allow accesses of 16 bytes: those along the row have rows of whole vectors, too. (Contiguous rows
/// do as soon as each begins aligned. What is left, a padded array with an odd end, is rare, and to move its last
/// elements one by one would take half of the code of every variant.)
Value LaunchBuilder::isDense() {
  SmallVector<Value> arrays;
  int64_t vector = 1;
  for (auto [i, argument, inside] : llvm::enumerate(plan.arguments(), launch.getBody().getArguments()))
    if (auto type = dyn_cast<tile::ArrayType>(argument.getType()); type && isGiven(i)) {
      arrays.push_back(argument);
      if (even && endsIn(extents, inside, *even->symbol))
        vector = std::max(vector, accessBytes / tile::bytesOf(type.getElementType()));
    }
  OpBuilder &builder = plan.get();
  Location loc = launch.getLoc();
  Value dense = builder.create<tile::DenseOp>(loc, arrays, accessBytes, /*contiguous=*/false);
  if (vector == 1)
    return dense;
  Value rest = builder.create<arith::AndIOp>(loc, plan.most(*even), plan.constant(vector - 1));
  return builder.create<arith::AndIOp>(loc, dense, compare(arith::CmpIPredicate::eq, rest, 0));
}

/// Elements that a thread has at a time of the end of a row that is read by accesses of single elements: rows that are
/// not aligned are mostly short, and then are all end.
static constexpr int64_t restByElements = 4;

LogicalResult LaunchBuilder::run(const Program &program) {
  row = rowOf(program, extents);
  if (row && !plan.most(*row))
    row.reset();
  even = row ? row : rowEnd(program, extents);
  if (program.shape.isEven) // What is stored ends as what is loaded does.
    for (const Domain &domain : program.domains)
      if (!even && !domain.isScalar())
        even = extents.of(tile::StoreOp(domain.roots.front()).getRef()).back();
  bool gains = false;
  if (failed(runTensor(program)))
    return failure();
  if (program.shape.isAligned) {
    FailureOr<tile::KernelOp> aligned = build(program, "", /*aligned=*/true);
    if (failed(aligned))
      return failure();
    launchKernel(program, *aligned);
    plan.finish();
    return success();
  }
  if (program.shape.variants.vector && !isOnTensorCores) {
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
  if (isOnTensorCores && !isAllServed) {
    // What seldom runs is short.
    GroupShape shape = program.shape;
    shape.productSide /= 2;
    FailureOr<Program> rest = analyse(launch, extents, shape, ResidentDims());
    FailureOr<tile::KernelOp> any =
        failed(rest) ? FailureOr<tile::KernelOp>(failure()) : build(*rest, "", /*aligned=*/false);
    if (failed(any))
      return failure();
    launchKernel(*rest, *any);
  } else if (!isOnTensorCores && !gains) {
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
    FailureOr<Program> resident =
        analyse(launch, extents, shape, ResidentDims{{*row.symbol, Resident{size, /*isExact=*/false}}});
    if (failed(resident))
      return failure();
    FailureOr<tile::KernelOp> kernel = build(*resident, "_resident" + Twine(size), aligned);
    if (failed(kernel))
      return failure();
    if (areSame(*kernel, general)) {
      kernel->erase();
      continue;
    }
    remark("rows of at most " + Twine(size) + " elements", "a thread group of " + Twine(resident->group) +
                                                               " threads keeps one in registers (" +
                                                               kernel->getSymName() + ")");
    scf::IfOp fits = branch(compare(arith::CmpIPredicate::sle, length, size));
    launchKernel(*resident, *kernel);
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
  Resident resident{shape.mostElements(), /*isExact=*/false, /*isShared=*/true};
  FailureOr<Program> shared = analyse(launch, extents, shape, ResidentDims{{*row.symbol, resident}});
  if (failed(shared) || !canShare(*shared))
    return failure();
  program = std::move(*shared);
  return tryBuild(program, "_cluster" + Twine(resident.size), /*aligned=*/true);
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
  // A second CTA that has next to nothing costs more than reading the row again (test/benchmark/RESULTS.md).
  int64_t least = variants.block ? size + size / 8 : 0;
  remark("rows of " + Twine(least + 1) + " to " + Twine(most) + " elements, on chips with clusters",
         "up to " + Twine(general.shape.mostInCluster) + " CTAs share one, " + Twine(size) + " elements each (" +
             kernel->getSymName() + ")");
  Value length = plan.most(row);
  Value serves = compare(arith::CmpIPredicate::sle, length, most);
  if (least > 0)
    serves =
        plan.get().create<arith::AndIOp>(launch.getLoc(), serves, compare(arith::CmpIPredicate::sgt, length, least));
  scf::IfOp isServed = branch(serves);
  launchKernel(shared, *kernel, plan.ceilDiv(length, size));
  otherwise(isServed);
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

FailureOr<Program> splitAlone(tile::LaunchOp launch, const GroupShape &shape) {
  Extents extents(launch);
  FailureOr<Program> program = analyse(launch, extents, shape, ResidentDims());
  return failed(program) ? program : LaunchBuilder(launch, extents, /*remarks=*/false).runAlone(*program);
}

} // namespace tegula::split
