// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes on tile IR, in the order in which the compiler runs them.

#ifndef TEGULA_TRANSFORMS_PASSES_TD
#define TEGULA_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TilePromoteSlots : Pass<"tile-promote-slots", "::mlir::ModuleOp"> {
  let summary = "Turns mutable variables into SSA values";
  let description = [{
    Slots become iteration arguments and results of `scf.while`, `scf.for` and `scf.if`, and counted `scf.while` loops
    become `scf.for`. Slots of refs cannot be chosen at run time.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"];
}

#endif // TEGULA_TRANSFORMS_PASSES_TD
