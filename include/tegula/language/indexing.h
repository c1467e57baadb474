// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices between the brackets of a ref or a tile, one per dimension:
//   an integer    drops the dimension; it may be a run-time value
//   all           keeps the dimension
//   ds            keeps a window of the dimension; with a step, every second element, or every third, and so on
//   newaxis       inserts a dimension of extent 1, which an index of 0 removes again: t[tg::all, 0]
//   a tile        of integers, for arrays only: selects one element per index, a gather or scatter
// Trailing dimensions without an index are kept whole: x[i] is row i of a matrix, x[tg::all] is all of x. Rank 0 has
// empty brackets, x[]. An index must be in bounds: negative indices do not count from the end; the CPU target detects
// indices out of bounds.
//
// Several index tiles broadcast together, x[i, j] is the elements x[i[k], j[k]], and their dimensions stand at the
// position of the first of them: x[tg::all, i] of a matrix with 64 rows and a tile<int, 8, 16> has 64 x 8 x 16
// elements. An assignment to such a ref is a scatter; if several values go to one element, an unspecified one of them
// remains (atomics.h adds them up). With a mask, tg::load(x.at(i), mask, other) and tg::store(x.at(i), value, mask), an
// index may have any value where the mask is false.
//
// A window with a step, x[tg::ds<64>(start, 2)], has the elements start, start + 2, start + 4, ..., as many as
// requested or as the array has. Interleaved real and imaginary parts are
//   const auto re = x[tg::ds(0, n, 2)], im = x[tg::ds(1, n, 2)];
// A step is at least 1. A smaller one is an error: of the compiler if it is a constant, of the call if the host can
// compute it, and of the program on the CPU. Two such windows have the same extent where that is provable: n above,
// after tg::check(x.dim(0) == 2 * n, ...), or blocks of an even array, after tg::check(x.dim(0) % 2 == 0, ...).
// Alternatively, an array of two dimensions, n x 2, has these elements as x[tg::all, 0] and x[tg::all, 1]. tg::kernel
// has no steps.
//
// Cost: an index is loaded once for all elements that it selects, and dimensions without index tiles use vector
// accesses as windows do: gathering rows of 512 bytes is as fast as copying them. If the last dimension has an index
// tile or a step, each element is a scalar access. Both parts of interleaved pairs are read from DRAM once, because the
// second one hits the lines of the first in the cache; complex products are as fast as a copy. Products of gathered
// tiles, and of windows with a step, run on FMA units.
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
/// An index that keeps the whole dimension.
inline constexpr all_t all;
/// An index that inserts a new dimension of extent 1.
inline constexpr newaxis_t newaxis;

/// A window of a dimension: Size elements, or `any` for a number known at run time.
template <int Size> struct slice {};

/// `Size` elements from `start`.
template <int Size>
  requires(Size > 0)
slice<Size> ds(s64 start);
/// `Size` elements `start`, `start + step`, ...; for tiles, too.
template <int Size>
  requires(Size > 0)
slice<Size> ds(s64 start, s64 step);
template <int Size>
  requires(Size <= 0)
constexpr slice<1> ds(s64, s64 = 1) {
  static_assert(
      Size > 0,
      "the size of a window is not positive: write ds<64>(start), or for a size known at run time ds(start, size)");
  return {};
}
/// `size` elements from `start`, known at run time: for refs only.
slice<any> ds(s64 start, s64 size);
/// `size` elements `start`, `start + step`, ..., both known at run time: for refs only.
slice<any> ds(s64 start, s64 size, s64 step);

/// The integer x, with the promise that it is a multiple of N. The compiler can then prove that accesses are aligned,
/// and that windows of shared memory start at whole rows or panels:
///   o[tg::ds<64>(tg::multiple_of<64>(start))] = ...;
/// A broken promise is an error of the compiler if x is a constant, and of the program on the CPU; on a GPU the
/// behaviour is undefined: accesses may fault or use a wrong address.
/// Cost: none.
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

// The broadcast shape of the index tiles.
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

/// An index between brackets: an integer, all, ds, newaxis, or a tile of integers.
template <class I>
concept index_like = detail::token_of<I>.index;

} // namespace tegula
