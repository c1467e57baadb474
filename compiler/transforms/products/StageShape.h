// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How large the stages of kernels for mma.sync are, and what they take of shared memory and registers.
#pragma once

#include "transforms/products/Mainloop.h"

namespace tegula {

/// Fewer stages would not let threads copy and multiply at a time.
inline constexpr int64_t leastStages = 2;

/// How the steps of a loop are cut, so that all products have the same number of stages in a step, and slices of as
/// many elements.
struct StageShape {
  int64_t perStep; ///< stages
  int64_t slice;   ///< elements of the depth that are multiplied at a time

  StageShape(const Mainloop &mainloop, bool isAsync);
  /// What a stage has of the depth of a factor or a product, whose steps have so much.
  int64_t depth(int64_t ofStep) const { return ofStep / perStep; }
};

/// The depth of a product's steps, and of a factor's.
int64_t depthOf(const Product &product);
int64_t depthOf(const Factor &factor);
mlir::Type elementTypeOf(const Factor &factor);

/// What a stage of all consumers takes of shared memory for a factor.
int64_t bytesInStage(const Factor &factor, const StageShape &shape, int64_t consumers);

/// What the least ring takes of shared memory.
int64_t bytesOfLeastRing(const Mainloop &mainloop, int64_t consumers, bool isAsync);

/// About how many registers of a thread take sums, two slices of the factors, what is computed of them, and what brings
/// the next stage.
int64_t registersOf(const Mainloop &mainloop, int64_t consumers, bool isAsync);

} // namespace tegula
