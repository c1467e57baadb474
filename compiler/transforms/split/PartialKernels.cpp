// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel of partial sums of products: of each launch one, the fastest.
#include "ir/ProductOptions.h"
#include "transforms/products/PanelStores.h"
#include "transforms/split/LaunchBuilder.h"

using namespace mlir;

namespace tegula::split {

/// The kernel for wgmma, whose factors and results TMA copies, and which calls it serves.
std::optional<LaunchBuilder::TensorKernel> LaunchBuilder::buildAloneByTma(const Program &general, Value &serves) {
  std::string obstacle;
  SmallVector<tile::DotOp> products = productsOf(general, obstacle);
  std::optional<TensorKernel> made;
  if (!products.empty())
    made = buildWide(general, products, obstacle);
  if (!made)
    return std::nullopt;
  serves = canCopyFactors(*made);
  for (const PanelStore &panel : findPanelStores(made->mainloop)) {
    if (!isPassed(panel.even))
      continue;
    serves = areEven(serves, panel.even, cast<tile::RefType>(panel.array.getType()).getElementType());
    made->kernel.setArgAttr(panel.array.getArgNumber(), canBeCopied, plan.get().getUnitAttr());
  }
  return made;
}

/// The kernel for mma.sync, of aligned factors, and which calls it serves; none if these are not for tensor cores.
/// Fails if they are, but not so.
FailureOr<std::optional<LaunchBuilder::TensorKernel>> LaunchBuilder::buildAloneForWarps(const Program &general,
                                                                                        Value &serves) {
  constexpr int64_t mostOfVectors = 128, mostOfTwo = 64;
  std::string obstacle;
  SmallVector<tile::DotOp> products = productsOf(general, obstacle);
  if (products.empty())
    return std::optional<TensorKernel>();
  bool isAsync = !general.shape.hasShortMma;
  TensorTile tile = tileFor(products, general);
  if (!isAsync)
    tile.consumers = 1, tile.columns = std::min(mostOfVectors, tile.columns);
  std::optional<TensorKernel> made = buildMmaSync(general, tile, "_tensor", obstacle, /*aligned=*/true, isAsync);
  // Several sums that are stored as they are take more registers than what a program makes of them.
  if (made && scf::ForOp(made->mainloop.loop).getNumResults() > 1 && tile.columns > mostOfTwo) {
    made->kernel.erase();
    tile.columns = mostOfTwo;
    made = buildMmaSync(general, tile, "_tensor", obstacle, /*aligned=*/true, isAsync);
  }
  bool areFactorsAligned =
      made && llvm::all_of(made->mainloop.factors, [](const Factor &factor) { return factor.isAligned; });
  if (made && !areFactorsAligned)
    made->kernel.erase();
  if (!areFactorsAligned)
    return failure();
  if (isAsync)
    markCopied(*made);
  serves = isAsync ? canCopyAsync(*made) : areAligned(*made, /*all=*/true);
  return made;
}

/// The kernel for tensor cores with the widest sub-tiles.
FailureOr<std::optional<LaunchBuilder::TensorKernel>> LaunchBuilder::buildAlone(const Program &general, Value &serves) {
  const GroupShape &shape = general.shape;
  std::optional<TensorKernel> made;
  if (!shape.variants.tensor)
    return made;
  if (shape.hasWgmma)
    made = buildAloneByTma(general, serves);
  if (made || !(shape.hasWgmma || shape.takesMmaSync))
    return made;
  Program warps = general;
  warps.shape.takesMmaSync = true;
  return buildAloneForWarps(warps, serves);
}

FailureOr<Program> LaunchBuilder::runAlone(const Program &general) {
  ownsResults = true;
  Value serves;
  FailureOr<std::optional<TensorKernel>> found = buildAlone(general, serves);
  if (failed(found))
    return failure();
  std::optional<TensorKernel> &tensor = *found;
  FailureOr<tile::KernelOp> kernel = tensor ? tensor->kernel : tryBuild(general, "", Rows::aligned);
  const Program &program = tensor ? tensor->program : general;
  if (failed(kernel))
    return failure();
  if (tensor)
    (*kernel)->setAttr(beginsTogether, plan.get().getUnitAttr());
  branch(tensor ? serves : isDense());
  launchKernel(program, *kernel);
  plan.get().setInsertionPointToEnd(&launch.getPlan().front());
  plan.finish();
  return program;
}

} // namespace tegula::split
