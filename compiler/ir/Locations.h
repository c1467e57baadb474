// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What locations tell of the source: lines, the calls that were inlined, and the variables that values were.
#pragma once

#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace tegula::tile {

/// The line that a location means, and those of the calls through which it was reached, innermost first. Empty if it
/// is unknown.
llvm::SmallVector<mlir::FileLineColLoc, 2> linesOf(mlir::Location location);

/// The same place, for values that are not the variable itself.
mlir::Location withoutName(mlir::Location location);

/// The C++ variable in a location; empty if there is none.
llvm::StringRef nameIn(mlir::Location location);

/// The C++ variable that a value is, by the argument attribute `tile.name` or by its location; for an argument of a
/// launch without either, what the launch is given. Empty if it has none.
llvm::StringRef nameOf(mlir::Value value);

} // namespace tegula::tile
