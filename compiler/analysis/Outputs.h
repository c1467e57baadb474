// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program stores of its block of an output, as far as the text of the program tells.
//   o[all] = ...                                               all of it
//   if (c) o[all] = ...; else o[all] = ...;                    all of it
//   o[ds<8>(0)] = ...; o[ds<8>(8)] = ...;                      all of a block of 16
//   for (k = 0; k < cdiv(o.dim(0), 8); ++k) o[ds<8>(8 * k)]    all of it
// Any other program may leave elements out. Its CPU code then marks what it stores (tegula/cpu/written.h), and a
// missing element is an error of the call.
#pragma once

#include "analysis/Extents.h"

#include "llvm/ADT/SetVector.h"

namespace tegula {

/// The stores of a launch to one of its arguments, scatters among them, in the order of the text.
llvm::SmallVector<tile::RootOpInterface> storesTo(tile::LaunchOp launch, mlir::BlockArgument argument);

/// What a program knows as its block of an array, if it is of no other program of the grid: the window that the block
/// spec describes, or the argument itself. Null if several programs may store to it.
mlir::Value ownBlockOf(tile::LaunchOp launch, mlir::BlockArgument argument);

/// Whether every way through the program stores to all elements of a block. A masked store counts for all of its
/// window: its author says with the mask which elements stay as they are.
bool storesAllOf(tile::LaunchOp launch, mlir::Value block, Extents &extents);

/// What an array of the host may be: arguments of the entry, and arrays that it makes.
llvm::SetVector<mlir::Value> originsOf(mlir::Value array);

} // namespace tegula
