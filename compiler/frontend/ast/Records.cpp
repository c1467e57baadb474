// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions that make objects of classes and arrays.
#include "frontend/Importer.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "clang/AST/StmtVisitor.h"

using namespace clang;

namespace tegula::frontend {

namespace {
/// Evaluates an expression of class or array type into an object.
class RecordVisitor : public ConstStmtVisitor<RecordVisitor, void> {
public:
  RecordVisitor(Importer &importer, Object &target) : importer(importer), target(target) {}

  void VisitParenExpr(const ParenExpr *expr) { Visit(expr->getSubExpr()); }
  void VisitExprWithCleanups(const ExprWithCleanups *expr) { Visit(expr->getSubExpr()); }
  void VisitMaterializeTemporaryExpr(const MaterializeTemporaryExpr *expr) { Visit(expr->getSubExpr()); }
  void VisitCXXBindTemporaryExpr(const CXXBindTemporaryExpr *expr) { Visit(expr->getSubExpr()); }
  void VisitCXXDefaultArgExpr(const CXXDefaultArgExpr *expr) { importer.evaluateInto(expr->getExpr(), target); }
  void VisitCXXDefaultInitExpr(const CXXDefaultInitExpr *expr) { importer.evaluateInto(expr->getExpr(), target); }
  void VisitOpaqueValueExpr(const OpaqueValueExpr *expr) { importer.evaluateInto(expr->getSourceExpr(), target); }
  void VisitSubstNonTypeTemplateParmExpr(const SubstNonTypeTemplateParmExpr *expr) {
    importer.evaluateInto(expr->getReplacement(), target);
  }
  void VisitConstantExpr(const ConstantExpr *expr) {
    if (!expr->hasAPValueResult())
      return Visit(expr->getSubExpr());
    Object *value = importer.fromConstant(expr->getAPValueResult(), expr->getType(), expr->getExprLoc());
    importer.copy(target, value, expr->getType(), expr->getExprLoc());
  }
  void VisitCastExpr(const CastExpr *expr) {
    const Expr *operand = expr->getSubExpr();
    switch (expr->getCastKind()) {
    case CK_NoOp:
    case CK_ConstructorConversion:
    case CK_UserDefinedConversion:
    case CK_LValueToRValue:
    case CK_DerivedToBase:
    case CK_UncheckedDerivedToBase:
      return importer.evaluateInto(operand, target);
    default:
      return VisitStmt(expr);
    }
  }
  void VisitCXXConstructExpr(const CXXConstructExpr *expr) { importer.construct(expr, target); }
  void VisitInitListExpr(const InitListExpr *expr) { importer.initializeFields(expr, target); }
  void VisitCXXParenListInitExpr(const CXXParenListInitExpr *expr) {
    unsigned at = 0;
    for (const Expr *init : expr->getInitExprs())
      if (at < target.parts.size())
        importer.initializePart(init, *target.parts[at++]);
  }
  void VisitImplicitValueInitExpr(const ImplicitValueInitExpr *expr) {
    importer.zeroInitialize(target, expr->getExprLoc());
  }
  void VisitCXXScalarValueInitExpr(const CXXScalarValueInitExpr *expr) {
    importer.zeroInitialize(target, expr->getExprLoc());
  }
  void VisitStringLiteral(const StringLiteral *expr) { // char text[] = "..."
    for (auto [i, part] : llvm::enumerate(target.parts)) {
      unsigned code = i < expr->getLength() ? expr->getCodeUnit(i) : 0;
      llvm::APInt value(importer.ast.getIntWidth(part->type), code);
      importer.initialize(*part, llvm::APSInt(value, importer.types.isUnsigned(part->type)), expr->getExprLoc());
    }
  }
  void VisitLambdaExpr(const LambdaExpr *expr) { importer.captureInto(expr, target); }
  void VisitArrayInitLoopExpr(const ArrayInitLoopExpr *expr) {
    const Expr *source = expr->getCommonExpr()->getSourceExpr();
    importer.copy(target, importer.evaluateOperand(source), source->getType(), expr->getExprLoc());
  }
  void VisitCallExpr(const CallExpr *expr) {
    CallResult result = importer.call(expr, &target);
    if (result.lvalue.object && result.lvalue.object != &target)
      importer.copy(target, result.lvalue, expr->getType(), expr->getExprLoc());
    else if (!result.lvalue)
      target.isPoisoned = true;
  }
  void VisitBinaryOperator(const BinaryOperator *expr) {
    if (expr->getOpcode() != BO_Comma)
      return VisitStmt(expr);
    importer.evaluateDiscarded(expr->getLHS());
    importer.evaluateInto(expr->getRHS(), target);
  }
  void VisitAbstractConditionalOperator(const AbstractConditionalOperator *expr);
  void VisitCXXThrowExpr(const CXXThrowExpr *expr) { refuse(DiagnosticKind::Exceptions, expr); }
  void VisitStmt(const Stmt *statement) { refuse(DiagnosticKind::UnsupportedExpression, cast<Expr>(statement)); }

private:
  void refuse(DiagnosticKind kind, const Expr *expr) {
    importer.report(kind, expr->getExprLoc()) << expr->getSourceRange();
    target.isPoisoned = true;
  }

  Importer &importer;
  Object &target;
};
} // namespace

void RecordVisitor::VisitAbstractConditionalOperator(const AbstractConditionalOperator *expr) {
  Leaf choice = importer.condition(expr->getCond());
  if (!choice) {
    target.isPoisoned = true;
    return;
  }
  if (choice.integer())
    return importer.evaluateInto(choice.integer()->getBoolValue() ? expr->getTrueExpr() : expr->getFalseExpr(), target);
  SourceLocation where = expr->getExprLoc();
  bool isMutable = target.isMutable;
  importer.makeMutable(target, where);
  auto op = importer.builder.create<mlir::scf::IfOp>(importer.locate(where), choice.value(), /*withElseRegion=*/true);
  {
    mlir::OpBuilder::InsertionGuard guard(importer.builder);
    importer.builder.setInsertionPointToStart(op.thenBlock());
    importer.evaluateInto(expr->getTrueExpr(), target);
    importer.builder.setInsertionPointToStart(op.elseBlock());
    importer.evaluateInto(expr->getFalseExpr(), target);
  }
  if (!isMutable)
    importer.freeze(target, where);
}

/// Shared memory or an accumulator that nothing initialises.
static bool isScratch(const TypeMap &types, const Expr *expr) {
  const auto *construct = dyn_cast<CXXConstructExpr>(expr->IgnoreImplicit());
  const auto *list = dyn_cast<InitListExpr>(expr->IgnoreImplicit());
  bool isEmpty = construct ? construct->getNumArgs() == 0 : list && types.is(expr->getType(), Known::Smem);
  return isEmpty && (types.is(expr->getType(), Known::Smem) || types.is(expr->getType(), Known::Acc));
}

/// tg::smem<...> s{.transforms = {...}}
static void pinArrangement(Importer &importer, const InitListExpr *list, Object &target) {
  if (const InitListExpr *semantic = list->getSemanticForm())
    list = semantic;
  const Expr *init = list->getNumInits() > 0 ? list->getInit(list->getNumInits() - 1) : nullptr;
  if (!importer.types.is(list->getType(), Known::Smem) || !init ||
      !importer.types.is(init->getType(), Known::Transforms))
    return;
  Object *transforms = importer.temporary(init->getType(), init->getExprLoc());
  importer.evaluateInto(init, *transforms);
  std::optional<int64_t> swizzle = importer.pinnedSwizzle(transforms, init->getExprLoc());
  target.isPoisoned |= !swizzle;
  target.swizzle = swizzle.value_or(0);
}

bool isNothing(const Expr *expr) {
  if (const auto *byDefault = dyn_cast<CXXDefaultArgExpr>(expr))
    expr = byDefault->getExpr();
  expr = expr->IgnoreImplicit();
  if (const auto *cast = dyn_cast<CXXFunctionalCastExpr>(expr))
    return isNothing(cast->getSubExpr());
  if (const auto *list = dyn_cast<InitListExpr>(expr))
    return list->getNumInits() == 0;
  if (const auto *construct = dyn_cast<CXXConstructExpr>(expr))
    return construct->getNumArgs() == 0 || (construct->getNumArgs() == 1 && isNothing(construct->getArg(0)));
  const auto *unresolved = dyn_cast<CXXUnresolvedConstructExpr>(expr); // Of a template.
  return unresolved && unresolved->getNumArgs() == 0;
}

/// The part of an accumulator that an expression makes a copy of, another name for it; null if it is none.
static const Expr *copiedPart(const TypeMap &types, const Expr *expr) {
  if (!types.is(expr->getType(), Known::Ref) || !types.isAccumulator(expr->getType()))
    return nullptr;
  const auto *construct = dyn_cast<CXXConstructExpr>(expr->IgnoreImplicit());
  const Expr *source = construct && construct->getNumArgs() == 1 ? construct->getArg(0) : expr;
  return source->isGLValue() ? source : nullptr;
}

void Importer::evaluateInto(const Expr *expr, Object &target) {
  if (isAborted || target.isPoisoned) {
    target.isPoisoned = true;
    return;
  }
  if (isScratch(types, expr)) { // Where it is declared it gets its place (allocate).
    if (const auto *list = dyn_cast<InitListExpr>(expr->IgnoreImplicit()))
      pinArrangement(*this, list, target);
  } else if (types.is(expr->getType(), Known::Array) && isNothing(expr)) {
    if (target.isMutable)
      report(DiagnosticKind::Uninitialized, expr->getExprLoc());
    target.isAbsent = !target.isMutable;
    target.isPoisoned = target.isMutable;
  } else if (const Expr *part = copiedPart(types, expr)) {
    copy(target, evaluateLValue(part), expr->getType(), expr->getExprLoc());
  } else if (types.isLeaf(expr->getType())) {
    initialize(target, evaluate(expr), expr->getExprLoc());
  } else if (expr->isGLValue() && !isa<StringLiteral>(expr)) {
    copy(target, evaluateLValue(expr), expr->getType(), expr->getExprLoc());
  } else {
    RecordVisitor(*this, target).Visit(expr);
  }
  if (target.isPoisoned)
    lose(expr->getExprLoc());
}

/// A base, a field or an element: of reference type it refers to the place, else it holds the value.
void Importer::initializePart(const Expr *init, Object &part) {
  if (part.type.isNull() && init->getType()->isPointerType()) {
    const Expr *pointer = init;
    if (const auto *byDefault = dyn_cast<CXXDefaultInitExpr>(init))
      pointer = byDefault->getExpr();
    if (pointer->isNullPointerConstant(ast, Expr::NPC_NeverValueDependent))
      return;
    part.referent = pointee(pointer);
    part.isPoisoned = !part.referent;
  } else if (part.type.isNull()) {
    part.referent = evaluateLValue(init);
    part.isPoisoned = !part.referent;
  } else {
    evaluateInto(init, part);
  }
}

void Importer::initializeFields(const InitListExpr *expr, Object &target) {
  if (const InitListExpr *semantic = expr->getSemanticForm())
    expr = semantic;
  if (expr->isTransparent())
    return evaluateInto(expr->getInit(0), target);
  if (target.type->isUnionType()) { // Of shared memory, of which one group may have options.
    const FieldDecl *field = expr->getInitializedFieldInUnion();
    if (field && expr->getNumInits() > 0 && !isa<ImplicitValueInitExpr>(expr->getInit(0)))
      initializePart(expr->getInit(0), *target.parts[field->getFieldIndex()]);
    return;
  }
  // Default member initialisers may name the other members.
  LValue outer = std::exchange(frame->self, LValue(&target));
  FieldDecl *outerThis = std::exchange(frame->capturedThis, nullptr);
  for (unsigned i = 0; i < target.parts.size(); ++i) {
    const Expr *init = i < expr->getNumInits() ? expr->getInit(i) : expr->getArrayFiller();
    if (init && !isa<CXXDefaultInitExpr>(init)) {
      frame->self = outer;
      frame->capturedThis = outerThis;
    }
    if (init)
      initializePart(init, *target.parts[i]);
    frame->self = &target;
    frame->capturedThis = nullptr;
  }
  frame->self = outer;
  frame->capturedThis = outerThis;
}

void Importer::captureInto(const LambdaExpr *expr, Object &target) {
  for (auto [init, part] : llvm::zip(expr->capture_inits(), target.parts)) {
    if (isa<CXXThisExpr>(init->IgnoreParenImpCasts())) { // [this]: the object itself is captured by reference.
      part->referent = self(init->getExprLoc());
    } else {
      initializePart(init, *part);
    }
  }
}

/// Whether the constructor is the one that the language gives every class.
static bool isCopy(const CXXConstructorDecl *constructor) {
  return constructor->isCopyOrMoveConstructor() && !constructor->isUserProvided();
}

void Importer::construct(const CXXConstructExpr *expr, Object &target) {
  const CXXConstructorDecl *constructor = expr->getConstructor();
  SourceLocation where = expr->getExprLoc();
  if (isCopy(constructor) || (expr->getNumArgs() == 1 && expr->isElidable())) {
    const Expr *source = expr->getArg(0);
    return source->isGLValue() ? copy(target, evaluateLValue(source), source->getType(), where)
                               : evaluateInto(source, target);
  }
  if (ast.getAsConstantArrayType(expr->getType())) { // Every element in the same way.
    for (Object *part : target.parts)
      constructWith(constructor, expr, *part);
    return;
  }
  constructWith(constructor, expr, target);
}

void Importer::constructWith(const CXXConstructorDecl *constructor, const CXXConstructExpr *expr, Object &target) {
  if (types.isLeaf(target.type))
    return;
  if (ast.getAsConstantArrayType(target.type)) {
    for (Object *part : target.parts)
      constructWith(constructor, expr, *part);
    return;
  }
  if (expr->requiresZeroInitialization())
    zeroInitialize(target, expr->getExprLoc());
  if (constructor->isTrivial())
    return;
  SmallVector<Argument> arguments;
  for (const Expr *argument : expr->arguments())
    arguments.push_back({argument, {}});
  run(constructor, &target, arguments, nullptr, expr->getExprLoc());
}

/// The initialisers of a constructor; its body follows.
void Importer::runInitializers(const CXXConstructorDecl *constructor, Object &target) {
  for (const CXXCtorInitializer *init : constructor->inits()) {
    if (init->isDelegatingInitializer()) {
      evaluateInto(init->getInit(), target);
    } else if (init->isBaseInitializer()) {
      LValue base = baseOf(&target, init->getBaseClass()->getAsCXXRecordDecl(), init->getSourceLocation());
      if (base.object)
        evaluateInto(init->getInit(), *base.object);
    } else if (const FieldDecl *field = init->getMember()) {
      unsigned at = constructor->getParent()->getNumBases() + field->getFieldIndex();
      if (at < target.parts.size())
        initializePart(init->getInit(), *target.parts[at]);
    }
  }
}

} // namespace tegula::frontend
