// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class Module;
}

namespace tegula {
struct Target;
}

namespace tegula::codegen {

/// Defines the conversions of 8-bit floats that a module calls (support/Float8.h): an instruction where the target has
/// one, else arithmetic. They are inlined.
void defineFloat8Casts(llvm::Module &module, const Target &target);

/// Two of a type in 16 bits, the first one below, as <2 x half>: by arithmetic.
llvm::Value *widenFloat8(llvm::IRBuilder<> &builder, llvm::StringRef type, llvm::Value *pair);

} // namespace tegula::codegen
