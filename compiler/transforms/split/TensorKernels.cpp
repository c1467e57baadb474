// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernels for tensor cores have in common, whatever multiplies: the products of a program, sub-tiles for them,
// and the program cut into these.
//
// A product gets such kernels besides the general one, by the same splitting: a thread group is a *consumer*, a
// warpgroup with 64 rows of a sub-tile of up to 256 columns, and a chunk is 128 bytes deep (TensorTile in
// GroupShape.h). What comes out is still a kernel for FMA units, which the CPU can run and a fuzzer compare.
// products/FindMainloop.h finds its loop; if something is in the way, the kernel is dropped, and -Rsplit says why. The
// pass `tile-specialize-products` then gives it to the tensor cores. What a program makes of whole rows of a static
// block is stored beside the product, if all domains are cut alike (`resultOf`).
#include "ir/Elements.h"
#include "ir/Expressions.h"
#include "ir/KernelAttributes.h"
#include "ir/ProductOptions.h"
#include "transforms/products/FindChain.h"
#include "transforms/products/FindMainloop.h"
#include "transforms/products/MergeLoops.h"
#include "transforms/products/PanelStores.h"
#include "transforms/products/SinkTranspositions.h"
#include "transforms/products/WidenLoops.h"
#include "transforms/split/LaunchBuilder.h"

using namespace mlir;

namespace tegula::split {

static std::string refusalOfTypes(tile::DotOp dot, const GroupShape &shape) {
  Type element = dot.getA().getType().getElementType();
  if (element.isF32() && !shape.hasShortMma)
    return "tensor cores multiply f32 as tf32 alone: tg::dot(a, b, {.precision = tg::precision::tf32}), or tf32x3, "
           "bf16x3";
  std::string name = elementOf(element)->name.str();
  if (shape.hasShortMma && tensorTypesOf(dot, /*mmaSync=*/true))
    return "before sm_80 tegulac multiplies f16 and 8-bit floats on tensor cores, not " + name;
  return (shape.takesMmaSync ? "mma.sync does not multiply " : "wgmma does not multiply ") + name;
}

/// Whether f16 is what is multiplied, perhaps of 8-bit floats.
static bool hasShortMma(tile::DotOp dot) {
  Type left = dot.getA().getType().getElementType();
  return left.isF16() || (isa<FloatType>(left) && left.getIntOrFloatBitWidth() == 8);
}

/// The results of which products make every row and column; null, with an obstacle, if there are none, or some of
/// several shapes.
static const Domain *resultOf(const Program &program, std::string &obstacle) {
  const Domain *result = nullptr;
  bool isBatch = false;
  for (const Domain &domain : program.domains)
    for (const Demand::Contraction &contraction : domain.demand.contractions()) {
      bool isProduct = contraction.value.getDefiningOp<tile::DotOp>() &&
                       llvm::all_of(contraction.roles, [](int role) { return role != Demand::whole; });
      isBatch |= isProduct && domain.dims.size() > 2;
      bool isMatrix = isProduct && domain.dims.size() == 2;
      if (isMatrix && result && result != &domain) {
        obstacle = "products of several shapes are stored: give each a launch of its own";
        return nullptr;
      }
      if (isMatrix)
        result = &domain;
    }
  if (!result)
    obstacle = isBatch ? "the result is a batch of matrices: take the batch as an axis of the grid, in blocks of "
                         "tg::in<tg::squeezed, ...>, or map the entry by tg::vmap"
                       : "the result of the product is not stored as a matrix, a block of two dimensions";
  return result;
}

static const Domain &resultOf(const Program &program) {
  std::string none;
  return *resultOf(program, none);
}

static SmallVector<tile::DotOp> dotsOf(const Program &program) {
  SmallVector<tile::DotOp> dots;
  tile::LaunchOp(program.launch).getBody().walk([&](tile::DotOp dot) { dots.push_back(dot); });
  return dots;
}

std::string refusalOfTypes(const Program &program) {
  const GroupShape &shape = program.shape;
  for (tile::DotOp dot : dotsOf(program))
    if ((shape.hasShortMma && !hasShortMma(dot)) || !tensorTypesOf(dot, shape.takesMmaSync))
      return refusalOfTypes(dot, shape);
  return "";
}

SmallVector<tile::DotOp> productsOf(const Program &program, std::string &obstacle) {
  SmallVector<tile::DotOp> products = dotsOf(program);
  if (products.empty())
    return {};
  obstacle = refusalOfTypes(program);
  if (!obstacle.empty())
    return {};
  if (!program.scalars.contractions().empty())
    obstacle = "the program reduces to a number: store what it makes of rows, as by tg::max<1>, and reduce that in "
               "another launch";
  else if (resultOf(program, obstacle) && program.ordered)
    obstacle = "the program's loads and stores depend on each other's order";
  return obstacle.empty() ? products : SmallVector<tile::DotOp>();
}

TensorTile tileFor(ArrayRef<tile::DotOp> products, const Program &program) {
  auto within = [](int64_t bound, int64_t most, int64_t step) {
    return ShapedType::isDynamic(bound) ? most : std::min<int64_t>(most, llvm::alignTo(bound, step));
  };
  constexpr int64_t mostColumns = 256, bytesOfRow = 128, mostRows = 2 * TensorTile::rows;
  const Domain &domain = resultOf(program);
  int64_t columns = domain.dims[1].bound, columnStep = columns <= 64 ? 32 : 64;
  if (!program.shape.takesMmaSync && columns <= 16)
    columnStep = 16;
  // A program's own steps are not cut again if they fit.
  int64_t depth = 0;
  for (tile::DotOp product : products) {
    int64_t own = product.getA().getType().getDimSize(1);
    int64_t usual = bytesOfRow / tile::bytesOf(product.getA().getType().getElementType());
    bool isStep = isa<scf::ForOp>(product->getParentOp()) || own % TensorTile::depthStep == 0;
    depth = std::max(depth, isStep && !ShapedType::isDynamic(own) && own <= 2 * usual ? own : usual);
  }
  TensorTile tile{within(domain.dims[0].bound, mostRows, TensorTile::rows) / TensorTile::rows,
                  within(columns, mostColumns, columnStep), depth};
  if (!program.shape.takesMmaSync) {
    auto options = ProductOptions::of(tile::LaunchOp(program.launch));
    if (options.consumers)
      tile.consumers = std::min(tile.consumers, options.consumers);
    if (options.columns)
      tile.columns = std::min(tile.columns, options.columns);
    if (options.depth)
      tile.depth = options.depth;
  }
  return tile;
}

std::string refusalOf(const ProductOptions &options, ArrayRef<tile::DotOp> products, const Program &program) {
  if (products.empty())
    return "the launch has no product";
  if (options.consumers > 2)
    return ".num_consumers = 3 is for products that are made of others; 1 or 2 warpgroups multiply these";
  const Domain &domain = resultOf(program);
  auto exceeds = [](int64_t size, const DomainDim &dim) { return dim.isStatic() && size > dim.bound; };
  if (exceeds((options.consumers - 1) * TensorTile::rows + 1, domain.dims[0]))
    return "each of .num_consumers = " + std::to_string(options.consumers) + " has 64 rows, and a block has " +
           std::to_string(domain.dims[0].bound);
  if (options.columns && exceeds(options.columns - 63, domain.dims[1]))
    return ".tile_n is " + std::to_string(options.columns) + ", and a block has " +
           std::to_string(domain.dims[1].bound) + " columns";
  for (tile::DotOp product : products)
    if (int64_t own = product.getA().getType().getDimSize(1);
        options.depth && isa<scf::ForOp>(product->getParentOp()) && own != options.depth)
      return ".tile_k is " + std::to_string(options.depth) + ", and a loop of the program sums steps of " +
             std::to_string(own);
  return "";
}

/// Whether, beside the condition, arguments are multiples of 16 bytes of such elements.
Value LaunchBuilder::areEven(Value condition, ArrayRef<BlockArgument> even, Type element) {
  Location loc = launch.getLoc();
  OpBuilder &builder = plan.get();
  for (BlockArgument argument : even) {
    Value number = plan.arguments()[argument.getArgNumber()];
    Value rest = builder.create<arith::RemSIOp>(loc, number, plan.constant(tile::elementsIn(16, element)));
    condition = builder.create<arith::AndIOp>(loc, condition, compare(arith::CmpIPredicate::eq, rest, 0));
  }
  return condition;
}

/// Whether, beside the condition, sub-tiles are few enough to be counted in 32 bits, as kernels do: narrow ones, too.
Value LaunchBuilder::areFew(Value condition, const Program &program) {
  constexpr int64_t tooMany = int64_t{1} << 28;
  Value are = compare(arith::CmpIPredicate::slt, plan.groups(program), tooMany);
  return plan.get().createOrFold<arith::AndIOp>(launch.getLoc(), condition, are);
}

/// Whether each thread group of a CTA or cluster has a part of all that a program stores, and no other one has it too.
static bool isSharedOut(const Program &program) {
  const TensorTile &tile = *program.shape.tensor;
  int64_t all = program.areInClusters() ? tile.consumers : tile.members();
  return program.isCutAlike() && llvm::all_of(program.domains, [&](const Domain &domain) {
           int64_t members = 1;
           for (const DomainDim &dim : domain.dims)
             members *= dim.members;
           return members == all;
         });
}

/// What a program does that thread groups cannot share out.
static std::string whyNotShared(const Program &program) {
  if (llvm::any_of(program.domains, [](const Domain &domain) { return domain.roots.empty(); }))
    return "the program prints, once for all of its block: do that in a launch of its own";
  if (llvm::all_of(program.domains, [](const Domain &domain) { return domain.dims.size() == 2; }))
    return "the program makes something for whole rows or columns of what it stores, which sub-tiles would each make "
           "again";
  SmallVector<tile::DotOp> dots = dotsOf(program);
  for (const Domain &domain : program.domains)
    for (tile::RootOpInterface root : domain.roots)
      if (auto store = dyn_cast<tile::StoreOp>(root.getOperation());
          store && llvm::none_of(dots, [&](tile::DotOp dot) { return dependsOn(store.getValue(), dot.getResult()); }))
        return "beside the product, the program stores a tile that is not made of it, such as a constant: do that in a "
               "launch of its own";
  return "the program stores results of other shapes beside the product, which are not made of whole sub-tiles: of "
         "static rows of at most " +
         std::to_string(program.shape.tensor->columns) + " elements";
}

static std::string noCluster(const TensorTile &tile) {
  return "a cluster takes the rows of one block, of more than 128 rows (64 with .num_consumers = 1), or two programs "
         "that are neighbours along the last axis but one of the grid, have blocks of at most " +
         std::to_string(tile.columns) + " columns, for which there are registers, and read nothing that they store";
}

/// Whether CTAs may be clusters: where one too many does a program again, none reads what it stores.
static bool canCluster(const Program &program) {
  if (!program.areInClusters())
    return true;
  return !tile::LaunchOp(program.launch)
              .getBody()
              .walk([&](tile::LoadOp load) {
                bool isStored = program.stored.contains(tile::arrayOf(load.getRef()).getArgNumber());
                return isStored ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Whether the stages of a ring that are wanted, or two, have room, also if what is stored leaves by TMA.
static bool hasRoomForRing(tile::KernelOp kernel, const Mainloop &mainloop, const GroupShape &shape, int64_t wanted) {
  int64_t leastStages = std::max<int64_t>(2, wanted), consumers = shape.tensor->consumers;
  if (mainloop.isChain())
    return std::max(leastStagesOfChain, wanted) * bytesOfStage(mainloop, consumers) <=
           roomForChain(mainloop, consumers, shape.sharedBytes);
  return leastStages * bytesOfStage(mainloop, consumers) <=
         roomForRing(kernel, shape.sharedBytes, PanelStore::stagingBytes(consumers, TensorTile::rows));
}

/// Whether products have as many columns as instructions take. What else is made for a sub-tile may leave it fewer.
static bool haveColumns(tile::KernelOp kernel) {
  constexpr int64_t leastColumns = 8;
  return !kernel
              .walk([](tile::DotOp dot) {
                bool hasFew = cast<RankedTensorType>(dot.getType()).getShape().back() % leastColumns != 0;
                return hasFew ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

/// The program cut for tensor cores; none where they cannot run it.
std::optional<LaunchBuilder::TensorKernel> LaunchBuilder::buildTensor(const Program &general, const TensorTile &tile,
                                                                      const Twine &suffix, std::string &obstacle,
                                                                      bool aligned) {
  GroupShape shape = general.shape;
  shape.tensor = tile;
  shape.threads = tile.consumers * lanesOfWarpgroup;
  shape.mostPerThread = TensorTile::rows * tile.columns / lanesOfWarpgroup;
  shape.productDepth = tile.depth;
  ScopedDiagnosticHandler silent(launch.getContext(), [](Diagnostic &) { return success(); });
  FailureOr<Program> program = analyse(launch, extents, shape, ResidentDims());
  FailureOr<tile::KernelOp> kernel = failure();
  if (succeeded(program) && !canCluster(*program)) {
    obstacle = noCluster(tile);
    return std::nullopt;
  }
  if (succeeded(program) && !isSharedOut(*program)) {
    if (tile.cluster > 1) {
      TensorTile alone = tile;
      alone.cluster = 1;
      if (std::optional<TensorKernel> made = buildTensor(general, alone, suffix, obstacle, aligned)) {
        made->kernel.erase();
        obstacle = noCluster(tile);
      }
      return std::nullopt;
    }
    obstacle = whyNotShared(*program);
    return std::nullopt;
  }
  if (succeeded(program))
    kernel = tryBuild(*program, suffix, aligned ? Rows::aligned : Rows::strided);
  if (succeeded(kernel) && !haveColumns(*kernel)) {
    kernel->erase();
    kernel = failure();
  }
  if (failed(kernel)) {
    obstacle = cannotBeCut;
    return std::nullopt;
  }
  kernel->setConsumers(tile.consumers);
  kernel->setMmaSync(shape.takesMmaSync);
  auto options = ProductOptions::of(launch);
  if (options.consumers)
    (*kernel)->setAttr(consumersAreGiven, plan.get().getUnitAttr());
  if (options.stages && !shape.takesMmaSync)
    (*kernel)->setAttr(stagesOfRing, plan.get().getI64IntegerAttr(options.stages));
  if (tile.cluster > 1)
    (*kernel)->setAttr(clusterOfProducts, plan.get().getI64IntegerAttr(tile.cluster));
  if (program->areInClusters())
    (*kernel)->setAttr(programsInCluster, plan.get().getUnitAttr());
  if (shape.hasShortMma)
    (*kernel)->setAttr(tile::isForShortMma, plan.get().getUnitAttr());
  widenProductLoops(*kernel);
  sinkTranspositions(*kernel);
  mergeProductLoops(*kernel);
  if (tile.isChain)
    prepareChains(*kernel);
  std::optional<Mainloop> mainloop = findMainloop(*kernel, obstacle);
  if (mainloop && mainloop->isChain() && !tile.isChain) { // A part of the sum, whose CTAs stay.
    obstacle = "products that are made of others are not divided";
    mainloop.reset();
  }
  if (!mainloop && (obstacle == severalLoops || obstacle == innerLoop)) {
    SmallVector<tile::DotOp> dots = dotsOf(*program);
    if (llvm::any_of(dots, [](tile::DotOp dot) { return dot->getParentOfType<scf::IfOp>() != nullptr; }))
      obstacle = "a product is inside of a branch: loop over the steps that are wanted alone, as by an array of their "
                 "numbers, or compute it in all steps, and let a mask leave out what is not wanted";
    else if (dots.size() == 1 && obstacle == severalLoops)
      obstacle =
          "the program reduces rows or columns of the product or of its factors, too: do that in a launch of its own";
  }
  if (mainloop)
    for (Factor &factor : mainloop->factors)
      factor.isAligned &= isPassed(factor.even);
  if (mainloop && !shape.takesMmaSync) {
    if (!llvm::all_of(mainloop->factors, [](const Factor &factor) { return factor.isAligned; })) {
      obstacle = "a factor begins at places of a row that are no multiples of 16 bytes";
      mainloop.reset();
    } else if (!hasRoomForRing(*kernel, *mainloop, shape, options.stages)) {
      obstacle = noRoom;
      mainloop.reset();
    }
  }
  if (mainloop)
    return TensorKernel{std::move(*program), *kernel, std::move(*mainloop)};
  kernel->erase();
  return std::nullopt;
}

/// Whether a call has enough wide sub-tiles for the multiprocessors. They do a number of rounds, and the last one may
/// leave most of them idle: narrow sub-tiles take more rounds, and 2.5 times the time for each column
/// (test/benchmark/RESULTS.md).
Value LaunchBuilder::suits(const TensorKernel &wide, const TensorKernel &narrow) {
  Location loc = launch.getLoc();
  OpBuilder &builder = plan.get();
  auto time = [&](const TensorKernel &each, int64_t factor) -> Value {
    Value processors = plan.processors(each.program);
    Value sum = builder.create<arith::AddIOp>(loc, plan.groups(each.program), processors);
    sum = builder.create<arith::SubIOp>(loc, sum, plan.constant(1));
    Value rounds = builder.create<arith::DivSIOp>(loc, sum, processors);
    int64_t columns = each.program.shape.tensor->columns;
    return builder.create<arith::MulIOp>(loc, rounds, plan.constant(columns * factor));
  };
  return builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::sle, time(wide, 2), time(narrow, 5));
}

} // namespace tegula::split
