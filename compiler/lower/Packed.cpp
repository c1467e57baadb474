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
