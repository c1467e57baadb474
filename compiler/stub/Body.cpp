// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/Body.h"

#include "ir/Locations.h"
#include "ir/TileDialect.h"
#include "stub/Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::stub {

void BodyPrinter::unsupported(Operation *op) {
  op->emitError("internal error: '") << op->getName() << "' has no form in C++";
  failed = true;
}

bool mayGoUnused(Value value) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto full = dyn_cast<tile::FullOp>(user))
      return use.get() != full.getValue();
    if (auto iota = dyn_cast<tile::IotaOp>(user))
      return use.get() != iota.getOffset();
    if (auto part = dyn_cast<tile::SubtileOp>(user))
      return !part.getSource().getDefiningOp<tile::LoadOp>();
    return user->getNumResults() == 1 && isa<IntegerType>(user->getResult(0).getType()) && isMemoryEffectFree(user) &&
           user->getNumRegions() == 0 && mayGoUnused(user->getResult(0));
  });
}

// ---- Expressions ----------------------------------------------------------------------------------------------------

Expr BodyPrinter::use(Value value) {
  if (auto found = bound.find(value); found != bound.end())
    return found->second;
  if (Operation *op = value.getDefiningOp())
    if (std::optional<Expr> expr = expressionOf(op))
      return *expr;
  if (!failed) {
    emitError(value.getLoc(), "internal error: a value of type ") << value.getType() << " has no form in C++";
    failed = true;
  }
  return {"0"};
}

Expr BodyPrinter::useTyped(Value value) { return typed(use(value), value.getType()); }

std::optional<Expr> BodyPrinter::expressionOf(Operation *op) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return choiceOf(branch);
  if (std::optional<Expr> expr = scalarExpr(op, side, ranges, [&](Value operand) { return use(operand); }))
    return expr;
  return leaf(op);
}

/// Whether a branch computes one scalar by expressions alone, few enough to stand on one line.
static bool isChoice(scf::IfOp op) {
  if (op.getNumResults() != 1 || !isa<IntegerType, FloatType>(op.getResult(0).getType()))
    return false;
  auto isShort = [](Block *block) {
    return block->getOperations().size() <= 4 && llvm::all_of(block->without_terminator(), [](Operation &inner) {
             bool isNested = isa<scf::IfOp>(inner) && isChoice(cast<scf::IfOp>(inner));
             return (isNested || isMemoryEffectFree(&inner)) && inner.getNumResults() == 1 &&
                    inner.getNumRegions() == (isNested ? 2 : 0) &&
                    isa<IntegerType, FloatType>(inner.getResult(0).getType()) &&
                    (inner.hasOneUse() || isa<arith::ConstantOp>(inner)) && tile::nameIn(inner.getLoc()).empty();
           });
  };
  return isShort(op.thenBlock()) && isShort(op.elseBlock());
}

std::optional<Expr> BodyPrinter::choiceOf(scf::IfOp op) {
  if (!isChoice(op))
    return std::nullopt;
  return choice(use(op.getCondition()), use(op.thenYield().getOperand(0)), use(op.elseYield().getOperand(0)),
                op.getResult(0).getType());
}

bool BodyPrinter::isExpression(Operation *op) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return isChoice(branch);
  return op->getNumResults() == 1 && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         isa<IntegerType, FloatType>(op->getResult(0).getType());
}

bool BodyPrinter::isWorthAName(Operation *op, const Expr &expr) {
  Value value = op->getResult(0);
  if (isa<arith::ConstantOp, ub::PoisonOp>(op))
    return false;
  if (StringRef name = tile::nameIn(op->getLoc()); !name.empty() && !names.isTaken(name))
    return true;
  bool isTrivial = leaf(op).has_value() || llvm::all_of(expr.text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (isTrivial)
    return false;
  bool isUsedInLoop = llvm::any_of(value.getUsers(), [&](Operation *user) {
    for (; user->getBlock() != op->getBlock(); user = user->getParentOp())
      if (isa<LoopLikeOpInterface>(user->getParentOp()))
        return true;
    auto tile = user->getNumResults() > 0 && user->getNumRegions() == 0
                    ? dyn_cast<RankedTensorType>(user->getResult(0).getType())
                    : RankedTensorType();
    return tile && tile.getRank() > 0; // It is a loop in C++.
  });
  return isUsedInLoop || !value.hasOneUse() || expr.isLong();
}

void BodyPrinter::declareConstant(Value value, const Expr &init) {
  std::string name = names.forValue(value);
  out.line((mayGoUnused(value) ? "[[maybe_unused]] const " : "const ") + typeName(value.getType()) + " " + name +
           " = " + init.text + ";");
  bind(value, name);
}

// ---- Statements -----------------------------------------------------------------------------------------------------

void BodyPrinter::printBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    if (failed)
      return;
    if (isGlue(&op))
      out.generated();
    else
      out.at(op.getLoc());
    if (isExpression(&op)) {
      std::optional<Expr> expr = bound.contains(op.getResult(0)) || op.use_empty() ? Expr() : expressionOf(&op);
      if (expr && !expr->text.empty()) {
        if (isWorthAName(&op, *expr))
          declareConstant(op.getResult(0), *expr);
        continue;
      }
      if (expr)
        continue;
    }
    llvm::TypeSwitch<Operation *>(&op)
        .Case([&](scf::IfOp branch) { printIf(branch); })
        .Case([&](scf::ForOp loop) { printFor(loop); })
        .Case([&](scf::WhileOp loop) { printWhile(loop); })
        .Default([&](Operation *other) { printStatement(other); });
  }
}

void BodyPrinter::declareCarried(const std::string &name, Value variable, Value init) {
  out.line(typeName(variable.getType()) + " " + name + (init ? " = " + use(init).text : "") + ";");
}

void BodyPrinter::assign(ArrayRef<std::string> variables, ValueRange targets, ValueRange values) {
  SmallVector<Assignment> pending;
  for (auto [name, target, value] : llvm::zip_equal(variables, targets, values)) {
    if (name.empty())
      continue;
    Expr expr = carried(value, target);
    if (expr.text != name)
      pending.push_back({name, expr, value.getType()});
  }
  // All at once, as the IR means it: a variable is assigned when no other assignment needs what it held before.
  while (!pending.empty()) {
    auto isFree = [&](const Assignment &a) {
      return llvm::none_of(pending, [&](const Assignment &b) { return &a != &b && b.value.mentions(a.name); });
    };
    auto next = llvm::find_if(pending, isFree);
    if (next == pending.end()) {
      next = pending.begin();
      std::string held = names.unique("next_" + next->name);
      out.line("const auto " + held + " = " + next->value.text + ";");
      next->value = {held};
      continue;
    }
    out.line(next->name + " = " + next->value.text + ";");
    pending.erase(next);
  }
}

void BodyPrinter::printIf(scf::IfOp op) {
  bool hasElse = !op.getElseRegion().empty();
  SmallVector<std::string> variables;
  bool elseIsInitial = hasElse && op.elseBlock()->without_terminator().empty();
  for (OpResult result : op.getResults()) {
    variables.emplace_back();
    if (isUnused(result))
      continue;
    variables.back() = names.forValue(result);
    declareCarried(variables.back(), result,
                   elseIsInitial ? op.elseYield().getOperand(result.getResultNumber()) : Value());
  }
  for (auto [result, variable] : llvm::zip(op.getResults(), variables))
    if (!variable.empty())
      bindCarried(result, variable);
  auto printBranch = [&](Block &block) {
    Names::Block inner(names);
    printBlock(block);
    assign(variables, op.getResults(), block.getTerminator()->getOperands());
  };
  Expr condition = use(op.getCondition());
  bool assigns = llvm::any_of(variables, [](const std::string &name) { return !name.empty(); });
  auto hasNothing = [&](Block &block) {
    return !assigns && llvm::all_of(block.without_terminator(),
                                    [&](Operation &inner) { return isExpression(&inner) || isSilent(&inner); });
  };
  bool isEmpty = hasNothing(*op.thenBlock());
  bool printsElse = hasElse && !elseIsInitial;
  if (isEmpty && printsElse && hasNothing(*op.elseBlock()))
    return;
  if (isEmpty && printsElse) {
    out.open("if (" + unary("!", condition).text + ")");
    printBranch(*op.elseBlock());
    out.close();
    return;
  }
  out.open("if (" + condition.text + ")");
  printBranch(*op.thenBlock());
  if (printsElse) {
    out.reopen("else");
    printBranch(*op.elseBlock());
  }
  out.close();
}

SmallVector<std::string> BodyPrinter::declareCarriedBy(ValueRange arguments, ValueRange inits, ValueRange results) {
  SmallVector<std::string> variables;
  for (auto [i, argument, init] : llvm::enumerate(arguments, inits)) {
    bool isUnused = argument.use_empty() && (results.empty() || results[i].use_empty());
    variables.push_back(isUnused ? "" : names.forValue(argument));
    if (!isUnused)
      declareCarried(variables.back(), argument, init);
  }
  for (auto [i, variable] : llvm::enumerate(variables)) {
    if (variable.empty())
      continue;
    bindCarried(arguments[i], variable);
    if (!results.empty())
      bindCarried(results[i], variable);
  }
  return variables;
}

void BodyPrinter::printFor(scf::ForOp op) {
  SmallVector<std::string> variables = declareCarriedBy(op.getRegionIterArgs(), op.getInitArgs(), op.getResults());
  auto onceOnly = [&](Value value, StringRef hint) {
    Expr expr = use(value);
    if (expr.binds == Binds::Primary || expr.binds == Binds::Unary)
      return expr;
    std::string name = names.unique(hint);
    out.line("const " + typeName(value.getType()) + " " + name + " = " + expr.text + ";");
    return Expr(name);
  };
  Expr end = onceOnly(op.getUpperBound(), "end"), step = onceOnly(op.getStep(), "step");
  Names::Block inner(names);
  std::string index = names.forValue(op.getInductionVar(), "i");
  bind(op.getInductionVar(), index);
  out.open("for (" + typeName(op.getInductionVar().getType()) + " " + index + " = " + use(op.getLowerBound()).text +
           "; " + binary(index, "<", end).text + "; " + (step.text == "1" ? "++" + index : index + " += " + step.text) +
           ")");
  printBlock(*op.getBody());
  assign(variables, op.getRegionIterArgs(), op.getBody()->getTerminator()->getOperands());
  out.close();
}

void BodyPrinter::printWhile(scf::WhileOp op) {
  SmallVector<std::string> variables = declareCarriedBy(op.getBeforeArguments(), op.getInits());
  // What the condition passes on is mostly what came in; the rest needs variables that outlive the loop.
  SmallVector<std::string> passed;
  SmallVector<Value> passedValues, passedTo;
  scf::ConditionOp condition = op.getConditionOp();
  for (auto [value, argument, result] : llvm::zip_equal(condition.getArgs(), op.getAfterArguments(), op.getResults())) {
    auto *before = llvm::find(op.getBeforeArguments(), value);
    std::string name;
    if (before != op.getBeforeArguments().end()) {
      name = variables[before - op.getBeforeArguments().begin()];
    } else if (!argument.use_empty() || !result.use_empty()) {
      name = names.forValue(result);
      declareCarried(name, result, {});
      passed.push_back(name);
      passedValues.push_back(value);
      passedTo.push_back(result);
    }
    if (!name.empty()) {
      bindCarried(argument, name);
      bindCarried(result, name);
    }
  }
  bool isSimple = passed.empty() && llvm::all_of(op.getBeforeBody()->without_terminator(), [&](Operation &inner) {
                    return isExpression(&inner) && tile::nameIn(inner.getLoc()).empty() &&
                           (inner.hasOneUse() || isa<arith::ConstantOp>(inner) || leaf(&inner));
                  });
  Names::Block inner(names);
  if (isSimple) {
    out.open("while (" + use(condition.getCondition()).text + ")");
  } else {
    out.open("while (true)");
    printBlock(*op.getBeforeBody());
    assign(passed, passedTo, passedValues);
    out.open("if (" + unary("!", use(condition.getCondition())).text + ")");
    out.line("break;");
    out.close();
  }
  printBlock(*op.getAfterBody());
  assign(variables, op.getBeforeArguments(), op.getYieldOp().getOperands());
  out.close();
}

} // namespace tegula::stub
