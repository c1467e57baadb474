// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants: from Clang, and into IR.
#include "frontend/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "clang/AST/APValue.h"

using namespace clang;

namespace tegula::frontend {

Leaf Importer::leafOf(const APValue &constant, QualType type) {
  if (constant.isInt()) {
    llvm::APSInt value = constant.getInt().extOrTrunc(ast.getIntWidth(type));
    value.setIsUnsigned(type->isUnsignedIntegerOrEnumerationType());
    return value;
  }
  if (constant.isFloat())
    return constant.getFloat();
  if (constant.isStruct() && types.isScalar(type))
    return constant.getStructField(0).getFloat();
  if (constant.isLValue()) {
    if (const auto *declaration = constant.getLValueBase().dyn_cast<const ValueDecl *>())
      if (const auto *function = dyn_cast<FunctionDecl>(declaration))
        return function;
    if (const auto *expr = constant.getLValueBase().dyn_cast<const Expr *>())
      if (const auto *text = dyn_cast<StringLiteral>(expr))
        return text;
  }
  return {};
}

Leaf Importer::zeroOf(QualType type) {
  type = type.getCanonicalType();
  if (types.isFloating(type))
    return llvm::APFloat::getZero(types.semantics(type));
  if (type->isIntegralOrEnumerationType())
    return llvm::APSInt(llvm::APInt::getZero(ast.getIntWidth(type)), type->isUnsignedIntegerOrEnumerationType());
  return {};
}

std::optional<int64_t> Importer::constantInt(const Leaf &leaf) {
  if (!leaf.integer())
    return std::nullopt;
  return leaf.integer()->extOrTrunc(64).getSExtValue();
}

std::optional<APValue> Importer::evaluateConstant(const Expr *expr) {
  if (expr->isValueDependent() || expr->containsErrors())
    return std::nullopt;
  Expr::EvalResult result;
  if (!expr->EvaluateAsRValue(result, ast) || result.HasSideEffects)
    return std::nullopt;
  return result.Val;
}

/// Constants stand where the host part or the body begins, once each: loops over them can be told from others.
mlir::Value Importer::constantOf(mlir::TypedAttr attribute) {
  mlir::Value &known = launch ? launch->constants[attribute] : constants[attribute];
  if (known)
    return known;
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(launch ? &launch->op.getBody().front() : entryBody);
  return known = builder.create<mlir::arith::ConstantOp>(builder.getUnknownLoc(), attribute);
}

mlir::Value Importer::constantOf(mlir::Type type, int64_t value) {
  return constantOf(builder.getIntegerAttr(type, value));
}

mlir::TypedAttr Importer::attributeOf(const Leaf &constant, mlir::Type type) {
  if (constant.integer())
    return mlir::IntegerAttr::get(type, constant.integer()->extOrTrunc(type.getIntOrFloatBitWidth()));
  return mlir::FloatAttr::get(type, *constant.floating());
}

mlir::Value Importer::materialize(const Leaf &leaf, QualType type, SourceLocation where) {
  if (leaf && !leaf.isConstant() && !leaf.value()) // A function, or text.
    lose(where);
  if (!leaf.isConstant())
    return leaf.value();
  mlir::Type scalar = types.scalar(type);
  if (!scalar) {
    report(DiagnosticKind::UnsupportedScalar, where) << type;
    return {};
  }
  return constantOf(attributeOf(leaf, scalar));
}

} // namespace tegula::frontend
