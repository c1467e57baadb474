// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How large sub-tiles and chunks are.
#pragma once

#include "support/Target.h"
#include "transforms/split/Variants.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace tegula::split {

inline constexpr int64_t lanesOfWarp = 32;
/// A thread group that loops over the matrices of a product takes so many at a time: each has code of its own.
inline constexpr int64_t matricesTogether = 16;

/// The largest size of a dimension that is register-resident, or of a chunk, within `most`: a power of two, which
/// threads share evenly.
inline int64_t sizeWithin(int64_t most) { return most < 1 ? 1 : int64_t(llvm::bit_floor(uint64_t(most))); }

/// Of products on tensor cores: the sub-tile of a CTA or a cluster, whose thread groups are warpgroups that have a part
/// of its rows each. (PTX ISA, wgmma: a warpgroup multiplies 64 rows by up to 256 columns. With mma.sync its warps
/// share them.)
struct TensorTile {
  int64_t consumers; ///< warpgroups that multiply
  int64_t columns;
  int64_t depth;                      ///< how much is summed at a time
  static constexpr int64_t rows = 64; ///< of each consumer
  /// A depth that is a multiple of this suits the instructions of all types: those of 8 bits sum 32 elements.
  static constexpr int64_t depthStep = 32;
  /// CTAs of a cluster, with consecutive rows or programs: they fetch the right factor together, by TMA multicast.
  int64_t cluster = 1;
  /// Sub-tiles may be 2^31 or more, for which divisions take 64 bits.
  bool areMany = false;
  /// Of products that are made of others (products/FindChain.h). Each program has a CTA.
  bool isChain = false;
  /// Programs take longer the later they are along the last axis of the grid.
  bool isLongestLast = false;
  /// Warpgroups that share the rows of a cluster's sub-tile.
  int64_t members() const { return consumers * cluster; }
};

/// The sizes that programs are cut by. Those that are 0 here are options of the pass, which has their defaults
/// (Passes.td), or follow from what a class of architectures has. Domain.cpp chooses sub-tiles by them, Contract.cpp
/// the chunks of reductions and products.
struct GroupShape {
  int64_t threads = 0;   ///< of a CUDA block
  int64_t perThread = 0; ///< accesses of 16 bytes per thread and array
  /// The most elements that a thread holds of one tile, so that it stays in registers.
  int64_t mostPerThread = 0;
  /// Sides of the sub-tiles of a matrix product, and how much of it is summed at a time.
  int64_t productSide = 0, productDepth = 0;
  std::optional<TensorTile> tensor;
  /// Those that an instruction can name, of which one is always zero.
  static constexpr int64_t mostRegisters = 256;
  /// A thread has a few tiles at a time, elements of up to 8 bytes, addresses and what ptxas needs.
  static constexpr int64_t registersPerElement = 8;
  /// A side of more than 64 elements is a multiple of this, a smaller one a power of two.
  static constexpr int64_t productStep = 32;
  /// Fewer thread groups than this leave multiprocessors idle on large GPUs.
  int64_t fewGroups = 256;
  /// Columns of a sub-tile whose rows are reduced: neighbours in memory, and few, so that there are many sub-tiles.
  int64_t columns = 0;
  /// The most blocks of a cluster that share a row; 1 where no chip has clusters.
  int64_t mostInCluster = 1;
  int64_t sharedBytes = 0; ///< that a CTA can have
  /// The host knows that arrays allow accesses of 16 bytes, or that their rows consist of them: no kernel for others.
  bool isAligned = false, isEven = false;
  /// The CTAs of a cluster stay for several rows.
  bool staysForRows = false;
  /// CTAs stay, and combine updates in shared memory (PrivateUpdates.h).
  bool combinesPrivately = false;
  /// Of a stencil: the elements of an access, of which the rows of its arrays consist; 0: they may end anywhere. All
  /// sub-tiles are full: the last one along a dimension begins earlier, and does some elements again.
  int64_t rowsOf = 0;
  /// One thread group runs all of a program, chunk by chunk (stages/Alone.h).
  bool isAlone = false;
  bool hasWgmma = false, takesMmaSync = false, hasShortMma = false;
  Variants variants;

  /// Accesses of 16 bytes that a thread makes of a chunk of a sequential dimension; 0: one element.
  int64_t accessesPerChunk = 2;

  /// Elements that a thread has of a chunk of the rest, behind the full chunks; 0: as many as of a full one. Accesses
  /// of single elements are faster in large chunks, and masks shorter in small ones.
  int64_t restPerThread = 0;
  /// The same of a chunk of rows whose columns are reduced; 0: as many as of a full one.
  int64_t restOfColumns = 0;
  int64_t restOf(int64_t chunk) const { return restPerThread ? std::min(chunk, threads * restPerThread) : chunk; }

  /// Elements that a thread has of a chunk.
  int64_t perChunk(int64_t bytes) const {
    return std::max<int64_t>(1, accessesPerChunk * (16 / std::min<int64_t>(16, bytes)));
  }
  /// The side of a product's sub-tile along a static dimension: layouts repeat, so that it need not be a power of two.
  int64_t productSideWithin(int64_t bound) const {
    int64_t whole = bound <= 2 * productStep ? int64_t(llvm::PowerOf2Ceil(uint64_t(bound)))
                                             : int64_t(llvm::alignTo(uint64_t(bound), productStep));
    return std::min(productSide, whole);
  }
  /// What the chips of a class have room for, as far as the options leave it open.
  void takeBudgets(const ArchClass &archClass) {
    mostInCluster = archClass.mostInCluster;
    hasWgmma = archClass.hasWgmma();
    sharedBytes = archClass.sharedBytes;
    takesMmaSync = archClass.takesMmaSync();
    hasShortMma = archClass.hasShortMma();
    if (mostPerThread == 0)
      mostPerThread = std::min<int64_t>(archClass.registers / threads, mostRegisters) / registersPerElement;
  }
  /// Whether programs are split alike for two classes.
  static bool haveSameBudgets(const ArchClass &a, const ArchClass &b) {
    return a.mostInCluster == b.mostInCluster && (a.mostInCluster == 1 || a.sharedBytes == b.sharedBytes) &&
           a.registers == b.registers && a.hasWgmma() == b.hasWgmma() && a.takesMmaSync() == b.takesMmaSync() &&
           a.hasShortMma() == b.hasShortMma();
  }

  int64_t mostElements() const { return threads * mostPerThread; }
};

} // namespace tegula::split
