// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions that give the value of a leaf: numbers, tiles, refs, arrays.
#include "frontend/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "clang/AST/APValue.h"
#include "clang/AST/ExprConcepts.h"
#include "clang/AST/StmtVisitor.h"

using namespace clang;

namespace tegula::frontend {

class ExpressionVisitor : public ConstStmtVisitor<ExpressionVisitor, Leaf> {
public:
  explicit ExpressionVisitor(Importer &importer) : importer(importer) {}

  // ---- Constants ----
  Leaf VisitIntegerLiteral(const IntegerLiteral *expr) {
    return llvm::APSInt(expr->getValue(), expr->getType()->isUnsignedIntegerType());
  }
  Leaf VisitFloatingLiteral(const FloatingLiteral *expr) { return expr->getValue(); }
  Leaf VisitCXXBoolLiteralExpr(const CXXBoolLiteralExpr *expr) {
    return llvm::APSInt(llvm::APInt(1, expr->getValue()), /*isUnsigned=*/true);
  }
  Leaf VisitCharacterLiteral(const CharacterLiteral *expr) {
    llvm::APInt value(importer.ast.getIntWidth(expr->getType()), expr->getValue());
    return llvm::APSInt(value, expr->getType()->isUnsignedIntegerType());
  }
  Leaf VisitStringLiteral(const StringLiteral *expr) { return expr; }
  Leaf VisitImplicitValueInitExpr(const ImplicitValueInitExpr *expr) { return importer.zeroOf(expr->getType()); }
  Leaf VisitCXXScalarValueInitExpr(const CXXScalarValueInitExpr *expr) { return importer.zeroOf(expr->getType()); }
  Leaf VisitUnaryExprOrTypeTraitExpr(const UnaryExprOrTypeTraitExpr *expr) { return constant(expr); }
  Leaf VisitTypeTraitExpr(const TypeTraitExpr *expr) { return constant(expr); }
  Leaf VisitRequiresExpr(const RequiresExpr *expr) { return constant(expr); }
  Leaf VisitConceptSpecializationExpr(const ConceptSpecializationExpr *expr) { return constant(expr); }
  Leaf VisitSizeOfPackExpr(const SizeOfPackExpr *expr) { return constant(expr); }
  Leaf VisitCXXNoexceptExpr(const CXXNoexceptExpr *expr) { return constant(expr); }
  Leaf VisitConstantExpr(const ConstantExpr *expr) {
    if (expr->hasAPValueResult())
      if (Leaf leaf = importer.leafOf(expr->getAPValueResult(), expr->getType()))
        return leaf;
    return Visit(expr->getSubExpr());
  }

  // ---- Wrappers ----
  Leaf VisitParenExpr(const ParenExpr *expr) { return Visit(expr->getSubExpr()); }
  Leaf VisitExprWithCleanups(const ExprWithCleanups *expr) { return Visit(expr->getSubExpr()); }
  Leaf VisitMaterializeTemporaryExpr(const MaterializeTemporaryExpr *expr) { return Visit(expr->getSubExpr()); }
  Leaf VisitCXXBindTemporaryExpr(const CXXBindTemporaryExpr *expr) { return Visit(expr->getSubExpr()); }
  Leaf VisitSubstNonTypeTemplateParmExpr(const SubstNonTypeTemplateParmExpr *expr) {
    return importer.evaluate(expr->getReplacement());
  }
  Leaf VisitCXXDefaultArgExpr(const CXXDefaultArgExpr *expr) { return importer.evaluate(expr->getExpr()); }
  Leaf VisitCXXDefaultInitExpr(const CXXDefaultInitExpr *expr) { return importer.evaluate(expr->getExpr()); }
  Leaf VisitOpaqueValueExpr(const OpaqueValueExpr *expr) { return importer.evaluate(expr->getSourceExpr()); }
  Leaf VisitCXXRewrittenBinaryOperator(const CXXRewrittenBinaryOperator *expr) {
    return importer.evaluate(expr->getSemanticForm());
  }
  Leaf VisitGenericSelectionExpr(const GenericSelectionExpr *expr) { return importer.evaluate(expr->getResultExpr()); }
  Leaf VisitChooseExpr(const ChooseExpr *expr) { return importer.evaluate(expr->getChosenSubExpr()); }
  Leaf VisitInitListExpr(const InitListExpr *expr) {
    if (expr->getNumInits() == 0)
      return importer.zeroOf(expr->getType());
    return importer.evaluate(expr->getInit(0));
  }

  // ---- Operators ----
  Leaf VisitCastExpr(const CastExpr *expr);
  Leaf VisitUnaryOperator(const UnaryOperator *expr);
  Leaf VisitBinaryOperator(const BinaryOperator *expr);
  Leaf VisitAbstractConditionalOperator(const AbstractConditionalOperator *expr) { return importer.conditional(expr); }
  Leaf VisitDeclRefExpr(const DeclRefExpr *expr) {
    if (const auto *enumerator = dyn_cast<EnumConstantDecl>(expr->getDecl()))
      return importer.leafOf(APValue(enumerator->getInitVal()), expr->getType());
    if (const auto *function = dyn_cast<FunctionDecl>(expr->getDecl()))
      return function;
    return unsupported(expr);
  }

  // ---- Calls ----
  Leaf VisitCallExpr(const CallExpr *expr) {
    CallResult result = importer.call(expr, nullptr);
    if (result.lvalue)
      return importer.read(result.lvalue, expr->getType(), expr->getExprLoc());
    return result.leaf;
  }
  Leaf VisitCXXConstructExpr(const CXXConstructExpr *expr);

  // ---- What kernels cannot do ----
  Leaf VisitCXXNewExpr(const CXXNewExpr *expr) { return refuse(DiagnosticKind::New, expr); }
  Leaf VisitCXXDeleteExpr(const CXXDeleteExpr *expr) { return refuse(DiagnosticKind::New, expr); }
  Leaf VisitCXXThrowExpr(const CXXThrowExpr *expr) { return refuse(DiagnosticKind::Exceptions, expr); }
  Leaf VisitCXXThisExpr(const CXXThisExpr *expr) { return refuse(DiagnosticKind::Pointer, expr); }
  Leaf VisitCXXNullPtrLiteralExpr(const CXXNullPtrLiteralExpr *expr) { return refuse(DiagnosticKind::Pointer, expr); }
  Leaf VisitLambdaExpr(const LambdaExpr *expr) { return unsupported(expr); }
  Leaf VisitStmtExpr(const StmtExpr *expr) { return unsupported(expr); }
  Leaf VisitStmt(const Stmt *statement) { return unsupported(cast<Expr>(statement)); }

private:
  Leaf constant(const Expr *expr) {
    std::optional<APValue> value = importer.evaluateConstant(expr);
    return value ? importer.leafOf(*value, expr->getType()) : unsupported(expr);
  }
  Leaf refuse(DiagnosticKind kind, const Expr *expr) {
    importer.report(kind, expr->getExprLoc()) << expr->getSourceRange();
    return {};
  }
  Leaf unsupported(const Expr *expr) { return refuse(DiagnosticKind::UnsupportedExpression, expr); }

  Importer &importer;
};

Leaf ExpressionVisitor::VisitCastExpr(const CastExpr *expr) {
  const Expr *operand = expr->getSubExpr();
  switch (expr->getCastKind()) {
  case CK_LValueToRValue:
  case CK_NoOp:
  case CK_ConstructorConversion:
  case CK_UserDefinedConversion:
  case CK_DerivedToBase:
  case CK_UncheckedDerivedToBase:
  case CK_BuiltinFnToFnPtr:
    return importer.evaluate(operand);
  case CK_FunctionToPointerDecay:
  case CK_ArrayToPointerDecay:
    if (operand->getType()->isFunctionType() || isa<StringLiteral>(operand->IgnoreParens()))
      return importer.evaluate(operand);
    if (std::optional<APValue> value = importer.evaluateConstant(expr))
      if (Leaf leaf = importer.leafOf(*value, expr->getType()))
        return leaf;
    return refuse(DiagnosticKind::Pointer, expr);
  case CK_ToVoid:
    importer.evaluateDiscarded(operand);
    return {};
  case CK_IntegralCast:
  case CK_IntegralToBoolean:
  case CK_IntegralToFloating:
  case CK_FloatingToIntegral:
  case CK_FloatingToBoolean:
  case CK_FloatingCast:
  case CK_BooleanToSignedIntegral:
    return importer.convert(importer.evaluate(operand), operand->getType(), expr->getType(), expr->getExprLoc());
  case CK_BitCast:
  case CK_LValueBitCast:
  case CK_PointerToIntegral:
  case CK_IntegralToPointer:
  case CK_NullToPointer:
  case CK_PointerToBoolean:
  case CK_ReinterpretMemberPointer:
    return refuse(DiagnosticKind::Pointer, expr);
  default:
    return unsupported(expr);
  }
}

Leaf ExpressionVisitor::VisitUnaryOperator(const UnaryOperator *expr) {
  const Expr *operand = expr->getSubExpr();
  SourceLocation where = expr->getExprLoc();
  switch (expr->getOpcode()) {
  case UO_Plus:
  case UO_Extension:
    return importer.evaluate(operand);
  case UO_Minus:
    return importer.negate(importer.evaluate(operand), operand->getType(), where);
  case UO_Not:
  case UO_LNot:
    return importer.invert(importer.evaluate(operand), where);
  case UO_PreInc:
  case UO_PreDec:
  case UO_PostInc:
  case UO_PostDec:
    return importer.increment(expr, nullptr);
  case UO_AddrOf:
    if (std::optional<APValue> value = importer.evaluateConstant(expr))
      if (Leaf leaf = importer.leafOf(*value, expr->getType()))
        return leaf;
    return refuse(DiagnosticKind::Pointer, expr);
  case UO_Deref:
    return refuse(DiagnosticKind::Pointer, expr);
  default:
    return unsupported(expr);
  }
}

Leaf ExpressionVisitor::VisitBinaryOperator(const BinaryOperator *expr) {
  if (expr->isAssignmentOp())
    return importer.assignment(expr, nullptr);
  if (expr->isLogicalOp())
    return importer.shortCircuit(expr);
  if (expr->getOpcode() == BO_Comma) {
    importer.evaluateDiscarded(expr->getLHS());
    if (!expr->getType()->isVoidType())
      return importer.evaluate(expr->getRHS());
    importer.evaluateDiscarded(expr->getRHS());
    return {};
  }
  const Expr *lhs = expr->getLHS(), *rhs = expr->getRHS();
  if (lhs->getType()->isPointerType() || rhs->getType()->isPointerType())
    return refuse(DiagnosticKind::Pointer, expr);
  Leaf a = importer.evaluate(lhs);
  Leaf b = importer.evaluate(rhs);
  return importer.binary(expr->getOpcode(), a, lhs->getType(), b, rhs->getType(), expr->getOperatorLoc());
}

/// Copies of tiles, refs and arrays; numbers that C++ lacks.
Leaf ExpressionVisitor::VisitCXXConstructExpr(const CXXConstructExpr *expr) {
  if (expr->getNumArgs() == 0)
    return importer.zeroOf(expr->getType());
  const Expr *argument = expr->getArg(0);
  return importer.convert(importer.evaluate(argument), argument->getType(), expr->getType(), expr->getExprLoc());
}

Leaf Importer::evaluate(const Expr *expr) {
  Leaf value = isAborted ? Leaf() : evaluateLeaf(expr);
  if (value || expr->getType()->isVoidType())
    return value;
  QualType type = expr->getType();
  bool isPointer = type->isPointerType() || type->isNullPtrType() || type->isMemberPointerType();
  if (isPointer && !isAborted && !ast.getDiagnostics().hasErrorOccurred())
    report(DiagnosticKind::Pointer, expr->getExprLoc()) << expr->getSourceRange();
  else
    lose(expr->getExprLoc());
  return value;
}

Leaf Importer::evaluateLeaf(const Expr *expr) {
  if (!expr->isGLValue())
    return ExpressionVisitor(*this).Visit(expr);
  const Expr *inner = expr->IgnoreParenNoopCasts(ast);
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(inner))
    return conditional(choice);
  if (const auto *text = dyn_cast<StringLiteral>(inner))
    return text;
  return read(evaluateLValue(expr), expr->getType(), expr->getExprLoc());
}

void Importer::evaluateDiscarded(const Expr *expr) {
  if (isAborted)
    return;
  expr = expr->IgnoreParens();
  if (expr->getType()->isVoidType()) {
    ExpressionVisitor(*this).Visit(expr);
  } else if (expr->isGLValue()) {
    (void)evaluateLValue(expr);
  } else if (types.isLeaf(expr->getType())) {
    (void)evaluate(expr);
  } else {
    evaluateInto(expr, *temporary(expr->getType(), expr->getExprLoc()));
  }
}

LValue Importer::evaluateOperand(const Expr *expr) {
  if (expr->isGLValue())
    return evaluateLValue(expr);
  if (types.isLeaf(expr->getType()))
    return holding(evaluate(expr), expr->getType());
  Object *object = temporary(expr->getType(), expr->getExprLoc());
  evaluateInto(expr, *object);
  return object;
}

} // namespace tegula::frontend
