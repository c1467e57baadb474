// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/Packed.h"

#include "ir/Elements.h"

using namespace mlir;

namespace tegula::lower {

/// Bytes of two words by a selector (PTX ISA, prmt).
static Value permuteBytes(ScalarBuilder &b, Value lower, Value upper, int64_t selector) {
  std::string text = "prmt.b32 $0, $1, $2, " + std::to_string(selector) + ";";
  return b.assembly(text, "=r,r,r", b.builder.getI32Type(), {lower, upper});
}

/// The halves of bytes, each in a byte, as the numbers that registers hold: those of s4 have signs.
static Value withSigns(ScalarBuilder &b, Value halves, Type element) {
  if (elementOf(element)->name != "s4")
    return halves;
  Type type = halves.getType();
  if (type.isInteger(8)) {
    Value shift = b.integer(type, 4);
    return b.create<arith::ShRSIOp>(b.create<arith::ShLIOp>(halves, shift), shift);
  }
  Value signs = b.create<arith::AndIOp>(halves, b.integer(type, 0x08080808));
  return b.create<arith::AddIOp>(halves, b.create<arith::MulIOp>(signs, b.integer(type, 0x1e)));
}

Value elementAt(ScalarBuilder &b, Value base, Value offset, Type element) {
  Type i8 = b.builder.getI8Type();
  if (isPacked(element))
    return b.builder.create<LLVM::GEPOp>(b.loc, base.getType(), i8, base,
                                         b.create<arith::ShRSIOp>(offset, b.integer(offset.getType(), 1)));
  Type memoryElement = element.isInteger(1) ? i8 : registerType(element);
  return b.builder.create<LLVM::GEPOp>(b.loc, base.getType(), memoryElement, base, offset);
}

Value halfOf(ScalarBuilder &b, Value byte, Value shift, Type element) {
  Value half = b.create<arith::AndIOp>(b.create<arith::ShRUIOp>(byte, shift), b.integer(byte.getType(), 15));
  return withSigns(b, half, element);
}

Value unpacked(ScalarBuilder &b, Value bytes, Type element) {
  OpBuilder &builder = b.builder;
  Type i8 = builder.getI8Type(), i32 = builder.getI32Type();
  auto type = dyn_cast<VectorType>(bytes.getType());
  if (!type)
    return b.gather({halfOf(b, bytes, b.integer(i8, 0), element), halfOf(b, bytes, b.integer(i8, 4), element)});
  int64_t count = type.getNumElements();
  SmallVector<Value> words;
  if (count == 2) { // LLVM would assemble a word of two bytes on the stack.
    Value upper = b.create<arith::ExtUIOp>(i32, b.extract(bytes, 1));
    words.push_back(b.create<arith::OrIOp>(b.create<arith::ExtUIOp>(i32, b.extract(bytes, 0)),
                                           b.create<arith::ShLIOp>(upper, b.integer(i32, 8))));
  } else {
    Value all = builder.create<LLVM::BitcastOp>(b.loc, count == 4 ? i32 : Type(VectorType::get(count / 4, i32)), bytes);
    for (int64_t i = 0; i < count / 4; ++i)
      words.push_back(b.extract(all, i));
  }
  SmallVector<Value> halves;
  Value mask = b.integer(i32, 0x0f0f0f0f);
  for (Value word : words) {
    Value even = b.create<arith::AndIOp>(word, mask);
    Value odd = b.create<arith::AndIOp>(b.create<arith::ShRUIOp>(word, b.integer(i32, 4)), mask);
    halves.push_back(withSigns(b, permuteBytes(b, even, odd, 0x5140), element));
    if (count > 2)
      halves.push_back(withSigns(b, permuteBytes(b, even, odd, 0x7362), element));
  }
  return builder.create<LLVM::BitcastOp>(b.loc, VectorType::get(2 * count, i8), b.gather(halves));
}

/// A product and a sum of two f16 or bf16 at a time, rounded once.
static Value fmaPairs(ScalarBuilder &b, Type element, Value pair, int64_t factor, Value summand) {
  Type i32 = b.builder.getI32Type();
  std::string text = std::string("fma.rn.") + (element.isF16() ? "f16x2" : "bf16x2") + " $0, $1, $2, $3;";
  return b.assembly(text, "=r,r,r,r", i32, {pair, b.integer(i32, factor), summand});
}
static Value fmaPairs(ScalarBuilder &b, Type element, Value pair, int64_t factor, int64_t summand) {
  return fmaPairs(b, element, pair, factor, b.integer(b.builder.getI32Type(), summand));
}

/// The exponent and the fraction bit of e2m1 lie in a float as in a number that is too small by a power of two, also of
/// subnormals.
static Value pairOfE2m1(ScalarBuilder &b, Value halves, Type to) {
  Type i32 = b.builder.getI32Type();
  auto moved = [&](int64_t mask, int64_t shift) {
    return b.create<arith::ShLIOp>(b.create<arith::AndIOp>(halves, b.integer(i32, mask)), b.integer(i32, shift));
  };
  Value bits = b.create<arith::OrIOp>(moved(0x00070007, to.isF16() ? 9 : 6), moved(0x00080008, 12));
  constexpr int64_t ofF16 = 0x74007400, ofBF16 = 0x7e807e80, minusZeros = int64_t(INT32_MIN) | 0x8000; // 2^14, 2^126
  return fmaPairs(b, to, bits, to.isF16() ? ofF16 : ofBF16, minusZeros);
}

/// A pattern of the same 16 bits twice, as a signed constant.
static constexpr int64_t both(int64_t bits) { return static_cast<int32_t>(static_cast<uint32_t>(bits << 16 | bits)); }

/// Numbers that are counted by the last bits of a float, whose own value is then taken off: none is converted by
/// itself.
namespace {
struct PairBuilder {
  ScalarBuilder &b;
  const NarrowPair &pair;
  Type to;

  Type i32() { return b.builder.getI32Type(); }
  /// Four bytes, by a selector that grows with the place of the pair.
  Value select(int64_t first, int64_t step) {
    Value places = b.create<arith::MulIOp>(pair.byte, b.integer(i32(), step));
    Value selector = b.create<arith::AddIOp>(places, b.integer(i32(), first));
    return b.assembly("prmt.b32 $0, $1, $2, $3;", "=r,r,r,r", i32(), {pair.lower, pair.upper, selector});
  }
  /// Both in one instruction, which ptxas would take apart.
  Value masked(Value bits, int64_t mask, int64_t flipped) {
    return b.assembly("lop3.b32 $0, $1, $2, $3, 0x6a;", "=r,r,r,r", i32(),
                      {bits, b.integer(i32(), mask), b.integer(i32(), flipped)});
  }
  Value sum(Value bits, int64_t summand) { return fmaPairs(b, to, bits, both(to.isF16() ? 0x3c00 : 0x3f80), summand); }

  Value of4(bool isSigned);
  Value of8(bool isSigned);
};
} // namespace

/// Those of s4 begin at 0 with another sign.
Value PairBuilder::of4(bool isSigned) {
  if (to.isF16()) { // The upper one stays where it is, and counts sixteenths.
    Value twice = select(0, 0x1111), biased = masked(twice, 0x00f0000f, isSigned ? 0x64806408 : 0x64006400);
    constexpr int64_t factors = 0x2c003c00;
    auto less = [](uint32_t bits) { return int64_t(static_cast<int32_t>(bits)); }; // -72, -1032; -64, -1024
    return fmaPairs(b, to, biased, factors, isSigned ? less(0xd480e408) : less(0xd400e400));
  }
  Value halves = b.create<arith::MulIOp>(select(0x4440, 1), b.integer(i32(), 0x1001));
  return sum(masked(halves, 0x000f000f, isSigned ? 0x43084308 : 0x43004300), both(isSigned ? 0xc308 : 0xc300));
}

/// The fraction of a bf16 has 7 bits: the eighth one says what to take off.
Value PairBuilder::of8(bool isSigned) {
  Value twice = select(0x1100, 0x1111);
  if (to.isF16())
    return sum(masked(twice, 0x00ff00ff, both(isSigned ? 0x6480 : 0x6400)), both(isSigned ? 0xe480 : 0xe400));
  Value low = masked(twice, 0x007f007f, both(0x4300)), high = masked(twice, 0x00800080, both(0x4300)); // 128 or 256
  constexpr int64_t minusOne = both(0xbf80);
  Value taken = isSigned ? high : fmaPairs(b, to, high, minusOne, both(0x4380)); // 128 or 0
  return fmaPairs(b, to, taken, minusOne, low);
}

Value pairAs(ScalarBuilder &b, const NarrowPair &pair, Type element, Type to) {
  PairBuilder builder{b, pair, to};
  StringRef name = elementOf(element)->name;
  if (name == "s4" || name == "u4")
    return builder.of4(name == "s4");
  if (name == "e2m1") {
    Value halves = b.create<arith::MulIOp>(builder.select(0x4440, 1), b.integer(builder.i32(), 0x1001));
    return pairOfE2m1(b, halves, to);
  }
  if (name == "s8" || name == "u8")
    return builder.of8(name == "s8");
  // 8-bit floats, which hardware converts two at a time.
  Type i8 = b.builder.getI8Type(), two = VectorType::get(2, i8);
  Value bytes = b.create<arith::TruncIOp>(b.builder.getI16Type(), builder.select(0x10, 0x11));
  Value floats = b.cast(b.builder.create<LLVM::BitcastOp>(b.loc, two, bytes), element, to);
  return b.builder.create<LLVM::BitcastOp>(b.loc, builder.i32(), floats);
}

Value packed(ScalarBuilder &b, Value elements) {
  OpBuilder &builder = b.builder;
  Type i8 = builder.getI8Type(), i32 = builder.getI32Type();
  int64_t count = cast<VectorType>(elements.getType()).getNumElements();
  if (count == 2) {
    Value lower = b.create<arith::AndIOp>(b.extract(elements, 0), b.integer(i8, 15));
    return b.create<arith::OrIOp>(lower, b.create<arith::ShLIOp>(b.extract(elements, 1), b.integer(i8, 4)));
  }
  Value all =
      builder.create<LLVM::BitcastOp>(b.loc, count == 4 ? i32 : Type(VectorType::get(count / 4, i32)), elements);
  // Two elements in the first and in the third byte of a word.
  auto paired = [&](int64_t word) {
    Value halves = b.create<arith::AndIOp>(b.extract(all, word), b.integer(i32, 0x0f0f0f0f));
    return b.create<arith::OrIOp>(halves, b.create<arith::ShRUIOp>(halves, b.integer(i32, 4)));
  };
  if (count == 4) {
    Value pair = paired(0);
    Value bytes = b.create<arith::TruncIOp>(builder.getI16Type(), permuteBytes(b, pair, pair, 0x6420));
    return builder.create<LLVM::BitcastOp>(b.loc, VectorType::get(2, i8), bytes);
  }
  SmallVector<Value> words;
  for (int64_t word = 0; word < count / 4; word += 2)
    words.push_back(permuteBytes(b, paired(word), paired(word + 1), 0x6420));
  return builder.create<LLVM::BitcastOp>(b.loc, VectorType::get(count / 2, i8), b.gather(words));
}

void storeHalf(ScalarBuilder &b, Value pointer, Value shift, Value element, Value predicate) {
  OpBuilder &builder = b.builder;
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  Value address = builder.create<LLVM::PtrToIntOp>(b.loc, i64, pointer);
  Value byte = b.create<arith::AndIOp>(b.create<arith::TruncIOp>(i32, address), b.integer(i32, 3));
  Value bit =
      b.create<arith::AddIOp>(b.create<arith::ShLIOp>(byte, b.integer(i32, 3)), b.create<arith::ExtUIOp>(i32, shift));
  Value half = b.create<arith::AndIOp>(b.create<arith::ExtUIOp>(i32, element), b.integer(i32, 15));
  Value others = b.create<arith::XOrIOp>(b.create<arith::ShLIOp>(b.integer(i32, 15), bit), b.integer(i32, -1));
  SmallVector<Value> operands{b.create<arith::AndIOp>(address, b.integer(i64, -4)), others,
                              b.create<arith::ShLIOp>(half, bit)};
  std::string when = predicate ? "@$3 " : "";
  std::string text =
      when + "red.relaxed.gpu.global.and.b32 [$0], $1; " + when + "red.relaxed.gpu.global.or.b32 [$0], $2;";
  if (predicate)
    operands.push_back(predicate);
  builder.create<LLVM::InlineAsmOp>(b.loc, TypeRange(), operands, builder.getStringAttr(text),
                                    builder.getStringAttr(predicate ? "l,r,r,b,~{memory}" : "l,r,r,~{memory}"),
                                    /*has_side_effects=*/true, /*is_align_stack=*/false, LLVM::AsmDialectAttr(),
                                    ArrayAttr());
}

} // namespace tegula::lower
