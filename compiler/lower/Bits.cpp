// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops on the bits of integers. NVPTX has these of 32 and 64 bits, and LLVM widens what is narrower.
#include "lower/ElementwiseRows.h"

using namespace mlir;

namespace tegula::lower {
namespace {

Value shiftLeft(ScalarBuilder &b, ValueRange operands) { return b.shiftLeft(operands[0], operands[1]); }

template <bool Signed> Value shiftRight(ScalarBuilder &b, ValueRange operands) {
  return b.shiftRight(operands[0], operands[1], Signed);
}

Value extend(ScalarBuilder &b, Value value, Type element, bool isSigned) {
  Type type = withElement(value.getType(), element);
  return isSigned ? b.create<arith::ExtSIOp>(type, value) : b.create<arith::ExtUIOp>(type, value);
}

unsigned widthOf(Value value) { return getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth(); }

Value leadingZeros(ScalarBuilder &b, ValueRange operands) {
  Value x = operands.front();
  return b.builder.create<LLVM::CountLeadingZerosOp>(b.loc, x.getType(), x, /*is_zero_poison=*/false);
}

/// NVPTX reverses 32 and 64 bits.
Value reverseBits(ScalarBuilder &b, ValueRange operands) {
  Value x = operands.front();
  Type type = x.getType(), i32 = b.builder.getI32Type();
  unsigned width = widthOf(x);
  if (width >= 32)
    return makeLike<LLVM::BitReverseOp>(b, operands);
  Value reversed = makeLike<LLVM::BitReverseOp>(b, extend(b, x, i32, false));
  return b.create<arith::TruncIOp>(type, b.create<arith::ShRUIOp>(reversed, b.integer(reversed.getType(), 32 - width)));
}

/// Those above the highest bit of the reverse, which LLVM is not told of: it would make its own of it, with a branch
/// for 0. A bit above the type's limits what is narrower than 32.
Value trailingZeros(ScalarBuilder &b, ValueRange operands) {
  Value x = operands.front();
  Type type = x.getType(), i32 = b.builder.getI32Type();
  unsigned width = widthOf(x);
  if (width < 32) {
    Value wide = extend(b, x, i32, false);
    x = b.create<arith::OrIOp>(wide, b.integer(wide.getType(), int64_t(1) << width));
  }
  bool is64 = width == 64;
  Value reversed = b.forEachLane(x, [&](ValueRange lane) {
    return b.assembly(is64 ? "brev.b64 $0, $1;" : "brev.b32 $0, $1;", is64 ? "=l,l" : "=r,r", lane.front().getType(),
                      lane);
  });
  Value zeros = leadingZeros(b, reversed);
  return width < 32 ? b.create<arith::TruncIOp>(type, zeros) : zeros;
}

/// Up to 16 bits a product fits into 32; of 32 and 64 there is an instruction for the upper half.
template <bool Signed> Value upperProduct(ScalarBuilder &b, ValueRange operands) {
  unsigned width = widthOf(operands.front());
  Type type = operands.front().getType();
  if (width >= 32) {
    const char *name = width == 32 ? (Signed ? "llvm.nvvm.mulhi.i" : "llvm.nvvm.mulhi.ui")
                                   : (Signed ? "llvm.nvvm.mulhi.ll" : "llvm.nvvm.mulhi.ull");
    return b.forEachLane(operands,
                         [&](ValueRange lane) { return b.intrinsic(name, getElementTypeOrSelf(type), lane); });
  }
  Type i32 = b.builder.getI32Type();
  Value product = b.create<arith::MulIOp>(extend(b, operands[0], i32, Signed), extend(b, operands[1], i32, Signed));
  return b.create<arith::TruncIOp>(type, b.create<arith::ShRUIOp>(product, b.integer(product.getType(), width)));
}

/// Of up to 16 bits, a sum of 32 is brought back into their range.
template <class Op> Value narrowSaturating(ScalarBuilder &b, ValueRange operands) {
  Type i32 = b.builder.getI32Type(), type = operands.front().getType();
  unsigned width = widthOf(operands.front());
  Value sum = b.create<Op>(extend(b, operands[0], i32, true), extend(b, operands[1], i32, true));
  sum = b.create<arith::MaxSIOp>(sum, b.integer(sum.getType(), -(int64_t(1) << (width - 1))));
  sum = b.create<arith::MinSIOp>(sum, b.integer(sum.getType(), (int64_t(1) << (width - 1)) - 1));
  return b.create<arith::TruncIOp>(type, sum);
}

/// Beyond its range, a signed sum has another sign than both operands, and a difference another one than its first,
/// which differs from the second. What was exceeded is on the side of the first one.
template <class Op> Value signedSaturating(ScalarBuilder &b, ValueRange operands) {
  unsigned width = widthOf(operands.front());
  if (width < 32)
    return narrowSaturating<Op>(b, operands);
  Type type = operands.front().getType();
  constexpr bool isSum = std::is_same_v<Op, arith::AddIOp>;
  Value x = operands[0], y = operands[1], result = b.create<Op>(x, y);
  Value differs = b.create<arith::XOrIOp>(x, result);
  Value other = isSum ? b.create<arith::XOrIOp>(y, result) : b.create<arith::XOrIOp>(x, y);
  Value overflows = b.compare(arith::CmpIPredicate::slt, b.create<arith::AndIOp>(differs, other), b.integer(type, 0));
  Value sign = b.create<arith::ShRSIOp>(x, b.integer(type, width - 1));
  int64_t greatest = width == 64 ? INT64_MAX : INT32_MAX;
  Value limit = b.create<arith::XOrIOp>(sign, b.integer(type, greatest));
  return b.select(overflows, limit, result);
}

Value unsignedSum(ScalarBuilder &b, ValueRange operands) {
  Value sum = b.create<arith::AddIOp>(operands[0], operands[1]);
  Value wraps = b.compare(arith::CmpIPredicate::ult, sum, operands[0]);
  return b.select(wraps, b.integer(sum.getType(), -1), sum);
}

Value unsignedDifference(ScalarBuilder &b, ValueRange operands) {
  return b.create<arith::SubIOp>(b.create<arith::MaxUIOp>(operands[0], operands[1]), operands[1]);
}

} // namespace

ArrayRef<ElementwiseRow> bitRows() {
  // clang-format off
  static constexpr ElementwiseRow rows[] = {
      // name          bool     signed                             unsigned                           float
      {"shift_left",   nullptr, shiftLeft,                         shiftLeft,                         nullptr},
      {"shift_right",  nullptr, shiftRight<true>,                  shiftRight<false>,                 nullptr},
      {"clz",          nullptr, leadingZeros,  leadingZeros,  nullptr},
      {"ctz",          nullptr, trailingZeros, trailingZeros, nullptr},
      {"popcount",     nullptr, makeLike<LLVM::CtPopOp>,           makeLike<LLVM::CtPopOp>,           nullptr},
      {"bit_reverse",  nullptr, reverseBits,      reverseBits,      nullptr},
      {"mul_hi",       nullptr, upperProduct<true>,                upperProduct<false>,               nullptr},
      {"add_sat",      nullptr, signedSaturating<arith::AddIOp>,   unsignedSum,                       nullptr},
      {"sub_sat",      nullptr, signedSaturating<arith::SubIOp>,   unsignedDifference,                nullptr},
  };
  // clang-format on
  return rows;
}

} // namespace tegula::lower
