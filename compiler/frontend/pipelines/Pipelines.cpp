// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tg::emit_pipeline and tg::emit_pipeline_warp_specialized: functions over copies and barriers, which run here.
#include "frontend/Importer.h"
#include "pipelines/PipelineBuilder.h"
#include "support/Registers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/SaveAndRestore.h"

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

/// The grid, the specs, the depth and the delay. `ring` is the pipeline's own, unless the options name another.
bool Importer::pipelineOptions(const LValue &options, ArrayRef<const Expr *> specs, Pipeline &pipeline, Ring &ring,
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
  Leaf steps = llvm::APSInt(llvm::APInt(64, 1), /*isUnsigned=*/false);
  for (const Leaf &size : *sizes) {
    pipeline.grid.sizes.push_back(materialize(size, s64, where));
    steps = pipeline.grid.sizes.size() == 1 ? size : binary(BO_Mul, steps, s64, size, s64, where);
  }
  pipeline.grid.knownSteps = constantInt(steps);
  pipeline.grid.numSteps = materialize(steps, s64, where);
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
    *delay = std::max(*delay, lvalue.object->spec->delay);
  }
  if (*depth < 1 || *delay < 0 || *delay >= *depth) {
    report(DiagnosticKind::PipelineDepth, where) << *depth << *delay;
    return false;
  }
  pipeline.ring = &ring;
  ring.depth = *depth;
  return true;
}

/// What the specs ask of the ring.
static llvm::SmallVector<RingOperand> operandsOf(const Pipeline &pipeline) {
  return llvm::map_to_vector(pipeline.specs, [](const Spec *spec) {
    return RingOperand{spec->access, elementOf(*spec), blockShape(*spec), spec->swizzle, spec->multicast};
  });
}

/// Buffers where the program stands, barriers where the kernel begins.
static bool makeRing(Importer &importer, Ring &ring, const Pipeline &pipeline, int64_t releases, SourceLocation where) {
  auto allocate = [&](unsigned operand, ArrayRef<int64_t> dims) {
    const Spec &spec = *pipeline.specs[operand];
    return importer.allocateShared(elementOf(spec), dims, spec.swizzle, spec.where);
  };
  auto barriers = [&](int64_t count, int64_t arrivals, ArrayRef<int64_t> axes, StringRef name) {
    mlir::Value made = importer.makeBarriers(count, arrivals, axes, where);
    importer.name(made, name);
    return made;
  };
  auto variable = [&](mlir::Type type, int64_t value) {
    return importer.makeState(type, value, importer.locate(where));
  };
  ring.operands = operandsOf(pipeline);
  return succeeded(
      makeRing(ring, {allocate, barriers, variable}, importer.builder, releases, importer.launch->cluster));
}

/// The loops of the pipeline in this thread, which `build` makes. Only a thread that computes has a body.
static void build(Importer &importer, const Pipeline &pipeline, SourceLocation where, const FunctionDecl *function,
                  Object *body, void (PipelineBuilder::*build)()) {
  mlir::Location at = importer.locate(where);
  auto window = [&](unsigned operand, ArrayRef<mlir::Value> point) {
    const Spec &spec = *pipeline.specs[operand];
    Leaf found = importer.windowOf(spec, spec.array, point, /*isSpec=*/false);
    return found ? found.value() : mlir::Value();
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
  };
  auto drain = [&] { importer.waitForProducts(0, at); };
  auto refuseStaying = [&](unsigned operand, size_t axis, bool mayStay) {
    const Spec &spec = *pipeline.specs[operand];
    llvm::SaveAndRestore atSpec(importer.frame->callSite, spec.where);
    importer.report(DiagnosticKind::PipelineStays, spec.where)
        << (spec.access == tile::Access::Out ? "out" : "inout") << static_cast<int64_t>(axis) << pipeline.ring->depth
        << (mayStay ? ", or say .max_concurrent_steps = 1" : "");
  };
  auto delays = llvm::map_to_vector(pipeline.specs, [](const Spec *spec) { return spec->delay; });
  PipelineBody callbacks{window, run, drain, refuseStaying};
  PipelineBuilder builder(importer.builder, at, *pipeline.ring, pipeline.grid, pipeline.delay, delays, callbacks);
  (builder.*build)();
}

CallResult Importer::emitPipeline(const IntrinsicCall &call) {
  SourceLocation where = call.where();
  LValue options = evaluateOperand(call.arguments[0]);
  const Expr *bodyExpr = call.arguments[1];
  Object *body = temporary(bodyExpr);
  Pipeline pipeline;
  Ring ring;
  if (body->isPoisoned || !pipelineOptions(options, ArrayRef(call.arguments).drop_front(2), pipeline, ring, where))
    return {};
  for (const Spec *spec : pipeline.specs)
    if (!spec->multicast.empty()) {
      report(DiagnosticKind::PipelineMulticast, spec->where);
      return {};
    }
  const FunctionDecl *function = bodyOf(*this, *body, pipeline, bodyExpr->getExprLoc());
  if (!function)
    return {};
  // More stages than steps would stay empty.
  if (pipeline.grid.knownSteps && *pipeline.grid.knownSteps > 0 && *pipeline.grid.knownSteps < ring.depth)
    ring.depth = *pipeline.grid.knownSteps, pipeline.delay = std::min(pipeline.delay, ring.depth - 1);
  if (launch->threads > 1)
    builder.create<tile::OneThreadOp>(locate(where));
  if (!makeRing(*this, ring, pipeline, /*releases=*/0, where))
    return {};
  InLanguage scope(*this, call.callee, where);
  build(*this, pipeline, where, function, body, &PipelineBuilder::buildAlone);
  free(ring.buffers, locate(where));
  return {};
}

namespace {
/// Who copies and who computes.
struct Roles {
  int64_t compute = 0, memoryRegisters = 0;
};
} // namespace

static bool rolesOf(Importer &importer, const LValue &options, const Pipeline &pipeline, SourceLocation where,
                    Roles &roles) {
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
  bool hasInput = false;
  for (const Spec *spec : pipeline.specs) {
    hasInput |= spec->access == tile::Access::In;
    if (spec->delay >= 0 && spec->delay != pipeline.delay) {
      importer.report(DiagnosticKind::PipelineDelays, spec->where);
      return false;
    }
    if (spec->access == tile::Access::InOut || (spec->access == tile::Access::Out && *compute > 1)) {
      importer.report(DiagnosticKind::PipelineOutputs, spec->where)
          << (spec->access == tile::Access::Out ? "out" : "inout");
      return false;
    }
  }
  if (!hasInput)
    importer.report(DiagnosticKind::PipelineInputs, where);
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
  Ring own;
  if (compute->isPoisoned || !pipelineOptions(options, ArrayRef(call.arguments).drop_front(2), pipeline, own, where) ||
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
  Object *allocations = option(options, "allocations");
  Object *shared = allocations ? allocations->referent.object : nullptr;
  if (shared && shared->allocations) {
    Allocations &known = *shared->allocations;
    pipeline.ring = &known.ring;
    if (!known.ring.isMade()) {
      mlir::OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointAfter(known.declared);
      known.ring.depth = own.depth;
      if (!makeRing(*this, known.ring, pipeline, roles.compute, where))
        return {};
      setRegisters();
    } else if (!known.ring.serves(operandsOf(pipeline), own.depth)) {
      report(DiagnosticKind::PipelineAllocations, where);
      return {};
    }
  } else {
    if (!makeRing(*this, own, pipeline, roles.compute, where))
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
  free(own.buffers, at);
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
