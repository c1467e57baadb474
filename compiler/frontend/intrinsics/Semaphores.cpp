// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Semaphores in global memory and barriers of the grid (ir/TileSemaphores.td): counts in arrays that belong to a
// launch. The host makes and clears them before it. A launch whose blocks wait for any others is
// `tile.resident_at_once`, for which the runtime asks the driver whether all blocks run at once; one whose blocks wait
// for earlier ones alone (`tile.waits_for_earlier`) need not. On the CPU, clusters of such launches take turns
// (runtime/cpu/launch.cpp).
#include "frontend/intrinsics/Rows.h"
#include "ir/GridOps.h"

#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace tegula::frontend {

/// A new array of the launch's own, all 0 as it begins, as its body sees it.
static mlir::Value clearedArray(Importer &importer, ArrayRef<int64_t> dims, StringRef name, mlir::Location at) {
  mlir::OpBuilder &builder = importer.builder;
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(importer.launch->op);
  mlir::SmallVector<mlir::Value> sizes;
  for (int64_t dim : dims)
    sizes.push_back(importer.constantOnHost(dim, at));
  auto type = tile::ArrayType::get(builder.getContext(), builder.getI32Type(), dims.size(), /*readOnly=*/false);
  auto named = mlir::NameLoc::get(builder.getStringAttr(name), at);
  mlir::Value array = builder.create<tile::EmptyOp>(named, type, sizes, /*zeroed=*/true);
  return importer.argumentOf(array, tile::Access::InOut);
}

/// detail::global<semaphore<Shape...>>().
static CallResult global(Importer &importer, const IntrinsicCall &call) {
  const auto *record = cast<ClassTemplateSpecializationDecl>(call.type()->getAsCXXRecordDecl());
  SmallVector<int64_t> dims;
  for (const TemplateArgument &extent : record->getTemplateArgs()[0].pack_elements())
    dims.push_back(extent.getAsIntegral().getSExtValue());
  Object *made = importer.temporary(call.type(), call.where());
  if (made->parts.size() == 1)
    made->parts.front()->leaf = Leaf(clearedArray(importer, dims, "semaphores", importer.locate(call.where())));
  return {{}, made};
}

/// What a semaphore_ref names.
static mlir::Value placeOf(Importer &importer, const LValue &semaphore, SourceLocation where) {
  Object *count = semaphore.object && !semaphore.object->parts.empty() ? semaphore.object->parts.front() : nullptr;
  mlir::Value place =
      count && !semaphore.object->isPoisoned ? importer.read(count, count->type, where).value() : mlir::Value();
  if (!place)
    importer.lose(where);
  return place;
}

/// Semaphores are no shared memory: a block alone has barriers.
static std::optional<tile::MemoryScope> scopeOption(Importer &importer, const LValue &options, SourceLocation where) {
  std::optional<int64_t> value = importer.constantOption(options, "scope", where);
  if (!value)
    return std::nullopt;
  auto scope = static_cast<tile::MemoryScope>(*value);
  if (scope != tile::MemoryScope::Cta)
    return scope;
  importer.report(DiagnosticKind::SemaphoreScope, where);
  return std::nullopt;
}

static mlir::Value longOf(Importer &importer, const LValue &number, QualType type, SourceLocation where) {
  QualType s64 = importer.ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  Leaf leaf = importer.convert(importer.read(number, type, where), type, s64, where);
  return importer.materialize(leaf, s64, where);
}

static mlir::Value longArgument(Importer &importer, const Expr *argument) {
  QualType s64 = importer.ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  return importer.materialize(importer.evaluate(argument), s64, argument->getExprLoc());
}

static CallResult signal(Importer &importer, const IntrinsicCall &call) {
  mlir::Value place = placeOf(importer, importer.evaluateOperand(call.arguments[0]), call.where());
  mlir::Value increment = longArgument(importer, call.arguments[1]);
  auto scope = scopeOption(importer, importer.evaluateOperand(call.arguments[2]), call.where());
  if (place && increment && scope)
    importer.builder.create<tile::SemaphoreSignalOp>(importer.locate(call.where()), place, increment, *scope);
  return {};
}

static CallResult signalParallel(Importer &importer, const IntrinsicCall &call) {
  LValue signals = importer.evaluateOperand(call.arguments[0]);
  auto scope = scopeOption(importer, importer.evaluateOperand(call.arguments[1]), call.where());
  if (!signals.object || signals.object->isPoisoned || !scope)
    return {};
  mlir::SmallVector<mlir::Value> places, increments;
  for (Object *signal : signals.object->parts) {
    if (signal->isPoisoned)
      return {};
    places.push_back(placeOf(importer, signal->parts[0], call.where()));
    increments.push_back(longOf(importer, signal->parts[1], signal->parts[1]->type, call.where()));
    if (!places.back() || !increments.back())
      return {};
  }
  importer.builder.create<tile::SemaphoreSignalOp>(importer.locate(call.where()), places, increments, *scope);
  return {};
}

static CallResult wait(Importer &importer, const IntrinsicCall &call) {
  mlir::Value place = placeOf(importer, importer.evaluateOperand(call.arguments[0]), call.where());
  mlir::Value value = longArgument(importer, call.arguments[1]);
  LValue options = importer.evaluateOperand(call.arguments[2]);
  std::optional<int64_t> decrements = importer.constantOption(options, "decrement", call.where());
  auto scope = scopeOption(importer, options, call.where());
  importer.launch->waits = true;
  if (place && value && decrements && scope)
    importer.builder.create<tile::SemaphoreWaitOp>(importer.locate(call.where()), place, value, *decrements != 0,
                                                   *scope);
  return {};
}

static CallResult read(Importer &importer, const IntrinsicCall &call) {
  mlir::Value place = placeOf(importer, importer.evaluateOperand(call.arguments[0]), call.where());
  importer.launch->waits = true; // Who reads again and again does.
  if (!place)
    return {};
  mlir::OpBuilder &builder = importer.builder;
  return {Leaf(builder.create<tile::SemaphoreReadOp>(importer.locate(call.where()), builder.getI32Type(), place)), {}};
}

static CallResult gridBarrier(Importer &importer, const IntrinsicCall &call) {
  Launch &launch = *importer.launch;
  if (launch.waitsForEarlier) {
    importer.report(DiagnosticKind::GridBarrier, call.where());
    return {};
  }
  mlir::Location at = importer.locate(call.where());
  if (!launch.gridBarrier)
    launch.gridBarrier = clearedArray(importer, {}, "grid_barrier", launch.op.getLoc());
  launch.waits = true;
  importer.builder.create<tile::GridBarrierOp>(at, launch.gridBarrier);
  return {};
}

ArrayRef<IntrinsicRow> semaphoreRows() {
  static constexpr IntrinsicRow rows[] = {
      {Known::None, "global", Side::Explicit, &global},
      {Known::None, "semaphore_signal", Side::Explicit, &signal},
      {Known::None, "semaphore_signal_parallel", Side::Explicit, &signalParallel},
      {Known::None, "semaphore_wait", Side::Explicit, &wait},
      {Known::None, "semaphore_read", Side::Explicit, &read},
      {Known::None, "grid_barrier", Side::Explicit, &gridBarrier},
  };
  return rows;
}

} // namespace tegula::frontend
