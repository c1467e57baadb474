// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels for mma.sync, and which calls they serve. cp.async zero-fills out-of-bounds elements of a *window*, and
// requires arrays that are aligned to 16 bytes. Other factors, and all of 7.5, which has no cp.async, are loaded
// through registers (products/Multistage.h), also on Hopper where TMA and wgmma do not apply. Sub-tiles are narrowed
// until shared memory and registers suffice, by the estimates of products/StageShape.h.
#include "transforms/Alignment.h"
#include "transforms/products/FindChain.h"
#include "transforms/products/StageShape.h"
#include "transforms/split/KernelBuilder.h"
#include "transforms/split/LaunchBuilder.h"

using namespace mlir;

namespace tegula::split {

/// Whether cp.async can copy the factors: from rows and windows that begin at multiples of 16 bytes. With `all`, all
/// arrays of the launch are so aligned.
Value LaunchBuilder::areAligned(const TensorKernel &tensor, bool all) {
  SmallVector<Value> arrays;
  const Mainloop &mainloop = tensor.mainloop;
  for (auto [i, argument, inside] : llvm::enumerate(
           plan.arguments(), tile::KernelOp(tensor.kernel).getArguments().take_front(plan.arguments().size())))
    if (isa<tile::ArrayType>(argument.getType()) && isGiven(i) &&
        (all || llvm::any_of(mainloop.factors, [&](const Factor &factor) { return factor.array == inside; })))
      arrays.push_back(argument);
  Value aligned = plan.get().create<tile::DenseOp>(launch.getLoc(), arrays, accessBytes, /*contiguous=*/false);
  if (all)
    return aligned;
  for (const Factor &factor : mainloop.factors)
    aligned = areEven(aligned, factor.even, cast<tile::RefType>(factor.array.getType()).getElementType());
  return aligned;
}

/// Whether the rows of the factors' windows are multiples of 16 bytes, which cp.async then copies or leaves as wholes.
/// The kernel takes it for granted; null if the host cannot tell.
Value LaunchBuilder::haveEvenRows(TensorKernel &tensor) {
  Location loc = launch.getLoc();
  OpBuilder &builder = plan.get();
  ArrayRef<Factor> factors = tensor.mainloop.factors;
  if (!llvm::all_of(factors, [&](const Factor &each) { return each.evenEnds && isPassed(*each.evenEnds); }))
    return {};
  Value even;
  for (const Factor &factor : factors) {
    auto type = cast<tile::RefType>(factor.array.getType());
    Value array = plan.arguments()[factor.array.getArgNumber()];
    Value row = builder.create<tile::DimOp>(loc, array, type.getRank() - 1);
    Value rest = builder.create<arith::RemSIOp>(loc, row, plan.constant(16 / tile::bytesOf(type.getElementType())));
    Value own = areEven(compare(arith::CmpIPredicate::eq, rest, 0), *factor.evenEnds, type.getElementType());
    even = even ? builder.create<arith::AndIOp>(loc, even, own).getResult() : own;
    tensor.kernel.setArgAttr(factor.array.getArgNumber(), hasEvenRows, builder.getUnitAttr());
  }
  return even;
}

/// What keeps a kernel for mma.sync from sub-tiles as large as its own; null if nothing does.
static const char *limitOf(const LaunchBuilder::TensorKernel &made, bool isAsync) {
  constexpr int64_t mostRegisters = 230; // By that estimate, kernels do not spill.
  const GroupShape &shape = made.program.shape;
  tile::KernelOp kernel = made.kernel;
  int64_t ring = bytesOfLeastRing(made.mainloop, shape.tensor->consumers, isAsync);
  if (ring + sharedForReductions(kernel) > std::min<int64_t>(sharedBytesForMmaSync(), shape.sharedBytes))
    return noRoom;
  bool hasRegisters = registersOf(made.mainloop, shape.tensor->consumers, isAsync) <= mostRegisters;
  return hasRegisters ? nullptr : "the sums take more registers than there are";
}

/// The program cut for mma.sync, in sub-tiles of so many columns or fewer. Where it cannot be cut into small ones, for
/// it needs whole rows, threads spill.
std::optional<LaunchBuilder::TensorKernel> LaunchBuilder::buildMmaSync(const Program &general, TensorTile tile,
                                                                       const Twine &suffix, std::string &obstacle,
                                                                       bool aligned, bool isAsync) {
  constexpr int64_t leastColumns = 32;
  std::optional<TensorKernel> made = buildTensor(general, tile, suffix, obstacle, aligned);
  while (made) {
    const char *limit = limitOf(*made, isAsync);
    if (!limit)
      return made;
    TensorTile less = tile;
    less.columns = std::max(leastColumns, sizeWithin(tile.columns - 1));
    std::optional<TensorKernel> smaller;
    std::string none;
    if (less.columns < tile.columns)
      smaller = buildTensor(general, less, suffix, none, aligned);
    if (!smaller && limit != noRoom)
      return made;
    made->kernel.erase();
    obstacle = limit;
    made = std::move(smaller);
    tile = less;
  }
  return std::nullopt;
}

/// Says on a kernel that cp.async can copy its factors.
void LaunchBuilder::markCopied(const TensorKernel &made) {
  tile::KernelOp kernel = made.kernel;
  for (const Factor &factor : made.mainloop.factors)
    kernel.setArgAttr(factor.array.getArgNumber(), isCopiedAsync, UnitAttr::get(kernel.getContext()));
}

/// Whether all arrays are aligned, and the factors' rows even, as far as the host can tell.
Value LaunchBuilder::areAlignedAndEven(TensorKernel &tensor) {
  Value aligned = areAligned(tensor, /*all=*/true), even = haveEvenRows(tensor);
  return even ? plan.get().create<arith::AndIOp>(launch.getLoc(), aligned, even).getResult() : aligned;
}

/// And whether the factors' windows begin so.
Value LaunchBuilder::canCopyAsync(TensorKernel &tensor) {
  Value can = areAlignedAndEven(tensor);
  for (const Factor &factor : tensor.mainloop.factors)
    can = areEven(can, factor.even, cast<tile::RefType>(factor.array.getType()).getElementType());
  return can;
}

/// Where cp.async can copy the factors: wide sub-tiles if all arrays are aligned and the factors' rows even, and narrow
/// ones for small results and those that are not, unless rows are needed whole. What follows serves the other calls.
void LaunchBuilder::runCopied(const Program &general, TensorKernel wide) {
  const TensorTile &tile = *wide.program.shape.tensor;
  TensorTile narrowTile = tile;
  narrowTile.columns = std::min(narrowColumns, tile.columns);
  std::string obstacle;
  std::optional<TensorKernel> narrow =
      buildMmaSync(general, narrowTile, "_tensor_small", obstacle, /*aligned=*/false, /*isAsync=*/true);
  markCopied(wide);
  if (narrow)
    markCopied(*narrow);
  remark("arrays that are aligned to 16 bytes, as their rows are",
         "tensor cores (mma.sync), in sub-tiles of " + Twine(tile.consumers * TensorTile::rows) + " by " +
             Twine(tile.columns) + " (" + wide.kernel.getSymName() + ")");
  if (!narrow) {
    scf::IfOp canMultiply = branch(areFew(canCopyAsync(wide), wide.program));
    launchKernel(wide.program, wide.kernel);
    otherwise(canMultiply);
    return;
  }
  remark("few sub-tiles, and arrays of which only the factors are aligned",
         "sub-tiles of " + Twine(narrow->program.shape.tensor->columns) + " columns (" + narrow->kernel.getSymName() +
             ")");
  scf::IfOp canMultiply = branch(areFew(areAligned(*narrow, /*all=*/false), narrow->program));
  Value isWide = areAlignedAndEven(wide);
  if (general.shape.variants.small)
    isWide = plan.get().create<arith::AndIOp>(launch.getLoc(), isWide, suits(wide, *narrow));
  scf::IfOp choice = branch(isWide);
  launchKernel(wide.program, wide.kernel);
  otherwise(choice);
  launchKernel(narrow->program, narrow->kernel);
  otherwise(canMultiply);
}

/// Arrays of any strides and alignment, so that nothing is left. Chips without cp.async have a kernel for aligned ones,
/// too.
void LaunchBuilder::runThroughRegisters(const Program &general) {
  constexpr int64_t mostOfVectors = 128, mostOfElements = 64; // Elements that come one by one take registers.
  if (general.shape.hasShortMma)
    runThroughRegisters(general, mostOfVectors, /*aligned=*/true);
  runThroughRegisters(general, mostOfElements, /*aligned=*/false);
}

/// Sub-tiles of one warpgroup, whose threads load a later step while they multiply.
void LaunchBuilder::runThroughRegisters(const Program &general, int64_t mostColumns, bool aligned) {
  std::string obstacle;
  SmallVector<tile::DotOp> products = productsOf(general, obstacle);
  if (products.empty())
    return;
  TensorTile tile = tileFor(products, general);
  tile.consumers = 1;
  tile.areMany = !aligned;
  StringRef suffix = aligned ? "_tensor" : "_tensor_any";
  int64_t allColumns = std::exchange(tile.columns, std::min(mostColumns, tile.columns));
  std::optional<TensorKernel> made = buildMmaSync(general, tile, suffix, obstacle, aligned, /*isAsync=*/false);
  if (!made && allColumns > tile.columns) { // What else is stored takes whole rows.
    tile.columns = allColumns;
    made = buildMmaSync(general, tile, suffix, obstacle, aligned, /*isAsync=*/false);
  }
  if (!made)
    return;
  remark(aligned ? "arrays that are aligned to 16 bytes" : "arrays of any alignment",
         "tensor cores (mma.sync), in sub-tiles of " + Twine(TensorTile::rows) + " by " +
             Twine(made->program.shape.tensor->columns) + ", through registers (" + made->kernel.getSymName() + ")");
  if (!aligned) {
    launchKernel(made->program, made->kernel);
    isAllServed = true;
    return;
  }
  scf::IfOp canMultiply = branch(areFew(areAligned(*made, /*all=*/true), made->program));
  launchKernel(made->program, made->kernel);
  otherwise(canMultiply);
}

/// Products by mma.sync. What follows serves the other calls. `refused` is what keeps the product from better
/// instructions, if the class has them.
LogicalResult LaunchBuilder::runMmaSync(const Program &general, StringRef refused) {
  std::string obstacle;
  SmallVector<tile::DotOp> products = productsOf(general, obstacle);
  std::optional<TensorKernel> wide;
  if (areChained(products))
    wide = buildChainForWarps(general, products, obstacle);
  else if (!products.empty())
    wide = buildMmaSync(general, tileFor(products, general), "_tensor", obstacle, /*aligned=*/true, /*isAsync=*/true);
  if (!wide) {
    if (!obstacle.empty())
      remarkProduct("not on tensor cores: " + (refused.empty() ? obstacle : refused));
    if (!obstacle.empty() && refusalOfTypes(general).empty())
      launch->setAttr(keptFromTensorCores, plan.get().getStringAttr(refused.empty() ? obstacle : refused));
    return success();
  }
  if (!refused.empty())
    remarkProduct("not by wgmma: " + refused);
  isOnTensorCores = true;
  if (wide->mainloop.isChain()) {
    runChainForWarps(std::move(*wide));
    return success();
  }
  if (!general.shape.hasShortMma &&
      llvm::all_of(wide->mainloop.factors, [](const Factor &factor) { return factor.isAligned; }))
    runCopied(general, std::move(*wide));
  else
    wide->kernel->erase();
  runThroughRegisters(general);
  return success();
}

} // namespace tegula::split
