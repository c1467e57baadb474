// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_LOWER_PASSES_TD
#define TEGULA_LOWER_PASSES_TD

include "mlir/Pass/PassBase.td"

def TileLowerToLlvm : Pass<"tile-lower-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Turns laid-out kernels into functions of the LLVM dialect";
  let description = [{
    Leaves nothing in the module but one `llvm.func` for each `tile.kernel`, of the same name, and what these call.
    A function is what one thread does. Its parameters are 8 bytes each: for a ref its pointer, dims and strides; a
    scalar in the low bytes of an `i64`.

    Reductions and relayouts exchange elements in shared memory of their own, beside what `tile-assign-shared` places.
    Both together being more than a block can have is an error.
  }];
  let options = [
    Option<"arch", "arch", "std::string", "\"sm_90a\"", "the architecture whose blocks have least shared memory">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::mlir::cf::ControlFlowDialect"];
}

#endif // TEGULA_LOWER_PASSES_TD
