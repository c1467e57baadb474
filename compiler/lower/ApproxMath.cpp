// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ElementwiseRows.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;

namespace tegula::lower {
namespace approx {
namespace {

/// May become one instruction with the product that it adds, or with the sum that takes it.
template <class Op> Value contracted(ScalarBuilder &b, ValueRange operands) {
  return b.create<Op>(operands[0], operands[1], arith::FastMathFlags::contract);
}
Value square(ScalarBuilder &b, ValueRange operands) { return contracted<arith::MulFOp>(b, {operands[0], operands[0]}); }

constexpr const char *ex2 = "ex2", *lg2 = "lg2", *sine = "sin", *cosine = "cos", *reciprocal = "rcp", *root = "sqrt",
                     *reciprocalRoot = "rsqrt";
/// One instruction of the multi-function unit for each lane, to which subnormal numbers are zero.
template <const char *const &Name> Value fast(ScalarBuilder &b, ValueRange operands) {
  return b.forEachLane(operands, [&](ValueRange lane) {
    return b.intrinsic(std::string("llvm.nvvm.") + Name + ".approx.ftz.f", b.builder.getF32Type(), lane);
  });
}

Value scaled(ScalarBuilder &b, Value x, double factor) {
  return contracted<arith::MulFOp>(b, {x, b.real(x.getType(), factor)});
}
Value exp(ScalarBuilder &b, ValueRange operands) {
  return fast<ex2>(b, scaled(b, operands.front(), llvm::numbers::log2e));
}
Value log(ScalarBuilder &b, ValueRange operands) { return scaled(b, fast<lg2>(b, operands), llvm::numbers::ln2); }
Value tanh(ScalarBuilder &b, ValueRange operands) {
  return b.forEachLane(operands, [&](ValueRange lane) {
    return b.assembly("tanh.approx.f32 $0, $1;", "=f,f", b.builder.getF32Type(), lane);
  });
}
Value logistic(ScalarBuilder &b, ValueRange operands) {
  Value grown = fast<ex2>(b, scaled(b, operands.front(), -llvm::numbers::log2e));
  return fast<reciprocal>(b, b.create<arith::AddFOp>(grown, b.real(grown.getType(), 1.0)));
}
Value silu(ScalarBuilder &b, ValueRange operands) {
  return contracted<arith::MulFOp>(b, {operands[0], logistic(b, operands)});
}
Value geluTanh(ScalarBuilder &b, ValueRange operands) {
  return contracted<arith::MulFOp>(b, {operands[0], logistic(b, buildCubicOfGelu(b, operands[0]))});
}
Value quotient(ScalarBuilder &b, ValueRange operands) {
  return contracted<arith::MulFOp>(b, {operands[0], fast<reciprocal>(b, operands[1])});
}

Value tan(ScalarBuilder &b, ValueRange operands) {
  return contracted<arith::MulFOp>(b, {fast<sine>(b, operands), fast<reciprocal>(b, fast<cosine>(b, operands))});
}
Value cosh(ScalarBuilder &b, ValueRange operands) {
  Value grown = exp(b, operands), sum = b.create<arith::AddFOp>(grown, fast<reciprocal>(b, grown));
  return scaled(b, sum, 0.5);
}
/// 2 to the y log2|x|, with the sign that a negative x has with an odd y; such an x takes no y but integers.
Value pow(ScalarBuilder &b, ValueRange operands) {
  Value x = operands[0], y = operands[1];
  Type type = x.getType();
  auto truncated = [&](Value value) { return b.builder.create<LLVM::FTruncOp>(b.loc, type, value); };
  Value logarithm = fast<lg2>(b, Value(b.builder.create<LLVM::FAbsOp>(b.loc, type, x)));
  Value power = fast<ex2>(b, Value(b.create<arith::MulFOp>(y, logarithm)));
  Value half = b.create<arith::MulFOp>(y, b.real(type, 0.5));
  Value isInteger = b.compare(arith::CmpFPredicate::OEQ, y, truncated(y));
  Value isOdd = b.compare(arith::CmpFPredicate::UNE, half, truncated(half));
  Value ofNegative = b.select(isOdd, b.create<arith::NegFOp>(power), power);
  ofNegative = b.select(isInteger, ofNegative, b.real(type, std::numeric_limits<double>::quiet_NaN()));
  Value isNegative = b.compare(arith::CmpFPredicate::OLT, x, b.real(type, 0));
  Value isOne = b.compare(arith::CmpFPredicate::OEQ, y, b.real(type, 0));
  return b.select(isOne, b.real(type, 1), b.select(isNegative, ofNegative, power));
}

struct Row {
  const char *name;
  Build build;
};

/// Operations that the fused multiply-add is made of.
constexpr Row ofEachType[] = {
    {"add", contracted<arith::AddFOp>},
    {"sub", contracted<arith::SubFOp>},
    {"mul", contracted<arith::MulFOp>},
    {"square", square},
};
/// And those that f16 and bf16 take, too, as f32.
// clang-format off
constexpr Row ofF32[] = {
    {"div", quotient},
    {"exp", exp},
    {"exp2", fast<ex2>},
    {"log", log},
    {"log2", fast<lg2>},
    {"sin", fast<sine>},
    {"cos", fast<cosine>},
    {"tan", tan},
    {"cosh", cosh},
    {"pow", pow},
    {"tanh", tanh},
    {"logistic", logistic},
    {"silu", silu},
    {"gelu", buildGeluOfHalf},
    {"gelu_tanh", geluTanh},
    {"sqrt", fast<root>},
    {"rsqrt", fast<reciprocalRoot>},
};
// clang-format on

Build findIn(ArrayRef<Row> rows, StringRef name) {
  const Row *row = llvm::find_if(rows, [&](const Row &candidate) { return name == candidate.name; });
  return row == rows.end() ? nullptr : row->build;
}

} // namespace
} // namespace approx

Build findApproximation(StringRef mnemonic, Type element) {
  if (Build build = approx::findIn(approx::ofEachType, mnemonic))
    return build;
  return element.isF64() ? nullptr : approx::findIn(approx::ofF32, mnemonic);
}

} // namespace tegula::lower
