// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How types and constants of the IR are written in C++.
#pragma once

#include "stub/Expr.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Types.h"
#include "mlir/IR/Value.h"

namespace tegula::stub {

/// `std::int32_t`, `tegula::bf16`, `bool`... for a scalar or an element. Signless integers are signed.
std::string typeName(mlir::Type element);
/// `const float`, or `float`.
std::string typeName(mlir::Type element, bool isConst);

bool isUnsigned(mlir::Type element);
mlir::Type elementTypeOf(mlir::Value tile);
/// f16 and bf16, on which C++ computes in float.
bool isNarrowFloat(mlir::Type type);

/// A constant of the element type.
Expr literal(mlir::Attribute value, mlir::Type element);
/// The same with exactly the element's C++ type, where C++ deduces a type from it.
Expr typed(const Expr &value, mlir::Type element);
/// The bits of a signless scalar as an element, which may be unsigned.
Expr asElement(const Expr &scalar, mlir::Type element);
/// The bits of an element as a signless scalar.
Expr asScalar(const Expr &value, mlir::Type element);

} // namespace tegula::stub
