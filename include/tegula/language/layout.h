// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts: which lane of which warp of a warpgroup holds which elements of a tile. The compiler infers them; a program
// of the explicit level may request one, and print what was inferred.
#pragma once

#include "ref.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// An entry of a tiling: a dimension, counted from the last one, -1; or a number of threads that hold copies.
struct tiled_dim {
  int number = 0, copies = 0;
  constexpr tiled_dim(int dimension = 0) : number(dimension) {}
};
/// `count` lanes or warps, a power of two, hold copies of the same elements.
/// Cost: the registers of the copies.
constexpr tiled_dim replicated(int count) {
  tiled_dim result;
  result.copies = count;
  return result;
}

/// Nested tiles, from which tg::layout::tiled makes a layout. The first tile is the unit that the layout repeats. Each
/// further tile divides as many trailing dimensions as it has: every divided dimension becomes the index of a small
/// tile, and the dimensions within the small tile are appended. The accumulator of wgmma:
///
///     {.tiles = {{64, 8}, {16, 8}, {8, 8}, {2}}, .warp_dims = {-7}, .lane_dims = {-3, -2}, .vector_dim = -1}
///
///     64 x 8                        64, 8
///     tiles of 16 x 8               4, 1, 16, 8
///     tiles of 8 x 8                4, 1, 2, 1, 8, 8
///     tiles of 2                    4, 1, 2, 1, 8, 4, 2
///
/// Dimension -7 selects the warp, -3 and -2 the lane, the last of them fastest, and -1 the position within a vector of
/// neighbours. The other dimensions are registers. All extents are powers of two; the warp dimensions have 4 positions
/// together, the lane dimensions 32.
struct tiling {
  int tiles[6][6] = {};
  tiled_dim warp_dims[4] = {};
  tiled_dim lane_dims[6] = {};
  int vector_dim = -1;
};

/// A layout of a tile over the 128 CUDA threads of a warpgroup. In the layouts of Hopper's tensor cores each warp has
/// 16 of 64 rows, and 4 lanes share a row:
///
///     wgmma             64 x 8    2 neighbours per lane: accumulators, left factors of 16 bits
///     wgmma_8bit        64 x 16   4 neighbours per lane: left factors of 8 bits
///     wgmma_upcast_2x   64 x 16   4 neighbours of 8 bits, which become wgmma when they are converted to 16 bits, by
///                                 shuffles within the 4 lanes
///     wgmma_upcast_4x   64 x 32   8 neighbours, the same for a conversion to elements four times as wide
///     wgmma_transposed  64 x 8    2 neighbours along the rows: a wgmma tile that is transposed in place
///     mma_acc           64 x 8    of tg::mma: the accumulator, as wgmma
///     mma_lhs, mma_rhs            its factors, M x K and K x N, of 8 to 32 bits; each warp has all of the right one
///     wg_strided(n)     any       n neighbours for each lane in turn, row-major; 0: as many as 8 bytes hold
///     smem_gmem_copy(b)           16 bytes per lane: whole rows of b bytes, 64 or 128, to or from arrays, and no bank
///                                 conflicts in shared memory of this swizzle
///     tiled(t)          any       a tiling, above
///
/// A larger tile repeats the layout; a smaller one is refused. A scalar needs no layout: it broadcasts.
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
  int reduced = -1; // the dimension that a reduction removed, or -1
  tiling tiles = {};

  static const layout wgmma, wgmma_8bit, wgmma_upcast_2x, wgmma_upcast_4x, wgmma_transposed, mma_acc, mma_lhs, mma_rhs;
  /// n neighbours for each lane in turn, a power of two; 0: as many as 8 bytes hold.
  /// Cost: none.
  static constexpr layout wg_strided(int neighbours = 0) { return {kind::wg_strided, neighbours}; }
  /// 16 bytes per lane, in whole rows of 64 or 128 bytes.
  /// Cost: none.
  static constexpr layout smem_gmem_copy(int row_bytes = 128) { return {kind::smem_gmem_copy, row_bytes}; }

  /// The layout of a tiling, for tiles of the rank of its first tile, or of a higher rank.
  /// Cost: none.
  static constexpr layout tiled(const tiling &tiles) { return {kind::tiled_by, 0, -1, tiles}; }

  /// The layout of a reduction of a matrix along `axis`: in wgmma.reduce(1) the 4 lanes that share a row hold the row's
  /// result, in wgmma.reduce(0) all lanes that have elements of a column hold the column's.
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

/// The same tile in this layout; results computed from it keep it. If x is not computed from tiles in other layouts, it
/// is made in this layout; otherwise its elements move. In a tg::kernel.
///   const auto wide = tg::astype<tg::bf16>(tg::layout_cast(narrow, tg::layout::wgmma_upcast_2x));
/// Cost: none, or a relayout: shuffles if no element leaves its warp, else through shared memory.
template <tile_like V> V layout_cast(const V &x, layout where);

/// Trailing options of load: {.layout = tg::layout::wgmma}.
struct load_options {
  /// The layout of the result.
  tegula::layout layout;
};
/// Loads a ref in a layout: load(x, {.layout = tg::layout::wgmma}) is layout_cast(x[tg::all], ...).
/// Cost: that of a load by the lanes that hold the elements; for shared memory ldmatrix, where the layout allows it.
template <class E, memory_space S, int... N>
detail::tile_t<__remove_const(E), detail::dims{sizeof...(N), {N...}}> load(const ref<E, S, N...> &source,
                                                                           const load_options &options);

/// Reports the layout of a tile, or the swizzle of shared memory, at compile time: a remark at this line, in which it
/// replaces {}.
///   tg::print_layout("the weights lie as {}", weights);
/// Cost: none at run time, but x is computed even if nothing else uses it.
template <class V> constexpr void print_layout(const char *format, const V &x) {
  static_assert(tile_like<V> || smem_ref<V>,
                "print_layout takes a tile or shared memory: print_layout(\"x has layout {}\", x)");
}

} // namespace tegula
