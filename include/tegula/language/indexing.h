// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands between the brackets of a ref or a tile, dimension by dimension:
//   an integer    drops the dimension; it may be known at run time
//   all           keeps the dimension
//   ds            keeps a part of the dimension, with a step every second element of it, or every third
//   newaxis       inserts a dimension of extent 1, which an index of 0 takes away again: t[tg::all, 0]
//   a tile        of integers, of arrays alone: an element of the dimension for each of the tile's, a gather or scatter
// Dimensions that no index names are whole: x[i] is row i of a matrix, x[tg::all] is all of x. The brackets of rank 0
// are empty, x[]. An index lies inside the array: a negative one is the author's error, and does not count from the
// end; the CPU target finds it.
//
// Several tiles broadcast together, x[i, j] being the elements x[i[k], j[k]], and their dimensions stand where the
// first of them does: x[tg::all, i] of a matrix with 64 rows and a tile<int, 8, 16> is of 64 x 8 x 16 elements. What is
// assigned to such a place is scattered; where several elements have one place, one of them is there afterwards, and
// which is not said (atomics.h adds them up). With a mask, tg::load(x.at(i), mask, other) and tg::store(x.at(i), value,
// mask), an index counts where the mask is true, and may be anything elsewhere.
//
// A part with a step, x[tg::ds<64>(start, 2)], is of the elements start, start + 2, start + 4, ..., as many as are
// asked for or as the array has: real and imaginary parts that lie next to each other are
//   const auto re = x[tg::ds(0, n, 2)], im = x[tg::ds(1, n, 2)];
// A step is 1 or more; one that is not is an error: of the compiler where it is a constant, of the call where the host
// can compute it, and of the program on the CPU. Two such parts have the same extent where that can be told: n above,
// after tg::check(x.dim(0) == 2 * n, ...), or blocks of an even array, after tg::check(x.dim(0) % 2 == 0, ...). An
// array of two dimensions, n x 2, gives the same places as x[tg::all, 0] and x[tg::all, 1]. tg::kernel has no steps.
//
// Cost: an index is loaded once for all that stands behind it, and dimensions that are not indexed are accessed in
// vectors as those of a window are: gathering rows of 512 bytes is as fast as copying them. Where the last dimension is
// indexed, or has a step, each element is an access of its own: both parts of interleaved pairs come from memory once,
// since the second one finds the lines of the first in the cache, and complex products are as fast as a copy. Products
// of gathered tiles, and of parts with a step, run on FMA units.
#pragma once

#include "extents.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// The type of tg::all.
struct all_t {};
/// The type of tg::newaxis.
struct newaxis_t {};
/// In brackets: the dimension as it is.
inline constexpr all_t all;
/// In brackets: a new dimension of extent 1.
inline constexpr newaxis_t newaxis;

/// A part of a dimension: Size elements, or a number of them known at run time.
template <int Size> struct slice {};

/// `Size` elements from `start`.
template <int Size>
  requires(Size > 0)
slice<Size> ds(s64 start);
/// `Size` elements `start`, `start + step`, ...; of a tile, too.
template <int Size>
  requires(Size > 0)
slice<Size> ds(s64 start, s64 step);
template <int Size>
  requires(Size <= 0)
constexpr slice<1> ds(s64, s64 = 1) {
  static_assert(Size > 0, "a part has at least one element: ds<64>(start), or, of a size known at run time, ds(start, "
                          "size)");
  return {};
}
/// `size` elements from `start`, known at run time: of refs only.
slice<any> ds(s64 start, s64 size);
/// `size` elements `start`, `start + step`, ..., both known at run time: of refs only.
slice<any> ds(s64 start, s64 size, s64 step);

/// The integer x, of which the program promises that it is a multiple of N. So accesses may be known to be aligned, and
/// windows of shared memory to begin with its rows or panels:
///   o[tg::ds<64>(tg::multiple_of<64>(start))] = ...;
/// A promise that is not kept is an error of the compiler where x is a constant, and of the program on the CPU; on a
/// GPU accesses may then fail, or go elsewhere. Cost: none.
template <int N>
  requires(N > 0)
s64 multiple_of(s64 x);

namespace detail {
struct token {
  bool index = false, keeps = false;
  int consumes = 0;
  dims inserts;
  bool gathers = false;
};
template <class I> inline constexpr token token_of{__is_integral(I) || is_constant<I>, false, 1, {}};
template <> inline constexpr token token_of<all_t>{true, true, 1, {}};
template <> inline constexpr token token_of<newaxis_t>{true, false, 0, {1, {1}}};
template <int N> inline constexpr token token_of<slice<N>>{true, false, 1, {1, {N}}};

template <class E, int... N>
inline constexpr token token_of<tile<E, N...>>{is_integer<E>, false, 1, {sizeof...(N), {N...}}, true};

// What the tiles of indices are together.
consteval dims gathered(const token *tokens, int count) {
  dims r;
  for (int i = 0; i < count; ++i)
    if (tokens[i].gathers && r.rank >= 0)
      r = broadcast(r, tokens[i].inserts);
  return r;
}
template <class... I> inline constexpr bool has_tiles = (token_of<I>.gathers || ...);
template <class... I> consteval bool broadcast_indices() {
  const token tokens[] = {token_of<I>..., token{}};
  return gathered(tokens, sizeof...(I)).rank >= 0;
}

template <class... I> inline constexpr int consumed = (0 + ... + token_of<I>.consumes);
template <dims D, class... I> struct indexed {
  static constexpr dims shape = [] {
    const token tokens[] = {token_of<I>..., token{}};
    const dims of_tiles = gathered(tokens, sizeof...(I));
    dims r;
    int from = 0;
    bool is_first = true;
    for (const token &t : tokens) {
      if (t.keeps && from < D.rank)
        r.push(D.size[from]);
      for (int i = 0; i < of_tiles.rank && t.gathers && is_first; ++i)
        r.push(of_tiles.size[i]);
      for (int i = 0; i < t.inserts.rank && !t.gathers; ++i)
        r.push(t.inserts.size[i]);
      is_first &= !t.gathers;
      from += t.consumes;
    }
    while (from < D.rank)
      r.push(D.size[from++]);
    return r;
  }();
};
} // namespace detail

/// What may stand between the brackets: an integer, all, ds, newaxis, a tile of integers.
template <class I>
concept index_like = detail::token_of<I>.index;

} // namespace tegula
