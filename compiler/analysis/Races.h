// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements of an array the programs of a grid load and store, as far as the text tells, and whether programs
// keep out of each other's: they run at the same time.
#pragma once

#include "analysis/Symbols.h"

namespace tegula {

/// A window along one dimension of an array: where it begins there, and how many elements it has.
struct Interval {
  Linear start;
  std::optional<int64_t> size; ///< at most; none: what a run-time number says, or the array
  /// Of a window that begins at i * n and has n elements, i and n: blocks whose size is known at run time.
  std::optional<std::pair<Symbol, Symbol>> block = {};
};

/// What a ref is of its array: for each dimension of the array the windows that were taken, each of them one of the
/// window before it, and all in indices of the array.
///   x[tg::ds<64>(64 * i)][tg::ds<8>(j)]       [64 i, 64 i + 64), then [64 i + j, 64 i + j + 8)
using Footprint = llvm::SmallVector<llvm::SmallVector<Interval, 2>>;
Footprint footprintOf(mlir::Value ref, Symbols &symbols);

/// The loads and stores of an argument in a launch's body, in the order of the text.
llvm::SmallVector<mlir::Operation *> accessesOf(tile::LaunchOp launch, mlir::BlockArgument argument);

/// Whether a program may load an element of the argument that another program stores to. Two programs differ along some
/// axis of the grid; they cannot, if for each axis there is a dimension of the array in which programs that differ
/// along the axis have different elements.
bool mayRace(tile::LaunchOp launch, mlir::BlockArgument argument, Symbols &symbols);

} // namespace tegula
