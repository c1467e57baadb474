// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What branches and loops carry, over MLIR's region interfaces: analyses that ask here know of no single op.
//
//   %r = scf.for ... iter_args(%a = %init) { scf.yield %next }      %init and %next -> %a, %r
//   %r = scf.if %c { scf.yield %x } else { scf.yield %y }           %x and %y -> %r; %c decides
#pragma once

#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace tegula::tile {

/// Calls `visit` for each operand, of the op or of a terminator inside, that is passed on to a region or out of one,
/// and the value that it becomes there: a block argument or a result. One that may go to several places comes once for
/// each.
void forEachCarried(mlir::RegionBranchOpInterface op,
                    llvm::function_ref<void(mlir::OpOperand &from, mlir::Value to)> visit);

/// The values that a block argument of a region or a result of a branch or loop may be, one step back, with those that
/// carry the same variable: a loop's argument and its result. None if it is something else, as an induction variable.
llvm::SmallVector<mlir::Value> carriedSources(mlir::Value value);

/// What decides which region runs, and how often: conditions and bounds.
llvm::SmallVector<mlir::Value> decidingValues(mlir::RegionBranchOpInterface op);

} // namespace tegula::tile
