// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the elements of a tile are: which lane of which warp of a thread has them. Tegula infers layouts; a program of
// the explicit level may ask for one, where it knows more than the compiler does, and ask what was inferred.
#pragma once

#include "ref.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// In a tiling: a dimension, counted from the last one, -1; or so many threads that hold copies.
struct tiled_dim {
  int number = 0, copies = 0;
  constexpr tiled_dim(int dimension = 0) : number(dimension) {}
};
/// So many threads, a power of two, hold the same.
/// Cost: the registers of the copies.
constexpr tiled_dim replicated(int count) {
  tiled_dim result;
  result.copies = count;
  return result;
}

/// Tiles within tiles, of which tg::layout::tiled makes a layout. The first tile is what the layout repeats. Each
/// further one divides the last dimensions that there are, as many as it has: the numbers of the small tiles become
/// dimensions, and behind them stand those within one. The accumulator of wgmma:
///
///     {.tiles = {{64, 8}, {16, 8}, {8, 8}, {2}}, .warp_dims = {-7}, .lane_dims = {-3, -2}, .vector_dim = -1}
///
///     64 x 8                        64, 8
///     tiles of 16 x 8               4, 1, 16, 8
///     tiles of 8 x 8                4, 1, 2, 1, 8, 8
///     tiles of 2                    4, 1, 2, 1, 8, 4, 2
///
/// Dimension -7 says the warp, -3 and -2 the lane, the last of them fastest, and -1 which of the neighbours it is. The
/// rest are registers. All extents are powers of two; dimensions of warps have 4 places, those of lanes 32.
struct tiling {
  int tiles[6][6] = {};
  tiled_dim warp_dims[4] = {};
  tiled_dim lane_dims[6] = {};
  int vector_dim = -1;
};

/// A layout of a tile over the 128 lanes of a thread (a warpgroup). In matrices of Hopper's tensor cores each warp has
/// 16 rows of 64, and 4 lanes share a row; from there on:
///
///     wgmma             64 x 8    a lane has 2 neighbours: accumulators, left factors of 16 bits
///     wgmma_8bit        64 x 16   a lane has 4: left factors of 8 bits
///     wgmma_upcast_2x   64 x 16   4 of 8 bits, which become wgmma when they are of 16, by shuffles within the 4 lanes
///     wgmma_upcast_4x   64 x 32   8 neighbours, the same for what becomes four times as wide
///     wgmma_transposed  64 x 8    2 rows: what wgmma becomes when it is transposed in place
///     mma_acc           64 x 8    of tg::mma: the sum, as wgmma
///     mma_lhs, mma_rhs            its factors, M x K and K x N, of 8 to 32 bits; each warp has all of the right one
///     wg_strided(n)     any       n neighbours for each lane in turn, row-major; 0: as many as 8 bytes hold
///     smem_gmem_copy(b)           16 bytes a lane: whole rows of b bytes, 64 or 128, to or from arrays, and no bank
///                                 conflicts in shared memory of this swizzle
///     tiled(t)          any       what a tiling says, above
///
/// A tile of another size repeats them; a smaller one is refused. One value for all lanes needs none: a scalar
/// broadcasts.
struct layout {
  enum class kind {
    wgmma,
    wgmma_8bit,
    wgmma_upcast_2x,
    wgmma_upcast_4x,
    wgmma_transposed,
    wg_strided,
    mma_acc,
    mma_lhs,
    mma_rhs,
    smem_gmem_copy,
    tiled_by,
    inferred
  };
  kind name = kind::inferred;
  int parameter = 0;
  int reduced = -1; // the dimension that a reduction has taken away
  tiling tiles = {};

  static const layout wgmma, wgmma_8bit, wgmma_upcast_2x, wgmma_upcast_4x, wgmma_transposed, mma_acc, mma_lhs, mma_rhs;
  /// Neighbours for each lane in turn, a power of two; 0: as many as 8 bytes hold.
  /// Cost: none.
  static constexpr layout wg_strided(int neighbours = 0) { return {kind::wg_strided, neighbours}; }
  /// 16 bytes a lane, in whole rows of 64 or 128 bytes.
  /// Cost: none.
  static constexpr layout smem_gmem_copy(int row_bytes = 128) { return {kind::smem_gmem_copy, row_bytes}; }

  /// Tiles within tiles, for tiles of as many dimensions as the first of them has, or more in front.
  /// Cost: none.
  static constexpr layout tiled(const tiling &tiles) { return {kind::tiled_by, 0, -1, tiles}; }

  /// What is left of a matrix's layout when a reduction takes dimension `axis` away: wgmma.reduce(1) has a row's number
  /// in the 4 lanes that share the row, wgmma.reduce(0) a column's in all that have elements of it.
  /// Cost: none.
  constexpr layout reduce(int axis) const {
    const bool is_of_matrix = reduced < 0 && name != kind::wg_strided && name != kind::smem_gmem_copy;
    const int taken = is_of_matrix && (axis == 0 || axis == 1) ? axis : 2; // 2: tegulac refuses it
    return {name, parameter, taken, tiles};
  }
};
inline constexpr layout layout::wgmma{kind::wgmma}, layout::wgmma_8bit{kind::wgmma_8bit},
    layout::wgmma_upcast_2x{kind::wgmma_upcast_2x}, layout::wgmma_upcast_4x{kind::wgmma_upcast_4x},
    layout::wgmma_transposed{kind::wgmma_transposed}, layout::mma_acc{kind::mma_acc}, layout::mma_lhs{kind::mma_lhs},
    layout::mma_rhs{kind::mma_rhs};

/// The same tile, in this layout from here on: what is computed of it lies as it does. Where x is made of nothing that
/// lies elsewhere, it is made there; else its elements move. In a tg::kernel.
///   const auto wide = tg::astype<tg::bf16>(tg::layout_cast(narrow, tg::layout::wgmma_upcast_2x));
/// Cost: none, or a relayout: shuffles within a warp where no element leaves it, else a way through shared memory.
template <tile_like V> V layout_cast(const V &x, layout where);

/// Behind a place: {.layout = tg::layout::wgmma}.
struct load_options {
  /// Where the elements are put.
  tegula::layout layout;
};
/// What is in the place, in a layout: load(x, {.layout = tg::layout::wgmma}) is layout_cast(x[tg::all], ...).
/// Cost: that of a load by the lanes that have the elements; of shared memory by ldmatrix where that has the layout.
template <class E, memory_space S, int... N>
detail::tile_t<__remove_const(E), detail::dims{sizeof...(N), {N...}}> load(const ref<E, S, N...> &source,
                                                                           const load_options &options);

/// Says while it is compiled where the elements of a tile are, or how shared memory is arranged: a remark at this line,
/// with that in place of {}.
///   tg::print_layout("the weights lie as {}", weights);
/// Cost: none. What it names is made, even if nothing else uses it.
template <class V> constexpr void print_layout(const char *format, const V &x) {
  static_assert(tile_like<V> || smem_ref<V>, "print_layout tells of a tile or of shared memory");
}

} // namespace tegula
