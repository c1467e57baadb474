// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What threads of the explicit level have together, and what one of them has alone.
#include "analysis/Uniformity.h"
#include "checks/Passes.h"
#include "ir/GridOps.h"
#include "ir/KernelAttributes.h"
#include "support/Registers.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILECHECKTHREADS
#include "checks/Passes.h.inc"

namespace {

LogicalResult checkOneThread(tile::LaunchOp launch, Uniformity &uniformity) {
  auto result = launch.walk([&](tile::OneThreadOp op) {
    unsigned reaching = uniformity.mayReach(op);
    if ((reaching & (reaching - 1)) == 0)
      return WalkResult::advance();
    op.emitError("several warpgroups of the CTA may reach this tg::emit_pipeline, which only one may run: call it in "
                 "one of them, if (tg::axis_index(...) == 0), or use tg::emit_pipeline_warp_specialized");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// A barrier of the grid is one of all threads: one that never comes there keeps all others waiting.
LogicalResult checkGridBarriers(tile::LaunchOp launch, Uniformity &uniformity) {
  unsigned all = (1u << *launch.getWarpgroups()) - 1;
  auto result = launch.walk([&](tile::GridBarrierOp op) {
    if (uniformity.mayReach(op) == all)
      return WalkResult::advance();
    op.emitError("all warpgroups of all CTAs must reach tg::grid_barrier, but some warpgroups of the CTA never do: "
                 "call it outside of the branch that only some take, or let those wait by tg::semaphore_wait");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// How many registers the lanes of a thread may have at a place.
struct Registers {
  int64_t least, most, last;
};

/// An increase gives more than the lanes have, a decrease fewer (PTX ISA, setmaxnreg).
LogicalResult checkChange(tile::SetMaxRegistersOp op, const Registers &before) {
  int64_t count = op.getCount();
  bool isWrong = op.getIncrease() ? count < before.least : count > before.most;
  if (!isWrong)
    return success();
  return op.emitError() << (op.getIncrease() ? "an increase to " : "a decrease to ") << count
                        << " registers, but the threads of this warpgroup have "
                        << (op.getIncrease() ? before.least : before.most)
                        << (op.getIncrease() ? " or more" : " or fewer")
                        << " here: leave it out, or use tg::" << (op.getIncrease() ? "decrease" : "increase");
}

/// A thread that wants more registers waits until others gave as many away: forever, if they never do.
LogicalResult checkRegisters(tile::LaunchOp launch, Uniformity &uniformity) {
  auto limit = launch->getAttrOfType<IntegerAttr>(tile::maxRegisters);
  int64_t count = *launch.getWarpgroups();
  int64_t atLaunch = registersAtLaunch(count, limit ? limit.getInt() : mostRegisters);
  SmallVector<Registers> registers(count, {atLaunch, atLaunch, atLaunch});
  tile::SetMaxRegistersOp largest;
  auto result = launch.walk([&](tile::SetMaxRegistersOp op) { // The last one counts.
    unsigned reaching = uniformity.mayReach(op);
    for (auto [thread, each] : llvm::enumerate(registers)) {
      if (!(reaching >> thread & 1))
        continue;
      if (failed(checkChange(op, each)))
        return WalkResult::interrupt();
      int64_t next = op.getCount();
      each = {std::min(each.least, next), std::max(each.most, next), next};
    }
    if (op.getIncrease() && (!largest || op.getCount() > largest.getCount()))
      largest = op;
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  int64_t sum = 0;
  std::string all;
  for (const Registers &each : registers) {
    sum += each.last;
    all += (all.empty() ? "" : " + ") + std::to_string(each.last);
  }
  if (!largest || sum <= count * atLaunch)
    return success();
  return largest.emitError("the warpgroups of the CTA would have ")
         << all << " registers per thread, but the CTA has " << count * atLaunch << " in all, " << atLaunch
         << " each at launch: an increase beyond that waits forever; let other warpgroups release more";
}

struct CheckThreads : impl::TileCheckThreadsBase<CheckThreads> {
  void runOnOperation() override {
    SmallVector<tile::LaunchOp> launches;
    getOperation().walk([&](tile::LaunchOp launch) {
      if (launch.isExplicit())
        launches.push_back(launch);
    });
    for (tile::LaunchOp launch : launches) {
      Uniformity uniformity(launch.getBody(), *launch.getWarpgroups());
      if (failed(checkOneThread(launch, uniformity)) || failed(checkGridBarriers(launch, uniformity)) ||
          failed(checkRegisters(launch, uniformity)))
        return signalPassFailure();
      launch.walk([](tile::OneThreadOp op) { op.erase(); });
    }
  }
};
} // namespace
} // namespace tegula
