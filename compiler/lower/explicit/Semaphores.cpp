// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How blocks synchronize, by counts in global memory (PTX ISA, "Memory Consistency Model"): a lane of the
// thread releases what all of its lanes did before, and acquires for all of them.
#include "ir/GridOps.h"
#include "lower/KernelLowering.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::lower {

/// What one block writes by its threads, another one may read by TMA: the fence that takes writes from one to the other
/// (PTX ISA, "Async proxy"). Kernels without TMA need none.
void KernelLowering::fenceForCopies() {
  bool copies = kernel
                    .walk([](Operation *op) {
                      bool reads = isa<tile::TmaLoadOp, tile::BulkLoadOp>(op);
                      return reads ? WalkResult::interrupt() : WalkResult::advance();
                    })
                    .wasInterrupted();
  if (copies)
    effect("fence.proxy.async.global;", "", {});
}

LogicalResult KernelLowering::lowerSignal(tile::SemaphoreSignalOp op) {
  ScalarBuilder b = scalars(op);
  std::string scope = tile::stringifyMemoryScope(op.getScope()).str();
  fenceForCopies();
  groupBarrier(); // All lanes are done with what they announce.
  bool isOne = op.getSemaphores().size() == 1;
  if (!isOne)
    effect("@$0 fence.acq_rel." + Twine(scope) + ";", "b", isLeader());
  for (auto [semaphore, increment] : llvm::zip(op.getSemaphores(), op.getIncrements())) {
    Value by = b.create<arith::TruncIOp>(builder.getI32Type(), values.lookup(increment));
    effect("@$2 red." + Twine(isOne ? "release" : "relaxed") + "." + scope + ".global.add.u32 [$0], $1;", "l,r,b",
           {refs.find(semaphore)->second.base, by, isLeader()});
  }
  return success();
}

LogicalResult KernelLowering::lowerSemaphoreWait(tile::SemaphoreWaitOp op) {
  ScalarBuilder b = scalars(op);
  std::string scope = tile::stringifyMemoryScope(op.getScope()).str();
  Value value = b.create<arith::TruncIOp>(builder.getI32Type(), values.lookup(op.getValue()));
  std::string text = "{\n\t.reg .pred done;\n\t.reg .b32 seen;\n\t@!$2 bra finished;\nagain:\n\tld.relaxed." + scope +
                     ".global.s32 seen, [$0];\n\tsetp.ge.s32 done, seen, $1;\n\t@!done bra again;\n\t";
  if (op.getDecrement()) // Another one may take it meanwhile.
    text += "{\n\t.reg .b32 rest, old;\n\tsub.s32 rest, seen, $1;\n\tatom.relaxed." + scope +
            ".global.cas.b32 old, [$0], seen, rest;\n\tsetp.eq.s32 done, old, seen;\n\t}\n\t@!done bra again;\n\t";
  text += "fence.acq_rel." + scope + ";\nfinished:\n\t}";
  effect(text, "l,r,b", {refs.find(op.getSemaphore())->second.base, value, isLeader()});
  builder.create<NVVM::SyncWarpOp>(here, i32(-1)); // Behind what one lane did by itself.
  groupBarrier();
  fenceForCopies();
  return success();
}

/// Lanes might see different counts: one of them asks, and tells the others by shared memory, or by a shuffle if they
/// are one warp.
LogicalResult KernelLowering::lowerSemaphoreRead(tile::SemaphoreReadOp op) {
  Type type = builder.getI32Type();
  Value base = refs.find(op.getSemaphore())->second.base;
  if (isInWarps) {
    Value seen = effect("ld.relaxed.gpu.global.s32 $0, [$1];", "=r,l", base, type).getRes();
    values.map(op.getResult(), shuffled(seen, NVVM::ShflKind::idx, i32(0)));
    return success();
  }
  Value place = scratch();
  Value isFirst = scalars(op).compare(arith::CmpIPredicate::eq, threadInGroup(), i32(0));
  groupBarrier(); // Others may still read what was there.
  auto branch = builder.create<scf::IfOp>(here, isFirst, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    Value seen = effect("ld.relaxed.gpu.global.s32 $0, [$1];", "=r,l", base, type).getRes();
    builder.create<LLVM::StoreOp>(here, seen, place, 4U);
  }
  groupBarrier();
  values.map(op.getResult(), builder.create<LLVM::LoadOp>(here, type, place, 4U));
  return success();
}

/// One lane of each block arrives: that of the first one adds what makes the sum of all 2^31. The highest bit, which
/// turns round when all have come, says so.
LogicalResult KernelLowering::lowerGridBarrier(tile::GridBarrierOp op) {
  fenceForCopies();
  blockBarrier();
  Value isFirst = scalars(op).compare(arith::CmpIPredicate::eq, specialRegister("tid"), i32(0));
  effect("{\n\t.reg .pred first, done;\n\t.reg .b32 x, y, own, old, seen;\n\t@!$1 bra finished;\n\t"
         "mov.u32 x, %nctaid.x;\n\tmov.u32 y, %nctaid.y;\n\tmul.lo.u32 own, x, y;\n\tsub.u32 own, 0x80000001, own;\n\t"
         "mov.u32 x, %ctaid.x;\n\tmov.u32 y, %ctaid.y;\n\tor.b32 x, x, y;\n\tsetp.eq.u32 first, x, 0;\n\t"
         "selp.u32 own, own, 1, first;\n\t"
         "fence.acq_rel.gpu;\n\tatom.relaxed.gpu.global.add.u32 old, [$0], own;\nagain:\n\t"
         "ld.relaxed.gpu.global.u32 seen, [$0];\n\txor.b32 seen, seen, old;\n\tsetp.lt.s32 done, seen, 0;\n\t"
         "@!done bra again;\n\tfence.acq_rel.gpu;\nfinished:\n\t}",
         "l,b", {refs.find(op.getSemaphore())->second.base, isFirst});
  builder.create<NVVM::SyncWarpOp>(here, i32(-1));
  blockBarrier();
  fenceForCopies();
  return success();
}

std::optional<LogicalResult> KernelLowering::lowerSemaphoreOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case([&](tile::SemaphoreSignalOp signal) { return lowerSignal(signal); })
      .Case([&](tile::SemaphoreWaitOp wait) { return lowerSemaphoreWait(wait); })
      .Case([&](tile::SemaphoreReadOp read) { return lowerSemaphoreRead(read); })
      .Case([&](tile::GridBarrierOp barrier) { return lowerGridBarrier(barrier); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tegula::lower
