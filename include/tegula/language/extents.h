// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extents in types, and the shape arithmetic on them.
#pragma once

#include "elements.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// An extent known at run time.
inline constexpr int any = -1;
/// In a block: the whole dimension of the array.
inline constexpr int whole = any;
/// In a block: one element; the body's ref does not have the dimension.
inline constexpr int squeezed = 0;

/// The maximal rank of an array, a tile or a grid.
inline constexpr int max_rank = 6;

template <class Element, int... Extents> struct tile;

namespace detail {
struct dims {
  int rank = 0;
  int size[max_rank + 2] = {};
  // A tile of a higher rank is refused elsewhere.
  constexpr void push(int n) {
    if (rank < max_rank + 2)
      size[rank++] = n;
  }
};
inline constexpr dims invalid{-1, {}};
/// Whether the product of the static extents is at most 2^40.
consteval bool is_countable(dims d) {
  s64 left = s64(1) << 40;
  for (int i = 0; i < d.rank && i < max_rank; ++i)
    if (d.size[i] > 1)
      left /= d.size[i];
  return left > 0;
}

template <bool, class A, class B> struct select {
  using type = A;
};
template <class A, class B> struct select<false, A, B> {
  using type = B;
};
template <bool C, class A, class B> using select_t = typename select<C, A, B>::type;

template <class V> inline constexpr bool is_tile = false;
template <class E, int... N> inline constexpr bool is_tile<tile<E, N...>> = true;

template <class V> struct value_traits { // a scalar
  using element = V;
  static constexpr dims shape{};
};
template <s64 V> struct value_traits<constant<V>> : value_traits<s64> {};
template <class V>
  requires requires { V::shape; }
struct value_traits<V> {
  using element = typename V::element;
  static constexpr dims shape = V::shape;
};
template <class V> using element_t = typename value_traits<V>::element;
template <class V> inline constexpr dims shape_of = value_traits<V>::shape;

template <class, int... I> struct sequence {};
template <int N> using sequence_to = __make_integer_seq<sequence, int, N>;

// Extents are deduced from a list, so that diagnostics print tile<float, 64, 128>. Rank 0 is a plain C++ scalar.
template <int... N> struct listed {};
template <dims D, class = sequence_to<D.rank>> struct list_of;
template <dims D, int... I> struct list_of<D, sequence<int, I...>> {
  using type = listed<D.size[I]...>;
};
template <class E, class Listed> struct tile_from;
template <class E, int... N> struct tile_from<E, listed<N...>> {
  using type = tile<E, N...>;
};
template <class E> struct tile_from<E, listed<>> {
  using type = E;
};
template <class E, dims D> using tile_t = typename tile_from<E, typename list_of<D>::type>::type;

// A placeholder value in a body that is only type-checked.
template <class V> V &some();

// tegulac checks run-time extents.
consteval bool fits(int a, int b) { return a == b || a == any || b == any; }
consteval bool fits(dims a, dims b) {
  for (int i = 0; i < a.rank && a.rank == b.rank; ++i)
    if (!fits(a.size[i], b.size[i]))
      return false;
  return a.rank == b.rank;
}
// Aligned at the last dimension; a static 1 takes the other's extent.
consteval dims broadcast(dims a, dims b) {
  dims r{a.rank > b.rank ? a.rank : b.rank, {}};
  for (int i = 1; i <= r.rank; ++i) {
    const int x = i <= a.rank ? a.size[a.rank - i] : 1, y = i <= b.rank ? b.size[b.rank - i] : 1;
    if (x != 1 && y != 1 && !fits(x, y))
      return invalid;
    r.size[r.rank - i] = x == 1 || (x == any && y != 1) ? y : x;
  }
  return r;
}
consteval dims without_squeezed(dims d) {
  dims r;
  for (int i = 0; i < d.rank; ++i)
    if (d.size[i] != squeezed)
      r.push(d.size[i]);
  return r;
}
/// Extents of `any`. A rank above max_rank gives max_rank + 1, which is refused.
consteval dims unknown(int rank) {
  dims r;
  for (int i = 0; i < rank && i <= max_rank; ++i)
    r.push(any);
  return r;
}

consteval bool is_permutation(dims axes) {
  bool seen[max_rank + 2] = {};
  for (int i = 0; i < axes.rank; ++i) {
    if (axes.size[i] < 0 || axes.size[i] >= axes.rank || seen[axes.size[i]])
      return false;
    seen[axes.size[i]] = true;
  }
  return true;
}
// Without axes, the last two are exchanged.
consteval dims permuted(dims d, dims axes) {
  dims r = d;
  if (axes.rank == 0 && d.rank >= 2) {
    r.size[d.rank - 1] = d.size[d.rank - 2];
    r.size[d.rank - 2] = d.size[d.rank - 1];
  }
  for (int i = 0; i < axes.rank && axes.rank == d.rank; ++i)
    r.size[i] = d.size[axes.size[i]];
  return r;
}

// Named conditions over types: a failing static_assert quotes them, and so shows the shapes.
template <class From, class To>
inline constexpr bool broadcasts = fits(broadcast(shape_of<From>, shape_of<To>), shape_of<To>);
template <class A, class B> inline constexpr bool broadcast_together = broadcast(shape_of<A>, shape_of<B>).rank >= 0;
template <class V, int... Axes>
inline constexpr bool permutes =
    sizeof...(Axes) == 0 ? shape_of<V>.rank >= 2
                         : sizeof...(Axes) == shape_of<V>.rank && is_permutation({sizeof...(Axes), {Axes...}});
template <class A, class B> inline constexpr bool same_elements = __is_same(element_t<A>, element_t<B>);
} // namespace detail

} // namespace tegula
