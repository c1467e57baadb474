// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/Mainloop.h"

#include "analysis/Divisors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tegula {
namespace {

/// A wgmma sums 32 bytes of a row at a time (PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions").
constexpr int64_t bytesAtATime = 32;
/// Of rows of a product that a warpgroup takes, and at most of columns.
constexpr int64_t rowsOfWgmma = 64, mostColumns = 256;
constexpr int64_t mostDimsOfMap = 5;

/// Whether a number is a multiple of `unit`, perhaps if some arguments are.
bool isEven(Value value, int64_t unit, EvenArguments &even) {
  if (tile::divisorOf(value) % unit == 0)
    return true;
  auto addArgument = [&](Value each) {
    auto argument = dyn_cast<BlockArgument>(each);
    if (!argument || !isa<tile::KernelOp>(argument.getOwner()->getParentOp()))
      return false;
    if (!llvm::is_contained(even, argument))
      even.push_back(argument);
    return true;
  };
  if (auto product = value.getDefiningOp<arith::MulIOp>())
    return addArgument(product.getLhs()) || addArgument(product.getRhs());
  if (auto sum = value.getDefiningOp<arith::AddIOp>())
    return isEven(sum.getLhs(), unit, even) && isEven(sum.getRhs(), unit, even);
  return addArgument(value);
}

/// Elements of the units in which TMA counts (CUDA C++ Programming Guide, "Tensor Memory Access").
int64_t unitOf(BlockArgument array) {
  constexpr int64_t bytes = 16;
  return bytes / tile::bytesOf(cast<tile::RefType>(array.getType()).getElementType());
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
  if (rank > mostDimsOfMap)
    return no(name + " has more than " + Twine(mostDimsOfMap) + " dimensions, and TMA copies from no such array");
  if (std::max(dims[0], dims[1]) + 1 != rank)
    return no(name + " has one index of its array's last dimension, along which TMA copies");
  for (auto [dim, ofArray] : llvm::enumerate(dims))
    factor.extents[ofArray] = tileType.getDimSize(dim);
  factor.isTransposed = (transpose != nullptr) != (dims[0] > dims[1]);
  unsigned depth = dims[depthDim];
  side = dims[1 - depthDim];
  if (windows[depth] > 1 || !areSteps[depth])
    return no(name + " is a window that ends before its array, along the dimension that is summed over");
  for (Value offset : factor.offsets.back())
    if (!isEven(offset, unitOf(factor.array), factor.even))
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
  if (result.getDimSize(0) != rowsOfWgmma || result.getDimSize(1) > mostColumns) {
    no("the product is stored with its dimensions in another order");
    return std::nullopt;
  }
  if (a.getDimSize(1) * tile::bytesOf(a.getElementType()) % bytesAtATime != 0) {
    no("a step of the loop sums " + Twine(a.getDimSize(1)) + " elements, and wgmma takes a multiple of " +
       Twine(bytesAtATime / tile::bytesOf(a.getElementType())));
    return std::nullopt;
  }
  if (!findFactor(found.dot.getA(), found.a, 1, found.rows, "the left factor") ||
      !findFactor(found.dot.getB(), found.b, 0, found.columns, "the right factor") || !checkMembers() || !checkBody())
    return std::nullopt;
  return found;
}
} // namespace

// ---- Stores ---------------------------------------------------------------------------------------------------------

/// Whether a tile is made of the loop's result, element by element: it has the layout that tensor cores give that.
static bool followsProduct(Value tile, const Mainloop &mainloop) {
  if (tile == scf::ForOp(mainloop.loop).getResult(0))
    return true;
  Operation *op = tile.getDefiningOp();
  return op && tile::isElementwise(op) &&
         llvm::any_of(op->getOperands(), [&](Value operand) { return followsProduct(operand, mainloop); });
}

/// Whether the store is alone with its array, but for loads before it.
static bool isAlone(tile::StoreOp store) {
  Value array = tile::arrayOf(store.getRef());
  WalkResult result = store->getParentOfType<tile::KernelOp>().walk([&](Operation *op) {
    auto load = dyn_cast<tile::LoadOp>(op);
    auto other = dyn_cast<tile::StoreOp>(op);
    bool isLater = load && tile::arrayOf(load.getRef()) == array &&
                   !(load->getBlock() == store->getBlock() && load->isBeforeInBlock(store));
    bool isOther = other && other != store && tile::arrayOf(other.getRef()) == array;
    return isLater || isOther ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// Whether a ref is a window of its array in one of the array's dimensions.
static bool isWindow(Value ref, int64_t ofArray) {
  for (; Operation *view = ref.getDefiningOp(); ref = view->getOperand(0))
    if (auto slice = dyn_cast<tile::SliceOp>(view))
      for (auto [dim, each] : llvm::enumerate(tile::arrayDimsOf(slice.getSource())))
        if (each == ofArray && slice.getMode(dim) != tile::SliceMode::Whole)
          return true;
  return false;
}

static std::optional<PanelStore> panelStoreOf(tile::StoreOp store) {
  auto type = cast<RankedTensorType>(store.getValue().getType());
  auto array = dyn_cast<BlockArgument>(tile::arrayOf(store.getRef()));
  int64_t bytes = tile::bytesOf(type.getElementType());
  if (store.getMask() || !array || type.getRank() != 2 || type.getDimSize(0) % 64 != 0 || bytes > 4 ||
      type.getDimSize(1) * bytes % PanelStore::bytesOfRow != 0)
    return std::nullopt;
  int64_t rank = cast<tile::RefType>(array.getType()).getRank();
  SmallVector<int64_t> dims = tile::arrayDimsOf(store.getRef());
  if (rank > mostDimsOfMap || dims[0] > dims[1] || dims[1] + 1 != rank)
    return std::nullopt;
  PanelStore panel{store, array, type.getDimSize(0), PanelStore::bytesOfRow / bytes, 0, /*isCutByArray=*/true};
  panel.panels = type.getDimSize(1) / panel.columns;
  for (Value ref = store.getRef(); Operation *view = ref.getDefiningOp(); ref = view->getOperand(0)) {
    auto slice = dyn_cast<tile::SliceOp>(view);
    if (!slice) // A view with its dimensions in another order.
      return std::nullopt;
    for (auto [dim, ofArray] : llvm::enumerate(tile::arrayDimsOf(slice.getSource()))) {
      auto side = llvm::find(dims, ofArray) - dims.begin();
      if (slice.getMode(dim) == tile::SliceMode::Whole)
        continue;
      if (ofArray + 1 == rank && !isEven(slice.getOffset(dim), unitOf(array), panel.even))
        return std::nullopt;
      if (side == static_cast<int64_t>(dims.size()))
        continue;
      int64_t extent = type.getDimSize(side), bound = slice.getBound(dim);
      bool isStatic = !slice.getSize(dim) && !ShapedType::isDynamic(bound);
      if (isStatic && bound < extent) // No sub-tile is full.
        return std::nullopt;
      // A window of whole sub-tiles cuts none off, if they begin at multiples of their extent in it.
      bool isInWindow = isWindow(slice.getSource(), ofArray);
      panel.isCutByArray &=
          isStatic && bound % extent == 0 && (!isInWindow || tile::divisorOf(slice.getOffset(dim)) % extent == 0);
    }
  }
  return panel;
}

SmallVector<PanelStore> findPanelStores(const Mainloop &mainloop) {
  SmallVector<PanelStore> found;
  for (auto store : scf::ForOp(mainloop.work).getBody()->getOps<tile::StoreOp>()) {
    std::optional<PanelStore> panel = panelStoreOf(store);
    if (!panel || !followsProduct(store.getValue(), mainloop) || !isAlone(store))
      continue;
    bool isAlike = found.empty() || (found.front().rows == panel->rows &&
                                     cast<tile::RefType>(found.front().array.getType()).getElementType() ==
                                         cast<tile::RefType>(panel->array.getType()).getElementType());
    if (isAlike)
      found.push_back(std::move(*panel));
  }
  return found;
}

// ---- Loops ----------------------------------------------------------------------------------------------------------

bool hasTensorTypes(tile::DotOp dot) {
  Type factors = dot.getA().getType().getElementType();
  return (factors.isBF16() || factors.isF16()) && dot.getB().getType().getElementType() == factors &&
         dot.getType().getElementType().isF32();
}

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
