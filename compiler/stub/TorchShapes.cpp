// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/TorchShapes.h"

#include "stub/Expr.h"
#include "stub/Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::stub {

namespace {

using Text = std::optional<std::string>;

/// What holds whatever the extents are.
constexpr const char *always = "c10::SymBool(true)";

/// Host values as C++. Integers are c10::SymInt, truth values c10::SymBool; floating-point numbers are constants and
/// parameters, which are known when a graph is made.
class ShapeExpressions {
public:
  ShapeExpressions(tile::EntryOp entry, ArrayRef<std::string> names) : entry(entry), names(names) {}

  /// In parentheses if it is more than a primary expression.
  Text of(Value value) const;

private:
  Text ofParameter(BlockArgument argument) const;
  Text ofConstant(arith::ConstantOp op) const;
  Text ofExtent(tile::DimOp op) const;
  Text ofComparison(arith::CmpIOp op) const;
  Text ofComparison(arith::CmpFOp op) const;
  Text binary(Operation *op, const char *between) const;
  Text method(Operation *op, const char *name) const;
  Text quotient(Operation *op) const;
  Text negation(arith::XOrIOp op) const;
  Text choice(arith::SelectOp op) const;

  mutable tile::EntryOp entry; // A handle, whose members are not const.
  ArrayRef<std::string> names;
};

} // namespace

/// Whether an integer is surely not negative, so that a quotient that truncates is one that rounds down.
static bool isNotNegative(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || isa<tile::DimOp>(op))
    return op;
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto number = dyn_cast<IntegerAttr>(constant.getValue());
    return number && !number.getValue().isNegative();
  }
  return isa<arith::AddIOp, arith::MulIOp, arith::DivSIOp, arith::MinSIOp>(op) &&
         llvm::all_of(op->getOperands(), isNotNegative);
}

static std::string parenthesised(const Twine &text) { return ("(" + text + ")").str(); }

Text ShapeExpressions::of(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == &entry.getBody().front() ? ofParameter(argument) : std::nullopt;
  return llvm::TypeSwitch<Operation *, Text>(value.getDefiningOp())
      .Case([&](arith::ConstantOp op) { return ofConstant(op); })
      .Case([&](tile::DimOp op) { return ofExtent(op); })
      .Case([&](tile::IsPresentOp op) -> Text {
        auto array = dyn_cast<BlockArgument>(op.getArray());
        return array ? Text("pytorch::is_present(" + names[array.getArgNumber()] + ")") : std::nullopt;
      })
      .Case([&](arith::AddIOp op) { return binary(op, " + "); })
      .Case([&](arith::SubIOp op) { return binary(op, " - "); })
      .Case([&](arith::MulIOp op) { return binary(op, " * "); })
      .Case([&](arith::AndIOp op) { return op.getType().isInteger(1) ? binary(op, " & ") : std::nullopt; })
      .Case([&](arith::OrIOp op) { return op.getType().isInteger(1) ? binary(op, " | ") : std::nullopt; })
      .Case([&](arith::SelectOp op) { return choice(op); })
      .Case([&](arith::XOrIOp op) { return negation(op); })
      .Case([&](arith::MinSIOp op) { return method(op, "min"); })
      .Case([&](arith::MaxSIOp op) { return method(op, "max"); })
      .Case<arith::DivSIOp, arith::RemSIOp>([&](Operation *op) { return quotient(op); })
      .Case([&](arith::CmpIOp op) { return ofComparison(op); })
      .Case([&](arith::CmpFOp op) { return ofComparison(op); })
      .Case<arith::ExtSIOp, arith::ExtUIOp>([&](Operation *op) -> Text { // An integer is what it was.
        return op->getOperand(0).getType().isInteger(1) ? std::nullopt : of(op->getOperand(0));
      })
      .Default(Text());
}

Text ShapeExpressions::ofParameter(BlockArgument argument) const {
  const std::string &name = names[argument.getArgNumber()];
  if (isa<tile::ArrayType>(argument.getType()) || name.empty())
    return std::nullopt;
  if (argument.getType().isInteger(1))
    return "c10::SymBool(" + name + ")";
  return isa<IntegerType>(argument.getType()) ? "c10::SymInt(" + name + ")" : name;
}

Text ShapeExpressions::ofConstant(arith::ConstantOp op) const {
  if (op.getType().isInteger(1))
    return cast<IntegerAttr>(op.getValue()).getValue().isZero() ? "c10::SymBool(false)" : always;
  if (auto number = dyn_cast<IntegerAttr>(op.getValue()))
    return "c10::SymInt(" + integerLiteral(number.getValue(), /*isUnsigned=*/false).text + ")";
  return literal(op.getValue(), op.getType()).text;
}

Text ShapeExpressions::ofExtent(tile::DimOp op) const {
  if (auto empty = op.getSource().getDefiningOp<tile::EmptyOp>())
    return of(empty.getDims()[op.getAxis()]);
  auto array = dyn_cast<BlockArgument>(op.getSource());
  if (!array || array.getOwner() != &entry.getBody().front())
    return std::nullopt;
  return "pytorch::extent(" + names[array.getArgNumber()] + ", " + std::to_string(op.getAxis()) + ")";
}

Text ShapeExpressions::binary(Operation *op, const char *between) const {
  Text left = of(op->getOperand(0)), right = of(op->getOperand(1));
  return left && right ? Text(parenthesised(*left + between + *right)) : std::nullopt;
}

Text ShapeExpressions::method(Operation *op, const char *name) const {
  Text left = of(op->getOperand(0)), right = of(op->getOperand(1));
  return left && right ? Text(*left + "." + name + "(" + *right + ")") : std::nullopt;
}

/// By a constant, so that it is not by zero.
Text ShapeExpressions::quotient(Operation *op) const {
  auto divisor = op->getOperand(1).getDefiningOp<arith::ConstantOp>();
  if (!divisor || cast<IntegerAttr>(divisor.getValue()).getInt() <= 0 || !isNotNegative(op->getOperand(0)))
    return std::nullopt;
  return binary(op, isa<arith::DivSIOp>(op) ? " / " : " % ");
}

/// Of a truth value: `x ^ true`.
Text ShapeExpressions::negation(arith::XOrIOp op) const {
  Text text = op.getType().isInteger(1) && matchPattern(op.getRhs(), m_One()) ? of(op.getLhs()) : std::nullopt;
  return text ? Text(*text + ".sym_not()") : std::nullopt;
}

/// Of the greater or the lesser of two; another choice is made when the graph is, which holds where it is made alike.
Text ShapeExpressions::choice(arith::SelectOp op) const {
  Text condition = of(op.getCondition()), left = of(op.getTrueValue()), right = of(op.getFalseValue());
  if (!op.getType().isSignlessInteger(64) || !condition || !left || !right)
    return std::nullopt;
  if (auto compare = op.getCondition().getDefiningOp<arith::CmpIOp>();
      compare && compare.getLhs() == op.getTrueValue() && compare.getRhs() == op.getFalseValue()) {
    if (llvm::is_contained({arith::CmpIPredicate::sgt, arith::CmpIPredicate::sge}, compare.getPredicate()))
      return *left + ".max(" + *right + ")";
    if (llvm::is_contained({arith::CmpIPredicate::slt, arith::CmpIPredicate::sle}, compare.getPredicate()))
      return *left + ".min(" + *right + ")";
  }
  return parenthesised(*condition + ".guard_bool(__FILE__, __LINE__) ? " + *left + " : " + *right);
}

Text ShapeExpressions::ofComparison(arith::CmpIOp op) const {
  if (op.getLhs().getType().isInteger(1))
    return std::nullopt;
  if (op.getLhs() == op.getRhs() && arith::applyCmpPredicate(op.getPredicate(), APInt(64, 0), APInt(64, 0)))
    return always;
  switch (op.getPredicate()) {
  case arith::CmpIPredicate::eq:
    return method(op, "sym_eq");
  case arith::CmpIPredicate::ne:
    return method(op, "sym_ne");
  case arith::CmpIPredicate::slt:
    return method(op, "sym_lt");
  case arith::CmpIPredicate::sle:
    return method(op, "sym_le");
  case arith::CmpIPredicate::sgt:
    return method(op, "sym_gt");
  case arith::CmpIPredicate::sge:
    return method(op, "sym_ge");
  default:
    return std::nullopt;
  }
}

Text ShapeExpressions::ofComparison(arith::CmpFOp op) const {
  const char *between = op.getPredicate() == arith::CmpFPredicate::OGT   ? " > "
                        : op.getPredicate() == arith::CmpFPredicate::OGE ? " >= "
                        : op.getPredicate() == arith::CmpFPredicate::OLT ? " < "
                        : op.getPredicate() == arith::CmpFPredicate::OLE ? " <= "
                                                                         : nullptr;
  Text text = between ? binary(op, between) : std::nullopt;
  return text ? Text("c10::SymBool" + *text) : std::nullopt;
}

std::optional<Shapes> shapesOf(tile::EntryOp entry, ArrayRef<std::string> names) {
  ShapeExpressions expressions(entry, names);
  Shapes shapes;
  Block &body = entry.getBody().front();
  for (Value result : body.getTerminator()->getOperands()) {
    auto empty = result.getDefiningOp<tile::EmptyOp>();
    if (!empty)
      return std::nullopt;
    std::vector<std::string> &dims = shapes.results.emplace_back();
    for (Value dim : empty.getDims()) {
      Text text = expressions.of(dim);
      if (!text)
        return std::nullopt;
      dims.push_back(*text);
    }
  }
  for (auto check : body.getOps<tile::CheckOp>()) {
    Text condition = expressions.of(check.getCondition());
    std::vector<std::string> numbers;
    for (Value number : check.getNumbers())
      if (Text text = expressions.of(number))
        numbers.push_back(*text);
    if (condition && *condition != always && numbers.size() == check.getNumbers().size())
      shapes.checks.push_back({*condition, check.getMessage().str(), std::move(numbers)});
  }
  return shapes;
}

} // namespace tegula::stub
