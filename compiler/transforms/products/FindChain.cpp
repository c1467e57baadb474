// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/FindChain.h"

#include "ir/Expressions.h"
#include "transforms/products/FactorWindow.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;

namespace tegula {

bool areChained(ArrayRef<tile::DotOp> dots) {
  return llvm::any_of(dots, [&](tile::DotOp dot) {
    return llvm::any_of(dots, [&](tile::DotOp other) {
      return other != dot && other->getBlock() == dot->getBlock() && dependsOn(dot.getA(), other.getResult());
    });
  });
}

bool isFirstOfChain(tile::DotOp dot, ArrayRef<tile::DotOp> dots) {
  return llvm::none_of(dots,
                       [&](tile::DotOp other) { return other != dot && dependsOn(dot.getA(), other.getResult()); });
}

tile::DotOp continuedBy(tile::DotOp dot, ArrayRef<tile::DotOp> dots) {
  auto before = dot.getAcc() ? dot.getAcc().getDefiningOp<tile::DotOp>() : tile::DotOp();
  bool isContinued = before && before->hasOneUse() && before->getBlock() == dot->getBlock() &&
                     isFirstOfChain(dot, dots) && isFirstOfChain(before, dots);
  return isContinued ? before : tile::DotOp();
}

static bool startsAtZero(tile::DotOp dot) {
  auto start = dot.getAcc() ? dot.getAcc().getDefiningOp<tile::FullOp>() : tile::FullOp();
  return !dot.getAcc() || (start && matchPattern(start.getValue(), m_AnyZeroFloat()));
}

/// What is added to a first product, such as a bias, is not there yet when the product begins: it is added behind.
static void addBehind(tile::DotOp dot) {
  OpBuilder builder(dot);
  Location loc = dot.getLoc();
  Value zero = builder.create<arith::ConstantOp>(loc, builder.getZeroAttr(dot.getType().getElementType()));
  Value added = dot.getAcc();
  dot.getAccMutable().assign(builder.create<tile::FullOp>(loc, dot.getType(), zero));
  builder.setInsertionPointAfter(dot);
  auto sum = builder.create<tile::AddOp>(loc, added, dot.getResult());
  dot.getResult().replaceAllUsesExcept(sum.getResult(), sum);
}

/// Whether a load of a loop is in bounds even where the loop does not run: windows are clamped, indices are not.
static bool isInBounds(tile::LoadOp load, scf::ForOp loop) {
  for (Value ref = load.getRef(); Operation *view = ref.getDefiningOp(); ref = view->getOperand(0))
    if (auto slice = dyn_cast<tile::SliceOp>(view); slice && loop->isAncestor(slice))
      for (unsigned dim = 0; dim < slice.getModes().size(); ++dim)
        if (slice.getMode(dim) == tile::SliceMode::Element)
          return false;
  return true;
}

void prepareChains(tile::KernelOp kernel) {
  SmallVector<scf::ForOp> chains;
  kernel.walk([&](scf::ForOp loop) {
    SmallVector<tile::DotOp> dots = llvm::to_vector(loop.getBody()->getOps<tile::DotOp>());
    if (!areChained(dots))
      return;
    chains.push_back(loop);
    for (tile::DotOp dot : dots)
      if (isFirstOfChain(dot, dots) && !startsAtZero(dot) && !continuedBy(dot, dots))
        addBehind(dot);
  });
  for (scf::ForOp loop : chains) {
    // Found before their views are moved.
    llvm::SmallPtrSet<Operation *, 8> loads;
    loop.walk([&](tile::LoadOp load) {
      if (isInBounds(load, loop) && !storesTo(kernel, tile::arrayOf(load.getRef())))
        loads.insert(load);
    });
    moveLoopInvariantCode(
        loop.getLoopRegions(), [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
        [&](Operation *op, Region *) {
          return op->getNumRegions() == 0 && (loads.contains(op) || isMemoryEffectFree(op));
        },
        [&](Operation *op, Region *) { op->moveBefore(loop); });
  }
}

namespace {
class ChainFinder {
public:
  ChainFinder(tile::KernelOp kernel, Mainloop &found, FactorFinder &factors, std::string &obstacle)
      : kernel(kernel), found(found), loop(found.loop), factors(factors), obstacle(obstacle) {}

  bool find(ArrayRef<tile::DotOp> dots);

private:
  /// Says what is in the way, and is false.
  bool refuse(const Twine &why) {
    obstacle = why.str();
    return false;
  }
  bool sortOut(ArrayRef<tile::DotOp> dots);
  bool checkShape(tile::DotOp dot);
  bool findFixed(Product &product);
  bool checkBody();

  tile::KernelOp kernel;
  Mainloop &found;
  scf::ForOp loop;
  FactorFinder &factors;
  std::string &obstacle;
};

/// Which products come first, and which the loop adds to what it carries.
bool ChainFinder::sortOut(ArrayRef<tile::DotOp> dots) {
  for (tile::DotOp dot : dots) {
    if (!isFirstOfChain(dot, dots))
      continue;
    if (!startsAtZero(dot) && !continuedBy(dot, dots))
      return refuse("a product that others are made of is added to something: add it by an op of its own");
    found.products.push_back({dot, 0, 0, 0});
  }
  found.numFirst = found.products.size();
  for (tile::DotOp dot : dots) {
    if (isFirstOfChain(dot, dots))
      continue;
    auto yielded = llvm::find(loop.getYieldedValues(), dot.getResult());
    if (!dot->hasOneUse() || yielded == loop.getYieldedValues().end())
      return refuse("the loop does more with a product that is made of another one than to add it up: scale the sum "
                    "before, as by sum = sum * x + tg::dot(...)");
    if (!dot.getAcc())
      return refuse("a product that is made of another one is not added up");
    auto number = static_cast<unsigned>(yielded - loop.getYieldedValues().begin());
    if (llvm::any_of(dots, [&](tile::DotOp other) { return dependsOn(other.getA(), loop.getRegionIterArg(number)); }))
      return refuse("a product is made of the sums of the steps before, and thus waits for them");
    found.products.push_back({dot, 0, 0, number});
  }
  return true;
}

bool ChainFinder::checkShape(tile::DotOp dot) {
  RankedTensorType a = dot.getA().getType(), result = dot.getType();
  if (a.getRank() != 2)
    return refuse("the product is of several matrices");
  if (result.getDimSize(0) != WgmmaTypes::rows)
    return refuse("a product that others are made of has other rows than what is stored");
  if (result.getDimSize(1) > WgmmaTypes::mostColumns || result.getDimSize(1) % 16 != 0)
    return refuse("a product has " + Twine(result.getDimSize(1)) +
                  " columns; where products are made of others, they have a multiple of 16, up to 256");
  WgmmaTypes types = *tensorTypesOf(dot, kernel.getMmaSync());
  if (types.left->bits != 16)
    return refuse("products that are made of others, and those, are of f16 or bf16 alone: convert them by tg::astype");
  if (a.getDimSize(1) % types.depth() != 0)
    return refuse("a step of the loop sums " + Twine(a.getDimSize(1)) +
                  " elements, and tensor cores take a multiple of " + Twine(types.depth()));
  return true;
}

/// The left factor of a first product: a window that is copied once, or what consumers compute in front of the loop.
bool ChainFinder::findFixed(Product &product) {
  tile::DotOp dot = product.dot;
  product.a = Product::computed;
  if (!loop.isDefinedOutsideOfLoop(dot.getA()))
    return refuse("the left factor of a product that others are made of changes from step to step: load or compute "
                  "it in front of the loop");
  auto load = dot.getA().getDefiningOp<tile::LoadOp>();
  std::string isNone;
  std::optional<Factor> factor = load && !load.getMask() ? describeFactor(load, /*isTurned=*/false, /*isLeft=*/true,
                                                                          /*isByTma=*/!kernel.getMmaSync(), isNone)
                                                         : std::nullopt;
  if (factor && factor->isAligned) {
    factor->isFixed = true;
    product.a = found.factors.size();
    found.factors.push_back(std::move(*factor));
  } else if (dot.getExtent()) {
    return refuse("the left factor of a product is computed, and may have fewer columns than its block: tell by "
                  "tg::check how many its array has");
  }
  return true;
}

/// Beside the products, consumers compute what they can, on tiles that have the layouts of accumulators.
bool ChainFinder::checkBody() {
  for (Operation &op : loop.getBody()->without_terminator()) {
    bool isProduct = isa<tile::DotOp>(op) || llvm::any_of(found.tiles, [&](const auto &known) {
                       Operation *made = known.first.getDefiningOp();
                       return made == &op || (isa<tile::PermuteOp>(made) && made->getOperand(0).getDefiningOp() == &op);
                     });
    if (isProduct) {
      bool isRead =
          llvm::all_of(op.getUsers(), [](Operation *user) { return isa<tile::DotOp, tile::PermuteOp>(user); });
      if (!isa<tile::DotOp>(op) && !isRead)
        return refuse("the loop computes with a factor beside the product");
      continue;
    }
    auto load = dyn_cast<tile::LoadOp>(op);
    if (load && storesTo(kernel, tile::arrayOf(load.getRef())))
      return refuse("the loop loads what the program stores to");
    if (op.getNumRegions() > 0 || isa<tile::PermuteOp>(op) || (!load && !isMemoryEffectFree(&op)))
      return refuse("between the products, the loop transposes, prints, stores or branches: it can compute, and reduce "
                    "rows. A mask needs no branch: steps that need none have a loop of their own");
    auto reduce = dyn_cast<tile::ReduceOp>(op);
    bool isOfRows =
        !reduce || (reduce.getAxes() == ArrayRef<int64_t>{1} && reduce.getSource().getType().getRank() == 2);
    if (!isOfRows)
      return refuse("between the products, the loop reduces columns or whole tiles: it can reduce rows, as by "
                    "tg::max<1>");
  }
  return true;
}

/// What a factor is loaded by, as it stands or transposed; null if it is computed.
static tile::LoadOp loadOf(Value factor) {
  if (auto transpose = factor.getDefiningOp<tile::PermuteOp>())
    factor = transpose.getSource();
  return factor.getDefiningOp<tile::LoadOp>();
}

bool ChainFinder::find(ArrayRef<tile::DotOp> dots) {
  if (!llvm::all_of(dots, [&](tile::DotOp dot) { return checkShape(dot); }) || !sortOut(dots))
    return false;
  for (auto [number, product] : llvm::enumerate(found.products)) {
    std::optional<unsigned> right = factors.find(product, /*isLeft=*/false);
    if (!right)
      return false;
    product.b = *right;
    if (auto load = loadOf(tile::DotOp(product.dot).getB()); load && load.getMask())
      return refuse(
          "the right factor of a product is loaded with a mask: load it as it stands, of which what is out of "
          "bounds counts as zeros, and mask what is made of it by tg::where");
    if (*right == Product::computed)
      return refuse("the right factor of a product is computed: load it as it stands, or transposed, and compute the "
                    "left one, or do it in a launch of its own");
    if (llvm::any_of(ArrayRef(found.products).take_front(number),
                     [&](const Product &other) { return other.b == product.b; }))
      return refuse("products that are made of others have their right factor in common: pass its array once more, as "
                    "another argument, or put their left factors into one block");
    if (number < found.numFirst) {
      if (!findFixed(product))
        return false;
    } else {
      product.a = Product::computed;
    }
  }
  return checkBody();
}
} // namespace

bool findChain(tile::KernelOp kernel, Mainloop &found, ArrayRef<tile::DotOp> dots, FactorFinder &factors,
               std::string &obstacle) {
  return ChainFinder(kernel, found, factors, obstacle).find(dots);
}

} // namespace tegula
