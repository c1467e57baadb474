// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile.cast on registers. Floats round once, to nearest even; floats to integers truncate and saturate, NaN gives 0.
// tile.stochastic_cast chooses between the two numbers around an f32, and tile.bitcast keeps all bits.
#include "ir/Elements.h"
#include "lower/ScalarBuilder.h"
#include "support/Float8.h"

#include "mlir/IR/Matchers.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace tegula::lower {

static bool isHalf(Type type) { return type.isF16() || type.isBF16(); }

/// One `cvt` of PTX. LLVM's intrinsics for these are rewritten by its own optimizer: those that cut off into others
/// that round to nearest, those that saturate into others that may not see values out of range.
static Value convert(ScalarBuilder &b, StringRef rounding, Type to, bool toSigned, Type from, bool fromSigned,
                     Value x) {
  auto suffix = [](Type type, bool isSigned) {
    return (isa<FloatType>(type) ? "f" : isSigned ? "s" : "u") + std::to_string(type.getIntOrFloatBitWidth());
  };
  auto constraint = [](Type type) {
    bool isFloat = isa<FloatType>(type), isWide = type.getIntOrFloatBitWidth() == 64;
    return isFloat ? (isWide ? "d" : "f") : (isWide ? "l" : "r");
  };
  std::string text = "cvt." + rounding.str() + "." + suffix(to, toSigned) + "." + suffix(from, fromSigned) + " $0, $1;";
  return b.assembly(text, std::string("=") + constraint(to) + "," + constraint(from), to, x);
}

/// A double or an integer of 32 or 64 bits, to be rounded again to 16 bits, as an f32 that makes this second rounding
/// the only one: cut off towards zero, with the last bit set if anything was cut off.
Value ScalarBuilder::toOddFloat(Value value, Type from) {
  Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
  bool isSigned = classOf(from) == ElementClass::Signed;
  return forEachLane(value, [&](ValueRange lane) {
    Value x = lane.front(), inexact;
    Value cut = convert(*this, "rz", f32, true, x.getType(), isSigned, x);
    if (isa<FloatType>(from)) {
      Value back = create<arith::ExtFOp>(x.getType(), cut);
      inexact = compare(arith::CmpFPredicate::ONE, back, x); // false for NaN, which stays what it is
    } else {
      Value back = convert(*this, "rzi", x.getType(), isSigned, f32, true, cut);
      inexact = compare(arith::CmpIPredicate::ne, back, x);
    }
    Value bits = create<arith::BitcastOp>(i32, cut);
    bits = create<arith::OrIOp>(bits, create<arith::ExtUIOp>(i32, inexact));
    return create<arith::BitcastOp>(f32, bits);
  });
}

Value ScalarBuilder::asTf32(Value floats) {
  constexpr int64_t upperBits = ~int64_t{0x1fff};
  Type bits = withElement(floats.getType(), builder.getI32Type());
  Value upper = create<arith::AndIOp>(create<arith::BitcastOp>(bits, floats), integer(bits, upperBits));
  return create<arith::BitcastOp>(floats.getType(), upper);
}

/// Bytes of words without conversions, which multiprocessors have few units for: a permutation puts each below the
/// exponent of a number whose last bits count ones, and a subtraction takes that number off.
Value ScalarBuilder::bytesToFloat(Value value, bool isSigned, Type to) {
  Type i32 = builder.getI32Type(), f16 = builder.getF16Type(), f32 = builder.getF32Type();
  int64_t words = cast<VectorType>(value.getType()).getNumElements() / 4;
  Value all = builder.create<LLVM::BitcastOp>(loc, words == 1 ? i32 : VectorType::get(words, i32), value);
  auto permute = [&](Value word, int64_t exponent, int64_t selector) {
    std::string text = "prmt.b32 $0, $1, $2, " + std::to_string(selector) + ";";
    return assembly(text, "=r,r,r", i32, {word, integer(i32, exponent)});
  };
  SmallVector<Value> elements;
  for (int64_t i = 0; i < words; ++i) {
    Value word = words == 1 ? all : extract(all, i);
    if (isSigned) // From 0 on.
      word = create<arith::XOrIOp>(word, integer(i32, static_cast<int32_t>(0x80808080)));
    if (to.isF16()) { // 1024, two at a time.
      Type pair = VectorType::get(2, f16);
      Value first = splat(real(f16, isSigned ? 1024 + 128 : 1024), 2);
      for (int64_t selector : {0x5140, 0x5342}) {
        Value halves = builder.create<LLVM::BitcastOp>(loc, pair, permute(word, 0x64646464, selector));
        Value both = create<arith::SubFOp>(halves, first);
        llvm::append_range(elements, ArrayRef{extract(both, 0), extract(both, 1)});
      }
      continue;
    }
    Value first = real(f32, 0x1p23 + (isSigned ? 128 : 0));
    for (int64_t byte = 0; byte < 4; ++byte) {
      Value biased = create<arith::BitcastOp>(f32, permute(word, 0x4b000000, 0x7440 | byte));
      elements.push_back(create<arith::SubFOp>(biased, first));
    }
  }
  Value floats = gather(elements);
  return to.isBF16() ? create<arith::TruncFOp>(withElement(floats.getType(), to), floats) : floats;
}

Value ScalarBuilder::integerToFloat(Value value, Type from, Type to) {
  Type result = withElement(value.getType(), to);
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    if (from.getIntOrFloatBitWidth() == 8 && vector.getNumElements() % 4 == 0 && !to.isF64())
      return bytesToFloat(value, classOf(from) == ElementClass::Signed, to);
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

/// To what an integer of `width` bits holds. PTX converts with saturation, where LLVM's own conversions are undefined.
Value ScalarBuilder::floatToInteger(Value value, Type to, unsigned width) {
  Type from = getElementTypeOrSelf(value.getType());
  if (isHalf(from)) {
    from = builder.getF32Type();
    value = halfToFloat(value);
  }
  bool isSigned = classOf(to) == ElementClass::Signed;
  bool is64 = width == 64, isDouble = from.isF64();
  Type wide = is64 ? builder.getI64Type() : builder.getI32Type();
  Value result = forEachLane(value, [&](ValueRange lane) -> Value {
    Value x = lane.front();
    Value integerValue = convert(*this, "rzi", wide, isSigned, from, true, x);
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

/// bf16 is the upper half of an f32: of two in a word, one takes a shift and the other one a mask.
Value ScalarBuilder::halfToFloat(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  Type f32 = builder.getF32Type();
  if (!type || !type.getElementType().isBF16() || type.getNumElements() % 2)
    return create<arith::ExtFOp>(withElement(value.getType(), f32), value);
  Type i32 = builder.getI32Type();
  int64_t words = type.getNumElements() / 2;
  Value pairs = builder.create<LLVM::BitcastOp>(loc, words == 1 ? i32 : VectorType::get(words, i32), value);
  SmallVector<Value> floats;
  for (int64_t word = 0; word < words; ++word) {
    Value pair = words == 1 ? pairs : extract(pairs, word);
    floats.push_back(create<arith::BitcastOp>(f32, create<arith::ShLIOp>(pair, integer(i32, 16))));
    floats.push_back(create<arith::BitcastOp>(f32, create<arith::AndIOp>(pair, integer(i32, -65536))));
  }
  return gather(floats);
}

/// What InstCombine leaves a select of f32 in front of a conversion. It converts each side instead, if one is a
/// constant: two neighbours are then no longer converted by one instruction, and selected and put together as halves of
/// a word.
Value ScalarBuilder::selectedBefore(Value converted) {
  auto select = converted.getDefiningOp<arith::SelectOp>();
  auto isConstant = [](Value value) { return matchPattern(value, m_Constant()); };
  if (!select || !isa<VectorType>(select.getCondition().getType()) || isConstant(select.getCondition()) ||
      isConstant(select.getTrueValue()) == isConstant(select.getFalseValue()))
    return converted;
  Value values[] = {select.getCondition(), select.getTrueValue(), select.getFalseValue()};
  return forEachLane(values, [&](ValueRange lane) {
    return assembly("selp.f32 $0, $2, $3, $1;", "=f,b,f,f", builder.getF32Type(), lane);
  });
}

/// Two at a time, as hardware converts them: in 16 bits, the first one below.
Value ScalarBuilder::float8ToHalf(Value value, Type from) {
  Type f16 = builder.getF16Type(), i16 = builder.getI16Type();
  std::string name = float8ToHalfPrefix.str() + elementOf(from)->name.str();
  auto convert = [&](Value pair) { return call(name, VectorType::get(2, f16), pair); };
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type || type.getNumElements() % 2)
    return forEachLane(value,
                       [&](ValueRange lane) { return extract(convert(create<arith::ExtUIOp>(i16, lane.front())), 0); });
  int64_t count = type.getNumElements() / 2;
  Value pairs = builder.create<LLVM::BitcastOp>(loc, count == 1 ? i16 : VectorType::get(count, i16), value);
  SmallVector<Value> halves;
  for (int64_t i = 0; i < count; ++i) {
    Value pair = convert(extract(pairs, i));
    llvm::append_range(halves, ArrayRef{extract(pair, 0), extract(pair, 1)});
  }
  return gather(halves);
}

Value ScalarBuilder::floatToFloat8(Value value, Type to) {
  Type i8 = builder.getI8Type(), i16 = builder.getI16Type();
  std::string name = floatToFloat8Prefix.str() + elementOf(to)->name.str();
  auto convert = [&](Value lower, Value upper) { return call(name, i16, {lower, upper}); };
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type || type.getNumElements() % 2)
    return forEachLane(value, [&](ValueRange lane) {
      return create<arith::TruncIOp>(i8, convert(lane.front(), zero(lane.front().getType())));
    });
  SmallVector<Value> pairs;
  for (int64_t i = 0; i < type.getNumElements(); i += 2)
    pairs.push_back(convert(extract(value, i), extract(value, i + 1)));
  return builder.create<LLVM::BitcastOp>(loc, withElement(type, i8), gather(pairs));
}

/// e8m0 as f32, whose exponent it is. The least is subnormal, and NaN is quiet: both have the first bit of the
/// fraction.
Value ScalarBuilder::fromPowerOfTwo(Value value) {
  Type i32 = withElement(value.getType(), builder.getI32Type()), f32 = withElement(i32, builder.getF32Type());
  Value bits = create<arith::ExtUIOp>(i32, value);
  Value isAtEnd = compare(arith::CmpIPredicate::uge, create<arith::SubIOp>(bits, integer(i32, 1)), integer(i32, 254));
  Value fraction = select(isAtEnd, integer(i32, 0x400000), zero(i32));
  return create<arith::BitcastOp>(f32, create<arith::OrIOp>(create<arith::ShLIOp>(bits, integer(i32, 23)), fraction));
}

/// f32 as e8m0 (include/tegula/types.h has the same in C++).
Value ScalarBuilder::toPowerOfTwo(Value value) {
  Type i32 = withElement(value.getType(), builder.getI32Type());
  Value magnitude = create<arith::AndIOp>(create<arith::BitcastOp>(i32, value), integer(i32, 0x7fffffff));
  Value exponent = create<arith::ShRUIOp>(magnitude, integer(i32, 23));
  Value odd = create<arith::AndIOp>(exponent, integer(i32, 1));
  Value sum = create<arith::AddIOp>(create<arith::AddIOp>(magnitude, integer(i32, 0x3fffff)), odd);
  Value rounded = create<arith::MinUIOp>(create<arith::ShRUIOp>(sum, integer(i32, 23)), integer(i32, 254));
  Value isAboveLeast = compare(arith::CmpIPredicate::ugt, magnitude, integer(i32, 0x600000));
  Value least = select(isAboveLeast, integer(i32, 1), zero(i32));
  Value isSubnormal = compare(arith::CmpIPredicate::ult, magnitude, integer(i32, 0x800000));
  rounded = select(isSubnormal, least, rounded);
  Value isNumber = compare(arith::CmpFPredicate::OGE, value, zero(value.getType())); // -0 is, too.
  return create<arith::TruncIOp>(withElement(i32, builder.getI8Type()), select(isNumber, rounded, integer(i32, 255)));
}

/// The exponent and the fraction bit lie in an f16 as in a number that is 2^14 times too small, also of subnormals.
Value ScalarBuilder::halfFromE2m1(Value value) {
  Type i16 = withElement(value.getType(), builder.getI16Type()), f16 = withElement(i16, builder.getF16Type());
  Value bits = create<arith::ExtUIOp>(i16, value);
  Value magnitude = create<arith::ShLIOp>(create<arith::AndIOp>(bits, integer(i16, 7)), integer(i16, 9));
  Value number = create<arith::MulFOp>(create<arith::BitcastOp>(f16, magnitude), real(f16, 0x1p14));
  Value sign = create<arith::ShLIOp>(create<arith::AndIOp>(bits, integer(i16, 8)), integer(i16, 12));
  return create<arith::BitcastOp>(f16, create<arith::OrIOp>(create<arith::BitcastOp>(i16, number), sign));
}

/// f32 as e2m1 (include/tegula/types.h has the same in C++).
Value ScalarBuilder::toE2m1(Value value) {
  Type f32 = value.getType(), i32 = withElement(f32, builder.getI32Type());
  Value bits = create<arith::BitcastOp>(i32, value);
  Value magnitude = create<arith::AndIOp>(bits, integer(i32, 0x7fffffff));
  // Below 1 the adder rounds.
  Value sum = create<arith::AddFOp>(create<arith::BitcastOp>(f32, magnitude), real(f32, 0x1p22));
  Value subnormal = create<arith::SubIOp>(create<arith::BitcastOp>(i32, sum), integer(i32, 0x4a800000));
  Value odd = create<arith::AndIOp>(create<arith::ShRUIOp>(magnitude, integer(i32, 22)), integer(i32, 1));
  Value rounded = create<arith::AddIOp>(create<arith::SubIOp>(magnitude, integer(i32, 0x3f000000 - 0x1fffff)), odd);
  Value normal = create<arith::MinUIOp>(create<arith::ShRUIOp>(rounded, integer(i32, 22)), integer(i32, 7));
  Value isNormal = compare(arith::CmpIPredicate::uge, magnitude, integer(i32, 0x3f800000));
  Value sign = create<arith::AndIOp>(create<arith::ShRUIOp>(bits, integer(i32, 28)), integer(i32, 8));
  Value isNan = compare(arith::CmpIPredicate::ugt, magnitude, integer(i32, 0x7f800000));
  Value result = create<arith::OrIOp>(select(isNormal, normal, subnormal), select(isNan, zero(i32), sign));
  return create<arith::TruncIOp>(withElement(i32, builder.getI8Type()), result);
}

/// Integers of 4 bits as f32, by the bits of a number whose last ones count ones: instructions that convert are slow.
Value ScalarBuilder::integer4ToFloat(Value value, bool isSigned) {
  Type i32 = withElement(value.getType(), builder.getI32Type()), f32 = withElement(i32, builder.getF32Type());
  Value bits = create<arith::AndIOp>(create<arith::ExtUIOp>(i32, value), integer(i32, 15));
  if (isSigned) // From 0 on.
    bits = create<arith::XOrIOp>(bits, integer(i32, 8));
  Value biased = create<arith::BitcastOp>(f32, create<arith::OrIOp>(bits, integer(i32, 0x4b000000)));
  return create<arith::SubFOp>(biased, real(f32, 0x1p23 + (isSigned ? 8 : 0)));
}

/// The number, in a byte.
Value ScalarBuilder::toInteger4(Value value, Type from, bool isSigned) {
  Type byte = isSigned ? builder.getI8Type() : unsignedByte();
  if (classOf(from) == ElementClass::Float)
    return floatToInteger(value, byte, 4);
  return wrapped(cast(value, from, byte), isSigned);
}

Value ScalarBuilder::castStored(Value value, Type from, Type to) {
  Type f16 = builder.getF16Type(), f32 = builder.getF32Type();
  if (isFloat8(from))
    return cast(float8ToHalf(value, from), f16, to);
  if (isStored(from)) {
    StringRef name = elementOf(from)->name;
    if (name == "s4" || name == "u4") {
      auto vector = dyn_cast<VectorType>(value.getType());
      bool areWords = vector && vector.getNumElements() % 4 == 0; // bytesToFloat is for these.
      if (isa<FloatType>(to) && !to.isF64() && !areWords)
        return cast(integer4ToFloat(value, name == "s4"), f32, to);
      return cast(value, name == "s4" ? builder.getI8Type() : unsignedByte(), to);
    }
    return name == "e2m1" ? cast(halfFromE2m1(value), f16, to) : cast(fromPowerOfTwo(value), f32, to);
  }
  StringRef name = elementOf(to)->name;
  if (name == "s4" || name == "u4")
    return toInteger4(value, from, name == "s4");
  // One rounding: what f32 does not hold is odd in it.
  bool isWide = from.isF64() || (isa<IntegerType>(from) && from.getIntOrFloatBitWidth() >= 32);
  Value narrow = isWide ? toOddFloat(value, from) : cast(value, from, f32);
  return isFloat8(to) ? floatToFloat8(narrow, to) : name == "e2m1" ? toE2m1(narrow) : toPowerOfTwo(narrow);
}

Value ScalarBuilder::cast(Value value, Type from, Type to) {
  if (from == to)
    return value;
  if (isStored(from) || isStored(to))
    return castStored(value, from, to);
  ElementClass source = classOf(from), target = classOf(to);
  Type result = withElement(value.getType(), registerType(to));
  if (target == ElementClass::Bool) {
    if (source == ElementClass::Float)
      return compare(arith::CmpFPredicate::UNE, value, zero(value.getType()));
    return compare(arith::CmpIPredicate::ne, value, zero(value.getType()));
  }
  if (source == ElementClass::Float && target == ElementClass::Float) {
    unsigned fromWidth = from.getIntOrFloatBitWidth(), toWidth = to.getIntOrFloatBitWidth();
    if (isHalf(from) && to.isF32())
      return halfToFloat(value);
    if (toWidth > fromWidth)
      return create<arith::ExtFOp>(result, value);
    if (from.isF64() && to.isBF16())
      return create<arith::TruncFOp>(result, toOddFloat(value, from));
    if (isHalf(to) && from.isF32())
      value = selectedBefore(value);
    if (fromWidth > toWidth)
      return create<arith::TruncFOp>(result, value);
    return create<arith::TruncFOp>(result, halfToFloat(value));
  }
  if (source == ElementClass::Float)
    return floatToInteger(value, to, to.getIntOrFloatBitWidth());
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

/// The lower 4 bits of bytes as a number.
Value ScalarBuilder::wrapped(Value bytes, bool isSigned) {
  Type type = bytes.getType();
  if (!isSigned)
    return create<arith::AndIOp>(bytes, integer(type, 15));
  return create<arith::ShRSIOp>(create<arith::ShLIOp>(bytes, integer(type, 4)), integer(type, 4));
}

Value ScalarBuilder::bitcast(Value value, Type to) {
  if (isPacked(to))
    return wrapped(value, elementOf(to)->name == "s4");
  Type result = withElement(value.getType(), registerType(to));
  return value.getType() == result ? value : create<arith::BitcastOp>(result, value);
}

namespace {
/// How a type lies beside an f32: the fraction bits that it lacks, its least normal exponent, and that of the unit in
/// the last place of its subnormals. bf16 has the exponents of f32.
struct Narrowing {
  int64_t dropped;
  int normal, unit;
};
} // namespace

static Narrowing narrowingTo(Type type) {
  if (type.isF16())
    return {13, -14, -24};
  if (type.isBF16())
    return {16, -126, -133};
  return isa<Float8E4M3FNType>(type) ? Narrowing{20, -6, -9} : Narrowing{21, -14, -16};
}

/// A float that the type holds, or that is beyond it: the conversion is exact then, or saturates. Above the subnormals
/// a carry out of the bits that are cut off rounds up in magnitude; multiples of the subnormals' unit are made of the
/// quotient's fraction and 24 random bits.
Value ScalarBuilder::stochasticCast(Value value, Value random, Type to) {
  Narrowing narrowing = narrowingTo(to);
  Type f32 = value.getType(), i32 = withElement(f32, builder.getI32Type());
  Value bits = create<arith::BitcastOp>(i32, value);
  int64_t cut = (int64_t(1) << narrowing.dropped) - 1;
  Value sum = create<arith::AddIOp>(bits, create<arith::AndIOp>(random, integer(i32, cut)));
  Value rounded = create<arith::BitcastOp>(f32, create<arith::AndIOp>(sum, integer(i32, ~cut)));
  Value magnitude = builder.create<LLVM::FAbsOp>(loc, value);
  if (!to.isBF16()) {
    Value quotient = create<arith::MulFOp>(magnitude, real(f32, std::ldexp(1.0, -narrowing.unit)));
    Value below = builder.create<LLVM::FFloorOp>(loc, f32, quotient);
    Value fraction = create<arith::SubFOp>(quotient, below);
    Value lower = create<arith::UIToFPOp>(f32, create<arith::AndIOp>(random, integer(i32, 0xffffff)));
    Value threshold = create<arith::SubFOp>(real(f32, 1), create<arith::MulFOp>(lower, real(f32, 0x1p-24)));
    Value above = create<arith::AddFOp>(below, real(f32, 1));
    Value multiple = select(compare(arith::CmpFPredicate::OGE, fraction, threshold), above, below);
    Value subnormal = create<arith::MulFOp>(multiple, real(f32, std::ldexp(1.0, narrowing.unit)));
    Value sign = create<arith::AndIOp>(bits, integer(i32, int64_t(INT32_MIN)));
    Value signedBits = create<arith::OrIOp>(create<arith::BitcastOp>(i32, subnormal), sign);
    subnormal = create<arith::BitcastOp>(f32, signedBits);
    Value isSubnormal = compare(arith::CmpFPredicate::OLT, magnitude, real(f32, std::ldexp(1.0, narrowing.normal)));
    rounded = select(isSubnormal, subnormal, rounded);
  }
  Value isFinite = compare(arith::CmpFPredicate::OLT, magnitude, real(f32, std::numeric_limits<double>::infinity()));
  return cast(select(isFinite, rounded, value), builder.getF32Type(), to);
}

} // namespace tegula::lower
