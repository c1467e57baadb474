// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels for tensor cores, and which calls they serve.
#include "ir/Arrangement.h"
#include "ir/Elements.h"
#include "transforms/products/PanelStores.h"
#include "transforms/split/LaunchBuilder.h"

using namespace mlir;

namespace tegula::split {

static std::string refusalOfTypes(tile::DotOp dot) {
  Type element = dot.getA().getType().getElementType();
  if (element.isF32())
    return "wgmma multiplies f32 as tf32 alone: tg::dot(a, b, {.precision = tg::precision::tf32})";
  return ("wgmma does not multiply " + elementOf(element)->name).str();
}

/// The one product of a program, whose result goes to a matrix; null if it has none, or, with an obstacle, if there is
/// more to it.
static tile::DotOp productOf(const Program &program, std::string &obstacle) {
  SmallVector<tile::DotOp> products;
  tile::LaunchOp(program.launch).getBody().walk([&](tile::DotOp dot) { products.push_back(dot); });
  if (products.empty())
    return {};
  obstacle = products.size() > 1            ? "the program has several products"
             : !hasTensorTypes(products[0]) ? refusalOfTypes(products[0])
             : program.domains.size() != 1  ? "the program stores results of other shapes beside the product"
             : program.domains[0].dims.size() != 2
                 ? "the result is no matrix: a block of two dimensions, others squeezed"
             : !program.scalars.contractions().empty() ? "the program needs sums before the product"
             : program.ordered                         ? "the program's loads and stores depend on each other's order"
                                                       : "";
  return obstacle.empty() ? products.front() : tile::DotOp();
}

/// The sub-tile of a CTA: rows of 128 bytes in shared memory, 256 columns, and as many rows as two warpgroups keep in
/// registers.
static TensorTile tileFor(tile::DotOp product, const Domain &domain) {
  auto within = [](int64_t bound, int64_t most, int64_t step) {
    return ShapedType::isDynamic(bound) ? most : std::min<int64_t>(most, llvm::alignTo(bound, step));
  };
  constexpr int64_t mostColumns = 256, bytesOfRow = 128, mostRows = 2 * TensorTile::rows;
  int64_t columns = domain.dims[1].bound, columnStep = columns <= 64 ? 32 : 64;
  // A program's own steps are not cut again if they fit.
  int64_t own = product.getA().getType().getDimSize(1);
  int64_t depth = bytesOfRow / tile::bytesOf(product.getA().getType().getElementType()), mostDepth = 2 * depth;
  return {within(domain.dims[0].bound, mostRows, TensorTile::rows) / TensorTile::rows,
          within(columns, mostColumns, columnStep), !ShapedType::isDynamic(own) && own <= mostDepth ? own : depth};
}

/// Whether TMA can copy what a factor is of: whatever the box is, as far as the host can tell.
Value LaunchBuilder::canMap(const Factor &factor) {
  SmallVector<int64_t> box;
  for (int64_t extent : factor.extents)
    box.push_back(std::max<int64_t>(1, extent));
  int64_t bytes = tile::bytesOf(cast<tile::RefType>(factor.array.getType()).getElementType());
  int64_t swizzle = tile::widestSwizzle(box.back() * bytes);
  box.back() = swizzle / bytes;
  return canMap(factor.array, box, swizzle, factor.even);
}

/// And whether windows begin at multiples of 16 bytes, which all blocks do if their size is one.
Value LaunchBuilder::canMap(BlockArgument array, ArrayRef<int64_t> box, int64_t swizzle, ArrayRef<BlockArgument> even) {
  Location loc = launch.getLoc();
  OpBuilder &builder = plan.get();
  int64_t unit = 16 / tile::bytesOf(cast<tile::RefType>(array.getType()).getElementType());
  Value can =
      builder.create<tile::CanMapOp>(loc, plan.arguments()[array.getArgNumber()], DenseI64ArrayAttr(), box, swizzle);
  for (BlockArgument argument : even) {
    Value rest = builder.create<arith::RemSIOp>(loc, plan.arguments()[argument.getArgNumber()], plan.constant(unit));
    can = builder.create<arith::AndIOp>(loc, can, compare(arith::CmpIPredicate::eq, rest, 0));
  }
  return can;
}

/// The program cut for tensor cores; none where they cannot run it.
std::optional<LaunchBuilder::TensorKernel> LaunchBuilder::buildTensor(const Program &general, const TensorTile &tile,
                                                                      const Twine &suffix, std::string &obstacle) {
  GroupShape shape = general.shape;
  shape.tensor = tile;
  shape.threads = tile.consumers * lanesOfWarpgroup;
  shape.mostPerThread = TensorTile::rows * tile.columns / lanesOfWarpgroup;
  shape.productDepth = tile.depth;
  ScopedDiagnosticHandler silent(launch.getContext(), [](Diagnostic &) { return success(); });
  FailureOr<Program> program = analyse(launch, extents, shape, ResidentDims());
  FailureOr<tile::KernelOp> kernel = failure();
  if (succeeded(program))
    kernel = tryBuild(*program, suffix, /*aligned=*/false);
  if (failed(kernel)) {
    obstacle = "the program cannot be cut into sub-tiles for them";
    return std::nullopt;
  }
  kernel->setConsumers(tile.consumers);
  std::optional<Mainloop> mainloop = findMainloop(*kernel, obstacle);
  if (mainloop && isPassed(mainloop->a.even) && isPassed(mainloop->b.even))
    return TensorKernel{std::move(*program), *kernel, std::move(*mainloop)};
  if (mainloop)
    obstacle = "a factor begins at places of a row that are no multiples of 16 bytes";
  kernel->erase();
  return std::nullopt;
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
    Value can = canMap(panel.array, box, PanelStore::bytesOfRow, panel.even);
    canCopy = canCopy ? plan.get().create<arith::AndIOp>(launch.getLoc(), canCopy, can).getResult() : can;
    tensor.kernel.setArgAttr(panel.array.getArgNumber(), canBeCopied, plan.get().getUnitAttr());
  }
  return canCopy;
}

/// Whether results leave otherwise, too: threads store them element by element, which takes registers.
static bool storesByThreads(const LaunchBuilder::TensorKernel &tensor) {
  int64_t stores = 0;
  tile::KernelOp(tensor.kernel).walk([&](tile::StoreOp) { ++stores; });
  return stores > static_cast<int64_t>(findPanelStores(tensor.mainloop).size());
}

/// Whether a call has enough wide sub-tiles for the multiprocessors. They do a number of rounds, and the last one may
/// leave most of them idle: narrow sub-tiles take more rounds, and 2.5 times the time for each column
/// (test/benchmark/RESULTS.md).
Value LaunchBuilder::suits(const TensorKernel &wide, const TensorKernel &narrow) {
  Location loc = launch.getLoc();
  OpBuilder &builder = plan.get();
  Value processors = builder.create<tile::MultiprocessorsOp>(loc);
  auto time = [&](const TensorKernel &each, int64_t factor) -> Value {
    Value sum = builder.create<arith::AddIOp>(loc, plan.groups(each.program), processors);
    sum = builder.create<arith::SubIOp>(loc, sum, plan.constant(1));
    Value rounds = builder.create<arith::DivSIOp>(loc, sum, processors);
    int64_t columns = each.program.shape.tensor->columns;
    return builder.create<arith::MulIOp>(loc, rounds, plan.constant(columns * factor));
  };
  return builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::sle, time(wide, 2), time(narrow, 5));
}

/// Products on tensor cores, where TMA takes the factors: wide sub-tiles that leave by TMA, and narrow ones, stored
/// from registers, for small results and those that TMA cannot copy. What follows serves the other calls.
LogicalResult LaunchBuilder::runTensor(const Program &general) {
  if (!general.shape.hasWgmma || !general.shape.variants.tensor)
    return success();
  std::string obstacle;
  tile::DotOp product = productOf(general, obstacle);
  TensorTile tile{};
  std::optional<TensorKernel> wide;
  if (product) {
    tile = tileFor(product, general.domains.front());
    wide = buildTensor(general, tile, "_tensor", obstacle);
    constexpr int64_t storedByThreads = 128;
    if (wide && tile.columns > storedByThreads && storesByThreads(*wide)) {
      wide->kernel.erase();
      tile.columns = storedByThreads;
      wide = buildTensor(general, tile, "_tensor", obstacle);
    }
  }
  if (!wide) {
    if (!obstacle.empty())
      remark("all calls", "not on tensor cores: " + obstacle);
    return success();
  }
  remark("factors that TMA can copy", "tensor cores, in sub-tiles of " + Twine(tile.consumers * TensorTile::rows) +
                                          " by " + Twine(tile.columns) + " (" + wide->kernel.getSymName() + ")");
  Value a = canMap(wide->mainloop.a), b = canMap(wide->mainloop.b);
  Value canCopy = plan.get().create<arith::AndIOp>(launch.getLoc(), a, b);
  constexpr int64_t tooMany = int64_t{1} << 28; // Kernels count narrow sub-tiles, too, in 32 bits.
  Value areFew = compare(arith::CmpIPredicate::slt, plan.groups(wide->program), tooMany);
  scf::IfOp canMultiply = branch(plan.get().create<arith::AndIOp>(launch.getLoc(), canCopy, areFew));
  Value isWide = copyResults(*wide);
  constexpr int64_t narrowColumns = 64;
  TensorTile narrowTile = tile;
  narrowTile.columns = std::min(narrowColumns, tile.columns);
  bool isNarrower = narrowTile.columns < tile.columns && general.shape.variants.small;
  std::optional<TensorKernel> narrow;
  if (isWide || isNarrower)
    narrow = buildTensor(general, narrowTile, "_tensor_small", obstacle);
  if (narrow && isNarrower) {
    Value suited = suits(*wide, *narrow);
    isWide = isWide ? plan.get().create<arith::AndIOp>(launch.getLoc(), isWide, suited).getResult() : suited;
    remark("few sub-tiles, and results that TMA cannot copy",
           "sub-tiles of " + Twine(narrowTile.columns) + " columns (" + narrow->kernel.getSymName() + ")");
  }
  if (narrow) {
    scf::IfOp choice = branch(isWide);
    launchKernel(wide->program, wide->kernel);
    otherwise(choice);
    launchKernel(narrow->program, narrow->kernel);
  } else {
    launchKernel(wide->program, wide->kernel);
  }
  otherwise(canMultiply);
  isOnTensorCores = true;
  return success();
}

} // namespace tegula::split
