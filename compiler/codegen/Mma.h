// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/Target.h"

namespace llvm {
class Module;
}

namespace tegula::codegen {

/// Says what the products of `support/Mma.h` that a module calls are on a target.
void defineProducts(llvm::Module &module, const Target &target);

} // namespace tegula::codegen
