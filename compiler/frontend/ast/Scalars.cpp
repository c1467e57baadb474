// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++'s arithmetic on numbers: computed if both sides are constant, else an op of arith.
#include "frontend/Importer.h"

#include "ir/HostAttributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace clang;
namespace arith = mlir::arith;

namespace tegula::frontend {

// ---- Conversions ----------------------------------------------------------------------------------------------------

static Leaf convertConstant(const TypeMap &types, const ASTContext &ast, const Leaf &leaf, QualType to) {
  if (const llvm::APSInt *integer = leaf.integer()) {
    if (to->isBooleanType())
      return llvm::APSInt(llvm::APInt(1, !integer->isZero()), /*isUnsigned=*/true);
    if (types.isFloating(to)) {
      llvm::APFloat result(types.semantics(to));
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
    value.convert(types.semantics(to), llvm::APFloat::rmNearestTiesToEven, &isInexact);
    return value;
  }
  llvm::APSInt result(ast.getIntWidth(to), to->isUnsignedIntegerOrEnumerationType());
  value.convertToInteger(result, llvm::APFloat::rmTowardZero, &isInexact);
  return result;
}

static mlir::Value convertFloat(mlir::OpBuilder &builder, mlir::Value value, mlir::Type to, mlir::Location where) {
  unsigned from = value.getType().getIntOrFloatBitWidth(), width = to.getIntOrFloatBitWidth();
  if (from == width) { // f16 and bf16 are computed in f32.
    value = builder.create<arith::ExtFOp>(where, builder.getF32Type(), value);
    return builder.create<arith::TruncFOp>(where, to, value);
  }
  if (from < width)
    return builder.create<arith::ExtFOp>(where, to, value);
  return builder.create<arith::TruncFOp>(where, to, value);
}

mlir::Value Importer::ofHost(mlir::Value value, QualType type) {
  mlir::Operation *op = value.getDefiningOp();
  if (!isOnDevice() && types.isUnsigned(type) &&
      isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp, arith::TruncIOp>(op))
    op->setAttr(tile::wraps, builder.getUnitAttr());
  return value;
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
    return ofHost(builder.create<arith::TruncIOp>(at, type, value), to);
  if (isUnsigned)
    return Leaf(builder.create<arith::ExtUIOp>(at, type, value));
  return Leaf(builder.create<arith::ExtSIOp>(at, type, value));
}

mlir::Value Importer::indexOf(const Leaf &leaf, QualType type, SourceLocation where) {
  Leaf index = convert(leaf, type, ast.getIntTypeForBitwidth(64, /*Signed=*/true), where);
  return materialize(index, ast.getIntTypeForBitwidth(64, /*Signed=*/true), where);
}

bool Importer::indicesOf(mlir::ArrayRef<const Expr *> expressions, mlir::SmallVectorImpl<mlir::Value> &indices) {
  for (const Expr *expression : expressions) {
    Operand index = operand(expression);
    indices.push_back(index.leaf ? indexOf(index.leaf, index.type, expression->getExprLoc()) : mlir::Value());
    if (!indices.back())
      return false;
  }
  return true;
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

/// What integers and floats have in common.
template <class Number> static Leaf foldNumbers(BinaryOperatorKind op, const Number &a, const Number &b) {
  if (std::optional<bool> result = compareConstants(op, a, b))
    return truth(*result);
  switch (op) {
  case BO_Add:
    return a + b;
  case BO_Sub:
    return a - b;
  case BO_Mul:
    return a * b;
  default:
    return {};
  }
}

/// Nothing if the result is not defined.
static Leaf foldIntegers(BinaryOperatorKind op, const llvm::APSInt &a, const llvm::APSInt &b) {
  switch (op) {
  case BO_Shl:
  case BO_Shr: {
    if (b.isNegative() || b.uge(a.getBitWidth()))
      return {};
    unsigned amount = b.getZExtValue();
    return op == BO_Shl ? a << amount : a >> amount;
  }
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
    return foldNumbers(op, a, b);
  }
}

static Leaf foldFloats(BinaryOperatorKind op, const llvm::APFloat &a, const llvm::APFloat &b) {
  return op == BO_Div ? Leaf(a / b) : foldNumbers(op, a, b);
}

namespace {
using Emitter = mlir::Value (*)(mlir::OpBuilder &, mlir::Location, mlir::Value, mlir::Value);

template <class Op> mlir::Value emit(mlir::OpBuilder &builder, mlir::Location where, mlir::Value a, mlir::Value b) {
  return builder.create<Op>(where, a, b);
}
template <arith::CmpIPredicate Predicate>
mlir::Value compare(mlir::OpBuilder &builder, mlir::Location where, mlir::Value a, mlir::Value b) {
  return builder.create<arith::CmpIOp>(where, Predicate, a, b);
}
template <arith::CmpFPredicate Predicate>
mlir::Value compare(mlir::OpBuilder &builder, mlir::Location where, mlir::Value a, mlir::Value b) {
  return builder.create<arith::CmpFOp>(where, Predicate, a, b);
}

/// What an operator is in arith, by the kind of its operands; null where C++ has none.
struct OperatorRow {
  BinaryOperatorKind op;
  Emitter ofSigned, ofUnsigned, ofFloats;
};
} // namespace

using I = arith::CmpIPredicate;
using F = arith::CmpFPredicate;
static constexpr OperatorRow operators[] = {
    {BO_Add, emit<arith::AddIOp>, emit<arith::AddIOp>, emit<arith::AddFOp>},
    {BO_Sub, emit<arith::SubIOp>, emit<arith::SubIOp>, emit<arith::SubFOp>},
    {BO_Mul, emit<arith::MulIOp>, emit<arith::MulIOp>, emit<arith::MulFOp>},
    {BO_Div, emit<arith::DivSIOp>, emit<arith::DivUIOp>, emit<arith::DivFOp>},
    {BO_Rem, emit<arith::RemSIOp>, emit<arith::RemUIOp>, nullptr},
    {BO_And, emit<arith::AndIOp>, emit<arith::AndIOp>, nullptr},
    {BO_Or, emit<arith::OrIOp>, emit<arith::OrIOp>, nullptr},
    {BO_Xor, emit<arith::XOrIOp>, emit<arith::XOrIOp>, nullptr},
    {BO_Shl, emit<arith::ShLIOp>, emit<arith::ShLIOp>, nullptr},
    {BO_Shr, emit<arith::ShRSIOp>, emit<arith::ShRUIOp>, nullptr},
    {BO_LT, compare<I::slt>, compare<I::ult>, compare<F::OLT>},
    {BO_LE, compare<I::sle>, compare<I::ule>, compare<F::OLE>},
    {BO_GT, compare<I::sgt>, compare<I::ugt>, compare<F::OGT>},
    {BO_GE, compare<I::sge>, compare<I::uge>, compare<F::OGE>},
    {BO_EQ, compare<I::eq>, compare<I::eq>, compare<F::OEQ>},
    {BO_NE, compare<I::ne>, compare<I::ne>, compare<F::UNE>},
};

Leaf Importer::binary(BinaryOperatorKind op, const Leaf &lhs, QualType lhsType, const Leaf &rhs, QualType rhsType,
                      SourceLocation where) {
  if (!lhs || !rhs)
    return {};
  bool isShift = op == BO_Shl || op == BO_Shr;
  if (rhs.integer() && ((isShift && (rhs.integer()->isNegative() || rhs.integer()->uge(ast.getIntWidth(lhsType)))) ||
                        ((op == BO_Div || op == BO_Rem) && rhs.integer()->isZero()))) {
    int64_t width = ast.getIntWidth(lhsType);
    if (isShift)
      report(DiagnosticKind::ShiftTooFar, where) << llvm::toString(*rhs.integer(), 10) << width << width - 1;
    else
      report(DiagnosticKind::DivisionByZero, where);
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
  const OperatorRow *row = llvm::find_if(operators, [&](const OperatorRow &row) { return row.op == op; });
  if (a.getType() == b.getType() && row != std::end(operators)) {
    Emitter emitter = types.isFloating(lhsType)   ? row->ofFloats
                      : types.isUnsigned(lhsType) ? row->ofUnsigned
                                                  : row->ofSigned;
    if (emitter)
      return ofHost(emitter(builder, locate(where), a, b), lhsType);
  }
  report(DiagnosticKind::UnsupportedExpression, where);
  return {};
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
  return ofHost(builder.create<arith::SubIOp>(at, constantOf(value.getType(), 0), value), type);
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
