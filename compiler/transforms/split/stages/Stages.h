// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches whose programs thread groups cannot share as they are, since one part of a program depends on another one
// through memory, or since all of a value is wanted that no thread group holds. They are cut into stages, each a launch
// of its own, which run one after the other:
//
//   a program:                              a program:                   a program:
//     x[ds(0, n - 1)] = x[ds(1, n - 1)]  ->   scratch = x[ds(1, n - 1)]    x[ds(0, n - 1)] = scratch
//
// What a stage needs is computed in it, unless what that is loaded from has been stored to by then: such values are
// kept in scratch arrays (Scratch.h), and so is what a stage combines if it cannot be split with that. A loop whose
// bounds the host knows, or a branch, becomes one of the host, whose body is cut likewise; what it carries goes to
// memory (Carried.h). Each stage is split as any launch, in passes of its own where these pay. What is left, such as a
// loop that ends by what it computes, one thread group runs (Alone.h), which is slow.
#pragma once

#include "transforms/split/GroupShape.h"

#include "ir/TileDialect.h"

namespace tegula::split {

/// Writes the kernels and the plan of a launch at once, by splitInPasses, or else in stages. With `remarks`, tells the
/// author. Where neither is possible, what is told is what keeps it from the former.
mlir::LogicalResult splitOrCut(tile::LaunchOp launch, const GroupShape &shape, bool remarks);

} // namespace tegula::split
