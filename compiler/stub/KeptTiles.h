// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tiles of a program a CPU kernel holds in memory. The others are never whole: an element is computed where it is
// used.
#pragma once

#include "analysis/Extents.h"

#include "mlir/IR/Region.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseSet.h"

namespace tegula::stub {

/// What is printed: a program of the portable level as it is written, or as splitting made it, in sub-tiles; or one of
/// the explicit level.
enum class Form { Written, Split, Explicit };

/// The results of ops that are computed where they stand, because later the array that they are loaded from may have
/// changed, because a loop would compute them again and again, because a reduction needs them and something else, too,
/// or because a subtile of them is taken or a product reads them. Reductions and products themselves are kept. What
/// control flow carries is in memory anyway and not listed.
///
/// At the explicit level, memory and accumulators change by what other threads do, copies and products too: there,
/// what is loaded or taken of an accumulator is used before anything else happens, or kept.
///
/// In kernels of sub-tiles, a product reads no memory that may end before its sub-tile does.
///
/// What conforms along a dimension in which a part of it is taken is not kept: the part may go beyond any size that it
/// could be kept in. `extents` tells, if the program is as it was written.
///
/// No such tile is one of which elements are taken: `separateTaken` comes first.
llvm::DenseSet<mlir::Value> tilesToKeep(mlir::Region &program, Form form, const Extents *extents);

/// Clones tiles that conform where a part of them is taken, and of which elements are taken as well: the clone is
/// computed where the part is used, the original is kept in memory. Whether there are any: extents have to be found
/// again then.
bool separateTaken(mlir::Region &program, const Extents &extents);

} // namespace tegula::stub
