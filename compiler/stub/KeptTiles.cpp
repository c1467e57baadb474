// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/KeptTiles.h"

#include "ir/TileDialect.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <memory>

using namespace mlir;

namespace tegula::stub {

namespace {
class Analysis {
public:
  Analysis(Region &program, Form form, const Extents *extents);
  llvm::DenseSet<Value> run();

private:
  /// An op that makes elements of a tile be computed: where, and whether each element is used at its own index alone.
  struct Root {
    Operation *op;
    bool isInPlace;
  };
  SmallVector<Root> rootsOf(Value tile);
  /// The uses that make elements of a tile be computed, and whether in place, if `isInPlace` so far. Tiles that pass
  /// elements on to one other alone share its list.
  using Uses = std::shared_ptr<const llvm::SetVector<std::pair<OpOperand *, char>>>;
  Uses usesOf(Value tile, bool isInPlace);
  bool isOvertaken(Operation *load, Root root);
  bool wouldRepeat(Value tile);
  bool isDelayed(Value tile);

  bool isExplicit, isSplit;
  const Extents *extents;
  SmallVector<Operation *> ops; // In program order.
  llvm::DenseMap<Operation *, size_t> order;
  SmallVector<tile::RootOpInterface> stores;
  llvm::DenseSet<Value> kept;
  llvm::DenseMap<std::pair<Value, char>, Uses> uses; // (No bool: it cannot be hashed.)
  llvm::DenseSet<Value> unlimited;
};
} // namespace

Analysis::Analysis(Region &program, Form form, const Extents *extents)
    : isExplicit(form == Form::Explicit), isSplit(form == Form::Split), extents(extents) {
  program.walk<WalkOrder::PreOrder>([&](Operation *op) {
    order[op] = ops.size();
    ops.push_back(op);
    if (auto store = dyn_cast<tile::RootOpInterface>(op))
      stores.push_back(store);
  });
}

/// Whether an op passes elements on without computing them itself.
static bool isLazy(Operation *op) {
  auto load = dyn_cast<tile::LoadOp>(op);
  auto indexed = dyn_cast<tile::IndexedOpInterface>(op);
  return tile::isElementwise(op) || (indexed && indexed.isRearrangement()) || (load && load.getMask()) ||
         isa<tile::CombineOp, tile::InlinePtxOp, tile::GatherOp, tile::TakeOp>(op);
}

/// Whether parts of a tile are wanted, or elements at indices: it is in memory then.
static bool isCutUp(Value tile) {
  return llvm::any_of(tile.getUsers(), [&](Operation *user) {
    return isa<tile::SubtileOp>(user) || (isa<tile::TakeOp>(user) && user->getOperand(0) == tile);
  });
}

Analysis::Uses Analysis::usesOf(Value tile, bool isInPlace) {
  if (auto known = uses.find({tile, isInPlace}); known != uses.end())
    return known->second;
  llvm::SetVector<std::pair<OpOperand *, char>> own;
  llvm::SmallSetVector<std::pair<Value, char>, 2> passed;
  for (OpOperand &use : tile.getUses()) {
    Operation *user = use.getOwner();
    if (isa<tile::DimOp>(user))
      continue;
    if (!isLazy(user) || kept.contains(user->getResult(0))) {
      own.insert({&use, char(isInPlace)});
      continue;
    }
    bool movesNone = tile::isElementwise(user) || isa<tile::LoadOp, tile::CombineOp, tile::InlinePtxOp>(user);
    for (Value result : user->getResults())
      passed.insert({result, char(isInPlace && movesNone)});
  }
  Uses all;
  if (own.empty() && passed.size() == 1) {
    all = usesOf(passed.front().first, passed.front().second);
  } else {
    for (auto [result, isThere] : passed) {
      Uses more = usesOf(result, isThere);
      own.insert(more->begin(), more->end());
    }
    all = std::make_shared<const llvm::SetVector<std::pair<OpOperand *, char>>>(std::move(own));
  }
  return uses[{tile, char(isInPlace)}] = all;
}

/// Of a tile whose users were decided on.
SmallVector<Analysis::Root> Analysis::rootsOf(Value tile) {
  SmallVector<Root> roots;
  for (auto [use, isInPlace] : *usesOf(tile, /*isInPlace=*/true))
    roots.push_back({use->getOwner(), isInPlace != 0});
  return roots;
}

/// Whether a loop around both `a` and `b` leaves `outside` out.
static bool shareLoopWithout(Operation *a, Operation *b, Operation *outside) {
  for (auto loop = a->getParentOfType<LoopLikeOpInterface>(); loop; loop = loop->getParentOfType<LoopLikeOpInterface>())
    if (loop->isProperAncestor(b) && !loop->isProperAncestor(outside))
      return true;
  return false;
}

/// Whether the array may have been written between a load and a later use of what it loaded.
bool Analysis::isOvertaken(Operation *load, Root root) {
  Value ref = load->getOperand(0), array = tile::arrayOf(ref);
  return llvm::any_of(stores, [&](tile::RootOpInterface store) {
    Value written = tile::arrayOf(store.getRootRef());
    if (array && written && array != written)
      return false;
    bool isOfWindows = isa<tile::LoadOp>(load) && isa<tile::StoreOp>(store.getOperation());
    if (store == root.op &&
        !(root.isInPlace && isOfWindows && tile::isSameWindow(ref, store.getRootRef(), std::equal_to<Value>())))
      return true;
    bool liesBetween = order[load] < order[store] && order[store] < order[root.op];
    return liesBetween || shareLoopWithout(store, root.op, load);
  });
}

bool Analysis::wouldRepeat(Value tile) {
  Operation *op = tile.getDefiningOp();
  SmallVector<Root> roots = rootsOf(tile);
  return llvm::any_of(roots, [&](Root root) {
    return shareLoopWithout(root.op, root.op, op) || (tile::isContraction(root.op) && roots.size() > 1);
  });
}

/// Whether a tile is made of the present value of an accumulator. What control flow carries may be one.
static bool readsAccumulator(Value tile) {
  return llvm::any_of(tile.getDefiningOp()->getOperands(), [](Value operand) {
    Operation *op = operand.getDefiningOp();
    if (!isa<RankedTensorType>(operand.getType()))
      return false;
    return !op || op->getNumRegions() > 0 || isa<tile::WgmmaOp, tile::WgmmaWaitOp>(op) ||
           (isLazy(op) && readsAccumulator(operand));
  });
}

/// Whether a product or what sorts reads it, perhaps with its dimensions in another order.
static bool isFactor(Value tile) {
  return llvm::any_of(tile.getUsers(), [](Operation *user) {
    return isa<tile::DotOp, tile::SortOp>(user) || (isa<tile::PermuteOp>(user) && isFactor(user->getResult(0)));
  });
}

/// Whether a product takes it as a whole, and it is not in memory already.
static bool isMultiplied(Value tile) {
  auto load = tile.getDefiningOp<tile::LoadOp>();
  bool isPlace = (load && !load.getMask()) || tile.getDefiningOp<tile::PermuteOp>();
  if (isFactor(tile) && !isPlace)
    return true;
  return llvm::any_of(tile.getUsers(), [&](Operation *user) {
    auto product = dyn_cast<tile::WgmmaOp>(user);
    return product && product.getA() == tile && !isa<tile::WgmmaOp, tile::WgmmaWaitOp>(tile.getDefiningOp());
  });
}

/// Whether anything happens between an op of the explicit level and the uses of its result.
bool Analysis::isDelayed(Value tile) {
  Operation *op = tile.getDefiningOp();
  return isExplicit && llvm::any_of(rootsOf(tile), [&](Root root) {
           if (root.op->getBlock() != op->getBlock())
             return true;
           return llvm::any_of(
               llvm::make_range(std::next(op->getIterator()), root.op->getIterator()),
               [](Operation &other) { return !isMemoryEffectFree(&other) && !isa<tile::LoadOp>(other); });
         });
}

/// Whether elements of a tile are computed from their indices and from other tiles alone.
static bool isComputed(Value tile) {
  Operation *op = tile.getDefiningOp();
  return op && op->getNumRegions() == 0 && !isa<tile::LoadOp, tile::GatherOp, tile::AtomicOp>(op) &&
         !tile::isContraction(op);
}

/// What conforms where a part is taken, and what that is made of.
static llvm::DenseSet<Value> findUnlimited(ArrayRef<Operation *> ops, const Extents &extents) {
  llvm::DenseSet<Value> unlimited;
  for (Operation *op : llvm::reverse(ops)) {
    bool isUnlimited = op->getNumResults() == 1 && unlimited.contains(op->getResult(0));
    if (auto part = dyn_cast<tile::SubtileOp>(op))
      for (unsigned dim = 0; dim < part.getModes().size(); ++dim) {
        bool isAsked = part.getMode(dim) == tile::SliceMode::Window || part.getSource().getType().isDynamicDim(dim);
        isUnlimited |= isAsked && !extents.of(part.getSource(), dim).symbol;
      }
    if (isUnlimited)
      for (Value operand : op->getOperands().drop_front(isa<tile::TakeOp>(op) ? 1 : 0)) // Of which elements are taken.
        if (isa<RankedTensorType>(operand.getType()) && isComputed(operand))
          unlimited.insert(operand);
  }
  return unlimited;
}

llvm::DenseSet<Value> Analysis::run() {
  if (extents)
    unlimited = findUnlimited(ops, *extents);
  // Users first: what is computed early ends the search for roots.
  for (Operation *op : llvm::reverse(ops)) {
    if (tile::isContraction(op))
      kept.insert(op->result_begin(), op->result_end());
    if (op->getNumResults() != 1 || !isa<RankedTensorType>(op->getResult(0).getType()))
      continue;
    Value tile = op->getResult(0);
    usesOf(tile, /*isInPlace=*/true); // What passes elements on to it finds them known.
    bool isKept = false;
    auto load = dyn_cast<tile::LoadOp>(op);
    bool isGather = isa<tile::GatherOp>(op), isMasked = isGather || (load && load.getMask());
    if (isMasked) // Where nobody needs its place, it is computed as others are.
      isKept = wouldRepeat(tile) || isCutUp(tile);
    isKept |= load && llvm::any_of(tile.getUsers(), [](Operation *user) { return isa<tile::TakeOp>(user); });
    if (load || isGather)
      isKept |= isDelayed(tile) || (isSplit && isFactor(tile)) ||
                llvm::any_of(rootsOf(tile), [&](Root root) { return isOvertaken(op, root); });
    else if (unlimited.contains(tile))
      isKept = false;
    else if (!isa<tile::SubtileOp>(op) && op->getNumRegions() == 0)
      isKept = (tile::isElementwise(op) && wouldRepeat(tile)) ||
               (isLazy(op) && isExplicit && readsAccumulator(tile) && isDelayed(tile)) || isCutUp(tile);
    auto part = dyn_cast<tile::SubtileOp>(op);
    bool isPlace = part && !unlimited.contains(part.getSource());
    if (tile::isContraction(op) || (!isPlace && op->getNumRegions() == 0 && isMultiplied(tile)))
      isKept = true;
    if (part && !isPlace && isCutUp(tile) && !unlimited.contains(tile))
      isKept = true;
    if (isKept)
      kept.insert(tile);
  }
  return std::move(kept);
}

bool separateTaken(Region &program, const Extents &extents) {
  SmallVector<Operation *> ops;
  program.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  llvm::DenseSet<Value> unlimited = findUnlimited(ops, extents);
  auto isTaken = [](OpOperand &use) { return isa<tile::TakeOp>(use.getOwner()) && use.getOperandNumber() == 0; };
  bool isAny = false;
  for (Operation *op : ops) {
    if (op->getNumResults() != 1 || !unlimited.contains(op->getResult(0)))
      continue;
    Value tile = op->getResult(0);
    if (llvm::none_of(tile.getUses(), isTaken) || llvm::all_of(tile.getUses(), isTaken))
      continue;
    Value computed = OpBuilder(op).clone(*op)->getResult(0);
    tile.replaceUsesWithIf(computed, [&](OpOperand &use) { return !isTaken(use); });
    isAny = true;
  }
  return isAny;
}

llvm::DenseSet<Value> tilesToKeep(Region &program, Form form, const Extents *extents) {
  return Analysis(program, form, extents).run();
}

} // namespace tegula::stub
