// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/stages/Alone.h"

#include "transforms/split/Demand.h"
#include "transforms/split/stages/Carried.h"
#include "transforms/split/stages/Effects.h"
#include "transforms/split/stages/Scratch.h"

using namespace mlir;

namespace tegula::split {

/// Control flow of the program, not of a combiner.
static LogicalResult keepAllCarried(tile::LaunchOp launch) {
  SmallVector<Operation *> control;
  launch.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumRegions() > 0 && !isControl(op))
      return WalkResult::skip();
    if (isControl(op))
      control.push_back(op);
    return WalkResult::advance();
  });
  // From the inside out: what takes the place of an op has its regions.
  return success(llvm::all_of(llvm::reverse(control),
                              [&](Operation *op) { return keepCarried(launch, op, CarriedKinds::tiles) != nullptr; }));
}

/// What elements are taken of is in memory by now: they are gathered.
static LogicalResult gatherTaken(tile::LaunchOp launch) {
  SmallVector<tile::TakeOp> takes;
  launch.getBody().walk([&](tile::TakeOp take) { takes.push_back(take); });
  for (tile::TakeOp take : takes) {
    if (!take.getSource().getDefiningOp<tile::LoadOp>() && failed(keepInScratch(launch, take.getSource())))
      return failure();
    auto load = take.getSource().getDefiningOp<tile::LoadOp>();
    if (!load || load.getMask())
      continue;
    OpBuilder builder(take);
    take.replaceAllUsesWith(builder
                                .create<tile::GatherOp>(take.getLoc(), take.getType(), load.getRef(), take.getIndices(),
                                                        take.getDims(), take.getPosition(), Value(), Value(),
                                                        /*guarded=*/false)
                                .getResult());
    take.erase();
  }
  return success();
}

LogicalResult keepForOneGroup(tile::LaunchOp launch) {
  if (failed(keepAllCarried(launch)))
    return failure();
  llvm::SmallDenseSet<Value> stored;
  launch.getBody().walk([&](tile::RootOpInterface root) { stored.insert(tile::arrayOf(root.getRootRef())); });
  SmallVector<Value> kept;
  launch.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isOverwritten = isa<tile::LoadOp, tile::GatherOp>(op) && stored.contains(tile::arrayOf(op->getOperand(0)));
    bool isMade = (isContraction(op) && !op->getResults().empty() && isTile(op->getResult(0)) &&
                   cast<RankedTensorType>(op->getResult(0).getType()).getRank() > 0) ||
                  isa<tile::SortOp, tile::AtomicOp>(op);
    if (isOverwritten || isMade)
      for (Value result : op->getResults())
        if (!result.use_empty())
          kept.push_back(result);
    return op->getNumRegions() > 0 && !isControl(op) ? WalkResult::skip() : WalkResult::advance();
  });
  for (Value value : kept)
    if (failed(keepInScratch(launch, value)))
      return failure();
  return gatherTaken(launch);
}

} // namespace tegula::split
