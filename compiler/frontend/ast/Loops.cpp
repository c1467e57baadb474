// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops. Those over run-time values become scf.while, whose variables are variables. Those that are unrolled run here.
#include "frontend/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "clang/AST/Attr.h"

using namespace clang;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

namespace tegula::frontend {

/// The flow without the jumps that end at the loop itself.
static Flow without(Flow flow, Exit &exit) {
  if (llvm::is_contained(flow.exits, &exit)) {
    flow.remove(&exit);
    flow.next = true;
    flow.rest = nullptr;
  }
  return flow;
}

/// Computes the condition only where no exit was taken.
static void guardCondition(mlir::OpBuilder &builder, scf::ConditionOp condition, mlir::Value taken,
                           mlir::Location where) {
  mlir::Block *before = condition->getBlock();
  mlir::Value wantsNext = condition.getCondition();
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(taken);
  mlir::Type i1 = builder.getI1Type();
  mlir::Value one = builder.create<arith::ConstantOp>(where, builder.getIntegerAttr(i1, 1));
  mlir::Value notTaken = builder.create<arith::XOrIOp>(where, taken, one);
  auto choice = builder.create<scf::IfOp>(where, i1, notTaken, /*withElseRegion=*/true);
  mlir::Block *inner = choice.thenBlock();
  inner->getOperations().splice(inner->end(), before->getOperations(), std::next(choice->getIterator()),
                                condition->getIterator());
  builder.setInsertionPointToEnd(inner);
  builder.create<scf::YieldOp>(where, wantsNext);
  builder.setInsertionPointToEnd(choice.elseBlock());
  builder.create<scf::YieldOp>(where,
                               mlir::Value(builder.create<arith::ConstantOp>(where, builder.getIntegerAttr(i1, 0))));
  condition.getConditionMutable().assign(choice.getResult(0));
}

Flow Importer::runLoop(const Expr *test, const Stmt *body, const Expr *step, SourceLocation start) {
  mlir::Location where = locate(start);
  Exit &breaks = exits.emplace_back(beginExit());
  auto loop = builder.create<scf::WhileOp>(where, mlir::TypeRange(), mlir::ValueRange());
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block *before = builder.createBlock(&loop.getBefore());
  bool isEndless = !test;
  mlir::Value wantsNext;
  if (test) {
    Leaf value = condition(test);
    isEndless = value.integer() && value.integer()->getBoolValue();
    wantsNext = materialize(value, ast.BoolTy, test->getExprLoc());
  }
  if (!wantsNext)
    wantsNext = constantOf(builder.getI1Type(), !test);
  auto check = builder.create<scf::ConditionOp>(where, wantsNext, mlir::ValueRange());

  mlir::Block *after = builder.createBlock(&loop.getAfter());
  Exit &continues = exits.emplace_back(beginExit());
  Exit *outerBreaks = std::exchange(frame->breaks, &breaks),
       *outerContinues = std::exchange(frame->continues, &continues);
  size_t errors = reported.size();
  Flow flow = without(run(body), continues);
  frame->breaks = outerBreaks;
  frame->continues = outerContinues;
  if (isEndless && flow.exits.empty() && reported.size() == errors)
    report(DiagnosticKind::EndlessLoop, start);
  if (step && flow.next) {
    continueAfter(flow, where);
    evaluateDiscarded(step);
  }
  builder.setInsertionPointToEnd(after);
  builder.create<scf::YieldOp>(where);
  if (!flow.exits.empty()) {
    builder.setInsertionPointToStart(before);
    guardCondition(builder, check, isTaken(flow.exits, where), where);
  }
  bool isLeft = !isEndless || llvm::is_contained(flow.exits, &breaks);
  flow.remove(&breaks);
  flow.next = isLeft;
  flow.rest = nullptr;
  return flow;
}

Flow Importer::runFor(const ForStmt *statement, bool unroll) {
  if (unroll)
    return runUnrolled(statement);
  if (statement->getConditionVariable()) {
    report(DiagnosticKind::UnsupportedStatement, statement->getBeginLoc());
    return {};
  }
  if (const Stmt *init = statement->getInit())
    run(init);
  return runLoop(statement->getCond(), statement->getBody(), statement->getInc(), statement->getForLoc());
}

Flow Importer::runWhile(const WhileStmt *statement) {
  if (statement->getConditionVariable()) {
    report(DiagnosticKind::UnsupportedStatement, statement->getBeginLoc());
    return {};
  }
  return runLoop(statement->getCond(), statement->getBody(), nullptr, statement->getWhileLoc());
}

Flow Importer::runDo(const DoStmt *statement) {
  mlir::Location where = locate(statement->getDoLoc());
  Exit &breaks = exits.emplace_back(beginExit());
  auto loop = builder.create<scf::WhileOp>(where, mlir::TypeRange(), mlir::ValueRange());
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&loop.getAfter());
  builder.create<scf::YieldOp>(where);
  mlir::Block *before = builder.createBlock(&loop.getBefore());
  Exit &continues = exits.emplace_back(beginExit());
  Exit *outerBreaks = std::exchange(frame->breaks, &breaks),
       *outerContinues = std::exchange(frame->continues, &continues);
  size_t errors = reported.size();
  Flow flow = without(run(statement->getBody()), continues);
  frame->breaks = outerBreaks;
  frame->continues = outerContinues;

  builder.setInsertionPointToEnd(before);
  mlir::Value taken = flow.exits.empty() ? mlir::Value() : isTaken(flow.exits, where);
  mlir::Value wantsNext;
  if (flow.next) {
    Leaf value = condition(statement->getCond());
    bool isEndless = value.integer() && value.integer()->getBoolValue();
    if (isEndless && flow.exits.empty() && reported.size() == errors)
      report(DiagnosticKind::EndlessLoop, statement->getDoLoc());
    wantsNext = materialize(value, ast.BoolTy, statement->getCond()->getExprLoc());
  }
  if (!wantsNext)
    wantsNext = constantOf(builder.getI1Type(), 0);
  auto check = builder.create<scf::ConditionOp>(where, wantsNext, mlir::ValueRange());
  if (taken)
    guardCondition(builder, check, taken, where);
  flow.remove(&breaks);
  flow.next = true;
  flow.rest = nullptr;
  return flow;
}

/// Runs the body as often as `begin` says, each time behind the last.
Flow Importer::unroll(const Stmt *body, llvm::function_ref<bool()> begin, llvm::function_ref<void()> step) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block *home = builder.getInsertionBlock();
  mlir::OpBuilder::InsertPoint base = builder.saveInsertionPoint();
  unsigned nested = 0;
  Exit &breaks = exits.emplace_back(beginExit());
  Flow all;
  while (!isAborted && begin()) {
    Exit &continues = exits.emplace_back(beginExit());
    Exit *outerBreaks = std::exchange(frame->breaks, &breaks);
    Exit *outerContinues = std::exchange(frame->continues, &continues);
    Flow flow = without(run(body), continues);
    frame->breaks = outerBreaks;
    frame->continues = outerContinues;
    all.add(flow.exits);
    all.next = flow.next;
    if (!flow.next)
      break;
    nested += !flow.exits.empty();
    if (nested == mostNestedJumps) { // As in runAll: no iteration declares anything for the next.
      builder.restoreInsertionPoint(base);
      continueAfter(all.withoutRest(), locate(body->getBeginLoc()));
      nested = 0;
    } else {
      continueAfter(flow, locate(body->getBeginLoc()));
    }
    step();
  }
  if (all.next && builder.getInsertionBlock() != home)
    all.rest = builder.getInsertionBlock();
  return without(std::move(all), breaks);
}

Flow Importer::runUnrolled(const ForStmt *statement) {
  constexpr int most = 4096;
  SourceLocation where = statement->getForLoc();
  SmallVector<Object *> indices;
  const auto *init = dyn_cast_or_null<DeclStmt>(statement->getInit());
  if (!init || !statement->getCond() || statement->getConditionVariable()) {
    report(DiagnosticKind::UnrollBounds, where);
    return {};
  }
  for (const Decl *declaration : init->decls()) {
    const auto *variable = cast<VarDecl>(declaration);
    Leaf start = variable->getInit() ? evaluate(variable->getInit()) : Leaf();
    if (!start.isConstant()) {
      report(DiagnosticKind::UnrollBounds, variable->getLocation());
      return {};
    }
    Object *index = holding(start, variable->getType());
    index->isUnrolled = true;
    indices.push_back(index);
    frame->variables[variable] = index;
  }
  auto settle = [&] {
    for (Object *index : indices)
      index->home = builder.getInsertionBlock();
  };
  int iterations = 0;
  auto begin = [&] {
    settle();
    Leaf wantsNext = condition(statement->getCond());
    if (!wantsNext.integer() || iterations++ == most) {
      if (wantsNext)
        report(wantsNext.integer() ? DiagnosticKind::TooManyIterations : DiagnosticKind::UnrollBounds,
               statement->getCond()->getExprLoc())
            << int64_t(most);
      return false;
    }
    return wantsNext.integer()->getBoolValue();
  };
  auto step = [&] {
    settle();
    if (statement->getInc())
      evaluateDiscarded(statement->getInc());
  };
  return unroll(statement->getBody(), begin, step);
}

/// Arrays have constant sizes: the loop is unrolled.
Flow Importer::runRangeFor(const CXXForRangeStmt *statement) {
  if (const Stmt *init = statement->getInit())
    run(init);
  const Expr *range = statement->getRangeInit();
  // std::array is a class around a C array.
  const CXXRecordDecl *record = range->getType()->getAsCXXRecordDecl();
  bool isStdArray = record && record->isInStdNamespace() && record->getIdentifier() && record->getName() == "array";
  if (!isStdArray && !ast.getAsConstantArrayType(range->getType())) {
    bool isBraces =
        record && record->isInStdNamespace() && record->getIdentifier() && record->getName() == "initializer_list";
    report(DiagnosticKind::RangeFor, range->getExprLoc())
        << range->getType()
        << (isBraces ? "name the array, const float values[] = {1, 2}, and iterate over it"
                     : "count with for (int i = 0; ...)");
    return {};
  }
  LValue array = evaluateOperand(range);
  if (!array.object || array.object->isPoisoned)
    return {};
  if (isStdArray)
    array = array.object->parts.front();
  const VarDecl *variable = statement->getLoopVariable();
  unsigned at = 0;
  auto begin = [&] {
    if (at == array.object->parts.size())
      return false;
    Object *element = array.object->parts[at++];
    if (variable->getType()->isReferenceType()) {
      frame->variables[variable] = element;
    } else {
      Object *own = makeObject(variable->getType(), isModified(variable, frame->function), variable->getLocation());
      copy(*own, element, element->type, variable->getLocation());
      frame->variables[variable] = own;
    }
    return true;
  };
  return unroll(statement->getBody(), begin, [] {});
}

Flow Importer::runAttributed(const AttributedStmt *statement) {
  const Stmt *inner = statement->getSubStmt();
  bool unrolls = false;
  for (const Attr *attribute : statement->getAttrs()) {
    const auto *hint = dyn_cast<LoopHintAttr>(attribute);
    if (!hint)
      continue;
    if (hint->getOption() == LoopHintAttr::Unroll) {
      unrolls = hint->getState() != LoopHintAttr::Disable;
    } else if (hint->getOption() == LoopHintAttr::UnrollCount) {
      std::optional<llvm::APSInt> count = hint->getValue()->getIntegerConstantExpr(ast);
      if (!count || *count != 1)
        report(DiagnosticKind::UnrollCount, hint->getLocation()) << (count ? llvm::toString(*count, 10) : "this");
    }
  }
  if (!unrolls || isa<CXXForRangeStmt>(inner))
    return run(inner);
  if (const auto *loop = dyn_cast<ForStmt>(inner))
    return runFor(loop, /*unroll=*/true);
  report(DiagnosticKind::UnrollBounds, inner->getBeginLoc());
  return {};
}

} // namespace tegula::frontend
