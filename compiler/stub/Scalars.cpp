// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/Scalars.h"

#include "ir/HostAttributes.h"
#include "ir/Locations.h"
#include "ir/TileDialect.h"
#include "stub/Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace tegula::stub {

namespace {
class ScalarPrinter {
public:
  ScalarPrinter(Operation *op, Side side, HostRanges &ranges, function_ref<Expr(Value)> use)
      : op(op), type(op->getResult(0).getType()), side(side), ranges(ranges), use(use) {}
  std::optional<Expr> print();

private:
  Expr operand(unsigned i) { return use(op->getOperand(i)); }
  Type operandType(unsigned i = 0) { return op->getOperand(i).getType(); }
  /// With exactly the operand's C++ type.
  Expr exact(unsigned i) { return typed(operand(i), operandType(i)); }
  /// As the unsigned type of the operand's width.
  Expr unsignedOperand(unsigned i) { return staticCast(typeName(unsignedType(operandType(i))), operand(i)); }
  static Type unsignedType(Type type) {
    return IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth(), IntegerType::Unsigned);
  }
  /// Two literals make a number of the operands' type only if one of them has it.
  Expr ofType(const Expr &left, const Expr &right) {
    return left.isLiteral && right.isLiteral ? typed(left, operandType()) : left;
  }
  /// Operators on it do not promote it to another type.
  bool isPlain() { return type.isInteger(32) || type.isInteger(64) || type.isF32() || type.isF64(); }

  Expr helper(StringRef name) { return call(("cpu::" + name).str(), {exact(0), exact(1)}); }
  Expr unsignedHelper(StringRef name) {
    return staticCast(typeName(type), call(("cpu::" + name).str(), {unsignedOperand(0), unsignedOperand(1)}));
  }
  std::optional<Expr> arithmetic(StringRef name);
  std::optional<Expr> division(StringRef name);
  std::optional<Expr> conversion(StringRef name);
  Expr wrapping(StringRef sign, StringRef function);
  /// Whether the host looks that the result has room in its type.
  bool isChecked();
  Expr checkedSum(StringRef sign, StringRef function);
  Expr shift(StringRef function);
  /// A number of 64 bits in the type of the result, which it may not fit into.
  Expr fitted(const Expr &wide);
  Expr wide(unsigned i) { return type.isInteger(64) ? operand(i) : braced("std::int64_t", operand(i)); }
  Expr bits(StringRef sign, StringRef logical, StringRef function);
  Expr compareIntegers(arith::CmpIOp compare);
  Expr compareFloats(arith::CmpFOp compare);

  Operation *op;
  Type type;
  Side side;
  HostRanges &ranges;
  function_ref<Expr(Value)> use;
};
} // namespace

/// Whether a value only counts positions in arrays, so that sums and products of it do not overflow.
static bool isIndex(Value value, unsigned depth = 6) {
  if (!value.getType().isInteger(64))
    return false;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.isSignedIntN(32);
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto loop = dyn_cast<scf::ForOp>(cast<BlockArgument>(value).getOwner()->getParentOp());
    return loop && loop.getInductionVar() == value;
  }
  if (isa<tile::ProgramIdOp, tile::NumProgramsOp, tile::ThreadGroupOp, tile::DimOp>(op))
    return true;
  bool isSum = isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
                   arith::FloorDivSIOp, arith::MinSIOp, arith::MaxSIOp>(op);
  return isSum && depth > 0 && llvm::all_of(op->getOperands(), [&](Value v) { return isIndex(v, depth - 1); });
}

/// What plans compute of other types than indices are scalars of programs, which wrap.
bool ScalarPrinter::isChecked() {
  auto launch = op->getParentOfType<tile::LaunchOp>();
  return side == Side::Host && isa<IntegerType>(type) && !type.isInteger(1) && !op->hasAttr(tile::wraps) &&
         (type.isInteger(64) || !launch);
}

Expr ScalarPrinter::fitted(const Expr &wide) {
  return call("abi::fit<" + typeName(type) + ">", {wide, quoted(whereaboutsOf(op))});
}

Expr ScalarPrinter::checkedSum(StringRef sign, StringRef function) {
  if (type.isInteger(64))
    return call(("abi::" + function).str(), {operand(0), operand(1), quoted(whereaboutsOf(op))});
  return fitted(binary(wide(0), sign, wide(1))); // Nothing that is narrower overflows 64 bits.
}

Expr ScalarPrinter::wrapping(StringRef sign, StringRef function) {
  if (isChecked() && !ranges.fits(op))
    return checkedSum(sign, function);
  // cpu::mul keeps the compiler from fusing a product with a sum.
  bool isExact = isChecked() ? isPlain() : isIndex(op->getResult(0));
  if (isa<FloatType>(type) ? isPlain() && sign != "*" : isExact)
    return binary(ofType(operand(0), operand(1)), sign, operand(1));
  return helper(function);
}

Expr ScalarPrinter::shift(StringRef function) {
  unsigned width = type.getIntOrFloatBitWidth();
  bool isUnsigned = isa<arith::ShRUIOp>(op);
  Expr amount = isUnsigned ? unsignedOperand(1) : exact(1);
  if (side == Side::Host && !ranges.of(op->getOperand(1)).isWithin({0, width - 1})) {
    amount = call("abi::shift_amount", {operand(1), std::to_string(width), quoted(whereaboutsOf(op))});
    if (!type.isInteger(64) || isUnsigned)
      amount = staticCast(typeName(isUnsigned ? unsignedType(type) : type), amount);
  }
  if (isa<arith::ShLIOp>(op) && isChecked() && !ranges.fits(op)) {
    Expr shifted = call("abi::shift_left", {operand(0), amount, quoted(whereaboutsOf(op))});
    return type.isInteger(64) ? shifted : fitted(shifted);
  }
  Expr shifted = call(("cpu::" + function).str(), {isUnsigned ? unsignedOperand(0) : exact(0), amount});
  return isUnsigned ? staticCast(typeName(type), shifted) : shifted;
}

Expr ScalarPrinter::bits(StringRef sign, StringRef logical, StringRef function) {
  if (type.isInteger(1))
    return binary(operand(0), logical, operand(1));
  return isPlain() ? binary(operand(0), sign, operand(1)) : helper(function);
}

static StringRef sign(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return "==";
  case P::ne:
    return "!=";
  case P::slt:
  case P::ult:
    return "<";
  case P::sle:
  case P::ule:
    return "<=";
  case P::sgt:
  case P::ugt:
    return ">";
  case P::sge:
  case P::uge:
    return ">=";
  }
  llvm_unreachable("every predicate is named above");
}

Expr ScalarPrinter::compareIntegers(arith::CmpIOp compare) {
  using P = arith::CmpIPredicate;
  P predicate = compare.getPredicate();
  bool isUnsigned = predicate == P::ult || predicate == P::ule || predicate == P::ugt || predicate == P::uge;
  if (isUnsigned)
    return binary(unsignedOperand(0), sign(predicate), unsignedOperand(1));
  return binary(operand(0), sign(predicate), operand(1));
}

Expr ScalarPrinter::compareFloats(arith::CmpFOp compare) {
  using P = arith::CmpFPredicate;
  bool isNarrow = isNarrowFloat(operandType());
  auto ordered = [&](StringRef name, StringRef sign) {
    return isNarrow ? helper(name) : binary(operand(0), sign, operand(1));
  };
  auto unordered = [&](StringRef opposite, StringRef sign) { return unary("!", ordered(opposite, sign)); };
  auto isNan = [&](unsigned i) { return call("cpu::ne", {exact(i), exact(i)}); };
  Expr isUnordered = binary(isNan(0), "||", isNan(1));
  switch (compare.getPredicate()) {
  case P::AlwaysFalse:
    return {"false"};
  case P::AlwaysTrue:
    return {"true"};
  case P::OEQ:
    return ordered("eq", "==");
  case P::OGT:
    return ordered("gt", ">");
  case P::OGE:
    return ordered("ge", ">=");
  case P::OLT:
    return ordered("lt", "<");
  case P::OLE:
    return ordered("le", "<=");
  case P::UNE:
    return ordered("ne", "!=");
  case P::ULE:
    return unordered("gt", ">");
  case P::ULT:
    return unordered("ge", ">=");
  case P::UGE:
    return unordered("lt", "<");
  case P::UGT:
    return unordered("le", "<=");
  case P::UEQ:
    return binary(ordered("eq", "=="), "||", isUnordered);
  case P::ONE:
    return binary(ordered("lt", "<"), "||", ordered("gt", ">"));
  case P::UNO:
    return isUnordered;
  case P::ORD:
    return unary("!", isUnordered);
  }
  llvm_unreachable("every predicate is named above");
}

std::optional<Expr> ScalarPrinter::division(StringRef name) {
  StringRef sign = llvm::StringSwitch<StringRef>(name).Case("divsi", "/").Case("remsi", "%").Default("");
  APInt divisor;
  bool isSafe = matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) && !divisor.isZero() && !divisor.isAllOnes();
  if (!sign.empty() && isSafe && isPlain()) {
    Expr dividend = operand(0), by = operand(1);
    return binary(ofType(dividend, by), sign, by);
  }
  StringRef checked = llvm::StringSwitch<StringRef>(name)
                          .Case("divsi", side == Side::Host ? "abi::div" : "")
                          .Case("remsi", side == Side::Host ? "abi::rem" : "")
                          .Case("divui", side == Side::Host ? "abi::unsigned_div" : "")
                          .Case("remui", side == Side::Host ? "abi::unsigned_rem" : "")
                          .Case("ceildivsi", "abi::ceil_div")
                          .Case("floordivsi", "abi::floor_div")
                          .Default("");
  if (!checked.empty()) { // Narrower integers widen without loss.
    bool isUnsigned = checked.starts_with("abi::unsigned");
    SmallVector<Expr> arguments;
    for (unsigned i : {0, 1})
      arguments.push_back(isUnsigned ? unsignedOperand(i) : operand(i));
    if (!isSafe || isUnsigned)
      arguments.push_back(quoted(whereaboutsOf(op)));
    Expr quotient = call(checked, arguments);
    if (type.isInteger(64) && !isUnsigned)
      return quotient;
    bool mayOverflow = isChecked() && !isUnsigned && !isSafe && checked != "abi::rem"; // The least one by -1.
    return mayOverflow ? fitted(quotient) : staticCast(typeName(type), quotient);
  }
  if (name == "divsi" || name == "remsi")
    return helper(name.drop_back(2));
  if (name == "divui" || name == "remui")
    return unsignedHelper(name.drop_back(2));
  if (name == "ceildivui") { // Not (a + b - 1) / b, which could overflow.
    Expr quotient = unsignedHelper("div"), rest = unsignedHelper("rem");
    return call("cpu::add", {quotient, staticCast(typeName(type), binary(rest, "!=", {"0"}))});
  }
  return std::nullopt;
}

std::optional<Expr> ScalarPrinter::conversion(StringRef name) {
  std::string to = typeName(type);
  if (name == "extsi" && !operandType().isInteger(1))
    return braced(to, operand(0));
  if (name == "extui")
    return operandType().isInteger(1) ? braced(to, operand(0)) : staticCast(to, unsignedOperand(0));
  if (name == "trunci" && isChecked() && !ranges.fits(op))
    return fitted(operand(0));
  if ((name == "fptosi" || name == "fptoui") && side == Side::Host && !op->getParentOfType<tile::LaunchOp>()) {
    std::string target = name == "fptosi" ? to : typeName(unsignedType(type));
    Expr whole = call("abi::fit_float<" + target + ">", {operand(0), quoted(whereaboutsOf(op))});
    return name == "fptosi" ? whole : staticCast(to, whole);
  }
  if (name == "trunci")
    return type.isInteger(1) ? binary(binary(operand(0), "&", {"1"}), "!=", {"0"}) : staticCast(to, operand(0));
  if ((name == "sitofp" && !operandType().isInteger(1)) || name == "extf" || name == "truncf" || name == "fptosi")
    return call("cpu::cast<" + to + ">", exact(0));
  if (name == "uitofp")
    return call("cpu::cast<" + to + ">", operandType().isInteger(1) ? operand(0) : unsignedOperand(0));
  if (name == "fptoui")
    return staticCast(to, call("cpu::cast<" + typeName(unsignedType(type)) + ">", exact(0)));
  if (name == "bitcast")
    return call("tegula::detail::bit_cast<" + to + ">", exact(0));
  return std::nullopt;
}

std::optional<Expr> ScalarPrinter::arithmetic(StringRef name) {
  if (name == "addi" || name == "addf")
    return wrapping("+", "add");
  if (name == "subi" || name == "subf")
    return wrapping("-", "sub");
  if (name == "muli" || name == "mulf")
    return wrapping("*", "mul");
  if (name == "divf")
    return isPlain() ? binary(operand(0), "/", operand(1)) : helper("div");
  if (name == "negf")
    return isPlain() ? unary("-", operand(0)) : call("cpu::neg", exact(0));
  if (name == "andi")
    return bits("&", "&&", "bit_and");
  if (name == "ori")
    return bits("|", "||", "bit_or");
  if (name == "xori" && type.isInteger(1) && matchPattern(op->getOperand(1), m_One()))
    return unary("!", operand(0));
  if (name == "xori")
    return bits("^", "!=", "bit_xor");
  if (name == "shli")
    return shift("shift_left");
  if (name == "shrsi" || name == "shrui")
    return shift("shift_right");
  if (name == "minsi" || name == "maxsi")
    return type.isInteger(64) ? call(("abi::" + name.drop_back(2)).str(), {operand(0), operand(1)})
                              : helper(name == "minsi" ? "minimum" : "maximum");
  if (name == "minui" || name == "maxui")
    return unsignedHelper(name == "minui" ? "minimum" : "maximum");
  if (name == "maximumf" || name == "minimumf")
    return helper(name.drop_back(1));
  return std::nullopt;
}

std::optional<Expr> ScalarPrinter::print() {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<IntegerType, FloatType>(type) ? std::optional(literal(constant.getValue(), type)) : std::nullopt;
  if (!isa<IntegerType, FloatType>(type))
    return std::nullopt;
  if (isa<ub::PoisonOp>(op)) // Any value will do.
    return literal(Builder(op->getContext()).getZeroAttr(type), type);
  if (!isa<arith::ArithDialect>(op->getDialect()))
    return std::nullopt;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compareIntegers(compare);
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return compareFloats(compare);
  if (isa<arith::SelectOp>(op))
    return choice(operand(0), operand(1), operand(2), type);
  StringRef name = op->getName().stripDialect();
  if (std::optional<Expr> result = arithmetic(name))
    return result;
  if (name.contains("div") || name.starts_with("rem"))
    return division(name);
  return conversion(name);
}

std::string whereaboutsOf(Operation *op) {
  auto entry = op->getParentOfType<tile::EntryOp>();
  std::string where = entry ? entry.getQualifiedName().str() : "an entry";
  if (SmallVector<FileLineColLoc, 2> lines = tile::linesOf(op->getLoc()); !lines.empty())
    where += " (" + llvm::sys::path::filename(lines.front().getFilename()).str() + ":" +
             std::to_string(lines.front().getLine()) + ")";
  return where;
}

std::optional<Expr> scalarExpr(Operation *op, Side side, HostRanges &ranges, function_ref<Expr(Value)> use) {
  if (op->getNumResults() != 1)
    return std::nullopt;
  return ScalarPrinter(op, side, ranges, use).print();
}

Expr choice(const Expr &condition, const Expr &ifTrue, const Expr &ifFalse, Type type) {
  if (type.isInteger(1)) {
    if (ifFalse.text == "false")
      return binary(condition, "&&", ifTrue);
    if (ifTrue.text == "true")
      return binary(condition, "||", ifFalse);
    if (ifTrue.text == "false")
      return binary(unary("!", condition), "&&", ifFalse);
    if (ifFalse.text == "true")
      return binary(unary("!", condition), "||", ifTrue);
  }
  // One side tells the other what type it has, unless that is narrower than a literal's.
  bool isNarrow = type.isInteger(8) || type.isInteger(16);
  bool bothLiteral = ifTrue.isLiteral && ifFalse.isLiteral;
  auto side = [&](const Expr &expr, bool isTold) { return expr.isLiteral && !isTold ? typed(expr, type) : expr; };
  return conditional(condition, side(ifTrue, !isNarrow && !bothLiteral), side(ifFalse, !isNarrow));
}

} // namespace tegula::stub
