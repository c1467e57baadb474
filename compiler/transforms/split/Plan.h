// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's side of a split launch: how many thread groups, which kernel.
#pragma once

#include "transforms/split/Domain.h"

namespace tegula::split {

/// Writes the plan region of a launch: host code with the grid and the arguments of the launch as its own.
class PlanBuilder {
public:
  explicit PlanBuilder(tile::LaunchOp launch);

  /// Sub-tiles along a dimension of a domain.
  mlir::Value tiles(const Domain &domain, int64_t dim);
  /// The most sub-tiles that any domain has.
  mlir::Value mostTiles(const Program &program);
  /// Groups that all programs need together.
  mlir::Value groups(const Program &program);
  /// At least the extent in every program, from what the host knows; null if it knows nothing.
  mlir::Value most(const Extent &extent);

  mlir::OpBuilder &get() { return builder; }
  mlir::ValueRange grid() { return plan->getArguments().take_front(launch.getGrid().size()); }
  mlir::ValueRange arguments() { return plan->getArguments().drop_front(launch.getGrid().size()); }
  mlir::Value constant(int64_t value);
  mlir::Value ceilDiv(mlir::Value value, int64_t divisor);
  void finish();

private:
  mlir::Value product(mlir::Value a, mlir::Value b);
  mlir::Value extentOnHost(mlir::Value ref, int64_t dim);
  mlir::Value cloneToHost(mlir::Value value);

  tile::LaunchOp launch;
  mlir::Block *plan;
  mlir::OpBuilder builder;
  mlir::Location loc;
};

} // namespace tegula::split
