// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tg::emit_pipeline and tg::emit_pipeline_warp_specialized: functions over copies and barriers, which run here.
//
// A pipeline has one ring for each depth and delay of its blocks, and one for blocks that are the same in all steps
// (`planRings`). `findConstantWindows` finds these: it makes a block's window at a point that is not kept. The producer
// fills shallow rings later, so that all wait for the same step.
#include "frontend/Importer.h"
#include "pipelines/PipelineBuilder.h"
#include "support/Registers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/SaveAndRestore.h"

#include <limits>

using namespace clang;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

namespace tegula::frontend {

static mlir::SmallVector<int64_t> blockShape(const Spec &spec) {
  mlir::SmallVector<int64_t> shape;
  llvm::copy_if(spec.block, std::back_inserter(shape), [](int64_t extent) { return extent > 0; }); // tg::squeezed
  return shape;
}

static mlir::Type elementOf(const Spec &spec) { return cast<tile::RefType>(spec.array.getType()).getElementType(); }

/// Whether the instance is the one for these blocks: one function may be the body of several pipelines.
static bool takesBlocks(const Importer &importer, const FunctionDecl *function, const Pipeline &pipeline) {
  if (function->getNumParams() != pipeline.grid.sizes.size() + pipeline.specs.size())
    return false;
  for (auto [parameter, spec] :
       llvm::zip_equal(function->parameters().drop_front(pipeline.grid.sizes.size()), pipeline.specs)) {
    QualType type = parameter->getType().getNonReferenceType();
    if (!importer.types.is(type, Known::Ref))
      return false;
    ShapedClass block = importer.types.shaped(type);
    if (ArrayRef(block.extents) != ArrayRef(blockShape(*spec)) ||
        importer.types.element(block.element) != elementOf(*spec) ||
        block.element.isConstQualified() != (spec->access == tile::Access::In))
      return false;
  }
  return true;
}

/// The instance of the body that takes these indices and blocks.
static const FunctionDecl *bodyOf(Importer &importer, const Object &body, const Pipeline &pipeline,
                                  SourceLocation where) {
  SmallVector<const FunctionDecl *> found;
  callOperators(importer.ast, body, found);
  size_t needed = pipeline.grid.sizes.size() + pipeline.specs.size(), given = 0;
  for (const FunctionDecl *function : found) {
    given = function->getNumParams();
    if (takesBlocks(importer, function, pipeline))
      return function;
  }
  const CXXRecordDecl *closure = body.type->getAsCXXRecordDecl();
  if (const CXXMethodDecl *call = closure && closure->isLambda() ? closure->getLambdaCallOperator() : nullptr)
    given = call->getNumParams();
  importer.report(DiagnosticKind::PipelineBody, where) << int64_t(given) << int64_t(needed);
  return nullptr;
}

/// The grid, the specs, the depth and the delay.
bool Importer::pipelineOptions(const LValue &options, ArrayRef<const Expr *> specs, Pipeline &pipeline,
                               SourceLocation where) {
  QualType s64 = ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  Object *grid = option(options, "grid");
  std::optional<int64_t> depth = constantOption(options, "max_concurrent_steps", where);
  std::optional<int64_t> delay = constantOption(options, "delay_release", where);
  if (!grid || !depth || !delay)
    return false;
  std::optional<SmallVector<Leaf>> sizes = gridOf(grid, where);
  if (!sizes)
    return false;
  Leaf steps = Leaf::number(1);
  for (const Leaf &size : *sizes) {
    pipeline.grid.sizes.push_back(materialize(size, s64, where));
    steps = pipeline.grid.sizes.size() == 1 ? size : binary(BO_Mul, steps, s64, size, s64, where);
  }
  pipeline.grid.knownSteps = constantInt(steps);
  pipeline.grid.numSteps = materialize(steps, s64, where);
  pipeline.depth = *depth;
  pipeline.delay = *delay;
  for (const Expr *argument : specs) {
    LValue lvalue = evaluateOperand(argument);
    if (!lvalue.object || !lvalue.object->spec)
      return false;
    if (lvalue.object->spec->access == tile::Access::PartialOut) {
      report(DiagnosticKind::PipelinePartial, lvalue.object->spec->where);
      return false;
    }
    pipeline.specs.push_back(lvalue.object->spec);
  }
  if (*depth >= 1 && *delay >= 0 && *delay < *depth)
    return true;
  report(DiagnosticKind::PipelineDepth, where) << *depth << *delay;
  return false;
}

static mlir::Value windowIn(Importer &importer, const Pipeline &pipeline, unsigned operand,
                            ArrayRef<mlir::Value> point) {
  const Spec &spec = *pipeline.specs[operand];
  Leaf found = importer.windowOf(spec, spec.array, point, /*isSpec=*/false);
  return found ? found.value() : mlir::Value();
}

/// Which blocks are the same in all steps of several.
static SmallVector<bool> findConstantBlocks(Importer &importer, const Pipeline &pipeline, const FunctionDecl *callee,
                                            SourceLocation where) {
  SmallVector<bool> result(pipeline.specs.size(), false);
  if (pipeline.grid.knownSteps == 1 || pipeline.isManuallyReady || pipeline.isManuallyConsumed)
    return result;
  InLanguage scope(importer, callee, where);
  mlir::OpBuilder &builder = importer.builder;
  result = findConstantWindows(
      builder, importer.locate(where), pipeline.grid, pipeline.specs.size(),
      [&](unsigned operand, ArrayRef<mlir::Value> point) { return windowIn(importer, pipeline, operand, point); });
  for (auto [isSame, spec] : llvm::zip_equal(result, pipeline.specs))
    isSame &= spec->access == tile::Access::In;
  return result;
}

/// Blocks share a ring that are copied and released together. More stages than `most` would stay empty.
static bool planRings(Importer &importer, Pipeline &pipeline, ArrayRef<bool> isSame, int64_t most,
                      SmallVectorImpl<Ring> &rings) {
  struct Plan {
    int64_t depth;
    bool takesInputs;
    PipelineRing use;
  };
  SmallVector<Plan> plans;
  bool isManual = pipeline.isManuallyReady || pipeline.isManuallyConsumed;
  auto plan = [&](unsigned number) {
    const Spec &spec = *pipeline.specs[number];
    bool isInput = spec.access != tile::Access::Out, isOnce = isSame[number];
    int64_t depth = spec.buffers != 0 ? spec.buffers : isOnce ? 1 : pipeline.depth;
    int64_t delay = !isInput || isOnce ? 0 : spec.delay >= 0 ? spec.delay : pipeline.delay;
    if (depth < 1 || delay >= depth) {
      importer.report(DiagnosticKind::PipelineDepth, spec.where) << depth << delay;
      return false;
    }
    depth = std::min(depth, most), delay = std::min(delay, depth - 1);
    auto *found = llvm::find_if(plans, [&](const Plan &known) {
      if (known.depth != depth || known.use.isOnce != isOnce)
        return false;
      return !isInput || (known.use.delay == delay && known.takesInputs && !isManual);
    });
    if (found == plans.end()) {
      PipelineRing use;
      use.delay = delay;
      use.isOnce = isOnce;
      use.waits = !pipeline.isManuallyReady;
      use.releases = !pipeline.isManuallyConsumed;
      plans.push_back({depth, isInput, use});
      found = &plans.back();
    }
    found->use.operands.push_back(number);
    return true;
  };
  for (bool areInputs : {true, false})
    for (unsigned number = 0; number < pipeline.specs.size(); ++number)
      if ((pipeline.specs[number]->access != tile::Access::Out) == areInputs && !plan(number))
        return false;
  if (rings.empty())
    rings.resize(plans.size());
  for (auto [i, plan] : llvm::enumerate(plans)) {
    llvm::sort(plan.use.operands);
    pipeline.uses.push_back(plan.use);
    pipeline.depths.push_back(plan.depth);
    if (i < rings.size())
      pipeline.uses.back().ring = &rings[i];
  }
  pipeline.rings = &rings;
  return true;
}

/// What the specs of a ring ask of it.
static llvm::SmallVector<RingOperand> operandsOf(const Pipeline &pipeline, const PipelineRing &use) {
  return llvm::map_to_vector(use.operands, [&](unsigned number) {
    const Spec &spec = *pipeline.specs[number];
    RingOperand operand{spec.access, elementOf(spec), blockShape(spec), spec.swizzle, spec.multicast};
    operand.outside = spec.outside;
    operand.eviction = spec.eviction;
    return operand;
  });
}

/// Whether rings that are there are those that this pipeline would make.
static bool areServed(const Pipeline &pipeline) {
  if (pipeline.rings->size() != pipeline.uses.size())
    return false;
  for (auto [ring, use, depth] : llvm::zip_equal(*pipeline.rings, pipeline.uses, pipeline.depths))
    if (!ring.serves(operandsOf(pipeline, use), depth))
      return false;
  return true;
}

/// Buffers where the program stands, barriers where the kernel begins.
static bool makeRings(Importer &importer, const Pipeline &pipeline, int64_t releases, SourceLocation where) {
  auto barriers = [&](int64_t count, int64_t arrivals, ArrayRef<int64_t> axes, StringRef name) {
    mlir::Value made = importer.makeBarriers(count, arrivals, axes, where);
    importer.name(made, name);
    return made;
  };
  auto variable = [&](mlir::Type type, int64_t value) {
    return importer.makeState(type, value, importer.locate(where));
  };
  for (auto [ring, use, depth] : llvm::zip_equal(*pipeline.rings, pipeline.uses, pipeline.depths)) {
    auto allocate = [&, &operands = use.operands](unsigned operand, ArrayRef<int64_t> dims) {
      const Spec &spec = *pipeline.specs[operands[operand]];
      return importer.allocateShared(elementOf(spec), dims, spec.swizzle, spec.where);
    };
    ring.depth = depth;
    ring.operands = operandsOf(pipeline, use);
    bool hasInputs = llvm::any_of(ring.operands, [](const RingOperand &op) { return op.access != tile::Access::Out; });
    if (failed(makeRing(ring, {allocate, barriers, variable}, importer.builder, hasInputs ? releases : 0,
                        importer.launch->cluster)))
      return false;
  }
  return true;
}

static void freeRings(Importer &importer, ArrayRef<Ring> rings, mlir::Location at) {
  SmallVector<mlir::Value> buffers;
  for (const Ring &ring : rings)
    llvm::append_range(buffers, ring.buffers);
  importer.free(buffers, at);
}

/// The barriers of a block that the body waits for and releases itself.
static PipelineBlock blockOf(Importer &importer, const Pipeline &pipeline, const PipelineRing &use, mlir::Value stage,
                             mlir::Location at) {
  PipelineBlock block;
  block.pipeline = &pipeline;
  block.stage = stage;
  if (!use.waits) {
    block.ready = importer.makeBlockBarriers(use.ring->full, Barriers::Waits);
    block.ready->parity = importer.builder.create<tile::GetOp>(at, use.ring->parity);
  }
  if (!use.releases)
    block.consumed = importer.makeBlockBarriers(use.ring->empty, Barriers::Arrives);
  return block;
}

/// The loops of the pipeline in this thread, which `build` makes. Only a thread that computes has a body.
static void build(Importer &importer, const Pipeline &pipeline, SourceLocation where, const FunctionDecl *function,
                  Object *body, void (PipelineBuilder::*build)()) {
  mlir::Location at = importer.locate(where);
  auto window = [&](unsigned operand, ArrayRef<mlir::Value> point) {
    return windowIn(importer, pipeline, operand, point);
  };
  auto run = [&](ArrayRef<mlir::Value> point, ArrayRef<mlir::Value> blocks) {
    QualType s64 = importer.ast.getIntTypeForBitwidth(64, /*Signed=*/true);
    SmallVector<Argument> arguments;
    for (mlir::Value value : point)
      arguments.push_back({nullptr, importer.holding(value, s64)});
    for (auto [block, parameter] : llvm::zip_equal(blocks, function->parameters().drop_front(point.size()))) {
      importer.name(block, parameter->getName());
      arguments.push_back({nullptr, importer.holding(block, parameter->getType())});
    }
    importer.run(function, body, arguments, nullptr, where);
    for (auto [block, spec] : llvm::zip_equal(blocks, pipeline.specs)) {
      PipelineBlock known = importer.launch->pipelineBlocks.lookup(block);
      importer.launch->pipelineBlocks.erase(block);
      bool isNotAwaited = known.ready && !known.isAwaited;
      if (!isNotAwaited && !(known.consumed && !known.isReleased))
        continue;
      llvm::SaveAndRestore atSpec(importer.frame->callSite, spec->where);
      importer.report(DiagnosticKind::PipelineBarrierUnused, spec->where)
          << (isNotAwaited ? "ready" : "consumed") << (isNotAwaited ? 0 : 1);
    }
  };
  auto drain = [&] { importer.waitForProducts(0, at); };
  auto refuseStaying = [&](unsigned operand, size_t axis) {
    const Spec &spec = *pipeline.specs[operand];
    bool isOut = spec.access == tile::Access::Out;
    llvm::SaveAndRestore atSpec(importer.frame->callSite, spec.where);
    importer.report(DiagnosticKind::PipelineStays, spec.where)
        << (isOut ? "out" : "inout") << static_cast<int64_t>(axis) << (isOut ? 0 : 1);
  };
  auto meet = [&] {
    mlir::Value first = importer.constantOf(importer.builder.getI64Type(), 0);
    importer.builder.create<tile::NamedBarrierOp>(at, importer.launch->pipelineMeeting, first, /*wait=*/true);
  };
  auto refuseThread = [&](unsigned operand) {
    const Spec &spec = *pipeline.specs[operand];
    llvm::SaveAndRestore atSpec(importer.frame->callSite, spec.where);
    importer.report(DiagnosticKind::PipelineThreadOutput, spec.where);
  };
  auto announce = [&](mlir::Value block, const PipelineRing &use, mlir::Value stage) {
    importer.launch->pipelineBlocks[block] = blockOf(importer, pipeline, use, stage, at);
  };
  PipelineBody callbacks{window, run, drain, refuseStaying, nullptr, refuseThread, announce};
  if (pipeline.computes > 1)
    callbacks.meet = meet;
  PipelineBuilder builder(importer.builder, at, pipeline.uses, pipeline.grid, callbacks);
  (builder.*build)();
}

CallResult Importer::emitPipeline(const IntrinsicCall &call) {
  SourceLocation where = call.where();
  LValue options = evaluateOperand(call.arguments[0]);
  const Expr *bodyExpr = call.arguments[1];
  Object *body = temporary(bodyExpr);
  Pipeline pipeline;
  SmallVector<Ring, 2> rings;
  if (body->isPoisoned || !pipelineOptions(options, ArrayRef(call.arguments).drop_front(2), pipeline, where))
    return {};
  for (const Spec *spec : pipeline.specs)
    if (!spec->multicast.empty()) {
      report(DiagnosticKind::PipelineMulticast, spec->where);
      return {};
    }
  const FunctionDecl *function = bodyOf(*this, *body, pipeline, bodyExpr->getExprLoc());
  if (!function)
    return {};
  SmallVector<bool> isSame = findConstantBlocks(*this, pipeline, call.callee, where);
  bool hasFew = pipeline.grid.knownSteps && *pipeline.grid.knownSteps > 0;
  int64_t most = hasFew ? *pipeline.grid.knownSteps : std::numeric_limits<int64_t>::max();
  if (!planRings(*this, pipeline, isSame, most, rings))
    return {};
  if (launch->threads > 1)
    builder.create<tile::OneThreadOp>(locate(where));
  if (!makeRings(*this, pipeline, /*releases=*/0, where))
    return {};
  InLanguage scope(*this, call.callee, where);
  build(*this, pipeline, where, function, body, &PipelineBuilder::buildAlone);
  freeRings(*this, rings, locate(where));
  return {};
}

namespace {
/// Who copies and who computes.
struct Roles {
  int64_t compute = 0, memoryRegisters = 0;
};
} // namespace

static bool rolesOf(Importer &importer, const LValue &options, Pipeline &pipeline, SourceLocation where, Roles &roles) {
  std::optional<int64_t> compute = importer.constantOption(options, "num_compute_wgs", where);
  std::optional<int64_t> registers = importer.constantOption(options, "memory_registers", where);
  const LaunchAxis *axis = importer.axisOf(importer.option(options, "wg_axis"), where);
  if (!compute || !registers || !axis)
    return false;
  int64_t threads = importer.launch->threads;
  if (axis->kind != LaunchAxis::Thread) {
    importer.report(DiagnosticKind::PipelineAxis, where) << axis->name;
    return false;
  }
  if (*compute < 1 || *compute + 1 != threads) {
    importer.report(DiagnosticKind::PipelineThreads, where) << *compute << *compute + 1 << threads;
    return false;
  }
  if (*registers != 0 &&
      (*registers < 24 || *registers > 256 || *registers % 8 != 0 || registersToCompute(*compute, *registers) < 24)) {
    importer.report(DiagnosticKind::MemoryRegisters, where) << *registers;
    return false;
  }
  bool hasInput = false, hasOutput = false;
  for (const Spec *spec : pipeline.specs) {
    hasInput |= spec->access == tile::Access::In;
    hasOutput |= spec->access == tile::Access::Out;
    if (spec->access == tile::Access::InOut) {
      importer.report(DiagnosticKind::PipelineOutputs, spec->where);
      return false;
    }
  }
  pipeline.computes = *compute;
  if (hasOutput && *compute > 1 && !importer.makePipelineMeeting(*compute, where))
    return false;
  if (!hasInput)
    importer.report(DiagnosticKind::PipelineInputs, where);
  std::optional<int64_t> ready = importer.constantOption(options, "manual_ready_barriers", where);
  std::optional<int64_t> consumed = importer.constantOption(options, "manual_consumed_barriers", where);
  if (!ready || !consumed)
    return false;
  pipeline.isManuallyReady = *ready != 0;
  pipeline.isManuallyConsumed = *consumed != 0;
  if (pipeline.isManuallyConsumed &&
      (pipeline.delay > 0 || llvm::any_of(pipeline.specs, [](const Spec *spec) { return spec->delay > 0; }))) {
    importer.report(DiagnosticKind::PipelineManual, where);
    return false;
  }
  roles = {*compute, *registers};
  return hasInput;
}

CallResult Importer::emitSpecialized(const IntrinsicCall &call) {
  SourceLocation where = call.where();
  mlir::Location at = locate(where);
  LValue options = evaluateOperand(call.arguments[0]);
  const Expr *computeExpr = call.arguments[1];
  Object *compute = temporary(computeExpr);
  Pipeline pipeline;
  Roles roles;
  SmallVector<Ring, 2> own;
  if (compute->isPoisoned || !pipelineOptions(options, ArrayRef(call.arguments).drop_front(2), pipeline, where) ||
      !rolesOf(*this, options, pipeline, where, roles))
    return {};
  const CallExpr *inner = bodyCall(call.callee->getBody());
  const FunctionDecl *function = inner ? inner->getDirectCallee() : nullptr;
  if (!function)
    return {};

  auto branchOnMemory = [&] {
    mlir::Value thread = builder.create<tile::ThreadIndexOp>(at, builder.getI64Type());
    mlir::Value isMemory = builder.create<arith::CmpIOp>(at, arith::CmpIPredicate::eq, thread,
                                                         constantOf(builder.getI64Type(), roles.compute));
    return builder.create<scf::IfOp>(at, isMemory, /*withElseRegion=*/true);
  };
  auto setRegisters = [&] {
    if (roles.memoryRegisters == 0)
      return;
    scf::IfOp branch = branchOnMemory();
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    builder.create<tile::SetMaxRegistersOp>(at, roles.memoryRegisters, false);
    builder.setInsertionPointToStart(branch.elseBlock());
    builder.create<tile::SetMaxRegistersOp>(at, registersToCompute(roles.compute, roles.memoryRegisters), true);
  };
  SmallVector<bool> isSame = findConstantBlocks(*this, pipeline, call.callee, where);
  Object *allocations = option(options, "allocations");
  Object *shared = allocations ? allocations->referent.object : nullptr;
  Allocations *known = shared ? shared->allocations : nullptr;
  bool areMade = known && !known->rings.empty();
  if (!planRings(*this, pipeline, isSame, std::numeric_limits<int64_t>::max(), known ? known->rings : own))
    return {};
  if (areMade && !areServed(pipeline)) {
    report(DiagnosticKind::PipelineAllocations, where);
    return {};
  }
  if (!areMade) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    if (known)
      builder.setInsertionPointAfter(known->declared);
    if (!makeRings(*this, pipeline, roles.compute, where))
      return {};
    setRegisters();
  }

  scf::IfOp branch = branchOnMemory();
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    InLanguage scope(*this, call.callee, where);
    builder.setInsertionPointToStart(branch.thenBlock());
    build(*this, pipeline, where, nullptr, nullptr, &PipelineBuilder::buildProducer);
    builder.setInsertionPointToStart(branch.elseBlock());
    Object *runner = temporary(function->getParamDecl(0)->getType().getNonReferenceType(), where);
    pipeline.home = branch.elseBlock();
    runner->pipeline = &pipeline;
    run(function, compute, {{nullptr, runner}}, nullptr, where);
    if (pipeline.runs != 1)
      report(DiagnosticKind::PipelineRuns, computeExpr);
  }
  freeRings(*this, own, at);
  return {};
}

/// pipeline(body), in a compute thread.
CallResult Importer::runPipeline(const IntrinsicCall &call) {
  LValue self = evaluateOperand(call.arguments[0]);
  const Expr *bodyExpr = call.arguments[1];
  Object *body = temporary(bodyExpr);
  if (!self.object || !self.object->pipeline || body->isPoisoned)
    return {};
  Pipeline &pipeline = *self.object->pipeline;
  // What is wrong with it, is said once.
  if (++pipeline.runs == 1 && builder.getInsertionBlock() != pipeline.home)
    report(DiagnosticKind::PipelineRuns, call.where());
  const FunctionDecl *function = bodyOf(*this, *body, pipeline, bodyExpr->getExprLoc());
  if (!function || pipeline.runs != 1)
    return {};
  InLanguage scope(*this, call.callee, call.where());
  build(*this, pipeline, call.where(), function, body, &PipelineBuilder::buildConsumer);
  return {};
}

} // namespace tegula::frontend
