// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers, and copies between global and shared memory.
#include "frontend/intrinsics/Rows.h"

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
  Leaf linear = llvm::APSInt(llvm::APInt(64, 0), /*isUnsigned=*/false);
  for (auto [argument, extent] : llvm::zip(ArrayRef(call.arguments).drop_front(), self.object->barriers->shape)) {
    SourceLocation where = argument->getExprLoc();
    Operand index = operand(argument);
    std::optional<int64_t> constant = constantInt(index.leaf);
    if (constant && (*constant < 0 || *constant >= extent)) {
      report(DiagnosticKind::IndexOutside, where) << *constant << extent;
      return {};
    }
    Leaf size = llvm::APSInt(llvm::APInt(64, extent), /*isUnsigned=*/false);
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

std::optional<std::pair<Barriers *, mlir::Value>> Importer::barrierArgument(const Expr *argument) {
  LValue lvalue = evaluateOperand(argument);
  if (!lvalue.object || !lvalue.object->barriers || lvalue.object->parts.empty())
    return std::nullopt;
  QualType s64 = ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  Object *index = lvalue.object->parts.front();
  SourceLocation where = argument->getExprLoc();
  return std::pair(lvalue.object->barriers, materialize(read(index, s64, where), s64, where));
}

CallResult Importer::barrierArrive(const IntrinsicCall &call) {
  if (auto one = barrierArgument(call.arguments[0]))
    builder.create<tile::BarrierArriveOp>(locate(call.where()), one->first->barriers, one->second);
  return {};
}

CallResult Importer::barrierWait(const IntrinsicCall &call) {
  auto one = barrierArgument(call.arguments[0]);
  if (!one)
    return {};
  mlir::Location at = locate(call.where());
  auto [barriers, index] = *one;
  mlir::Value phases = builder.create<tile::GetOp>(at, barriers->phases);
  mlir::Type type = phases.getType();
  mlir::Value parity = phases, bit = constantOf(type, 1);
  if (!type.isInteger(1)) {
    mlir::Value number = builder.create<arith::TruncIOp>(at, type, index);
    mlir::Value shifted = builder.create<arith::ShRUIOp>(at, phases, number);
    parity = builder.create<arith::TruncIOp>(at, builder.getI1Type(), shifted);
    bit = builder.create<arith::ShLIOp>(at, bit, number);
  }
  builder.create<tile::BarrierWaitOp>(at, barriers->barriers, index, parity);
  mlir::Value next = builder.create<arith::XOrIOp>(at, phases, bit);
  builder.create<tile::SetOp>(at, next, barriers->phases);
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

CallResult Importer::copyToShared(const IntrinsicCall &call) {
  Leaf source = evaluate(call.arguments[0]), target = evaluate(call.arguments[1]);
  auto barrier = barrierArgument(call.arguments[2]);
  LValue options = evaluateOperand(call.arguments[3]);
  SourceLocation where = call.arguments[3]->getExprLoc().isValid() ? call.arguments[3]->getExprLoc() : call.where();
  mlir::SmallVector<int64_t> axes;
  if (!source || !target || !barrier || !clusterAxesOf(option(options, "collective_axes"), where, axes))
    return {};
  builder.create<tile::CopyToSharedOp>(locate(call.where()), source.value(), target.value(), barrier->first->barriers,
                                       barrier->second, flagOption(options, "predicate", where),
                                       axes.empty() ? mlir::DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(axes),
                                       /*unfilled=*/mlir::IntegerAttr());
  return {};
}

CallResult Importer::copyToGlobal(const IntrinsicCall &call) {
  Leaf source = evaluate(call.arguments[0]), target = evaluate(call.arguments[1]);
  LValue options = evaluateOperand(call.arguments[2]);
  std::optional<int64_t> commits = constantOption(options, "commit_group", call.where());
  if (source && target && commits)
    builder.create<tile::CopyToGlobalOp>(locate(call.where()), source.value(), target.value(),
                                         flagOption(options, "predicate", call.where()), *commits != 0);
  return {};
}

static CallResult asyncPrefetch(Importer &importer, const IntrinsicCall &call) {
  Leaf source = importer.evaluate(call.arguments[0]);
  mlir::Value predicate = importer.flagOption(importer.evaluateOperand(call.arguments[1]), "predicate", call.where());
  if (source)
    importer.builder.create<tile::PrefetchOp>(importer.locate(call.where()), source.value(), predicate);
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
      {Known::None, "barrier_wait", Side::Explicit, member<&Importer::barrierWait>},
      {Known::None, "copy_gmem_to_smem", Side::Explicit, member<&Importer::copyToShared>},
      {Known::None, "copy_smem_to_gmem", Side::Explicit, member<&Importer::copyToGlobal>},
      {Known::None, "async_prefetch", Side::Explicit, &asyncPrefetch},
      {Known::None, "commit_smem", Side::Explicit, member<&Importer::commitShared>},
      {Known::None, "commit_smem_to_gmem_group", Side::Explicit, member<&Importer::commitGroup>},
      {Known::None, "wait_smem_to_gmem", Side::Explicit, member<&Importer::waitGroup>},
      {Known::Barrier, "at", Side::Explicit, member<&Importer::barrierAt>},
      {Known::ClusterBarrier, "at", Side::Explicit, member<&Importer::barrierAt>},
  };
  return rows;
}

} // namespace tegula::frontend
