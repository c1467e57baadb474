// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When consumers of wgmma compute the ops of a step of chained products.
#pragma once

#include "transforms/products/ChainSteps.h"

namespace tegula {

/// While the first products are in flight, of what they make, or when the other ones have been waited for, too.
enum class ChainPhase { early, middle, late };

/// What is computed element by element once rows have been reduced, the left factors of the last products among it, is
/// late: the registers of those factors are read until the products of the step before are complete.
llvm::SmallVector<std::pair<mlir::Operation *, ChainPhase>> findPhases(ChainSteps &steps, mlir::scf::ForOp loop);

} // namespace tegula
