// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Roles as the assembler sees them. ptxas honours setmaxnreg only where no code with more registers can be reached
// afterwards: threads that gave registers away must not come together with the others in a loop that they share.
#include "analysis/Uniformity.h"
#include "ir/TileDialect.h"
#include "support/Registers.h"
#include "transforms/Passes.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILESPECIALIZETHREADS
#include "transforms/Passes.h.inc"

namespace {

bool setsRegisters(scf::IfOp branch) {
  auto found = branch.walk([](tile::SetMaxRegistersOp) { return WalkResult::interrupt(); });
  return branch.getNumResults() == 0 && found.wasInterrupted();
}

/// Shared memory and barriers belong to the block, not to a role.
void hoistAllocations(scf::IfOp branch) {
  SmallVector<Operation *> allocations;
  for (Operation *op = branch->getNextNode(); op; op = op->getNextNode())
    op->walk([&](Operation *inner) {
      if (isa<tile::AllocOp, tile::AllocBarriersOp>(inner))
        allocations.push_back(inner);
    });
  for (Operation *op : allocations)
    op->moveBefore(branch);
}

/// if (c) { a } else { b } rest  becomes  if (c) { a rest } else { b rest }, where each rest knows c.
scf::IfOp specialize(scf::IfOp branch) {
  hoistAllocations(branch);
  OpBuilder builder(branch);
  Location loc = branch.getLoc();
  auto roles = builder.create<scf::IfOp>(loc, branch.getCondition(), /*withElseRegion=*/true);
  for (bool isThen : {true, false}) {
    Region &own = isThen ? branch.getThenRegion() : branch.getElseRegion();
    builder.setInsertionPoint((isThen ? roles.thenBlock() : roles.elseBlock())->getTerminator());
    IRMapping mapping;
    Value known = builder.create<arith::ConstantOp>(loc, builder.getBoolAttr(isThen));
    mapping.map(branch.getCondition(), known);
    if (!own.empty())
      for (Operation &op : own.front().without_terminator())
        builder.clone(op, mapping);
    for (Operation *op = branch->getNextNode(); !op->hasTrait<OpTrait::IsTerminator>(); op = op->getNextNode())
      builder.clone(*op, mapping);
  }
  Block *block = branch->getBlock();
  while (&*std::prev(block->end(), 2) != branch.getOperation())
    std::prev(block->end(), 2)->erase();
  branch.erase();
  return roles;
}

/// Roles within roles, too: each side has its own threads, and may divide them further.
void specializeIn(Block &block, tile::KernelOp kernel) {
  Uniformity uniformity(kernel.getBody(), kernel.getThreads() / lanesOfWarpgroup);
  for (auto branch : llvm::make_early_inc_range(block.getOps<scf::IfOp>())) {
    if (!setsRegisters(branch))
      continue;
    if (std::optional<bool> known = uniformity.known(branch.getCondition(), uniformity.mayReach(branch))) {
      OpBuilder builder(branch); // All come to the same side: no role of its own.
      branch.getConditionMutable().assign(
          builder.create<arith::ConstantOp>(branch.getLoc(), builder.getBoolAttr(*known)));
      continue;
    }
    scf::IfOp roles = specialize(branch);
    specializeIn(*roles.thenBlock(), kernel);
    specializeIn(*roles.elseBlock(), kernel);
    return;
  }
}

struct SpecializeThreads : impl::TileSpecializeThreadsBase<SpecializeThreads> {
  void runOnOperation() override {
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>())
      specializeIn(kernel.getBody().front(), kernel);
  }
};
} // namespace
} // namespace tegula
