// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers, and copies between global and shared memory.
#include "frontend/intrinsics/Rows.h"
#include "ir/TensorMaps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "clang/AST/DeclTemplate.h"

using namespace clang;
namespace arith = mlir::arith;

namespace tegula::frontend {

// ---- Barriers -------------------------------------------------------------------------------------------------------

/// One barrier of an array: the indices count row by row.
CallResult Importer::barrierAt(const IntrinsicCall &call) {
  LValue self = evaluateOperand(call.arguments[0]);
  if (!self.object || !self.object->barriers)
    return {};
  QualType s64 = ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  Leaf linear = Leaf::number(0);
  for (auto [argument, extent] : llvm::zip(ArrayRef(call.arguments).drop_front(), self.object->barriers->shape)) {
    SourceLocation where = argument->getExprLoc();
    Operand index = operand(argument);
    std::optional<int64_t> constant = constantInt(index.leaf);
    if (constant && (*constant < 0 || *constant >= extent)) {
      report(DiagnosticKind::IndexOutside, where) << *constant << extent;
      return {};
    }
    Leaf size = Leaf::number(extent);
    linear = binary(BO_Mul, linear, s64, size, s64, where);
    linear = binary(BO_Add, linear, s64, convert(index.leaf, index.type, s64, where), s64, where);
    if (!linear)
      return {};
  }
  Object *one = temporary(call.type(), call.where());
  one->barriers = self.object->barriers;
  one->parts = {holding(linear, s64)};
  return {{}, one};
}

/// The only barrier of its variable.
CallResult Importer::barrierItself(const IntrinsicCall &call) {
  IntrinsicCall none = call;
  none.arguments.truncate(1);
  return barrierAt(none);
}

/// ready() and consumed() of a block of a pipeline.
CallResult Importer::barrierOfBlock(const IntrinsicCall &call) {
  Leaf self = evaluate(call.arguments[0]);
  if (!self)
    return {};
  bool isReady = call.callee->getName() == "ready";
  auto found = launch->pipelineBlocks.find(self.value());
  bool isBlock = found != launch->pipelineBlocks.end();
  Barriers *barriers = !isBlock ? nullptr : isReady ? found->second.ready : found->second.consumed;
  if (!barriers) {
    report(DiagnosticKind::PipelineBarrier, call.where()) << (isReady ? "ready" : "consumed") << (isBlock ? 1 : 0);
    return {};
  }
  (isReady ? found->second.isAwaited : found->second.isReleased) = true;
  Object *one = temporary(call.type(), call.where());
  one->barriers = barriers;
  one->parts = {holding(Leaf(found->second.stage), ast.getIntTypeForBitwidth(64, /*Signed=*/true))};
  return {{}, one};
}

std::optional<std::pair<Barriers *, mlir::Value>> Importer::barrierArgument(const Expr *argument, Barriers::Use use) {
  LValue lvalue = evaluateOperand(argument);
  if (!lvalue.object || !lvalue.object->barriers || lvalue.object->parts.empty())
    return std::nullopt;
  if (Barriers::Use only = lvalue.object->barriers->use; only != Barriers::Any && only != use) {
    report(DiagnosticKind::PipelineBarrierUse, argument->getExprLoc()) << (only == Barriers::Waits ? 0 : 1);
    return std::nullopt;
  }
  QualType s64 = ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  Object *index = lvalue.object->parts.front();
  SourceLocation where = argument->getExprLoc();
  return std::pair(lvalue.object->barriers, materialize(read(index, s64, where), s64, where));
}

CallResult Importer::barrierArrive(const IntrinsicCall &call) {
  if (auto one = barrierArgument(call.arguments[0], Barriers::Arrives))
    builder.create<tile::BarrierArriveOp>(locate(call.where()), one->first->barriers, one->second);
  return {};
}

/// Asks a barrier about the phase that is waited for next, by an op; if that has ended, the next call is about the one
/// after.
template <class Op> static CallResult askForPhase(Importer &importer, const IntrinsicCall &call) {
  auto one = importer.barrierArgument(call.arguments[0], Barriers::Waits);
  if (!one)
    return {};
  mlir::OpBuilder &builder = importer.builder;
  mlir::Location at = importer.locate(call.where());
  auto [barriers, index] = *one;
  CallResult result;
  if (barriers->parity && importer.launch->warps) { // Which the CPU would take for one of the warp's own count.
    importer.report(DiagnosticKind::WarpOperation, call.where()) << "ready()";
    return {};
  }
  if (barriers->parity) {
    auto op = builder.create<Op>(at, barriers->barriers, index, barriers->parity);
    if (op->getNumResults() == 1)
      result.leaf = Leaf(op->getResult(0));
    return result;
  }
  // The parities of all barriers of the array, that of this one, and its bit.
  mlir::Value all = builder.create<tile::GetOp>(at, barriers->phases), parity = all;
  mlir::Type type = all.getType();
  mlir::Value bit = importer.constantOf(type, 1);
  if (!type.isInteger(1)) {
    mlir::Value number = builder.create<arith::TruncIOp>(at, type, index);
    mlir::Value shifted = builder.create<arith::ShRUIOp>(at, all, number);
    parity = builder.create<arith::TruncIOp>(at, builder.getI1Type(), shifted);
    bit = builder.create<arith::ShLIOp>(at, bit, number);
  }
  auto op = builder.create<Op>(at, barriers->barriers, index, parity);
  mlir::Value next = builder.create<arith::XOrIOp>(at, all, bit);
  if (op->getNumResults() == 1) { // Whether it has ended.
    result.leaf = Leaf(op->getResult(0));
    next = builder.create<arith::SelectOp>(at, op->getResult(0), next, all);
  }
  builder.create<tile::SetOp>(at, next, barriers->phases);
  return result;
}

static CallResult namedBarrier(Importer &importer, const IntrinsicCall &call) {
  if (auto one = importer.barrierArgument(call.arguments[0]))
    importer.builder.create<tile::NamedBarrierOp>(importer.locate(call.where()), one->first->barriers, one->second,
                                                  /*wait=*/call.callee->getName() == "named_barrier_sync");
  return {};
}

// ---- Copies ---------------------------------------------------------------------------------------------------------

mlir::Value Importer::flagOption(const LValue &options, StringRef name, SourceLocation where) {
  Object *field = option(options, name);
  Leaf value = field ? read(field, ast.BoolTy, where) : Leaf();
  if (!value || (value.integer() && value.integer()->getBoolValue()))
    return {};
  return materialize(value, ast.BoolTy, where);
}

/// Options of a copy that are enumerators, and constants.
template <class Enum>
static std::optional<Enum> enumOption(Importer &importer, const LValue &options, StringRef name, SourceLocation where) {
  std::optional<int64_t> value = importer.constantOption(options, name, where);
  return value ? std::optional(static_cast<Enum>(*value)) : std::nullopt;
}

/// Of tg::eviction, whose enumerators are those of the IR; null for what needs no instruction.
static tile::EvictionAttr evictionAttr(Importer &importer, tile::Eviction eviction) {
  return eviction == tile::Eviction::Normal ? tile::EvictionAttr()
                                            : tile::EvictionAttr::get(importer.builder.getContext(), eviction);
}

bool Importer::checkFill(tile::Outside outside, QualType element, SourceLocation where) {
  if (outside != tile::Outside::Nan || tile::canFillWithNan(types.element(element)))
    return true;
  report(DiagnosticKind::NanFill, where) << types.name(element);
  return false;
}

bool Importer::refuseView(const Leaf &array, SourceLocation where) {
  for (mlir::Value ref = array.value(); auto view = ref.getDefiningOp<tile::IndexedOpInterface>();
       ref = view->getOperand(0))
    if (isa<tile::ReshapeRefOp, tile::BitcastRefOp>(view.getOperation())) {
      report(DiagnosticKind::CopiedView, where);
      return true;
    }
  return false;
}

CallResult Importer::copyToShared(const IntrinsicCall &call) {
  Leaf source = evaluate(call.arguments[0]), target = evaluate(call.arguments[1]);
  auto barrier = barrierArgument(call.arguments[2]);
  LValue options = evaluateOperand(call.arguments[3]);
  SourceLocation where = call.arguments[3]->getExprLoc().isValid() ? call.arguments[3]->getExprLoc() : call.where();
  mlir::SmallVector<int64_t> axes;
  auto outside = enumOption<tile::Outside>(*this, options, "oob_mode", where);
  auto eviction = enumOption<tile::Eviction>(*this, options, "l2_eviction", where);
  if (!source || !target || !barrier || !outside || !eviction || refuseView(source, call.where()) ||
      !clusterAxesOf(option(options, "collective_axes"), where, axes))
    return {};
  if (!checkFill(*outside, types.shaped(call.arguments[0]->getType()).element, where))
    return {};
  mlir::Location at = locate(call.where());
  mlir::Value predicate = flagOption(options, "predicate", where);
  if (*outside == tile::Outside::None && axes.empty() && tile::areRuns(source.value(), target.value())) {
    builder.create<tile::BulkLoadOp>(at, source.value(), target.value(), barrier->first->barriers, barrier->second,
                                     predicate, evictionAttr(*this, *eviction));
    return {};
  }
  builder.create<tile::CopyToSharedOp>(
      at, source.value(), target.value(), barrier->first->barriers, barrier->second, predicate,
      axes.empty() ? mlir::DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(axes), /*unfilled=*/mlir::IntegerAttr(),
      *outside == tile::Outside::Zeros ? tile::OutsideAttr() : tile::OutsideAttr::get(builder.getContext(), *outside),
      evictionAttr(*this, *eviction));
  return {};
}

CallResult Importer::copyToGlobal(const IntrinsicCall &call) {
  Leaf source = evaluate(call.arguments[0]), target = evaluate(call.arguments[1]);
  LValue options = evaluateOperand(call.arguments[2]);
  SourceLocation where = call.arguments[2]->getExprLoc().isValid() ? call.arguments[2]->getExprLoc() : call.where();
  std::optional<int64_t> commits = constantOption(options, "commit_group", where);
  std::optional<int64_t> reduction = constantOption(options, "reduction", where);
  auto outside = enumOption<tile::Outside>(*this, options, "oob_mode", where);
  auto eviction = enumOption<tile::Eviction>(*this, options, "l2_eviction", where);
  if (!source || !target || !commits || !reduction || !outside || !eviction || refuseView(target, call.where()))
    return {};
  if (*outside == tile::Outside::Nan || *outside == tile::Outside::Undefined) {
    report(DiagnosticKind::OutsideOfStore, where);
    return {};
  }
  tile::CopyReductionAttr combines;
  if (*reduction != 0) { // tg::reduction_op::none
    auto kind = static_cast<tile::CopyReduction>(*reduction);
    QualType element = types.shaped(call.arguments[0]->getType()).element;
    if (!tile::hasCopyReduction(kind, cast<tile::RefType>(target.value().getType()).getElementType())) {
      bool isBitwise = kind >= tile::CopyReduction::And;
      report(DiagnosticKind::CopyReduction, where)
          << ((isBitwise ? "bitwise_" : "") + tile::stringifyCopyReduction(kind)).str() << types.name(element);
      return {};
    }
    combines = tile::CopyReductionAttr::get(builder.getContext(), kind);
  }
  mlir::Location at = locate(call.where());
  mlir::Value predicate = flagOption(options, "predicate", where);
  if (*outside == tile::Outside::None && tile::areRuns(target.value(), source.value()))
    builder.create<tile::BulkStoreOp>(at, source.value(), target.value(), predicate, *commits != 0, combines,
                                      evictionAttr(*this, *eviction));
  else
    builder.create<tile::CopyToGlobalOp>(at, source.value(), target.value(), predicate, *commits != 0, combines,
                                         evictionAttr(*this, *eviction), *outside == tile::Outside::None);
  return {};
}

static CallResult asyncPrefetch(Importer &importer, const IntrinsicCall &call) {
  Leaf source = importer.evaluate(call.arguments[0]);
  LValue options = importer.evaluateOperand(call.arguments[1]);
  SourceLocation where = call.arguments[1]->getExprLoc().isValid() ? call.arguments[1]->getExprLoc() : call.where();
  mlir::Value predicate = importer.flagOption(options, "predicate", where);
  auto eviction = enumOption<tile::Eviction>(importer, options, "l2_eviction", where);
  mlir::SmallVector<int64_t> axes;
  if (!source || !eviction || importer.refuseView(source, call.where()) ||
      !importer.clusterAxesOf(importer.option(options, "collective_axes"), where, axes))
    return {};
  auto prefetch = importer.builder.create<tile::PrefetchOp>(importer.locate(call.where()), source.value(), predicate,
                                                            evictionAttr(importer, *eviction));
  if (!axes.empty())
    prefetch->setAttr(tile::sharedAlong, importer.builder.getDenseI64ArrayAttr(axes));
  return {};
}

CallResult Importer::commitShared(const IntrinsicCall &call) {
  builder.create<tile::FenceSharedOp>(locate(call.where()));
  return {};
}

CallResult Importer::commitGroup(const IntrinsicCall &call) {
  builder.create<tile::CommitGroupOp>(locate(call.where()));
  return {};
}

CallResult Importer::waitGroup(const IntrinsicCall &call) {
  int64_t pending = call.callee->getTemplateSpecializationArgs()->get(0).getAsIntegral().getSExtValue();
  if (std::optional<int64_t> reads = constantArgument(call.arguments[0], "read_only"))
    builder.create<tile::WaitGroupOp>(locate(call.where()), pending, *reads != 0);
  return {};
}

ArrayRef<IntrinsicRow> sharedRows() {
  static constexpr IntrinsicRow rows[] = {
      {Known::None, "barrier_arrive", Side::Explicit, member<&Importer::barrierArrive>},
      {Known::None, "barrier_wait", Side::Explicit, &askForPhase<tile::BarrierWaitOp>},
      {Known::None, "barrier_test", Side::Explicit, &askForPhase<tile::BarrierTestOp>},
      {Known::None, "named_barrier_sync", Side::Explicit, &namedBarrier},
      {Known::None, "named_barrier_arrive", Side::Explicit, &namedBarrier},
      {Known::None, "copy_gmem_to_smem", Side::Explicit, member<&Importer::copyToShared>},
      {Known::None, "copy_smem_to_gmem", Side::Explicit, member<&Importer::copyToGlobal>},
      {Known::None, "async_prefetch", Side::Explicit, &asyncPrefetch},
      {Known::None, "commit_smem", Side::Explicit, member<&Importer::commitShared>},
      {Known::None, "commit_smem_to_gmem_group", Side::Explicit, member<&Importer::commitGroup>},
      {Known::None, "wait_smem_to_gmem", Side::Explicit, member<&Importer::waitGroup>},
      {Known::Barrier, "at", Side::Explicit, member<&Importer::barrierAt>},
      {Known::ClusterBarrier, "at", Side::Explicit, member<&Importer::barrierAt>},
      {Known::NamedBarrier, "at", Side::Explicit, member<&Importer::barrierAt>},
      {Known::Ref, "ready", Side::Explicit, member<&Importer::barrierOfBlock>},
      {Known::Ref, "consumed", Side::Explicit, member<&Importer::barrierOfBlock>},
  };
  return rows;
}

} // namespace tegula::frontend
