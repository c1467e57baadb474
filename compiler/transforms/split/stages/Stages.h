// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that depend on their own stores. Thread groups do not synchronize. If one part of a program needs what
// another part stores, or all of a value that no thread group holds, the launch is cut into *stages*: launches that run
// one after the other.
//
//   a program:                              a program:                   a program:
//     x[ds(0, n - 1)] = x[ds(1, n - 1)]  ->   scratch = x[ds(1, n - 1)]    x[ds(0, n - 1)] = scratch
//
// This is tried after splitting at once was refused (Attempt.h takes back what that made). `Effects` finds where a
// stage has to end, and which values outlive the memory that they were loaded from. Those are kept in scratch arrays
// (Scratch.h); everything else is computed again in each stage that needs it.
//
//   split     Each stage is split as any launch, in passes of its own where these pay. Stages that do the same to other
//             arrays have one plan and its kernels; where many differ in numbers alone, these are arguments; scratch
//             arrays that are not needed at a time are one (Shared.h).
//   refused   A stage that cannot be split gives way: what it combines gets a stage of its own. A loop or a branch that
//             the host can run becomes one of the host, whose body is cut likewise; what it carries goes to memory
//             (Carried.h). Tiles of run-time extents that are made once because elements are taken of them
//             (`tile.takes_of_made`) are kept likewise.
//   alone     What is left, such as a loop whose end depends on its own results, one thread group runs, chunk by chunk
//             (Alone.h). -Rsplit says that this is slow.
//
// Programs without a grid that one thread group could do at once also have stages, for arrays of at least 65536
// elements. `tile-split=stages=false` refuses instead (split/Refusals.cpp, split/Domain.cpp).
#pragma once

#include "transforms/split/GroupShape.h"

#include "ir/TileDialect.h"

namespace tegula::split {

/// Writes the kernels and the plan of a launch at once, by splitInPasses, or else in stages. With `remarks`, tells the
/// author. Where neither is possible, what is told is what keeps it from the former.
mlir::LogicalResult splitOrCut(tile::LaunchOp launch, const GroupShape &shape, bool remarks);

} // namespace tegula::split
