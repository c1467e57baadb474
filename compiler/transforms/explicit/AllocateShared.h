// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where shared memory lies: by lifetime.
//
// An allocation lives from its op to the end of its scope, and allocations that never live together may lie in the same
// place. What the first one's scope began may go on then: other threads of the block are still in it, copies and
// products still read it. So all threads synchronize where the second one's scope begins (tile.reuse_shared), each
// having waited for what it began itself. They synchronize there and not where the first scope ends, because nothing
// has to wait unless the place gets another use; and in a loop, that is also where the scope begins again. An
// allocation takes part only if all threads come to it, else they could not synchronize. Copies that bring something
// are waited for by the program, which wants to read it; the CPU says where it does not.
//
// Groups of a union live together in their scope, and may lie in one place all the same: who uses which when is the
// program's affair, and nobody synchronizes for it.
#pragma once

#include "ir/TileDialect.h"

namespace tegula {

/// Places all allocations and barriers of a kernel, whose arrangement is chosen. `capacity` is what a block can have on
/// `arch`.
mlir::LogicalResult allocateShared(tile::KernelOp kernel, int64_t capacity, llvm::StringRef arch);

} // namespace tegula
