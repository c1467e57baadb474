// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elementwise family on registers: one row for each op of TileElementwise.td but tile.cast.
//
// Accuracy, but for approx_math (ApproxMath.h): + - * / sqrt, conversions and everything on integers are exactly
// rounded, and nothing is contracted. exp, exp2, log, log2, sin, cos, tanh and erf are libdevice's, or made of the same
// (tanh and erf of f32), within 2 ulp, and so is rsqrt in f32; logistic is within 5. In f16 and bf16 these compute in
// f32 and round once more.
#include "lower/ApproxMath.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace tegula::lower {
namespace {

/// How f16 and bf16 are computed.
enum class Narrow {
  /// In f32, and rounded once. The default.
  Wide,
  /// By the same operation on 16 bits, which is exact.
  Same,
};

struct Row {
  const char *name;
  Build boolean, signedInteger, unsignedInteger, floating;
  Narrow narrow = Narrow::Wide;
};

template <class Op> Value make(ScalarBuilder &b, ValueRange operands) {
  return b.builder.createOrFold<Op>(b.loc, operands);
}

template <class Op> Value makeLike(ScalarBuilder &b, ValueRange operands) {
  return b.builder.create<Op>(b.loc, operands.front().getType(), operands);
}

template <arith::CmpIPredicate Predicate> Value integers(ScalarBuilder &b, ValueRange operands) {
  return b.compare(Predicate, operands[0], operands[1]);
}

template <arith::CmpFPredicate Predicate> Value floats(ScalarBuilder &b, ValueRange operands) {
  return b.compare(Predicate, operands[0], operands[1]);
}

template <bool Signed> Value divide(ScalarBuilder &b, ValueRange operands) {
  return b.divide(operands[0], operands[1], Signed);
}

template <bool Signed> Value remainder(ScalarBuilder &b, ValueRange operands) {
  return b.remainder(operands[0], operands[1], Signed);
}

Value shiftLeft(ScalarBuilder &b, ValueRange operands) { return b.shiftLeft(operands[0], operands[1]); }

template <bool Signed> Value shiftRight(ScalarBuilder &b, ValueRange operands) {
  return b.shiftRight(operands[0], operands[1], Signed);
}

Value same(ScalarBuilder &, ValueRange operands) { return operands.front(); }

Value negate(ScalarBuilder &b, ValueRange operands) {
  return b.create<arith::SubIOp>(b.zero(operands.front().getType()), operands.front());
}

Value invert(ScalarBuilder &b, ValueRange operands) {
  return b.create<arith::XOrIOp>(operands.front(), b.integer(operands.front().getType(), -1));
}

Value magnitude(ScalarBuilder &b, ValueRange operands) {
  // The least number is its own.
  return b.builder.create<LLVM::AbsOp>(b.loc, operands.front().getType(), operands.front(),
                                       /*is_int_min_poison=*/false);
}

template <class Op> Value square(ScalarBuilder &b, ValueRange operands) {
  return b.create<Op>(operands.front(), operands.front());
}

/// A condition that all lanes share chooses whole vectors.
Value choose(ScalarBuilder &b, ValueRange operands) {
  Value shared = ScalarBuilder::copied(operands[0]);
  return b.select(shared ? shared : operands[0], operands[1], operands[2]);
}

Value reciprocalRoot(ScalarBuilder &b, ValueRange operands) {
  Type type = operands.front().getType();
  if (getElementTypeOrSelf(type).isF32())
    return b.forEachLane(operands, [&](ValueRange lane) {
      return b.intrinsic("llvm.nvvm.rsqrt.approx.f", b.builder.getF32Type(), lane);
    });
  Value root = makeLike<LLVM::SqrtOp>(b, operands);
  return b.create<arith::DivFOp>(b.real(type, 1.0), root);
}

/// The functions of libdevice come in pairs: __nv_expf and __nv_exp.
template <const char *const &Name> Value call(ScalarBuilder &b, ValueRange operands) {
  return b.forEachLane(operands, [&](ValueRange lane) {
    bool isFloat = lane.front().getType().isF32();
    return b.libdevice(std::string("__nv_") + Name + (isFloat ? "f" : ""), lane);
  });
}
constexpr const char *exp = "exp", *exp2 = "exp2", *log = "log", *log2 = "log2", *sin = "sin", *cos = "cos",
                     *tanh = "tanh", *erf = "erf";

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
    return call<tanh>(b, operands);
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
    return call<erf>(b, operands);
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

/// 1 / (1 + exp(-x)), or below zero exp(x) / (1 + exp(x)): nothing overflows.
Value logistic(ScalarBuilder &b, ValueRange operands) {
  Value x = operands.front();
  Type type = x.getType();
  Value grown = call<exp>(b, {b.create<arith::NegFOp>(b.builder.create<LLVM::FAbsOp>(b.loc, x))});
  Value one = b.real(type, 1.0), sum = b.create<arith::AddFOp>(one, grown), reciprocal;
  if (getElementTypeOrSelf(type).isF32())
    reciprocal = b.forEachLane(
        sum, [&](ValueRange lane) { return b.intrinsic("llvm.nvvm.rcp.approx.ftz.f", b.builder.getF32Type(), lane); });
  else
    reciprocal = b.create<arith::DivFOp>(one, sum);
  Value isNegative = b.compare(arith::CmpFPredicate::OLT, x, b.real(type, 0.0));
  return b.create<arith::MulFOp>(b.select(isNegative, grown, one), reciprocal);
}

Value asTf32(ScalarBuilder &b, ValueRange operands) { return b.asTf32(operands.front()); }

using I = arith::CmpIPredicate;
using F = arith::CmpFPredicate;

// clang-format off
constexpr Row rows[] = {
    // name          bool                    signed                   unsigned                 float
    {"add",          nullptr,                make<arith::AddIOp>,     make<arith::AddIOp>,     make<arith::AddFOp>, Narrow::Same},
    {"sub",          nullptr,                make<arith::SubIOp>,     make<arith::SubIOp>,     make<arith::SubFOp>, Narrow::Same},
    {"mul",          nullptr,                make<arith::MulIOp>,     make<arith::MulIOp>,     make<arith::MulFOp>, Narrow::Same},
    {"div",          nullptr,                divide<true>,            divide<false>,           make<arith::DivFOp>},
    {"rem",          nullptr,                remainder<true>,         remainder<false>,        nullptr},
    {"maximum",      nullptr,                make<arith::MaxSIOp>,    make<arith::MaxUIOp>,    make<arith::MaximumFOp>, Narrow::Same},
    {"minimum",      nullptr,                make<arith::MinSIOp>,    make<arith::MinUIOp>,    make<arith::MinimumFOp>, Narrow::Same},
    {"bit_and",      make<arith::AndIOp>,    make<arith::AndIOp>,     make<arith::AndIOp>,     nullptr},
    {"bit_or",       make<arith::OrIOp>,     make<arith::OrIOp>,      make<arith::OrIOp>,      nullptr},
    {"bit_xor",      make<arith::XOrIOp>,    make<arith::XOrIOp>,     make<arith::XOrIOp>,     nullptr},
    {"shift_left",   nullptr,                shiftLeft,               shiftLeft,               nullptr},
    {"shift_right",  nullptr,                shiftRight<true>,        shiftRight<false>,       nullptr},
    {"logical_and",  make<arith::AndIOp>,    nullptr,                 nullptr,                 nullptr},
    {"logical_or",   make<arith::OrIOp>,     nullptr,                 nullptr,                 nullptr},
    {"eq",           integers<I::eq>,        integers<I::eq>,         integers<I::eq>,         floats<F::OEQ>},
    {"ne",           integers<I::ne>,        integers<I::ne>,         integers<I::ne>,         floats<F::UNE>},
    {"lt",           nullptr,                integers<I::slt>,        integers<I::ult>,        floats<F::OLT>},
    {"le",           nullptr,                integers<I::sle>,        integers<I::ule>,        floats<F::OLE>},
    {"gt",           nullptr,                integers<I::sgt>,        integers<I::ugt>,        floats<F::OGT>},
    {"ge",           nullptr,                integers<I::sge>,        integers<I::uge>,        floats<F::OGE>},
    {"neg",          nullptr,                negate,                  negate,                  make<arith::NegFOp>, Narrow::Same},
    {"abs",          nullptr,                magnitude,               same,                    makeLike<LLVM::FAbsOp>, Narrow::Same},
    {"square",       nullptr,                square<arith::MulIOp>,   square<arith::MulIOp>,   square<arith::MulFOp>, Narrow::Same},
    {"bit_not",      nullptr,                invert,                  invert,                  nullptr},
    {"logical_not",  invert,                 nullptr,                 nullptr,                 nullptr},
    {"exp",          nullptr,                nullptr,                 nullptr,                 call<exp>},
    {"exp2",         nullptr,                nullptr,                 nullptr,                 call<exp2>},
    {"log",          nullptr,                nullptr,                 nullptr,                 call<log>},
    {"log2",         nullptr,                nullptr,                 nullptr,                 call<log2>},
    {"sin",          nullptr,                nullptr,                 nullptr,                 call<sin>},
    {"cos",          nullptr,                nullptr,                 nullptr,                 call<cos>},
    {"tanh",         nullptr,                nullptr,                 nullptr,                 hyperbolicTangent},
    {"logistic",     nullptr,                nullptr,                 nullptr,                 logistic},
    {"erf",          nullptr,                nullptr,                 nullptr,                 errorFunction},
    {"sqrt",         nullptr,                nullptr,                 nullptr,                 makeLike<LLVM::SqrtOp>},
    {"rsqrt",        nullptr,                nullptr,                 nullptr,                 reciprocalRoot},
    {"as_tf32",      nullptr,                nullptr,                 nullptr,                 asTf32},
    {"where",        choose,                 choose,                  choose,                  choose, Narrow::Same},
};
// clang-format on

const Row *findRow(StringRef name) {
  const Row *row = llvm::find_if(rows, [&](const Row &candidate) { return name == candidate.name; });
  return row == std::end(rows) ? nullptr : row;
}

Value buildNarrow(ScalarBuilder &b, Build build, ValueRange operands, Type element) {
  Type f32 = b.builder.getF32Type();
  SmallVector<Value> wide;
  for (Value operand : operands)
    wide.push_back(b.halfToFloat(operand));
  Value result = build(b, wide);
  if (getElementTypeOrSelf(result.getType()) != f32) // a comparison's
    return result;
  return b.create<arith::TruncFOp>(withElement(result.getType(), element), result);
}

} // namespace

Value buildElementwise(ScalarBuilder &builder, StringRef mnemonic, ValueRange operands, Type element) {
  const Row *row = findRow(mnemonic);
  if (!row)
    return {};
  switch (classOf(element)) {
  case ElementClass::Bool:
    return row->boolean ? row->boolean(builder, operands) : Value();
  case ElementClass::Signed:
    return row->signedInteger ? row->signedInteger(builder, operands) : Value();
  case ElementClass::Unsigned:
    return row->unsignedInteger ? row->unsignedInteger(builder, operands) : Value();
  case ElementClass::Float:
    Build build = builder.isApproximate ? findApproximation(mnemonic, element) : nullptr;
    if (!build)
      build = row->floating;
    if (build && row->narrow == Narrow::Wide && element.getIntOrFloatBitWidth() == 16)
      return buildNarrow(builder, build, operands, element);
    return build ? build(builder, operands) : Value();
  }
  llvm_unreachable("all classes are covered");
}

} // namespace tegula::lower
