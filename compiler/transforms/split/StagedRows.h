// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the CTAs of a cluster that stays for several rows keep in shared memory: loads that are the same for all rows,
// such as a layernorm's weight, and the next row, which is copied while this one is computed.
//
//   for row:                                   copy w[mine] to W, x[first row, mine] to X      // cp.async
//     x = load x[row, mine]                    for row:
//     ...                             ->         wait; x = load X; synchronize; copy x[next row, mine] to X
//     w = load w[mine]                           ...
//     ...                                        w = load W
//                                                ...
//
// Both are for global memory that the kernel does not write, and that a slice of the kernel's arguments and the row's
// number says: x[row, mine], not x[order[row], mine]. cp.async takes no registers, of which the row has most.
#pragma once

#include "ir/TileDialect.h"
#include "transforms/split/GroupShape.h"

namespace tegula::split {

/// Stages the loads of a kernel whose body is a loop over rows (`GroupShape::staysForRows`), as far as shared memory
/// allows. The kernel says then how many CTAs of it a multiprocessor is to have (`tile::ctasPerMultiprocessor`).
void stageRows(tile::KernelOp kernel, const GroupShape &shape);

} // namespace tegula::split
