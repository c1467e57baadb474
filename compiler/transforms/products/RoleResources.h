// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a kernel for wgmma divides a multiprocessor between a producer and its consumers: decided here alone, told by
// -Rsplit, and taken by the passes that make the roles.
#pragma once

#include "transforms/products/Mainloop.h"

namespace tegula {

struct RoleResources {
  int64_t stages;                              ///< of each ring
  int64_t registersToCopy, registersToCompute; ///< of a thread of the producer, and of a consumer's (setmaxnreg)
  int64_t slices = 1;                          ///< consumers that sum each sub-tile together (SlicedDepth.h)
};

/// Of a CTA that has `sharedBytes`: as many stages as fit and help, unless the author has chosen. Which results are
/// staged for TMA (canBeCopied) is known.
RoleResources resourcesOf(tile::KernelOp kernel, const Mainloop &mainloop, int64_t sharedBytes);

/// How many steps a stage stays after its products have begun: while the next ones are issued, unless registers that
/// they read are computed anew, or they are waited for in each step.
int64_t releaseDelay(const Mainloop &mainloop);

} // namespace tegula
