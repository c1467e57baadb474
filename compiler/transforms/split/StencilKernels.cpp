// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils by accesses of pairs of elements (of elements of one byte: four), for arrays whose rows consist of whole
// pairs. A window that begins within a pair is taken from the pairs around it (TileAccess::loadAround), which
// neighbouring windows load, too: eight rows of two columns of 3 x 3 take 20 loads in place of 60. There are no masks:
// the last sub-tile along a dimension begins earlier, and computes some elements a second time.
#include "transforms/split/LaunchBuilder.h"

#include "ir/Elements.h"
#include "transforms/Alignment.h"

using namespace mlir;

namespace tegula::split {

llvm::SmallDenseSet<unsigned> arraysOfRows(const Program &program) {
  llvm::SmallDenseSet<unsigned> arrays;
  for (const Domain &domain : program.domains) {
    arrays.insert(domain.loadedAlong.begin(), domain.loadedAlong.end());
    for (tile::RootOpInterface root : domain.roots)
      arrays.insert(tile::arrayOf(root.getRootRef()).getArgNumber());
  }
  return arrays;
}

/// Whether thread groups may do elements twice, at the same time: nothing but stores, each of all of an array of its
/// own, which the program does not load.
static bool isRepeatable(const Program &program) {
  llvm::SmallDenseSet<unsigned> stored;
  WalkResult walked = tile::LaunchOp(program.launch).getBody().walk([&](Operation *op) {
    bool allows = op->getNumRegions() > 0 || isMemoryEffectFree(op);
    if (auto load = dyn_cast<tile::LoadOp>(op))
      allows = !load.getMask() && !program.stored.contains(tile::arrayOf(load.getRef()).getArgNumber());
    if (auto store = dyn_cast<tile::StoreOp>(op)) {
      auto array = dyn_cast<BlockArgument>(store.getRef());
      allows = !store.getMask() && array && stored.insert(array.getArgNumber()).second;
    }
    return allows || op->hasTrait<OpTrait::IsTerminator>() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !walked.wasInterrupted();
}

/// Of elements of a byte four: LLVM takes pairs of bytes apart in local memory.
static int64_t elementsTogether(const Program &program) {
  constexpr int64_t pair = 2, bytes = 4;
  return program.domains.front().smallestElement == 1 ? bytes : pair;
}

/// Whether the kernel can be had for calls whose arrays are long enough.
static bool allowsWholeRows(const Program &program, int64_t together) {
  tile::LaunchOp launch = program.launch;
  const GroupShape &shape = program.shape;
  if (!launch.getGrid().empty() || program.domains.size() != 1 || !program.domains.front().isStencil)
    return false;
  if (shape.isAligned || shape.isEven || shape.isAlone || !shape.variants.vector || !isRepeatable(program))
    return false;
  bool areShort = llvm::all_of(launch.getBody().getArguments(), [&](BlockArgument argument) {
    auto ref = dyn_cast<tile::RefType>(argument.getType());
    return !ref || (!ref.isTable() && !isPacked(ref.getElementType()) &&
                    tile::bytesIn(together, ref.getElementType()) <= accessBytes);
  });
  return areShort && llvm::all_of(program.domains.front().dims, [](const DomainDim &dim) {
           return dim.mode == Mode::Parallel && (dim.isCut() || (dim.isStatic() && dim.bound == dim.subTile));
         });
}

/// Whether each array that the kernel asks has rows of whole accesses, and each dimension a sub-tile.
Value LaunchBuilder::haveWholeRows(const Program &program) {
  OpBuilder &builder = plan.get();
  Location loc = launch.getLoc();
  Value all;
  auto require = [&](Value condition) { all = all ? builder.create<arith::AndIOp>(loc, all, condition) : condition; };
  int64_t together = program.shape.rowsOf;
  llvm::SmallDenseSet<unsigned> arrays = arraysOfRows(program);
  for (auto [number, inside] : llvm::enumerate(launch.getBody().getArguments())) {
    if (!arrays.contains(number))
      continue;
    auto type = cast<tile::RefType>(inside.getType());
    int64_t bytes = tile::bytesIn(together, type.getElementType());
    require(builder.create<tile::DenseOp>(loc, plan.arguments()[number], bytes, /*contiguous=*/false));
    Value row = plan.extentOf(inside, type.getRank() - 1);
    Value rest = builder.createOrFold<arith::AndIOp>(loc, row, plan.constant(together - 1));
    require(compare(arith::CmpIPredicate::eq, rest, 0));
  }
  const Domain &domain = program.domains.front();
  tile::RootOpInterface root = domain.roots.front();
  auto store = cast<tile::StoreOp>(root.getOperation());
  for (auto [i, dim] : llvm::enumerate(domain.dims))
    if (dim.isCut())
      require(compare(arith::CmpIPredicate::sge, plan.extentOf(store.getRef(), i), dim.subTile));
  return all;
}

/// A kernel for calls whose rows are whole; what follows is for the others. Null if there is none.
FailureOr<scf::IfOp> LaunchBuilder::runStencil(const Program &general) {
  int64_t together = general.domains.empty() ? 0 : elementsTogether(general);
  if (!together || !allowsWholeRows(general, together))
    return scf::IfOp();
  GroupShape shape = general.shape;
  shape.rowsOf = together;
  FailureOr<Program> program = analyse(launch, extents, shape, ResidentDims());
  if (failed(program))
    return failure();
  if (!allowsWholeRows(*program, together))
    return scf::IfOp();
  FailureOr<tile::KernelOp> kernel = build(*program, "", Rows::whole);
  if (failed(kernel))
    return failure();
  scf::IfOp areWhole = branch(haveWholeRows(*program));
  launchKernel(*program, *kernel);
  otherwise(areWhole);
  return areWhole;
}

} // namespace tegula::split
