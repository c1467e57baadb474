// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops that are functions of floats.
//
// Accuracy, but for approx_math (ApproxMath.h): sqrt is exactly rounded. The others are libdevice's, or made of the
// same (tanh and erf of f32), within the units that include/tegula/language/math.h states; rsqrt in f32 is within 2,
// logistic within 5. In f16 and bf16 these compute in f32 and round once more, some of them in shorter
// forms (Activations.cpp).
#include "lower/ElementwiseRows.h"

using namespace mlir;

namespace tegula::lower {
namespace {

constexpr const char *exp = "exp", *exp2 = "exp2", *expm1 = "expm1", *log = "log", *log2 = "log2", *log1p = "log1p",
                     *pow = "pow", *sin = "sin", *cos = "cos", *tan = "tan", *asin = "asin", *acos = "acos",
                     *atan = "atan", *atan2 = "atan2", *sinh = "sinh", *cosh = "cosh", *tanh = "tanh", *erf = "erf",
                     *erfc = "erfc", *erfinv = "erfinv", *cbrt = "cbrt", *hypot = "hypot";

Value reciprocalRoot(ScalarBuilder &b, ValueRange operands) {
  Type type = operands.front().getType();
  if (getElementTypeOrSelf(type).isF32())
    return b.forEachLane(operands, [&](ValueRange lane) {
      return b.intrinsic("llvm.nvvm.rsqrt.approx.f", b.builder.getF32Type(), lane);
    });
  Value root = makeLike<LLVM::SqrtOp>(b, operands);
  return b.create<arith::DivFOp>(b.real(type, 1.0), root);
}

Value fma(ScalarBuilder &b, Value x, Value y, Value z) { return b.builder.create<LLVM::FMAOp>(b.loc, x, y, z); }

/// Coefficients of falling powers, by Horner's rule.
Value polynomial(ScalarBuilder &b, Value x, std::initializer_list<float> coefficients) {
  Value sum;
  for (float coefficient : coefficients) {
    Value next = b.real(b.builder.getF32Type(), coefficient);
    sum = sum ? fma(b, sum, x, next) : next;
  }
  return sum;
}

/// A magnitude with the sign of x.
Value withSignOf(ScalarBuilder &b, Value x, Value magnitude) {
  Type f32 = b.builder.getF32Type(), i32 = b.builder.getI32Type();
  Value sign = b.create<arith::AndIOp>(b.create<arith::BitcastOp>(i32, x), b.integer(i32, int64_t(INT32_MIN)));
  return b.create<arith::BitcastOp>(f32, b.create<arith::OrIOp>(b.create<arith::BitcastOp>(i32, magnitude), sign));
}

/// Of f32 as libdevice's, but both of its ways at once, for nearly every warp would go both: 1 - 2 / (exp(2|x|) + 1),
/// and near 0, where that cancels, an odd polynomial.
Value hyperbolicTangent(ScalarBuilder &b, ValueRange operands) {
  Type f32 = b.builder.getF32Type();
  if (!getElementTypeOrSelf(operands.front()).isF32())
    return callLibdevice<tanh>(b, operands);
  return b.forEachLane(operands, [&](ValueRange lane) {
    Value x = lane.front(), magnitude = b.builder.create<LLVM::FAbsOp>(b.loc, x);
    Value exponent = b.create<arith::MulFOp>(magnitude, b.real(f32, 0x1.715476p+1F)); // 2 log2(e)
    Value grown = b.intrinsic("llvm.nvvm.ex2.approx.ftz.f", f32, exponent);
    Value sum = b.create<arith::AddFOp>(grown, b.real(f32, 1));
    Value reciprocal = b.intrinsic("llvm.nvvm.rcp.approx.ftz.f", f32, sum);
    Value far = withSignOf(b, x, fma(b, reciprocal, b.real(f32, -2), b.real(f32, 1)));
    Value squared = b.create<arith::MulFOp>(x, x);
    Value near = polynomial(b, squared, {0x1.01e104p-6F, -0x1.ac795cp-5F, 0x1.10b282p-3F, -0x1.5553dap-2F});
    near = fma(b, fma(b, near, squared, b.real(f32, 0)), x, x); // Plus 0, so that -0 stays -0.
    return b.select(b.compare(arith::CmpFPredicate::OLT, magnitude, b.real(f32, 0.6F)), near, far);
  });
}

/// Of f32 without a branch, as tanh: 1 - erfc(|x|), of which a polynomial is the logarithm, and near 0 an odd
/// polynomial. Both are minimax: 0.4 and 0.02 ulp from erf, and within 1.9 with ex2's error and all roundings (all
/// arguments from 2^-31 to 5 have been compared with f64). The leading coefficient is negative: beyond, erfc goes to 0.
Value errorFunction(ScalarBuilder &b, ValueRange operands) {
  Type f32 = b.builder.getF32Type();
  if (!getElementTypeOrSelf(operands.front()).isF32())
    return callLibdevice<erf>(b, operands);
  return b.forEachLane(operands, [&](ValueRange lane) {
    Value x = lane.front(), magnitude = b.builder.create<LLVM::FAbsOp>(b.loc, x);
    Value exponent = polynomial(b, magnitude,
                                {-0x1.262ba2p-16F, 0x1.f6453cp-12F, -0x1.5becbcp-8F, 0x1.19c422p-5F, -0x1.3a296cp-3F,
                                 -0x1.d51ebcp-1F, -0x1.41b284p-1F});
    exponent = fma(b, exponent, magnitude, b.create<arith::NegFOp>(magnitude));
    Value complement = b.intrinsic("llvm.nvvm.ex2.approx.ftz.f", f32, exponent);
    Value far = withSignOf(b, x, b.create<arith::SubFOp>(b.real(f32, 1), complement));
    Value near = polynomial(
        b, b.create<arith::MulFOp>(x, x),
        {-0x1.365cf8p-11F, 0x1.465120p-8F, -0x1.b66366p-6F, 0x1.ce17aep-4F, -0x1.8126d4p-2F, 0x1.06eba4p-3F});
    near = fma(b, near, x, x);
    return b.select(b.compare(arith::CmpFPredicate::OLT, magnitude, b.real(f32, 0.9375F)), near, far);
  });
}

Value asTf32(ScalarBuilder &b, ValueRange operands) { return b.asTf32(operands.front()); }

constexpr ElementwiseRow ofFloats(const char *name, Build build, Build half = nullptr) {
  return {name, nullptr, nullptr, nullptr, build, Narrow::Wide, half};
}

} // namespace

/// 1 / (1 + exp(-x)), or below zero exp(x) / (1 + exp(x)): nothing overflows.
Value buildLogistic(ScalarBuilder &b, ValueRange operands) {
  Value x = operands.front();
  Type type = x.getType();
  Value grown = callLibdevice<exp>(b, {b.create<arith::NegFOp>(b.builder.create<LLVM::FAbsOp>(b.loc, x))});
  Value one = b.real(type, 1.0), sum = b.create<arith::AddFOp>(one, grown), reciprocal;
  if (getElementTypeOrSelf(type).isF32())
    reciprocal = b.forEachLane(
        sum, [&](ValueRange lane) { return b.intrinsic("llvm.nvvm.rcp.approx.ftz.f", b.builder.getF32Type(), lane); });
  else
    reciprocal = b.create<arith::DivFOp>(one, sum);
  Value isNegative = b.compare(arith::CmpFPredicate::OLT, x, b.real(type, 0.0));
  return b.create<arith::MulFOp>(b.select(isNegative, grown, one), reciprocal);
}

ArrayRef<ElementwiseRow> functionRows() {
  static constexpr ElementwiseRow rows[] = {
      ofFloats("exp", callLibdevice<exp>, buildExpOfHalf),
      ofFloats("exp2", callLibdevice<exp2>, buildExp2OfHalf),
      ofFloats("expm1", callLibdevice<expm1>),
      ofFloats("log", callLibdevice<log>),
      ofFloats("log2", callLibdevice<log2>),
      ofFloats("log1p", callLibdevice<log1p>),
      ofFloats("pow", callLibdevice<pow>),
      ofFloats("sin", callLibdevice<sin>),
      ofFloats("cos", callLibdevice<cos>),
      ofFloats("tan", callLibdevice<tan>),
      ofFloats("asin", callLibdevice<asin>),
      ofFloats("acos", callLibdevice<acos>),
      ofFloats("atan", callLibdevice<atan>),
      ofFloats("atan2", callLibdevice<atan2>),
      ofFloats("sinh", callLibdevice<sinh>),
      ofFloats("cosh", callLibdevice<cosh>),
      ofFloats("tanh", hyperbolicTangent),
      ofFloats("logistic", buildLogistic, buildLogisticOfHalf),
      ofFloats("erf", errorFunction),
      ofFloats("erfc", callLibdevice<erfc>),
      ofFloats("erfinv", callLibdevice<erfinv>),
      ofFloats("sqrt", makeLike<LLVM::SqrtOp>),
      ofFloats("rsqrt", reciprocalRoot),
      ofFloats("cbrt", callLibdevice<cbrt>),
      ofFloats("hypot", callLibdevice<hypot>),
      ofFloats("as_tf32", asTf32),
  };
  return rows;
}

} // namespace tegula::lower
