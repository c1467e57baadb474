// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs any pass of the compiler on textual tile IR: tegula-opt [--pass...] [file.mlir], as mlir-opt does.
#include "checks/Passes.h"
#include "ir/TileDialect.h"
#include "lower/Passes.h"
#include "transforms/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<tegula::tile::TileDialect, mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect,
                  mlir::LLVM::LLVMDialect, mlir::math::MathDialect, mlir::NVVM::NVVMDialect, mlir::scf::SCFDialect,
                  mlir::ub::UBDialect, mlir::vector::VectorDialect>();
  mlir::registerCanonicalizer();
  mlir::registerCSE();
  tegula::registerTegulaChecksPasses();
  tegula::registerTegulaPasses();
  tegula::registerTegulaLowerPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Tegula's passes on tile IR\n", registry));
}
