// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels that hold a row of run-time length in registers: those of a warp, of half a CTA, of a CTA, or of the CTAs
// of a cluster. The host compares the length of the rows with what each holds. With CTAs of 256 threads, which hold 32
// elements of a tile each:
//
//   rows up to     held by
//   1024           a warp
//   4096           half a CTA, if arrays are aligned
//   8192           a CTA
//   131072         up to 16 CTAs of a cluster, from 9217 elements on, if arrays are aligned (up to 65536 on classes
//                  whose clusters have 8 CTAs)
//   longer         a CTA, chunk by chunk: the general kernel (Contract.cpp)
//
// *Aligned* means `align 16 even`: rows consist of whole 16-byte vectors, as in every contiguous array whose rows are
// aligned. Such rows are masked by one comparison for each vector, and reductions combine a vector before they select.
// So kernels without masks, for rows of exactly one length, would gain nothing. Where vectors gain nothing, the kernels
// of a warp and a CTA serve arrays of any alignment.
//
// `tile.reduce ... cluster` combines what the CTAs of a cluster have (lower/Cluster.cpp). If rows share what is read
// beside them, such as the weight of a layernorm, a cluster stays for several rows and copies that to shared memory
// once (StagedRows.h); the driver says how many clusters run at once (`tile.resident_clusters`). `tile-recompute`
// computes again what would wait in registers for the other CTAs, if that leaves room for another CTA. Long programs
// (Cost.h) have no such kernels, and a class without clusters none for clusters (Classes.h).
#include "ir/Expressions.h"
#include "ir/KernelAttributes.h"
#include "transforms/Kernels.h"
#include "transforms/split/Cost.h"
#include "transforms/split/LaunchBuilder.h"
#include "transforms/split/StagedRows.h"

using namespace mlir;

namespace tegula::split {

/// Where a thread holds several rows' elements, ptxas gives it as many registers as leave a multiprocessor two CTAs of
/// 256 threads, too few to read while others compute. It is told this many, and fewer if it then spills.
static constexpr int64_t ctasOfSeveral = 4, registerBytes = 4;

namespace {
/// A load of a row, and whether it is the same for all programs.
struct RowLoad {
  tile::LoadOp load;
  bool isAlike;
};
} // namespace

static SmallVector<RowLoad> rowLoads(const Program &program, Extents &extents, const Extent &row) {
  tile::LaunchOp launch = program.launch;
  SmallVector<Value> ids;
  launch.getBody().walk([&](tile::ProgramIdOp id) { ids.push_back(id); });
  SmallVector<RowLoad> loads;
  launch.getBody().walk([&](tile::LoadOp load) {
    ArrayRef<Extent> dims = extents.of(load);
    if (dims.empty() || dims.back().symbol != row.symbol)
      return;
    bool isAlike = !program.stored.contains(tile::arrayOf(load.getRef()).getArgNumber()) &&
                   llvm::none_of(ids, [&](Value id) { return dependsOn(load.getRef(), id); });
    loads.push_back({load, isAlike});
  });
  return loads;
}

/// Whether a program holds several rows of its own, of numbers that a register has.
static bool holdsSeveral(const Program &program, Extents &extents, const Extent &row) {
  llvm::SmallPtrSet<Value, 4> arrays;
  for (auto [load, isAlike] : rowLoads(program, extents, row)) {
    tile::RefType type = tile::LoadOp(load).getRef().getType();
    if (!isAlike && tile::bytesOf(type.getElementType()) <= registerBytes)
      arrays.insert(tile::arrayOf(tile::LoadOp(load).getRef()));
  }
  return arrays.size() > 1;
}

/// A warp holds a short row, half a block and a whole one those that are four and eight times as long. (A kernel that
/// does not get to hold a row is what serves every call, `general`.)
LogicalResult LaunchBuilder::runResident(const Program &program, tile::KernelOp general, const Extent &row, Rows rows) {
  Value length = plan.most(row);
  const GroupShape &shape = program.shape;
  if (isLong(shape)) {
    remark("rows of any length", "sequential in one thread group: registers for a whole row, at " +
                                     Twine(shape.mostPerThread) + " elements a thread, would take code for " +
                                     Twine(weightOf(launch) * shape.mostPerThread) + " operations, more than " +
                                     Twine(longCode));
    return success();
  }
  // Half a block where each of its threads would have half of what it can hold: that keeps less memory in flight.
  bool hasHalf = shape.variants.half && rows == Rows::aligned && shape.threads / 2 > lanesOfWarp;
  bool areSeveral = holdsSeveral(program, extents, row);
  const std::pair<int64_t, bool> holders[] = {
      {lanesOfWarp, shape.variants.warp}, {shape.threads / 2, hasHalf}, {shape.threads, shape.variants.block}};
  for (auto [threads, isWanted] : holders) {
    if (!isWanted)
      continue;
    int64_t size = threads * shape.mostPerThread;
    FailureOr<Program> resident =
        analyse(launch, extents, shape, ResidentDims{{*row.symbol, Resident{size, /*isExact=*/false}}});
    if (failed(resident))
      return failure();
    FailureOr<tile::KernelOp> kernel = build(*resident, "_resident" + Twine(size), rows);
    if (failed(kernel))
      return failure();
    if (tegula::areSame(*kernel, general)) {
      kernel->erase();
      continue;
    }
    if (areSeveral)
      (*kernel)->setAttr(tile::ctasPerMultiprocessor, plan.get().getI64IntegerAttr(ctasOfSeveral));
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
    bool readsWritten = isa<tile::LoadOp, tile::GatherOp>(op) &&
                        program.stored.contains(tile::arrayOf(op->getOperand(0)).getArgNumber());
    bool isAlone = isa<tile::AtomicOp, tile::DebugPrintOp, tile::DotOp, tile::PermuteOp, tile::ScanOp, tile::ScatterOp,
                       tile::TakeOp>(op);
    return readsWritten || isAlone ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !result.wasInterrupted() && program.isShared() && !program.ordered && program.group == program.shape.threads;
}

/// Resident threads of a multiprocessor that hide the latency of exchanges within clusters; with more, each has too few
/// registers for its part of a row.
static constexpr int64_t threadsForWaits = 1280;

/// Whether a kernel takes many registers: for several tiles at a time, for what is loaded element by element through
/// windows that may extend past the end of their arrays, or for elements that take two each.
static bool needsManyRegisters(tile::KernelOp kernel) {
  int tiles = 0;
  return kernel
      .walk([&](tile::LoadOp load) {
        tile::RefType type = load.getRef().getType();
        bool isExact =
            llvm::all_of(llvm::seq<int64_t>(0, type.getRank()), [&](int64_t dim) { return type.isExact(dim); });
        bool isWide = type.getRank() > 0 && tile::bytesOf(type.getElementType()) > 4;
        tiles += type.getRank() > 0;
        return (isExact || type.getIsEven()) && !isWide && tiles <= 2 ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// Whether the CTAs of a cluster exchange reductions: while they wait, other resident CTAs hide the latency.
static bool exchangesInCluster(tile::KernelOp kernel) {
  return kernel
      .walk([](tile::ReduceOp reduce) { return reduce.getCluster() ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

FailureOr<tile::KernelOp> LaunchBuilder::buildCluster(Program &program, const Extent &row) {
  // What cannot be shared is still done by one block: nothing to tell the author.
  ScopedDiagnosticHandler silent(launch.getContext(), [](Diagnostic &) { return success(); });
  GroupShape shape = program.shape;
  // What is the same for all rows is copied once.
  shape.staysForRows = llvm::any_of(rowLoads(program, extents, row), [](const RowLoad &each) { return each.isAlike; });
  Resident resident{shape.mostElements(), /*isExact=*/false, /*isShared=*/true};
  FailureOr<Program> shared = analyse(launch, extents, shape, ResidentDims{{*row.symbol, resident}});
  if (failed(shared) || !canShare(*shared))
    return failure();
  program = std::move(*shared);
  FailureOr<tile::KernelOp> kernel = tryBuild(program, "_cluster" + Twine(resident.size), Rows::aligned);
  if (failed(kernel))
    return failure();
  if (shape.staysForRows)
    stageRows(*kernel, shape);
  else if (exchangesInCluster(*kernel) && !needsManyRegisters(*kernel))
    (*kernel)->setAttr(tile::ctasPerMultiprocessor, plan.get().getI64IntegerAttr(threadsForWaits / shape.threads));
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

} // namespace tegula::split
