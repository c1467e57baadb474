// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/Target.h"

namespace llvm {
class Module;
}

namespace tegula::codegen {

/// Says what the updates of `support/Atomics.h` that a module calls are on a target.
void defineUpdates(llvm::Module &module, const Target &target);

} // namespace tegula::codegen
