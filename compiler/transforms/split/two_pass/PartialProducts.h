// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs of split-K (SplitK.h), as launches of the host for as long as it takes to split them.
#pragma once

#include "transforms/split/two_pass/DividedProducts.h"

namespace tegula::split {

/// Writes these launches in front of the one that they are made of.
class PartialProducts {
public:
  PartialProducts(tile::LaunchOp launch, const DividedProducts &found)
      : launch(launch), found(found), loc(launch.getLoc()), builder(launch) {}

  /// The program, with one more axis of the grid, which has `parts`: each sums `each` iterations of the loop, or as
  /// many times `granule` elements of rows. What comes out is stored to the arrays `partials`, a plane for each part
  /// that has the dimensions of the array that the program stores to.
  tile::LaunchOp sumParts(mlir::Value parts, mlir::Value each, int64_t granule, llvm::ArrayRef<mlir::Value> partials);
  /// The program, whose sums are those of what all parts came to, in their order.
  tile::LaunchOp finish(llvm::ArrayRef<mlir::Value> partials);

private:
  mlir::Value windowOf(mlir::Value ref, mlir::Value partials, mlir::Value part, mlir::IRMapping &mapping);
  void sumPartOfLoop(mlir::Value part, mlir::Value each, mlir::IRMapping &mapping);
  void sumPartOfRows(mlir::Value part, mlir::Value each, int64_t granule, mlir::IRMapping &mapping);
  mlir::Value sumOfParts(size_t sum, mlir::Value partials, mlir::IRMapping &mapping);

  tile::LaunchOp launch;
  const DividedProducts &found;
  mlir::Location loc;
  mlir::OpBuilder builder;
};

} // namespace tegula::split
