// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/Mainloop.h"

#include "ir/Expressions.h"
#include "ir/Wgmma.h"
#include "transforms/products/FactorBuilder.h"
#include "transforms/products/FactorWindow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tegula {
namespace {

/// The units read f32 as tf32, which is for products that say so.
std::optional<WgmmaTypes> typesOf(tile::DotOp dot, bool mmaSync) {
  Type left = dot.getA().getType().getElementType();
  if (left.isF32() && dot.getPrecision() != tile::Precision::Tf32)
    return std::nullopt;
  Type right = dot.getB().getType().getElementType(), sum = dot.getType().getElementType();
  return mmaSync ? findMma(left, right, sum) : findWgmma(left, right, sum);
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
  bool findSums(ArrayRef<tile::DotOp> dots);
  bool findPartialSums(ArrayRef<tile::DotOp> dots);
  std::optional<unsigned> findFactor(Value tile, bool isLeft);
  std::optional<unsigned> findSlices(TypedValue<RankedTensorType> tile, bool isLeft);
  std::optional<unsigned> findOperand(const Product &product, bool isLeft);
  bool isLoaded(Value tile);
  bool findParts(Value value, RankedTensorType type, bool isLeft);
  bool isStoredTo(Value array);
  bool canCompute(Operation *op, bool isLeft);
  /// Whether a consumer makes all of a factor that it has.
  bool isWhole(bool isLeft) { return isLeft || kernel.getMmaSync(); }
  void stage(Value tile, bool isLeft, const WgmmaTypes &types);
  bool checkShapes();
  bool checkMembers();
  bool checkCombination();
  bool checkBody();

  tile::KernelOp kernel;
  std::string &obstacle;
  Mainloop found;
  /// What computes factors.
  llvm::SmallPtrSet<Operation *, 8> ofFactors;
};

/// The one loop with products, in the loop over sub-tiles.
bool Finder::findLoop() {
  SmallVector<tile::DotOp> dots;
  kernel.walk([&](tile::DotOp dot) { dots.push_back(dot); });
  found.loop = dyn_cast<scf::ForOp>(dots.front()->getParentOp());
  if (!found.loop)
    return no("the product is no sum over a loop");
  if (llvm::any_of(dots, [&](tile::DotOp dot) { return dot->getParentOp() != found.loop; }))
    return no(severalLoops);
  found.work = dyn_cast<scf::ForOp>(found.loop->getParentOp());
  if (!found.work || found.work->getBlock() != &kernel.getBody().front())
    return no("the loop of the product is inside of another loop or a branch");
  return findSums(dots) || findPartialSums(dots);
}

/// All that the loop carries are sums, and each product is added to one of them.
bool Finder::findSums(ArrayRef<tile::DotOp> dots) {
  for (auto [number, carried] : llvm::enumerate(found.loop.getRegionIterArgs())) {
    Value sum = carried;
    while (sum != found.loop.getYieldedValues()[number]) {
      auto dot = sum.hasOneUse() ? dyn_cast<tile::DotOp>(*sum.user_begin()) : tile::DotOp();
      if (!dot || dot.getAcc() != sum)
        return no("the loop does more than to add up products");
      found.products.push_back({dot, 0, 0, static_cast<unsigned>(number)});
      sum = dot.getResult();
    }
  }
  if (found.products.size() != dots.size())
    return no("the loop does more than to add up products");
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

static bool areSame(const Factor &a, const Factor &b) {
  return a.isLeft == b.isLeft && a.array == b.array && a.offsets == b.offsets && a.extents == b.extents &&
         a.isTransposed == b.isTransposed;
}

/// Whether a tile is all of a window, perhaps transposed.
bool Finder::isLoaded(Value tile) {
  if (auto transpose = tile.getDefiningOp<tile::PermuteOp>())
    tile = transpose.getSource();
  auto load = tile.getDefiningOp<tile::LoadOp>();
  return load && load->getParentOp() == found.loop && !load.getMask();
}

/// A factor that several products have is one.
std::optional<unsigned> Finder::findFactor(Value tile, bool isLeft) {
  Value product = tile;
  if (!isLoaded(tile)) {
    auto load = tile.getDefiningOp<tile::LoadOp>();
    no(Twine(nameOf(isLeft)) + (load && load.getMask() ? " is loaded with a mask" : " is not loaded as it stands"));
    return std::nullopt;
  }
  auto transpose = tile.getDefiningOp<tile::PermuteOp>();
  if (transpose)
    tile = transpose.getSource();
  std::optional<Factor> factor = describeFactor(tile.getDefiningOp<tile::LoadOp>(), transpose != nullptr, isLeft,
                                                /*isByTma=*/!kernel.getMmaSync(), obstacle);
  if (!factor)
    return std::nullopt;
  auto *known = llvm::find_if(found.factors, [&](const Factor &other) { return areSame(*factor, other); });
  if (known == found.factors.end()) {
    found.factors.push_back(std::move(*factor));
    known = std::prev(found.factors.end());
  }
  return found.tiles[product] = known - found.factors.begin();
}

bool Finder::isStoredTo(Value array) {
  auto result = kernel.walk([&](tile::StoreOp store) {
    return tile::arrayOf(store.getRef()) == array ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// Whether consumers can do an op anew for a factor. Of a right one of wgmma each makes some columns, by parts of what
/// the loop and what is before it compute.
bool Finder::canCompute(Operation *op, bool isLeft) {
  bool isInLoop = op->getParentOp() == found.loop;
  if (auto load = dyn_cast<tile::LoadOp>(op)) {
    if (isStoredTo(tile::arrayOf(load.getRef())))
      return no(Twine(nameOf(isLeft)) + " is made of an array that the program stores to");
    return true;
  }
  auto indexed = dyn_cast<tile::IndexedOpInterface>(op);
  bool isPart = indexed && indexed.getNumReductionDims() == 0;
  bool isKnown =
      isInLoop && op->getNumRegions() == 0 && !isa<tile::DotOp, tile::PermuteOp>(op) && isMemoryEffectFree(op);
  bool makesTile = llvm::any_of(op->getResultTypes(), [](Type type) { return isa<RankedTensorType>(type); });
  if (isWhole(isLeft) ? isKnown : (makesTile ? isPart && !isa<tile::DotOp>(op) : isKnown || !isInLoop))
    return true;
  return no(Twine(nameOf(isLeft)) + " is made of another product, a transposition, a sum or a branch");
}

/// What a factor of this shape is computed from in a step: windows of that shape, which are copied ahead, and whatever
/// else consumers can load and compute.
bool Finder::findParts(Value value, RankedTensorType type, bool isLeft) {
  Operation *op = value.getDefiningOp();
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  if (!found.loop.getRegion().isAncestor(value.getParentRegion()) && (isWhole(isLeft) || !tile))
    return true;
  if (!op)
    return value == found.loop.getInductionVar() || no(Twine(nameOf(isLeft)) + " depends on the steps before");
  if (found.tiles.contains(value))
    return true;
  if (tile && tile.getShape() == type.getShape() && isLoaded(value))
    return findFactor(value, isLeft).has_value();
  if (!canCompute(op, isLeft))
    return false;
  if (!ofFactors.insert(op).second)
    return true;
  return llvm::all_of(op->getOperands(), [&](Value operand) { return findParts(operand, type, isLeft); });
}

/// Notes that a factor is staged in shared memory: in the order in which what it is made of lies there, if the tensor
/// cores take that.
void Finder::stage(Value tile, bool isLeft, const WgmmaTypes &types) {
  if (found.findStaged(tile))
    return;
  bool isTransposed = !isLeft;
  if (types.isTransposable()) {
    SetVector<Value> values;
    values.insert(tile);
    for (size_t i = 0; i < values.size(); ++i) {
      if (auto part = found.tiles.find(values[i]); part != found.tiles.end()) {
        isTransposed = found.factors[part->second].isTransposed;
        break;
      }
      if (Operation *op = values[i].getDefiningOp(); op && op->getParentOp() == found.loop)
        values.insert(op->operand_begin(), op->operand_end());
    }
  }
  found.staged.push_back({tile, isLeft, isTransposed});
}

/// Warps compute either factor of an mma.sync in registers, a slice of the depth at a time.
std::optional<unsigned> Finder::findSlices(TypedValue<RankedTensorType> tile, bool isLeft) {
  if (!findParts(tile, tile.getType(), isLeft))
    return std::nullopt;
  if (FactorBuilder::canSlice(tile, found, {!isLeft, isLeft}))
    return Product::computed;
  no(Twine(nameOf(isLeft)) + " is made of all of a step, of which mma.sync takes a slice at a time");
  return std::nullopt;
}

/// A wgmma takes left factors of 16 bits from registers, and others along the rows of what is in shared memory only,
/// but for those of 16 bits.
std::optional<unsigned> Finder::findOperand(const Product &product, bool isLeft) {
  tile::DotOp dot = product.dot;
  TypedValue<RankedTensorType> tile = isLeft ? dot.getA() : dot.getB();
  if (kernel.getMmaSync())
    return isLoaded(tile) ? findFactor(tile, isLeft) : findSlices(tile, isLeft);
  WgmmaTypes types = *typesOf(dot, /*mmaSync=*/false);
  if (isLoaded(tile)) {
    std::optional<unsigned> number = findFactor(tile, isLeft);
    if (!number || types.isTransposable() || found.factors[*number].isTransposed != isLeft)
      return number;
  } else if (!findParts(tile, tile.getType(), isLeft)) {
    return std::nullopt;
  }
  if (!isLeft || types.left->bits != 16)
    stage(tile, isLeft, types);
  return Product::computed;
}

/// The consumers of a CTA have neighbouring rows of the left factors, and the right ones together.
bool Finder::checkMembers() {
  Value member = positionIn(kernel).member;
  if (!member)
    return true;
  for (const Factor &factor : found.factors)
    for (auto [dim, sum] : llvm::enumerate(factor.offsets)) {
      bool isRows = factor.isLeft && dim == factor.side;
      if (llvm::any_of(sum, [&](Value offset) { return dependsOn(offset, member); }) != isRows)
        return no("the product is stored with its dimensions in another order");
    }
  return true;
}

/// Whether integers are computed without tiles, so that all warpgroups can.
static bool areComputedByAll(ArrayRef<Value> integers) {
  llvm::SetVector<Value> all(integers.begin(), integers.end());
  for (size_t i = 0; i < all.size(); ++i) {
    Operation *op = all[i].getDefiningOp();
    if (isa<RankedTensorType>(all[i].getType()) || (op && (!isMemoryEffectFree(op) || op->getNumRegions() > 0)))
      return false;
    if (op)
      all.insert(op->operand_begin(), op->operand_end());
  }
  return true;
}

/// Whether consumers can compute what the loop carries of the products, element by element.
bool Finder::checkCombination() {
  for (Operation *op : found.combination()) {
    auto indexed = dyn_cast<tile::IndexedOpInterface>(op);
    bool makesTile = llvm::any_of(op->getResultTypes(), [](Type type) { return isa<RankedTensorType>(type); });
    bool isKnown = op->getNumRegions() == 0 && (isa<tile::LoadOp>(op) || isMemoryEffectFree(op)) &&
                   (!makesTile || (indexed && indexed.getNumReductionDims() == 0 && !isa<tile::PermuteOp>(op)));
    if (!isKnown)
      return no("the loop does more with products than to compute element by element");
    if (makesTile && (ofFactors.contains(op) || found.tiles.contains(op->getResult(0))))
      return no("the loop computes with a factor beside the product");
    if (auto load = dyn_cast<tile::LoadOp>(op); load && isStoredTo(tile::arrayOf(load.getRef())))
      return no("the loop loads what the program stores to");
  }
  return true;
}

/// What else the loop does finds addresses, which the producer can do, too.
bool Finder::checkBody() {
  llvm::SmallPtrSet<Operation *, 8> known;
  for (const Product &product : found.products)
    known.insert(product.dot);
  for (const auto &[tile, factor] : found.tiles)
    for (Operation *op = tile.getDefiningOp(); op;
         op = isa<tile::PermuteOp>(op) ? op->getOperand(0).getDefiningOp() : nullptr)
      known.insert(op);
  if (found.combines && !checkCombination())
    return false;
  if (found.combines)
    for (Operation *op : found.combination())
      known.insert(op);
  for (const Product &product : found.products)
    if (Value start = tile::DotOp(product.dot).getAcc(); found.combines && start)
      known.insert(start.getDefiningOp());
  for (Operation &op : found.loop.getBody()->without_terminator())
    if (!known.contains(&op) && !ofFactors.contains(&op) &&
        (!isMemoryEffectFree(&op) || op.getNumRegions() > 0 ||
         llvm::any_of(op.getResultTypes(), [](Type type) { return isa<RankedTensorType>(type); })))
      return no("the loop computes with tiles beside the product");
  SmallVector<Value> integers = {found.loop.getLowerBound(), found.loop.getUpperBound(), found.loop.getStep()};
  for (const Factor &factor : found.factors)
    for (ArrayRef<Value> sum : factor.offsets)
      llvm::append_range(integers, sum);
  if (!areComputedByAll(integers))
    return no("the places of the factors are loaded from an array, or computed in a branch");
  bool isOverwritten = false, isTransposed = false;
  kernel.walk([&](Operation *op) {
    if (auto store = dyn_cast<tile::StoreOp>(op)) {
      Value array = tile::arrayOf(store.getRef());
      isOverwritten |= llvm::any_of(found.factors, [&](const Factor &factor) { return factor.array == array; });
    }
    isTransposed |= isa<tile::PermuteOp>(op) && op->getParentOp() != found.loop;
  });
  if (isTransposed) // Threads would exchange it through memory that the ring takes.
    return no("the program transposes a tile that is no factor: a result is stored so by tg::transpose_ref(o)[tg::all] "
              "= ...");
  return !isOverwritten || no("the program stores to a factor");
}

bool Finder::checkShapes() {
  for (const Product &product : found.products) {
    RankedTensorType a = tile::DotOp(product.dot).getA().getType(), result = tile::DotOp(product.dot).getType();
    if (a.getRank() != 2)
      return no("the product is of several matrices");
    if (result.getDimSize(0) != WgmmaTypes::rows || result.getDimSize(1) > WgmmaTypes::mostColumns ||
        result != tile::DotOp(found.products.front().dot).getType())
      return no("the product is stored with its dimensions in another order");
    if (a.getElementTypeBitWidth() !=
            tile::DotOp(found.products.front().dot).getA().getType().getElementTypeBitWidth() &&
        kernel.getMmaSync())
      return no("the products are of elements of several sizes");
    if (int64_t depth = typesOf(product.dot, kernel.getMmaSync())->depth(); a.getDimSize(1) % depth != 0)
      return no("a step of the loop sums " + Twine(a.getDimSize(1)) +
                " elements, and tensor cores take a multiple of " + Twine(depth));
  }
  return true;
}

std::optional<Mainloop> Finder::find() {
  if (!findLoop() || !checkShapes())
    return std::nullopt;
  for (Product &product : found.products) {
    std::optional<unsigned> a = findOperand(product, /*isLeft=*/true);
    std::optional<unsigned> b = a ? findOperand(product, /*isLeft=*/false) : std::nullopt;
    if (!b)
      return std::nullopt;
    product.a = *a, product.b = *b;
  }
  if (!checkMembers() || !checkBody())
    return std::nullopt;
  return found;
}
} // namespace

bool hasTensorTypes(tile::DotOp dot, bool mmaSync) { return typesOf(dot, mmaSync).has_value(); }

const StagedFactor *Mainloop::findStaged(Value tile) const {
  const auto *at = llvm::find_if(staged, [&](const StagedFactor &factor) { return factor.tile == tile; });
  return at == staged.end() ? nullptr : at;
}

llvm::SetVector<Operation *> Mainloop::combination() const {
  llvm::SmallPtrSet<Operation *, 16> needed;
  SmallVector<Value> work(scf::ForOp(loop).getYieldedValues());
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (op && op->getParentOp() == loop && !isa<tile::DotOp>(op) && needed.insert(op).second)
      llvm::append_range(work, op->getOperands());
  }
  llvm::SetVector<Operation *> ordered;
  for (Operation &op : scf::ForOp(loop).getBody()->without_terminator())
    if (needed.contains(&op))
      ordered.insert(&op);
  return ordered;
}

int64_t Mainloop::numAccumulators() const {
  return scf::ForOp(loop).getNumResults() + (combines ? products.size() : 0);
}

int64_t bytesOfStage(const Mainloop &mainloop, int64_t consumers) {
  int64_t bytes = 0;
  for (const StagedFactor &factor : mainloop.staged) {
    auto type = cast<RankedTensorType>(factor.tile.getType());
    bytes += (factor.isLeft ? consumers : 1) * type.getNumElements() * tile::bytesOf(type.getElementType());
  }
  for (const Factor &factor : mainloop.factors) {
    int64_t elements = factor.isLeft ? consumers : 1;
    for (int64_t extent : factor.extents)
      elements *= std::max<int64_t>(1, extent);
    bytes += elements * tile::bytesOf(cast<tile::RefType>(factor.array.getType()).getElementType());
  }
  return bytes;
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
