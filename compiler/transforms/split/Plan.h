// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's side of a split launch: how many thread groups, which kernel.
#pragma once

#include "transforms/split/Domain.h"

namespace tegula::split {

/// What the host knows of a launch's program: code at the builder's place, where the launch's grid and arguments are
/// these.
class HostValues {
public:
  HostValues(tile::LaunchOp launch, mlir::OpBuilder &builder, mlir::ValueRange grid, mlir::ValueRange arguments)
      : launch(launch), builder(builder), grid(grid), arguments(arguments) {}

  mlir::Value constant(int64_t value);
  /// At least the extent of the ref in every program.
  mlir::Value extentOf(mlir::Value ref, int64_t dim);
  /// An expression of the launch's arguments, or null.
  mlir::Value clone(mlir::Value value);
  /// At least the extent in every program, from what the host knows; null if it knows nothing.
  mlir::Value most(const Extent &extent);

private:
  tile::LaunchOp launch;
  mlir::OpBuilder &builder;
  mlir::ValueRange grid, arguments;
};

/// An extent that is at least this one in every program, and that HostValues knows the most of; none if there is none.
std::optional<Extent> mostOnHost(tile::LaunchOp launch, Extents &extents, Extent extent);

/// Writes the plan region of a launch: host code with the grid and the arguments of the launch as its own.
class PlanBuilder {
public:
  explicit PlanBuilder(tile::LaunchOp launch);

  /// Sub-tiles along a dimension of a domain.
  mlir::Value tiles(const Domain &domain, int64_t dim);
  /// The most sub-tiles that any domain has.
  mlir::Value mostTiles(const Program &program);
  /// Groups that all programs need together; of products on tensor cores, CTAs or clusters.
  mlir::Value groups(const Program &program);
  /// The CTAs of a kernel for tensor cores that run at a time, one on each multiprocessor, or their clusters.
  mlir::Value processors(const Program &program);
  /// Of programs that differ along the last axis of the grid alone and read the same of these arrays: how many such
  /// rows of programs have what they read in the L2 cache together.
  mlir::Value turns(llvm::ArrayRef<unsigned> arrays);
  /// How many clusters of a kernel share rows, of so many CTAs each.
  mlir::Value clusters(mlir::Value rows, mlir::Value cluster, tile::KernelOp kernel);
  /// The CTAs of a kernel that stay, of which a multiprocessor holds `ctas`, for the work of so many.
  mlir::Value staying(mlir::Value blocks, int64_t ctas);
  /// The elements of an array.
  mlir::Value elementsOf(unsigned argument);
  /// As HostValues::extentOf.
  mlir::Value extentOf(mlir::Value ref, int64_t dim) { return host().extentOf(ref, dim); }
  /// As HostValues::most.
  mlir::Value most(const Extent &extent) { return host().most(extent); }

  mlir::OpBuilder &get() { return builder; }
  mlir::ValueRange grid() { return plan->getArguments().take_front(launch.getGrid().size()); }
  mlir::ValueRange arguments() { return plan->getArguments().drop_front(launch.getGrid().size()); }
  mlir::Value constant(int64_t value) { return host().constant(value); }
  mlir::Value ceilDiv(mlir::Value value, int64_t divisor);
  void finish();

private:
  mlir::Value product(mlir::Value a, mlir::Value b);
  HostValues host() { return {launch, builder, grid(), arguments()}; }

  tile::LaunchOp launch;
  mlir::Block *plan;
  mlir::OpBuilder builder;
  mlir::Location loc;
};

} // namespace tegula::split
