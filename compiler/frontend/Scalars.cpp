// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++'s arithmetic on numbers: computed if both sides are constant, else an op of arith.
#include "frontend/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace clang;
namespace arith = mlir::arith;

namespace tegula::frontend {

// ---- Conversions ----------------------------------------------------------------------------------------------------

static const llvm::fltSemantics &semanticsOf(const TypeMap &types, const ASTContext &ast, QualType type) {
  if (types.known(type) == Known::F16)
    return llvm::APFloat::IEEEhalf();
  if (types.known(type) == Known::BF16)
    return llvm::APFloat::BFloat();
  return ast.getFloatTypeSemantics(type);
}

static Leaf convertConstant(const TypeMap &types, const ASTContext &ast, const Leaf &leaf, QualType to) {
  if (const llvm::APSInt *integer = leaf.integer()) {
    if (to->isBooleanType())
      return llvm::APSInt(llvm::APInt(1, !integer->isZero()), /*isUnsigned=*/true);
    if (types.isFloating(to)) {
      llvm::APFloat result(semanticsOf(types, ast, to));
      result.convertFromAPInt(*integer, integer->isSigned(), llvm::APFloat::rmNearestTiesToEven);
      return result;
    }
    llvm::APSInt result = integer->extOrTrunc(ast.getIntWidth(to));
    result.setIsUnsigned(to->isUnsignedIntegerOrEnumerationType());
    return result;
  }
  llvm::APFloat value = *leaf.floating();
  bool isInexact = false;
  if (to->isBooleanType())
    return llvm::APSInt(llvm::APInt(1, !value.isZero()), /*isUnsigned=*/true);
  if (types.isFloating(to)) {
    value.convert(semanticsOf(types, ast, to), llvm::APFloat::rmNearestTiesToEven, &isInexact);
    return value;
  }
  llvm::APSInt result(ast.getIntWidth(to), to->isUnsignedIntegerOrEnumerationType());
  value.convertToInteger(result, llvm::APFloat::rmTowardZero, &isInexact);
  return result;
}

static mlir::Value convertFloat(mlir::OpBuilder &builder, mlir::Value value, mlir::Type to, mlir::Location where) {
  unsigned from = value.getType().getIntOrFloatBitWidth(), width = to.getIntOrFloatBitWidth();
  if (from == width) { // f16 and bf16 meet in f32.
    value = builder.create<arith::ExtFOp>(where, builder.getF32Type(), value);
    return builder.create<arith::TruncFOp>(where, to, value);
  }
  if (from < width)
    return builder.create<arith::ExtFOp>(where, to, value);
  return builder.create<arith::TruncFOp>(where, to, value);
}

Leaf Importer::convert(const Leaf &leaf, QualType from, QualType to, SourceLocation where) {
  from = from.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  to = to.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (!leaf || from == to || !types.isScalar(from) || !types.isScalar(to))
    return leaf;
  if (leaf.isConstant())
    return convertConstant(types, ast, leaf, to);
  mlir::Value value = leaf.value();
  mlir::Type type = types.scalar(to);
  if (!type || !value) {
    report(DiagnosticKind::UnsupportedScalar, where) << to;
    return {};
  }
  mlir::Location at = locate(where);
  if (type == value.getType() && to->isBooleanType() == from->isBooleanType())
    return leaf;
  if (types.isFloating(from)) {
    if (to->isBooleanType()) {
      mlir::Value zero = constantOf(builder.getFloatAttr(value.getType(), 0.0));
      return Leaf(builder.create<arith::CmpFOp>(at, arith::CmpFPredicate::UNE, value, zero));
    }
    if (types.isFloating(to))
      return Leaf(convertFloat(builder, value, type, at));
    if (types.isUnsigned(to))
      return Leaf(builder.create<arith::FPToUIOp>(at, type, value));
    return Leaf(builder.create<arith::FPToSIOp>(at, type, value));
  }
  bool isUnsigned = types.isUnsigned(from) || from->isBooleanType();
  if (to->isBooleanType())
    return Leaf(builder.create<arith::CmpIOp>(at, arith::CmpIPredicate::ne, value, constantOf(value.getType(), 0)));
  if (types.isFloating(to)) {
    if (isUnsigned)
      return Leaf(builder.create<arith::UIToFPOp>(at, type, value));
    return Leaf(builder.create<arith::SIToFPOp>(at, type, value));
  }
  unsigned width = value.getType().getIntOrFloatBitWidth(), wanted = type.getIntOrFloatBitWidth();
  if (wanted < width)
    return Leaf(builder.create<arith::TruncIOp>(at, type, value));
  if (isUnsigned)
    return Leaf(builder.create<arith::ExtUIOp>(at, type, value));
  return Leaf(builder.create<arith::ExtSIOp>(at, type, value));
}

mlir::Value Importer::indexOf(const Leaf &leaf, QualType type, SourceLocation where) {
  Leaf index = convert(leaf, type, ast.getIntTypeForBitwidth(64, /*Signed=*/true), where);
  return materialize(index, ast.getIntTypeForBitwidth(64, /*Signed=*/true), where);
}

// ---- Operators ------------------------------------------------------------------------------------------------------

static Leaf truth(bool value) { return llvm::APSInt(llvm::APInt(1, value), /*isUnsigned=*/true); }

template <class Number>
static std::optional<bool> compareConstants(BinaryOperatorKind op, const Number &a, const Number &b) {
  switch (op) {
  case BO_LT:
    return a < b;
  case BO_GT:
    return a > b;
  case BO_LE:
    return a <= b;
  case BO_GE:
    return a >= b;
  case BO_EQ:
    return a == b;
  case BO_NE:
    return a != b;
  default:
    return std::nullopt;
  }
}

/// Nothing if the result is not defined.
static Leaf foldIntegers(BinaryOperatorKind op, const llvm::APSInt &a, const llvm::APSInt &b) {
  bool isShift = op == BO_Shl || op == BO_Shr;
  if (isShift) {
    if (b.isNegative() || b.uge(a.getBitWidth()))
      return {};
    unsigned amount = b.getZExtValue();
    return op == BO_Shl ? a << amount : a >> amount;
  }
  if (std::optional<bool> result = compareConstants(op, a, b))
    return truth(*result);
  switch (op) {
  case BO_Add:
    return a + b;
  case BO_Sub:
    return a - b;
  case BO_Mul:
    return a * b;
  case BO_Div:
    return b.isZero() ? Leaf() : Leaf(a / b);
  case BO_Rem:
    return b.isZero() ? Leaf() : Leaf(a % b);
  case BO_And:
    return a & b;
  case BO_Or:
    return a | b;
  case BO_Xor:
    return a ^ b;
  default:
    return {};
  }
}

static Leaf foldFloats(BinaryOperatorKind op, const llvm::APFloat &a, const llvm::APFloat &b) {
  if (std::optional<bool> result = compareConstants(op, a, b))
    return truth(*result);
  switch (op) {
  case BO_Add:
    return a + b;
  case BO_Sub:
    return a - b;
  case BO_Mul:
    return a * b;
  case BO_Div:
    return a / b;
  default:
    return {};
  }
}

static mlir::Value emitInteger(mlir::OpBuilder &builder, BinaryOperatorKind op, mlir::Value a, mlir::Value b,
                               bool isUnsigned, mlir::Location where) {
  using Predicate = arith::CmpIPredicate;
  auto compare = [&](Predicate ofSigned, Predicate ofUnsigned) -> mlir::Value {
    return builder.create<arith::CmpIOp>(where, isUnsigned ? ofUnsigned : ofSigned, a, b);
  };
  switch (op) {
  case BO_Add:
    return builder.create<arith::AddIOp>(where, a, b);
  case BO_Sub:
    return builder.create<arith::SubIOp>(where, a, b);
  case BO_Mul:
    return builder.create<arith::MulIOp>(where, a, b);
  case BO_And:
    return builder.create<arith::AndIOp>(where, a, b);
  case BO_Or:
    return builder.create<arith::OrIOp>(where, a, b);
  case BO_Xor:
    return builder.create<arith::XOrIOp>(where, a, b);
  case BO_Shl:
    return builder.create<arith::ShLIOp>(where, a, b);
  case BO_LT:
    return compare(Predicate::slt, Predicate::ult);
  case BO_LE:
    return compare(Predicate::sle, Predicate::ule);
  case BO_GT:
    return compare(Predicate::sgt, Predicate::ugt);
  case BO_GE:
    return compare(Predicate::sge, Predicate::uge);
  case BO_EQ:
    return compare(Predicate::eq, Predicate::eq);
  case BO_NE:
    return compare(Predicate::ne, Predicate::ne);
  default:
    break;
  }
  if (isUnsigned) {
    switch (op) {
    case BO_Div:
      return builder.create<arith::DivUIOp>(where, a, b);
    case BO_Rem:
      return builder.create<arith::RemUIOp>(where, a, b);
    case BO_Shr:
      return builder.create<arith::ShRUIOp>(where, a, b);
    default:
      return {};
    }
  }
  switch (op) {
  case BO_Div:
    return builder.create<arith::DivSIOp>(where, a, b);
  case BO_Rem:
    return builder.create<arith::RemSIOp>(where, a, b);
  case BO_Shr:
    return builder.create<arith::ShRSIOp>(where, a, b);
  default:
    return {};
  }
}

static mlir::Value emitFloat(mlir::OpBuilder &builder, BinaryOperatorKind op, mlir::Value a, mlir::Value b,
                             mlir::Location where) {
  using Predicate = arith::CmpFPredicate;
  auto compare = [&](Predicate predicate) -> mlir::Value {
    return builder.create<arith::CmpFOp>(where, predicate, a, b);
  };
  switch (op) {
  case BO_Add:
    return builder.create<arith::AddFOp>(where, a, b);
  case BO_Sub:
    return builder.create<arith::SubFOp>(where, a, b);
  case BO_Mul:
    return builder.create<arith::MulFOp>(where, a, b);
  case BO_Div:
    return builder.create<arith::DivFOp>(where, a, b);
  case BO_LT:
    return compare(Predicate::OLT);
  case BO_LE:
    return compare(Predicate::OLE);
  case BO_GT:
    return compare(Predicate::OGT);
  case BO_GE:
    return compare(Predicate::OGE);
  case BO_EQ:
    return compare(Predicate::OEQ);
  case BO_NE:
    return compare(Predicate::UNE);
  default:
    return {};
  }
}

Leaf Importer::binary(BinaryOperatorKind op, const Leaf &lhs, QualType lhsType, const Leaf &rhs, QualType rhsType,
                      SourceLocation where) {
  if (!lhs || !rhs)
    return {};
  bool isShift = op == BO_Shl || op == BO_Shr;
  if (rhs.integer() && ((isShift && (rhs.integer()->isNegative() || rhs.integer()->uge(ast.getIntWidth(lhsType)))) ||
                        ((op == BO_Div || op == BO_Rem) && rhs.integer()->isZero()))) {
    report(isShift ? DiagnosticKind::ShiftTooFar : DiagnosticKind::DivisionByZero, where);
    return {};
  }
  Leaf folded;
  if (lhs.integer() && rhs.integer())
    folded = foldIntegers(op, *lhs.integer(), *rhs.integer());
  else if (lhs.floating() && rhs.floating())
    folded = foldFloats(op, *lhs.floating(), *rhs.floating());
  if (folded)
    return folded;
  Leaf amount = isShift ? convert(rhs, rhsType, lhsType, where) : rhs;
  mlir::Value a = materialize(lhs, lhsType, where), b = materialize(amount, isShift ? lhsType : rhsType, where);
  if (!a || !b)
    return {};
  mlir::Value result;
  if (a.getType() == b.getType())
    result = types.isFloating(lhsType) ? emitFloat(builder, op, a, b, locate(where))
                                       : emitInteger(builder, op, a, b, types.isUnsigned(lhsType), locate(where));
  if (!result)
    report(DiagnosticKind::UnsupportedExpression, where);
  return result;
}

Leaf Importer::negate(const Leaf &leaf, QualType type, SourceLocation where) {
  if (leaf.integer())
    return -*leaf.integer();
  if (leaf.floating())
    return llvm::neg(*leaf.floating());
  if (!leaf)
    return {};
  mlir::Location at = locate(where);
  mlir::Value value = leaf.value();
  if (types.isFloating(type))
    return Leaf(builder.create<arith::NegFOp>(at, value));
  return Leaf(builder.create<arith::SubIOp>(at, constantOf(value.getType(), 0), value));
}

Leaf Importer::invert(const Leaf &leaf, SourceLocation where) {
  if (leaf.integer())
    return ~*leaf.integer();
  if (!leaf)
    return {};
  mlir::Location at = locate(where);
  mlir::Value value = leaf.value();
  return Leaf(builder.create<arith::XOrIOp>(at, value, constantOf(value.getType(), -1)));
}

} // namespace tegula::frontend
