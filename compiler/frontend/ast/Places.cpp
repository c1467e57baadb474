// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions that designate an object or a window of memory.
#include "frontend/Importer.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/StmtVisitor.h"

using namespace clang;

namespace tegula::frontend {

/// Constants of namespaces and classes, and those of functions that lambdas name without capturing them.
Place Importer::constantVariable(const VarDecl *variable, SourceLocation where) {
  Object *&object = globals[variable];
  if (object)
    return object;
  if (variable->isUsableInConstantExpressions(ast) || variable->getType().isConstQualified())
    if (const Expr *init = variable->getAnyInitializer(); init && !init->isValueDependent())
      if (const APValue *value = variable->evaluateValue()) {
        Object *made = fromConstant(*value, variable->getType().getNonReferenceType(), where);
        return globals[variable] = made;
      }
  bool isFixed = variable->getType().isConstQualified();
  if (variable->isInStdNamespace() && !isFixed) // A stream.
    report(DiagnosticKind::StandardFunction, where) << variable->getName() << replacementOfPrinting(isOnDevice());
  else
    report(isFixed ? DiagnosticKind::NotAConstant : DiagnosticKind::MutableGlobal, where) << variable;
  return {};
}

Place Importer::variable(const ValueDecl *declaration, SourceLocation where) {
  if (auto found = frame->variables.find(declaration); found != frame->variables.end())
    return found->second;
  if (auto found = frame->captures.find(declaration); found != frame->captures.end())
    return fieldOf(frame->self, found->second, where);
  if (const auto *binding = dyn_cast<BindingDecl>(declaration))
    return evaluatePlace(binding->getBinding());
  if (const auto *object = dyn_cast<TemplateParamObjectDecl>(declaration))
    return fromConstant(object->getValue(), object->getType(), where);
  if (const auto *function = dyn_cast<FunctionDecl>(declaration))
    return holding(function, function->getType());
  if (const auto *variable = dyn_cast<VarDecl>(declaration))
    return constantVariable(variable, where);
  report(DiagnosticKind::UnsupportedExpression, where);
  return {};
}

Place Importer::self(SourceLocation where) {
  return frame->capturedThis ? fieldOf(frame->self, frame->capturedThis, where) : frame->self;
}

Place Importer::pointee(const Expr *pointer) {
  pointer = pointer->IgnoreParens();
  if (isa<CXXThisExpr>(pointer))
    return self(pointer->getExprLoc());
  if (const auto *address = dyn_cast<UnaryOperator>(pointer); address && address->getOpcode() == UO_AddrOf)
    return evaluatePlace(address->getSubExpr());
  if (const auto *cast = dyn_cast<CastExpr>(pointer)) {
    Place place;
    switch (cast->getCastKind()) {
    case CK_NoOp:
      return pointee(cast->getSubExpr());
    case CK_DerivedToBase:
    case CK_UncheckedDerivedToBase:
      place = pointee(cast->getSubExpr());
      for (const CXXBaseSpecifier *base : cast->path())
        place = baseOf(place, base->getType()->getAsCXXRecordDecl(), cast->getExprLoc());
      return place;
    default:
      break;
    }
  }
  report(DiagnosticKind::Pointer, pointer->getExprLoc()) << pointer->getSourceRange();
  return {};
}

namespace {
class PlaceVisitor : public ConstStmtVisitor<PlaceVisitor, Place> {
public:
  explicit PlaceVisitor(Importer &importer) : importer(importer) {}

  Place VisitDeclRefExpr(const DeclRefExpr *expr) { return importer.variable(expr->getDecl(), expr->getLocation()); }
  Place VisitMemberExpr(const MemberExpr *expr);
  Place VisitArraySubscriptExpr(const ArraySubscriptExpr *expr);
  Place VisitStringLiteral(const StringLiteral *expr) { return importer.holding(expr, expr->getType()); }

  Place VisitParenExpr(const ParenExpr *expr) { return Visit(expr->getSubExpr()); }
  Place VisitExprWithCleanups(const ExprWithCleanups *expr) { return Visit(expr->getSubExpr()); }
  Place VisitConstantExpr(const ConstantExpr *expr) { return Visit(expr->getSubExpr()); }
  Place VisitSubstNonTypeTemplateParmExpr(const SubstNonTypeTemplateParmExpr *expr) {
    return importer.evaluateOperand(expr->getReplacement());
  }
  Place VisitCXXDefaultArgExpr(const CXXDefaultArgExpr *expr) { return importer.evaluateOperand(expr->getExpr()); }
  Place VisitCXXDefaultInitExpr(const CXXDefaultInitExpr *expr) { return importer.evaluateOperand(expr->getExpr()); }
  Place VisitOpaqueValueExpr(const OpaqueValueExpr *expr) { return importer.evaluateOperand(expr->getSourceExpr()); }
  Place VisitMaterializeTemporaryExpr(const MaterializeTemporaryExpr *expr) {
    return materialize(expr, expr->getType().isConstQualified());
  }
  Place VisitCastExpr(const CastExpr *expr);
  Place VisitUnaryOperator(const UnaryOperator *expr);
  Place VisitBinaryOperator(const BinaryOperator *expr);
  Place VisitAbstractConditionalOperator(const AbstractConditionalOperator *expr);
  Place VisitCallExpr(const CallExpr *expr) { return importer.call(expr, nullptr).place; }
  Place VisitInitListExpr(const InitListExpr *expr) { return Visit(expr->getInit(0)); } // T &x{y}
  Place VisitStmt(const Stmt *statement) {
    importer.report(DiagnosticKind::UnsupportedExpression, cast<Expr>(statement)->getExprLoc())
        << statement->getSourceRange();
    return {};
  }

private:
  Place materialize(const MaterializeTemporaryExpr *expr, bool isConst) {
    const Expr *value = expr->getSubExpr();
    if (isConst)
      return importer.evaluateOperand(value);
    Object *object = importer.makeObject(value->getType(), /*isMutable=*/true, expr->getExprLoc());
    importer.evaluateInto(value, *object);
    return object;
  }
  Place refuse(DiagnosticKind kind, const Expr *expr) {
    importer.report(kind, expr->getExprLoc()) << expr->getSourceRange();
    return {};
  }

  Importer &importer;
};
} // namespace

Place PlaceVisitor::VisitMemberExpr(const MemberExpr *expr) {
  const ValueDecl *member = expr->getMemberDecl();
  const Expr *base = expr->getBase();
  if (const auto *variable = dyn_cast<VarDecl>(member))
    return importer.variable(variable, expr->getMemberLoc());
  const auto *field = dyn_cast<FieldDecl>(member);
  if (!field)
    return refuse(DiagnosticKind::UnsupportedExpression, expr);
  Place object = expr->isArrow() ? importer.pointee(base) : importer.evaluateOperand(base);
  return importer.fieldOf(object, field, expr->getMemberLoc());
}

Place PlaceVisitor::VisitArraySubscriptExpr(const ArraySubscriptExpr *expr) {
  const Expr *base = expr->getBase()->IgnoreParens();
  const auto *decay = dyn_cast<ImplicitCastExpr>(base);
  if (!decay || decay->getCastKind() != CK_ArrayToPointerDecay)
    return refuse(DiagnosticKind::Pointer, expr);
  Place array = importer.evaluateOperand(decay->getSubExpr());
  Leaf index = importer.evaluate(expr->getIdx());
  if (!array || !index)
    return {};
  std::optional<int64_t> at = importer.constantInt(index);
  if (!at)
    return refuse(DiagnosticKind::RunTimeArrayIndex, expr->getIdx());
  if (!array.object || array.object->isPoisoned)
    return {};
  int64_t size = array.object->parts.size();
  if (*at < 0 || *at >= size) {
    importer.report(DiagnosticKind::ArrayIndexOutside, expr->getIdx()->getExprLoc()) << *at << size;
    return {};
  }
  Object *element = array.object->parts[*at];
  return element->referent ? element->referent : Place(element);
}

Place PlaceVisitor::VisitCastExpr(const CastExpr *expr) {
  const Expr *operand = expr->getSubExpr();
  switch (expr->getCastKind()) {
  case CK_NoOp:
    if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(operand->IgnoreParens()))
      return materialize(temporary, expr->getType().isConstQualified());
    return importer.evaluateOperand(operand);
  case CK_UserDefinedConversion:
  case CK_ConstructorConversion:
    return importer.evaluateOperand(operand);
  case CK_DerivedToBase:
  case CK_UncheckedDerivedToBase: {
    Place place = importer.evaluateOperand(operand);
    for (const CXXBaseSpecifier *base : expr->path())
      place = importer.baseOf(place, base->getType()->getAsCXXRecordDecl(), expr->getExprLoc());
    return place;
  }
  default:
    return refuse(DiagnosticKind::Pointer, expr);
  }
}

Place PlaceVisitor::VisitUnaryOperator(const UnaryOperator *expr) {
  if (expr->isIncrementDecrementOp()) {
    Place changed;
    (void)importer.increment(expr, &changed);
    return changed;
  }
  if (expr->getOpcode() == UO_Deref)
    return importer.pointee(expr->getSubExpr());
  return VisitStmt(expr);
}

Place PlaceVisitor::VisitBinaryOperator(const BinaryOperator *expr) {
  if (expr->isAssignmentOp()) {
    Place assigned;
    (void)importer.assignment(expr, &assigned);
    return assigned;
  }
  if (expr->getOpcode() != BO_Comma)
    return VisitStmt(expr);
  importer.evaluateDiscarded(expr->getLHS());
  return importer.evaluatePlace(expr->getRHS());
}

Place PlaceVisitor::VisitAbstractConditionalOperator(const AbstractConditionalOperator *expr) {
  Leaf choice = importer.condition(expr->getCond());
  if (!choice)
    return {};
  if (choice.integer())
    return importer.evaluateOperand(choice.integer()->getBoolValue() ? expr->getTrueExpr() : expr->getFalseExpr());
  // A temporary of the chosen value would do where it is only read, but C++ says that this is one of the two objects.
  importer.report(DiagnosticKind::RunTimeChoice, expr->getExprLoc()) << expr->getType().getCanonicalType();
  return {};
}

Place Importer::evaluatePlace(const Expr *expr) {
  if (isAborted)
    return {};
  Place place = PlaceVisitor(*this).Visit(expr);
  if (!place)
    lose(expr->getExprLoc());
  return place;
}

} // namespace tegula::frontend
