// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/two_pass/DividedProducts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tegula::split {

/// Whether a tile is zero in all its elements.
static bool isZero(Value tile) {
  auto full = tile.getDefiningOp<tile::FullOp>();
  return full && (matchPattern(full.getValue(), m_Zero()) || matchPattern(full.getValue(), m_AnyZeroFloat()));
}

Value DividedProducts::initOf(size_t sum) const {
  if (!loop)
    return {};
  Value init = scf::ForOp(loop).getInitArgs()[sum];
  return isZero(init) ? Value() : init;
}

/// Whether what a loop carries grows in each iteration by something that does not depend on what it carries. `added`
/// has what adds up other sums.
static bool isSum(BlockArgument carried, Value yielded, llvm::SmallPtrSetImpl<Operation *> &added) {
  Value sum = carried;
  while (sum != yielded) {
    if (!sum.hasOneUse())
      return false;
    Operation *user = *sum.user_begin();
    auto dot = dyn_cast<tile::DotOp>(user);
    if ((!isa<tile::AddOp>(user) && !(dot && dot.getAcc() == sum)) || !added.insert(user).second)
      return false;
    sum = user->getResult(0);
  }
  return sum != carried;
}

/// Whether a loop, and all that it is made of, reads nothing that the launch stores, and does nothing else.
bool DividedProducts::dependsOnNothingElse(scf::ForOp op) {
  llvm::SetVector<Operation *> all;
  all.insert(op);
  for (size_t i = 0; i < all.size(); ++i) {
    WalkResult result = all[i]->walk([&](Operation *inner) {
      unsigned inits = inner == op.getOperation() ? op.getNumResults() : 0; // Those are the second pass's.
      for (Value operand : inner->getOperands().drop_back(inits))
        if (Operation *source = operand.getDefiningOp(); source && !op->isAncestor(source))
          all.insert(source);
      auto load = dyn_cast<tile::LoadOp>(inner);
      bool reads = load && !stored.contains(tile::arrayOf(load.getRef()).getArgNumber());
      bool isKnown = reads || inner->getNumRegions() > 0 || isMemoryEffectFree(inner);
      return isKnown ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return false;
  }
  return true;
}

bool DividedProducts::findLoop(scf::ForOp candidate) {
  constexpr int64_t leastBytes = 4; // What is rounded to fewer in each step stays as the program has it.
  llvm::SmallPtrSet<Operation *, 4> added;
  bool isCounted = candidate.getInductionVar().getType().isInteger(64) && candidate.getNumResults() > 0;
  for (auto [carried, yielded] : llvm::zip(candidate.getRegionIterArgs(), candidate.getYieldedValues())) {
    auto type = dyn_cast<RankedTensorType>(carried.getType());
    isCounted &= type && type.getRank() == 2 && type.hasStaticShape() && isSum(carried, yielded, added) &&
                 tile::bytesOf(type.getElementType()) >= leastBytes;
  }
  if (!isCounted || !dependsOnNothingElse(candidate))
    return false;
  candidate.walk([&](tile::DotOp dot) {
    RankedTensorType a = dot.getA().getType();
    if (!a.isDynamicDim(a.getRank() - 1))
      bytesOfStep = std::max(bytesOfStep, a.getShape().back() * tile::bytesOf(a.getElementType()));
  });
  loop = candidate;
  llvm::append_range(sums, candidate.getResults());
  return bytesOfStep > 0;
}

/// Of products that are added up and wanted nowhere else, the sum of all.
static Value sumOf(Value product, llvm::SmallPtrSetImpl<Operation *> &dots) {
  auto isOnlyProducts = [&](auto &self, Value value) -> bool {
    Operation *op = value.getDefiningOp();
    if (!op || !value.hasOneUse())
      return false;
    return dots.contains(op) ||
           (isa<tile::AddOp>(op) && llvm::all_of(op->getOperands(), [&](Value each) { return self(self, each); }));
  };
  while (product.hasOneUse()) {
    auto add = dyn_cast<tile::AddOp>(*product.user_begin());
    if (!add || !llvm::all_of(add->getOperands(), [&](Value each) { return isOnlyProducts(isOnlyProducts, each); }))
      break;
    product = add.getResult();
  }
  return product;
}

bool DividedProducts::findRows(ArrayRef<tile::DotOp> dots) {
  llvm::SmallPtrSet<Operation *, 4> all(dots.begin(), dots.end());
  for (tile::DotOp dot : dots) {
    RankedTensorType a = dot.getA().getType();
    const Extent &own = extents.of(dot.getA(), 1);
    if (a.getRank() != 2 || !a.isDynamicDim(1) || !own.origin || (depth.symbol && depth.symbol != own.symbol))
      return false;
    depth = own;
    bytesOfStep = std::max(bytesOfStep, tile::bytesOf(a.getElementType()));
    ProductOfRows product{dot, {dot.getA(), {1}, {}}, {dot.getB(), {0}, {}}};
    for (DividedTile *factor : {&product.a, &product.b}) {
      factor->demand.add(factor->tile, {0, 1});
      if (!isDivisible(*factor, launch, stored))
        return false;
    }
    products.push_back(std::move(product));
    if (Value sum = sumOf(dot.getResult(), all); !llvm::is_contained(sums, sum))
      sums.push_back(sum);
  }
  return true;
}

/// Whether a store, and what it needs, takes elements of sums from where they are.
bool DividedProducts::isWantedThere(const Demand &demand) {
  return llvm::all_of(sums, [&](Value sum) {
    return llvm::all_of(demand.of(sum), [](const Roles &roles) { return roles == Roles{0, 1}; });
  });
}

/// A store whose windows are cut of its array in the array's order, for all sums that are as large.
bool DividedProducts::findStore() {
  for (auto candidate : launch.getBody().front().getOps<tile::StoreOp>()) {
    bool isCut = true;
    for (Value ref = candidate.getRef(); Operation *view = ref.getDefiningOp(); ref = view->getOperand(0))
      isCut &= isa<tile::SliceOp>(view);
    Demand demand;
    if (candidate.getRef().getType().getRank() == 2)
      demand.add(candidate.getValue(), {0, 1});
    if (isCut && llvm::all_of(sums, [&](Value sum) {
          ArrayRef<int64_t> shape = cast<RankedTensorType>(sum.getType()).getShape();
          return !demand.of(sum).empty() && candidate.getRef().getType().getTileType().getShape() == shape;
        })) {
      store = candidate;
      return true;
    }
  }
  return false;
}

/// Whether an op of the program, outside of what is divided, can stay as it is: it takes sums element by element, and
/// as far as the store reaches.
bool DividedProducts::mayStandHere(Operation *op) {
  Demand demand;
  if (auto extract = dyn_cast<tile::ExtractOp>(op)) {
    demand.add(extract.getTile(), {});
    return llvm::all_of(sums, [&](Value sum) { return demand.of(sum).empty(); });
  }
  auto other = dyn_cast<tile::StoreOp>(op);
  if (!other)
    return !isContraction(op) && !isa<LoopLikeOpInterface>(op) &&
           (op->getNumRegions() > 0 || isMemoryEffectFree(op) || isa<tile::LoadOp, tile::DebugPrintOp>(op));
  Roles all = llvm::to_vector(llvm::seq<int>(0, other.getValue().getType().getRank()));
  demand.add(other.getValue(), all);
  if (other.getMask())
    demand.add(other.getMask(), all);
  bool isMade = llvm::any_of(sums, [&](Value sum) { return !demand.of(sum).empty(); });
  return !isMade ||
         (isWantedThere(demand) && all.size() == 2 && llvm::all_of(all, [&](int dim) {
            return extents.of(other.getRef(), dim).symbol == extents.of(tile::StoreOp(store).getRef(), dim).symbol;
          }));
}

bool DividedProducts::find() {
  SmallVector<tile::DotOp> dots;
  SmallVector<scf::ForOp> loops;
  Block &body = launch.getBody().front();
  launch.getBody().walk([&](tile::StoreOp store) { stored.insert(tile::arrayOf(store.getRef()).getArgNumber()); });
  for (Operation &op : body) {
    auto candidate = dyn_cast<scf::ForOp>(op);
    if (candidate && candidate.walk([](tile::DotOp) { return WalkResult::interrupt(); }).wasInterrupted())
      loops.push_back(candidate);
    if (auto dot = dyn_cast<tile::DotOp>(op))
      dots.push_back(dot);
  }
  constexpr size_t mostAxes = 5; // One more is the part's.
  if (launch.getGrid().size() > mostAxes || loops.size() + (dots.empty() ? 0 : 1) != 1)
    return false;
  if (!(dots.empty() ? findLoop(loops.front()) : findRows(dots)) || !findStore())
    return false;
  WalkResult result = launch.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == loop.getOperation())
      return WalkResult::skip();
    bool isProduct = isa<tile::DotOp>(op) && op->getBlock() == &body;
    return isProduct || mayStandHere(op) ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

DividedProducts::DividedProducts(tile::LaunchOp launch, Extents &extents) : launch(launch), extents(extents) {
  if (!find())
    sums.clear();
}

} // namespace tegula::split
