// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace tegula::codegen {

/// Links the functions that the module calls from NVIDIA's library of device functions, as internal ones. Does nothing,
/// and reads no file, if it calls none.
llvm::Error linkLibdevice(llvm::Module &module, llvm::StringRef path);

} // namespace tegula::codegen
