// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which windows of the arrays a stage of the ring of mma.sync kernels holds.
#pragma once

#include "transforms/products/Mainloop.h"

namespace tegula {

/// Of the two dimensions of an array that a factor has, the one that is summed over.
int64_t depthDimOf(const Factor &factor);

/// A stage has a part of a step, of all consumers.
class StageWindows {
public:
  StageWindows(mlir::OpBuilder &builder, tile::KernelOp kernel, const Mainloop &mainloop);

  /// What a stage has of the step with this number: all of it if `within` is null, else `depth` elements of the
  /// dimension that is summed over from there on. In the order of the array's dimensions.
  mlir::Value of(const Factor &factor, mlir::Value step, mlir::Value within, int64_t depth);

  /// Whether places of windows are elements of arrays, which those steps alone may load that there are.
  bool areLoaded() const { return hasLoads; }

private:
  mlir::Value copyOf(mlir::Value value, mlir::IRMapping &clones);
  mlir::Value windowOf(mlir::Value ref, mlir::IRMapping &clones);
  mlir::Value windowOf(tile::SliceOp slice, mlir::IRMapping &clones);
  mlir::Value cut(mlir::Value matrix, bool isDepthFirst);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  tile::KernelOp kernel;
  mlir::scf::ForOp loop;
  int64_t consumers;
  Position position;
  bool hasLoads;
  /// Of the call.
  int64_t depthDim = 0, stepDepth = 0, depth = 0;
  mlir::Value within; ///< reset where it is done
};

} // namespace tegula
