// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements, but for loops.
#include "frontend/ExplicitObjects.h"
#include "frontend/Importer.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "clang/AST/APValue.h"
#include "clang/AST/Attr.h"

using namespace clang;

namespace tegula::frontend {

Flow Importer::run(const Stmt *statement) {
  if (isAborted || !statement)
    return {};
  if (const auto *expr = dyn_cast<Expr>(statement)) {
    evaluateDiscarded(expr);
    return {};
  }
  auto refuse = [&](DiagnosticKind kind) {
    report(kind, statement->getBeginLoc());
    return Flow();
  };
  switch (statement->getStmtClass()) {
  case Stmt::CompoundStmtClass:
    return runScope(cast<CompoundStmt>(statement));
  case Stmt::DeclStmtClass:
    for (const Decl *declaration : cast<DeclStmt>(statement)->decls())
      if (const auto *variable = dyn_cast<VarDecl>(declaration))
        declare(variable);
    return {};
  case Stmt::NullStmtClass:
    return {};
  case Stmt::IfStmtClass:
    return runIf(cast<IfStmt>(statement));
  case Stmt::SwitchStmtClass:
    return runSwitch(cast<SwitchStmt>(statement));
  case Stmt::ReturnStmtClass:
    return runReturn(cast<ReturnStmt>(statement));
  case Stmt::BreakStmtClass:
    return leave(*frame->breaks);
  case Stmt::ContinueStmtClass:
    return leave(*frame->continues);
  case Stmt::ForStmtClass:
    return runFor(cast<ForStmt>(statement), /*unroll=*/false);
  case Stmt::WhileStmtClass:
    return runWhile(cast<WhileStmt>(statement));
  case Stmt::DoStmtClass:
    return runDo(cast<DoStmt>(statement));
  case Stmt::CXXForRangeStmtClass:
    return runRangeFor(cast<CXXForRangeStmt>(statement));
  case Stmt::AttributedStmtClass:
    return runAttributed(cast<AttributedStmt>(statement));
  case Stmt::GotoStmtClass:
  case Stmt::IndirectGotoStmtClass:
  case Stmt::LabelStmtClass:
    return refuse(DiagnosticKind::Goto);
  case Stmt::CXXTryStmtClass:
    return refuse(DiagnosticKind::Exceptions);
  case Stmt::GCCAsmStmtClass:
  case Stmt::MSAsmStmtClass:
    return refuse(DiagnosticKind::Asm);
  default:
    return refuse(DiagnosticKind::UnsupportedStatement);
  }
}

/// Accumulators and shared memory of the scope are gone after it.
Flow Importer::runScope(const CompoundStmt *scope) {
  SmallVector<const Stmt *> body(scope->body());
  if (!launch)
    return runAll(body);
  bool isInner = std::exchange(launch->isInBody, true);
  size_t accumulators = launch->accumulators.size(), scratch = launch->scratch.size();
  Flow flow = runAll(body);
  mlir::SmallVector<mlir::Value> memory;
  for (const Launch::Scratch &each : ArrayRef(launch->scratch).drop_front(scratch)) {
    if (each.ring)
      llvm::append_range(memory, each.ring->ring.buffers);
    else
      memory.push_back(each.memory);
  }
  if (isInner) // The body's own is there to the end.
    free(memory, locate(scope->getRBracLoc()));
  launch->accumulators.resize(accumulators);
  launch->scratch.truncate(scratch);
  return flow;
}

/// Statements in a row. What follows a jump under a run-time condition runs in a branch.
Flow Importer::runAll(ArrayRef<const Stmt *> statements) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block *home = builder.getInsertionBlock();
  Flow all;
  for (const Stmt *statement : statements) {
    Flow flow = run(statement);
    all.add(flow.exits);
    all.next = flow.next;
    if (!flow.next)
      return all;
    if (statement != statements.back())
      continueAfter(flow, locate(statement->getEndLoc()));
    else if (flow.rest)
      continueAfter(flow, locate(statement->getEndLoc()));
    else if (!flow.exits.empty())
      return all; // Whoever continues asks for the flags.
  }
  if (builder.getInsertionBlock() != home)
    all.rest = builder.getInsertionBlock();
  return all;
}

void Importer::declare(const VarDecl *variable) {
  QualType type = variable->getType();
  SourceLocation where = variable->getLocation();
  auto refuse = [&](DiagnosticKind kind) {
    report(kind, where) << variable;
    Object *object = holding({}, type);
    frame->variables[variable] = object;
  };
  if (type.isVolatileQualified())
    return refuse(DiagnosticKind::Volatile);
  if (variable->hasGlobalStorage()) {
    if (!variable->isConstexpr() && !variable->hasExternalStorage() && !variable->isUsableInConstantExpressions(ast))
      refuse(DiagnosticKind::Static);
    return;
  }
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (record && record->hasDefinition() && !record->hasTrivialDestructor())
    return refuse(DiagnosticKind::Destructor);
  const Expr *init = variable->getInit();
  if (type->isReferenceType()) {
    if (init)
      frame->variables[variable] = evaluateLValue(init);
    return declareBindings(variable);
  }
  if (variable->isConstexpr() && !types.isRef(type))
    if (const APValue *value = variable->evaluateValue()) {
      frame->variables[variable] = fromConstant(*value, type, where);
      return;
    }
  Object *object = makeObject(type, isModified(variable, frame->function), where);
  frame->variables[variable] = object;
  if (init)
    evaluateInto(init, *object);
  allocate(*object, where);
  nameLeaves(*object, variable->getName());
  declareBindings(variable);
}

/// The variables behind `auto [a, b] = tuple;`, which std::get initialises.
void Importer::declareBindings(const VarDecl *variable) {
  if (const auto *bindings = dyn_cast<DecompositionDecl>(variable))
    for (const BindingDecl *binding : bindings->bindings())
      if (const VarDecl *holding = binding->getHoldingVar())
        declare(holding);
}

void Importer::nameLeaves(const Object &object, llvm::StringRef name) {
  if (object.barriers)
    return this->name(object.barriers->barriers, name);
  this->name(object.variable ? object.variable : object.leaf.value(), name);
  const CXXRecordDecl *record = object.type.isNull() ? nullptr : object.type->getAsCXXRecordDecl();
  if (!record || record->isLambda() || object.parts.empty() || types.known(object.type) != Known::None)
    return;
  for (const FieldDecl *field : record->fields())
    if (unsigned at = record->getNumBases() + field->getFieldIndex(); at < object.parts.size())
      nameLeaves(*object.parts[at], (name + "." + field->getName()).str());
}

Flow Importer::runIf(const IfStmt *statement) {
  if (const Stmt *init = statement->getInit())
    run(init);
  if (const DeclStmt *declaration = statement->getConditionVariableDeclStmt())
    run(declaration);
  if (statement->isConsteval())
    return run(statement->isNegatedConsteval() ? statement->getThen() : statement->getElse());
  if (statement->isConstexpr()) {
    std::optional<const Stmt *> chosen = statement->getNondiscardedCase(ast);
    if (chosen)
      return run(*chosen);
  }
  Leaf choice = condition(statement->getCond());
  if (!choice)
    return {};
  if (choice.integer())
    return run(choice.integer()->getBoolValue() ? statement->getThen() : statement->getElse());

  auto op = builder.create<mlir::scf::IfOp>(locate(statement->getIfLoc()), choice.value(), /*withElseRegion=*/true);
  auto branch = [&](mlir::Block *block, const Stmt *body) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(block->getTerminator());
    Flow flow = run(body);
    if (flow.exits.empty())
      flow.rest = block;
    return flow;
  };
  Flow whenTrue = branch(op.thenBlock(), statement->getThen());
  Flow whenFalse = branch(op.elseBlock(), statement->getElse());
  Flow flow;
  flow.next = whenTrue.next || whenFalse.next;
  flow.add(whenTrue.exits);
  flow.add(whenFalse.exits);
  if (!flow.exits.empty() && whenTrue.next != whenFalse.next)
    flow.rest = whenTrue.next ? whenTrue.rest : whenFalse.rest;
  return flow;
}

/// The statements of a switch from the case on that the constant chooses.
static bool statementsFrom(const SwitchStmt *statement, const llvm::APSInt &value, const ASTContext &ast,
                           SmallVectorImpl<const Stmt *> &chosen) {
  const SwitchCase *start = nullptr, *fallback = nullptr;
  for (const SwitchCase *label = statement->getSwitchCaseList(); label; label = label->getNextSwitchCase()) {
    const auto *option = dyn_cast<CaseStmt>(label);
    if (!option) {
      fallback = label;
      continue;
    }
    llvm::APSInt low = option->getLHS()->EvaluateKnownConstInt(ast);
    llvm::APSInt high = option->getRHS() ? option->getRHS()->EvaluateKnownConstInt(ast) : low;
    if (llvm::APSInt::compareValues(low, value) <= 0 && llvm::APSInt::compareValues(value, high) <= 0)
      start = label;
  }
  if (!start)
    start = fallback;
  const auto *body = dyn_cast<CompoundStmt>(statement->getBody());
  if (!start || !body)
    return !start;
  auto isOrHolds = [&](const Stmt *at) {
    while (const auto *label = dyn_cast<SwitchCase>(at)) {
      if (label == start)
        return true;
      at = label->getSubStmt();
    }
    return false;
  };
  bool isFound = false;
  for (const Stmt *at : body->body()) {
    isFound |= isOrHolds(at);
    while (const auto *label = dyn_cast<SwitchCase>(at))
      at = label->getSubStmt();
    if (isFound)
      chosen.push_back(at);
  }
  return isFound;
}

Flow Importer::runSwitch(const SwitchStmt *statement) {
  if (const Stmt *init = statement->getInit())
    run(init);
  if (const DeclStmt *declaration = statement->getConditionVariableDeclStmt())
    run(declaration);
  Leaf value = evaluate(statement->getCond());
  if (!value)
    return {};
  SmallVector<const Stmt *> chosen;
  if (!value.integer() || !statementsFrom(statement, *value.integer(), ast, chosen)) {
    report(value.integer() ? DiagnosticKind::UnsupportedStatement : DiagnosticKind::RunTimeSwitch,
           statement->getSwitchLoc());
    return {};
  }
  Exit exit = beginExit();
  Exit &breaks = exits.emplace_back(std::move(exit));
  Exit *outer = std::exchange(frame->breaks, &breaks);
  Flow flow = runAll(chosen);
  frame->breaks = outer;
  bool brokeOut = llvm::is_contained(flow.exits, &breaks);
  flow.remove(&breaks);
  flow.next |= brokeOut;
  if (brokeOut)
    flow.rest = nullptr;
  return flow;
}

Flow Importer::runReturn(const ReturnStmt *statement) {
  Exit &returns = frame->returns;
  const Expr *value = statement->getRetValue();
  if (value && frame->function->getReturnType()->isReferenceType()) {
    LValue lvalue = evaluateLValue(value);
    if (!isAtHome(returns) || !returns.sites.empty())
      report(DiagnosticKind::RunTimeChoice, value->getExprLoc()) << value->getType().getCanonicalType();
    else
      frame->resultLValue = lvalue;
  } else if (value && frame->result) {
    if (!isAtHome(returns) && !frame->result->isMutable) {
      // Results of several returns are assigned to variables, which are made where the function begins.
      mlir::OpBuilder::InsertionGuard guard(builder);
      goToStart(returns);
      makeMutable(*frame->result, value->getExprLoc());
    }
    evaluateInto(value, *frame->result);
  } else if (value) {
    evaluateDiscarded(value);
  }
  return leave(returns);
}

} // namespace tegula::frontend
