// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/Kernels.h"

using namespace mlir;

namespace tegula {

SmallVector<unsigned> dropUnusedArguments(tile::KernelOp kernel) {
  SmallVector<unsigned> kept;
  llvm::BitVector unused(kernel.getNumArguments());
  for (BlockArgument argument : kernel.getArguments()) {
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
    else
      kept.push_back(argument.getArgNumber());
  }
  kernel.eraseArguments(unused);
  return kept;
}

void removeDeadCode(tile::KernelOp kernel) {
  for (bool changed = true; changed;) {
    changed = false;
    SmallVector<Operation *> ops; // Collected anew each time: an op takes those inside it along.
    kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : llvm::reverse(ops))
      if (isOpTriviallyDead(op)) {
        op->erase();
        changed = true;
      }
  }
}

bool areSame(tile::KernelOp a, tile::KernelOp b) {
  return a.getFunctionType() == b.getFunctionType() && a.getThreads() == b.getThreads() &&
         a.getGroup() == b.getGroup() && a.getCluster() == b.getCluster() && a.getConsumers() == b.getConsumers() &&
         a.getMmaSync() == b.getMmaSync() && a->getDiscardableAttrDictionary() == b->getDiscardableAttrDictionary() &&
         a.getArgAttrsAttr() == b.getArgAttrsAttr() &&
         OperationEquivalence::isRegionEquivalentTo(&a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations);
}

} // namespace tegula
