// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/stages/Stages.h"

#include "ir/ProductOptions.h"
#include "transforms/SinkTakes.h"
#include "transforms/split/ChooseKernels.h"
#include "transforms/split/Demand.h"
#include "transforms/split/HostPasses.h"
#include "transforms/split/LaunchBuilder.h"
#include "transforms/split/LookBack.h"
#include "transforms/split/Plan.h"
#include "transforms/split/stages/Alone.h"
#include "transforms/split/stages/Attempt.h"
#include "transforms/split/stages/Carried.h"
#include "transforms/split/stages/Effects.h"
#include "transforms/split/stages/Scratch.h"
#include "transforms/split/stages/Shared.h"
#include "transforms/split/two_pass/DividedReductions.h"
#include "transforms/split/two_pass/TwoPass.h"

using namespace mlir;

namespace tegula::split {
namespace {

class Stages {
public:
  /// `atOnce` was not possible.
  Stages(tile::LaunchOp launch, const GroupShape &shape, bool remarks, const Attempt &atOnce)
      : launch(launch), shape(shape), remarks(remarks), atOnce(atOnce), builder(launch) {}

  /// With `divides`, so that many thread groups have work: what is combined gets stages of its own, and one stage is
  /// none.
  LogicalResult run(bool divides = false);

private:
  /// Effects of one stage.
  using Stage = SmallVector<Operation *>;

  LogicalResult keepWhatIsOverwritten();
  bool keepContractions(const Stage &stage);
  bool keepWhatIsCarried(const Stage &stage);
  bool giveWay(const Stage &stage);
  SmallVector<Stage> group();
  tile::LaunchOp write(const Stage &stage, unsigned number);
  LogicalResult split(const Stage &stage, unsigned number, AlikeStages &alike);
  LogicalResult splitAlone(tile::LaunchOp stage);
  LogicalResult splitOnHost(Operation *control, unsigned number);
  LogicalResult splitRegion(Operation *control, Region &region, Block &hostBlock, const Twine &suffix);
  void writePlan(Operation *front);
  void remark(ArrayRef<Stage> stages);

  tile::LaunchOp launch;
  const GroupShape &shape;
  bool remarks;
  const Attempt &atOnce;
  OpBuilder builder;
  /// The whole program, on arrays of the launch and its scratch. It is not split itself.
  tile::LaunchOp whole;
  /// What has a stage of its own, whatever comes of that.
  llvm::DenseSet<Value> kept;
  /// Effects that one thread group has, for they cannot be split in another way.
  llvm::SmallPtrSet<Operation *, 4> alone;
};

} // namespace

/// Each round cuts what a round before could not split: loops in loops take some.
static constexpr unsigned mostRounds = 32;
/// More values than that no program keeps: the text would be wrong.
static constexpr unsigned mostKept = 256;

/// Whether a tile is what memory holds, in a type that bounds it or not.
static bool isLoaded(Value tile) {
  while (auto broadcast = tile.getDefiningOp<tile::BroadcastOp>())
    tile = broadcast.getSource();
  return tile.getDefiningOp<tile::LoadOp>() != nullptr;
}

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

// ---- What is done about a stage that cannot be split ----------------------------------------------------------------

/// What a stage combines, what loops and branches make, and what elements are taken of, gets stages of its own. False
/// if there is nothing that has none yet.
bool Stages::keepContractions(const Stage &stage) {
  SmallVector<Value> wanted;
  auto want = [&](Value value) {
    if (isTile(value) && kept.insert(value).second)
      wanted.push_back(value);
  };
  for (Operation *effect : stage)
    for (Operation *op : neededBy(effect)) {
      auto take = dyn_cast<tile::TakeOp>(op);
      if (take && !isLoaded(take.getSource()))
        want(take.getSource());
      bool isMade = isContraction(op) || isa<tile::SortOp>(op) || (isControl(op) && !Effects::isEffect(op));
      if (!isMade)
        continue;
      for (Value result : op->getResults()) {
        bool isStored = result.hasOneUse() && isa<tile::StoreOp>(*result.user_begin());
        if (!result.use_empty() && !isStored)
          want(result);
      }
    }
  return !wanted.empty() && llvm::all_of(wanted, [&](Value value) { return succeeded(keepInScratch(whole, value)); });
}

/// What the loops and branches of a stage carry goes to memory, if the host can run them.
bool Stages::keepWhatIsCarried(const Stage &stage) {
  HostValues host(whole, builder, whole.getGrid(), whole.getArguments());
  builder.setInsertionPoint(whole);
  for (Operation *effect : stage)
    for (Operation *op : neededBy(effect)) {
      if (op->getNumResults() == 0 || !isControl(op))
        continue;
      if (!llvm::all_of(op->getOperands().take_front(isa<scf::ForOp>(op) ? 3 : 1),
                        [&](Value bound) { return isa<scf::ForOp, scf::IfOp>(op) && host.clone(bound); }))
        continue;
      return keepCarried(whole, op, CarriedKinds::all) != nullptr;
    }
  return false;
}

/// Another way for a stage that cannot be split; false if there is none.
bool Stages::giveWay(const Stage &stage) {
  return keepContractions(stage) || keepWhatIsCarried(stage) || alone.insert(stage.front()).second;
}

// ---- The stages -----------------------------------------------------------------------------------------------------

/// As few stages as their order allows.
SmallVector<Stages::Stage> Stages::group() {
  Effects effects(whole);
  SmallVector<Stage> stages;
  SmallVector<const Effect *> last;
  auto isApart = [&](const Effect &effect) {
    return alone.contains(effect.op) ||
           llvm::any_of(effect.needed, [](Operation *op) { return isContraction(op) || isControl(op); });
  };
  for (const Effect &effect : effects.all()) {
    bool keeps = llvm::any_of(last, [&](const Effect *before) { return Effects::keeps(effect.op, before->op); });
    bool isBehind =
        llvm::any_of(last, [&](const Effect *before) { return isApart(*before) || effects.conflict(*before, effect); });
    if (last.empty() || (!keeps && (isBehind || isApart(effect)))) {
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
  sinkTakes(made); // Scratch is not stored to where it is read.
  return made;
}

/// One thread group runs it, of which no kernel is faster than another one.
LogicalResult Stages::splitAlone(tile::LaunchOp stage) {
  if (failed(keepForOneGroup(stage)))
    return failure();
  GroupShape own = shape;
  own.isAlone = true;
  own.variants.vector = own.variants.warp = own.variants.half = own.variants.block = own.variants.cluster = false;
  own.variants.small = own.variants.tensor = own.variants.splitK = own.variants.isPrivate = false;
  if (failed(splitLaunch(stage, own, /*remarks=*/false)))
    return failure();
  if (remarks)
    stage.emitRemark()
        << "one thread group runs this part of a program, chunk by chunk, which is slow: it decides itself "
           "what it does next, which thread groups cannot do together";
  return success();
}

LogicalResult Stages::split(const Stage &stage, unsigned number, AlikeStages &alike) {
  Operation *first = stage.front();
  Attempt atOnce(whole);
  tile::LaunchOp made = write(stage, number);
  bool isAlone = alone.contains(first);
  if (!isAlone && alike.takePlan(made))
    return success();
  LogicalResult result = atOnce.run([&] { return isAlone ? splitAlone(made) : splitInPasses(made, shape, remarks); });
  if (failed(result)) {
    atOnce.undo();
    if (stage.size() == 1 && first->getNumResults() == 0 && isControl(first) && !isAlone)
      return splitOnHost(first, number);
  } else if (!isAlone) {
    alike.add(made);
  }
  atOnce.tell();
  return result;
}

/// A loop or a branch becomes one of the host.
LogicalResult Stages::splitOnHost(Operation *control, unsigned number) {
  builder.setInsertionPoint(whole);
  HostValues host(whole, builder, whole.getGrid(), whole.getArguments());
  Location loc = control->getLoc();
  if (auto loop = dyn_cast<scf::ForOp>(control)) {
    Value lower = host.clone(loop.getLowerBound()), upper = host.clone(loop.getUpperBound()),
          step = host.clone(loop.getStep());
    if (!lower || !upper || !step)
      return failure();
    auto onHost = builder.create<scf::ForOp>(loc, lower, upper, step);
    return splitRegion(control, loop.getRegion(), *onHost.getBody(), "_loop" + Twine(number));
  }
  auto branch = dyn_cast<scf::IfOp>(control);
  Value condition = branch ? host.clone(branch.getCondition()) : Value();
  if (!condition)
    return failure();
  bool hasElse = !branch.getElseRegion().empty();
  auto onHost = builder.create<scf::IfOp>(loc, condition, hasElse);
  if (failed(splitRegion(control, branch.getThenRegion(), *onHost.thenBlock(), "_then" + Twine(number))))
    return failure();
  return success(!hasElse ||
                 succeeded(splitRegion(control, branch.getElseRegion(), *onHost.elseBlock(), "_else" + Twine(number))));
}

/// A launch that does what a region of the program does, in a block of the host.
LogicalResult Stages::splitRegion(Operation *control, Region &region, Block &hostBlock, const Twine &suffix) {
  OpBuilder inside(hostBlock.getTerminator());
  SmallVector<Value> arguments(whole.getArguments());
  SmallVector<tile::Access> access;
  for (unsigned i = 0; i < arguments.size(); ++i)
    access.push_back(whole.getAccessOf(i));
  llvm::append_range(arguments, hostBlock.getArguments());
  access.append(hostBlock.getNumArguments(), tile::Access::Scalar);
  tile::LaunchOp made = createPass(inside, launch, suffix, whole.getGrid(), arguments, access);
  Block &body = made.getBody().front();
  inside.setInsertionPointToEnd(&body);
  IRMapping mapping;
  unsigned count = whole.getBody().getNumArguments();
  mapping.map(whole.getBody().getArguments(), body.getArguments().take_front(count));
  mapping.map(region.getArguments(), body.getArguments().drop_front(count));
  llvm::SetVector<Operation *> needed = neededBy(control);
  for (Operation &op : whole.getBody().front())
    if (&op != control && needed.contains(&op))
      inside.clone(op, mapping);
  for (Operation &op : region.front().without_terminator())
    inside.clone(op, mapping);
  inside.create<tile::YieldOp>(control->getLoc());
  dropUnusedInputs(made);
  return splitOrCut(made, shape, remarks);
}

// ---- The plan -------------------------------------------------------------------------------------------------------

/// What the host does, with the plans of launches in their place.
static void inlineHostCode(OpBuilder &builder, Operation *first, Operation *end, IRMapping &host) {
  for (Operation *op = first; op != end; op = op->getNextNode()) {
    if (auto stage = dyn_cast<tile::LaunchOp>(op)) {
      inlinePlan(builder, stage, host);
      continue;
    }
    Operation *made = isControl(op) ? builder.cloneWithoutRegions(*op, host) : builder.clone(*op, host);
    if (!isControl(op))
      continue;
    OpBuilder::InsertionGuard guard(builder);
    for (auto [from, to] : llvm::zip_equal(op->getRegions(), made->getRegions())) {
      if (from.empty())
        continue;
      Block &block = to.emplaceBlock();
      for (BlockArgument argument : from.getArguments())
        host.map(argument, block.addArgument(argument.getType(), argument.getLoc()));
      builder.setInsertionPointToEnd(&block);
      inlineHostCode(builder, &from.front().front(), nullptr, host);
    }
  }
}

/// All that the stages have been made by, now in the plan.
void Stages::writePlan(Operation *front) {
  PlanBuilder plan(launch);
  IRMapping host;
  host.map(launch.getGrid(), plan.grid());
  host.map(launch.getArguments(), plan.arguments());
  Operation *first = front ? front->getNextNode() : &launch->getBlock()->front();
  inlineHostCode(plan.get(), first, whole, host);
  plan.finish();
  shareScratch(launch.getPlan().front());
  for (Operation *op = first; op != whole; op = op->getNextNode())
    op->walk([&](tile::LaunchOp stage) {
      if (Attribute why = stage->getDiscardableAttr(keptFromTensorCores))
        launch->setAttr(keptFromTensorCores, why);
    });
}

void Stages::remark(ArrayRef<Stage> stages) {
  InFlightDiagnostic diagnostic = launch.emitRemark() << "this program is cut into " << stages.size() << " stage"
                                                      << (stages.size() > 1 ? "s that run one after the other" : "")
                                                      << ", each a launch of its own or a loop of launches";
  for (const Stage &stage : stages)
    diagnostic.attachNote(stage.front()->getLoc()) << "a stage begins here";
  if (const Diagnostic *why = atOnce.firstError())
    diagnostic.attachNote(why->getLocation()) << "at once, it cannot be split: " << why->str();
}

LogicalResult Stages::run(bool divides) {
  Operation *front = launch->getPrevNode();
  builder.setInsertionPoint(launch);
  whole = cloneProgram(builder, launch, "", {}, [](Operation &, ValueRange, IRMapping &) { return false; });
  whole->setDiscardableAttrs(launch->getDiscardableAttrDictionary());
  LogicalResult result = keepWhatIsOverwritten();
  if (divides && succeeded(result)) {
    for (const Stage &stage : group())
      keepContractions(stage);
    result = keepWhatIsOverwritten();
  }
  for (unsigned round = 0; succeeded(result); ++round) {
    SmallVector<Stage> stages = group(), refused;
    if (divides && stages.size() < 2) {
      result = failure();
      break;
    }
    Attempt attempt(whole);
    AlikeStages alike(whole);
    for (auto [number, stage] : llvm::enumerate(stages))
      if (failed(attempt.run([&] { return split(stage, number, alike); })))
        refused.push_back(stage);
    if (refused.empty()) {
      attempt.tell();
      writePlan(front);
      if (remarks)
        remark(stages);
      break;
    }
    attempt.undo();
    result = success(round < mostRounds &&
                     llvm::all_of(
                         refused, [&](const Stage &stage) { return giveWay(stage); }) &&
                     succeeded(keepWhatIsOverwritten()));
  }
  eraseBetween(front, launch);
  return result;
}

/// Whether one thread group would do all of a launch, and loop over arrays of any length, though there is more to do
/// than what two passes or shared scans divide.
static bool leavesIdle(tile::LaunchOp launch, const GroupShape &shape) {
  // The lengths of arrays say on the host whether there is much to do.
  bool hasLengths = llvm::any_of(launch.getArguments(), [](Value argument) {
    auto type = dyn_cast<tile::ArrayType>(argument.getType());
    return type && type.getRank() > 0;
  });
  if (!launch.getGrid().empty() || !hasLengths || canShareScans(launch))
    return false;
  ScopedDiagnosticHandler silent(launch.getContext(), [](Diagnostic &) { return success(); });
  Extents extents(launch);
  FailureOr<Program> program = analyse(launch, extents, shape, ResidentDims());
  if (failed(program) || !program->isWhole())
    return false;
  bool isLong = llvm::any_of(program->domains, [](const Domain &domain) {
    return llvm::any_of(domain.dims,
                        [](const DomainDim &dim) { return dim.mode == Mode::Sequential && !dim.isStatic(); });
  });
  DividedReductions divided(launch, extents);
  auto isLeft = [&](Operation &op) {
    return isContraction(&op) &&
           llvm::none_of(divided.targets, [&](const DividedReduction &target) { return target.reduce == &op; });
  };
  return isLong && llvm::any_of(launch.getBody().front(), isLeft);
}

/// Writes stages into the plan of a launch, which large arrays take. What there is serves all others.
static void splitBeside(tile::LaunchOp launch, const GroupShape &shape, bool remarks, const Attempt &atOnce) {
  Operation *front = launch->getPrevNode();
  OpBuilder builder(launch);
  tile::LaunchOp large =
      cloneProgram(builder, launch, "", {}, [](Operation &, ValueRange, IRMapping &) { return false; });
  Attempt inStages(large);
  if (succeeded(inStages.run([&] { return Stages(large, shape, remarks, atOnce).run(/*divides=*/true); }))) {
    inStages.tell();
    Block &plan = launch.getPlan().front();
    builder.setInsertionPointToStart(&plan);
    Location loc = launch.getLoc();
    Value isLarge;
    auto constant = [&](int64_t value) -> Value {
      return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value));
    };
    for (Value array : plan.getArguments()) {
      auto type = dyn_cast<tile::ArrayType>(array.getType());
      Value elements = constant(1);
      for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
        elements = builder.createOrFold<arith::MulIOp>(
            loc, elements,
            builder.create<tile::DimOp>(loc, builder.getI64Type(), array, builder.getI64IntegerAttr(dim)));
      if (!type || type.getRank() == 0)
        continue;
      Value here =
          builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, elements, constant(fewestForSeveralPasses));
      isLarge = isLarge ? builder.create<arith::OrIOp>(loc, isLarge, here) : here;
    }
    auto branch = builder.create<scf::IfOp>(loc, isLarge, /*withElseRegion=*/true);
    moveIntoElse(branch);
    builder.setInsertionPointToStart(branch.thenBlock());
    IRMapping host;
    host.map(launch.getArguments(), plan.getArguments());
    inlinePlan(builder, large, host);
  } else {
    inStages.undo();
  }
  eraseBetween(front, launch);
}

LogicalResult splitOrCut(tile::LaunchOp launch, const GroupShape &shape, bool remarks) {
  Attempt atOnce(launch);
  LogicalResult result = atOnce.run([&] { return splitInPasses(launch, shape, remarks); });
  // Options of products are for the kernel that the author has in mind.
  bool isFree = !ProductOptions::of(launch).areGiven();
  if (failed(result) && isFree) {
    atOnce.undo();
    if (succeeded(Stages(launch, shape, remarks, atOnce).run()))
      return success();
  }
  atOnce.tell();
  if (succeeded(result) && isFree && leavesIdle(launch, shape))
    splitBeside(launch, shape, remarks, atOnce);
  return result;
}

} // namespace tegula::split
