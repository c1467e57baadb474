// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ expressions as text that knows how tightly it binds, so that printing adds exactly the parentheses that are
// needed.
#pragma once

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tegula::stub {

/// From loose to tight.
enum class Binds {
  Conditional,
  LogicalOr,
  LogicalAnd,
  BitOr,
  BitXor,
  BitAnd,
  Equality,
  Relational,
  Shift,
  Sum,
  Product,
  Unary,
  Primary
};

struct Expr {
  std::string text;
  Binds binds = Binds::Primary;
  /// An integer literal: it has the type `int` wherever C++ deduces a type.
  bool isLiteral = false;

  /// Longer than reads well within another: it gets a name of its own.
  bool isLong() const { return text.size() > 70; }

  Expr() = default;
  Expr(std::string text, Binds binds = Binds::Primary, bool isLiteral = false)
      : text(std::move(text)), binds(binds), isLiteral(isLiteral) {}
  bool operator==(const Expr &other) const { return text == other.text; }
  /// Whether an identifier occurs in it.
  bool mentions(llvm::StringRef name) const;
};

/// `left op right`; what binds alike is grouped from the left. Operators that readers and compilers find confusing side
/// by side (`a && b || c`, `a & b == c`, shifts of sums) get parentheses although C++ needs none.
Expr binary(const Expr &left, llvm::StringRef op, const Expr &right);
/// `!x`, `-x`, `~x`.
Expr unary(llvm::StringRef op, const Expr &operand);
Expr conditional(const Expr &condition, const Expr &ifTrue, const Expr &ifFalse);
/// `function(a, b)`.
Expr call(llvm::StringRef function, llvm::ArrayRef<Expr> arguments);
/// `object.member(a, b)`.
Expr method(const Expr &object, llvm::StringRef member, llvm::ArrayRef<Expr> arguments);
/// `static_cast<type>(x)`.
Expr staticCast(llvm::StringRef type, const Expr &operand);
/// `type{x}`: a conversion that loses nothing.
Expr braced(llvm::StringRef type, const Expr &operand);

std::string commaSeparated(llvm::ArrayRef<Expr> parts);

/// `{1, 2, 3}`.
Expr list(llvm::ArrayRef<int64_t> values);

/// A literal of type `int`.
Expr number(int64_t value);
/// A literal of an integer type of 8 to 64 bits. Its C++ type is `int` unless the value needs more; see
/// Expr::isLiteral.
Expr integerLiteral(const llvm::APInt &value, bool isUnsigned);
/// The shortest decimal that reads back as the same float or double.
Expr floatLiteral(const llvm::APFloat &value);
/// A quoted string literal.
std::string quoted(llvm::StringRef text);

} // namespace tegula::stub
