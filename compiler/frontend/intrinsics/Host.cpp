// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What host code says: checks, new arrays, blocks.
#include "frontend/intrinsics/Rows.h"
#include "ir/Locations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace tegula::frontend {

CallResult Importer::check(const IntrinsicCall &call) {
  Leaf holds = condition(call.arguments[0]);
  const StringLiteral *message = literalArgument(call.arguments[1]);
  if (!holds || !message)
    return {};
  mlir::Value value = materialize(holds, ast.BoolTy, call.where());
  builder.create<tile::CheckOp>(locate(call.where()), value, builder.getStringAttr(message->getString()),
                                mlir::ValueRange());
  return {};
}

/// Where a call stands in the kernel's source: "kernels.cpp:7".
static std::string lineOf(mlir::Location at) {
  SmallVector<mlir::FileLineColLoc, 2> lines = tile::linesOf(at);
  if (lines.empty())
    return "";
  return llvm::sys::path::filename(lines.front().getFilename()).str() + ":" + std::to_string(lines.front().getLine());
}

/// What tg::cdiv divides by: the host refuses calls with less than 1.
CallResult Importer::blockSize(const IntrinsicCall &call) {
  Leaf size = evaluate(call.arguments[0]);
  QualType s64 = ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  if (!size || isOnDevice() || size.isConstant())
    return {};
  mlir::Location at = locate(call.where());
  mlir::Value number = indexOf(size, s64, call.where());
  mlir::Value holds =
      builder.create<mlir::arith::CmpIOp>(at, mlir::arith::CmpIPredicate::sgt, number, constantOf(number.getType(), 0));
  std::string where = lineOf(at);
  builder.create<tile::CheckOp>(at, holds,
                                builder.getStringAttr(where + (where.empty() ? "" : ": ") +
                                                      "tg::cdiv counts blocks of 1 or more elements, not of {}"),
                                mlir::ValueRange(number));
  return {};
}

CallResult Importer::empty(const IntrinsicCall &call) {
  mlir::SmallVector<mlir::Value> dims;
  if (!indicesOf(call.arguments, dims))
    return {};
  return {emptyArray(call.type(), dims, call.where()), {}};
}

CallResult Importer::emptyLike(const IntrinsicCall &call) {
  Leaf model = evaluate(call.arguments[0]);
  if (!model)
    return {};
  mlir::Location at = locate(call.where());
  mlir::SmallVector<mlir::Value> dims;
  for (int64_t i = 0; i < cast<tile::ArrayType>(model.value().getType()).getRank(); ++i)
    dims.push_back(dimOf(model.value(), i, at));
  return {emptyArray(call.type(), dims, call.where()), {}};
}

/// tg::index: the coordinates of a block.
CallResult Importer::index(const IntrinsicCall &call) {
  Object *result = temporary(call.type(), call.where());
  for (const Expr *argument : call.arguments) {
    if (types.is(argument->getType(), Known::Element)) {
      result->parts.push_back(evaluateOperand(argument).object);
    } else {
      Operand coordinate = operand(argument);
      result->parts.push_back(holding(coordinate.leaf, coordinate.type));
    }
    result->isPoisoned |= !result->parts.back() || result->parts.back()->isPoisoned;
  }
  return {{}, result};
}

static tile::Access accessOf(StringRef spec) {
  return llvm::StringSwitch<tile::Access>(spec)
      .Case("in", tile::Access::In)
      .Case("out", tile::Access::Out)
      .Case("partial_out", tile::Access::PartialOut)
      .Case("inout", tile::Access::InOut);
}

/// tg::in, out, partial_out and inout.
CallResult Importer::spec(const IntrinsicCall &call) {
  const Expr *arrayExpr = call.arguments[0];
  LValue operand = evaluateOperand(arrayExpr);
  Spec &spec = specs.emplace_back();
  spec.isAbsent = operand.object && operand.object->isAbsent;
  if (spec.isAbsent && !isOnDevice()) {
    Object *result = temporary(call.type(), call.where());
    result->spec = &spec;
    return {{}, result};
  }
  Leaf array = operand ? read(operand, arrayExpr->getType(), arrayExpr->getExprLoc()) : Leaf();
  if (!array)
    return {};
  StringRef name = call.callee->getName();
  spec.access = accessOf(name);
  spec.array = array.value();
  spec.where = call.where();
  if (spec.access != tile::Access::In && types.shaped(arrayExpr->getType()).element.isConstQualified()) {
    report(DiagnosticKind::OutOfConst, call.where()) << name << arrayExpr->getSourceRange();
    return {};
  }
  const BatchedArray *batched = batches.find(spec.array);
  if (spec.access != tile::Access::In && (batched ? batched->axes.size() : 0) < batches.sizes().size()) {
    report(DiagnosticKind::VmapOutput, call.where()) << arrayExpr->getSourceRange();
    return {};
  }
  const auto *record = cast<ClassTemplateSpecializationDecl>(call.type()->getAsCXXRecordDecl());
  for (const TemplateArgument &extent : record->getTemplateArgs()[1].pack_elements())
    spec.block.push_back(extent.getAsIntegral().getSExtValue());
  bool hasSizes = call.callee->getNumParams() == 3 &&
                  types.is(call.callee->getParamDecl(1)->getType().getNonReferenceType(), Known::Extents);
  if (hasSizes) {
    LValue block = evaluateOperand(call.arguments[1]);
    if (!block.object || block.object->isPoisoned)
      return {};
    QualType s64 = ast.getIntTypeForBitwidth(64, /*Signed=*/true);
    for (Object *size : block.object->parts.front()->parts) {
      SourceLocation where = call.arguments[1]->getBeginLoc();
      Leaf extent = read(size, s64, where);
      if (constantInt(extent) && *constantInt(extent) <= 0) {
        bool isWhole = *constantInt(extent) == -1; // tg::whole
        report(DiagnosticKind::BlockNotPositive, where) << *constantInt(extent) << (isWhole ? 1 : 0);
        return {};
      }
      spec.sizes.push_back(materialize(extent, s64, where));
      if (!spec.sizes.back())
        return {};
    }
  }
  if (call.arguments.size() > 1) {
    const Expr *map = call.arguments[hasSizes ? 2 : 1];
    spec.map = temporary(map);
  }
  if (call.arguments.size() == 3 && !hasSizes) {
    SourceLocation where = call.arguments[2]->getExprLoc();
    LValue options = evaluateOperand(call.arguments[2]);
    std::optional<int64_t> delay = constantOption(options, "delay_release", where);
    std::optional<int64_t> swizzle = pinnedSwizzle(option(options, "transforms"), where);
    std::optional<int64_t> buffers = constantOption(options, "buffers", where);
    std::optional<int64_t> outside = constantOption(options, "oob_mode", where);
    std::optional<int64_t> eviction = constantOption(options, "l2_eviction", where);
    if (!delay || !swizzle || !buffers || !outside || !eviction ||
        !clusterAxesOf(option(options, "collective_axes"), where, spec.multicast))
      return {};
    spec.delay = *delay;
    spec.swizzle = *swizzle;
    spec.buffers = *buffers;
    spec.outside = static_cast<tile::Outside>(*outside);
    spec.eviction = static_cast<tile::Eviction>(*eviction);
    if (!checkFill(spec.outside, types.shaped(call.arguments[0]->getType()).element, where))
      return {};
    if (spec.access == tile::Access::Out &&
        (spec.outside == tile::Outside::Nan || spec.outside == tile::Outside::Undefined)) {
      report(DiagnosticKind::OutsideOfStore, where);
      return {};
    }
  }
  Object *result = temporary(call.type(), call.where());
  result->spec = &spec;
  return {{}, result};
}

CallResult Importer::scratch(const IntrinsicCall &call) {
  Spec &spec = specs.emplace_back();
  spec.where = call.where();
  spec.isScratch = true;
  Object *result = temporary(call.type(), call.where());
  result->spec = &spec;
  return {{}, result};
}

ArrayRef<IntrinsicRow> hostRows() {
  static constexpr IntrinsicRow rows[] = {
      {Known::None, "check", Side::Host, member<&Importer::check>},
      {Known::None, "check_block_size", Side::Both, member<&Importer::blockSize>},
      {Known::None, "empty", Side::Host, member<&Importer::empty>},
      {Known::None, "empty_like", Side::Host, member<&Importer::emptyLike>},
      {Known::None, "slice_of", Side::Both, member<&Importer::sliceOf>},
      {Known::None, "batch", Side::Both, member<&Importer::batch>},
      {Known::None, "in", Side::HostOrExplicit, member<&Importer::spec>},
      {Known::None, "out", Side::HostOrExplicit, member<&Importer::spec>},
      {Known::None, "partial_out", Side::HostOrExplicit, member<&Importer::spec>},
      {Known::None, "inout", Side::HostOrExplicit, member<&Importer::spec>},
      {Known::None, "scratch", Side::Host, member<&Importer::scratch>},
      {Known::None, "pallas_call", Side::Host, member<&Importer::pallasCall>},
      {Known::None, "kernel", Side::Host, member<&Importer::kernel>},
      {Known::None, "index", Side::Both, member<&Importer::index>},
  };
  return rows;
}

} // namespace tegula::frontend
