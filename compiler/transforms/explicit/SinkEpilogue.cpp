// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is computed before a loop of products, and wanted only after it, is computed while the last of them are under
// way: between the tiles of a persistent kernel the tensor core would wait for it. Where the next tile lies takes
// several divisions, some hundred cycles each.
#include "ir/TileDialect.h"
#include "transforms/Passes.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILESINKEPILOGUE
#include "transforms/Passes.h.inc"

namespace {

bool multiplies(scf::ForOp loop) {
  return loop.getBody()->walk([](tile::WgmmaOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Whether all that use the op come after the loop, in its block.
bool isWantedAfter(Operation &op, scf::ForOp loop) {
  return llvm::all_of(op.getUsers(), [&](Operation *user) {
    Operation *here = loop->getBlock()->findAncestorOpInBlock(*user);
    return here && loop->isBeforeInBlock(here);
  });
}

void sink(scf::ForOp loop) {
  Block *block = loop->getBlock();
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(llvm::make_range(block->begin(), Block::iterator(loop)))))
    if (isMemoryEffectFree(&op) && !op.use_empty() && !isa<arith::ConstantOp>(op) && isWantedAfter(op, loop))
      op.moveAfter(loop);
}

struct SinkEpilogue : impl::TileSinkEpilogueBase<SinkEpilogue> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      bool isInnermost = loop.getBody()->getOps<scf::ForOp>().empty();
      if (isInnermost && multiplies(loop) && loop->getParentOfType<tile::KernelOp>())
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      sink(loop);
  }
};
} // namespace
} // namespace tegula
