// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How large sub-tiles and chunks are.
#pragma once

#include "transforms/split/Variants.h"

#include <algorithm>
#include <cstdint>

namespace tegula::split {

inline constexpr int64_t lanesOfWarp = 32;
/// A thread group that loops over the matrices of a product takes so many at a time: each has code of its own.
inline constexpr int64_t matricesTogether = 16;

/// The sizes that programs are cut by. Those that are 0 here are options of the pass, which has their defaults
/// (Passes.td). Domain.cpp chooses sub-tiles by them, Contract.cpp the chunks of reductions and products.
struct GroupShape {
  int64_t threads = 0;   ///< of a CUDA block
  int64_t perThread = 0; ///< accesses of 16 bytes per thread and array
  /// The most elements that a thread group holds of one tile, so that it stays in registers.
  int64_t mostPerThread = 0;
  /// Sides of the sub-tiles of a matrix product, and how much of it is summed at a time.
  int64_t productSide = 0, productDepth = 0;
  /// Fewer thread groups than this leave multiprocessors idle on large GPUs.
  int64_t fewGroups = 256;
  /// Columns of a sub-tile whose rows are reduced: neighbours in memory, and few, so that there are many sub-tiles.
  int64_t columns = 0;
  /// The most blocks of a cluster that share a row; 1 where no chip has clusters.
  int64_t mostInCluster = 1;
  Variants variants;

  /// Accesses of 16 bytes that a thread makes of a chunk of a sequential dimension; 0: one element.
  int64_t accessesPerChunk = 2;

  /// Elements that a thread has of a chunk of the rest, behind the full chunks; 0: as many as of a full one. Accesses
  /// of single elements are faster in large chunks, and masks shorter in small ones.
  int64_t restPerThread = 0;
  int64_t restOf(int64_t chunk) const { return restPerThread ? std::min(chunk, threads * restPerThread) : chunk; }

  /// Elements that a thread has of a chunk.
  int64_t perChunk(int64_t bytes) const {
    return std::max<int64_t>(1, accessesPerChunk * (16 / std::min<int64_t>(16, bytes)));
  }
  int64_t mostElements() const { return threads * mostPerThread; }
};

} // namespace tegula::split
