// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/ChainPhases.h"

using namespace mlir;

namespace tegula {

/// Whether an op computes a number for each element of a matrix, and does not only load or compare.
static bool makesNumbers(Operation *op) {
  return !isa<tile::LoadOp>(op) && llvm::any_of(op->getResultTypes(), [](Type type) {
    auto tile = dyn_cast<RankedTensorType>(type);
    return tile && tile.getRank() == 2 && !tile.getElementType().isInteger(1);
  });
}

SmallVector<std::pair<Operation *, ChainPhase>> findPhases(ChainSteps &steps, scf::ForOp loop) {
  using Phase = ChainPhase;
  SmallVector<std::pair<Operation *, ChainPhase>> ops;
  llvm::SmallDenseSet<Value> made, reduced, late;
  for (const Product &product : steps.firstProducts())
    made.insert(tile::DotOp(product.dot).getResult());
  for (const Product &product : steps.lastProducts())
    late.insert(loop.getRegionIterArg(product.sum));
  for (Operation *op : steps.computed()) {
    auto has = [&](const llvm::SmallDenseSet<Value> &values) {
      return llvm::any_of(op->getOperands(), [&](Value operand) { return values.contains(operand); });
    };
    bool isMade = has(made), isReduced = has(reduced), isLate = has(late);
    auto mark = [&](llvm::SmallDenseSet<Value> &values) { values.insert(op->result_begin(), op->result_end()); };
    if (isMade && isa<tile::ReduceOp>(op))
      mark(reduced);
    if (isReduced)
      mark(reduced);
    isLate |= isReduced && llvm::any_of(op->getResultTypes(), [](Type type) {
                auto tile = dyn_cast<RankedTensorType>(type);
                return tile && tile.getRank() == 2;
              });
    if (isMade)
      mark(made);
    if (isLate)
      mark(late);
    ops.push_back({op, isLate ? Phase::late : isMade ? Phase::middle : Phase::early});
  }
  // What nothing wants before is computed where it is wanted, next to what it is an operand of. Numbers for all
  // elements, such as of a bias, would take as many registers as a product meanwhile.
  llvm::SmallPtrSet<Operation *, 32> areEarly, areLate;
  for (auto &[op, phase] : llvm::reverse(ops)) {
    // The products of the step before read the registers that left factors have.
    auto isWantedLate = [&](Operation *user) { return areLate.contains(user) || isa<tile::DotOp>(user); };
    auto isWantedEarly = [&](Operation *user) { return areEarly.contains(user); };
    if (phase == Phase::early && makesNumbers(op) && llvm::none_of(op->getUsers(), isWantedEarly))
      phase = Phase::middle;
    if (phase == Phase::middle && llvm::all_of(op->getUsers(), isWantedLate))
      phase = Phase::late;
    if (phase == Phase::early)
      areEarly.insert(op);
    if (phase == Phase::late)
      areLate.insert(op);
  }
  return ops;
}

} // namespace tegula
