// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands between the brackets of a ref or a tile, dimension by dimension:
//   an integer    drops the dimension; it may be known at run time
//   all           keeps the dimension
//   ds            keeps a part of the dimension
//   newaxis       inserts a dimension of extent 1, which an index of 0 takes away again: t[tg::all, 0]
// Dimensions that no index names are whole: x[i] is row i of a matrix, x[tg::all] is all of x. The brackets of rank 0
// are empty, x[]. An index lies inside the array: a negative one is the author's error, and does not count from the
// end.
#pragma once

#include "extents.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

struct all_t {};
struct newaxis_t {};
inline constexpr all_t all;
inline constexpr newaxis_t newaxis;

/// A part of a dimension: Size elements, or a number of them known at run time.
template <int Size> struct slice {};

/// `Size` elements from `start`.
template <int Size>
  requires(Size > 0)
slice<Size> ds(s64 start);
template <int Size>
  requires(Size <= 0)
constexpr slice<1> ds(s64) {
  static_assert(Size > 0, "a part has at least one element: ds<64>(start), or, of a size known at run time, ds(start, "
                          "size)");
  return {};
}
/// `size` elements from `start`, known at run time: of refs only.
slice<any> ds(s64 start, s64 size);

namespace detail {
struct token {
  bool index = false, keeps = false;
  int consumes = 0;
  dims inserts;
};
template <class I> inline constexpr token token_of{__is_integral(I) || is_constant<I>, false, 1, {}};
template <> inline constexpr token token_of<all_t>{true, true, 1, {}};
template <> inline constexpr token token_of<newaxis_t>{true, false, 0, {1, {1}}};
template <int N> inline constexpr token token_of<slice<N>>{true, false, 1, {1, {N}}};

template <class... I> inline constexpr int consumed = (0 + ... + token_of<I>.consumes);
template <dims D, class... I> struct indexed {
  static constexpr dims shape = [] {
    const token tokens[] = {token_of<I>..., token{}};
    dims r;
    int from = 0;
    for (const token &t : tokens) {
      if (t.keeps && from < D.rank)
        r.push(D.size[from]);
      for (int i = 0; i < t.inserts.rank; ++i)
        r.push(t.inserts.size[i]);
      from += t.consumes;
    }
    while (from < D.rank)
      r.push(D.size[from++]);
    return r;
  }();
};
} // namespace detail

/// What may stand between the brackets: an integer, all, ds, newaxis.
template <class I>
concept index_like = detail::token_of<I>.index;

} // namespace tegula
