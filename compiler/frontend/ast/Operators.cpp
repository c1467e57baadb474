// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++'s operators that assign or choose.
#include "frontend/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace clang;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

namespace tegula::frontend {

/// The value of the assignment if it is asked for as a value, its left side if it is asked for as an lvalue.
Leaf Importer::assignment(const BinaryOperator *expr, LValue *assigned) {
  const Expr *lhs = expr->getLHS(), *rhs = expr->getRHS();
  SourceLocation where = expr->getOperatorLoc();
  Leaf value = evaluate(rhs);
  LValue lvalue = evaluateLValue(lhs);
  if (assigned)
    *assigned = lvalue;
  if (const auto *compound = dyn_cast<CompoundAssignOperator>(expr)) {
    QualType computed = compound->getComputationLHSType();
    Leaf before = convert(read(lvalue, lhs->getType(), where), lhs->getType(), computed, where);
    BinaryOperatorKind op = BinaryOperator::getOpForCompoundAssignment(expr->getOpcode());
    value = binary(op, before, computed, value, rhs->getType(), where);
    value = convert(value, compound->getComputationResultType(), lhs->getType(), where);
  }
  write(lvalue, value, lhs->getType(), where);
  return value;
}

Leaf Importer::increment(const UnaryOperator *expr, LValue *changed) {
  const Expr *operand = expr->getSubExpr();
  QualType type = operand->getType();
  SourceLocation where = expr->getOperatorLoc();
  LValue lvalue = evaluateLValue(operand);
  if (changed)
    *changed = lvalue;
  Leaf before = read(lvalue, type, where);
  QualType computed = types.isFloating(type) ? type : ast.getPromotedIntegerType(type);
  if (!ast.isPromotableIntegerType(type))
    computed = type;
  Leaf one = convert(llvm::APSInt(llvm::APInt(32, 1), false), ast.IntTy, computed, where);
  Leaf after = binary(expr->isIncrementOp() ? BO_Add : BO_Sub, convert(before, type, computed, where), computed, one,
                      computed, where);
  after = convert(after, computed, type, where);
  write(lvalue, after, type, where);
  return expr->isPrefix() ? after : before;
}

Leaf Importer::condition(const Expr *expr) {
  Leaf value = evaluate(expr);
  return convert(value, expr->getType(), ast.BoolTy, expr->getExprLoc());
}

/// Whether an integer is an extent, a small constant, or a number of a narrower type: the host need not look whether a
/// sum of two has room in 64 bits.
static bool isSmall(const ASTContext &ast, const Expr *expr) {
  expr = expr->IgnoreParenImpCasts();
  if (const auto *call = dyn_cast<CallExpr>(expr))
    return call->getDirectCallee() && call->getDirectCallee()->getIdentifier() &&
           call->getDirectCallee()->getName() == "dim";
  Expr::EvalResult constant;
  return !expr->isValueDependent() && expr->EvaluateAsInt(constant, ast) && constant.Val.getInt().isSignedIntN(32);
}

/// Whether the expression may be computed although C++ would not: it is cheap, and nothing can go wrong in it, on the
/// host no overflow either.
static bool isCheap(const ASTContext &ast, const Expr *expr, bool isOnHost) {
  auto isCheap = [&](const Expr *inner) { return frontend::isCheap(ast, inner, isOnHost); };
  expr = expr->IgnoreParens();
  if (isa<IntegerLiteral, FloatingLiteral, CXXBoolLiteralExpr, DeclRefExpr, SubstNonTypeTemplateParmExpr, ConstantExpr>(
          expr))
    return true;
  if (const auto *member = dyn_cast<MemberExpr>(expr))
    return isCheap(member->getBase());
  if (const auto *cast = dyn_cast<ImplicitCastExpr>(expr))
    return isCheap(cast->getSubExpr());
  if (const auto *unary = dyn_cast<UnaryOperator>(expr))
    return !unary->isIncrementDecrementOp() && isCheap(unary->getSubExpr());
  if (const auto *binary = dyn_cast<BinaryOperator>(expr)) {
    BinaryOperatorKind op = binary->getOpcode();
    bool mayOverflow = op == BO_Mul || op == BO_Shl || op == BO_Shr ||
                       (binary->isAdditiveOp() && !(isSmall(ast, binary->getLHS()) && isSmall(ast, binary->getRHS())));
    return !binary->isAssignmentOp() && op != BO_Div && op != BO_Rem && op != BO_Comma && !(isOnHost && mayOverflow) &&
           isCheap(binary->getLHS()) && isCheap(binary->getRHS());
  }
  if (const auto *call = dyn_cast<CallExpr>(expr)) {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier() || !isInLanguage(callee->getDeclContext()))
      return false;
    StringRef name = callee->getName();
    return name == "dim" || name == "program_id" || name == "num_programs" || name == "size";
  }
  return false;
}

Leaf Importer::shortCircuit(const BinaryOperator *expr) {
  bool isAnd = expr->getOpcode() == BO_LAnd;
  SourceLocation where = expr->getOperatorLoc();
  Leaf lhs = condition(expr->getLHS());
  if (!lhs)
    return {};
  if (lhs.integer())
    return lhs.integer()->getBoolValue() == isAnd ? condition(expr->getRHS()) : lhs;
  mlir::Location at = locate(where);
  if (isCheap(ast, expr->getRHS(), !isOnDevice())) {
    Leaf rhs = condition(expr->getRHS());
    if (!rhs)
      return {};
    if (rhs.integer())
      return rhs.integer()->getBoolValue() == isAnd ? lhs : rhs;
    if (isAnd)
      return Leaf(builder.create<arith::AndIOp>(at, lhs.value(), rhs.value()));
    return Leaf(builder.create<arith::OrIOp>(at, lhs.value(), rhs.value()));
  }
  auto choice = builder.create<scf::IfOp>(at, builder.getI1Type(), lhs.value(), /*withElseRegion=*/true);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(isAnd ? choice.elseBlock() : choice.thenBlock());
  builder.create<scf::YieldOp>(at, constantOf(builder.getI1Type(), !isAnd));
  builder.setInsertionPointToStart(isAnd ? choice.thenBlock() : choice.elseBlock());
  mlir::Value rhs = materialize(condition(expr->getRHS()), ast.BoolTy, where);
  if (!rhs) // In error: anything will do.
    rhs = constantOf(builder.getI1Type(), 0);
  builder.create<scf::YieldOp>(at, rhs);
  return choice.getResult(0);
}

/// `c ? a : b` for leaves; the value of an lvalue that is chosen is the value that is chosen.
Leaf Importer::conditional(const AbstractConditionalOperator *expr) {
  Leaf choice = condition(expr->getCond());
  QualType type = expr->getType();
  SourceLocation where = expr->getExprLoc();
  if (!choice)
    return {};
  if (choice.integer()) {
    const Expr *chosen = choice.integer()->getBoolValue() ? expr->getTrueExpr() : expr->getFalseExpr();
    if (!type->isVoidType())
      return evaluate(chosen);
    evaluateDiscarded(chosen);
    return {};
  }
  mlir::Location at = locate(where);
  if (!type->isVoidType() && !types.stored(type)) {
    report(DiagnosticKind::RunTimeChoice, where) << type.getCanonicalType();
    return {};
  }
  mlir::SmallVector<mlir::Type, 1> results;
  if (!type->isVoidType())
    results.push_back(types.stored(type));
  auto op = builder.create<scf::IfOp>(at, results, choice.value(), /*withElseRegion=*/true);
  bool isValid = true;
  auto branch = [&](mlir::Block *block, const Expr *value) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(block);
    if (results.empty())
      return evaluateDiscarded(value);
    mlir::Value result = materialize(evaluate(value), type, where);
    isValid &= result && result.getType() == results[0];
    if (isValid)
      builder.create<scf::YieldOp>(at, result);
  };
  branch(op.thenBlock(), expr->getTrueExpr());
  branch(op.elseBlock(), expr->getFalseExpr());
  return isValid && !results.empty() ? Leaf(op.getResult(0)) : Leaf();
}

} // namespace tegula::frontend
