// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs of a grid run at the same time. What several of them write to the same place is a race, if they write
// different values: the accumulation over a grid axis of systems that run programs one after another.
#include "analysis/Symbols.h"
#include "checks/Passes.h"
#include "ir/Locations.h"
#include "ir/TileDialect.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILECHECKOVERWRITES
#include "checks/Passes.h.inc"

namespace {
/// What a value depends on: the axes of the grid by program ids, and arrays by what is loaded.
struct Sources {
  llvm::SmallBitVector axes;
  llvm::SmallDenseSet<Value> arrays;
  SmallVector<tile::LoadOp> loads;
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
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      arrays.insert(tile::arrayOf(load.getRef()));
      loads.push_back(load);
    }
    for (Value operand : op->getOperands())
      add(operand);
    for (Region &region : op->getRegions())
      region.walk([&](Operation *inside) { add(inside); });
  }
};

/// The axes of the grid that an index depends on: through loads, or computed from program ids, so that programs can
/// tell that it is their own.
struct IndexAxes {
  llvm::SmallBitVector computed, loaded;

  explicit IndexAxes(unsigned rank) : computed(rank), loaded(rank) {}

  void add(Value value) {
    Operation *op = value.getDefiningOp();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop || loop.getInductionVar() != argument)
        return addUnknown(argument.getOwner()->getParentOp());
      for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
        add(bound);
    } else if (auto id = dyn_cast<tile::ProgramIdOp>(op)) {
      computed.set(id.getAxis());
    } else if (auto load = dyn_cast<tile::LoadOp>(op)) {
      Sources sources{llvm::SmallBitVector(computed.size()), {}, {}, {}};
      sources.add(load.getOperation());
      loaded |= sources.axes;
    } else if (op->getNumRegions() > 0) {
      addUnknown(op);
    } else {
      for (Value operand : op->getOperands())
        add(operand);
    }
  }

private:
  /// What a loop or a branch makes is the author's to judge; arguments of the launch are the same for all programs.
  void addUnknown(Operation *op) {
    if (!isa<tile::LaunchOp>(op))
      computed.set();
  }
};

class Overwrites {
public:
  explicit Overwrites(tile::LaunchOp launch) : launch(launch), symbols(launch) {}

  LogicalResult check() {
    WalkResult result = launch.getBody().walk(
        [&](tile::StoreOp store) { return failed(check(store)) ? WalkResult::interrupt() : WalkResult::advance(); });
    return failure(result.wasInterrupted());
  }

private:
  Sources none() { return {llvm::SmallBitVector(launch.getGrid().size()), {}, {}, {}}; }

  /// The conditions under which an op runs.
  template <class Add> void forConditions(Operation *op, Add add) {
    for (op = op->getParentOp(); op != launch; op = op->getParentOp())
      for (Value operand : op->getOperands())
        add(operand);
  }

  LogicalResult check(tile::StoreOp store) {
    // Where it is written, and under which conditions, tells programs apart.
    Sources place = none(), value = none();
    place.add(store.getRef());
    if (store.getMask())
      place.add(store.getMask());
    forConditions(store, [&](Value operand) { place.add(operand); });
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
    return checkUpdate(store, value);
  }

  /// Programs that find an address in an array may find the same: what they add up there is lost. Programs that only
  /// store there are the author's to keep apart.
  LogicalResult checkUpdate(tile::StoreOp store, const Sources &value) {
    auto isUpdated = [&](tile::LoadOp load) {
      return tile::isSameWindow(load.getRef(), store.getRef(),
                                [&](Value a, Value b) { return symbols.of(a) == symbols.of(b); });
    };
    if (llvm::none_of(value.loads, isUpdated))
      return success();
    IndexAxes axes(launch.getGrid().size());
    for (Operation *op = store.getRef().getDefiningOp(); op; op = op->getOperand(0).getDefiningOp())
      for (Value index : op->getOperands().drop_front())
        axes.add(index);
    forConditions(store, [&](Value operand) { axes.add(operand); });
    for (auto [axis, size] : llvm::enumerate(launch.getGrid())) {
      if (!axes.loaded[axis] || axes.computed[axis] || matchPattern(size, m_One()))
        continue;
      std::string name = tile::nameOf(tile::arrayOf(store.getRef())).str();
      InFlightDiagnostic error = emitError(tile::withoutName(store.getLoc()))
                                 << "programs that differ along grid axis " << axis << " may update one element of "
                                 << name << " at the same time, since it is found by an index that is loaded: updates "
                                 << "would be lost";
      error.attachNote() << "let each program own an element of " << name << " and reduce over what falls to it, "
                         << "tg::sum(tg::where(index == own, value, 0)), or loop over the indices in one program";
      return failure();
    }
    return success();
  }

  tile::LaunchOp launch;
  Symbols symbols;
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
