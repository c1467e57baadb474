// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/FindMainloop.h"

#include "ir/Expressions.h"
#include "ir/Parts.h"
#include "ir/ProductOptions.h"
#include "transforms/products/FactorFinder.h"
#include "transforms/products/FindChain.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tegula {
namespace {

class Finder {
public:
  Finder(tile::KernelOp kernel, std::string &obstacle)
      : kernel(kernel), obstacle(obstacle), factors(kernel, found, obstacle) {}

  std::optional<Mainloop> find();

private:
  /// Says what is in the way, and is false.
  bool refuse(const Twine &why) {
    obstacle = why.str();
    return false;
  }
  bool findLoop();
  bool findFactors();
  bool findSums(ArrayRef<tile::DotOp> dots);
  bool findPartialSums(ArrayRef<tile::DotOp> dots);
  bool checkShapes();
  bool checkMembers();
  bool checkCombination();
  llvm::SmallPtrSet<Operation *, 8> opsOfProducts();
  bool checkBody();
  bool checkRest();

  tile::KernelOp kernel;
  std::string &obstacle;
  Mainloop found;
  FactorFinder factors;
};

/// Whether a product is in a loop that goes on as long as something holds.
static bool isInWhile(tile::DotOp dot) { return dot->getParentOfType<scf::WhileOp>() != nullptr; }

/// The one loop with products, in the loop over sub-tiles.
bool Finder::findLoop() {
  SmallVector<tile::DotOp> dots;
  kernel.walk([&](tile::DotOp dot) { dots.push_back(dot); });
  if (llvm::any_of(dots, isInWhile))
    return refuse(
        "the loop of the product does not count up to a bound that is known in front of it: it breaks, counts "
        "down, or its bound changes. Write for (i = begin; i < end; i += step), with a constant step, and let "
        "the bound or a mask leave out what is not wanted");
  found.loop = dyn_cast<scf::ForOp>(dots.front()->getParentOp());
  bool areTogether = llvm::all_of(dots, [&](tile::DotOp dot) { return dot->getParentOp() == found.loop; });
  if (found.loop)
    found.work = dyn_cast<scf::ForOp>(found.loop->getParentOp());
  bool isOutermost = found.work && found.work->getBlock() == &kernel.getBody().front();
  if (!found.loop)
    return refuse("the product is no sum over a loop");
  if (!areTogether)
    return refuse(severalLoops);
  if (!isOutermost)
    return refuse(innerLoop);
  if (areChained(dots))
    return findChain(kernel, found, dots, factors, obstacle);
  if (!(findSums(dots) || findPartialSums(dots)) || !checkShapes() || !findFactors())
    return false;
  // The stages of a ring have something in them.
  return !found.factors.empty() || refuse("no factor is loaded as it stands, so that nothing can be copied ahead");
}

bool Finder::findFactors() {
  for (Product &product : found.products) {
    std::optional<unsigned> a = factors.find(product, /*isLeft=*/true);
    std::optional<unsigned> b = a ? factors.find(product, /*isLeft=*/false) : std::nullopt;
    if (!b)
      return false;
    product.a = *a, product.b = *b;
  }
  return true;
}

/// All that the loop carries are sums, and each product is added to one of them.
bool Finder::findSums(ArrayRef<tile::DotOp> dots) {
  for (auto [number, carried] : llvm::enumerate(found.loop.getRegionIterArgs())) {
    Value sum = carried;
    while (sum != found.loop.getYieldedValues()[number]) {
      auto dot = sum.hasOneUse() ? dyn_cast<tile::DotOp>(*sum.user_begin()) : tile::DotOp();
      if (!dot || dot.getAcc() != sum)
        return refuse("the loop does more than to add up products");
      found.products.push_back({dot, 0, 0, static_cast<unsigned>(number)});
      sum = dot.getResult();
    }
  }
  if (found.products.size() != dots.size())
    return refuse("the loop does more than to add up products");
  llvm::sort(found.products,
             [](const Product &a, const Product &b) { return tile::DotOp(a.dot)->isBeforeInBlock(b.dot); });
  return true;
}

/// Each product is of its step alone; what the loop carries is made of them. (mma.sync has no registers for both.)
bool Finder::findPartialSums(ArrayRef<tile::DotOp> dots) {
  auto isPartial = [](tile::DotOp dot) {
    auto start = dot.getAcc() ? dot.getAcc().getDefiningOp<tile::FullOp>() : tile::FullOp();
    return !dot.getAcc() ||
           (start && (matchPattern(start.getValue(), m_AnyZeroFloat()) || matchPattern(start.getValue(), m_Zero())));
  };
  if (kernel.getMmaSync() || !llvm::all_of(dots, isPartial))
    return false;
  found.products.clear();
  for (auto [number, dot] : llvm::enumerate(dots))
    found.products.push_back({dot, 0, 0, static_cast<unsigned>(number)});
  return found.combines = true;
}

/// The consumers of a CTA have neighbouring rows of the left factors, and the right ones together.
bool Finder::checkMembers() {
  Value member = positionIn(kernel).member;
  if (!member)
    return true;
  scf::ForOp loop = found.loop;
  for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
    if (dependsOn(bound, member))
      return refuse("programs that would share a cluster have loops of several lengths");
  for (const Factor &factor : found.factors)
    for (auto [dim, sum] : llvm::enumerate(factor.offsets)) {
      bool isRows = factor.isLeft && dim == factor.side;
      if (llvm::any_of(sum, [&](Value offset) { return dependsOn(offset, member); }) != isRows)
        return refuse(!isRows && clusterSizeOf(kernel) > 1
                          ? "the programs of a cluster multiply by different columns, or are of different matrices"
                          : "the product is stored with its dimensions in another order");
    }
  return true;
}

/// Whether all warpgroups can compute integers of a step by themselves: of others, and of elements of arrays, but not
/// of what the loop carries from the step before.
static bool areComputedByAll(ArrayRef<Value> integers, tile::KernelOp kernel, scf::ForOp loop) {
  llvm::SetVector<Value> all(integers.begin(), integers.end());
  for (size_t i = 0; i < all.size(); ++i) {
    Operation *op = all[i].getDefiningOp();
    if (llvm::is_contained(loop.getRegionIterArgs(), all[i]))
      return false;
    auto tile = dyn_cast<RankedTensorType>(all[i].getType());
    if ((tile && tile.getRank() > 0) || (op && op->getNumRegions() > 0))
      return false;
    auto load = dyn_cast_or_null<tile::LoadOp>(op);
    if (load ? storesTo(kernel, tile::arrayOf(load.getRef())) : op && !isMemoryEffectFree(op))
      return false;
    if (op)
      all.insert(op->operand_begin(), op->operand_end());
  }
  return true;
}

static bool makesTile(Operation *op) { return llvm::any_of(op->getResults(), tile::isTile); }

/// Whether consumers can compute what the loop carries of the products, element by element.
bool Finder::checkCombination() {
  for (Operation *op : found.combination()) {
    auto indexed = dyn_cast<tile::IndexedOpInterface>(op);
    bool isKnown = op->getNumRegions() == 0 && (isa<tile::LoadOp>(op) || isMemoryEffectFree(op)) &&
                   (!makesTile(op) || (indexed && !tile::isContraction(op) && !isa<tile::PermuteOp>(op)));
    if (!isKnown)
      return refuse("the loop does more with products than to compute element by element");
    if (makesTile(op) && (factors.isOfFactors(op) || found.tiles.contains(op->getResult(0))))
      return refuse("the loop computes with a factor beside the product");
    if (auto load = dyn_cast<tile::LoadOp>(op); load && storesTo(kernel, tile::arrayOf(load.getRef())))
      return refuse("the loop loads what the program stores to");
  }
  return true;
}

/// The products, what is copied ahead for them, and what is computed of them.
llvm::SmallPtrSet<Operation *, 8> Finder::opsOfProducts() {
  llvm::SmallPtrSet<Operation *, 8> ops;
  for (const Product &product : found.products)
    ops.insert(product.dot);
  for (const auto &[tile, factor] : found.tiles)
    for (Operation *op = tile.getDefiningOp(); op;
         op = isa<tile::PermuteOp>(op) ? op->getOperand(0).getDefiningOp() : nullptr) {
      ops.insert(op);
      if (auto load = dyn_cast<tile::LoadOp>(op); load && load.getMask()) // Of zeros outside.
        for (Value filled : {load.getMask(), load.getOther()})
          ops.insert(filled.getDefiningOp());
    }
  if (!found.combines)
    return ops;
  for (Operation *op : found.combination())
    ops.insert(op);
  for (const Product &product : found.products)
    if (Value start = tile::DotOp(product.dot).getAcc())
      ops.insert(start.getDefiningOp());
  return ops;
}

/// What else the loop does finds addresses, which the producer can do, too.
bool Finder::checkBody() {
  if (found.combines && !checkCombination())
    return false;
  llvm::SmallPtrSet<Operation *, 8> known = opsOfProducts();
  for (Operation &op : found.loop.getBody()->without_terminator()) {
    auto load = dyn_cast<tile::LoadOp>(op);
    bool isElement = load && load.getType().getRank() == 0; // Which places may be made of.
    if (!found.isChain() && !known.contains(&op) && !factors.isOfFactors(&op) && !isElement &&
        (!isMemoryEffectFree(&op) || op.getNumRegions() > 0 || makesTile(&op)))
      return refuse("the loop computes with tiles beside the product");
  }
  SmallVector<Value> integers = {found.loop.getLowerBound(), found.loop.getUpperBound(), found.loop.getStep()};
  for (const Factor &factor : found.factors)
    for (ArrayRef<Value> sum : factor.offsets)
      llvm::append_range(integers, sum);
  return areComputedByAll(integers, kernel, found.loop) ||
         refuse("the places of the factors are computed in a branch, of what the step before has made, or loaded from "
                "an array that the program stores to: compute them of the loop's variable");
}

/// What the program does outside of the loop leaves factors alone, and the memory that the ring takes.
bool Finder::checkRest() {
  WalkResult turns = kernel.walk([&](tile::PermuteOp permute) {
    return permute->getParentOp() != found.loop ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (turns.wasInterrupted()) // Threads would exchange it through that memory.
    return refuse("the program transposes a tile that is no factor: a result is stored so by "
                  "tg::transpose_ref(o)[tg::all] = ...");
  bool isOverwritten =
      llvm::any_of(found.factors, [&](const Factor &factor) { return storesTo(kernel, factor.array); });
  return !isOverwritten || refuse("the program stores to a factor");
}

bool Finder::checkShapes() {
  for (const Product &product : found.products) {
    RankedTensorType a = tile::DotOp(product.dot).getA().getType(), result = tile::DotOp(product.dot).getType();
    if (a.getRank() != 2)
      return refuse("the product is of several matrices");
    if (result.getDimSize(0) != WgmmaTypes::rows || result.getDimSize(1) > WgmmaTypes::mostColumns ||
        result != tile::DotOp(found.products.front().dot).getType())
      return refuse("the product is stored with its dimensions in another order");
    if (a.getElementTypeBitWidth() !=
            tile::DotOp(found.products.front().dot).getA().getType().getElementTypeBitWidth() &&
        kernel.getMmaSync())
      return refuse("the products are of elements of several sizes");
    if (int64_t depth = tensorTypesOf(product.dot, kernel.getMmaSync())->depth(); a.getDimSize(1) % depth != 0)
      return refuse("a step of the loop sums " + Twine(a.getDimSize(1)) +
                    " elements, and tensor cores take a multiple of " + Twine(depth));
  }
  return true;
}

std::optional<Mainloop> Finder::find() {
  if (!findLoop() || !checkMembers() || !checkBody() || !checkRest())
    return std::nullopt;
  return found;
}
} // namespace

std::optional<Mainloop> findMainloop(tile::KernelOp kernel, std::string &obstacle) {
  return Finder(kernel, obstacle).find();
}

} // namespace tegula
