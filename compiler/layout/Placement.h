// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layout on a tile of a given shape: the questions that lowering asks. DistributedLayout.h explains the terms.

#ifndef TEGULA_LAYOUT_PLACEMENT_H
#define TEGULA_LAYOUT_PLACEMENT_H

#include "layout/DistributedLayout.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tegula::layout {

using Coordinate = std::vector<int64_t>;

/// Some neighbouring bits of the thread number that are neighbouring bits of a coordinate:
/// coordinate[dim] |= ((thread >> threadBit) & ((1 << width) - 1)) << coordinateBit.
struct ThreadField {
  unsigned threadBit, width, dim, coordinateBit;

  bool operator==(const ThreadField &) const = default;
};

/// What it costs a thread group to move a tile between registers and memory, in aligned segments (32-byte sectors,
/// 128-byte lines) summed over all accesses of all warps.
struct AccessCost {
  /// How many times some warp executes a load or store.
  int64_t accesses = 0;
  /// The segments that these touch.
  int64_t segments = 0;
  /// The segments that the moved bytes would fill if they were packed for each access.
  int64_t leastSegments = 0;
};

class Placement {
public:
  const std::vector<int64_t> &shape() const { return extents; }
  unsigned rank() const { return static_cast<unsigned>(extents.size()); }

  /// The base tile as it is on this shape: folded, and without registers that would be equal.
  const LinearMap &base() const { return map; }

  int64_t threads() const { return int64_t(1) << threadBits.size(); }
  int64_t lanes() const { return threads() < DistributedLayout::maxLanes ? threads() : DistributedLayout::maxLanes; }
  int64_t registersPerThread() const { return registerCount; }

  /// Where the element in a register of a thread is; thread = warp * 32 + lane.
  Coordinate coordinate(int64_t reg, int64_t thread) const;
  /// Its two summands. No bit of a base tile's coordinate is set in both.
  Coordinate registerPart(int64_t reg) const;
  Coordinate threadPart(int64_t thread) const;

  /// The same as threadPart, as the bits to move; in the order of threadBit. Bits in no field are copies.
  std::vector<ThreadField> threadFields() const;

  /// The bits of the thread number by which threads have different coordinates along some of these dimensions.
  uint64_t threadBitsAlong(std::span<const int64_t> dims) const;

  /// The register with this registerPart. It serves broadcasting: where `row` and `tile` are placements of one layout
  /// and `row` is 1 along some dims, set these to 0 in tile.registerPart(r) to find the register of `row` to combine
  /// with r.
  std::optional<int64_t> findRegister(std::span<const int64_t> registerPart) const;

  /// The thread bits that do not matter: threads that differ only in these hold the same elements.
  uint64_t copyMask() const { return copies; }
  bool isReplicated() const { return copies != 0; }
  /// How many threads hold each element.
  int64_t replication() const;
  /// True for one thread out of those that hold the same: the one to do what must happen once for each element.
  bool isPrimary(int64_t thread) const { return (static_cast<uint64_t>(thread) & copies) == 0; }

  struct Owner {
    int64_t reg, thread;

    bool operator==(const Owner &) const = default;
  };
  /// Who has the element. The other owners hold it in the same register, at the thread numbers that differ in copyMask.
  Owner primaryOwner(std::span<const int64_t> coordinate) const;

  /// The largest power of two v such that registers k*v ... k*v + v-1 are, for each k and each thread, v neighbours
  /// along `dim`, of which the first is at a multiple of v: the width, in elements, of a vector access along it.
  int64_t contiguousVector(unsigned dim) const;

  /// Moves the whole tile, `vector` registers with each access. The tile starts at the beginning of a segment. Strides
  /// and elements as in memory: `strides` counts elements.
  AccessCost accessCost(std::span<const int64_t> strides, int64_t elementBytes, int64_t vector,
                        int64_t segmentBytes) const;

private:
  friend class DistributedLayout;

  /// One bit of a coordinate, or none.
  struct CoordinateBit {
    unsigned dim = 0;
    int64_t value = 0;
  };

  Placement(LinearMap folded, std::vector<int64_t> shape);

  Coordinate gather(std::span<const CoordinateBit> bits, int64_t number) const;

  LinearMap map, owners;
  std::vector<int64_t> extents, repeats;
  /// Where each bit of a register number within the base tile, and of a thread number, goes.
  std::vector<CoordinateBit> registerBits, threadBits;
  uint64_t copies = 0;
  int64_t registerCount = 1;
};

} // namespace tegula::layout

#endif // TEGULA_LAYOUT_PLACEMENT_H
