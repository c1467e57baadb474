// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elementwise family on registers: one row for each op of TileElementwise.td but casts. Here are the rows of
// operators; those of bits, rounding, functions and activations have files of their own (ElementwiseRows.h).
//
// Accuracy, but for approx_math (ApproxMath.h): + - * / sqrt, conversions, rounding and everything on integers are
// exactly rounded, and nothing is contracted. Of the functions, Functions.cpp says.
#include "lower/ElementwiseRows.h"

using namespace mlir;

namespace tegula::lower {
namespace {

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

using I = arith::CmpIPredicate;
using F = arith::CmpFPredicate;

const ElementwiseRow *findRow(StringRef name) {
  for (ArrayRef<ElementwiseRow> family : {operatorRows(), bitRows(), roundingRows(), functionRows(), activationRows()})
    for (const ElementwiseRow &row : family)
      if (name == row.name)
        return &row;
  return nullptr;
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

ArrayRef<ElementwiseRow> operatorRows() {
  // clang-format off
  static constexpr ElementwiseRow rows[] = {
      // name          bool                    signed                   unsigned                 float
      {"add",          nullptr,                make<arith::AddIOp>,     make<arith::AddIOp>,     make<arith::AddFOp>, Narrow::Same},
      {"sub",          nullptr,                make<arith::SubIOp>,     make<arith::SubIOp>,     make<arith::SubFOp>, Narrow::Same},
      {"mul",          nullptr,                make<arith::MulIOp>,     make<arith::MulIOp>,     make<arith::MulFOp>, Narrow::Same},
      {"div",          nullptr,                divide<true>,            divide<false>,           make<arith::DivFOp>},
      {"rem",          nullptr,                remainder<true>,         remainder<false>,        nullptr},
      {"fma",          nullptr,                nullptr,                 nullptr,                 makeLike<LLVM::FMAOp>, Narrow::Same},
      {"maximum",      nullptr,                make<arith::MaxSIOp>,    make<arith::MaxUIOp>,    make<arith::MaximumFOp>, Narrow::Same},
      {"minimum",      nullptr,                make<arith::MinSIOp>,    make<arith::MinUIOp>,    make<arith::MinimumFOp>, Narrow::Same},
      {"fmax",         nullptr,                nullptr,                 nullptr,                 makeLike<LLVM::MaxNumOp>, Narrow::Same},
      {"fmin",         nullptr,                nullptr,                 nullptr,                 makeLike<LLVM::MinNumOp>, Narrow::Same},
      {"bit_and",      make<arith::AndIOp>,    make<arith::AndIOp>,     make<arith::AndIOp>,     nullptr},
      {"bit_or",       make<arith::OrIOp>,     make<arith::OrIOp>,      make<arith::OrIOp>,      nullptr},
      {"bit_xor",      make<arith::XOrIOp>,    make<arith::XOrIOp>,     make<arith::XOrIOp>,     nullptr},
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
      {"where",        choose,                 choose,                  choose,                  choose, Narrow::Same},
  };
  // clang-format on
  return rows;
}

Value buildElementwise(ScalarBuilder &builder, StringRef mnemonic, ValueRange operands, Type element) {
  const ElementwiseRow *row = findRow(mnemonic);
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
    bool isHalf = element.getIntOrFloatBitWidth() == 16;
    Build build = builder.isApproximate ? findApproximation(mnemonic, element) : nullptr;
    if (!build)
      build = isHalf && row->half ? row->half : row->floating;
    if (build && row->narrow == Narrow::Wide && isHalf)
      return buildNarrow(builder, build, operands, element);
    return build ? build(builder, operands) : Value();
  }
  llvm_unreachable("all classes are covered");
}

} // namespace tegula::lower
