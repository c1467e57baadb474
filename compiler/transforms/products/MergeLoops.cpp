// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/MergeLoops.h"

#include "ir/Elements.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;

namespace tegula {
namespace {

/// What is to be known of an op of a block, whatever is nested in it.
struct Summary {
  bool isSimple;
  llvm::SmallVector<Value, 2> loads, stores; ///< The arrays.
  /// The ops that its operands are made by, and those that what is nested in it takes.
  llvm::SmallVector<Operation *, 4> makers, nestedMakers;
};

/// Whether an op does nothing but compute, load and store.
bool isSimple(Operation *op) {
  WalkResult result = op->walk([](Operation *inner) {
    bool isKnown = inner->getNumRegions() > 0 ? isa<scf::IfOp, scf::ForOp>(inner)
                                              : isMemoryEffectFree(inner) || isa<tile::LoadOp, tile::StoreOp>(inner);
    return isKnown ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

/// Summaries of ops, each of which is walked once: loops that are merged have those of their parts.
class Summaries {
public:
  const Summary &of(Operation *op) {
    auto [at, isNew] = known.try_emplace(op);
    if (isNew)
      at->second = std::make_unique<Summary>(summarize(op));
    return *at->second;
  }
  /// `merged` is what has become of both. The ops themselves stay, so that no other one gets their addresses.
  void merge(Operation *first, Operation *second, Operation *merged) {
    Summary all = of(first);
    const Summary &more = of(second);
    all.isSimple &= more.isSimple;
    all.loads.append(more.loads);
    all.stores.append(more.stores);
    all.makers.append(more.makers);
    all.nestedMakers.append(more.nestedMakers);
    for (Operation *op : {first, second})
      if (op != merged)
        become[op] = merged;
    known[merged] = std::make_unique<Summary>(std::move(all));
  }
  /// The op that has the results now.
  Operation *now(Operation *op) {
    auto found = become.find(op);
    return found == become.end() ? op : become[op] = now(found->second);
  }
  bool needs(Operation *op, llvm::function_ref<bool(Operation *)> isOne) {
    const Summary &summary = of(op);
    auto is = [&](Operation *maker) { return isOne(now(maker)); };
    return llvm::any_of(summary.makers, is) || llvm::any_of(summary.nestedMakers, is);
  }

private:
  static Summary summarize(Operation *op) {
    Summary summary{isSimple(op), {}, {}, {}, {}};
    op->walk([&](Operation *inner) {
      if (auto load = dyn_cast<tile::LoadOp>(inner))
        summary.loads.push_back(tile::arrayOf(load.getRef()));
      if (auto store = dyn_cast<tile::StoreOp>(inner))
        summary.stores.push_back(tile::arrayOf(store.getRef()));
      for (Value operand : inner->getOperands())
        if (Operation *made = operand.getDefiningOp(); made && !op->isAncestor(made))
          (inner == op ? summary.makers : summary.nestedMakers).push_back(made);
    });
    return summary;
  }

  llvm::DenseMap<Operation *, std::unique_ptr<Summary>> known;
  llvm::DenseMap<Operation *, Operation *> become;
};

/// The arrays that two loops, and what stands between them, load and store. Refs of a launch are of different arrays if
/// they are not of one argument.
class Accesses {
public:
  /// Whether all that was added is independent.
  bool add(const Summary &summary) {
    for (Value array : summary.loads)
      loads.insert(array);
    for (Value array : summary.stores)
      isIndependent &= stores.insert(array).second;
    for (Value array : summary.loads)
      isIndependent &= !stores.contains(array);
    for (Value array : summary.stores)
      isIndependent &= !loads.contains(array);
    return isIndependent;
  }

private:
  llvm::DenseSet<Value> loads, stores;
  bool isIndependent = true;
};

bool continues(scf::ForOp first, scf::ForOp second) {
  return llvm::all_of(second.getInitArgs(),
                      [&](Value init) { return init.getDefiningOp() == first && init.hasOneUse(); });
}

/// How many registers of 32 bits each thread has for the tiles that a loop carries.
int64_t registersOf(scf::ForOp loop, int64_t threads) {
  int64_t bits = 0;
  for (Type type : loop.getResultTypes())
    if (auto tile = dyn_cast<RankedTensorType>(type); tile && tile.hasStaticShape())
      bits += llvm::divideCeil(tile.getNumElements(), threads) *
              std::max<int64_t>(32, 8 * tile::bytesOf(tile.getElementType()));
  return bits / 32;
}

bool haveSameSteps(scf::ForOp first, scf::ForOp second) {
  return first.getLowerBound() == second.getLowerBound() && first.getUpperBound() == second.getUpperBound() &&
         first.getStep() == second.getStep();
}

/// The nearest loop before the second that can run together with it, once what stands between and needs the first
/// stands behind it: iteration by iteration, if it goes on with what the first one sums. Null if there is none.
scf::ForOp findFirst(scf::ForOp second, const llvm::DenseSet<Operation *> &loops, bool chains, Summaries &summaries,
                     llvm::function_ref<bool(scf::ForOp)> hasRoom) {
  const Summary &own = summaries.of(second);
  llvm::DenseSet<Operation *> needed, nested; // By the second, through what stands between; inside of the second.
  for (Operation *maker : own.makers)
    needed.insert(summaries.now(maker));
  for (Operation *maker : own.nestedMakers) {
    needed.insert(summaries.now(maker));
    nested.insert(summaries.now(maker));
  }
  llvm::DenseSet<Operation *> neededBetween;
  Accesses accesses;
  accesses.add(own);
  for (Operation *op = second->getPrevNode(); op; op = op->getPrevNode()) {
    const Summary &summary = summaries.of(op);
    if (!accesses.add(summary))
      return {};
    if (loops.contains(op)) {
      auto first = cast<scf::ForOp>(op);
      bool isNext = chains && continues(first, second);
      bool isNeeded = llvm::any_of(second.getInitArgs(), [&](Value init) { return init.getDefiningOp() == first; });
      bool isFree = (isNext || !isNeeded) && !neededBetween.contains(op) && !nested.contains(op);
      if (isFree && haveSameSteps(first, second) && hasRoom(first))
        return first;
    }
    if (!summary.isSimple)
      return {};
    if (needed.contains(op))
      summaries.needs(op, [&](Operation *maker) {
        needed.insert(maker);
        neededBetween.insert(maker);
        return false;
      });
  }
  return {};
}

/// Puts what stands between the loops and needs the first behind the second.
void moveUsers(scf::ForOp first, scf::ForOp second, Summaries &summaries) {
  llvm::SetVector<Operation *> users;
  for (Operation *op = first->getNextNode(); op != second; op = op->getNextNode())
    if (summaries.needs(op, [&](Operation *maker) { return maker == first || users.contains(maker); }))
      users.insert(op);
  Operation *last = second;
  for (Operation *user : users) {
    user->moveAfter(last);
    last = user;
  }
}

/// The iterations of both in turn: the second loop adds to the sums of the first one. The second is left without a use.
scf::ForOp chain(scf::ForOp first, scf::ForOp second, IRRewriter &rewriter) {
  rewriter.moveOpBefore(first, second);
  auto yield = cast<scf::YieldOp>(first.getBody()->getTerminator());
  SmallVector<Value> arguments = {first.getInductionVar()}, sums(yield.getOperands());
  for (Value init : second.getInitArgs())
    arguments.push_back(sums[cast<OpResult>(init).getResultNumber()]);
  for (auto [init, result, sum] :
       llvm::zip_equal(second.getInitArgs(), second.getResults(), second.getYieldedValues())) {
    sums[cast<OpResult>(init).getResultNumber()] = sum;
    rewriter.replaceAllUsesWith(result, init);
  }
  rewriter.eraseOp(second.getBody()->getTerminator());
  rewriter.inlineBlockBefore(second.getBody(), yield, arguments);
  rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(sums); });
  return first;
}

/// One loop, in the second's place, with what the first does and then what the second does. Both are left empty: MLIR's
/// fuseIndependentSiblingForLoops would clone the first as often as something is merged with it.
scf::ForOp fuse(scf::ForOp first, scf::ForOp second, IRRewriter &rewriter) {
  SmallVector<Value> inits(first.getInitArgs());
  llvm::append_range(inits, second.getInitArgs());
  auto firstYield = cast<scf::YieldOp>(first.getBody()->getTerminator()),
       secondYield = cast<scf::YieldOp>(second.getBody()->getTerminator());
  rewriter.setInsertionPointAfter(second);
  auto fused = rewriter.create<scf::ForOp>(second.getLoc(), second.getLowerBound(), second.getUpperBound(),
                                           second.getStep(), inits);
  fused.getRegion().takeBody(first.getRegion());
  Block &body = *fused.getBody();
  SmallVector<Value> arguments = {body.getArgument(0)};
  for (Value init : second.getInitArgs())
    arguments.push_back(body.addArgument(init.getType(), second.getLoc()));
  for (BlockArgument argument : body.getArguments())
    argument.setLoc(second.getLoc());
  for (auto [from, to] : llvm::zip_equal(second.getBody()->getArguments(), arguments))
    from.replaceAllUsesWith(to);
  firstYield->insertOperands(firstYield->getNumOperands(), secondYield->getOperands());
  secondYield->erase();
  body.getOperations().splice(firstYield->getIterator(), second.getBody()->getOperations());
  unsigned count = first.getNumResults();
  first->replaceAllUsesWith(fused.getResults().take_front(count));
  second->replaceAllUsesWith(fused.getResults().drop_front(count));
  return fused;
}

/// What loops that are merged may carry in registers of a thread: products have been given theirs before.
constexpr int64_t mostCarried = 64;

/// Merges each of these loops with the nearest one before it with which that is possible; with `chains`, with one that
/// it goes on with, too.
void mergeLoops(tile::KernelOp kernel, ArrayRef<scf::ForOp> loops, bool chains) {
  if (loops.size() < 2)
    return;
  IRRewriter rewriter(kernel.getContext());
  DominanceInfo dominance(kernel);
  eliminateCommonSubExpressions(rewriter, dominance, kernel);
  Summaries summaries;
  auto threads = static_cast<int64_t>(kernel.getGroup());
  llvm::DenseSet<Operation *> before;
  SmallVector<Operation *> merged;
  for (scf::ForOp second : loops) {
    auto hasRoom = [&](scf::ForOp first) {
      return chains || registersOf(first, threads) + registersOf(second, threads) <= mostCarried;
    };
    scf::ForOp first = findFirst(second, before, chains, summaries, hasRoom), all = second;
    if (first) {
      moveUsers(first, second, summaries);
      bool isNext = chains && continues(first, second);
      all = isNext ? chain(first, second, rewriter) : fuse(first, second, rewriter);
      summaries.merge(first, second, all);
      before.erase(first);
      for (Operation *op : {first.getOperation(), second.getOperation()})
        if (op != all) {
          op->remove();
          op->dropAllReferences();
          merged.push_back(op);
        }
    }
    before.insert(all);
  }
  for (Operation *op : merged)
    op->destroy();
  DominanceInfo afterwards(kernel);
  eliminateCommonSubExpressions(rewriter, afterwards, kernel);
}

} // namespace

void mergeProductLoops(tile::KernelOp kernel) {
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) {
    if (!loop.getBody()->getOps<tile::DotOp>().empty())
      loops.push_back(loop);
  });
  mergeLoops(kernel, loops, /*chains=*/true);
}

void mergeReductionLoops(tile::KernelOp kernel) {
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) {
    bool carriesTiles = llvm::any_of(loop.getResultTypes(), [](Type type) { return isa<RankedTensorType>(type); });
    bool isInner = loop->getParentOfType<scf::ForOp>() != nullptr;
    if (carriesTiles && !isInner && isSimple(loop))
      loops.push_back(loop);
  });
  mergeLoops(kernel, loops, /*chains=*/false);
}

} // namespace tegula
