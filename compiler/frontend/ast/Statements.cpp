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

/// Labels of a switch whose branches may nest.
static constexpr size_t mostLabelsInTurn = 32;

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
  size_t profiled = launch->profiled.size();
  Flow flow = runAll(body);
  endProfiles(profiled, locate(scope->getRBracLoc()));
  mlir::SmallVector<mlir::Value> memory;
  for (const Launch::Scratch &each : ArrayRef(launch->scratch).drop_front(scratch)) {
    if (each.ring)
      for (const Ring &ring : each.ring->rings)
        llvm::append_range(memory, ring.buffers);
    else
      memory.push_back(each.memory);
  }
  if (isInner) // The body's own is there to the end.
    free(memory, locate(scope->getRBracLoc()));
  launch->accumulators.resize(accumulators);
  launch->scratch.truncate(scratch);
  return flow;
}

/// Statements in a row. What follows a jump under a run-time condition runs in a branch, and so each such jump nests
/// the rest; after some of them, it goes on where the last variable was declared, behind a branch on whether any was
/// taken.
Flow Importer::runAll(ArrayRef<const Stmt *> statements) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block *home = builder.getInsertionBlock();
  mlir::OpBuilder::InsertPoint base = builder.saveInsertionPoint();
  unsigned nested = 0;
  Flow all;
  for (const Stmt *statement : statements) {
    Flow flow = run(statement);
    all.add(flow.exits);
    all.next = flow.next;
    if (!flow.next)
      return all;
    if (isa<DeclStmt>(statement)) {
      base = builder.saveInsertionPoint();
      nested = 0;
    }
    nested += !flow.exits.empty();
    if (statement != statements.back() && nested == mostNestedJumps) {
      builder.restoreInsertionPoint(base);
      continueAfter(all.withoutRest(), locate(statement->getEndLoc()));
      nested = 0;
    } else if (statement != statements.back())
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

  return branch(
      choice.value(), statement->getIfLoc(), [&] { return run(statement->getThen()); },
      [&] { return run(statement->getElse()); });
}

Flow Importer::branch(mlir::Value condition, SourceLocation where, llvm::function_ref<Flow()> whenTrue,
                      llvm::function_ref<Flow()> whenFalse) {
  auto op = builder.create<mlir::scf::IfOp>(locate(where), condition, /*withElseRegion=*/true);
  auto runIn = [&](mlir::Block *block, llvm::function_ref<Flow()> body) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(block->getTerminator());
    Flow flow = body();
    if (flow.exits.empty())
      flow.rest = block;
    return flow;
  };
  Flow inThen = runIn(op.thenBlock(), whenTrue);
  Flow inElse = runIn(op.elseBlock(), whenFalse);
  Flow flow;
  flow.next = inThen.next || inElse.next;
  flow.add(inThen.exits);
  flow.add(inElse.exits);
  if (!flow.exits.empty() && inThen.next != inElse.next)
    flow.rest = inThen.next ? inThen.rest : inElse.rest;
  return flow;
}

/// The statements of a switch from one of its labels on.
static bool statementsFrom(const SwitchStmt *statement, const SwitchCase *start,
                           SmallVectorImpl<const Stmt *> &chosen) {
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

namespace {
/// The numbers of a label, from the least to the greatest; `default` has none.
struct CaseRange {
  llvm::APSInt low, high;
};
} // namespace

static std::optional<CaseRange> rangeOf(const SwitchCase *label, const ASTContext &ast) {
  const auto *option = dyn_cast<CaseStmt>(label);
  if (!option)
    return std::nullopt;
  llvm::APSInt low = option->getLHS()->EvaluateKnownConstInt(ast);
  return CaseRange{low, option->getRHS() ? option->getRHS()->EvaluateKnownConstInt(ast) : low};
}

Flow Importer::runSwitch(const SwitchStmt *statement) {
  if (const Stmt *init = statement->getInit())
    run(init);
  if (const DeclStmt *declaration = statement->getConditionVariableDeclStmt())
    run(declaration);
  Leaf value = evaluate(statement->getCond());
  if (!value)
    return {};
  const SwitchCase *fallback = nullptr;
  SmallVector<const SwitchCase *> labels; // In the order of the source.
  for (const SwitchCase *label = statement->getSwitchCaseList(); label; label = label->getNextSwitchCase())
    if (rangeOf(label, ast))
      labels.insert(labels.begin(), label);
    else
      fallback = label;
  if (value.integer()) {
    const auto *chosen = llvm::find_if(labels, [&](const SwitchCase *label) {
      CaseRange range = *rangeOf(label, ast);
      return llvm::APSInt::compareValues(range.low, *value.integer()) <= 0 &&
             llvm::APSInt::compareValues(*value.integer(), range.high) <= 0;
    });
    fallback = chosen != labels.end() ? *chosen : fallback;
    labels.clear();
  }
  Exit exit = beginExit();
  Exit &breaks = exits.emplace_back(std::move(exit));
  Exit *outer = std::exchange(frame->breaks, &breaks);
  Flow flow = runCases(statement, value, labels, fallback);
  frame->breaks = outer;
  bool brokeOut = llvm::is_contained(flow.exits, &breaks);
  flow.remove(&breaks);
  flow.next |= brokeOut;
  if (brokeOut)
    flow.rest = nullptr;
  return flow;
}

static const Stmt *withoutLabels(const Stmt *at) {
  while (const auto *label = dyn_cast<SwitchCase>(at))
    at = label->getSubStmt();
  return at;
}

/// Whether the value is one of these labels'.
Leaf Importer::isAnyOf(const SwitchStmt *statement, const Leaf &value, ArrayRef<const SwitchCase *> labels) {
  QualType type = statement->getCond()->getType();
  SourceLocation where = labels.front()->getKeywordLoc();
  SmallVector<CaseRange> ranges =
      llvm::map_to_vector(labels, [&](const SwitchCase *label) { return *rangeOf(label, ast); });
  llvm::sort(ranges, [](const CaseRange &a, const CaseRange &b) { return a.low < b.low; });
  SmallVector<CaseRange> joined;
  for (const CaseRange &range : ranges) {
    llvm::APSInt behind = joined.empty() ? range.low : joined.back().high;
    bool isNext = !joined.empty() && !behind.isMaxValue() && range.low == ++behind;
    isNext ? void(joined.back().high = range.high) : joined.push_back(range);
  }
  Leaf isOne;
  for (const CaseRange &range : joined) {
    Leaf above = binary(BO_GE, value, type, Leaf(range.low), type, where),
         below = binary(BO_LE, value, type, Leaf(range.high), type, where);
    Leaf is = binary(BO_And, above, ast.BoolTy, below, ast.BoolTy, where);
    isOne = isOne ? binary(BO_Or, isOne, ast.BoolTy, is, ast.BoolTy, where) : is;
  }
  return isOne;
}

/// One label after the other: what each runs, cases that it falls into included, stands in a branch of its own. Many
/// are halved first, so that branches do not nest as deep as there are labels.
Flow Importer::runCases(const SwitchStmt *statement, const Leaf &value, ArrayRef<const SwitchCase *> labels,
                        const SwitchCase *fallback) {
  auto runFrom = [&](const SwitchCase *label) -> Flow {
    SmallVector<const Stmt *> chosen;
    if (statementsFrom(statement, label, chosen))
      return runAll(chosen);
    report(DiagnosticKind::UnsupportedStatement, label->getBeginLoc());
    return {};
  };
  if (labels.empty())
    return fallback ? runFrom(fallback) : Flow();
  QualType type = statement->getCond()->getType();
  SourceLocation where = labels.front()->getKeywordLoc();
  if (labels.size() > mostLabelsInTurn) {
    size_t half = labels.size() / 2;
    while (half < labels.size() && withoutLabels(labels[half]) == withoutLabels(labels[half - 1]))
      ++half;
    mlir::Value isFirst = half < labels.size()
                              ? materialize(isAnyOf(statement, value, labels.take_front(half)), ast.BoolTy, where)
                              : nullptr;
    if (isFirst)
      return branch(
          isFirst, statement->getSwitchLoc(),
          [&] { return runCases(statement, value, labels.take_front(half), nullptr); },
          [&] { return runCases(statement, value, labels.drop_front(half), fallback); });
  }
  const Stmt *target = nullptr;
  // Labels of one statement are one condition.
  target = withoutLabels(labels.front());
  Leaf isChosen;
  size_t count = 0;
  for (; count < labels.size() && withoutLabels(labels[count]) == target; ++count) {
    CaseRange range = *rangeOf(labels[count], ast);
    Leaf is;
    if (range.low == range.high) {
      is = binary(BO_EQ, value, type, Leaf(range.low), type, where);
    } else {
      Leaf above = binary(BO_GE, value, type, Leaf(range.low), type, where),
           below = binary(BO_LE, value, type, Leaf(range.high), type, where);
      is = binary(BO_And, above, ast.BoolTy, below, ast.BoolTy, where);
    }
    isChosen = isChosen ? binary(BO_Or, isChosen, ast.BoolTy, is, ast.BoolTy, where) : is;
  }
  mlir::Value condition = materialize(isChosen, ast.BoolTy, where);
  if (!condition)
    return {};
  return branch(
      condition, statement->getSwitchLoc(), [&] { return runFrom(labels.front()); },
      [&] { return runCases(statement, value, labels.drop_front(count), fallback); });
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
