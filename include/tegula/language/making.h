// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creation of tiles. Static extents are template arguments after the element type; a tile with the static extents of a
// boundary block conforms to that block. Run-time extents are function arguments, full<float>(1, x.dim(0)), or come
// from a tile that has them, zeros_like(x[tg::all]); such a tile has exactly these extents. Take the extents from the
// tile that it is combined with: iota<int>(t.dim(0)) for a window t = x[tg::ds(start, n)], which may have fewer than n
// elements.
//
// Elements of types without scalars (elements.h) are converted from the given value, as by tg::astype: full<e4m3>(0.5,
// n).
//
// Cost: no memory: constants and indices are computed in registers where they are used, at most one instruction per
// element. A loop-carried variable takes registers.
#pragma once

#include "conversions.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

namespace detail {
template <class D> inline constexpr bool is_extent = __is_integral(D) || is_constant<D>;
} // namespace detail

/// A tile filled with one value: full<float, 64, 128>(1.0f).
template <class E, int... N>
  requires(sizeof...(N) > 0 && ((N > 0) && ...) && !detail::is_stored<E>)
tile<E, N...> full(E value);
template <class E, int... N, scalar V>
  requires(sizeof...(N) > 0 && ((N > 0) && ...) && detail::is_stored<E>)
tile<E, N...> full(V value) {
  static_assert(detail::adapts<detail::element_t<V>, E>, TEGULA_DOES_NOT_ADAPT);
  return detail::some<tile<E, N...>>();
}
/// A tile filled with one value, with run-time extents: full<float>(1.0f, x.dim(0), n).
template <class E, class... D>
  requires(sizeof...(D) > 0 && (detail::is_extent<D> && ...) && !detail::is_stored<E>)
detail::tile_t<E, detail::unknown(sizeof...(D))> full(E value, D... extents);
template <class E, scalar V, class... D>
  requires(sizeof...(D) > 0 && (detail::is_extent<D> && ...) && detail::is_stored<E>)
auto full(V value, D... extents) {
  static_assert(detail::adapts<detail::element_t<V>, E>, TEGULA_DOES_NOT_ADAPT);
  return detail::some<detail::tile_t<E, detail::unknown(sizeof...(D))>>();
}
/// A tile filled with one value, with the shape and element type of another tile.
template <tile_like V>
  requires(!detail::is_stored<detail::element_t<V>>)
V full_like(const V &model, detail::element_t<V> value);
template <tile_like V, scalar S>
  requires(detail::is_stored<detail::element_t<V>>)
V full_like(const V &model, S value) {
  static_assert(detail::adapts<detail::element_t<S>, detail::element_t<V>>, TEGULA_DOES_NOT_ADAPT);
  return detail::some<V>();
}

/// Zeros: zeros<float, 64, 128>(), for example to initialise a sum.
template <class E, int... N>
  requires(sizeof...(N) > 0 && ((N > 0) && ...))
tile<E, N...> zeros();
/// Zeros with run-time extents: zeros<float>(x.dim(0), x.dim(1)).
template <class E, class... D>
  requires(sizeof...(D) > 0 && (detail::is_extent<D> && ...))
detail::tile_t<E, detail::unknown(sizeof...(D))> zeros(D... extents);
/// Zeros with the shape and element type of another tile: zeros_like(x[tg::all]).
template <tile_like V> constexpr V zeros_like(const V &model) {
  using E = detail::element_t<V>;
  if constexpr (detail::is_stored<E>)
    return full_like(model, 0);
  else
    return full_like(model, E(0));
}

/// Each element is its index along Axis, a constant: broadcasted_iota<int, 1, 64, 128>() has rows 0, 1, ..., 127.
template <class E, int Axis, int... N>
  requires(Axis >= 0 && Axis < int{sizeof...(N)} && ((N > 0) && ...))
tile<E, N...> broadcasted_iota();
/// The same with run-time extents: broadcasted_iota<int, 1>(x.dim(0), x.dim(1)).
template <class E, int Axis, class... D>
  requires(Axis >= 0 && Axis < int{sizeof...(D)} && (detail::is_extent<D> && ...))
detail::tile_t<E, detail::unknown(sizeof...(D))> broadcasted_iota(D... extents);
/// The same with the shape of a tile: iota_like<int, 1>(x) has the column index of each element of x.
template <class E, int Axis, tile_like V>
  requires(Axis >= 0 && Axis < detail::shape_of<V>.rank)
detail::tile_t<E, detail::shape_of<V>> iota_like(const V &model);
/// 0, 1, ..., N - 1.
template <class E, int N>
  requires(N > 0)
constexpr tile<E, N> iota() {
  return broadcasted_iota<E, 0, N>();
}
/// 0, 1, ..., n - 1, for n known at run time.
template <class E, class D>
  requires(detail::is_extent<D>)
constexpr detail::tile_t<E, detail::unknown(1)> iota(D n) {
  return broadcasted_iota<E, 0>(n);
}

} // namespace tegula
