// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions that designate an object or a window of memory.
#include "frontend/ast/References.h"

#include "clang/AST/APValue.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/StmtVisitor.h"

using namespace clang;

namespace tegula::frontend {

LValue designatedBy(Importer &importer, const APValue &reference, SourceLocation where) {
  if (!reference.isLValue() || !reference.hasLValuePath())
    return {};
  LValue lvalue;
  QualType type;
  APValue::LValueBase base = reference.getLValueBase();
  if (const auto *declaration = base.dyn_cast<const ValueDecl *>()) {
    lvalue = importer.variable(declaration, where);
    type = declaration->getType().getNonReferenceType();
  } else if (const auto *expr = base.dyn_cast<const Expr *>()) {
    const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(expr);
    if (const APValue *value = temporary ? temporary->getOrCreateValue(/*MayCreate=*/false) : nullptr)
      lvalue = importer.fromConstant(*value, expr->getType(), where);
    type = expr->getType();
  }
  for (const APValue::LValuePathEntry &entry : reference.getLValuePath()) {
    if (!lvalue)
      return {};
    if (const ArrayType *array = importer.ast.getAsArrayType(type)) {
      uint64_t at = entry.getAsArrayIndex();
      bool isThere = lvalue.object && at < lvalue.object->parts.size();
      lvalue = isThere ? LValue(lvalue.object->parts[at]) : LValue();
      type = array->getElementType();
    } else if (const auto *field = dyn_cast<FieldDecl>(entry.getAsBaseOrMember().getPointer())) {
      lvalue = importer.fieldOf(lvalue, field, where);
      type = field->getType();
    } else {
      const auto *record = cast<CXXRecordDecl>(entry.getAsBaseOrMember().getPointer());
      lvalue = importer.baseOf(lvalue, record, where);
      type = importer.ast.getRecordType(record);
    }
  }
  return lvalue;
}

/// Constants of namespaces and classes, and those of functions that lambdas name without capturing them.
LValue Importer::constantVariable(const VarDecl *variable, SourceLocation where) {
  Object *&object = globals[variable];
  if (object)
    return object;
  if (variable->getType()->isReferenceType() && variable->isUsableInConstantExpressions(ast))
    if (const APValue *value = variable->evaluateValue())
      if (LValue designated = designatedBy(*this, *value, where))
        return designated;
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

LValue Importer::variable(const ValueDecl *declaration, SourceLocation where) {
  if (auto found = frame->variables.find(declaration); found != frame->variables.end())
    return found->second;
  if (auto found = frame->captures.find(declaration); found != frame->captures.end())
    return fieldOf(frame->self, found->second, where);
  if (const auto *binding = dyn_cast<BindingDecl>(declaration))
    return evaluateLValue(binding->getBinding());
  if (const auto *object = dyn_cast<TemplateParamObjectDecl>(declaration))
    return fromConstant(object->getValue(), object->getType(), where);
  if (const auto *function = dyn_cast<FunctionDecl>(declaration))
    return holding(function, function->getType());
  if (const auto *variable = dyn_cast<VarDecl>(declaration))
    return constantVariable(variable, where);
  report(DiagnosticKind::UnsupportedExpression, where);
  return {};
}

LValue Importer::self(SourceLocation where) {
  return frame->capturedThis ? fieldOf(frame->self, frame->capturedThis, where) : frame->self;
}

LValue Importer::pointee(const Expr *pointer) {
  pointer = pointer->IgnoreParens();
  if (isa<CXXThisExpr>(pointer))
    return self(pointer->getExprLoc());
  if (const auto *address = dyn_cast<UnaryOperator>(pointer); address && address->getOpcode() == UO_AddrOf)
    return evaluateLValue(address->getSubExpr());
  if (const auto *cast = dyn_cast<CastExpr>(pointer)) {
    LValue lvalue;
    switch (cast->getCastKind()) {
    case CK_NoOp:
      return pointee(cast->getSubExpr());
    case CK_DerivedToBase:
    case CK_UncheckedDerivedToBase:
      lvalue = pointee(cast->getSubExpr());
      for (const CXXBaseSpecifier *base : cast->path())
        lvalue = baseOf(lvalue, base->getType()->getAsCXXRecordDecl(), cast->getExprLoc());
      return lvalue;
    default:
      break;
    }
  }
  report(DiagnosticKind::Pointer, pointer->getExprLoc()) << pointer->getSourceRange();
  return {};
}

namespace {
class LValueVisitor : public ConstStmtVisitor<LValueVisitor, LValue> {
public:
  explicit LValueVisitor(Importer &importer) : importer(importer) {}

  LValue VisitDeclRefExpr(const DeclRefExpr *expr) { return importer.variable(expr->getDecl(), expr->getLocation()); }
  LValue VisitMemberExpr(const MemberExpr *expr);
  LValue VisitArraySubscriptExpr(const ArraySubscriptExpr *expr);
  LValue VisitStringLiteral(const StringLiteral *expr) { return importer.holding(expr, expr->getType()); }

  LValue VisitParenExpr(const ParenExpr *expr) { return Visit(expr->getSubExpr()); }
  LValue VisitExprWithCleanups(const ExprWithCleanups *expr) { return Visit(expr->getSubExpr()); }
  LValue VisitConstantExpr(const ConstantExpr *expr) { return Visit(expr->getSubExpr()); }
  LValue VisitSubstNonTypeTemplateParmExpr(const SubstNonTypeTemplateParmExpr *expr) {
    return importer.evaluateOperand(expr->getReplacement());
  }
  LValue VisitCXXDefaultArgExpr(const CXXDefaultArgExpr *expr) { return importer.evaluateOperand(expr->getExpr()); }
  LValue VisitCXXDefaultInitExpr(const CXXDefaultInitExpr *expr) { return importer.evaluateOperand(expr->getExpr()); }
  LValue VisitOpaqueValueExpr(const OpaqueValueExpr *expr) { return importer.evaluateOperand(expr->getSourceExpr()); }
  LValue VisitMaterializeTemporaryExpr(const MaterializeTemporaryExpr *expr) {
    return materialize(expr, expr->getType().isConstQualified());
  }
  LValue VisitCastExpr(const CastExpr *expr);
  LValue VisitUnaryOperator(const UnaryOperator *expr);
  LValue VisitBinaryOperator(const BinaryOperator *expr);
  LValue VisitAbstractConditionalOperator(const AbstractConditionalOperator *expr);
  LValue VisitCallExpr(const CallExpr *expr) { return importer.call(expr, nullptr).lvalue; }
  LValue VisitInitListExpr(const InitListExpr *expr) { return Visit(expr->getInit(0)); } // T &x{y}
  LValue VisitStmt(const Stmt *statement) {
    importer.report(DiagnosticKind::UnsupportedExpression, cast<Expr>(statement)->getExprLoc())
        << statement->getSourceRange();
    return {};
  }

private:
  LValue materialize(const MaterializeTemporaryExpr *expr, bool isConst) {
    const Expr *value = expr->getSubExpr();
    if (isConst)
      return importer.evaluateOperand(value);
    Object *object = importer.makeObject(value->getType(), /*isMutable=*/true, expr->getExprLoc());
    importer.evaluateInto(value, *object);
    return object;
  }
  LValue refuse(DiagnosticKind kind, const Expr *expr) {
    importer.report(kind, expr->getExprLoc()) << expr->getSourceRange();
    return {};
  }

  Importer &importer;
};
} // namespace

LValue LValueVisitor::VisitMemberExpr(const MemberExpr *expr) {
  const ValueDecl *member = expr->getMemberDecl();
  const Expr *base = expr->getBase();
  if (const auto *variable = dyn_cast<VarDecl>(member))
    return importer.variable(variable, expr->getMemberLoc());
  const auto *field = dyn_cast<FieldDecl>(member);
  if (!field)
    return refuse(DiagnosticKind::UnsupportedExpression, expr);
  LValue object = expr->isArrow() ? importer.pointee(base) : importer.evaluateOperand(base);
  return importer.fieldOf(object, field, expr->getMemberLoc());
}

LValue LValueVisitor::VisitArraySubscriptExpr(const ArraySubscriptExpr *expr) {
  const Expr *base = expr->getBase()->IgnoreParens();
  const auto *decay = dyn_cast<ImplicitCastExpr>(base);
  if (!decay || decay->getCastKind() != CK_ArrayToPointerDecay)
    return refuse(DiagnosticKind::Pointer, expr);
  LValue array = importer.evaluateOperand(decay->getSubExpr());
  Leaf index = importer.evaluate(expr->getIdx());
  if (!array || !index)
    return {};
  std::optional<int64_t> at = importer.constantInt(index);
  if (!at)
    return refuse(DiagnosticKind::RunTimeArrayIndex, expr->getIdx());
  if (!array.object || array.object->isPoisoned)
    return {};
  if (const StringLiteral *text = array.object->leaf.text(); text && *at >= 0 && *at <= text->getLength()) {
    llvm::APInt unit(importer.ast.getIntWidth(expr->getType()), *at < text->getLength() ? text->getCodeUnit(*at) : 0);
    return importer.holding(llvm::APSInt(unit, expr->getType()->isUnsignedIntegerType()), expr->getType());
  }
  int64_t size = array.object->parts.size();
  if (*at < 0 || *at >= size) {
    importer.report(DiagnosticKind::ArrayIndexOutside, expr->getIdx()->getExprLoc()) << *at << size;
    return {};
  }
  Object *element = array.object->parts[*at];
  return element->referent ? element->referent : LValue(element);
}

LValue LValueVisitor::VisitCastExpr(const CastExpr *expr) {
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
    LValue lvalue = importer.evaluateOperand(operand);
    for (const CXXBaseSpecifier *base : expr->path())
      lvalue = importer.baseOf(lvalue, base->getType()->getAsCXXRecordDecl(), expr->getExprLoc());
    return lvalue;
  }
  default:
    return refuse(DiagnosticKind::Pointer, expr);
  }
}

LValue LValueVisitor::VisitUnaryOperator(const UnaryOperator *expr) {
  if (expr->isIncrementDecrementOp()) {
    LValue changed;
    (void)importer.increment(expr, &changed);
    return changed;
  }
  if (expr->getOpcode() == UO_Deref)
    return importer.pointee(expr->getSubExpr());
  return VisitStmt(expr);
}

LValue LValueVisitor::VisitBinaryOperator(const BinaryOperator *expr) {
  if (expr->isAssignmentOp()) {
    LValue assigned;
    (void)importer.assignment(expr, &assigned);
    return assigned;
  }
  if (expr->getOpcode() != BO_Comma)
    return VisitStmt(expr);
  importer.evaluateDiscarded(expr->getLHS());
  return importer.evaluateLValue(expr->getRHS());
}

/// Whether nothing changes an object any more, and IR can choose between two of them: a copy is as good as the object.
static bool isFixed(const Object &object, const TypeMap &types) {
  if (object.isMutable || object.isPoisoned || object.referent || object.type.isNull())
    return false;
  if (types.isLeaf(object.type))
    return types.stored(object.type) != nullptr;
  return !object.parts.empty() && llvm::all_of(object.parts, [&](const Object *part) { return isFixed(*part, types); });
}

LValue LValueVisitor::VisitAbstractConditionalOperator(const AbstractConditionalOperator *expr) {
  Leaf choice = importer.condition(expr->getCond());
  if (!choice)
    return {};
  if (choice.integer())
    return importer.evaluateOperand(choice.integer()->getBoolValue() ? expr->getTrueExpr() : expr->getFalseExpr());
  SourceLocation where = expr->getExprLoc();
  if (!expr->getTrueExpr()->HasSideEffects(importer.ast) && !expr->getFalseExpr()->HasSideEffects(importer.ast)) {
    LValue ifTrue = importer.evaluateLValue(expr->getTrueExpr()),
           ifFalse = importer.evaluateLValue(expr->getFalseExpr());
    bool areFixed = ifTrue.object && ifFalse.object && isFixed(*ifTrue.object, importer.types) &&
                    isFixed(*ifFalse.object, importer.types);
    if (areFixed) {
      Object *chosen = importer.makeObject(expr->getType(), /*isMutable=*/true, where);
      auto op = importer.builder.create<mlir::scf::IfOp>(importer.locate(where), choice.value(), /*withElse=*/true);
      for (auto [block, side] : {std::pair(op.thenBlock(), ifTrue), std::pair(op.elseBlock(), ifFalse)}) {
        mlir::OpBuilder::InsertionGuard guard(importer.builder);
        importer.builder.setInsertionPointToStart(block);
        importer.copy(*chosen, side, expr->getType(), where);
      }
      importer.freeze(*chosen, where);
      return chosen;
    }
  }
  // A copy of the chosen value would do where it is only read, but C++ says that this is one of the two objects.
  importer.report(DiagnosticKind::RunTimeChoice, expr->getExprLoc()) << expr->getType().getCanonicalType();
  return {};
}

LValue Importer::evaluateLValue(const Expr *expr) {
  if (isAborted)
    return {};
  LValue lvalue = LValueVisitor(*this).Visit(expr);
  if (!lvalue)
    lose(expr->getExprLoc());
  return lvalue;
}

} // namespace tegula::frontend
