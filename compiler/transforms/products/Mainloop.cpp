// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/Mainloop.h"

#include "ir/Wgmma.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tegula {
namespace {

/// The unit reads f32 as tf32, which is for products that say so. Of what it multiplies, mma.sync takes 16-bit floats
/// here.
std::optional<WgmmaTypes> typesOf(tile::DotOp dot, bool mmaSync) {
  Type left = dot.getA().getType().getElementType(), sum = dot.getType().getElementType();
  bool isRefused = mmaSync ? !(left.isF16() || left.isBF16()) || !sum.isF32()
                           : left.isF32() && dot.getPrecision() != tile::Precision::Tf32;
  if (isRefused)
    return std::nullopt;
  return findWgmma(left, dot.getB().getType().getElementType(), sum);
}

class Finder {
public:
  Finder(tile::KernelOp kernel, std::string &obstacle) : kernel(kernel), obstacle(obstacle) {}

  std::optional<Mainloop> find();

private:
  /// Says what is in the way, and is false.
  bool no(const Twine &why) {
    obstacle = why.str();
    return false;
  }
  bool findLoop();
  bool findFactor(Value tile, Factor &factor, unsigned depthDim, unsigned &side, StringRef name);
  bool dependsOnMember(Value value);
  bool checkMembers();
  bool checkMajors();
  bool isStep(tile::SliceOp slice, unsigned dim, int64_t depth);
  bool checkBody();

  tile::KernelOp kernel;
  std::string &obstacle;
  Mainloop found;
};

/// The one loop with a product, in the loop over sub-tiles.
bool Finder::findLoop() {
  SmallVector<tile::DotOp> dots;
  kernel.walk([&](tile::DotOp dot) { dots.push_back(dot); });
  if (dots.size() != 1)
    return no("the program has several products");
  found.dot = dots.front();
  found.loop = dyn_cast<scf::ForOp>(found.dot->getParentOp());
  if (!found.loop)
    return no("the product is no sum over a loop");
  found.work = dyn_cast<scf::ForOp>(found.loop->getParentOp());
  if (!found.work || found.work->getBlock() != &kernel.getBody().front())
    return no("the loop of the product is inside of another loop or a branch");
  bool isCarried = found.loop.getNumRegionIterArgs() == 1 && found.dot.getAcc() == found.loop.getRegionIterArg(0) &&
                   found.loop.getYieldedValues().front() == found.dot.getResult();
  return isCarried || no("the loop does more than to add up the product");
}

/// Beyond the end of the array TMA fills in zeros. Elsewhere there is something else, and it must not be summed: of the
/// dimension that is summed over, a factor is as much as a step takes.
bool Finder::isStep(tile::SliceOp slice, unsigned dim, int64_t depth) {
  return slice.getMode(dim) == tile::SliceMode::Window && !slice.getSize(dim) && slice.getBound(dim) == depth;
}

bool Finder::findFactor(Value tile, Factor &factor, unsigned depthDim, unsigned &side, StringRef name) {
  auto transpose = tile.getDefiningOp<tile::PermuteOp>();
  if (transpose)
    tile = transpose.getSource(), depthDim = 1 - depthDim;
  factor.load = tile.getDefiningOp<tile::LoadOp>();
  if (!factor.load || factor.load->getParentOp() != found.loop)
    return no(name + " is not loaded as it stands");
  if (factor.load.getMask())
    return no(name + " is loaded with a mask");
  Value ref = factor.load.getRef();
  auto tileType = factor.load.getType();
  SmallVector<tile::SliceOp> slices;
  for (; Operation *view = ref.getDefiningOp(); ref = view->getOperand(0))
    if (auto slice = dyn_cast<tile::SliceOp>(view))
      slices.push_back(slice);
  factor.array = cast<BlockArgument>(ref);
  unsigned rank = cast<tile::RefType>(ref.getType()).getRank();
  factor.offsets.resize(rank);
  factor.extents.assign(rank, 0);
  SmallVector<unsigned> windows(rank);
  SmallVector<bool> areSteps(rank, true);
  for (tile::SliceOp slice : llvm::reverse(slices))
    for (auto [dim, ofArray] : llvm::enumerate(tile::arrayDimsOf(slice.getSource())))
      if (slice.getMode(dim) != tile::SliceMode::Whole) {
        factor.offsets[ofArray].push_back(slice.getOffset(dim));
        ++windows[ofArray];
        areSteps[ofArray] = areSteps[ofArray] && isStep(slice, dim, tileType.getDimSize(depthDim));
      }
  SmallVector<int64_t> dims = tile::arrayDimsOf(factor.load.getRef());
  bool isByTma = !kernel.getMmaSync();
  if (isByTma && rank > mostDimsOfMap)
    return no(name + " has more than " + Twine(mostDimsOfMap) + " dimensions, and TMA copies from no such array");
  if (std::max(dims[0], dims[1]) + 1 != rank)
    return no(name + " has one index of its array's last dimension, along which copies go");
  for (auto [dim, ofArray] : llvm::enumerate(dims))
    factor.extents[ofArray] = tileType.getDimSize(dim);
  factor.isTransposed = (transpose != nullptr) != (dims[0] > dims[1]);
  unsigned depth = dims[depthDim];
  side = dims[1 - depthDim];
  if (isByTma && (windows[depth] > 1 || !areSteps[depth])) // cp.async ends with the window.
    return no(name + " is a window that ends before its array, along the dimension that is summed over");
  for (Value offset : factor.offsets.back())
    if (!isEven(offset, factor.array, factor.even))
      return no(name + " begins at places of a row that are no multiples of 16 bytes");
  return true;
}

bool Finder::dependsOnMember(Value value) {
  Value member = positionIn(kernel).member;
  if (value == member)
    return true;
  Operation *op = value.getDefiningOp();
  return op && llvm::any_of(op->getOperands(), [&](Value operand) { return dependsOnMember(operand); });
}

/// The consumers of a CTA have neighbouring rows of the left factor, and the right one together.
bool Finder::checkMembers() {
  if (!positionIn(kernel).member)
    return true;
  for (const Factor *factor : {&found.a, &found.b})
    for (auto [dim, sum] : llvm::enumerate(factor->offsets)) {
      bool isRows = factor == &found.a && dim == found.rows;
      if (llvm::any_of(sum, [&](Value offset) { return dependsOnMember(offset); }) != isRows)
        return no("the product is stored with its dimensions in another order");
    }
  return true;
}

/// TMA copies rows as they are, and wgmma takes those of most types along the dimension that is summed over only.
bool Finder::checkMajors() {
  std::optional<WgmmaTypes> types = typesOf(found.dot, kernel.getMmaSync());
  if (types->isTransposable())
    return true;
  std::string rule = ("wgmma sums along the rows of factors of " + types->left->name + ": ").str();
  if (found.a.isTransposed)
    return no(rule + "store a as M x K, and do not transpose it");
  return found.b.isTransposed || no(rule + "store b as N x K, and multiply by tg::transpose(b)");
}

/// Whether an integer is computed without tiles, so that all warpgroups can.
static bool isComputedByAll(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return true;
  return isMemoryEffectFree(op) && op->getNumRegions() == 0 && llvm::all_of(op->getOperands(), [](Value operand) {
           return !isa<RankedTensorType>(operand.getType()) && isComputedByAll(operand);
         });
}

/// What else the loop does finds addresses, which the producer can do, too.
bool Finder::checkBody() {
  for (Operation &op : found.loop.getBody()->without_terminator())
    if (&op != found.dot && &op != found.a.load && &op != found.b.load && !isa<tile::PermuteOp>(op) &&
        (!isMemoryEffectFree(&op) || op.getNumRegions() > 0 ||
         llvm::any_of(op.getResultTypes(), [](Type type) { return isa<RankedTensorType>(type); })))
      return no("the loop computes with tiles beside the product");
  SmallVector<Value> integers = {found.loop.getLowerBound(), found.loop.getUpperBound(), found.loop.getStep()};
  for (const Factor *factor : {&found.a, &found.b})
    for (ArrayRef<Value> sum : factor->offsets)
      llvm::append_range(integers, sum);
  if (!llvm::all_of(integers, isComputedByAll))
    return no("where the factors are is loaded, or computed in a branch");
  bool isOverwritten = false, isTransposed = false;
  kernel.walk([&](Operation *op) {
    if (auto store = dyn_cast<tile::StoreOp>(op)) {
      Value array = tile::arrayOf(store.getRef());
      isOverwritten |= array == found.a.array || array == found.b.array;
    }
    isTransposed |= isa<tile::PermuteOp>(op) && op->getParentOp() != found.loop;
  });
  if (isTransposed) // Threads would exchange it through memory that the ring takes.
    return no("the program transposes a tile that is no factor");
  return !isOverwritten || no("the program stores to a factor");
}

std::optional<Mainloop> Finder::find() {
  if (!findLoop())
    return std::nullopt;
  RankedTensorType a = found.dot.getA().getType(), result = found.dot.getType();
  if (a.getRank() != 2) {
    no("the product is of several matrices");
    return std::nullopt;
  }
  if (result.getDimSize(0) != WgmmaTypes::rows || result.getDimSize(1) > WgmmaTypes::mostColumns) {
    no("the product is stored with its dimensions in another order");
    return std::nullopt;
  }
  if (int64_t depth = typesOf(found.dot, kernel.getMmaSync())->depth(); a.getDimSize(1) % depth != 0) {
    no("a step of the loop sums " + Twine(a.getDimSize(1)) + " elements, and tensor cores take a multiple of " +
       Twine(depth));
    return std::nullopt;
  }
  if (!findFactor(found.dot.getA(), found.a, 1, found.rows, "the left factor") ||
      !findFactor(found.dot.getB(), found.b, 0, found.columns, "the right factor") || !checkMajors() ||
      !checkMembers() || !checkBody())
    return std::nullopt;
  return found;
}
} // namespace

bool hasTensorTypes(tile::DotOp dot, bool mmaSync) { return typesOf(dot, mmaSync).has_value(); }

Position positionIn(tile::KernelOp kernel) {
  auto group = *kernel.getBody().front().getOps<tile::ThreadGroupOp>().begin();
  Position position{group, {}};
  if (*kernel.getConsumers() > 1) // KernelBuilder::buildPersistent takes these of it, and nothing else.
    for (Operation *user : group->getUsers())
      (isa<arith::RemUIOp>(user) ? position.member : position.block) = user->getResult(0);
  return position;
}

std::optional<Mainloop> findMainloop(tile::KernelOp kernel, std::string &obstacle) {
  return Finder(kernel, obstacle).find();
}

} // namespace tegula
