// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of warps that targets have different instructions for: the lowering calls a function of this name and the
// types', and code generation says for each target what it does.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace tegula {

/// "tegula_mma_f64_f64" or "tegula_mma_e4m3_e5m2": the results of 16 x 8, of the registers of the left and the right
/// factor and the sums, as for m16n8k8 and m16n8k32 (PTX ISA, "Matrix Fragments for mma").
inline constexpr llvm::StringLiteral mmaPrefix = "tegula_mma_";

} // namespace tegula
