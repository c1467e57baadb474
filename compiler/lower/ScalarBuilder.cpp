// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ScalarBuilder.h"

#include "ir/TileDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tegula::lower {

ElementClass classOf(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer)
    return ElementClass::Float;
  if (integer.getWidth() == 1)
    return ElementClass::Bool;
  return integer.isUnsigned() ? ElementClass::Unsigned : ElementClass::Signed;
}

Type registerType(Type element) { return tile::scalarTypeOf(element); }

Type withElement(Type like, Type element) {
  if (auto vector = dyn_cast<VectorType>(like))
    return VectorType::get(vector.getShape(), element);
  return element;
}

Value Constants::get(OpBuilder &builder, TypedAttr value) {
  Value &constant = known[value];
  if (!constant) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry);
    constant = builder.create<arith::ConstantOp>(builder.getUnknownLoc(), value);
  }
  return constant;
}

Value ScalarBuilder::integer(Type type, int64_t value) {
  Attribute scalar = builder.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    scalar = SplatElementsAttr::get(vector, scalar);
  return constants.get(builder, mlir::cast<TypedAttr>(scalar));
}

Value ScalarBuilder::real(Type type, double value) {
  Attribute scalar = builder.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    scalar = SplatElementsAttr::get(vector, scalar);
  return constants.get(builder, mlir::cast<TypedAttr>(scalar));
}

// ---- Total integer arithmetic ---------------------------------------------------------------------------------------

/// A divisor by which LLVM may divide: neither 0 nor, signed, -1.
static Value safeDivisor(ScalarBuilder &b, Value isZero, Value isMinusOne, Value divisor) {
  Value bad = isMinusOne ? b.create<arith::OrIOp>(isZero, isMinusOne) : isZero;
  return b.select(bad, b.integer(divisor.getType(), 1), divisor);
}

Value ScalarBuilder::divide(Value a, Value b, bool isSigned) {
  Type type = a.getType();
  Value nothing = integer(type, 0);
  Value isZero = compare(arith::CmpIPredicate::eq, b, nothing);
  if (!isSigned)
    return select(isZero, nothing, create<arith::DivUIOp>(a, safeDivisor(*this, isZero, {}, b)));
  Value isMinusOne = compare(arith::CmpIPredicate::eq, b, integer(type, -1));
  Value quotient = create<arith::DivSIOp>(a, safeDivisor(*this, isZero, isMinusOne, b));
  quotient = select(isMinusOne, create<arith::SubIOp>(nothing, a), quotient);
  return select(isZero, nothing, quotient);
}

Value ScalarBuilder::remainder(Value a, Value b, bool isSigned) {
  // By 1, which stands for the others, it is 0: what the language says of 0, and right for -1.
  Type type = a.getType();
  Value isZero = compare(arith::CmpIPredicate::eq, b, integer(type, 0));
  if (!isSigned)
    return create<arith::RemUIOp>(a, safeDivisor(*this, isZero, {}, b));
  Value isMinusOne = compare(arith::CmpIPredicate::eq, b, integer(type, -1));
  return create<arith::RemSIOp>(a, safeDivisor(*this, isZero, isMinusOne, b));
}

/// Whether a truncated quotient lost something, and the exact one is below zero.
static std::pair<Value, Value> roundedAway(ScalarBuilder &b, Value dividend, Value divisor, Value remainder) {
  Value nothing = b.integer(dividend.getType(), 0);
  Value inexact = b.compare(arith::CmpIPredicate::ne, remainder, nothing);
  Value negative = b.compare(arith::CmpIPredicate::slt, b.create<arith::XOrIOp>(dividend, divisor), nothing);
  return {inexact, negative};
}

Value ScalarBuilder::floorDivide(Value a, Value b) {
  auto [inexact, negative] = roundedAway(*this, a, b, remainder(a, b, true));
  Value quotient = divide(a, b, true);
  Value less = create<arith::SubIOp>(quotient, integer(a.getType(), 1));
  return select(create<arith::AndIOp>(inexact, negative), less, quotient);
}

Value ScalarBuilder::ceilDivide(Value a, Value b) {
  auto [inexact, negative] = roundedAway(*this, a, b, remainder(a, b, true));
  Value quotient = divide(a, b, true);
  Value more = create<arith::AddIOp>(quotient, integer(a.getType(), 1));
  return select(inexact, select(negative, quotient, more), quotient);
}

static Value isWithinWidth(ScalarBuilder &b, Value amount) {
  unsigned width = getElementTypeOrSelf(amount.getType()).getIntOrFloatBitWidth();
  return b.compare(arith::CmpIPredicate::ult, amount, b.integer(amount.getType(), width));
}

Value ScalarBuilder::shiftLeft(Value a, Value b) {
  return select(isWithinWidth(*this, b), create<arith::ShLIOp>(a, b), integer(a.getType(), 0));
}

Value ScalarBuilder::shiftRight(Value a, Value b, bool isSigned) {
  if (!isSigned)
    return select(isWithinWidth(*this, b), create<arith::ShRUIOp>(a, b), integer(a.getType(), 0));
  unsigned width = getElementTypeOrSelf(a.getType()).getIntOrFloatBitWidth();
  Value most = integer(b.getType(), width - 1);
  return create<arith::ShRSIOp>(a, select(isWithinWidth(*this, b), b, most));
}

// ---- Vectors --------------------------------------------------------------------------------------------------------

Value ScalarBuilder::splat(Value scalar, int64_t lanes) {
  if (lanes == 1)
    return scalar;
  auto type = VectorType::get(lanes, scalar.getType());
  if (auto constant = scalar.getDefiningOp<arith::ConstantOp>())
    return constants.get(builder, SplatElementsAttr::get(type, constant.getValue()));
  Value one = builder.create<LLVM::PoisonOp>(loc, type);
  one = builder.create<LLVM::InsertElementOp>(loc, one, scalar, integer(builder.getI32Type(), 0));
  return builder.create<LLVM::ShuffleVectorOp>(loc, one, one, SmallVector<int32_t>(lanes, 0));
}

Value ScalarBuilder::copied(Value vector) {
  if (!isa<VectorType>(vector.getType()))
    return {};
  auto shuffle = vector.getDefiningOp<LLVM::ShuffleVectorOp>();
  if (!shuffle || !llvm::all_of(shuffle.getMask(), [](int32_t lane) { return lane == 0; }))
    return {};
  auto one = shuffle.getV1().getDefiningOp<LLVM::InsertElementOp>();
  return one && matchPattern(one.getPosition(), m_Zero()) ? one.getValue() : Value();
}

Value ScalarBuilder::extract(Value vector, int64_t lane) {
  if (!isa<VectorType>(vector.getType()))
    return vector;
  return builder.create<LLVM::ExtractElementOp>(loc, vector, integer(builder.getI32Type(), lane));
}

Value ScalarBuilder::gather(ArrayRef<Value> scalars) {
  if (scalars.size() == 1)
    return scalars.front();
  auto type = VectorType::get(static_cast<int64_t>(scalars.size()), scalars.front().getType());
  Value result = builder.create<LLVM::PoisonOp>(loc, type);
  for (auto [lane, scalar] : llvm::enumerate(scalars))
    result = builder.create<LLVM::InsertElementOp>(loc, result, scalar, integer(builder.getI32Type(), lane));
  return result;
}

Value ScalarBuilder::slice(Value vector, int64_t first, int64_t lanes) {
  if (!isa<VectorType>(vector.getType()) || lanes == 1)
    return extract(vector, first);
  if (lanes == cast<VectorType>(vector.getType()).getNumElements())
    return vector;
  return builder.create<LLVM::ShuffleVectorOp>(loc, vector, vector,
                                               llvm::to_vector(llvm::seq<int32_t>(first, first + lanes)));
}

Value ScalarBuilder::concat(ArrayRef<Value> vectors) {
  if (vectors.size() == 1)
    return vectors.front();
  auto type = dyn_cast<VectorType>(vectors.front().getType());
  if (!type)
    return gather(vectors);
  int32_t lanes = type.getNumElements();
  SmallVector<Value> pairs;
  for (size_t i = 0; i + 1 < vectors.size(); i += 2)
    pairs.push_back(builder.create<LLVM::ShuffleVectorOp>(loc, vectors[i], vectors[i + 1],
                                                          llvm::to_vector(llvm::seq<int32_t>(0, 2 * lanes))));
  return concat(pairs);
}

Value ScalarBuilder::forEachLane(ValueRange operands, llvm::function_ref<Value(ValueRange)> function) {
  auto type = dyn_cast<VectorType>(operands.front().getType());
  if (!type)
    return function(operands);
  SmallVector<Value> results;
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
    results.push_back(function(llvm::map_to_vector(operands, [&](Value operand) { return extract(operand, lane); })));
    if (!results.back())
      return {};
  }
  return gather(results);
}

// ---- Calls ----------------------------------------------------------------------------------------------------------

Value ScalarBuilder::intrinsic(StringRef name, Type result, ValueRange operands) {
  return builder.create<LLVM::CallIntrinsicOp>(loc, result, builder.getStringAttr(name), operands).getResults();
}

Value ScalarBuilder::assembly(StringRef text, StringRef constraints, Type result, ValueRange operands) {
  return builder
      .create<LLVM::InlineAsmOp>(loc, result, operands, builder.getStringAttr(text), builder.getStringAttr(constraints),
                                 /*has_side_effects=*/false, /*is_align_stack=*/false, LLVM::AsmDialectAttr(),
                                 ArrayAttr())
      .getRes();
}

Value ScalarBuilder::call(StringRef name, Type result, ValueRange operands) {
  auto module = builder.getBlock()->getParent()->getParentOfType<ModuleOp>();
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMFunctionType::get(result, llvm::to_vector(operands.getTypes()));
    function = builder.create<LLVM::LLVMFuncOp>(builder.getUnknownLoc(), name, type);
  }
  return builder.create<LLVM::CallOp>(loc, function, operands).getResult();
}

} // namespace tegula::lower
