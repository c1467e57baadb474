// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factors that consumers compute in each step of a mainloop, from what TMA has copied and whatever else they load.
#pragma once

#include "transforms/products/Mainloop.h"

#include "mlir/IR/IRMapping.h"

namespace tegula {

class FactorBuilder {
public:
  FactorBuilder(mlir::OpBuilder &builder, const Mainloop &mainloop) : builder(builder), mainloop(mainloop) {}

  /// Begins a step: the loop's number in it, and for each factor the shared memory that has it, as products take it.
  void begin(mlir::Value number, llvm::ArrayRef<mlir::Value> factors);

  /// A factor as a whole.
  mlir::Value make(tile::DotOp dot, bool isLeft);
  /// Columns of a right factor.
  mlir::Value makeColumns(tile::DotOp dot, mlir::Value first, int64_t columns);
  /// Makes what these columns need and no step changes, here, before the loop.
  void hoistColumns(tile::DotOp dot, mlir::Value first, int64_t columns);

private:
  std::optional<mlir::Value> there(mlir::Value value);
  mlir::Value copyOf(mlir::Value value);
  mlir::Value partOf(mlir::Value value, const tile::Parts &parts);
  mlir::Value mask(tile::DotOp dot, bool isLeft, mlir::Value factor);
  bool isBefore(mlir::Value value);

  mlir::OpBuilder &builder;
  const Mainloop &mainloop;
  mlir::IRMapping clones; ///< of the step
  llvm::ArrayRef<mlir::Value> factors;
  struct Known {
    mlir::Value value;
    tile::Parts parts;
    mlir::Value made;
  };
  llvm::SmallVector<Known> hoisted, ofStep;
};

} // namespace tegula
