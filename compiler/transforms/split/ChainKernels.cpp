// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of programs whose loop makes products of products, as attention does (products/FindChain.h): one for what
// TMA can copy, or, with mma.sync, for what cp.async can copy. All other arrays take the general kernel, on FMA units.
#include "ir/Expressions.h"
#include "transforms/Alignment.h"
#include "transforms/products/FindChain.h"
#include "transforms/products/MultistageChain.h"
#include "transforms/split/LaunchBuilder.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tegula::split {

/// How wide the widest tile of the products is, and how much of a lane's registers they take with the most of a step:
/// what is made of the first ones, the left factors of the others, and the sums.
static std::pair<int64_t, int64_t> sizeOf(ArrayRef<tile::DotOp> products) {
  int64_t widest = 0, registers = 0;
  for (tile::DotOp product : products) {
    bool isFirst = isFirstOfChain(product, products);
    int64_t depth = product.getA().getType().getDimSize(1), columns = product.getType().getDimSize(1);
    for (int64_t size : {depth, columns})
      widest = std::max(widest, ShapedType::isDynamic(size) ? std::numeric_limits<int64_t>::max() : size);
    registers += (continuedBy(product, products) ? 0 : columns / 2) + (isFirst ? 0 : depth / 4);
  }
  return {widest, registers};
}

/// What a lane keeps of what the loop loads beside the factors, and of masks and positions: of a matrix, such as a
/// bias, elements, and places of as many; of a vector of keys, those of its own columns.
static int64_t registersBeside(tile::DotOp product) {
  constexpr int64_t lanesOfRow = 4, ofMasks = 8;
  auto loop = dyn_cast<scf::ForOp>(product->getParentOp());
  if (!loop)
    return 0;
  int64_t registers = 0;
  bool hasMasks = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto type = op.getNumResults() == 1 ? dyn_cast<RankedTensorType>(op.getResult(0).getType()) : RankedTensorType();
    if (!type || type.getRank() == 0 || ShapedType::isDynamic(type.getShape().back()))
      continue;
    bool isFactor =
        llvm::all_of(op.getUsers(), [](Operation *user) { return isa<tile::DotOp, tile::PermuteOp>(user); });
    if (isa<tile::LoadOp>(op) && !isFactor)
      registers += 2 * type.getShape().back() / (type.getRank() == 2 ? 1 : lanesOfRow);
    bool isFixed = isa<tile::LoadOp, tile::FullOp, tile::BroadcastOp, tile::DotOp>(op);
    hasMasks |=
        type.getShape() == product.getType().getShape() && !isFixed && !dependsOn(op.getResult(0), product.getResult());
  }
  return registers + (hasMasks ? ofMasks : 0);
}

/// How many warpgroups have rows and registers for the products.
static int64_t consumersFor(ArrayRef<tile::DotOp> products) {
  // Beside tiles, registers hold numbers of rows, addresses and what is computed on the way.
  constexpr int64_t beside = 32, mostWithThree = 160, most = 3;
  int64_t rows = tile::DotOp(products.front()).getType().getDimSize(0);
  int64_t together =
      sizeOf(products).second + registersBeside(products.front()) + beside <= mostWithThree ? most : most - 1;
  int64_t all = ShapedType::isDynamic(rows) ? 2 : llvm::divideCeil(rows, TensorTile::rows);
  // The CTAs that share a block have as many rows each.
  return llvm::divideCeil(all, llvm::divideCeil(all, together));
}

/// 1 if an integer is the greater the greater another one is, -1 if it is the smaller, and 0 if it does not depend on
/// it. What is no sum of it counts as greater: causal loops are.
static int growthWith(Value value, Value other) {
  if (value == other)
    return 1;
  Operation *op = value.getDefiningOp();
  if (!op)
    return 0;
  auto of = [&](unsigned operand) { return growthWith(op->getOperand(operand), other); };
  auto together = [](int a, int b) { return a == b || b == 0 ? a : a == 0 ? b : 1; };
  if (isa<arith::AddIOp, arith::MinSIOp, arith::MaxSIOp>(op))
    return together(of(0), of(1));
  if (isa<arith::SubIOp>(op))
    return together(of(0), -of(1));
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op))
    return of(0);
  if (APInt factor; isa<arith::MulIOp, arith::DivSIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&factor)))
    return factor.isNegative() ? -of(0) : of(0);
  return dependsOn(value, other) ? 1 : 0;
}

TensorTile chainTileFor(ArrayRef<tile::DotOp> products, const Program &program) {
  // Chunks are powers of two: these are as they stand.
  auto widest = int64_t(llvm::PowerOf2Ceil(uint64_t(sizeOf(products).first)));
  // Options are wgmma's.
  auto options = program.shape.takesMmaSync ? ProductOptions() : ProductOptions::of(tile::LaunchOp(program.launch));
  TensorTile tile{options.consumers ? options.consumers : consumersFor(products), widest, widest};
  tile.isChain = true;
  // Programs late along the last axis of the grid that have longer loops begin first: what is left in the end is short.
  auto loop = products.front()->getParentOfType<scf::ForOp>();
  tile::LaunchOp(program.launch).getBody().walk([&](tile::ProgramIdOp id) {
    bool isLast = id.getAxis() + 1 == tile::LaunchOp(program.launch).getGrid().size();
    tile.isLongestLast |= isLast && loop && growthWith(loop.getUpperBound(), id) > 0;
  });
  return tile;
}

static constexpr char tooWide[] = "products that are made of others, and those, have at most 256 columns, and sum at "
                                  "most 256 elements in a step: take smaller blocks";

/// Says which blocks would do, where the program's are in the way.
static void adviseOnBlocks(ArrayRef<tile::DotOp> products, std::string &obstacle) {
  if (obstacle == noRoom)
    obstacle += ": take smaller blocks or steps";
  constexpr int64_t fewRows = 16;
  int64_t rows = tile::DotOp(products.front()).getType().getDimSize(0);
  if (obstacle == cannotBeCut && !ShapedType::isDynamic(rows) && rows < fewRows)
    obstacle = "a block has " + std::to_string(rows) + (rows == 1 ? " row" : " rows") +
               ", and tensor cores multiply more: take blocks of 16, of which those out of bounds are left out";
}

/// How many steps are in shared memory at a time.
static int64_t stagesOf(const LaunchBuilder::TensorKernel &made) {
  const GroupShape &shape = made.program.shape;
  return stagesOfChainForWarps(made.mainloop, shape.tensor->consumers,
                               std::min<int64_t>(sharedBytesForMmaSync(), shape.sharedBytes));
}

/// What keeps warps from a chain that has been cut; empty if nothing does.
static std::string obstacleOf(const LaunchBuilder::TensorKernel &made) {
  const Mainloop &mainloop = made.mainloop;
  if (!llvm::all_of(mainloop.factors, [](const Factor &factor) { return factor.isAligned; }))
    return "a factor begins at places of a row that are no multiples of 16 bytes";
  return stagesOf(made) > 0 ? "" : noRoom;
}

/// The arguments of which right factors of products are loaded.
SmallVector<unsigned> LaunchBuilder::rightFactors() {
  llvm::SmallSetVector<unsigned, 4> found;
  launch.getBody().walk([&](tile::DotOp dot) {
    Value factor = dot.getB();
    if (auto transpose = factor.getDefiningOp<tile::PermuteOp>())
      factor = transpose.getSource();
    if (auto load = factor.getDefiningOp<tile::LoadOp>())
      found.insert(tile::arrayOf(load.getRef()).getArgNumber());
  });
  return found.takeVector();
}

/// Takes for granted what spares addresses, for which there are no registers: that matrices which the loop loads beside
/// the factors, such as a bias, are aligned, and that the elements of vectors, such as a mask of keys, are neighbours.
/// Returns whether the host finds them so, null without such, and what they are.
std::pair<Value, std::string> LaunchBuilder::alignOthers(TensorKernel &tensor) {
  llvm::SmallSetVector<unsigned, 4> matrices, vectors;
  scf::ForOp(tensor.mainloop.loop).getBody()->walk([&](tile::LoadOp load) {
    unsigned array = tile::arrayOf(load.getRef()).getArgNumber();
    bool isFactor = llvm::any_of(tensor.mainloop.factors,
                                 [&](const Factor &factor) { return factor.array.getArgNumber() == array; });
    int64_t rank = load.getType().getRank();
    if (isFactor || rank == 0 || !isGiven(array))
      return;
    auto type = cast<tile::RefType>(tensor.kernel.getArgument(array).getType());
    if (rank == 2)
      matrices.insert(array);
    else if (tile::arrayDimsOf(load.getRef()).back() + 1 == type.getRank())
      vectors.insert(array);
  });
  for (unsigned array : matrices)
    vectors.remove(array);
  Value are;
  auto align = [&](ArrayRef<unsigned> found, bool isVector) {
    SmallVector<Value> arrays;
    for (unsigned array : found) {
      BlockArgument argument = tensor.kernel.getArgument(array);
      auto type = cast<tile::RefType>(argument.getType());
      int64_t bytes = isVector ? tile::bytesOf(type.getElementType()) : accessBytes;
      argument.setType(
          tile::RefType::get(type.getElementType(), type.getDims(), bytes, /*isEven=*/false, type.getSpace()));
      arrays.push_back(plan.arguments()[array]);
    }
    if (arrays.empty())
      return;
    Value own = plan.get().create<tile::DenseOp>(launch.getLoc(), arrays, isVector ? 1 : accessBytes,
                                                 /*contiguous=*/false);
    are = are ? plan.get().create<arith::AndIOp>(launch.getLoc(), are, own).getResult() : own;
  };
  std::string what = matrices.empty() ? "" : ", and other matrices aligned to 16 bytes";
  if (!vectors.empty())
    what += ", and vectors whose elements are neighbours";
  align(matrices.getArrayRef(), /*isVector=*/false);
  align(vectors.getArrayRef(), /*isVector=*/true);
  if (!are)
    return {};
  Builder types(launch.getContext());
  tensor.kernel.setFunctionType(types.getFunctionType(tensor.kernel.getBody().getArgumentTypes(), {}));
  propagateAlignment(tensor.kernel);
  return {are, what};
}

/// One kernel for what TMA can copy. False, with an obstacle, if there is none.
FailureOr<bool> LaunchBuilder::runChain(const Program &general, ArrayRef<tile::DotOp> products, std::string &obstacle) {
  auto options = ProductOptions::of(launch);
  if (options.columns || options.depth || options.cluster > 1)
    return refuseOptions("products that are made of others have the columns and the depth that the program gives them, "
                         "and no cluster");
  std::optional<TensorKernel> made;
  if (sizeOf(products).first > WgmmaTypes::mostColumns)
    obstacle = tooWide;
  else if (int64_t rows = tile::DotOp(products.front()).getType().getDimSize(0);
           !ShapedType::isDynamic(rows) && rows <= (options.consumers - 1) * TensorTile::rows)
    obstacle = "each of .num_consumers = " + std::to_string(options.consumers) + " has 64 rows, and a block has " +
               std::to_string(rows);
  else
    made = buildTensor(general, chainTileFor(products, general), "_tensor", obstacle);
  if (!made)
    adviseOnBlocks(products, obstacle);
  if (!made)
    return options.areGiven() ? FailureOr<bool>(refuseOptions(obstacle)) : FailureOr<bool>(false);
  const TensorTile &tile = *made->program.shape.tensor;
  Value canCopy = canCopyFactors(*made);
  auto [areOthersAligned, others] = alignOthers(*made);
  if (areOthersAligned)
    canCopy = plan.get().create<arith::AndIOp>(launch.getLoc(), canCopy, areOthersAligned);
  scf::IfOp canMultiply = branch(areFew(canCopy, made->program));
  Value canCopyResults = copyResults(*made);
  remark("factors that TMA can copy" + others,
         "tensor cores, in sub-tiles of " + Twine(tile.consumers * TensorTile::rows) + " rows" + describeRoles(*made));
  launchKernel(made->program, made->kernel, /*cluster=*/{}, canCopyResults);
  otherwise(canMultiply);
  remark("other arrays", "FMA units, some 30 times slower");
  isOnTensorCores = true;
  return true;
}

/// The kernel for mma.sync, with as many consumers as there is room for the rows of.
std::optional<LaunchBuilder::TensorKernel>
LaunchBuilder::buildChainForWarps(const Program &general, ArrayRef<tile::DotOp> products, std::string &obstacle) {
  if (general.shape.hasShortMma) {
    obstacle = "before sm_80 tegulac multiplies no products that are made of others on tensor cores";
    return std::nullopt;
  }
  if (sizeOf(products).first > WgmmaTypes::mostColumns) {
    obstacle = tooWide;
    return std::nullopt;
  }
  TensorTile tile = chainTileFor(products, general);
  for (; tile.consumers > 0; --tile.consumers) {
    std::optional<TensorKernel> made = buildTensor(general, tile, "_tensor", obstacle, /*aligned=*/true);
    if (!made) {
      adviseOnBlocks(products, obstacle);
      return std::nullopt;
    }
    obstacle = obstacleOf(*made);
    if (obstacle.empty())
      return made;
    made->kernel.erase();
    if (obstacle != noRoom)
      return std::nullopt;
  }
  adviseOnBlocks(products, obstacle);
  return std::nullopt;
}

/// For what cp.async can copy. What follows serves the other calls.
void LaunchBuilder::runChainForWarps(TensorKernel made) {
  const TensorTile &tile = *made.program.shape.tensor;
  markCopied(made);
  if (ProductOptions::of(launch).areGiven())
    remarkProduct("by mma.sync, where the compiler chooses: .num_consumers, .num_stages and the like are wgmma's");
  remark("arrays that are aligned to 16 bytes, as their rows are",
         "tensor cores (mma.sync), in sub-tiles of " + Twine(tile.consumers * TensorTile::rows) + " rows (" +
             made.kernel.getSymName() + "): " + Twine(tile.consumers * 4) + " warps, and " + Twine(stagesOf(made)) +
             (stagesOf(made) == 1 ? " stage" : " stages"));
  scf::IfOp canMultiply = branch(areFew(canCopyAsync(made), made.program));
  launchKernel(made.program, made.kernel);
  otherwise(canMultiply);
  remark("other arrays", "FMA units, some 30 times slower");
}

} // namespace tegula::split
