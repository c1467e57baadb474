// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise operations of launches with `approx_math`: include/tegula/language/math.h says how accurate they are.
#pragma once

#include "lower/ScalarBuilder.h"

namespace tegula::lower {

/// Makes an operation on registers.
using Build = Value (*)(ScalarBuilder &, ValueRange);

/// What takes the place of an operation on elements of this type, which are floats: of what f16 and bf16 compute in
/// f32, that of f32. Null: there is nothing faster.
Build findApproximation(llvm::StringRef mnemonic, Type element);

} // namespace tegula::lower
