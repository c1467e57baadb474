// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a launch of the explicit level to its kernel and plan. The way of `samples/hopper_matmul`; --dump-ir=<pass>
// shows each step:
//
//   frontend                  runs `emit_pipeline_warp_specialized` as any function: allocations, barriers and two
//                             roles, `scf.if` on `tile.thread_index`, with copies, waits and products in loops. There
//                             is no op for a pipeline. So GPU, CPU and checks read the same IR: the CPU code is printed
//                             from it
//   tile-promote-variables    the phase of a barrier and an accumulator, variables so far, are carried by the loops
//   tile-check-threads        refuses what threads cannot do together (analysis/Uniformity.h)
//   tile-outline              makes the kernel and its plan: this file
//   tile-assign-shared        chooses how shared memory is arranged (AssignShared.cpp) and where it lies
//                             (AllocateShared.h). Until then, shared memory is declared by its shape alone; the
//                             arrangement is a property of the type of a ref (`smem swizzle 128`)
//   tile-specialize-threads   gives each role its own copy of the code that roles share
//   tile-tensor-maps          turns windows of arrays into coordinates and boxes (CopyBoxes.h), and a multicast copy
//                             into the part that this block fetches. The maps are made by host code. A bulk copy
//                             (`tile.bulk_load`, `tile.bulk_store`), of a run of a row that the program promises to be
//                             in bounds, has an address and no map, and its shared memory no swizzle
//   tile-start-products       lets the first product of a loop overwrite an accumulator that is zero
//   tile-assign-layouts       gives tiles that are combined with an accumulator its layout, so that casts and stores
//                             move no data between lanes; the store then finds that it can use `stmatrix`. It fixes
//                             layouts that the program asks for (`tile.layout_cast`) and answers `tile.print_layout`
//   lowering                  computes matrix descriptors from arrangements, addresses from layouts and swizzles
//
// Every kernel waits for the grids before it as it begins, so that launches overlap: codegen/Ptx.cpp writes that into
// the PTX. A program that says where (`tile.wait_for_grids`) waits there instead. This pass then makes the whole grid
// wait before it ends, because whoever follows relies on that.
//
// If threads access whole tiles of arrays by themselves, a second kernel is made for arrays that the host finds dense,
// and uses vectors. What TMA copies is dense in any case. `tg::mma` comes here as a `tile.dot` that says so, which the
// CPU computes; it becomes a `tile.mma`, whose right factor is loaded with its dimensions in the other order. What a
// target lacks of all this, driver/Capabilities.cpp reports.
#include "ir/ApproxMath.h"
#include "ir/GridOps.h"
#include "ir/KernelAttributes.h"
#include "ir/TileDialect.h"
#include "transforms/Alignment.h"
#include "transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILEOUTLINE
#include "transforms/Passes.h.inc"

namespace {

/// The lanes of a thread of the explicit level: of a warpgroup.
constexpr int64_t warpgroupLanes = 128;

class Outliner {
public:
  explicit Outliner(tile::LaunchOp launch) : launch(launch), builder(launch.getContext()), loc(launch.getLoc()) {}

  void run() {
    buildKernel();
    replaceAxes();
    makeMma();
    alignCopied();
    buildDense();
    buildPlan();
  }

private:
  void buildKernel();
  void waitAtEnd();
  void replaceAxes();
  void makeMma();
  void alignCopied();
  void buildDense();
  void checkAlignment(ValueRange arrays);
  Value mostBlocks();
  void checkBitcasts(ValueRange arrays);
  StringRef nameOf(unsigned argument);
  void buildPlan();
  Value constant(int64_t value) { return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value)); }

  tile::LaunchOp launch;
  OpBuilder builder;
  Location loc;
  tile::KernelOp kernel;
  /// The same for calls whose arrays of these numbers are dense; null if that would gain nothing.
  tile::KernelOp dense;
  SmallVector<unsigned> denseArrays;
};

/// A kernel with the arguments of the launch, then the sizes of the grid.
void Outliner::buildKernel() {
  builder.setInsertionPointToEnd(launch->getParentOfType<ModuleOp>().getBody());
  Block &body = launch.getBody().front();
  SmallVector<Type> types(body.getArgumentTypes());
  SmallVector<Location> locations;
  for (BlockArgument argument : body.getArguments())
    locations.push_back(argument.getLoc());
  for (unsigned axis = 0; axis < launch.getGrid().size(); ++axis) {
    types.push_back(builder.getI64Type());
    locations.push_back(NameLoc::get(builder.getStringAttr("grid" + std::to_string(axis)), loc));
  }
  kernel = builder.create<tile::KernelOp>(loc, launch.getName(), builder.getFunctionType(types, {}),
                                          *launch.getWarpgroups() * warpgroupLanes, warpgroupLanes);
  passApproxMath(launch, kernel);
  for (StringRef passed : {tile::maxRegisters, tile::noAutoBarriers, tile::residentAtOnce, tile::isTraced})
    if (Attribute attr = launch->getAttr(passed))
      kernel->setAttr(passed, attr);
  if (launch.getClusterSize() > 1)
    kernel.setCluster(launch.getClusterSize());
  kernel.setClusterShapeAttr(launch.getClusterAttr());
  Block &entry = kernel.getBody().emplaceBlock();
  entry.addArguments(types, locations);
  builder.setInsertionPointToEnd(&entry);
  IRMapping mapping;
  mapping.map(body.getArguments(), entry.getArguments().take_front(body.getNumArguments()));
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  waitAtEnd();
  builder.create<tile::ReturnOp>(loc, ValueRange());
}

/// A grid that has ended has waited for those that it follows: grids that wait for it wait for these, too.
void Outliner::waitAtEnd() {
  Block &entry = kernel.getBody().front();
  bool waits = kernel.walk([](tile::WaitForGridsOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (waits && entry.getOps<tile::WaitForGridsOp>().empty())
    builder.create<tile::WaitForGridsOp>(loc);
}

/// The indices along the axes, from the number of the cluster and the rank within it: the last axis runs fastest.
void Outliner::replaceAxes() {
  builder.setInsertionPointToStart(&kernel.getBody().front());
  auto decode = [&](Value number, ValueRange sizes) {
    SmallVector<Value> indices(sizes.size());
    for (int64_t axis = static_cast<int64_t>(sizes.size()) - 1; axis > 0; --axis) {
      indices[axis] = builder.create<arith::RemUIOp>(loc, number, sizes[axis]);
      number = builder.create<arith::DivUIOp>(loc, number, sizes[axis]);
    }
    if (!indices.empty())
      indices[0] = number;
    return indices;
  };
  ValueRange grid = kernel.getArguments().take_back(launch.getGrid().size());
  SmallVector<Value> gridIndices, clusterIndices, clusterSizes;
  if (!grid.empty())
    gridIndices = decode(builder.create<tile::ClusterIdOp>(loc), grid);
  ArrayRef<int64_t> cluster = launch.getCluster().value_or(ArrayRef<int64_t>());
  for (int64_t size : cluster)
    clusterSizes.push_back(constant(size));
  if (!cluster.empty())
    clusterIndices = decode(builder.create<tile::ClusterRankOp>(loc), clusterSizes);
  kernel.walk([&](Operation *op) {
    Value known;
    if (auto id = dyn_cast<tile::ProgramIdOp>(op))
      known = gridIndices[id.getAxis()];
    else if (auto count = dyn_cast<tile::NumProgramsOp>(op))
      known = grid[count.getAxis()];
    else if (auto index = dyn_cast<tile::ClusterIndexOp>(op))
      known = clusterIndices[index.getAxis()];
    if (!known)
      return;
    op->getResult(0).replaceAllUsesWith(known);
    op->erase();
  });
}

/// The same elements the other way round: those of shared memory are loaded so.
static Value transposed(OpBuilder &builder, Value tile) {
  auto turn = [](ArrayRef<int64_t> shape) { return SmallVector<int64_t>{shape[1], shape[0]}; };
  const int64_t order[] = {1, 0};
  auto type = cast<RankedTensorType>(tile.getType());
  auto turned = RankedTensorType::get(turn(type.getShape()), type.getElementType());
  auto load = tile.getDefiningOp<tile::LoadOp>();
  if (!load || load.getMask() || !load.getRef().getType().isShared())
    return builder.create<tile::PermuteOp>(tile.getLoc(), turned, tile, order);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(load);
  tile::RefType ref = load.getRef().getType();
  Value view = builder.create<tile::TransposeOp>(
      load.getLoc(), tile::RefType::inShared(ref.getElementType(), turn(ref.getDims()), ref.getSwizzle()),
      load.getRef(), order);
  return builder.create<tile::LoadOp>(load.getLoc(), turned, view);
}

/// Products that are said to be the warps' become theirs.
void Outliner::makeMma() {
  SmallVector<tile::DotOp> products;
  kernel.walk([&](tile::DotOp dot) {
    if (dot->hasAttr(tile::isByMma))
      products.push_back(dot);
  });
  for (tile::DotOp dot : products) {
    builder.setInsertionPoint(dot);
    Value right = transposed(builder, dot.getB());
    dot.replaceAllUsesWith(builder.create<tile::MmaOp>(dot.getLoc(), dot.getAcc(), dot.getA(), right).getResult());
    dot.erase();
  }
}

/// The array begins at a multiple of `accessBytes`, its rows do, and its columns are neighbours.
static void align(tile::KernelOp kernel, unsigned argument) {
  BlockArgument array = kernel.getArgument(argument);
  auto type = dyn_cast<tile::RefType>(array.getType());
  if (!type || type.getRank() == 0 || type.isTable() || type.getAlignment() >= accessBytes)
    return;
  array.setType(
      tile::RefType::get(type.getElementType(), type.getDims(), accessBytes, type.getIsEven(), type.getSpace()));
  ValueTypeRange<Block::BlockArgListType> types = kernel.getBody().front().getArgumentTypes();
  kernel.setFunctionType(FunctionType::get(kernel.getContext(), SmallVector<Type>(types), {}));
}

/// What threads access lies inside the array: an update of a window is one of all of its elements, by vectors that none
/// of them ends in.
static void makeUpdatesWhole(tile::KernelOp kernel) {
  kernel.getBody().walk([](tile::AtomicOp op) {
    auto slice = op.getRef().getDefiningOp<tile::SliceOp>();
    if (!slice || !llvm::all_of(slice->getUsers(), llvm::IsaPred<tile::AtomicOp>))
      return;
    tile::RefType type = slice.getType();
    if (!type.getAlignment())
      return;
    SmallVector<int64_t> dims(type.getDims());
    unsigned dim = 0; // Of the window.
    for (unsigned i = 0; i < slice.getModes().size(); ++i) {
      if (slice.getMode(i) == tile::SliceMode::Element)
        continue;
      int64_t bound = type.getBound(dim);
      if (slice.getMode(i) == tile::SliceMode::Window && !slice.getSize(i) && !ShapedType::isDynamic(bound))
        dims[dim] = bound;
      ++dim;
    }
    slice.getResult().setType(
        tile::RefType::get(type.getElementType(), dims, type.getAlignment(), type.getIsEven(), type.getSpace()));
  });
}

/// What is copied by TMA or in units of 16 bytes is dense, or the launch is refused.
void Outliner::alignCopied() {
  kernel.getBody().walk([&](Operation *op) {
    Value window;
    if (auto copy = dyn_cast<tile::TmaOpInterface>(op))
      window = llvm::is_sorted(tile::copyOrderOf(copy.getWindow())) ? copy.getWindow() : Value();
    else if (auto copy = dyn_cast<tile::CpAsyncOp>(op))
      window = copy.getSource();
    else if (auto copy = dyn_cast<tile::BulkLoadOp>(op))
      window = copy.getSource();
    else if (auto copy = dyn_cast<tile::BulkStoreOp>(op))
      window = copy.getTarget();
    if (window)
      align(kernel, tile::arrayOf(window).getArgNumber());
  });
  propagateAlignment(kernel);
  makeUpdatesWhole(kernel);
}

/// The arrays that threads access by vectors of their elements, as far as their windows are known to be aligned.
static SmallVector<unsigned> arraysOfVectors(tile::KernelOp kernel) {
  // Of fewer elements, accesses of one at a time are as few.
  constexpr int64_t leastOfLane = 4;
  llvm::SmallSetVector<unsigned, 8> found;
  kernel.getBody().walk([&](tile::MemoryAccessOpInterface op) {
    for (const tile::MemoryAccess &access : op.getMemoryAccesses()) {
      auto ref = dyn_cast<tile::RefType>(access.ref.getType());
      auto tile = access.tile ? cast<RankedTensorType>(access.tile.getType()) : RankedTensorType();
      if (!ref || ref.isShared() || !tile || tile.getRank() == 0 || !tile.hasStaticShape())
        continue;
      auto atomic = dyn_cast<tile::AtomicOp>(op.getOperation());
      bool isOne = atomic && (!atomic.getResult().use_empty() || atomic.getKind() != tile::Atomic::Add ||
                              !isa<FloatType>(tile.getElementType()) || tile.getElementType().isF64());
      if (!isOne && tile.getShape().back() > 1 && ref.getAlignment() > tile::bytesOf(ref.getElementType()) &&
          tile.getNumElements() >= leastOfLane * static_cast<int64_t>(kernel.getGroup()))
        found.insert(tile::arrayOf(access.ref).getArgNumber());
    }
  });
  return SmallVector<unsigned>(found.begin(), found.end());
}

/// The same kernel for calls in which these arrays are dense.
static tile::KernelOp cloneForDense(tile::KernelOp kernel, StringRef name, ArrayRef<unsigned> arrays) {
  auto dense = cast<tile::KernelOp>(OpBuilder(kernel.getContext()).clone(*kernel));
  kernel->getBlock()->getOperations().insertAfter(kernel->getIterator(), dense);
  dense.setSymName(name);
  for (unsigned array : arrays)
    align(dense, array);
  propagateAlignment(dense);
  makeUpdatesWhole(dense);
  return dense;
}

/// Where arrays are dense, threads access several elements at a time.
void Outliner::buildDense() {
  SmallVector<unsigned> all;
  for (BlockArgument argument : kernel.getArguments())
    if (auto ref = dyn_cast<tile::RefType>(argument.getType()); ref && ref.getRank() > 0 && !ref.getAlignment())
      all.push_back(argument.getArgNumber());
  std::string name = (launch.getName() + "_dense").str();
  tile::KernelOp trial = cloneForDense(kernel, name, all);
  for (unsigned array : arraysOfVectors(trial))
    if (llvm::is_contained(all, array))
      denseArrays.push_back(array);
  trial.erase();
  if (!denseArrays.empty())
    dense = cloneForDense(kernel, name, denseArrays);
}

/// Elements of other widths are whole in rows of neighbours that begin at multiples of them.
void Outliner::checkBitcasts(ValueRange arrays) {
  llvm::SmallMapVector<unsigned, int64_t, 4> widest;
  launch.getBody().walk([&](tile::BitcastRefOp view) {
    if (view.changesWidth() && !view.getType().isShared()) {
      int64_t &bytes = widest[tile::arrayOf(view.getSource()).getArgNumber()];
      bytes = std::max(bytes, tile::bytesOf(view.getType().getElementType()));
    }
  });
  for (auto [number, bytes] : widest) {
    Value aligned = builder.create<tile::DenseOp>(loc, arrays[number], bytes, /*contiguous=*/false);
    std::string message = ("tg::bitcast_ref sees elements of " + Twine(bytes) + " bytes in " + nameOf(number) +
                           ", which or its rows do not begin at a multiple of that, or its columns are not contiguous")
                              .str();
    builder.create<tile::CheckOp>(loc, aligned, builder.getStringAttr(message), ValueRange());
  }
}

StringRef Outliner::nameOf(unsigned argument) {
  auto name = dyn_cast<NameLoc>(launch.getBody().getArgument(argument).getLoc());
  return name ? name.getName().getValue() : StringRef("an array");
}

/// Copies without tensor maps move units of 16 bytes: the host looks at the arrays before it launches.
void Outliner::checkAlignment(ValueRange arrays) {
  constexpr int64_t unitBytes = 16;
  llvm::SmallMapVector<unsigned, StringRef, 4> copied; // What copies them first.
  checkBitcasts(arrays);
  launch.getBody().walk([&](Operation *op) {
    auto add = [&](Value array, StringRef by) { copied.insert({tile::arrayOf(array).getArgNumber(), by}); };
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](tile::CpAsyncOp copy) { add(copy.getSource(), "tg::cp_async"); })
        .Case([&](tile::BulkLoadOp copy) { add(copy.getSource(), "a contiguous copy"); })
        .Case([&](tile::BulkStoreOp copy) { add(copy.getTarget(), "a contiguous copy"); });
  });
  for (auto [number, by] : copied) {
    Value aligned = builder.create<tile::DenseOp>(loc, arrays[number], unitBytes, /*contiguous=*/false);
    std::string message = (by + Twine(" copies units of 16 bytes: ") + nameOf(number) +
                           " or its rows do not begin at a multiple of that, or its columns are not contiguous")
                              .str();
    builder.create<tile::CheckOp>(loc, aligned, builder.getStringAttr(message), ValueRange());
  }
}

/// As many blocks as the device runs at once, or more: whole clusters.
Value Outliner::mostBlocks() {
  constexpr int64_t lanesOfMultiprocessor = 2048;
  int64_t cluster = launch.getClusterSize();
  int64_t each = std::max<int64_t>(1, lanesOfMultiprocessor / (*launch.getWarpgroups() * warpgroupLanes));
  Value all = builder.create<arith::MulIOp>(loc, builder.create<tile::MultiprocessorsOp>(loc, builder.getI64Type()),
                                            constant(each));
  if (cluster == 1)
    return all;
  all = builder.create<arith::CeilDivSIOp>(loc, all, constant(cluster));
  return builder.create<arith::MulIOp>(loc, all, constant(cluster));
}

void Outliner::buildPlan() {
  Block &plan = launch.getPlan().emplaceBlock();
  for (Value size : launch.getGrid())
    plan.addArgument(size.getType(), loc);
  for (auto [value, inside] : llvm::zip(launch.getArguments(), launch.getBody().getArguments()))
    plan.addArgument(value.getType(), inside.getLoc());
  builder.setInsertionPointToEnd(&plan);
  size_t axes = launch.getGrid().size();
  ValueRange grid = plan.getArguments().take_front(axes);
  Value blocks = constant(launch.getClusterSize());
  for (Value size : grid) // No program runs if one of them is negative.
    blocks =
        builder.createOrFold<arith::MulIOp>(loc, blocks, builder.createOrFold<arith::MaxSIOp>(loc, size, constant(0)));
  if (launch->hasAttr(tile::takesSteps))
    blocks = builder.create<arith::MinSIOp>(loc, blocks, mostBlocks());
  SmallVector<Value> arguments(plan.getArguments().drop_front(axes));
  checkAlignment(arguments);
  llvm::append_range(arguments, grid);
  auto launchBy = [&](tile::KernelOp chosen) {
    builder.create<tile::LaunchKernelOp>(loc, chosen.getSymName(), blocks, /*cluster=*/Value(), arguments);
  };
  if (!dense) {
    launchBy(kernel);
  } else {
    SmallVector<Value> arrays = llvm::map_to_vector(denseArrays, [&](unsigned array) { return arguments[array]; });
    Value areDense = builder.create<tile::DenseOp>(loc, arrays, accessBytes, /*contiguous=*/false);
    auto branch = builder.create<scf::IfOp>(loc, areDense, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    launchBy(dense);
    builder.setInsertionPointToStart(branch.elseBlock());
    launchBy(kernel);
  }
  builder.create<tile::YieldOp>(loc);
}

struct Outline : impl::TileOutlineBase<Outline> {
  void runOnOperation() override {
    SmallVector<tile::LaunchOp> launches;
    getOperation().walk([&](tile::LaunchOp launch) {
      if (launch.isExplicit() && launch.getPlan().empty())
        launches.push_back(launch);
    });
    for (tile::LaunchOp launch : launches)
      Outliner(launch).run();
  }
};
} // namespace
} // namespace tegula
