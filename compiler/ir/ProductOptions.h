// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a launch wants its products cut for tensor cores (include/tegula/language/launch.h).
#pragma once

#include "mlir/IR/Operation.h"

namespace tegula {

/// What is 0 is the compiler's choice.
struct ProductOptions {
  int64_t consumers = 0, stages = 0, columns = 0, depth = 0;

  bool areGiven() const { return consumers || stages || columns || depth; }
  static ProductOptions of(mlir::Operation *launch);
  void setOn(mlir::Operation *launch) const;
};

/// On a kernel: the stages of its ring, where the author has chosen.
inline constexpr char stagesOfRing[] = "tile.num_stages";

} // namespace tegula
