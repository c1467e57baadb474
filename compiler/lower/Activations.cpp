// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activation functions without branches. f16 and bf16, of exponentials, too, have forms of their own in f32, shorter by
// what they round away: their results are within 0.02 units of theirs before they are rounded. Polynomials are minimax.
#include "lower/ElementwiseRows.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula::lower {
namespace {

constexpr const char *complement = "erfc";

Value fused(ScalarBuilder &b, Value x, Value y, Value z) { return b.builder.create<LLVM::FMAOp>(b.loc, x, y, z); }

/// Coefficients of falling powers.
Value horner(ScalarBuilder &b, Value x, std::initializer_list<double> coefficients) {
  Value sum;
  for (double coefficient : coefficients) {
    Value next = b.real(x.getType(), coefficient);
    sum = sum ? fused(b, sum, x, next) : next;
  }
  return sum;
}

/// One instruction of the multi-function unit, to which subnormal numbers are zero.
Value multiFunction(ScalarBuilder &b, StringRef name, Value x) {
  return b.forEachLane(x, [&](ValueRange lane) {
    return b.intrinsic(("llvm.nvvm." + name + ".approx.ftz.f").str(), b.builder.getF32Type(), lane);
  });
}

Value times(ScalarBuilder &b, Value x, double factor) {
  return b.create<arith::MulFOp>(x, b.real(x.getType(), factor));
}

Value limitedMagnitude(ScalarBuilder &b, Value x, double limit) {
  Value magnitude = b.builder.create<LLVM::FAbsOp>(b.loc, x);
  return b.builder.create<LLVM::MinNumOp>(b.loc, magnitude, b.real(x.getType(), limit));
}

/// x where it is positive or NaN, else 0.
Value rectified(ScalarBuilder &b, Value x) { return b.create<arith::MaximumFOp>(x, b.real(x.getType(), 0)); }

/// The sigmoid as r n n: of a negative x the square of n is exp(x), which may be subnormal only where it is multiplied
/// last; of others n is 1.
std::pair<Value, Value> sigmoidOfHalf(ScalarBuilder &b, Value x) {
  Type type = x.getType();
  Value magnitude = b.builder.create<LLVM::FAbsOp>(b.loc, x);
  Value root = multiFunction(b, "ex2", times(b, magnitude, -llvm::numbers::log2e / 2));
  Value sum = fused(b, root, root, b.real(type, 1));
  Value isNegative = b.compare(arith::CmpFPredicate::OLT, x, b.real(type, 0));
  return {multiFunction(b, "rcp", sum), b.select(isNegative, root, b.real(type, 1))};
}

Value timesSigmoidOfHalf(ScalarBuilder &b, Value factor, Value x) {
  auto [reciprocal, root] = sigmoidOfHalf(b, x);
  Value product = b.create<arith::MulFOp>(b.create<arith::MulFOp>(factor, root), reciprocal);
  return b.create<arith::MulFOp>(product, root);
}

/// 2 sqrt(2 / pi) (x + 0.044715 x^3).
Value cubic(ScalarBuilder &b, Value x) {
  Value inner = horner(b, b.create<arith::MulFOp>(x, x), {0.07135481627260025, 1.5957691216057308});
  return b.create<arith::MulFOp>(x, inner);
}

Value silu(ScalarBuilder &b, ValueRange operands) {
  return b.create<arith::MulFOp>(operands[0], buildLogistic(b, operands));
}
Value siluOfHalf(ScalarBuilder &b, ValueRange operands) { return timesSigmoidOfHalf(b, operands[0], operands[0]); }

Value geluTanh(ScalarBuilder &b, ValueRange operands) {
  return b.create<arith::MulFOp>(operands[0], buildLogistic(b, cubic(b, operands[0])));
}
Value geluTanhOfHalf(ScalarBuilder &b, ValueRange operands) {
  return timesSigmoidOfHalf(b, operands[0], cubic(b, operands[0]));
}

/// Positive or zero, x less what a normal variable's tail beyond |x| takes of it: |x| / 2 erfc(|x| / sqrt(2)). Of f32
/// that is |x| t P(t) exp(-x x / 2) with t = 1 / (1 + 0.3 |x|).
Value gelu(ScalarBuilder &b, ValueRange operands) {
  Value x = operands.front(), positive = rectified(b, x);
  Type type = x.getType();
  if (!getElementTypeOrSelf(type).isF32()) {
    Value magnitude = limitedMagnitude(b, x, 40);
    Value tail = callLibdevice<complement>(b, times(b, magnitude, llvm::numbers::sqrt2 / 2));
    return b.create<arith::SubFOp>(positive, b.create<arith::MulFOp>(times(b, magnitude, 0.5), tail));
  }
  Value magnitude = limitedMagnitude(b, x, 14.4);
  Value t = multiFunction(b, "rcp", fused(b, magnitude, b.real(type, 0x1.333334p-2), b.real(type, 1)));
  Value polynomial = horner(b, t,
                            {-0x1.51de5ap-6, 0x1.cc7fccp-4, -0x1.d356120p-3, 0x1.88b63ep-3, -0x1.4535a0p-4,
                             0x1.89cc0ap-4, 0x1.411b34p-4, 0x1.c384f0p-4, 0x1.e9c44cp-4, 0x1.ea3c94p-4});
  Value exponent = b.create<arith::MulFOp>(times(b, magnitude, -llvm::numbers::log2e / 2), magnitude);
  Value grown = b.forEachLane(exponent, [&](ValueRange lane) { // It may be subnormal.
    return b.intrinsic("llvm.nvvm.ex2.approx.f", b.builder.getF32Type(), lane);
  });
  Value tail = b.create<arith::MulFOp>(b.create<arith::MulFOp>(magnitude, t), polynomial);
  return fused(b, b.create<arith::NegFOp>(tail), grown, positive);
}

/// The tail as |x| exp2(Q(|x|)), of which 2^24 times that is not subnormal.
Value geluOfHalf(ScalarBuilder &b, ValueRange operands) {
  Value x = operands.front(), magnitude = limitedMagnitude(b, x, 13.6);
  Value exponent = horner(b, magnitude,
                          {-0x1.281d26p-29, 0x1.4bc0ccp-23, -0x1.462f36p-18, 0x1.7505aap-14, -0x1.165252p-10,
                           0x1.21ffc4p-7, -0x1.bdc696p-5, -0x1.d535bcp-2, -0x1.26b988p+0, 24 - 0x1.00004ep+0});
  Value tail = times(b, multiFunction(b, "ex2", exponent), -0x1p-24);
  return fused(b, magnitude, tail, rectified(b, x));
}

/// 2 to the power of this many x, as a square: its root is not subnormal, nor infinite before the result is.
Value exponentialOfHalf(ScalarBuilder &b, Value x, double factor) {
  Value root = multiFunction(b, "ex2", times(b, x, factor / 2));
  return b.create<arith::MulFOp>(root, root);
}

constexpr ElementwiseRow activation(const char *name, Build build, Build half) {
  return {name, nullptr, nullptr, nullptr, build, Narrow::Wide, half};
}

} // namespace

Value buildLogisticOfHalf(ScalarBuilder &b, ValueRange operands) {
  auto [reciprocal, root] = sigmoidOfHalf(b, operands.front());
  return b.create<arith::MulFOp>(b.create<arith::MulFOp>(reciprocal, root), root);
}

Value buildExpOfHalf(ScalarBuilder &b, ValueRange operands) {
  return exponentialOfHalf(b, operands.front(), llvm::numbers::log2e);
}
Value buildExp2OfHalf(ScalarBuilder &b, ValueRange operands) { return exponentialOfHalf(b, operands.front(), 1); }

Value buildGeluOfHalf(ScalarBuilder &b, ValueRange operands) { return geluOfHalf(b, operands); }
Value buildCubicOfGelu(ScalarBuilder &b, Value x) { return cubic(b, x); }

ArrayRef<ElementwiseRow> activationRows() {
  static constexpr ElementwiseRow rows[] = {
      activation("silu", silu, siluOfHalf),
      activation("gelu", gelu, geluOfHalf),
      activation("gelu_tanh", geluTanh, geluTanhOfHalf),
  };
  return rows;
}

} // namespace tegula::lower
