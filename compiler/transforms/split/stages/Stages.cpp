// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/stages/Stages.h"

#include "transforms/split/stages/Attempt.h"
#include "transforms/split/Demand.h"
#include "transforms/split/HostPasses.h"
#include "transforms/split/Plan.h"
#include "transforms/split/stages/Effects.h"
#include "transforms/split/stages/Scratch.h"

using namespace mlir;

namespace tegula::split {
namespace {

class Stages {
public:
  using SplitStage = function_ref<LogicalResult(tile::LaunchOp stage)>;
  Stages(tile::LaunchOp launch, bool remarks, SplitStage splitStage)
      : launch(launch), remarks(remarks), splitStage(splitStage), builder(launch) {}

  LogicalResult run();

private:
  /// Effects of one stage.
  using Stage = SmallVector<Operation *>;

  LogicalResult keepWhatIsOverwritten();
  bool keepContractions(ArrayRef<Operation *> effects);
  SmallVector<Stage> group();
  tile::LaunchOp write(const Stage &stage, unsigned number);
  LogicalResult splitAll(ArrayRef<Stage> stages, std::optional<unsigned> &refused);
  void writePlan(Operation *front);
  void remark(ArrayRef<Stage> stages);

  tile::LaunchOp launch;
  bool remarks;
  SplitStage splitStage;
  OpBuilder builder;
  /// The whole program, on arrays of the launch and its scratch. It is not split itself.
  tile::LaunchOp whole;
};

} // namespace

/// More values than that no program keeps: the text would be wrong.
static constexpr unsigned mostKept = 256;

LogicalResult Stages::keepWhatIsOverwritten() {
  for (unsigned kept = 0; kept < mostKept; ++kept) {
    Value value = Effects(whole).findToKeep();
    if (!value)
      return success();
    if (failed(keepInScratch(whole, value)))
      return failure();
  }
  return failure();
}

/// What a stage combines gets stages of its own. False if there is nothing.
bool Stages::keepContractions(ArrayRef<Operation *> effects) {
  llvm::SetVector<Operation *> needed;
  for (Operation *effect : effects)
    for (Operation *op : neededBy(effect))
      needed.insert(op);
  bool hasKept = false;
  for (Operation *op : needed) {
    bool isLoop = op->getNumRegions() > 0 && llvm::any_of(op->getResults(), isTile) && !Effects::isEffect(op);
    if (!isContraction(op) && !isLoop)
      continue;
    for (Value result : op->getResults()) {
      bool isStored = result.hasOneUse() && isa<tile::StoreOp>(*result.user_begin());
      if (result.use_empty() || isStored)
        continue;
      if (failed(keepInScratch(whole, result)))
        return false;
      hasKept = true;
    }
  }
  return hasKept;
}

/// As few stages as their order allows.
SmallVector<Stages::Stage> Stages::group() {
  Effects effects(whole);
  SmallVector<Stage> stages;
  SmallVector<const Effect *> last;
  for (const Effect &effect : effects.all()) {
    bool keeps = llvm::any_of(last, [&](const Effect *before) { return Effects::keeps(effect.op, before->op); });
    bool isBehind = llvm::any_of(last, [&](const Effect *before) { return effects.conflict(*before, effect); });
    bool contracts = llvm::any_of(effect.needed, isContraction);
    bool contracted = llvm::any_of(last, [](const Effect *before) { return llvm::any_of(before->needed, isContraction); });
    if (last.empty() || (!keeps && (isBehind || contracts || contracted))) {
      stages.emplace_back();
      last.clear();
    }
    stages.back().push_back(effect.op);
    last.push_back(&effect);
  }
  return stages;
}

tile::LaunchOp Stages::write(const Stage &stage, unsigned number) {
  llvm::DenseSet<Operation *> needed;
  for (Operation *effect : stage)
    for (Operation *op : neededBy(effect))
      needed.insert(op);
  auto leaveOut = [&](Operation &op, ValueRange, IRMapping &) {
    return !needed.contains(&op) && !op.hasTrait<OpTrait::IsTerminator>();
  };
  builder.setInsertionPoint(whole);
  tile::LaunchOp made = cloneProgram(builder, whole, "", {}, leaveOut);
  made.setName((launch.getName() + "_stage" + Twine(number)).str());
  dropUnusedInputs(made);
  return made;
}

LogicalResult Stages::splitAll(ArrayRef<Stage> stages, std::optional<unsigned> &refused) {
  for (auto [number, stage] : llvm::enumerate(stages)) {
    tile::LaunchOp made = write(stage, number);
    if (failed(splitStage(made))) {
      refused = number;
      return failure();
    }
  }
  return success();
}

/// All that the stages have been made by, now in the plan.
void Stages::writePlan(Operation *front) {
  PlanBuilder plan(launch);
  IRMapping host;
  host.map(launch.getGrid(), plan.grid());
  host.map(launch.getArguments(), plan.arguments());
  for (Operation *op = front ? front->getNextNode() : &launch->getBlock()->front(); op != whole; op = op->getNextNode())
    if (auto stage = dyn_cast<tile::LaunchOp>(op))
      inlinePlan(plan.get(), stage, host);
    else
      plan.get().clone(*op, host);
  plan.finish();
}

void Stages::remark(ArrayRef<Stage> stages) {
  InFlightDiagnostic diagnostic = launch.emitRemark()
                                  << "this program is cut into " << stages.size()
                                  << " stages, each a launch of its own, for one needs what another one stores";
  for (const Stage &stage : stages)
    diagnostic.attachNote(stage.front()->getLoc()) << "a stage begins here";
}

LogicalResult Stages::run() {
  Operation *front = launch->getPrevNode();
  whole = cloneProgram(builder, launch, "", {}, [](Operation &, ValueRange, IRMapping &) { return false; });
  whole->setDiscardableAttrs(launch->getDiscardableAttrDictionary());
  LogicalResult result = keepWhatIsOverwritten();
  while (succeeded(result)) {
    SmallVector<Stage> stages = group();
    std::optional<unsigned> refused;
    Attempt attempt(whole);
    result = attempt.run([&] { return splitAll(stages, refused); });
    if (succeeded(result)) {
      attempt.tell();
      writePlan(front);
      if (remarks)
        remark(stages);
      break;
    }
    attempt.undo();
    result = success(keepContractions(stages[*refused]) && succeeded(keepWhatIsOverwritten()));
  }
  eraseBetween(front, launch);
  return result;
}

LogicalResult splitInStages(tile::LaunchOp launch, bool remarks, Stages::SplitStage splitStage) {
  return Stages(launch, remarks, splitStage).run();
}

} // namespace tegula::split
