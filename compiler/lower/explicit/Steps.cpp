// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps that clusters take from a counter in global memory: one lane of a cluster counts, and tells all of its threads.
#include "lower/KernelLowering.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::lower {

Value KernelLowering::stepAddress(Value slots, Value index) {
  ScalarBuilder b = scalars();
  Value number = b.create<arith::TruncIOp>(builder.getI32Type(), values.lookup(index));
  return b.create<arith::AddIOp>(startInShared(shared.find(slots)->second),
                                 b.create<arith::MulIOp>(number, i32(sizeof(int64_t))));
}

/// Nothing waits for the result before it is used.
LogicalResult KernelLowering::lowerTakeStep(tile::TakeStepOp op) {
  Value counter = refs.find(op.getCounter())->second.base;
  values.map(op.getResult(), effect("mov.b64 $0, 0;\n\t@$2 atom.relaxed.gpu.global.add.u64 $0, [$1], 1;", "=&l,l,b",
                                    {counter, isLeader()}, builder.getI64Type())
                                 .getResult(0));
  return success();
}

/// Lanes that run a step together: those of the first warp, where it copies alone.
void KernelLowering::meetForStep(Operation *op) {
  if (onlyCopies(op))
    builder.create<NVVM::SyncWarpOp>(here, i32(-1));
  else
    groupBarrier();
}

/// All lanes have passed the wait for the slot to be empty: one that is behind would take a later phase of its barrier
/// for the one it waits for, once others read this step and release the slot again.
LogicalResult KernelLowering::lowerAnnounceStep(tile::AnnounceStepOp op) {
  meetForStep(op);
  Value slot = stepAddress(op.getSlots(), op.getIndex()), barrier = barrierAddress(op.getBarriers(), op.getIndex());
  Value step = values.lookup(op.getStep());
  if (!kernel.getCluster()) {
    effect("@$3 st.shared::cta.b64 [$0], $1;\n\t@$3 mbarrier.arrive.release.cta.shared::cta.b64 _, [$2];", "r,l,r,b",
           {slot, step, barrier, isLeader()});
    return success();
  }
  for (int64_t rank = 0, blocks = *kernel.getCluster(); rank < blocks; ++rank)
    effect("{\n\t.reg .b32 slot, barrier;\n\tmapa.shared::cluster.u32 slot, $0, $4;\n\t"
           "mapa.shared::cluster.u32 barrier, $2, $4;\n\t@$3 st.shared::cluster.b64 [slot], $1;\n\t"
           "@$3 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [barrier];\n\t}",
           "r,l,r,b,r", {slot, step, barrier, isLeader(), i32(rank)});
  return success();
}

/// No lane is so far behind that it would read a later step.
LogicalResult KernelLowering::lowerReadStep(tile::ReadStepOp op) {
  values.map(op.getResult(), effect("ld.shared::cta.b64 $0, [$1];", "=l,r", {stepAddress(op.getSlots(), op.getIndex())},
                                    builder.getI64Type())
                                 .getResult(0));
  meetForStep(op);
  return success();
}

std::optional<LogicalResult> KernelLowering::lowerStepOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case([&](tile::TakeStepOp take) { return lowerTakeStep(take); })
      .Case([&](tile::AnnounceStepOp announce) { return lowerAnnounceStep(announce); })
      .Case([&](tile::ReadStepOp read) { return lowerReadStep(read); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tegula::lower
