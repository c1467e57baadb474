// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipelines are functions over copies and barriers: here is the code that they are.
//
// A pipeline's buffers form a ring, [depth, block...] per spec, with one barrier per slot that is full when the slot's
// copies are there, and, if another thread copies, one that is empty when all that compute have released it. Where a
// thread stands in the ring is a slot number and the parity of the pass, which wrap together: no division in the loop.
// Barriers and positions outlive the pipeline, so that the next run goes on where this one ended.
#include "frontend/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace clang;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

namespace tegula::frontend {

namespace {
/// The point of a grid that belongs to a step, counted up: no division.
class Odometer {
public:
  Odometer(Importer &importer, ArrayRef<mlir::Value> grid, mlir::Location at)
      : builder(importer.builder), grid(grid), at(at) {
    mlir::Type i64 = builder.getI64Type();
    zero = importer.constantOf(i64, 0), one = importer.constantOf(i64, 1);
    if (grid.size() < 2) // The step itself is the index.
      return;
    for (size_t i = 0; i < grid.size(); ++i) {
      slots.push_back(builder.create<tile::SlotOp>(at, tile::SlotType::get(builder.getContext(), i64)));
      builder.create<tile::SetOp>(at, zero, slots.back());
    }
  }
  mlir::SmallVector<mlir::Value> indices(mlir::Value step) {
    if (slots.empty())
      return mlir::SmallVector<mlir::Value>(grid.size(), step);
    mlir::SmallVector<mlir::Value> values;
    for (mlir::Value slot : slots)
      values.push_back(builder.create<tile::GetOp>(at, slot));
    return values;
  }
  /// What the indices of the next step are.
  mlir::SmallVector<mlir::Value> following(mlir::Value step) {
    mlir::SmallVector<mlir::Value> values = indices(step);
    mlir::Value carry = one;
    for (size_t i = values.size(); i-- > 0;) {
      values[i] = builder.create<arith::AddIOp>(at, values[i], carry);
      if (i == 0)
        break;
      mlir::Value wraps = builder.create<arith::CmpIOp>(at, arith::CmpIPredicate::eq, values[i], grid[i]);
      carry = builder.create<arith::ExtUIOp>(at, builder.getI64Type(), wraps);
      values[i] = builder.create<arith::SelectOp>(at, wraps, zero, values[i]);
    }
    return values;
  }
  void advance() {
    if (slots.empty())
      return;
    for (auto [value, slot] : llvm::zip(following({}), slots))
      builder.create<tile::SetOp>(at, value, slot);
  }

private:
  mlir::OpBuilder &builder;
  ArrayRef<mlir::Value> grid;
  mlir::Location at;
  mlir::Value zero, one;
  mlir::SmallVector<mlir::Value> slots;
};

class PipelineEmitter {
public:
  PipelineEmitter(Importer &importer, Pipeline &pipeline, SourceLocation where)
      : importer(importer), builder(importer.builder), pipeline(pipeline), ring(*pipeline.ring), where(where),
        at(importer.locate(where)), zero(index(0)), one(index(1)) {}

  /// One thread copies and computes.
  void emitAlone(const FunctionDecl *function, Object &body);
  /// The thread that copies.
  void emitCopies();
  /// A thread that computes.
  void emitSteps(const FunctionDecl *function, Object &body);

private:
  mlir::Value index(int64_t value) { return importer.constantOf(builder.getI64Type(), value); }
  template <class Op> mlir::Value make(mlir::Value a, mlir::Value b) { return builder.create<Op>(at, a, b); }
  mlir::Value compare(arith::CmpIPredicate predicate, mlir::Value a, mlir::Value b) {
    return builder.create<arith::CmpIOp>(at, predicate, a, b);
  }
  mlir::Value get(mlir::Value slot) { return builder.create<tile::GetOp>(at, slot); }
  void set(mlir::Value slot, mlir::Value value) { builder.create<tile::SetOp>(at, value, slot); }
  int64_t delayOf(const Spec &spec) const { return spec.delay < 0 ? pipeline.delay : spec.delay; }
  bool hasOutputs() const {
    return llvm::any_of(pipeline.specs, [](const Spec *spec) { return spec->access != tile::Access::In; });
  }
  bool hasInputs() const { return ring.full != nullptr; }

  /// The slot that is `steps` ahead of this one.
  mlir::Value ahead(mlir::Value slot, int64_t steps);
  mlir::Value behind(mlir::Value slot, int64_t steps);
  void advance();
  mlir::Value bufferAt(unsigned spec, mlir::Value slot);
  void loop(mlir::Value count, llvm::function_ref<void(mlir::Value)> body);
  void when(mlir::Value condition, llvm::function_ref<void()> body);
  void copyIn(unsigned spec, ArrayRef<mlir::Value> indices, mlir::Value slot);
  void copyOut(Odometer &odometer, mlir::Value step, mlir::Value slot);
  void runBody(const FunctionDecl *function, Object &body, ArrayRef<mlir::Value> indices, mlir::Value slot);
  /// Waits for the slot's copies, runs the body, and begins what it sends.
  void step(const FunctionDecl *function, Object &body, Odometer &odometer, mlir::Value step, mlir::Value slot);

  Importer &importer;
  mlir::OpBuilder &builder;
  Pipeline &pipeline;
  Ring &ring;
  SourceLocation where;
  mlir::Location at;
  mlir::Value zero, one;
};
} // namespace

mlir::Value PipelineEmitter::ahead(mlir::Value slot, int64_t steps) {
  if (ring.depth == 1)
    return zero;
  mlir::Value next = make<arith::AddIOp>(slot, index(steps)), depth = index(ring.depth);
  if (steps == 1)
    return builder.create<arith::SelectOp>(at, compare(arith::CmpIPredicate::eq, next, depth), zero, next);
  mlir::Value wrapped = make<arith::SubIOp>(next, depth);
  return builder.create<arith::SelectOp>(at, compare(arith::CmpIPredicate::sge, next, depth), wrapped, next);
}

mlir::Value PipelineEmitter::behind(mlir::Value slot, int64_t steps) {
  return steps == 0 ? slot : ahead(slot, ring.depth - steps);
}

void PipelineEmitter::advance() {
  mlir::Value next = zero, wraps = importer.constantOf(builder.getI1Type(), 1);
  if (ring.depth > 1) {
    next = make<arith::AddIOp>(get(ring.position.slot), one);
    wraps = compare(arith::CmpIPredicate::eq, next, index(ring.depth));
    next = builder.create<arith::SelectOp>(at, wraps, zero, next);
  }
  set(ring.position.slot, next);
  set(ring.position.parity, make<arith::XOrIOp>(get(ring.position.parity), wraps));
}

mlir::Value PipelineEmitter::bufferAt(unsigned spec, mlir::Value slot) {
  mlir::Value buffer = ring.buffers[spec];
  auto type = cast<tile::RefType>(buffer.getType());
  mlir::SmallVector<int32_t> modes(type.getRank(), static_cast<int32_t>(tile::SliceMode::Whole));
  modes.front() = static_cast<int32_t>(tile::SliceMode::Element);
  auto block = tile::RefType::inShared(type.getElementType(), type.getDims().drop_front());
  return builder.create<tile::SliceOp>(at, block, buffer, slot, mlir::ValueRange(), modes, /*spec=*/false);
}

void PipelineEmitter::loop(mlir::Value count, llvm::function_ref<void(mlir::Value)> body) {
  auto op = builder.create<scf::ForOp>(at, zero, count, one);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op.getBody()->getTerminator());
  body(op.getInductionVar());
}

void PipelineEmitter::when(mlir::Value condition, llvm::function_ref<void()> body) {
  if (!condition)
    return body();
  auto op = builder.create<scf::IfOp>(at, condition, /*withElseRegion=*/false);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op.thenBlock()->getTerminator());
  body();
}

void PipelineEmitter::copyIn(unsigned number, ArrayRef<mlir::Value> indices, mlir::Value slot) {
  const Spec &spec = *pipeline.specs[number];
  Leaf window = importer.windowOf(spec, spec.array, indices, /*isSpec=*/false);
  if (window)
    builder.create<tile::CopyToSharedOp>(at, window.value(), bufferAt(number, slot), ring.full, slot, mlir::Value(),
                                         spec.multicast.empty() ? mlir::DenseI64ArrayAttr()
                                                                : builder.getDenseI64ArrayAttr(spec.multicast));
}

/// A block goes to its array after the last of the steps in a row that have it. Every step is a group of copies, so
/// that counting steps counts groups.
void PipelineEmitter::copyOut(Odometer &odometer, mlir::Value step, mlir::Value slot) {
  if (!hasOutputs())
    return;
  builder.create<tile::FenceSharedOp>(at);
  mlir::Value next = make<arith::AddIOp>(step, one);
  mlir::Value isLast = compare(arith::CmpIPredicate::eq, next, pipeline.numSteps);
  mlir::SmallVector<mlir::Value> now = odometer.indices(step), then = odometer.following(step);
  for (auto [number, spec] : llvm::enumerate(pipeline.specs)) {
    if (spec->access == tile::Access::In)
      continue;
    Leaf window = importer.windowOf(*spec, spec->array, now, false),
         other = importer.windowOf(*spec, spec->array, then, false);
    if (!window || !other)
      return;
    mlir::Value ends = isLast;
    auto slice = window.value().getDefiningOp<tile::SliceOp>();
    auto following = other.value().getDefiningOp<tile::SliceOp>();
    if (slice && following)
      for (auto [a, b] : llvm::zip(slice.getOffsets(), following.getOffsets()))
        if (a != b)
          ends = make<arith::OrIOp>(ends, compare(arith::CmpIPredicate::ne, a, b));
    when(ends, [&] {
      builder.create<tile::CopyToGlobalOp>(at, bufferAt(number, slot), window.value(), mlir::Value(), false);
    });
  }
  builder.create<tile::CommitGroupOp>(at);
}

void PipelineEmitter::runBody(const FunctionDecl *function, Object &body, ArrayRef<mlir::Value> indices,
                              mlir::Value slot) {
  QualType s64 = importer.ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  SmallVector<Argument> arguments;
  for (mlir::Value value : indices)
    arguments.push_back({nullptr, importer.holding(value, s64)});
  for (unsigned i = 0; i < pipeline.specs.size(); ++i) {
    const ParmVarDecl *parameter = function->getParamDecl(indices.size() + i);
    mlir::Value block = bufferAt(i, slot);
    importer.name(block, parameter->getName());
    arguments.push_back({nullptr, importer.holding(block, parameter->getType())});
  }
  importer.run(function, &body, arguments, nullptr, where);
}

void PipelineEmitter::step(const FunctionDecl *function, Object &body, Odometer &odometer, mlir::Value step,
                           mlir::Value slot) {
  if (hasInputs())
    builder.create<tile::BarrierWaitOp>(at, ring.full, slot, get(ring.position.parity));
  if (hasOutputs()) // The slot's last copy has read it.
    builder.create<tile::WaitGroupOp>(at, ring.depth - 1, true);
  runBody(function, body, odometer.indices(step), slot);
  copyOut(odometer, step, slot);
}

void PipelineEmitter::emitAlone(const FunctionDecl *function, Object &body) {
  // Inputs that stay equally long are copied together, so many steps ahead of the step.
  struct Group {
    int64_t delay;
    SmallVector<unsigned> specs;
    Odometer odometer;
    mlir::Value slot;
    bool isSent = false;
  };
  SmallVector<Group, 1> groups;
  mlir::Type i64 = builder.getI64Type();
  for (auto [number, spec] : llvm::enumerate(pipeline.specs)) {
    if (spec->access == tile::Access::Out)
      continue;
    auto *group = llvm::find_if(groups, [&, spec = spec](const Group &group) { return group.delay == delayOf(*spec); });
    if (group == groups.end()) {
      groups.push_back({delayOf(*spec), {}, Odometer(importer, pipeline.grid, at), {}});
      group = &groups.back();
      group->slot = builder.create<tile::SlotOp>(at, tile::SlotType::get(builder.getContext(), i64));
      set(group->slot, get(ring.position.slot));
    }
    group->specs.push_back(number);
    group->isSent |= spec->access == tile::Access::InOut;
  }
  auto fetch = [&](Group &group, mlir::Value step) {
    mlir::Value slot = get(group.slot);
    for (unsigned spec : group.specs)
      copyIn(spec, group.odometer.indices(step), slot);
    group.odometer.advance();
    set(group.slot, ahead(slot, 1));
  };
  if (!groups.empty())
    loop(make<arith::MinSIOp>(pipeline.numSteps, index(ring.depth)), [&](mlir::Value step) {
      for (Group &group : groups)
        fetch(group, step);
    });
  Odometer odometer(importer, pipeline.grid, at);
  loop(pipeline.numSteps, [&](mlir::Value number) {
    mlir::Value slot = get(ring.position.slot);
    step(function, body, odometer, number, slot);
    for (Group &group : groups) {
      mlir::Value next = make<arith::AddIOp>(number, index(ring.depth - group.delay));
      mlir::Value isThere = compare(arith::CmpIPredicate::slt, next, pipeline.numSteps);
      if (group.delay > 0)
        isThere = make<arith::AndIOp>(isThere, compare(arith::CmpIPredicate::sge, number, index(group.delay)));
      when(isThere, [&] {
        if (group.isSent) // What was there has left.
          builder.create<tile::WaitGroupOp>(at, group.delay, true);
        fetch(group, next);
      });
    }
    odometer.advance();
    advance();
  });
  if (hasOutputs())
    builder.create<tile::WaitGroupOp>(at, 0, false);
}

void PipelineEmitter::emitCopies() {
  Odometer odometer(importer, pipeline.grid, at);
  mlir::Value odd = importer.constantOf(builder.getI1Type(), 1);
  loop(pipeline.numSteps, [&](mlir::Value step) {
    mlir::Value slot = get(ring.position.slot);
    // Released in the last pass. In the first pass nothing is to wait for: the phase before the first has parity 1, and
    // is over.
    mlir::Value parity = make<arith::XOrIOp>(get(ring.position.parity), odd);
    builder.create<tile::BarrierWaitOp>(at, ring.empty, slot, parity);
    for (auto [number, spec] : llvm::enumerate(pipeline.specs))
      if (spec->access == tile::Access::In)
        copyIn(number, odometer.indices(step), slot);
    odometer.advance();
    advance();
  });
}

void PipelineEmitter::emitSteps(const FunctionDecl *function, Object &body) {
  Odometer odometer(importer, pipeline.grid, at);
  auto release = [&](mlir::Value slot) { builder.create<tile::BarrierArriveOp>(at, ring.empty, slot); };
  loop(pipeline.numSteps, [&](mlir::Value number) {
    mlir::Value slot = get(ring.position.slot);
    step(function, body, odometer, number, slot);
    mlir::Value isLate =
        pipeline.delay > 0 ? compare(arith::CmpIPredicate::sge, number, index(pipeline.delay)) : mlir::Value();
    when(isLate, [&] { release(behind(slot, pipeline.delay)); });
    odometer.advance();
    advance();
  });
  if (pipeline.delay > 0) {
    // The ring goes on: the next run waits for these.
    importer.waitForProducts(0, at);
    mlir::Value slot = get(ring.position.slot);
    for (int64_t late = pipeline.delay; late > 0; --late) {
      bool isThere = pipeline.steps && *pipeline.steps >= late;
      mlir::Value were = isThere ? mlir::Value() : compare(arith::CmpIPredicate::sge, pipeline.numSteps, index(late));
      when(were, [&] { release(behind(slot, late)); });
    }
  }
  if (hasOutputs())
    builder.create<tile::WaitGroupOp>(at, 0, false);
}

// ---- The functions --------------------------------------------------------------------------------------------------

/// The instance of the body that takes these indices and blocks.
static const FunctionDecl *bodyOf(Importer &importer, const Object &body, const Pipeline &pipeline,
                                  SourceLocation where) {
  SmallVector<const FunctionDecl *> found;
  callOperators(importer.ast, body, found);
  size_t needed = pipeline.grid.size() + pipeline.specs.size(), given = 0;
  for (const FunctionDecl *function : found) {
    given = function->getNumParams();
    if (given == needed)
      return function;
  }
  importer.report(DiagnosticKind::PipelineBody, where) << int64_t(given) << int64_t(needed);
  return nullptr;
}

/// The grid, the specs, the depth and the delay. `ring` is the pipeline's own, unless the options name another.
bool Importer::pipelineOptions(const Place &options, ArrayRef<const Expr *> specs, Pipeline &pipeline, Ring &ring,
                               SourceLocation where) {
  QualType s64 = ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  Object *grid = option(options, "grid");
  std::optional<int64_t> depth = constantOption(options, "max_concurrent_steps", where);
  std::optional<int64_t> delay = constantOption(options, "delay_release", where);
  if (!grid || !depth || !delay)
    return false;
  Leaf steps = llvm::APSInt(llvm::APInt(64, 1), /*isUnsigned=*/false);
  for (Object *axis : grid->parts) {
    Leaf size = read(axis, s64, where);
    if (!size)
      return false;
    if (constantInt(size) == -1) // detail::absent
      break;
    pipeline.grid.push_back(materialize(size, s64, where));
    steps = pipeline.grid.size() == 1 ? size : binary(BO_Mul, steps, s64, size, s64, where);
  }
  pipeline.steps = constantInt(steps);
  pipeline.numSteps = materialize(steps, s64, where);
  pipeline.delay = *delay;
  for (const Expr *argument : specs) {
    Place place = evaluateOperand(argument);
    if (!place.object || !place.object->spec)
      return false;
    pipeline.specs.push_back(place.object->spec);
    *delay = std::max(*delay, place.object->spec->delay);
  }
  if (*depth < 1 || *delay < 0 || *delay >= *depth) {
    report(DiagnosticKind::PipelineDepth, where) << *depth << *delay;
    return false;
  }
  pipeline.ring = &ring;
  ring.depth = *depth;
  return true;
}

/// Buffers where the program stands, barriers where the kernel begins.
static void makeRing(Importer &importer, Ring &ring, const Pipeline &pipeline, int64_t releases, SourceLocation where) {
  mlir::OpBuilder &builder = importer.builder;
  int64_t inputs = 0;
  llvm::SmallVector<int64_t, 3> shared;
  for (const Spec *spec : pipeline.specs) {
    mlir::SmallVector<int64_t> dims = {ring.depth};
    llvm::copy_if(spec->block, std::back_inserter(dims), [](int64_t extent) { return extent > 0; }); // tg::squeezed
    auto element = cast<tile::RefType>(spec->array.getType()).getElementType();
    ring.buffers.push_back(builder.create<tile::AllocOp>(importer.locate(spec->where),
                                                         tile::RefType::inShared(element, dims), mlir::IntegerAttr()));
    inputs += spec->access != tile::Access::Out;
    for (int64_t axis : spec->multicast)
      if (!llvm::is_contained(shared, axis))
        shared.push_back(axis);
  }
  llvm::sort(shared);
  if (inputs > 0)
    ring.full = importer.makeBarriers(ring.depth, inputs, {}, where);
  if (releases > 0)
    ring.empty = importer.makeBarriers(ring.depth, releases, shared, where);
  ring.position.slot = importer.makeState(builder.getI64Type(), 0, importer.locate(where));
  ring.position.parity = importer.makeState(builder.getI1Type(), 0, importer.locate(where));
}

CallResult Importer::emitPipeline(const IntrinsicCall &call) {
  SourceLocation where = call.where();
  Place options = evaluateOperand(call.arguments[0]);
  const Expr *bodyExpr = call.arguments[1];
  Object *body = temporary(bodyExpr->getType(), bodyExpr->getExprLoc());
  evaluateInto(bodyExpr, *body);
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
  // More slots than steps would stay empty.
  if (pipeline.steps && *pipeline.steps > 0 && *pipeline.steps < ring.depth)
    ring.depth = *pipeline.steps, pipeline.delay = std::min(pipeline.delay, ring.depth - 1);
  makeRing(*this, ring, pipeline, /*releases=*/0, where);
  InLanguage scope(*this, call.callee, where);
  PipelineEmitter(*this, pipeline, where).emitAlone(function, *body);
  return {};
}

/// The registers of a lane that computes. A multiprocessor has 512 per lane of a warpgroup, given out in eights; no
/// lane has use for more than 240.
static int64_t computeRegisters(int64_t memory, int64_t threads) {
  return std::min<int64_t>(240, (512 - memory) / threads) / 8 * 8;
}

namespace {
/// Who copies and who computes.
struct Roles {
  int64_t compute = 0, memoryRegisters = 0;
};
} // namespace

static bool rolesOf(Importer &importer, const Place &options, const Pipeline &pipeline, SourceLocation where,
                    Roles &roles) {
  std::optional<int64_t> compute = importer.constantOption(options, "num_compute_wgs", where);
  std::optional<int64_t> registers = importer.constantOption(options, "memory_registers", where);
  const LaunchAxis *axis = importer.axisOf(importer.option(options, "wg_axis"), where);
  if (!compute || !registers || !axis)
    return false;
  int64_t threads = importer.launch->threads;
  if (axis->kind != LaunchAxis::Thread || *compute < 1 || *compute + 1 != threads) {
    importer.report(DiagnosticKind::PipelineThreads, where) << *compute << *compute + 1 << threads;
    return false;
  }
  if (*registers != 0 &&
      (*registers < 24 || *registers > 256 || *registers % 8 != 0 || computeRegisters(*registers, *compute) < 24)) {
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

/// Whether the ring that an earlier pipeline made serves this one.
static bool fits(const Ring &made, const Ring &wanted, const Pipeline &pipeline) {
  if (made.depth != wanted.depth || made.buffers.size() != pipeline.specs.size())
    return false;
  for (auto [buffer, spec] : llvm::zip(made.buffers, pipeline.specs)) {
    auto type = cast<tile::RefType>(buffer.getType());
    mlir::SmallVector<int64_t> block;
    llvm::copy_if(spec->block, std::back_inserter(block), [](int64_t extent) { return extent > 0; });
    if (type.getElementType() != cast<tile::RefType>(spec->array.getType()).getElementType() ||
        type.getDims().drop_front() != ArrayRef(block))
      return false;
  }
  return true;
}

CallResult Importer::emitSpecialized(const IntrinsicCall &call) {
  SourceLocation where = call.where();
  mlir::Location at = locate(where);
  Place options = evaluateOperand(call.arguments[0]);
  const Expr *computeExpr = call.arguments[1];
  Object *compute = temporary(computeExpr->getType(), computeExpr->getExprLoc());
  evaluateInto(computeExpr, *compute);
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

  auto setRegisters = [&] {
    if (roles.memoryRegisters == 0)
      return;
    auto isMemory = builder.create<arith::CmpIOp>(at, arith::CmpIPredicate::eq,
                                                  builder.create<tile::ThreadIndexOp>(at, builder.getI64Type()),
                                                  constantOf(builder.getI64Type(), roles.compute));
    auto branch = builder.create<scf::IfOp>(at, isMemory, /*withElseRegion=*/true);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    builder.create<tile::SetMaxRegistersOp>(at, roles.memoryRegisters, false);
    builder.setInsertionPointToStart(branch.elseBlock());
    builder.create<tile::SetMaxRegistersOp>(at, computeRegisters(roles.memoryRegisters, roles.compute),
                                            true);
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
      makeRing(*this, known.ring, pipeline, roles.compute, where);
      setRegisters();
    } else if (!fits(known.ring, own, pipeline)) {
      report(DiagnosticKind::PipelineAllocations, where);
      return {};
    }
  } else {
    makeRing(*this, own, pipeline, roles.compute, where);
    setRegisters();
  }

  auto isMemory = builder.create<arith::CmpIOp>(at, arith::CmpIPredicate::eq,
                                                builder.create<tile::ThreadIndexOp>(at, builder.getI64Type()),
                                                constantOf(builder.getI64Type(), roles.compute));
  auto branch = builder.create<scf::IfOp>(at, isMemory, /*withElseRegion=*/true);
  mlir::OpBuilder::InsertionGuard guard(builder);
  InLanguage scope(*this, call.callee, where);
  builder.setInsertionPointToStart(branch.thenBlock());
  PipelineEmitter(*this, pipeline, where).emitCopies();
  builder.setInsertionPointToStart(branch.elseBlock());
  Object *runner = temporary(function->getParamDecl(0)->getType().getNonReferenceType(), where);
  pipeline.home = branch.elseBlock();
  runner->pipeline = &pipeline;
  run(function, compute, {{nullptr, runner}}, nullptr, where);
  if (pipeline.runs != 1)
    report(DiagnosticKind::PipelineRuns, computeExpr);
  return {};
}

/// pipeline(body), in a compute thread.
CallResult Importer::runPipeline(const IntrinsicCall &call) {
  Place self = evaluateOperand(call.arguments[0]);
  const Expr *bodyExpr = call.arguments[1];
  Object *body = temporary(bodyExpr->getType(), bodyExpr->getExprLoc());
  evaluateInto(bodyExpr, *body);
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
  PipelineEmitter(*this, pipeline, call.where()).emitSteps(function, *body);
  return {};
}

} // namespace tegula::frontend
