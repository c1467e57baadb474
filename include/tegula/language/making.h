// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles out of nothing. Static extents stand in angle brackets after the element type; a tile of the block's size
// conforms to the block at an array's edge. Run-time extents stand in parentheses, full<float>(1, x.dim(0)), or come
// from a tile that has them, zeros_like(x[tg::all]); such a tile has exactly so many elements. Take them from what it
// is combined with: iota<int>(t.dim(0)) of a slice t = x[tg::ds(start, n)], which may end before n.
//
// Cost: no memory: constants and positions are computed in registers where they are used, an instruction or none for
// each element. A variable that loops carry takes registers.
#pragma once

#include "tile.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

namespace detail {
template <class D> inline constexpr bool is_extent = __is_integral(D) || is_constant<D>;
} // namespace detail

/// One value everywhere: full<float, 64, 128>(1.0f).
template <class E, int... N>
  requires(sizeof...(N) > 0 && ((N > 0) && ...))
tile<E, N...> full(E value);
/// One value everywhere, in run-time extents: full<float>(1.0f, x.dim(0), n).
template <class E, class... D>
  requires(sizeof...(D) > 0 && (detail::is_extent<D> && ...) && !detail::is_stored<E>)
detail::tile_t<E, detail::unknown(sizeof...(D))> full(E value, D... extents);
/// One value everywhere, in the shape of a tile and of its element type.
template <tile_like V> V full_like(const V &model, detail::element_t<V> value);

namespace detail {
// Nothing makes numbers of such elements but conversions of tiles.
template <class E> constexpr E zero() {
  static_assert(!is_stored<E>, TEGULA_NO_STORED_SCALAR);
  return E(0);
}
} // namespace detail

/// Zeros: zeros<float, 64, 128>(), what sums begin with.
template <class E, int... N>
  requires(sizeof...(N) > 0 && ((N > 0) && ...))
constexpr tile<E, N...> zeros() {
  return full<E, N...>(detail::zero<E>());
}
/// Zeros of run-time extents: zeros<float>(x.dim(0), x.dim(1)).
template <class E, class... D>
  requires(sizeof...(D) > 0 && (detail::is_extent<D> && ...) && !detail::is_stored<E>)
detail::tile_t<E, detail::unknown(sizeof...(D))> zeros(D... extents);
/// Zeros in the shape of a tile and of its element type: zeros_like(x[tg::all]).
template <tile_like V> constexpr V zeros_like(const V &model) {
  return full_like(model, detail::zero<detail::element_t<V>>());
}

/// Each element is its index along Axis, a constant: broadcasted_iota<int, 1, 64, 128>() has rows 0, 1, ..., 127.
template <class E, int Axis, int... N>
  requires(Axis >= 0 && Axis < int{sizeof...(N)} && ((N > 0) && ...) && !detail::is_stored<E>)
tile<E, N...> broadcasted_iota();
/// The same in run-time extents: broadcasted_iota<int, 1>(x.dim(0), x.dim(1)).
template <class E, int Axis, class... D>
  requires(Axis >= 0 && Axis < int{sizeof...(D)} && (detail::is_extent<D> && ...) && !detail::is_stored<E>)
detail::tile_t<E, detail::unknown(sizeof...(D))> broadcasted_iota(D... extents);
/// The same in the shape of a tile: iota_like<int, 1>(x) has the column of each element of x.
template <class E, int Axis, tile_like V>
  requires(Axis >= 0 && Axis < detail::shape_of<V>.rank && !detail::is_stored<E>)
detail::tile_t<E, detail::shape_of<V>> iota_like(const V &model);
/// 0, 1, ..., N - 1.
template <class E, int N>
  requires(N > 0)
constexpr tile<E, N> iota() {
  return broadcasted_iota<E, 0, N>();
}
/// 0, 1, ..., n - 1, n known at run time.
template <class E, class D>
  requires(detail::is_extent<D> && !detail::is_stored<E>)
constexpr detail::tile_t<E, detail::unknown(1)> iota(D n) {
  return broadcasted_iota<E, 0>(n);
}

} // namespace tegula
