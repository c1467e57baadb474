// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/MergeLoops.h"

#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;

namespace tegula {
namespace {

/// What stands between two loops and needs the first.
using Users = llvm::SetVector<Operation *>;

bool needs(Operation *op, const Users &users, scf::ForOp loop) {
  WalkResult result = op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (Operation *made = operand.getDefiningOp(); made && (made == loop || users.contains(made)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// How ops access arrays.
struct Accesses {
  llvm::DenseMap<Value, int> loads, stores;

  void add(Operation *op) {
    op->walk([&](Operation *inner) {
      if (auto load = dyn_cast<tile::LoadOp>(inner))
        ++loads[tile::arrayOf(load.getRef())];
      if (auto store = dyn_cast<tile::StoreOp>(inner))
        ++stores[tile::arrayOf(store.getRef())];
    });
  }
  /// Whether they may be done in any order: refs of a launch are of different arrays if they are not of one argument.
  bool areIndependent() const {
    return llvm::all_of(stores, [&](const auto &of) { return of.second == 1 && !loads.contains(of.first); });
  }
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

/// Whether the second loop can run together with the first, once `users` stand behind it: iteration by iteration, if it
/// goes on with what the first one sums.
bool canMerge(scf::ForOp first, scf::ForOp second, Users &users) {
  if (first.getLowerBound() != second.getLowerBound() || first.getUpperBound() != second.getUpperBound() ||
      first.getStep() != second.getStep())
    return false;
  Accesses accesses;
  accesses.add(first);
  for (Operation *op = first->getNextNode(); op != second; op = op->getNextNode()) {
    if (!op || !isSimple(op))
      return false;
    accesses.add(op);
    if (needs(op, users, first))
      users.insert(op);
  }
  accesses.add(second);
  auto isWithin = [&](Value result) {
    return llvm::any_of(result.getUsers(), [&](Operation *user) { return second->isProperAncestor(user); });
  };
  return accesses.areIndependent() && llvm::none_of(first.getResults(), isWithin) &&
         llvm::none_of(users, [&](Operation *user) {
           return llvm::any_of(user->getUsers(), [&](Operation *next) { return second->isAncestor(next); });
         });
}

bool continues(scf::ForOp first, scf::ForOp second) {
  return llvm::all_of(second.getInitArgs(),
                      [&](Value init) { return init.getDefiningOp() == first && init.hasOneUse(); });
}

/// The iterations of both in turn: the second loop adds to the sums of the first one.
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
  rewriter.eraseOp(second);
  return first;
}

/// Merges each of these loops with the nearest one before it with which that is possible; with `chains`, with one that
/// it goes on with, too.
void mergeLoops(tile::KernelOp kernel, SmallVectorImpl<scf::ForOp> &loops, bool chains) {
  if (loops.size() < 2)
    return;
  IRRewriter rewriter(kernel.getContext());
  DominanceInfo dominance(kernel);
  eliminateCommonSubExpressions(rewriter, dominance, kernel);
  for (size_t i = 1; i < loops.size(); ++i) {
    for (scf::ForOp &before : llvm::reverse(MutableArrayRef(loops).take_front(i))) {
      Users users;
      if (!before || before->getBlock() != loops[i]->getBlock() || !before->isBeforeInBlock(loops[i]))
        continue;
      bool isNext = chains && continues(before, loops[i]);
      bool isNeeded = llvm::any_of(loops[i].getInitArgs(), [&](Value init) { return init.getDefiningOp() == before; });
      if ((isNeeded && !isNext) || !canMerge(before, loops[i], users))
        continue;
      Operation *last = loops[i];
      for (Operation *user : users) {
        user->moveAfter(last);
        last = user;
      }
      scf::ForOp first = std::exchange(before, {});
      loops[i] = isNext ? chain(first, loops[i], rewriter) : fuseIndependentSiblingForLoops(first, loops[i], rewriter);
      break;
    }
  }
  DominanceInfo merged(kernel);
  eliminateCommonSubExpressions(rewriter, merged, kernel);
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
