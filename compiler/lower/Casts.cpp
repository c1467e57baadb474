// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile.cast on registers. Floats round once, to nearest even; floats to integers truncate and saturate, NaN gives 0.
#include "lower/ScalarBuilder.h"

using namespace mlir;

namespace tegula::lower {

static bool isHalf(Type type) { return type.isF16() || type.isBF16(); }

/// A float or an integer, to be rounded again to 16 bits, as an f32 that makes this second rounding the only one: cut
/// off towards zero, with the last bit set if anything was cut off.
Value ScalarBuilder::toOddFloat(Value value, Type from) {
  Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
  bool isSigned = classOf(from) == ElementClass::Signed;
  bool is64 = registerType(from).isInteger(64);
  return forEachLane(value, [&](ValueRange lane) {
    Value x = lane.front(), cut, inexact;
    if (isa<FloatType>(from)) {
      cut = intrinsic("llvm.nvvm.d2f.rz", f32, x);
      Value back = builder.create<arith::ExtFOp>(loc, x.getType(), cut);
      inexact = compare(arith::CmpFPredicate::ONE, back, x); // false for NaN, which stays what it is
    } else {
      StringRef there = is64 ? (isSigned ? "llvm.nvvm.ll2f.rz" : "llvm.nvvm.ull2f.rz")
                             : (isSigned ? "llvm.nvvm.i2f.rz" : "llvm.nvvm.ui2f.rz");
      StringRef andBack = is64 ? (isSigned ? "llvm.nvvm.f2ll.rz" : "llvm.nvvm.f2ull.rz")
                               : (isSigned ? "llvm.nvvm.f2i.rz" : "llvm.nvvm.f2ui.rz");
      cut = intrinsic(there, f32, x);
      inexact = compare(arith::CmpIPredicate::ne, intrinsic(andBack, x.getType(), cut), x);
    }
    Value bits = create<arith::BitcastOp>(i32, cut);
    bits = create<arith::OrIOp>(bits, create<arith::ExtUIOp>(i32, inexact));
    return create<arith::BitcastOp>(f32, bits);
  });
}

Value ScalarBuilder::integerToFloat(Value value, Type from, Type to) {
  Type result = withElement(value.getType(), to);
  // NVPTX has no instruction from 32 or 64 bits to bf16, and what LLVM does instead rounds twice.
  if (to.isBF16() && from.getIntOrFloatBitWidth() >= 32) {
    Value odd = toOddFloat(value, from);
    return create<arith::TruncFOp>(result, odd);
  }
  if (to.isBF16()) { // Up to 16 bits are exact in f32.
    Value exact = integerToFloat(value, from, builder.getF32Type());
    return create<arith::TruncFOp>(result, exact);
  }
  if (classOf(from) == ElementClass::Signed)
    return create<arith::SIToFPOp>(result, value);
  return create<arith::UIToFPOp>(result, value);
}

/// PTX converts with saturation, where LLVM's own conversions are undefined.
Value ScalarBuilder::floatToInteger(Value value, Type to) {
  Type from = getElementTypeOrSelf(value.getType());
  if (isHalf(from)) {
    from = builder.getF32Type();
    value = create<arith::ExtFOp>(withElement(value.getType(), from), value);
  }
  bool isSigned = classOf(to) == ElementClass::Signed;
  unsigned width = to.getIntOrFloatBitWidth();
  bool is64 = width == 64, isDouble = from.isF64();
  Type wide = is64 ? builder.getI64Type() : builder.getI32Type();
  std::string name =
      std::string("llvm.nvvm.") + (isDouble ? "d2" : "f2") + (isSigned ? "" : "u") + (is64 ? "ll" : "i") + ".rz";
  Value result = forEachLane(value, [&](ValueRange lane) -> Value {
    Value x = lane.front();
    Value integerValue = intrinsic(name, wide, x);
    if (is64 || isDouble) { // NaN gives 0 in the other cases.
      Value isNumber = compare(arith::CmpFPredicate::ORD, x, x);
      integerValue = select(isNumber, integerValue, integer(wide, 0));
    }
    if (width >= 32)
      return integerValue;
    if (isSigned) {
      integerValue = create<arith::MaxSIOp>(integerValue, integer(wide, -(int64_t(1) << (width - 1))));
      return create<arith::MinSIOp>(integerValue, integer(wide, (int64_t(1) << (width - 1)) - 1));
    }
    return create<arith::MinUIOp>(integerValue, integer(wide, (int64_t(1) << width) - 1));
  });
  if (width >= 32)
    return result;
  return create<arith::TruncIOp>(withElement(result.getType(), registerType(to)), result);
}

Value ScalarBuilder::cast(Value value, Type from, Type to) {
  if (from == to)
    return value;
  ElementClass source = classOf(from), target = classOf(to);
  Type result = withElement(value.getType(), registerType(to));
  if (target == ElementClass::Bool) {
    if (source == ElementClass::Float)
      return compare(arith::CmpFPredicate::UNE, value, zero(value.getType()));
    return compare(arith::CmpIPredicate::ne, value, zero(value.getType()));
  }
  if (source == ElementClass::Float && target == ElementClass::Float) {
    unsigned fromWidth = from.getIntOrFloatBitWidth(), toWidth = to.getIntOrFloatBitWidth();
    if (toWidth > fromWidth)
      return create<arith::ExtFOp>(result, value);
    if (from.isF64() && to.isBF16())
      return create<arith::TruncFOp>(result, toOddFloat(value, from));
    if (fromWidth > toWidth)
      return create<arith::TruncFOp>(result, value);
    Value exact = create<arith::ExtFOp>(withElement(value.getType(), builder.getF32Type()), value);
    return create<arith::TruncFOp>(result, exact);
  }
  if (source == ElementClass::Float)
    return floatToInteger(value, to);
  if (target == ElementClass::Float)
    return integerToFloat(value, from, to);
  unsigned fromWidth = from.getIntOrFloatBitWidth(), toWidth = to.getIntOrFloatBitWidth();
  if (fromWidth == toWidth)
    return value;
  if (fromWidth > toWidth)
    return create<arith::TruncIOp>(result, value);
  if (source == ElementClass::Signed)
    return create<arith::ExtSIOp>(result, value);
  return create<arith::ExtUIOp>(result, value);
}

} // namespace tegula::lower
