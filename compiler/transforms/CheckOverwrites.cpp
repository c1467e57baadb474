// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs of a grid run at the same time. What several of them write to the same place is a race, if they write
// different values: the accumulation over a grid axis of systems that run programs one after another.
#include "ir/Locations.h"
#include "ir/TileDialect.h"
#include "transforms/Passes.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILECHECKOVERWRITES
#include "transforms/Passes.h.inc"

namespace {
/// What a value depends on: the axes of the grid by program ids, and arrays by what is loaded.
struct Sources {
  llvm::SmallBitVector axes;
  llvm::SmallDenseSet<Value> arrays;
  llvm::DenseSet<Operation *> seen;

  void add(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (Operation *parent = argument.getOwner()->getParentOp(); !isa<tile::LaunchOp>(parent))
        add(parent); // Of a loop.
      return;
    }
    add(value.getDefiningOp());
  }
  void add(Operation *op) {
    if (!seen.insert(op).second)
      return;
    if (auto id = dyn_cast<tile::ProgramIdOp>(op))
      axes.set(id.getAxis());
    if (auto load = dyn_cast<tile::LoadOp>(op))
      arrays.insert(tile::arrayOf(load.getRef()));
    for (Value operand : op->getOperands())
      add(operand);
    for (Region &region : op->getRegions())
      region.walk([&](Operation *inside) { add(inside); });
  }
};

class Overwrites {
public:
  explicit Overwrites(tile::LaunchOp launch) : launch(launch) {}

  LogicalResult check() {
    WalkResult result = launch.getBody().walk(
        [&](tile::StoreOp store) { return failed(check(store)) ? WalkResult::interrupt() : WalkResult::advance(); });
    return failure(result.wasInterrupted());
  }

private:
  Sources none() { return {llvm::SmallBitVector(launch.getGrid().size()), {}, {}}; }

  LogicalResult check(tile::StoreOp store) {
    // Where it is written, and under which conditions, tells programs apart.
    Sources place = none(), value = none();
    place.add(store.getRef());
    if (store.getMask())
      place.add(store.getMask());
    for (Operation *op = store->getParentOp(); op != launch; op = op->getParentOp())
      for (Value operand : op->getOperands())
        place.add(operand);
    value.add(store.getValue());
    Value array = tile::arrayOf(store.getRef());
    for (auto [axis, size] : llvm::enumerate(launch.getGrid())) {
      bool isRead = value.arrays.contains(array);
      if (place.axes[axis] || matchPattern(size, m_One()) || (!isRead && !value.axes[axis]))
        continue;
      std::string name = tile::nameOf(array).str(), along = "grid axis " + std::to_string(axis);
      InFlightDiagnostic error = emitError(tile::withoutName(store.getLoc()))
                                 << "programs that differ along " << along << " all write these elements of " << name
                                 << ", and they run at the same time";
      error.attachNote() << "write what depends on the program: let the index map of " << name << " depend on " << along
                         << ", or loop in the program over what the axis counts";
      return failure();
    }
    return success();
  }

  tile::LaunchOp launch;
};

struct CheckOverwrites : impl::TileCheckOverwritesBase<CheckOverwrites> {
  void runOnOperation() override {
    getOperation().walk([&](tile::LaunchOp launch) {
      if (!launch.isExplicit() && failed(Overwrites(launch).check()))
        signalPassFailure();
    });
  }
};
} // namespace
} // namespace tegula
