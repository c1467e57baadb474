// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops that round floats to integers, take signs from others, and divide as Python does. All are exact, or
// round once.
#include "lower/ElementwiseRows.h"

using namespace mlir;

namespace tegula::lower {
namespace {

using I = arith::CmpIPredicate;
using F = arith::CmpFPredicate;

constexpr const char *fmod = "fmod";

Value copySign(ScalarBuilder &b, ValueRange operands) {
  Type type = operands.front().getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  Type bits = withElement(type, b.builder.getIntegerType(width));
  auto bitsOf = [&](Value value) { return b.create<arith::BitcastOp>(bits, value); };
  int64_t sign = static_cast<int64_t>(~uint64_t{0} << (width - 1));
  Value magnitude = b.create<arith::AndIOp>(bitsOf(operands[0]), b.integer(bits, ~sign));
  Value signs = b.create<arith::AndIOp>(bitsOf(operands[1]), b.integer(bits, sign));
  return b.create<arith::BitcastOp>(type, b.create<arith::OrIOp>(magnitude, signs));
}

/// What C++ makes of two integers, and whether Python's quotient is 1 less.
struct Division {
  Value quotient, remainder, isLess, byZero;
};
Division divideSigned(ScalarBuilder &b, Value x, Value y) {
  Value zero = b.integer(x.getType(), 0), quotient = b.divide(x, y, /*isSigned=*/true);
  Value remainder = b.create<arith::SubIOp>(x, b.create<arith::MulIOp>(quotient, y));
  Value byZero = b.compare(I::eq, y, zero), isInexact = b.compare(I::ne, remainder, zero);
  Value differs = b.compare(I::slt, b.create<arith::XOrIOp>(remainder, y), zero);
  Value isLess = b.create<arith::AndIOp>(isInexact, differs); // Of 0 it does not count.
  return {quotient, remainder, isLess, byZero};
}

Value floorDivideSigned(ScalarBuilder &b, ValueRange operands) {
  Division division = divideSigned(b, operands[0], operands[1]);
  Value less = b.create<arith::SubIOp>(division.quotient, b.integer(division.quotient.getType(), 1));
  Value result = b.select(division.isLess, less, division.quotient);
  return b.select(division.byZero, b.integer(result.getType(), 0), result);
}

Value floorModSigned(ScalarBuilder &b, ValueRange operands) {
  Division division = divideSigned(b, operands[0], operands[1]);
  Value more = b.create<arith::AddIOp>(division.remainder, operands[1]);
  Value result = b.select(division.isLess, more, division.remainder);
  return b.select(division.byZero, b.integer(result.getType(), 0), result);
}

template <bool Remainder> Value divideUnsigned(ScalarBuilder &b, ValueRange operands) {
  return Remainder ? b.remainder(operands[0], operands[1], false) : b.divide(operands[0], operands[1], false);
}

/// fmod, and whether it has another sign than the divisor.
std::pair<Value, Value> fmodOf(ScalarBuilder &b, ValueRange operands) {
  Value remainder = callLibdevice<fmod>(b, operands), zero = b.real(remainder.getType(), 0);
  Value isNegative = b.compare(F::OLT, remainder, zero), byNegative = b.compare(F::OLT, operands[1], zero);
  Value isInexact = b.compare(F::UNE, remainder, zero);
  return {remainder, b.create<arith::AndIOp>(isInexact, b.create<arith::XOrIOp>(isNegative, byNegative))};
}

Value floorModFloat(ScalarBuilder &b, ValueRange operands) {
  auto [remainder, differs] = fmodOf(b, operands);
  Value zero = b.real(remainder.getType(), 0);
  Value more = b.create<arith::AddFOp>(remainder, operands[1]);
  Value signedZero = copySign(b, {zero, operands[1]});
  return b.select(b.compare(F::OEQ, remainder, zero), signedZero, b.select(differs, more, remainder));
}

/// The quotient without its remainder is near an integer, to which it is rounded.
Value floorDivideFloat(ScalarBuilder &b, ValueRange operands) {
  auto [remainder, differs] = fmodOf(b, operands);
  Type type = remainder.getType();
  Value zero = b.real(type, 0), one = b.real(type, 1), x = operands[0], y = operands[1];
  Value quotient = b.create<arith::DivFOp>(b.create<arith::SubFOp>(x, remainder), y);
  quotient = b.select(differs, b.create<arith::SubFOp>(quotient, one), quotient);
  Value below = b.builder.create<LLVM::FFloorOp>(b.loc, type, quotient);
  Value isAbove = b.compare(F::OGT, b.create<arith::SubFOp>(quotient, below), b.real(type, 0.5));
  Value rounded = b.select(isAbove, b.create<arith::AddFOp>(below, one), below);
  Value plain = b.create<arith::DivFOp>(x, y);
  Value result = b.select(b.compare(F::OEQ, quotient, zero), copySign(b, {zero, plain}), rounded);
  return b.select(b.compare(F::OEQ, y, zero), plain, result);
}

} // namespace

ArrayRef<ElementwiseRow> roundingRows() {
  // clang-format off
  static constexpr ElementwiseRow rows[] = {
      // name          bool     signed             unsigned               float
      {"floor",        nullptr, nullptr,           nullptr,               makeLike<LLVM::FFloorOp>},
      {"ceil",         nullptr, nullptr,           nullptr,               makeLike<LLVM::FCeilOp>},
      {"trunc",        nullptr, nullptr,           nullptr,               makeLike<LLVM::FTruncOp>},
      {"round",        nullptr, nullptr,           nullptr,               makeLike<LLVM::RoundOp>},
      {"rint",         nullptr, nullptr,           nullptr,               makeLike<LLVM::RoundEvenOp>},
      {"copysign",     nullptr, nullptr,           nullptr,               copySign, Narrow::Same},
      {"fmod",         nullptr, nullptr,           nullptr,               callLibdevice<fmod>},
      {"floor_divide", nullptr, floorDivideSigned, divideUnsigned<false>, floorDivideFloat},
      {"floor_mod",    nullptr, floorModSigned,    divideUnsigned<true>,  floorModFloat},
  };
  // clang-format on
  return rows;
}

} // namespace tegula::lower
