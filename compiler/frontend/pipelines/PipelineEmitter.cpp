// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/pipelines/PipelineEmitter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

namespace tegula::frontend {

mlir::Value PipelineEmitter::ahead(mlir::Value stage, int64_t steps) {
  if (ring.depth == 1)
    return zero;
  mlir::Value next = make<arith::AddIOp>(stage, index(steps)), depth = index(ring.depth);
  if (steps == 1)
    return builder.create<arith::SelectOp>(at, compare(arith::CmpIPredicate::eq, next, depth), zero, next);
  mlir::Value wrapped = make<arith::SubIOp>(next, depth);
  return builder.create<arith::SelectOp>(at, compare(arith::CmpIPredicate::sge, next, depth), wrapped, next);
}

mlir::Value PipelineEmitter::behind(mlir::Value stage, int64_t steps) {
  return steps == 0 ? stage : ahead(stage, ring.depth - steps);
}

void PipelineEmitter::advance() {
  mlir::Value next = zero, wraps = importer.constantOf(builder.getI1Type(), 1);
  if (ring.depth > 1) {
    next = make<arith::AddIOp>(get(ring.position.stage), one);
    wraps = compare(arith::CmpIPredicate::eq, next, index(ring.depth));
    next = builder.create<arith::SelectOp>(at, wraps, zero, next);
  }
  set(ring.position.stage, next);
  set(ring.position.parity, make<arith::XOrIOp>(get(ring.position.parity), wraps));
}

mlir::Value PipelineEmitter::bufferAt(unsigned spec, mlir::Value stage) {
  mlir::Value buffer = ring.buffers[spec];
  auto type = cast<tile::RefType>(buffer.getType());
  mlir::SmallVector<int32_t> modes(type.getRank(), static_cast<int32_t>(tile::SliceMode::Whole));
  modes.front() = static_cast<int32_t>(tile::SliceMode::Element);
  mlir::SmallVector<mlir::Value> offsets = {stage};
  if (ArrayRef<int64_t> shape = ring.blocks[spec]; !shape.empty() && shape.back() != type.getDims().back()) {
    modes.back() = static_cast<int32_t>(tile::SliceMode::Window);
    offsets.push_back(zero);
  }
  auto block = tile::RefType::inShared(type.getElementType(), ring.blocks[spec], type.getSwizzle());
  return builder.create<tile::SliceOp>(at, block, buffer, offsets, mlir::ValueRange(), modes, /*spec=*/false);
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

void PipelineEmitter::copyIn(unsigned number, ArrayRef<mlir::Value> indices, mlir::Value stage) {
  const Spec &spec = *pipeline.specs[number];
  Leaf window = importer.windowOf(spec, spec.array, indices, /*isSpec=*/false);
  if (window)
    builder.create<tile::CopyToSharedOp>(at, window.value(), bufferAt(number, stage), ring.full, stage, mlir::Value(),
                                         spec.multicast.empty() ? mlir::DenseI64ArrayAttr()
                                                                : builder.getDenseI64ArrayAttr(spec.multicast));
}

/// Whether a coordinate of a block changes with indices[axis] from step to step: it depends on it other than through a
/// comparison or a quotient, which are the same for several steps.
static bool changesAlong(size_t axis, mlir::Value coordinate, ArrayRef<mlir::Value> indices) {
  if (llvm::is_contained(indices, coordinate))
    return coordinate == indices[axis];
  mlir::Operation *op = coordinate.getDefiningOp();
  if (!op || isa<arith::CmpIOp, arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp, arith::FloorDivSIOp, arith::ShRSIOp,
                 arith::ShRUIOp>(op))
    return false;
  if (auto get = dyn_cast<tile::GetOp>(op)) { // A variable that the step sets: the author's to judge.
    mlir::Operation *loop = op->getParentOfType<scf::ForOp>();
    return llvm::any_of(get.getVariable().getUsers(), [&](mlir::Operation *user) {
      return isa<tile::SetOp>(user) && loop && loop->isProperAncestor(user);
    });
  }
  return op->getNumRegions() > 0 ||
         llvm::any_of(op->getOperands(), [&](mlir::Value operand) { return changesAlong(axis, operand, indices); });
}

/// Every step has a buffer of its own, so that an output's block must change along every axis of the grid. With one
/// buffer, a tg::out block may stay along the last axes: it is copied when these have been counted.
bool PipelineEmitter::checkChanges(const Spec &spec, mlir::Value window, ArrayRef<mlir::Value> indices) {
  mlir::OperandRange coordinates = window.getDefiningOp<tile::SliceOp>().getOffsets();
  std::optional<int64_t> stays;
  bool isLast = true; // No axis behind it makes the block change and come back.
  for (size_t axis = 0; axis < indices.size(); ++axis) {
    if (mlir::matchPattern(pipeline.grid[axis], mlir::m_One()))
      continue;
    bool changes =
        llvm::any_of(coordinates, [&](mlir::Value coordinate) { return changesAlong(axis, coordinate, indices); });
    if (!changes && !stays)
      stays = axis;
    isLast &= !(changes && stays);
  }
  bool mayStay = spec.access == tile::Access::Out && isLast;
  if (!stays || (mayStay && ring.depth == 1))
    return true;
  llvm::SaveAndRestore atSpec(importer.frame->callSite, spec.where);
  importer.report(DiagnosticKind::PipelineStays, spec.where)
      << (spec.access == tile::Access::Out ? "out" : "inout") << *stays << ring.depth
      << (mayStay ? ", or say .max_concurrent_steps = 1" : "");
  return false;
}

/// A block goes to its array after the last of the steps in a row that have it. Every step is a group of copies, so
/// that counting steps counts groups.
void PipelineEmitter::copyOut(Odometer &odometer, mlir::Value step, mlir::Value stage) {
  if (!hasOutputs())
    return;
  builder.create<tile::FenceSharedOp>(at);
  mlir::Value next = make<arith::AddIOp>(step, one);
  mlir::Value isLast = compare(arith::CmpIPredicate::eq, next, pipeline.numSteps);
  mlir::SmallVector<mlir::Value> now = odometer.indices(step), then = odometer.following(step);
  for (size_t number = 0; number < pipeline.specs.size(); ++number) {
    const auto &spec = pipeline.specs[number];
    if (spec->access == tile::Access::In)
      continue;
    Leaf window = importer.windowOf(*spec, spec->array, now, false),
         other = importer.windowOf(*spec, spec->array, then, false);
    if (!window || !other || !checkChanges(*spec, window.value(), now))
      return;
    mlir::Value ends = isLast;
    auto slice = window.value().getDefiningOp<tile::SliceOp>();
    auto following = other.value().getDefiningOp<tile::SliceOp>();
    if (slice && following)
      for (auto [a, b] : llvm::zip(slice.getOffsets(), following.getOffsets()))
        if (a != b)
          ends = make<arith::OrIOp>(ends, compare(arith::CmpIPredicate::ne, a, b));
    when(ends, [&] {
      builder.create<tile::CopyToGlobalOp>(at, bufferAt(number, stage), window.value(), mlir::Value(), false);
    });
  }
  builder.create<tile::CommitGroupOp>(at);
}

void PipelineEmitter::runBody(const FunctionDecl *function, Object &body, ArrayRef<mlir::Value> indices,
                              mlir::Value stage) {
  QualType s64 = importer.ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  SmallVector<Argument> arguments;
  for (mlir::Value value : indices)
    arguments.push_back({nullptr, importer.holding(value, s64)});
  for (unsigned i = 0; i < pipeline.specs.size(); ++i) {
    const ParmVarDecl *parameter = function->getParamDecl(indices.size() + i);
    mlir::Value block = bufferAt(i, stage);
    importer.name(block, parameter->getName());
    arguments.push_back({nullptr, importer.holding(block, parameter->getType())});
  }
  importer.run(function, &body, arguments, nullptr, where);
}

void PipelineEmitter::step(const FunctionDecl *function, Object &body, Odometer &odometer, mlir::Value step,
                           mlir::Value stage) {
  if (hasInputs())
    builder.create<tile::BarrierWaitOp>(at, ring.full, stage, get(ring.position.parity));
  if (hasOutputs()) // The stage's last copy has read it.
    builder.create<tile::WaitGroupOp>(at, ring.depth - 1, true);
  runBody(function, body, odometer.indices(step), stage);
  copyOut(odometer, step, stage);
}

void PipelineEmitter::emitAlone(const FunctionDecl *function, Object &body) {
  // Inputs that stay equally long are copied together, so many steps ahead of the step.
  struct Group {
    int64_t delay;
    SmallVector<unsigned> specs;
    Odometer odometer;
    mlir::Value stage;
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
      group->stage = builder.create<tile::VariableOp>(at, tile::VariableType::get(builder.getContext(), i64));
      set(group->stage, get(ring.position.stage));
    }
    group->specs.push_back(number);
    group->isSent |= spec->access == tile::Access::InOut;
  }
  auto fetch = [&](Group &group, mlir::Value step) {
    mlir::Value stage = get(group.stage);
    for (unsigned spec : group.specs)
      copyIn(spec, group.odometer.indices(step), stage);
    group.odometer.advance();
    set(group.stage, ahead(stage, 1));
  };
  if (!groups.empty())
    loop(make<arith::MinSIOp>(pipeline.numSteps, index(ring.depth)), [&](mlir::Value step) {
      for (Group &group : groups)
        fetch(group, step);
    });
  Odometer odometer(importer, pipeline.grid, at);
  loop(pipeline.numSteps, [&](mlir::Value number) {
    mlir::Value stage = get(ring.position.stage);
    step(function, body, odometer, number, stage);
    bool isAllThere = pipeline.steps && *pipeline.steps <= ring.depth;
    for (Group &group : groups) {
      if (isAllThere)
        break;
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
    mlir::Value stage = get(ring.position.stage);
    // Released in the last pass. In the first pass nothing is to wait for: the phase before the first has parity 1, and
    // is over.
    mlir::Value parity = make<arith::XOrIOp>(get(ring.position.parity), odd);
    builder.create<tile::BarrierWaitOp>(at, ring.empty, stage, parity);
    for (auto [number, spec] : llvm::enumerate(pipeline.specs))
      if (spec->access == tile::Access::In)
        copyIn(number, odometer.indices(step), stage);
    odometer.advance();
    advance();
  });
}

void PipelineEmitter::emitSteps(const FunctionDecl *function, Object &body) {
  Odometer odometer(importer, pipeline.grid, at);
  auto release = [&](mlir::Value stage) { builder.create<tile::BarrierArriveOp>(at, ring.empty, stage); };
  loop(pipeline.numSteps, [&](mlir::Value number) {
    mlir::Value stage = get(ring.position.stage);
    step(function, body, odometer, number, stage);
    mlir::Value isLate =
        pipeline.delay > 0 ? compare(arith::CmpIPredicate::sge, number, index(pipeline.delay)) : mlir::Value();
    when(isLate, [&] { release(behind(stage, pipeline.delay)); });
    odometer.advance();
    advance();
  });
  if (pipeline.delay > 0) {
    // The ring goes on: the next run waits for these.
    importer.waitForProducts(0, at);
    mlir::Value stage = get(ring.position.stage);
    for (int64_t late = pipeline.delay; late > 0; --late) {
      bool isThere = pipeline.steps && *pipeline.steps >= late;
      mlir::Value were = isThere ? mlir::Value() : compare(arith::CmpIPredicate::sge, pipeline.numSteps, index(late));
      when(were, [&] { release(behind(stage, late)); });
    }
  }
  if (hasOutputs())
    builder.create<tile::WaitGroupOp>(at, 0, false);
}

} // namespace tegula::frontend
