// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates of memory that targets have different instructions for: the lowering calls a function of this name, the
// element's and how many there are, and code generation says for each target what it does.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace tegula {

/// "tegula_red_add_f32x4": adds so many neighbours, a scalar or a vector, to those in global memory at an address that
/// is aligned for all of them; if the third argument is true.
inline constexpr llvm::StringLiteral redAddPrefix = "tegula_red_add_";

} // namespace tegula
