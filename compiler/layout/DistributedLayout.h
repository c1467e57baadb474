// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a tile of registers is spread over a thread group.
//
// A *thread group* is a power of two of threads, from one up to a CUDA block of 1024: up to 32 lanes make (part of) a
// warp, and several warps a larger thread group. A layout is a LinearMap from (register, lane, warp) to the coordinates
// d0, d1, ... of a *base tile* whose extents are powers of two. Each basis is one power of two along one dimension, or
// zero, so the bits of a coordinate are bits of the register, lane and warp number put elsewhere. The accumulator of
// wgmma:
//
//   linear<register [(0, 1), (8, 0)], lane [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp [(16, 0), (32, 0)]
//          -> (d0 64, d1 8)>
//
// A layout has no shape. It is *placed* on one, DistributedLayout::on(shape), and each dimension goes its own way:
//
//   repeated  an extent that is a multiple of the base tile's takes several base tiles. Each adds registers: the
//             repetitions are numbered in row-major order, and come above the registers of the base tile. So m64n192
//             has the layout above, placed on 64 x 192: 24 base tiles of 4 registers.
//   folded    an extent that is a smaller power of two keeps the low coordinate bits. Registers that differ in the
//             others would be equal and are left out; lanes and warps that differ in them hold copies. So a row vector
//             1 x 192 in the layout above has 48 registers, and what a thread holds of it is just what it needs in
//             order to combine it with its part of a 64 x 192 tile: broadcasting moves no data.
//
// Because all parts of a coordinate are disjoint sets of bits, plus whole base tiles, coordinates split into a sum
// without carries:
//
//   coordinate(register, thread) == registerPart(register) + threadPart(thread)
//
// and any address, being linear in the coordinate, splits likewise: the register's part is known at compile time and
// ends up in the displacement of an instruction or in a multiple of the strides that all threads share.

#ifndef TEGULA_LAYOUT_DISTRIBUTEDLAYOUT_H
#define TEGULA_LAYOUT_DISTRIBUTEDLAYOUT_H

#include "layout/Expected.h"
#include "layout/LinearMap.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::layout {

class Placement;

/// The layouts of elementwise work: a thread holds a box of `vector` elements, the lanes of a warp are a box of such
/// boxes, the warps a box of those. In each box the innermost dimension runs fastest. All entries are powers of two.
/// Where fewer than all lanes or warps have something of their own, the others hold copies.
struct BlockedSpec {
  std::vector<uint64_t> vector, lanes, warps;
  uint64_t laneCopies = 1, warpCopies = 1;

  bool operator==(const BlockedSpec &) const = default;
};

class DistributedLayout {
public:
  static constexpr unsigned maxRank = 6;
  static constexpr unsigned maxLanes = 32;
  static constexpr unsigned maxWarps = 32;
  static constexpr unsigned maxBaseRegisters = 4096;

  /// A layout from its map: inputs register, lane, warp; outputs d0, d1, ...; bases as described above, which together
  /// reach each element. Only whole warps (32 lanes) come in numbers.
  static Expected<DistributedLayout> create(LinearMap map);

  static Expected<DistributedLayout> create(const BlockedSpec &spec);

  /// The same with `repeats` boxes of lanes for each warp, in more registers, before the next warp begins: what
  /// repeating the layout over a tile would put behind the last one.
  static Expected<DistributedLayout> create(const BlockedSpec &spec, const std::vector<uint64_t> &repeats);

  /// The layout for elementwise work on tiles of this shape: `vector` neighbouring elements for each thread (what one
  /// access moves), neighbouring lanes next to each other, then the warps. Each of them fills the innermost dimension
  /// first and goes on in the next one out. The part of an extent that is no power of two is left to repetition, so it
  /// is extents with many factors of two that spread well. Threads that find nothing left hold copies.
  static Expected<DistributedLayout> blocked(std::span<const int64_t> shape, int64_t groupThreads, int64_t vector);

  /// The accumulator of wgmma, for a warpgroup: 64 rows, 8 columns, repeated over the tile (PTX ISA, "Register
  /// Fragments and Shared Memory Matrix Layouts" of wgmma, Figure for m64nNk16 D).
  static DistributedLayout wgmmaAccumulator();

  /// The layout of a matrix product that threads compute by themselves (FMA), over the last two dimensions of a shape
  /// whose other extents are 1. Each thread has few rows and vectors of columns, spread evenly, so that the lanes of a
  /// warp share what they read of both factors.
  static Expected<DistributedLayout> product(std::span<const int64_t> shape, int64_t groupThreads);

  const LinearMap &map() const { return base; }
  unsigned rank() const { return static_cast<unsigned>(base.outs().size()); }
  unsigned lanes() const;
  unsigned warps() const;
  unsigned groupThreads() const { return lanes() * warps(); }

  /// Set if the layout is one of the blocked ones.
  std::optional<BlockedSpec> asBlocked() const;

  /// The layout that tiles without this dimension have, if each of their elements shall be with the threads that hold
  /// this element's row along the dimension: x[:, newaxis] has layout L if x has L.withoutDim(1).
  DistributedLayout withoutDim(unsigned dim) const;

  /// The layout of a tile whose dimension i is dimension permutation[i] of a tile in this one: no element moves.
  DistributedLayout permuted(std::span<const int64_t> permutation) const;

  /// The layout with a new dimension of base extent 1 in front of dimension `dim`; dim == rank() appends it. Fails
  /// beyond maxRank.
  Expected<DistributedLayout> withUnitDim(unsigned dim) const;

  /// Fails, saying which extent does not fit, unless each is a multiple of the base tile's or a smaller power of two.
  Expected<Placement> on(std::span<const int64_t> shape) const;

  bool operator==(const DistributedLayout &) const = default;
  size_t hash() const { return base.hash(); }

  /// Blocked layouts as `blocked<[1, 4], lanes [1, 32], warps [2, 4]>`, with `lanes [1, 8] x4` where 4 lanes each
  /// hold the same, and without warps if there is but one; `wgmma`; all others as `linear<...>` around the text of
  /// the map.
  /// parse reads what str writes, and blocked layouts in the general form too. Equal layouts have equal texts.
  std::string str() const;
  static Expected<DistributedLayout> parse(std::string_view text);

private:
  explicit DistributedLayout(LinearMap map) : base(std::move(map)) {}

  LinearMap base;
};

} // namespace tegula::layout

template <> struct std::hash<tegula::layout::DistributedLayout> {
  size_t operator()(const tegula::layout::DistributedLayout &layout) const noexcept { return layout.hash(); }
};

#endif // TEGULA_LAYOUT_DISTRIBUTEDLAYOUT_H
