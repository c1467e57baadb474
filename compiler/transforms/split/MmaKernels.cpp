// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels for mma.sync, and which calls they serve.
#include "transforms/split/KernelBuilder.h"
#include "transforms/split/LaunchBuilder.h"

using namespace mlir;

namespace tegula::split {

/// Whether cp.async can copy the factors: from rows and windows that begin at multiples of 16 bytes. With `all`, all
/// arrays of the launch are so aligned.
Value LaunchBuilder::areAligned(const TensorKernel &tensor, bool all) {
  SmallVector<Value> arrays;
  const Mainloop &mainloop = tensor.mainloop;
  for (auto [argument, inside] : llvm::zip(plan.arguments(), tile::KernelOp(tensor.kernel).getArguments()))
    if (isa<tile::ArrayType>(argument.getType()) &&
        (all || llvm::any_of(mainloop.factors, [&](const Factor &factor) { return factor.array == inside; })))
      arrays.push_back(argument);
  Value aligned = plan.get().create<tile::DenseOp>(launch.getLoc(), arrays, accessBytes, /*contiguous=*/false);
  if (all)
    return aligned;
  for (const Factor &factor : mainloop.factors)
    aligned = areEven(aligned, factor.even, cast<tile::RefType>(factor.array.getType()).getElementType());
  return aligned;
}

/// Products by mma.sync, where cp.async can copy the factors: wide sub-tiles if all arrays are aligned, and narrow ones
/// for small results and those that are not. What follows serves the other calls.
LogicalResult LaunchBuilder::runMmaSync(const Program &general) {
  std::string obstacle;
  SmallVector<tile::DotOp> products = productsOf(general, obstacle);
  TensorTile tile{};
  std::optional<TensorKernel> wide;
  if (!products.empty()) {
    tile = tileFor(products, general);
    wide = buildTensor(general, tile, "_tensor", obstacle, /*aligned=*/true);
  }
  if (!wide) {
    if (!obstacle.empty())
      remark("all calls", "not on tensor cores: " + obstacle);
    return success();
  }
  constexpr int64_t narrowColumns = 64;
  TensorTile narrowTile = tile;
  narrowTile.columns = std::min(narrowColumns, tile.columns);
  std::optional<TensorKernel> narrow = buildTensor(general, narrowTile, "_tensor_small", obstacle);
  if (!narrow) {
    wide->kernel->erase();
    remark("all calls", "not on tensor cores: " + obstacle);
    return success();
  }
  remark("arrays that are aligned to 16 bytes, as their rows are",
         "tensor cores (mma.sync), in sub-tiles of " + Twine(tile.consumers * TensorTile::rows) + " by " +
             Twine(tile.columns) + " (" + wide->kernel.getSymName() + ")");
  remark("few sub-tiles, and arrays of which only the factors are aligned",
         "sub-tiles of " + Twine(narrowTile.columns) + " columns (" + narrow->kernel.getSymName() + ")");
  Value canCopy = areAligned(*narrow, /*all=*/false);
  constexpr int64_t tooMany = int64_t{1} << 28; // Kernels count sub-tiles in 32 bits.
  Value areFew = compare(arith::CmpIPredicate::slt, plan.groups(narrow->program), tooMany);
  scf::IfOp canMultiply = branch(plan.get().create<arith::AndIOp>(launch.getLoc(), canCopy, areFew));
  Value isWide = areAligned(*wide, /*all=*/true);
  if (general.shape.variants.small)
    isWide = plan.get().create<arith::AndIOp>(launch.getLoc(), isWide, suits(*wide, *narrow));
  scf::IfOp choice = branch(isWide);
  launchKernel(wide->program, wide->kernel);
  otherwise(choice);
  launchKernel(narrow->program, narrow->kernel);
  otherwise(canMultiply);
  isOnTensorCores = true;
  return success();
}

} // namespace tegula::split
