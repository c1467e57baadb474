// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernels a launch has, and which of them serves a call: the plan. Variants.h lists them.
#include "transforms/split/ChooseKernels.h"

#include "ir/Cluster.h"
#include "ir/Expressions.h"
#include "transforms/Alignment.h"
#include "transforms/Kernels.h"
#include "transforms/products/MergeLoops.h"
#include "transforms/products/PanelStores.h"
#include "transforms/split/KernelBuilder.h"
#include "transforms/split/LaunchBuilder.h"
#include "transforms/split/Remarks.h"

using namespace mlir;

namespace tegula::split {

FailureOr<tile::KernelOp> LaunchBuilder::build(const Program &program, const Twine &suffix, Rows rows, bool *gains) {
  KernelBuilder kernels(program, extents, program.shape);
  StringRef kind = rows == Rows::aligned      ? "_dense"
                   : rows == Rows::contiguous ? "_contiguous"
                   : rows == Rows::whole      ? "_whole"
                                              : "";
  std::string name = (launch.getName() + suffix + kind).str();
  FailureOr<tile::KernelOp> kernel = kernels.build(name, rows, even ? even->symbol : std::nullopt);
  if (failed(kernel))
    return failure();
  removeDeadCode(*kernel);
  mergeReductionLoops(*kernel);
  bool isFaster = propagateAlignment(*kernel) && rows != Rows::strided;
  if (gains)
    *gains = isFaster;
  return kernel;
}

FailureOr<tile::KernelOp> LaunchBuilder::tryBuild(const Program &program, const Twine &suffix, Rows rows) {
  auto module = launch->getParentOfType<ModuleOp>();
  size_t known = llvm::range_size(module.getOps<tile::KernelOp>());
  FailureOr<tile::KernelOp> kernel = build(program, suffix, rows);
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
    if (!program.shape.takesMmaSync && !program.shape.tensor->isChain) // Persistent: a CTA has a multiprocessor.
      blocks = plan.get().create<arith::MinSIOp>(launch.getLoc(), groups, plan.processors(program));
    arguments.push_back(blocks);
    if (signature.turns >= 0)
      arguments.push_back(plan.turns(rightFactors()));
    blocks =
        plan.get().createOrFold<arith::MulIOp>(launch.getLoc(), blocks, plan.constant(program.shape.tensor->cluster));
  } else if (program.shape.staysForRows) {
    blocks = plan.clusters(groups, cluster, kernel);
    arguments.push_back(blocks);
  } else if (program.shape.combinesPrivately) {
    blocks = stayingBlocks(program, groups);
    Value ofBlock = plan.constant(program.shape.threads / program.group);
    arguments.push_back(plan.get().createOrFold<arith::MulIOp>(launch.getLoc(), blocks, ofBlock));
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

/// The one dimension of run-time extent along which reductions and scans loop over chunks, if there is no other, and
/// neighbours along it are neighbours in memory: it is worth code of its own where it is short, for then it stays in
/// registers. None of it where there is one thread group at all.
static std::optional<Extent> rowOf(const Program &program, Extents &extents) {
  tile::LaunchOp launch = program.launch;
  if (launch.getGrid().empty() && program.isWhole())
    return std::nullopt;
  std::optional<Extent> row;
  bool isOnly = true;
  auto consider = [&](const Demand &demand) {
    for (const Demand::Contraction &contraction : demand.contractions()) {
      std::optional<Combining> combining = combiningOf(contraction.value.getDefiningOp());
      isOnly &= combining.has_value();
      for (int64_t axis : combining ? ArrayRef(combining->axes) : ArrayRef<int64_t>()) {
        const Extent &extent = extents.of(extents.sourceThatTells(combining->sources, axis), axis);
        if (program.residentFor(combining->type().getDimSize(axis), extent))
          continue;
        bool isInnermost = axis + 1 == combining->type().getRank();
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

static bool reduces(const Program &program) {
  return !program.scalars.contractions().empty() ||
         llvm::any_of(program.domains, [](const Domain &domain) { return !domain.demand.contractions().empty(); });
}

/// The extent in which the rows of all arrays of a program end that has no reductions, if one has several rows. (Of one
/// row, the end is as well aligned as its length happens to be.) Arrays of one dimension may end elsewhere: they have a
/// number for each row.
static std::optional<Extent> rowEnd(const Program &program, Extents &extents) {
  std::optional<Extent> end;
  bool isOne = !reduces(program);
  for (BlockArgument argument : tile::LaunchOp(program.launch).getBody().getArguments()) {
    ArrayRef<Extent> dims = isa<tile::RefType>(argument.getType()) ? extents.of(argument) : ArrayRef<Extent>();
    if (dims.size() < 2)
      continue;
    isOne &= !end || end->symbol == dims.back().symbol;
    end = dims.back();
  }
  return isOne ? end : std::nullopt;
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
        vector = std::max(vector, tile::elementsIn(accessBytes, type.getElementType()));
    }
  OpBuilder &builder = plan.get();
  Location loc = launch.getLoc();
  Value dense = builder.create<tile::DenseOp>(loc, arrays, accessBytes, /*contiguous=*/false);
  if (vector == 1)
    return dense;
  Value rest = builder.create<arith::AndIOp>(loc, plan.most(*even), plan.constant(vector - 1));
  return builder.create<arith::AndIOp>(loc, dense, compare(arith::CmpIPredicate::eq, rest, 0));
}

/// Whether the elements of rows are neighbours: a thread's places differ by numbers known here, not by strides.
Value LaunchBuilder::isContiguous() {
  SmallVector<Value> arrays;
  for (auto [i, argument] : llvm::enumerate(plan.arguments()))
    if (isa<tile::ArrayType>(argument.getType()) && isGiven(i))
      arrays.push_back(argument);
  return plan.get().create<tile::DenseOp>(launch.getLoc(), arrays, /*bytes=*/1, /*contiguous=*/false);
}

/// How many elements of a row's last, partial chunk a thread accesses at a time where accesses are of single elements.
/// Rows that are not aligned are mostly short: often, the partial chunk is all of the row.
static constexpr int64_t restByElements = 4;

/// What serves arrays that are not aligned, by accesses of single elements. Without reductions, an element takes few
/// instructions beside its access: threads have more of them, and where neighbours in a row are neighbours in memory, a
/// kernel of its own knows what is between their addresses.
FailureOr<LaunchBuilder::ByElements> LaunchBuilder::buildByElements(const Program &general) {
  GroupShape shape = general.shape;
  if (reduces(general)) {
    if (row)
      shape.restPerThread = restByElements;
  } else {
    shape.threads /= 2;
    shape.perThread *= 2;
  }
  FailureOr<Program> program = analyse(launch, extents, shape, ResidentDims());
  if (failed(program))
    return failure();
  ByElements made{std::move(*program), {}, {}};
  if (!reduces(general)) {
    FailureOr<tile::KernelOp> contiguous = build(made.program, "", Rows::contiguous);
    if (failed(contiguous))
      return failure();
    made.contiguous = *contiguous;
  }
  FailureOr<tile::KernelOp> any = build(made.program, "", Rows::strided);
  if (failed(any))
    return failure();
  made.any = *any;
  return made;
}

void LaunchBuilder::launchByElements(const ByElements &made) {
  if (made.contiguous) {
    scf::IfOp areNeighbours = branch(isContiguous());
    launchKernel(made.program, made.contiguous);
    otherwise(areNeighbours);
  }
  launchKernel(made.program, made.any);
}

LogicalResult LaunchBuilder::run(const Program &program) {
  row = rowOf(program, extents);
  if (row && !plan.most(*row))
    row.reset();
  even = row ? row : rowEnd(program, extents);
  if (program.shape.isEven) // What is stored ends as what is loaded does.
    for (const Domain &domain : program.domains)
      if (!even && !domain.isScalar())
        even = extents.of(domain.roots.front()).back();
  bool gains = false;
  if (failed(runTensor(program)) || failed(runPrivate(program)))
    return failure();
  if (program.shape.isAligned) {
    FailureOr<tile::KernelOp> aligned = build(program, "", Rows::aligned);
    if (failed(aligned))
      return failure();
    launchKernel(program, *aligned);
    plan.finish();
    return success();
  }
  if (failed(runStencil(program)))
    return failure();
  if (program.shape.variants.vector && !isOnTensorCores) {
    FailureOr<tile::KernelOp> aligned = build(program, "", Rows::aligned, &gains);
    if (failed(aligned))
      return failure();
    if (gains) {
      FailureOr<ByElements> byElements = buildByElements(program);
      if (failed(byElements))
        return failure();
      scf::IfOp dense = branch(isDense());
      if (failed(runVariants(program, *aligned, Rows::aligned)))
        return failure();
      otherwise(dense);
      launchByElements(*byElements);
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
        failed(rest) ? FailureOr<tile::KernelOp>(failure()) : build(*rest, "", Rows::strided);
    if (failed(any))
      return failure();
    launchKernel(*rest, *any);
  } else if (!isOnTensorCores && !gains) {
    FailureOr<tile::KernelOp> any = build(program, "", Rows::strided);
    if (failed(any) || failed(runVariants(program, *any, Rows::strided)))
      return failure();
  }
  plan.get().setInsertionPointToEnd(&launch.getPlan().front());
  plan.finish();
  return success();
}

/// Products in so few sub-tiles that processors would be idle take smaller ones.
LogicalResult LaunchBuilder::runSmaller(const Program &program, Rows rows) {
  GroupShape shape = program.shape;
  scf::IfOp isFew = branch(compare(arith::CmpIPredicate::slt, plan.groups(program), shape.fewGroups));
  shape.productSide /= 2;
  FailureOr<Program> smaller = analyse(launch, extents, shape, ResidentDims());
  if (failed(smaller))
    return failure();
  FailureOr<tile::KernelOp> kernel = build(*smaller, "_small", rows);
  if (failed(kernel))
    return failure();
  remark("fewer than " + Twine(shape.fewGroups) + " sub-tiles in all",
         "those of products are smaller, of " + Twine(shape.productSide) + " (" + kernel->getSymName() + ")");
  launchKernel(*smaller, *kernel);
  otherwise(isFew);
  return success();
}

LogicalResult LaunchBuilder::runVariants(const Program &program, tile::KernelOp kernel, Rows rows) {
  if (row) {
    if (failed(runResident(program, kernel, *row, rows)))
      return failure();
    if (rows == Rows::aligned)
      runCluster(program, *row);
  }
  bool multiplies =
      llvm::any_of(program.domains, [](const Domain &domain) { return domain.multiplies() && !domain.isWhole(); });
  if (multiplies && program.shape.variants.small && failed(runSmaller(program, rows)))
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
