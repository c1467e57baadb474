// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of 8-bit floats, which some targets have instructions for: the lowering calls functions of these names
// and the type's, and code generation says for each target what they do.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace tegula {

/// Two of them in 16 bits, the first one below, as <2 x half>: exact.
inline constexpr llvm::StringLiteral float8ToHalfPrefix = "tegula_half_of_";
/// Two floats in 16 bits, the first one below: to nearest even, saturated (PTX ISA, cvt.rn.satfinite).
inline constexpr llvm::StringLiteral floatToFloat8Prefix = "tegula_float_to_";

} // namespace tegula
