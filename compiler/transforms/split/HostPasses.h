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

/// Puts the plan of a pass at the builder's place. `host` has what its grid and arguments are there.
void inlinePlan(mlir::OpBuilder &builder, tile::LaunchOp pass, const mlir::IRMapping &host);

/// Puts all that a block has behind `branch` into its else region.
void moveIntoElse(mlir::scf::IfOp branch);

/// Erases all ops between two, the second of which stays: those that passes were made by.
void eraseBetween(mlir::Operation *before, mlir::Operation *after);

} // namespace tegula::split
