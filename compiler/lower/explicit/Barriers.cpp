// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mbarriers (PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier") and where a block stands.
#include "support/Barriers.h"
#include "ir/Cluster.h"
#include "lower/KernelLowering.h"
#include "support/Registers.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::lower {

Value KernelLowering::clusterRank() {
  if (!kernel.getCluster())
    return i32(0);
  return specialRegister("cluster_ctarank");
}

LogicalResult KernelLowering::lowerPlace(Operation *op) {
  ScalarBuilder b = scalars(op);
  Value number;
  if (isa<tile::ThreadIndexOp>(op))
    number = b.create<arith::ShRUIOp>(specialRegister("tid"), i32(llvm::Log2_64(kernel.getGroup())));
  else if (isa<tile::ClusterRankOp>(op))
    number = clusterRank();
  else
    number = specialRegister("ctaid");
  values.map(op->getResult(0), b.create<arith::ExtUIOp>(builder.getI64Type(), number));
  return success();
}

/// What all threads did before is seen by all blocks of the cluster after.
void KernelLowering::clusterBarrier() {
  effect("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;", "", {});
}

/// One thread makes all barriers of the kernel; no thread goes on before, nor does another block of the cluster.
void KernelLowering::initializeBarriers() {
  SmallVector<tile::AllocBarriersOp> all;
  kernel.walk([&](tile::AllocBarriersOp op) { all.push_back(op); });
  if (all.empty())
    return;
  Value isFirst = scalars().compare(arith::CmpIPredicate::eq, specialRegister("tid"), i32(0));
  int64_t warps = std::max<int64_t>(1, kernel.getGroup() / lanesOfWarp);
  for (tile::AllocBarriersOp op : all) {
    int64_t arrivals = op.getArrivals() * (op.countsWarps() ? warps : 1);
    for (int64_t i = 0; i < op.getType().getCount(); ++i)
      effect("@$2 mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,b",
             {sharedAddress(op.getOffset().value_or(0) + 8 * i), i32(arrivals), isFirst});
  }
  effect("fence.mbarrier_init.release.cluster;", "", {});
  if (kernel.getCluster())
    clusterBarrier();
  else
    builder.create<NVVM::Barrier0Op>(here);
}

Value KernelLowering::barrierAddress(Value barriers, Value index) {
  ScalarBuilder b = scalars();
  auto alloc = barriers.getDefiningOp<tile::AllocBarriersOp>();
  Value number = b.create<arith::TruncIOp>(builder.getI32Type(), values.lookup(index));
  return b.create<arith::AddIOp>(sharedAddress(*alloc.getOffset()), b.create<arith::MulIOp>(number, i32(8)));
}

/// The ranks of the blocks at whose barriers an arrival counts, as bits: those that differ from this block along one of
/// the axes.
Value KernelLowering::arrivalMask(tile::AllocBarriersOp barriers) {
  Value &mask = arrivalMasks[barriers.getResult()];
  if (mask)
    return mask;
  Value rank = clusterRank();
  computeOnce([&] {
    ScalarBuilder b = scalars();
    ArrayRef<int64_t> shape = kernel.getClusterShapeAttr(), axes = barriers.getClusterAxesAttr();
    tile::ClusterShape cluster(shape);
    // Of the ranks that stand at 0 along these axes, those of this block.
    auto ranksFrom = [&](ArrayRef<int64_t> shared, int64_t ranks) {
      Value start = rank;
      for (int64_t axis : shared) {
        int64_t stride = cluster.stride(axis);
        Value along = b.create<arith::RemUIOp>(b.create<arith::DivUIOp>(rank, i32(stride)), i32(cluster.size(axis)));
        start = b.create<arith::SubIOp>(start, b.create<arith::MulIOp>(along, i32(stride)));
      }
      return b.create<arith::ShLIOp>(i32(ranks), start);
    };
    mask = i32(0);
    if (barriers.getLeader())
      mask = ranksFrom(axes, /*ranks=*/1);
    else if (barriers.getEverywhere())
      mask = ranksFrom(axes, cluster.ranksAlong(axes));
    else
      for (int64_t axis : axes)
        mask = b.create<arith::OrIOp>(mask, ranksFrom(axis, cluster.ranksAlong(axis)));
  });
  return mask;
}

void KernelLowering::blockBarrier() {
  if (kernel.getGroup() == kernel.getThreads())
    builder.create<NVVM::Barrier0Op>(here);
  else // The first barriers are those of the thread groups.
    effect("bar.sync " + Twine(barrierOfBlock) + ", " + Twine(kernel.getThreads()) + ";", "", {});
}

LogicalResult KernelLowering::lowerReuse(tile::ReuseSharedOp op) {
  here = locationOf(op);
  if (op.getProducts())
    effect("wgmma.wait_group.sync.aligned 0;", "", {});
  if (op.getCopies())
    effect("cp.async.bulk.wait_group.read 0;", "", {});
  effect("fence.proxy.async.shared::cta;", "", {});
  if (op.getCluster())
    clusterBarrier();
  else
    blockBarrier();
  return success();
}

LogicalResult KernelLowering::lowerArrive(tile::BarrierArriveOp op) {
  ScalarBuilder b = scalars(op);
  Value address = barrierAddress(op.getBarriers(), op.getIndex());
  auto alloc = op.getBarriers().getDefiningOp<tile::AllocBarriersOp>();
  if (alloc.countsWarps() && kernel.getGroup() > lanesOfWarp) {
    builder.create<NVVM::SyncWarpOp>(here, i32(-1));
    effect("{\n\t.reg .b32 lane;\n\t.reg .pred elected;\n\telect.sync lane|elected, 0xffffffff;\n\t"
           "@elected mbarrier.arrive.release.cta.shared::cta.b64 _, [$0];\n\t}",
           "r", {address});
    return success();
  }
  groupBarrier(); // All lanes are done with what they announce.
  if (!alloc.getClusterAxes() || !kernel.getCluster()) {
    effect("@$1 mbarrier.arrive.release.cta.shared::cta.b64 _, [$0];", "r,b", {address, isLeader()});
    return success();
  }
  // Lane i arrives at block i of the cluster.
  Value lane = threadInGroup(), mask = arrivalMask(alloc);
  if (isInWarps)
    lane = b.create<arith::AndIOp>(lane, i32(lanesOfWarp - 1));
  Value bit = b.create<arith::AndIOp>(b.create<arith::ShRUIOp>(mask, b.create<arith::AndIOp>(lane, i32(31))), i32(1));
  Value isMine = b.create<arith::AndIOp>(b.compare(arith::CmpIPredicate::ne, bit, i32(0)),
                                         b.compare(arith::CmpIPredicate::ult, lane, i32(32)));
  effect("{\n\t.reg .b32 remote;\n\tmapa.shared::cluster.u32 remote, $0, $1;\n\t"
         "@$2 mbarrier.arrive" +
             Twine(alloc.getFrees() ? "" : ".release.cluster") + ".shared::cluster.b64 _, [remote];\n\t}",
         "r,r,b", {address, lane, isMine});
  return success();
}

/// Waits for the mbarrier at $0 to have completed the phase of parity $1.
static std::string waitLoop(bool fromCluster) {
  return (".reg .pred done;\nagain:\n\tmbarrier.try_wait.parity" + Twine(fromCluster ? ".acquire.cluster" : "") +
          ".shared::cta.b64 done, [$0], $1;\n\t@!done bra again;\n")
      .str();
}

void KernelLowering::waitForPhase(Value address, Value parity) {
  effect("{\n\t" + waitLoop(/*fromCluster=*/false) + "\t}", "r,r", {address, parity});
}

/// Whether other blocks wrote to global memory before they arrived: they may have done so past this one's cache.
bool KernelLowering::arrivesFromCluster(Value barriers) {
  auto alloc = barriers.getDefiningOp<tile::AllocBarriersOp>();
  return alloc.getClusterAxes() && kernel.getCluster() && !alloc.getFrees();
}

LogicalResult KernelLowering::lowerWait(tile::BarrierWaitOp op) {
  ScalarBuilder b = scalars(op);
  Value parity = b.create<arith::ExtUIOp>(builder.getI32Type(), values.lookup(op.getParity()));
  effect("{\n\t" + waitLoop(arrivesFromCluster(op.getBarriers())) + "\t}", "r,r",
         {barrierAddress(op.getBarriers(), op.getIndex()), parity});
  return success();
}

/// Lanes may see a phase end at different times: what one of them saw, all of them get.
LogicalResult KernelLowering::lowerTest(tile::BarrierTestOp op) {
  ScalarBuilder b = scalars(op);
  Value parity = b.create<arith::ExtUIOp>(builder.getI32Type(), values.lookup(op.getParity()));
  std::string test =
      ("mbarrier.test_wait.parity" + Twine(arrivesFromCluster(op.getBarriers()) ? ".acquire.cluster" : "") +
       ".shared::cta.b64 seen, [$1], $2;\n\t")
          .str();
  Value address = barrierAddress(op.getBarriers(), op.getIndex());
  if (isInWarps) {
    Value ended = effect("{\n\t.reg .pred seen;\n\t" + test + "vote.sync.any.pred $0, seen, 0xffffffff;\n\t}", "=b,r,r",
                         {address, parity}, builder.getI1Type())
                      .getResult(0);
    values.map(op.getResult(), ended);
    return success();
  }
  Value id = i32(0); // That of the thread group.
  if (kernel.getGroup() != kernel.getThreads())
    id = b.create<arith::ShRUIOp>(specialRegister("tid"), i32(llvm::Log2_64(kernel.getGroup())));
  Value ended = effect("{\n\t.reg .pred seen;\n\t" + test + "barrier.cta.red.or.pred $0, $3, " +
                           Twine(kernel.getGroup()) + ", seen;\n\t}",
                       "=b,r,r,r", {address, parity, id}, builder.getI1Type())
                    .getResult(0);
  values.map(op.getResult(), ended);
  return success();
}

LogicalResult KernelLowering::lowerNamed(tile::NamedBarrierOp op) {
  ScalarBuilder b = scalars(op);
  auto alloc = op.getBarriers().getDefiningOp<tile::AllocNamedBarriersOp>();
  Value number = b.create<arith::TruncIOp>(builder.getI32Type(), values.lookup(op.getIndex()));
  effect("barrier.cta." + Twine(op.getWait() ? "sync" : "arrive") + ".aligned $0, $1;", "r,r",
         {b.create<arith::AddIOp>(number, i32(alloc.getFirst())), i32(alloc.getThreads() * kernel.getGroup())});
  return success();
}

/// The warps go their ways between two barriers of the thread.
LogicalResult KernelLowering::lowerWarpMap(tile::WarpMapOp op) {
  if (kernel.getGroup() != lanesOfWarpgroup)
    return op.emitOpError("is for threads of four warps");
  groupBarrier();
  values.map(op.getWarp(), builder.create<arith::ExtUIOp>(here, builder.getI64Type(), warpInGroup()));
  for (auto [argument, init] : llvm::zip_equal(op.getCarried(), op.getInits()))
    values.map(argument, values.lookup(init));
  isInWarps = true;
  LogicalResult lowered = lowerBlock(op.getBody().front());
  isInWarps = false;
  if (failed(lowered))
    return failure();
  auto done = cast<tile::WarpDoneOp>(op.getBody().front().getTerminator());
  for (auto [result, value] : llvm::zip_equal(op.getResults(), done.getValues()))
    values.map(result, values.lookup(value));
  here = locationOf(op);
  groupBarrier();
  return success();
}

std::optional<LogicalResult> KernelLowering::lowerBarrierOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case([&](tile::AllocBarriersOp) { return success(); }) // Made at the start of the kernel.
      .Case<tile::ThreadIndexOp, tile::ClusterRankOp, tile::ClusterIdOp>([&](auto) { return lowerPlace(op); })
      .Case([&](tile::SetMaxRegistersOp set) {
        effect("setmaxnreg." + Twine(set.getIncrease() ? "inc" : "dec") + ".sync.aligned.u32 " + Twine(set.getCount()) +
                   ";",
               "", {});
        return success();
      })
      .Case([&](tile::BarrierArriveOp arrive) { return lowerArrive(arrive); })
      .Case([&](tile::BarrierWaitOp wait) { return lowerWait(wait); })
      .Case([&](tile::BarrierTestOp test) { return lowerTest(test); })
      .Case([&](tile::AllocNamedBarriersOp) { return success(); }) // The block has them.
      .Case([&](tile::NamedBarrierOp named) { return lowerNamed(named); })
      .Case([&](tile::WarpMapOp map) { return lowerWarpMap(map); })
      .Case([&](tile::WarpDoneOp) { return success(); })
      // (PTX ISA, griddepcontrol.) What a target lacks, codegen leaves out.
      .Case([&](tile::WaitForGridsOp) {
        effect("griddepcontrol.wait;", "", {});
        return success();
      })
      .Case([&](tile::LaunchDependentsOp) {
        effect("griddepcontrol.launch_dependents;", "", {});
        return success();
      })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tegula::lower
