// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tg::nd_loop and tg::dynamic_scheduling_loop: the steps of a grid that a program does.
//
// A dynamic loop takes its steps from a counter in global memory, an array of the launch that begins as zero.
// `tile.take_step` begins to count, one step ahead, in one lane, and `tile.announce_step` tells the cluster from that
// lane. Two slots of shared memory take turns, each with a barrier that is full and one that is empty. `tile-outline`
// launches no more blocks than run at once (`tile.takes_steps`).
#include "frontend/Importer.h"

#include "ir/KernelAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace clang;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

namespace tegula::frontend {

namespace {
/// Integers of the loop's own.
class Arithmetic {
public:
  Arithmetic(Importer &importer, SourceLocation where)
      : importer(importer), where(where), s64(importer.ast.getIntTypeForBitwidth(64, /*Signed=*/true)) {}

  Leaf compute(BinaryOperatorKind op, const Leaf &a, const Leaf &b) {
    return importer.binary(op, a, s64, b, s64, where);
  }
  Leaf min(const Leaf &a, const Leaf &b) {
    std::optional<int64_t> x = importer.constantInt(a), y = importer.constantInt(b);
    if (x && y)
      return Leaf::number(std::min(*x, *y));
    return Leaf(importer.builder.create<arith::MinSIOp>(importer.locate(where), value(a), value(b)));
  }
  mlir::Value value(const Leaf &leaf) { return importer.materialize(leaf, s64, where); }

  /// The point of a step: the last axis runs fastest.
  SmallVector<Leaf> pointOf(Leaf step, ArrayRef<Leaf> sizes) {
    SmallVector<Leaf> point(sizes.size());
    for (size_t i = sizes.size(); i-- > 0;) {
      point[i] = i == 0 ? step : compute(BO_Rem, step, sizes[i]);
      if (i > 0)
        step = compute(BO_Div, step, sizes[i]);
    }
    return point;
  }

  /// The same of a walk that does one tile of the grid after the other. Those at its end have what is left.
  SmallVector<Leaf> pointInTiles(Leaf step, ArrayRef<Leaf> sizes, ArrayRef<int64_t> tiling) {
    SmallVector<Leaf> origin, extent, behind(sizes.size(), Leaf::number(1));
    for (size_t i = sizes.size() - 1; i-- > 0;)
      behind[i] = compute(BO_Mul, behind[i + 1], sizes[i + 1]);
    Leaf before = Leaf::number(1); // Of the tile, along the axes that are done.
    for (auto [i, size] : llvm::enumerate(sizes)) {
      Leaf slab = compute(BO_Mul, compute(BO_Mul, before, behind[i]), Leaf::number(tiling[i]));
      Leaf tile = compute(BO_Div, step, slab);
      step = compute(BO_Sub, step, compute(BO_Mul, tile, slab));
      origin.push_back(compute(BO_Mul, tile, Leaf::number(tiling[i])));
      std::optional<int64_t> known = importer.constantInt(size);
      bool divides = known && *known % tiling[i] == 0;
      extent.push_back(divides ? Leaf::number(tiling[i])
                               : min(Leaf::number(tiling[i]), compute(BO_Sub, size, origin.back())));
      before = compute(BO_Mul, before, extent.back());
    }
    SmallVector<Leaf> point = pointOf(step, extent);
    for (auto [index, start] : llvm::zip_equal(point, origin))
      index = compute(BO_Add, start, index);
    return point;
  }

  SmallVector<Leaf> pointOf(const Leaf &step, ArrayRef<Leaf> sizes, ArrayRef<int64_t> tiling) {
    return tiling.empty() ? pointOf(step, sizes) : pointInTiles(step, sizes, tiling);
  }

private:
  Importer &importer;
  SourceLocation where;
  QualType s64;
};
} // namespace

/// {.tiling = {4, 8}}: nothing, or an extent for each axis.
static bool tilingOf(Importer &importer, const LValue &options, size_t rank, SourceLocation where,
                     SmallVectorImpl<int64_t> &tiling) {
  Object *field = importer.option(options, "tiling");
  if (!field || field->isPoisoned)
    return false;
  for (Object *part : field->parts) {
    Leaf extent = importer.read(part, part->type, where);
    std::optional<int64_t> known = importer.constantInt(extent);
    if (extent && !known)
      importer.report(DiagnosticKind::ArgumentNotConstant, where) << ".tiling";
    if (!known)
      return false;
    tiling.push_back(*known);
  }
  while (!tiling.empty() && tiling.back() == 0)
    tiling.pop_back();
  if (tiling.empty() || (tiling.size() == rank && llvm::all_of(tiling, [](int64_t extent) { return extent > 0; })))
    return true;
  std::string given;
  for (int64_t extent : tiling)
    given += (given.empty() ? "" : ", ") + std::to_string(extent);
  importer.report(DiagnosticKind::LoopTiling, where) << int64_t(rank) << given;
  return false;
}

/// The iterations of the grid, dealt in turn: this program's i-th is the (index + i * size)-th of all.
CallResult Importer::ndLoop(const IntrinsicCall &call) {
  SourceLocation where = call.where(), optionsAt = call.arguments[1]->getExprLoc();
  mlir::Location at = locate(where);
  QualType s64 = ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  Arithmetic integers(*this, where);
  LValue grid = evaluateOperand(call.arguments[0]);
  LValue options = evaluateOperand(call.arguments[1]);
  SmallVector<const LaunchAxis *> axes;
  SmallVector<int64_t> tiling;
  const Expr *bodyExpr = call.arguments[2];
  Object *body = temporary(bodyExpr);
  if (!grid.object || grid.object->isPoisoned || body->isPoisoned ||
      !axesOf(option(options, "collective_axes"), optionsAt, axes) ||
      !tilingOf(*this, options, grid.object->parts.size(), optionsAt, tiling))
    return {};
  for (const LaunchAxis *axis : axes)
    if (axis->kind == LaunchAxis::Grid)
      usesGridPosition(optionsAt);
  SmallVector<Leaf> sizes;
  Leaf total = Leaf::number(1);
  for (Object *size : grid.object->parts) {
    sizes.push_back(read(size, s64, where));
    total = sizes.size() == 1 ? sizes.back() : integers.compute(BO_Mul, total, sizes.back());
  }
  auto [first, stride] = rankAlong(axes, where);
  Leaf rest = integers.compute(BO_Sub, integers.compute(BO_Add, integers.compute(BO_Sub, total, first), stride),
                               Leaf::number(1));
  Leaf steps = integers.compute(BO_Div, rest, stride);
  const CallExpr *inner = bodyCall(call.callee->getBody());
  if (!steps || !inner)
    return {};

  mlir::Value count = materialize(steps, s64, where);
  mlir::Type i64 = builder.getI64Type();
  auto loop = builder.create<scf::ForOp>(at, constantOf(i64, 0), count, constantOf(i64, 1));
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  Leaf local(loop.getInductionVar());
  Leaf linear = integers.compute(BO_Add, first, integers.compute(BO_Mul, local, stride));
  Object *step = temporary(inner->getArg(inner->getNumArgs() - 1)->getType(), where);
  for (auto [index, leaf] : llvm::zip_equal(step->parts[0]->parts, integers.pointOf(linear, sizes, tiling)))
    index->leaf = leaf;
  step->parts[1]->leaf = local;
  step->parts[2]->leaf = Leaf(count);
  InLanguage scope(*this, call.callee, where);
  run(inner->getDirectCallee(), body, {{nullptr, step}}, nullptr, where);
  return {};
}

// ---- Steps that blocks take -----------------------------------------------------------------------------------------

/// Blocks that take steps have no place in the grid.
void Importer::usesGridPosition(SourceLocation where) {
  if (launch->takesSteps)
    report(DiagnosticKind::DynamicPosition, where);
  else if (launch->gridPosition.isInvalid())
    launch->gridPosition = where;
}

namespace {
/// Takes steps and hands them on. One lane of the cluster counts a step ahead; two slots of shared memory take turns,
/// each with a barrier that is full when a step is in it, and one that is empty when all threads have read it.
class StepFeed {
public:
  StepFeed(Importer &importer, mlir::Location at, SourceLocation where)
      : importer(importer), builder(importer.builder), at(at), where(where) {}

  void make(mlir::Value counter);
  /// The next step.
  mlir::Value next();
  /// Begins to take the one after it, and announces that.
  void beginNext();
  void announceNext();

private:
  mlir::Value index(int64_t value) { return importer.constantOf(builder.getI64Type(), value); }
  mlir::Value get(mlir::Value variable) { return builder.create<tile::GetOp>(at, variable); }
  void set(mlir::Value variable, mlir::Value value) { builder.create<tile::SetOp>(at, value, variable); }
  mlir::Value isStage(int64_t number) {
    return builder.create<arith::CmpIOp>(at, arith::CmpIPredicate::eq, get(stage), index(number));
  }
  void when(mlir::Value condition, llvm::function_ref<void()> inside) {
    auto branch = builder.create<scf::IfOp>(at, condition, /*withElseRegion=*/false);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    inside();
  }
  mlir::Value makeBarriers(int64_t arrivals, StringRef name, bool frees);

  Importer &importer;
  mlir::OpBuilder &builder;
  mlir::Location at;
  SourceLocation where;
  mlir::Value counter, slots, full, empty, stage, parity, taken, takes;
};
} // namespace

mlir::Value StepFeed::makeBarriers(int64_t arrivals, StringRef name, bool frees) {
  SmallVector<int64_t> axes;
  for (auto [axis, size] : llvm::enumerate(importer.launch->cluster))
    if (size > 1)
      axes.push_back(static_cast<int64_t>(axis));
  mlir::Value made = importer.makeBarriers(2, arrivals, axes, where);
  auto barriers = made.getDefiningOp<tile::AllocBarriersOp>();
  barriers.setFrees(frees);
  barriers.setEverywhere(!axes.empty());
  importer.name(made, name);
  return made;
}

void StepFeed::make(mlir::Value of) {
  counter = of;
  int64_t threads = importer.launch->threads, blocks = 1;
  for (int64_t size : importer.launch->cluster)
    blocks *= size;
  slots = importer.allocateShared(builder.getI64Type(), {2}, /*swizzle=*/0, where);
  importer.name(slots, "steps");
  full = makeBarriers(1, "step_full", /*frees=*/false);
  // Where the block is alone, the thread that takes steps knows that it has read them.
  int64_t readers = blocks == 1 ? threads - 1 : threads * blocks;
  if (readers > 0)
    empty = makeBarriers(readers, "step_empty", /*frees=*/true);
  stage = importer.makeState(builder.getI64Type(), 0, at);
  parity = importer.makeState(builder.getI1Type(), 0, at);
  taken = importer.makeState(builder.getI64Type(), 0, at);
  // The last thread: the one that copies, where one does that alone.
  mlir::Value thread = builder.create<tile::ThreadIndexOp>(at, builder.getI64Type());
  takes = builder.create<arith::CmpIOp>(at, arith::CmpIPredicate::eq, thread, index(threads - 1));
  if (blocks > 1) {
    mlir::Value rank = builder.create<tile::ClusterRankOp>(at, builder.getI64Type());
    takes = builder.create<arith::AndIOp>(at, takes,
                                          builder.create<arith::CmpIOp>(at, arith::CmpIPredicate::eq, rank, index(0)));
  }
  when(takes, [&] {
    mlir::Value first = builder.create<tile::TakeStepOp>(at, builder.getI64Type(), counter);
    builder.create<tile::AnnounceStepOp>(at, first, slots, full, index(0));
  });
}

mlir::Value StepFeed::next() {
  mlir::Value here = get(stage);
  builder.create<tile::BarrierWaitOp>(at, full, here, get(parity));
  return builder.create<tile::ReadStepOp>(at, builder.getI64Type(), slots, here);
}

void StepFeed::beginNext() {
  bool isAlone = llvm::all_of(importer.launch->cluster, [](int64_t size) { return size == 1; });
  auto release = [&] { builder.create<tile::BarrierArriveOp>(at, empty, get(stage)); };
  if (empty && !isAlone)
    release();
  auto branch = builder.create<scf::IfOp>(at, takes, /*withElseRegion=*/empty && isAlone);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  set(taken, builder.create<tile::TakeStepOp>(at, builder.getI64Type(), counter));
  if (!empty || !isAlone)
    return;
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  release();
}

void StepFeed::announceNext() {
  mlir::Value isFirst = isStage(0);
  mlir::Value other = builder.create<arith::SubIOp>(at, index(1), get(stage));
  when(takes, [&] {
    // Of the step before this one; in front of the first one, nothing is to wait for.
    if (empty)
      builder.create<tile::BarrierWaitOp>(at, empty, other, builder.create<arith::XOrIOp>(at, get(parity), isFirst));
    builder.create<tile::AnnounceStepOp>(at, get(taken), slots, full, other);
  });
  mlir::Value wraps = builder.create<arith::XOrIOp>(at, isFirst, importer.constantOf(builder.getI1Type(), 1));
  set(parity, builder.create<arith::XOrIOp>(at, get(parity), wraps));
  set(stage, other);
}

/// An array of the launch's own that counts the steps that are taken.
static mlir::Value makeCounter(Importer &importer, mlir::Location at) {
  mlir::OpBuilder::InsertionGuard guard(importer.builder);
  importer.builder.setInsertionPoint(importer.launch->op);
  mlir::Value one = importer.constantOnHost(1, at);
  auto type = tile::ArrayType::get(importer.builder.getContext(), importer.builder.getI64Type(), 1, false);
  mlir::Location named = mlir::NameLoc::get(importer.builder.getStringAttr("steps"), at);
  mlir::Value counter = importer.builder.create<tile::EmptyOp>(named, type, one, /*zeroed=*/true);
  return importer.argumentOf(counter, tile::Access::InOut);
}

/// The axes of the grid, each once: in which order they are named is the order of the steps.
bool Importer::dynamicAxes(const IntrinsicCall &call, SmallVectorImpl<const LaunchAxis *> &axes) {
  SourceLocation where = call.arguments[0]->getExprLoc();
  LValue names = evaluateOperand(call.arguments[0]);
  if (!names.object || !axesOf(names.object, where, axes))
    return false;
  llvm::SmallDenseSet<const LaunchAxis *> named(axes.begin(), axes.end());
  bool isGrid = llvm::all_of(axes, [](const LaunchAxis *axis) { return axis->kind == LaunchAxis::Grid; });
  if (isGrid && named.size() == axes.size() && axes.size() == launch->op.getGrid().size())
    return true;
  report(DiagnosticKind::DynamicAxes, where);
  return false;
}

CallResult Importer::dynamicLoop(const IntrinsicCall &call) {
  SourceLocation where = call.where();
  mlir::Location at = locate(where);
  LValue options = evaluateOperand(call.arguments[1]);
  const Expr *bodyExpr = call.arguments[2];
  Object *body = temporary(bodyExpr);
  SmallVector<const LaunchAxis *> axes;
  SmallVector<int64_t> tiling;
  const CallExpr *inner = bodyCall(call.callee->getBody());
  if (body->isPoisoned || !inner || !dynamicAxes(call, axes) ||
      !tilingOf(*this, options, axes.size(), call.arguments[1]->getExprLoc(), tiling))
    return {};
  if (builder.getInsertionBlock() != &launch->op.getBody().front()) {
    report(DiagnosticKind::DynamicPlace, where);
    return {};
  }
  launch->takesSteps = true;
  launch->op->setAttr(tile::takesSteps, builder.getUnitAttr());
  if (launch->gridPosition.isValid())
    report(DiagnosticKind::DynamicPosition, launch->gridPosition);
  Arithmetic integers(*this, where);
  SmallVector<Leaf> sizes;
  Leaf total = Leaf::number(1);
  for (const LaunchAxis *axis : axes) {
    sizes.push_back(sizeOf(*axis, at));
    total = sizes.size() == 1 ? sizes.back() : integers.compute(BO_Mul, total, sizes.back());
  }
  mlir::Value last = integers.value(total);
  StepFeed feed(*this, at, where);
  feed.make(makeCounter(*this, at));
  mlir::Type i64 = builder.getI64Type();
  mlir::Value current = makeState(i64, 0, at), local = makeState(i64, 0, at);

  auto loop = builder.create<scf::WhileOp>(at, mlir::TypeRange(), mlir::ValueRange());
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&loop.getBefore());
  mlir::Value taken = feed.next();
  builder.create<tile::SetOp>(at, taken, current);
  builder.create<scf::ConditionOp>(at, builder.create<arith::CmpIOp>(at, arith::CmpIPredicate::slt, taken, last),
                                   mlir::ValueRange());
  mlir::Block *after = builder.createBlock(&loop.getAfter());
  builder.setInsertionPoint(builder.create<scf::YieldOp>(at));
  feed.beginNext();
  Leaf linear(builder.create<tile::GetOp>(at, current));
  mlir::Value count = builder.create<tile::GetOp>(at, local);
  Object *step = temporary(inner->getArg(inner->getNumArgs() - 1)->getType(), where);
  for (auto [index, leaf] : llvm::zip_equal(step->parts[0]->parts, integers.pointOf(linear, sizes, tiling)))
    index->leaf = leaf;
  step->parts[1]->leaf = Leaf(count);
  {
    InLanguage scope(*this, call.callee, where);
    run(inner->getDirectCallee(), body, {{nullptr, step}}, nullptr, where);
  }
  builder.setInsertionPoint(after->getTerminator());
  builder.create<tile::SetOp>(at, builder.create<arith::AddIOp>(at, count, constantOf(i64, 1)), local);
  feed.announceNext();
  return {};
}

} // namespace tegula::frontend
