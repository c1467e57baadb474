// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splitting that may be refused, where another way is tried then.
#pragma once

#include "ir/TileDialect.h"

#include "llvm/ADT/DenseSet.h"

namespace tegula::split {

/// Keeps to itself what is said, and can take back what is made: kernels, the plan and attributes of a launch, and
/// ops in front of it.
class Attempt {
public:
  /// Ops that are made stand in front of the launch.
  explicit Attempt(tile::LaunchOp launch);

  mlir::LogicalResult run(llvm::function_ref<mlir::LogicalResult()> split);
  /// Says what was said meanwhile.
  void tell();
  void undo();
  /// Of what was said; null if there is none.
  const mlir::Diagnostic *firstError() const;

private:
  tile::LaunchOp launch;
  mlir::ModuleOp module;
  mlir::Operation *front;
  mlir::DictionaryAttr attributes;
  llvm::DenseSet<mlir::Operation *> kernels;
  llvm::SmallVector<mlir::Diagnostic> said;
};

} // namespace tegula::split
