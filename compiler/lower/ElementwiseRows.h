// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of the elementwise family: each file has the rows of its ops beside what builds them, and Elementwise.cpp
// looks them up. A new op is a row in the table of its kind.
#pragma once

#include "lower/ApproxMath.h"

namespace tegula::lower {

/// How f16 and bf16 are computed.
enum class Narrow {
  /// In f32, and rounded once. The default.
  Wide,
  /// By the same operation on 16 bits, which is exact, or rounds once.
  Same,
};

/// What an op becomes on registers of each class of elements; null where it takes none such.
struct ElementwiseRow {
  const char *name;
  Build boolean, signedInteger, unsignedInteger, floating;
  Narrow narrow = Narrow::Wide;
  /// Of f16 and bf16 instead of `floating`, in f32: what they round away may be left out.
  Build half = nullptr;
};

/// Operators: arithmetic, comparisons, logic, where (Elementwise.cpp).
llvm::ArrayRef<ElementwiseRow> operatorRows();
/// Bits of integers (Bits.cpp).
llvm::ArrayRef<ElementwiseRow> bitRows();
/// Floats to integers and signs, floor division (Rounding.cpp).
llvm::ArrayRef<ElementwiseRow> roundingRows();
/// Floating-point functions (Functions.cpp).
llvm::ArrayRef<ElementwiseRow> functionRows();
/// Activations (Activations.cpp).
llvm::ArrayRef<ElementwiseRow> activationRows();

/// What activations are made of, or are: the sigmoid of f32 and f64, and forms for f16 and bf16 in f32.
Value buildLogistic(ScalarBuilder &b, ValueRange operands);
Value buildLogisticOfHalf(ScalarBuilder &b, ValueRange operands);
Value buildExpOfHalf(ScalarBuilder &b, ValueRange operands);
Value buildExp2OfHalf(ScalarBuilder &b, ValueRange operands);
Value buildGeluOfHalf(ScalarBuilder &b, ValueRange operands);
/// What the gelu of tanh takes the sigmoid of.
Value buildCubicOfGelu(ScalarBuilder &b, Value x);

template <class Op> Value make(ScalarBuilder &b, ValueRange operands) {
  return b.builder.createOrFold<Op>(b.loc, operands);
}

template <class Op> Value makeLike(ScalarBuilder &b, ValueRange operands) {
  return b.builder.create<Op>(b.loc, operands.front().getType(), operands);
}

/// A call of a function of libdevice on each lane. They come in pairs, __nv_expf and __nv_exp.
template <const char *const &Name> Value callLibdevice(ScalarBuilder &b, ValueRange operands) {
  return b.forEachLane(operands, [&](ValueRange lane) {
    bool isFloat = lane.front().getType().isF32();
    return b.libdevice(std::string("__nv_") + Name + (isFloat ? "f" : ""), lane);
  });
}

} // namespace tegula::lower
