// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/Expr.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <charconv>

using namespace mlir;

namespace tegula::stub {

bool Expr::mentions(StringRef name) const {
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
    bool begins = at == 0 || !isPart(text[at - 1]);
    bool ends = at + name.size() == text.size() || !isPart(text[at + name.size()]);
    if (begins && ends)
      return true;
  }
  return false;
}

static Binds bindingOf(StringRef op) {
  return llvm::StringSwitch<Binds>(op)
      .Case("||", Binds::LogicalOr)
      .Case("&&", Binds::LogicalAnd)
      .Case("|", Binds::BitOr)
      .Case("^", Binds::BitXor)
      .Case("&", Binds::BitAnd)
      .Cases("==", "!=", Binds::Equality)
      .Cases("<", "<=", ">", ">=", Binds::Relational)
      .Cases("<<", ">>", Binds::Shift)
      .Cases("+", "-", Binds::Sum)
      .Default(Binds::Product);
}

static std::string parenthesised(const Expr &expr, bool needed) { return needed ? "(" + expr.text + ")" : expr.text; }

/// Whether an operand that binds tighter than its operator is still hard to read beside it.
static bool confuses(Binds op, Binds operand) {
  if (operand >= Binds::Unary || operand == op)
    return false;
  switch (op) {
  case Binds::LogicalOr:
    return operand == Binds::LogicalAnd;
  case Binds::LogicalAnd:
    return false;
  case Binds::Sum:
  case Binds::Product:
    return false;
  case Binds::Equality:
  case Binds::Relational:
    return operand <= Binds::Shift;
  default:
    return true;
  }
}

Expr binary(const Expr &left, StringRef op, const Expr &right) {
  Binds binds = bindingOf(op);
  bool associates = op == "&&" || op == "||";
  std::string text = parenthesised(left, left.binds < binds || confuses(binds, left.binds));
  text += " " + op.str() + " ";
  text += parenthesised(right,
                        right.binds < binds || (right.binds == binds && !associates) || confuses(binds, right.binds));
  // Bits of two literals are within their type as they are, and as untyped.
  bool isBitwise = op == "&" || op == "|" || op == "^";
  return {std::move(text), binds, isBitwise && left.isLiteral && right.isLiteral};
}

Expr unary(StringRef op, const Expr &operand) {
  // Two unary operators in a row could merge into another token.
  return {op.str() + parenthesised(operand, operand.binds <= Binds::Unary), Binds::Unary};
}

Expr conditional(const Expr &condition, const Expr &ifTrue, const Expr &ifFalse) {
  auto part = [](const Expr &expr) { return parenthesised(expr, expr.binds == Binds::Conditional); };
  return {part(condition) + " ? " + part(ifTrue) + " : " + part(ifFalse), Binds::Conditional};
}

std::string commaSeparated(ArrayRef<Expr> parts) {
  return llvm::join(llvm::map_range(parts, [](const Expr &part) { return part.text; }), ", ");
}

Expr list(ArrayRef<int64_t> values) {
  return {"{" + llvm::join(llvm::map_range(values, [](int64_t value) { return std::to_string(value); }), ", ") + "}"};
}

Expr call(StringRef function, ArrayRef<Expr> arguments) {
  return {function.str() + "(" + commaSeparated(arguments) + ")"};
}

Expr method(const Expr &object, StringRef member, ArrayRef<Expr> arguments) {
  return {parenthesised(object, object.binds < Binds::Primary) + "." + member.str() + "(" + commaSeparated(arguments) +
          ")"};
}

Expr staticCast(StringRef type, const Expr &operand) { return call("static_cast<" + type.str() + ">", operand); }

Expr braced(StringRef type, const Expr &operand) { return {type.str() + "{" + operand.text + "}"}; }

Expr number(int64_t value) { return {std::to_string(value), Binds::Primary, /*isLiteral=*/true}; }

Expr integerLiteral(const APInt &value, bool isUnsigned) {
  unsigned width = value.getBitWidth();
  if (isUnsigned) {
    std::string digits = toString(value, 10, /*Signed=*/false);
    // Without a suffix, a number that no signed type holds draws a warning.
    std::string suffix = width == 32 || (width == 64 && value.isNegative()) ? "U" : "";
    return {digits + suffix, Binds::Primary, /*isLiteral=*/width != 32};
  }
  // -2147483648 is the negation of a number that is no int, and the 64-bit one of none that exists.
  if (width >= 32 && value.isMinSignedValue())
    return {"std::numeric_limits<std::int" + std::to_string(width) + "_t>::min()"};
  std::string digits = toString(value, 10, /*Signed=*/true);
  bool isInt = value.isSignedIntN(32);
  return {std::move(digits), value.isNegative() ? Binds::Unary : Binds::Primary, isInt && width != 32};
}

template <class T> static std::string shortest(T value) {
  char digits[40];
  auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  std::string text(digits, end);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

Expr floatLiteral(const APFloat &value) {
  bool isDouble = &value.getSemantics() == &APFloat::IEEEdouble();
  Binds binds = value.isNegative() ? Binds::Unary : Binds::Primary;
  std::string sign = value.isNegative() ? "-" : "";
  std::string limits = sign + "std::numeric_limits<" + (isDouble ? "double" : "float") + ">::";
  if (value.isInfinity())
    return {limits + "infinity()", binds};
  if (value.isNaN())
    return {limits + "quiet_NaN()", binds};
  return {isDouble ? shortest(value.convertToDouble()) : shortest(value.convertToFloat()) + "F", binds};
}

std::string quoted(StringRef text) {
  std::string result = "\"";
  for (unsigned char c : text.bytes()) {
    switch (c) {
    case '"':
    case '\\':
      result += {'\\', static_cast<char>(c)};
      break;
    case '\n':
      result += "\\n";
      break;
    case '\t':
      result += "\\t";
      break;
    case '?': // "??" begins a trigraph in C++14 and before, and warns after.
      result += result.back() == '?' ? "\\?" : "?";
      break;
    default:
      if (c >= 0x20 && c != 0x7f)
        result += static_cast<char>(c); // UTF-8 stays as it is.
      else                              // Three octal digits: no digit that follows can join them.
        result +=
            {'\\', static_cast<char>('0' + c / 64), static_cast<char>('0' + c / 8 % 8), static_cast<char>('0' + c % 8)};
    }
  }
  return result + "\"";
}

} // namespace tegula::stub
