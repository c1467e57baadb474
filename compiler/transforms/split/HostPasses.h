// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that a launch is made of. They stand in front of it, as launches of the host, for as long as it takes to
// split them, and see its checks; then their plans go into its plan.
#pragma once

#include "ir/TileDialect.h"

#include "mlir/IR/IRMapping.h"

namespace tegula::split {

/// A launch with an empty body, whose arguments are there.
tile::LaunchOp createPass(mlir::OpBuilder &builder, tile::LaunchOp launch, const llvm::Twine &suffix,
                          mlir::ValueRange grid, mlir::ValueRange arguments, llvm::ArrayRef<tile::Access> access);

/// The launch's program once more, which finds in the arrays `found` what other passes have made. `replace` writes what
/// is there instead of an op, at the builder's place, and maps its results; it returns false for ops that stay.
tile::LaunchOp cloneProgram(mlir::OpBuilder &builder, tile::LaunchOp launch, const llvm::Twine &suffix,
                            llvm::ArrayRef<mlir::Value> found,
                            llvm::function_ref<bool(mlir::Operation &, mlir::ValueRange, mlir::IRMapping &)> replace);

/// The number of this program among all of a grid of so many axes, in the body at the builder's place.
mlir::Value numberOfProgram(mlir::OpBuilder &builder, mlir::Location loc, size_t axes);

/// Leaves out what the program of a pass does not use.
void dropUnusedInputs(tile::LaunchOp pass);

/// What the arguments of a pass's plan are where `host` has what its grid and arguments are, as far as it does.
void mapPlan(tile::LaunchOp pass, mlir::IRMapping &host);

/// Puts the plan of a pass at the builder's place. `host` has what its grid and arguments are there.
void inlinePlan(mlir::OpBuilder &builder, tile::LaunchOp pass, mlir::IRMapping host);

/// Puts all that a block has behind `branch` into its else region.
void moveIntoElse(mlir::scf::IfOp branch);

/// Erases all ops between two, the second of which stays: those that passes were made by.
void eraseBetween(mlir::Operation *before, mlir::Operation *after);

} // namespace tegula::split
