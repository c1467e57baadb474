// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ast/ChangedVariables.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ExprConcepts.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tegula::frontend {

namespace {
class ChangeScan {
public:
  explicit ChangeScan(llvm::DenseSet<const ValueDecl *> &changed) : changed(changed) {}

  void scanBody(const FunctionDecl *function) {
    if (const auto *constructor = dyn_cast<CXXConstructorDecl>(function))
      for (const CXXCtorInitializer *init : constructor->inits())
        scanChild(init->getInit());
    if (const Stmt *body = function->getBody())
      scanChild(body);
  }

private:
  /// What is not understood may change what it names.
  void scanChild(const Stmt *statement) {
    if (!statement)
      return;
    const auto *expr = dyn_cast<Expr>(statement);
    scan(statement, expr && expr->isGLValue());
  }
  void scanChildren(const Stmt *statement) {
    for (const Stmt *child : statement->children())
      scanChild(child);
  }
  void change(const ValueDecl *variable) {
    changed.insert(variable);
    if (const auto *binding = dyn_cast<BindingDecl>(variable))
      changed.insert(cast<ValueDecl>(binding->getDecomposedDecl()));
  }
  void scan(const Stmt *statement, bool mayChange);
  void scanLambda(const LambdaExpr *lambda);
  void scanDeclarations(const DeclStmt *statement);

  llvm::DenseSet<const ValueDecl *> &changed;
  llvm::DenseSet<const FunctionDecl *> seen;
};
} // namespace

void ChangeScan::scanLambda(const LambdaExpr *lambda) {
  for (auto [capture, init] : llvm::zip(lambda->captures(), lambda->capture_inits()))
    if (lambda->isInitCapture(&capture) || (capture.capturesVariable() && capture.getCaptureKind() == LCK_ByCopy))
      scanChild(init);
  // What a lambda does with what it captures by reference, its body shows.
  const CXXRecordDecl *closure = lambda->getLambdaClass();
  if (const FunctionTemplateDecl *generic = closure->getDependentLambdaCallOperator()) {
    for (const FunctionDecl *instance : generic->specializations())
      if (seen.insert(instance).second)
        scanBody(instance);
  } else if (const CXXMethodDecl *call = closure->getLambdaCallOperator(); call && seen.insert(call).second) {
    scanBody(call);
  }
}

void ChangeScan::scanDeclarations(const DeclStmt *statement) {
  for (const Decl *declaration : statement->decls())
    if (const auto *variable = dyn_cast<VarDecl>(declaration))
      scanChild(variable->getInit());
}

void ChangeScan::scan(const Stmt *statement, bool mayChange) {
  if (const auto *expr = dyn_cast<Expr>(statement); expr && expr->getType().isConstQualified())
    mayChange = false;
  if (const auto *name = dyn_cast<DeclRefExpr>(statement)) {
    if (mayChange)
      change(name->getDecl());
  } else if (const auto *cast = dyn_cast<CastExpr>(statement)) {
    bool reads = cast->getCastKind() == CK_LValueToRValue || cast->getCastKind() == CK_ToVoid ||
                 cast->getType().isConstQualified() || cast->getSubExpr()->getType().isConstQualified();
    if (!cast->getSubExpr()->isGLValue())
      scan(cast->getSubExpr(), false);
    else
      scan(cast->getSubExpr(), reads ? false : cast->isGLValue() ? mayChange : true);
  } else if (const auto *member = dyn_cast<MemberExpr>(statement)) {
    scan(member->getBase(), mayChange && member->getBase()->isGLValue());
  } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(statement)) {
    const Expr *base = element->getBase()->IgnoreParenImpCasts();
    scan(base, mayChange && base->isGLValue());
    scanChild(element->getIdx());
  } else if (isa<ParenExpr, ExprWithCleanups, ConstantExpr, MaterializeTemporaryExpr, AbstractConditionalOperator>(
                 statement)) {
    for (const Stmt *child : statement->children())
      if (const auto *expr = dyn_cast_or_null<Expr>(child))
        scan(expr, mayChange && expr->isGLValue());
  } else if (const auto *copy = dyn_cast<CXXConstructExpr>(statement);
             copy && copy->getConstructor()->isCopyOrMoveConstructor() && !copy->getConstructor()->isUserProvided()) {
    scan(copy->getArg(0), false);
  } else if (const auto *call = dyn_cast<CXXMemberCallExpr>(statement)) {
    if (const Expr *object = call->getImplicitObjectArgument())
      scanChild(object);
    else
      scanChild(call->getCallee());
    for (const Expr *argument : call->arguments())
      scanChild(argument);
  } else if (const auto *lambda = dyn_cast<LambdaExpr>(statement)) {
    scanLambda(lambda);
  } else if (const auto *declarations = dyn_cast<DeclStmt>(statement)) {
    scanDeclarations(declarations);
  } else if (const auto *loop = dyn_cast<CXXForRangeStmt>(statement)) {
    QualType each = loop->getLoopVariable()->getType();
    scan(loop->getRangeInit(),
         loop->getRangeInit()->isGLValue() && each->isReferenceType() && !each->getPointeeType().isConstQualified());
    if (loop->getInit())
      scanChild(loop->getInit());
    scanChild(loop->getBody());
  } else if (!isa<UnaryExprOrTypeTraitExpr, RequiresExpr, CXXNoexceptExpr, TypeTraitExpr>(statement)) {
    scanChildren(statement);
  }
}

llvm::DenseSet<const ValueDecl *> changedVariables(const FunctionDecl *function) {
  llvm::DenseSet<const ValueDecl *> changed;
  ChangeScan(changed).scanBody(function);
  return changed;
}

} // namespace tegula::frontend
