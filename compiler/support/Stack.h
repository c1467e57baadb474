// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stack that recursion over programs fits on: Clang, LLVM and MLIR go down one frame or several for each level that
// expressions, branches and chains of values nest. What is never touched costs address space alone.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula {

/// Runs it on a thread with a large stack, which threads that it starts have, too; on the caller's if there is no room.
void runOnLargeStack(llvm::function_ref<void()> run);

} // namespace tegula
