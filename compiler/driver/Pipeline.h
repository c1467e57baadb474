// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which passes make which form of a program.
#pragma once

#include "support/Target.h"

#include "mlir/Pass/PassManager.h"

namespace tegula::driver {

/// Imported variables to checked SSA: the form that `--emit=tile` shows, and that the CPU runs.
void addTilePasses(mlir::OpPassManager &passes);
/// What a module that was written by hand needs of these in any case: its marks of checks are left by none.
void addReadPasses(mlir::OpPassManager &passes);
/// Programs of the portable level to kernels and plans for these targets; with remarks on how. `variants` are the
/// kernels to make beside the general one, as tile-split calls them; none: those that pay.
void addSplitPasses(mlir::OpPassManager &passes, llvm::ArrayRef<const Target *> targets = {}, bool remarks = false,
                    llvm::ArrayRef<std::string> variants = {});
/// Kernels as one would write them at the explicit level: rings, roles, copies, products on tensor cores.
void addExpandPasses(mlir::OpPassManager &passes);
/// Shared memory and tensor maps, which fit all of these targets, and roles with code of their own.
void addSharedPasses(mlir::OpPassManager &passes, llvm::ArrayRef<const Target *> targets = {});
/// Layouts for the kernels' tiles.
void addLayoutPasses(mlir::OpPassManager &passes);
/// Kernels to the LLVM dialect, whose shared memory fits all of these targets; the host's part is dropped.
void addLoweringPasses(mlir::OpPassManager &passes, llvm::ArrayRef<const Target *> targets = {});

/// The names of all these passes.
std::vector<std::string> passNames();

} // namespace tegula::driver
