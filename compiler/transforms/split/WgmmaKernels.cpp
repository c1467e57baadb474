// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels for wgmma (Hopper), and which calls they serve. The plan asks the host what TMA can copy
// (`tile.can_map`):
//
//   factors   else warps multiply, by mma.sync (runThroughRegisters), or FMA units do
//   results   else threads store their elements from registers
//
// TMA fills in zeros beyond the end of an *array*, not of a window. So a factor whose window ends inside its array
// along the depth is not for TMA (products/FactorWindow.h). Along rows and columns, what lies beyond a window is
// multiplied and not stored. TMA takes longer to fill in a row of zeros than to copy one, so boxes are clipped where an
// array has fewer rows than they have (`unfilled` copies, `abi::clipped`).
#include "ir/Arrangement.h"
#include "ir/ProductOptions.h"
#include "transforms/products/FindChain.h"
#include "transforms/products/PanelStores.h"
#include "transforms/products/RoleResources.h"
#include "transforms/split/LaunchBuilder.h"

using namespace mlir;

namespace tegula::split {

/// Whether TMA can copy what a factor is of: whatever the box is, as far as the host can tell.
Value LaunchBuilder::canMap(const Factor &factor) {
  SmallVector<int64_t> box;
  for (int64_t extent : factor.extents)
    box.push_back(std::max<int64_t>(1, extent));
  Type element = cast<tile::RefType>(factor.array.getType()).getElementType();
  int64_t swizzle = tile::widestSwizzle(tile::bytesIn(box.back(), element));
  box.back() = swizzle / tile::bytesOf(element); // Of packed elements, maps count bytes.
  return canMap(factor.array, box, swizzle, factor.even);
}

/// And whether windows begin at multiples of 16 bytes, which all blocks do if their size is one.
Value LaunchBuilder::canMap(BlockArgument array, ArrayRef<int64_t> box, int64_t swizzle, ArrayRef<BlockArgument> even) {
  Value can = plan.get().create<tile::CanMapOp>(launch.getLoc(), plan.arguments()[array.getArgNumber()],
                                                DenseI64ArrayAttr(), box, swizzle);
  return areEven(can, even, cast<tile::RefType>(array.getType()).getElementType());
}

/// Lets results leave through shared memory, by TMA: whether it can copy to their arrays. Null if there are none.
Value LaunchBuilder::copyResults(TensorKernel &tensor) {
  Value canCopy;
  for (const PanelStore &panel : findPanelStores(tensor.mainloop)) {
    if (!isPassed(panel.even))
      continue;
    SmallVector<int64_t> box(cast<tile::RefType>(panel.array.getType()).getRank(), 1),
        dims = tile::arrayDimsOf(tile::StoreOp(panel.store).getRef());
    box[dims[0]] = panel.rows, box[dims[1]] = panel.columns;
    box.back() = PanelStore::bytesOfRow / tile::bytesOf(cast<tile::RefType>(panel.array.getType()).getElementType());
    Value can = canMap(panel.array, box, PanelStore::bytesOfRow, panel.even);
    canCopy = canCopy ? plan.get().create<arith::AndIOp>(launch.getLoc(), canCopy, can).getResult() : can;
    tensor.kernel.setArgAttr(panel.array.getArgNumber(), canBeCopied, plan.get().getUnitAttr());
  }
  return canCopy;
}

/// Whether matrices leave otherwise, too: threads store them element by element, which takes registers.
static bool storesByThreads(const LaunchBuilder::TensorKernel &tensor) {
  int64_t stores = 0;
  tile::KernelOp(tensor.kernel).walk([&](tile::StoreOp store) {
    stores += cast<RankedTensorType>(store.getValue().getType()).getRank() == 2;
  });
  return stores > static_cast<int64_t>(findPanelStores(tensor.mainloop).size());
}

/// The name of a kernel, its roles, and what each gets, as the pass will make them.
std::string LaunchBuilder::describeRoles(const TensorKernel &tensor) {
  RoleResources resources = resourcesOf(tensor.kernel, tensor.mainloop, tensor.program.shape.sharedBytes);
  int64_t consumers = tensor.program.shape.tensor->consumers * resources.slices;
  std::string inTurn = resources.slices > 1 ? ", which take the steps of a sub-tile in turn" : "";
  return (" (" + tile::KernelOp(tensor.kernel).getSymName() + "): " + Twine(consumers) + " consumer warpgroup" +
          (consumers > 1 ? "s" : "") + " of " + Twine(resources.registersToCompute) + " registers a thread" + inTurn +
          ", a producer of " + Twine(resources.registersToCopy) + ", and " + Twine(resources.stages) + " stages")
      .str();
}

/// Whether threads load matrices behind the products. Of any alignment, each element takes an address of its own.
static bool loadsMatrices(const LaunchBuilder::TensorKernel &tensor) {
  scf::ForOp loop = tensor.mainloop.loop;
  return tile::KernelOp(tensor.kernel)
      .walk([&](tile::LoadOp load) {
        bool isMatrix = llvm::count_if(load.getType().getShape(), [](int64_t dim) { return dim > 1; }) > 1;
        return isMatrix && !loop->isAncestor(load) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The columns that each of a kernel's sums may have, if all have registers for so many.
static int64_t columnsOfSum(const LaunchBuilder::TensorKernel &tensor, int64_t all) {
  constexpr int64_t step = 32;
  return std::max(step, all / tensor.mainloop.numAccumulators() / step * step);
}

LogicalResult LaunchBuilder::refuseOptions(const Twine &why) {
  return launch.emitError() << "the options of this product cannot be met: " << why.str()
                            << ". Leave them out to let the compiler choose";
}

/// The kernel with the widest sub-tiles for which there is room; none if the options of products cannot be had.
std::optional<LaunchBuilder::TensorKernel>
LaunchBuilder::buildWide(const Program &general, ArrayRef<tile::DotOp> products, std::string &obstacle) {
  auto options = ProductOptions::of(launch);
  TensorTile tile = tileFor(products, general);
  // Alone, CTAs are as fast at most shapes, and faster where they compute factors (test/benchmark/RESULTS.md).
  tile.cluster = std::max<int64_t>(1, options.cluster);
  std::optional<TensorKernel> wide = buildTensor(general, tile, "_tensor", obstacle);
  if (!wide && options.columns)
    return std::nullopt;
  for (constexpr int64_t least = 64; !wide && obstacle == noRoom && tile.columns > least;) {
    tile.columns = std::max(least, tile.columns / 2);
    wide = buildTensor(general, tile, "_tensor", obstacle);
  }
  constexpr int64_t mostOfSums = 256, mostStoredByThreads = 128;
  for (int64_t most : {mostOfSums, mostStoredByThreads}) {
    bool isLimit = wide && !options.columns && (most == mostOfSums || storesByThreads(*wide));
    int64_t columns = isLimit ? columnsOfSum(*wide, most) : tile.columns;
    if (columns >= tile.columns)
      continue;
    wide->kernel.erase();
    tile.columns = columns;
    wide = buildTensor(general, tile, "_tensor", obstacle);
  }
  return wide;
}

/// Whether TMA can copy the factors.
Value LaunchBuilder::canCopyFactors(const TensorKernel &tensor) {
  Value canCopy;
  for (const Factor &factor : tensor.mainloop.factors) {
    Value can = canMap(factor);
    canCopy = canCopy ? plan.get().create<arith::AndIOp>(launch.getLoc(), canCopy, can).getResult() : can;
  }
  return canCopy;
}

/// Where TMA takes the factors: wide sub-tiles that leave by TMA, and narrow ones for small results and those that TMA
/// cannot copy, for which they have registers.
void LaunchBuilder::runWgmma(const Program &general, TensorKernel wide) {
  auto options = ProductOptions::of(launch);
  std::string obstacle;
  const TensorTile tile = *wide.program.shape.tensor;
  std::optional<TensorKernel> narrow;
  if (tile.columns > narrowColumns && general.shape.variants.small) {
    TensorTile narrowTile = tile;
    narrowTile.columns = narrowColumns, narrowTile.cluster = 1;
    narrow = buildTensor(general, narrowTile, "_tensor_small", obstacle);
  }
  bool isAligned = narrow && loadsMatrices(wide);
  if (isAligned) {
    wide.kernel.erase();
    wide = *buildTensor(general, tile, "_tensor", obstacle, /*aligned=*/true);
  }
  Value canCopy = canCopyFactors(wide);
  scf::IfOp canMultiply = branch(areFew(canCopy, wide.program));
  Value canCopyResults = copyResults(wide);
  remark("factors that TMA can copy", "tensor cores, in sub-tiles of " + Twine(tile.consumers * TensorTile::rows) +
                                          " by " + Twine(tile.columns) + describeRoles(wide));
  if (narrow) {
    Value isWide = options.columns ? Value() : suits(wide, *narrow), canCopyNarrow = copyResults(*narrow);
    if (isWide && canCopyResults)
      isWide = plan.get().create<arith::AndIOp>(launch.getLoc(), canCopyResults, isWide);
    else if (!isWide)
      isWide = canCopyResults ? canCopyResults : compare(arith::CmpIPredicate::eq, plan.constant(0), 0);
    if (isAligned)
      isWide = plan.get().create<arith::AndIOp>(launch.getLoc(), isWide, areAligned(wide, /*all=*/true));
    remark(Twine(options.columns ? "" : "few sub-tiles, and ") + "results that TMA cannot copy" +
               (isAligned ? ", and arrays that are not aligned to 16 bytes" : ""),
           "sub-tiles of " + Twine(narrowColumns) + " columns (" + narrow->kernel.getSymName() + ")");
    scf::IfOp choice = branch(isWide);
    launchKernel(wide.program, wide.kernel);
    otherwise(choice);
    launchKernel(narrow->program, narrow->kernel, /*cluster=*/{}, canCopyNarrow);
  } else {
    launchKernel(wide.program, wide.kernel, /*cluster=*/{}, canCopyResults);
  }
  otherwise(canMultiply);
}

/// Products on tensor cores. What follows serves the other calls.
LogicalResult LaunchBuilder::runTensor(const Program &general) {
  if (general.shape.takesMmaSync && general.shape.variants.tensor)
    return runMmaSync(general, /*refused=*/"");
  if (!general.shape.hasWgmma || !general.shape.variants.tensor)
    return success();
  std::string obstacle;
  SmallVector<tile::DotOp> products = productsOf(general, obstacle);
  std::optional<TensorKernel> wide;
  auto options = ProductOptions::of(launch);
  bool isChain = obstacle.empty() && areChained(products);
  if (isChain) {
    FailureOr<bool> isServed = runChain(general, products, obstacle);
    if (failed(isServed) || *isServed)
      return isServed;
  }
  if (options.areGiven() && obstacle.empty())
    obstacle = refusalOf(options, products, general);
  if (products.empty() || !obstacle.empty()) {
    if (options.areGiven())
      return refuseOptions(obstacle);
  } else {
    wide = buildWide(general, products, obstacle);
    if (!wide && options.areGiven())
      return refuseOptions(obstacle);
  }
  if (!wide) { // The warps may do what a warpgroup cannot.
    Program warps = general;
    warps.shape.takesMmaSync = true;
    return runMmaSync(warps, obstacle);
  }
  runWgmma(general, std::move(*wide));
  isOnTensorCores = true;
  Program warps = general;
  warps.shape.takesMmaSync = true;
  runThroughRegisters(warps);
  return success();
}

} // namespace tegula::split
