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
  SmallVector<tile::GatherOp> gathers = {};
  llvm::DenseSet<Operation *> seen = {};

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
    if (auto gather = dyn_cast<tile::GatherOp>(op)) {
      arrays.insert(tile::arrayOf(gather.getRef()));
      gathers.push_back(gather);
    }
    for (Value operand : op->getOperands())
      add(operand);
    for (Region &region : op->getRegions())
      region.walk([&](Operation *inside) { add(inside); });
  }
};

/// The axes of the grid that an index depends on: through loads, or computed from program ids, so that programs can
/// tell that it is their own. Programs share a quotient of their ids, and a remainder by a constant; not both.
struct Axes {
  llvm::SmallBitVector computed, loaded, quotients, remainders;

  explicit Axes(unsigned rank) : computed(rank), loaded(rank), quotients(rank), remainders(rank) {}

  Axes &operator|=(const Axes &other) {
    computed |= other.computed;
    loaded |= other.loaded;
    quotients |= other.quotients;
    remainders |= other.remainders;
    llvm::SmallBitVector both = quotients;
    computed |= both &= remainders;
    return *this;
  }
  llvm::SmallBitVector shared() const {
    llvm::SmallBitVector result = quotients;
    result |= remainders;
    return result.reset(computed).reset(loaded);
  }
};

/// Finds them, once for each value.
class AxesOfValues {
public:
  explicit AxesOfValues(unsigned rank) : rank(rank) {}

  const Axes &of(Value value) {
    if (auto known = found.find(value); known != found.end())
      return known->second;
    Axes made = compute(value);
    return found.try_emplace(value, std::move(made)).first->second;
  }

private:
  Axes compute(Value value) {
    Axes axes(rank);
    Operation *op = value.getDefiningOp();
    SmallVector<Value> sources;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *owner = argument.getOwner()->getParentOp();
      auto loop = dyn_cast<scf::ForOp>(owner);
      if (loop && loop.getInductionVar() == argument)
        sources = {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
      else if (!isa<tile::LaunchOp>(owner)) // What a loop makes is the author's to judge.
        axes.computed.set();
    } else if (auto id = dyn_cast<tile::ProgramIdOp>(op)) {
      axes.computed.set(id.getAxis());
    } else if (auto load = dyn_cast<tile::LoadOp>(op)) {
      Sources loaded{llvm::SmallBitVector(rank), {}, {}};
      loaded.add(load.getOperation());
      axes.loaded |= loaded.axes;
    } else if (op->getNumRegions() > 0) { // And what a branch makes.
      axes.computed.set();
    } else {
      sources.assign(op->operand_begin(), op->operand_end());
    }
    for (Value source : sources)
      axes |= of(source);
    if (op && isQuotient(op))
      moveTo(axes.quotients, axes);
    else if (op && isRemainder(op))
      moveTo(axes.remainders, axes);
    return axes;
  }

  static bool isQuotient(Operation *op) {
    return isa<arith::DivSIOp, arith::DivUIOp, arith::ShRSIOp, arith::ShRUIOp>(op);
  }
  /// By a number that is known at run time it may be a rotation.
  static bool isRemainder(Operation *op) {
    return isa<arith::RemSIOp, arith::RemUIOp, arith::AndIOp>(op) && matchPattern(op->getOperand(1), m_Constant());
  }
  /// What is divided tells programs apart no longer.
  static void moveTo(llvm::SmallBitVector &part, Axes &axes) {
    llvm::SmallBitVector all = axes.computed;
    all |= axes.quotients;
    all |= axes.remainders;
    for (llvm::SmallBitVector *each : {&axes.computed, &axes.quotients, &axes.remainders})
      each->reset();
    part = all;
  }

  unsigned rank;
  llvm::DenseMap<Value, Axes> found;
};

class Overwrites {
public:
  explicit Overwrites(tile::LaunchOp launch) : launch(launch), symbols(launch), values(launch.getGrid().size()) {}

  LogicalResult check() {
    WalkResult result = launch.getBody().walk([&](Operation *op) {
      auto store = dyn_cast<tile::StoreOp>(op);
      auto scatter = dyn_cast<tile::ScatterOp>(op);
      bool isRefused = (store && failed(check(store))) || (scatter && failed(check(scatter)));
      return isRefused ? WalkResult::interrupt() : WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

private:
  Sources none() { return {llvm::SmallBitVector(launch.getGrid().size()), {}, {}}; }

  /// The conditions under which an op runs.
  template <class Add> void forConditions(Operation *op, Add add) {
    for (op = op->getParentOp(); op != launch; op = op->getParentOp())
      for (Value operand : op->getOperands())
        add(operand);
  }

  /// Where it is written, and under which conditions, tells programs apart; or what they write is the same.
  LogicalResult checkPlace(tile::RootOpInterface root, const Sources &value) {
    Sources place = none();
    for (Value operand : root->getOperands().drop_front()) // All but what is written, which comes first.
      place.add(operand);
    forConditions(root, [&](Value operand) { place.add(operand); });
    Value array = tile::arrayOf(root.getRootRef());
    for (auto [axis, size] : llvm::enumerate(launch.getGrid())) {
      bool isRead = value.arrays.contains(array);
      if (place.axes[axis] || matchPattern(size, m_One()) || (!isRead && !value.axes[axis]))
        continue;
      std::string name = tile::nameOf(array).str(), along = "grid axis " + std::to_string(axis);
      InFlightDiagnostic error = emitError(tile::withoutName(root.getLoc()))
                                 << "programs that differ along " << along << " all write the same elements of " << name
                                 << ", and they run at the same time";
      error.attachNote() << "let each program write its own elements: make the index map of " << name << " depend on "
                         << along
                         << ", loop over the axis in the program, or make the axis sequential, .dimension_semantics = "
                            "{..., tg::sequential}";
      return failure();
    }
    return success();
  }

  LogicalResult check(tile::StoreOp store) {
    Sources value = none();
    value.add(store.getValue());
    return success(succeeded(checkPlace(store, value)) && succeeded(checkShared(store, value)) &&
                   succeeded(checkUpdate(store, value)));
  }

  /// h[i] = h[i] + 1 of several programs, which may have indices in common.
  LogicalResult check(tile::ScatterOp scatter) {
    Sources value = none();
    value.add(scatter.getValue());
    bool areSeveral = llvm::any_of(launch.getGrid(), [](Value size) { return !matchPattern(size, m_One()); });
    auto isUpdated = [&](tile::GatherOp gather) {
      return tile::arrayOf(gather.getRef()) == tile::arrayOf(scatter.getRef()) &&
             llvm::equal(gather.getIndices(), scatter.getIndices());
    };
    if (!areSeveral || llvm::none_of(value.gathers, isUpdated))
      return checkPlace(scatter, value);
    std::string name = tile::nameOf(tile::arrayOf(scatter.getRef())).str();
    InFlightDiagnostic error = emitError(tile::withoutName(scatter.getLoc()))
                               << "several programs may update the same element of " << name
                               << " at the same time, because a tile of indices selects it: updates would be lost";
    error.attachNote() << "update it atomically, tg::atomic_add(" << name << ".at(index), value)";
    return failure();
  }

  /// What the index of a store depends on, and the conditions around it.
  Axes axesOf(tile::StoreOp store) {
    Axes axes(launch.getGrid().size());
    for (Operation *op = store.getRef().getDefiningOp(); op; op = op->getOperand(0).getDefiningOp())
      for (Value index : op->getOperands().drop_front())
        axes |= values.of(index);
    forConditions(store, [&](Value operand) { axes |= values.of(operand); });
    return axes;
  }

  /// Programs 0 and 1 both write to o[i / 2].
  LogicalResult checkShared(tile::StoreOp store, const Sources &value) {
    // A mask, or a condition, may tell the programs apart.
    Sources conditions = none();
    if (store.getMask())
      conditions.add(store.getMask());
    forConditions(store, [&](Value operand) { conditions.add(operand); });
    Value array = tile::arrayOf(store.getRef());
    for (unsigned axis : axesOf(store).shared().set_bits()) {
      if (conditions.axes[axis] || matchPattern(launch.getGrid()[axis], m_One()) ||
          (!value.arrays.contains(array) && !value.axes[axis]))
        continue;
      std::string name = tile::nameOf(array).str(), along = "grid axis " + std::to_string(axis);
      InFlightDiagnostic error =
          emitError(tile::withoutName(store.getLoc()))
          << "several programs along " << along << " write the same elements of " << name
          << ", because the index is a quotient or a remainder of the program's index, and they run at the "
          << "same time";
      error.attachNote() << "let one program own each element, and loop in it over what is combined there";
      return failure();
    }
    return success();
  }

  /// Whether two integers are one, also if both are loaded, and the program changes neither.
  bool areSame(Value a, Value b, int depth) {
    if (a == b || (a.getType().isIntOrIndex() && symbols.of(a) == symbols.of(b)))
      return true;
    Operation *left = a.getDefiningOp(), *right = b.getDefiningOp();
    constexpr int deepest = 12; // p[i], converted and offset
    if (!left || !right || depth == deepest || left->getName() != right->getName() ||
        left->getAttrDictionary() != right->getAttrDictionary() || left->getNumRegions() > 0)
      return false;
    auto load = dyn_cast<tile::LoadOp>(left);
    bool isStable = load ? launch.getAccessOf(tile::arrayOf(load.getRef()).getArgNumber()) == tile::Access::In
                         : isMemoryEffectFree(left);
    return isStable && left->getNumOperands() == right->getNumOperands() &&
           llvm::all_of(llvm::zip(left->getOperands(), right->getOperands()),
                        [&](auto pair) { return areSame(std::get<0>(pair), std::get<1>(pair), depth + 1); });
  }

  /// Programs that find an address in an array may find the same: what they add up there is lost. Programs that only
  /// store there are the author's to keep apart.
  LogicalResult checkUpdate(tile::StoreOp store, const Sources &value) {
    auto isUpdated = [&](tile::LoadOp load) {
      return tile::isSameWindow(load.getRef(), store.getRef(), [&](Value a, Value b) { return areSame(a, b, 0); });
    };
    Sources conditions = none(); // if (h[k] < x) h[k] = x is an update, too.
    forConditions(store, [&](Value operand) { conditions.add(operand); });
    if (llvm::none_of(value.loads, isUpdated) && llvm::none_of(conditions.loads, isUpdated))
      return success();
    Axes axes = axesOf(store);
    for (auto [axis, size] : llvm::enumerate(launch.getGrid())) {
      if (!axes.loaded[axis] || axes.computed[axis] || matchPattern(size, m_One()))
        continue;
      std::string name = tile::nameOf(tile::arrayOf(store.getRef())).str();
      InFlightDiagnostic error = emitError(tile::withoutName(store.getLoc()))
                                 << "programs that differ along grid axis " << axis
                                 << " may update the same element of " << name
                                 << " at the same time, because its index is loaded: updates "
                                 << "would be lost";
      error.attachNote() << "update it atomically, tg::atomic_add(" << name << ".at(index), value), or let each "
                         << "program own an element of " << name << " and reduce over the values for it, "
                         << "tg::sum(tg::where(index == own, value, 0))";
      return failure();
    }
    return success();
  }

  tile::LaunchOp launch;
  Symbols symbols;
  AxesOfValues values;
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
