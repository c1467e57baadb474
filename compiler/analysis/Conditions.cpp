// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Conditions.h"

#include "ir/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula {

/// The key of a condition among the facts: ops that ask for the presence of one array share it.
static Value keyOf(Value condition) {
  if (auto present = condition.getDefiningOp<tile::IsPresentOp>())
    return present.getArray();
  if (auto wider = condition.getDefiningOp<arith::ExtUIOp>(); wider && wider.getIn().getType().isInteger(1))
    return keyOf(wider.getIn()); // C++ compares bools as ints.
  return condition;
}

Conditions::Conditions(Block *block, Block::iterator place) {
  auto forEachBlock = [&](llvm::function_ref<void(Block *, Block::iterator)> visit) {
    Block::iterator at = place;
    for (Block *around = block; around;) {
      visit(around, at);
      Operation *parent = around->getParentOp();
      if (isa<tile::EntryOp>(parent))
        break;
      at = parent->getIterator();
      around = parent->getBlock();
    }
  };
  forEachBlock([&](Block *around, Block::iterator) {
    if (auto branch = dyn_cast<scf::IfOp>(around->getParentOp()))
      assume(branch.getCondition(), around == branch.thenBlock());
  });
  forEachBlock([&](Block *around, Block::iterator end) {
    for (Operation &before : llvm::make_range(around->begin(), end))
      if (auto check = dyn_cast<tile::CheckOp>(before))
        assume(check.getCondition());
  });
}

std::optional<bool> Conditions::known(Value condition) const {
  condition = keyOf(condition);
  if (auto found = facts.find(condition); found != facts.end())
    return found->second;
  APInt constant;
  if (matchPattern(condition, m_ConstantInt(&constant)) && constant.ule(1))
    return constant.isOne();
  auto negation = condition.getDefiningOp<arith::XOrIOp>();
  std::optional<bool> negated;
  if (negation && matchPattern(negation.getRhs(), m_One()))
    negated = known(negation.getLhs());
  return negated ? std::optional(!*negated) : std::nullopt;
}

std::optional<bool> Conditions::isPresent(Value array) const {
  auto found = facts.find(array);
  return found == facts.end() ? std::nullopt : std::optional(found->second);
}

void Conditions::assume(Value condition, bool holds) {
  add(condition, holds);
  // What was known may say more now: of `a || b` that b holds, once a is known not to.
  for (size_t before = 0; before != facts.size();) {
    before = facts.size();
    for (size_t i = 0; i < facts.size(); ++i)
      derive(facts.begin()[i].first, facts.begin()[i].second);
  }
}

void Conditions::add(Value condition, bool holds) {
  condition = keyOf(condition);
  if (matchPattern(condition, m_Constant()) || !facts.try_emplace(condition, holds).second)
    return;
  derive(condition, holds);
}

void Conditions::derive(Value condition, bool holds) {
  // `ifTrue` where the choice holds, else `ifFalse`; `a && b` is b where a holds, else false.
  auto choose = [&](Value choice, Value ifTrue, Value ifFalse) {
    std::optional<bool> chosen = known(choice);
    if (!chosen && known(ifFalse) == !holds)
      chosen = true;
    if (!chosen && known(ifTrue) == !holds)
      chosen = false;
    if (!chosen)
      return;
    add(choice, *chosen);
    add(*chosen ? ifTrue : ifFalse, holds);
  };
  auto equal = [&](Value left, Value right, bool areEqual) {
    for (auto [one, other] : {std::pair(left, right), std::pair(right, left)})
      if (std::optional<bool> value = known(one))
        add(other, *value == areEqual);
  };
  Operation *op = condition.getDefiningOp();
  if (isa_and_nonnull<arith::AndIOp, arith::OrIOp>(op)) {
    bool isOfBoth = holds == isa<arith::AndIOp>(op);
    Value left = op->getOperand(0), right = op->getOperand(1);
    for (auto [one, other] : {std::pair(left, right), std::pair(right, left)})
      if (isOfBoth || known(other) == !holds)
        add(one, holds);
  } else if (auto differ = dyn_cast_or_null<arith::XOrIOp>(op)) {
    equal(differ.getLhs(), differ.getRhs(), !holds);
  } else if (auto select = dyn_cast_or_null<arith::SelectOp>(op)) {
    choose(select.getCondition(), select.getTrueValue(), select.getFalseValue());
  } else if (auto branch = dyn_cast_or_null<scf::IfOp>(op); branch && branch.getNumResults() == 1) {
    choose(branch.getCondition(), branch.thenYield().getOperand(0), branch.elseYield().getOperand(0));
  } else if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op)) {
    bool areBools = llvm::all_of(compare->getOperands(),
                                 [](Value each) { return keyOf(each) != each || each.getType().isInteger(1); });
    bool isEquality =
        compare.getPredicate() == arith::CmpIPredicate::eq || compare.getPredicate() == arith::CmpIPredicate::ne;
    if (areBools && isEquality)
      equal(compare.getLhs(), compare.getRhs(), holds == (compare.getPredicate() == arith::CmpIPredicate::eq));
  }
}

} // namespace tegula
