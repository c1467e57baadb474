// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the passes that make kernels share.
#pragma once

#include "ir/TileDialect.h"

namespace tegula {

/// Drops the arguments that a kernel does not use; returns those that stay.
llvm::SmallVector<unsigned> dropUnusedArguments(tile::KernelOp kernel);

/// Whether two kernels do the same in the same way, for the same parameters.
bool areSame(tile::KernelOp a, tile::KernelOp b);

/// Removes what is without a use, users and inner ops first.
void removeDeadCode(tile::KernelOp kernel);

} // namespace tegula
