// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a launch wants its products cut for tensor cores (include/tegula/language/launch.h).
#pragma once

#include "mlir/IR/Operation.h"

namespace tegula {

/// What is 0 is the compiler's choice.
struct ProductOptions {
  int64_t consumers = 0, stages = 0, columns = 0, depth = 0, cluster = 0;

  bool areGiven() const { return consumers || stages || columns || depth || cluster; }
  static ProductOptions of(mlir::Operation *launch);
  void setOn(mlir::Operation *launch) const;
};

/// On a kernel: the stages of its ring, where the author has chosen.
inline constexpr char stagesOfRing[] = "tile.num_stages";
/// On a kernel for consumers: the author has chosen how many.
inline constexpr char consumersAreGiven[] = "tile.consumers_are_given";
/// On a kernel for consumers: the CTAs of a cluster, 1 without it. They share the rows of a sub-tile, or each has a
/// program of its own.
inline constexpr char clusterOfProducts[] = "tile.cluster_of_products";
inline constexpr char programsInCluster[] = "tile.programs_in_cluster";
int64_t clusterSizeOf(mlir::Operation *kernel);

/// On a kernel whose blocks read at one time what several of them read, so that it comes from memory once: they are
/// placed together, when the grid before has ended. Those that begin earlier stay ahead (test/benchmark/RESULTS.md).
inline constexpr char beginsTogether[] = "tile.begins_together";

} // namespace tegula
