// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

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

} // namespace tegula::codegen
