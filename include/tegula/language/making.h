// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles out of nothing. Static extents stand in angle brackets after the element type; a tile of the block's size
// conforms to the block at an array's edge. Run-time extents stand in parentheses, full<float>(1, x.dim(0)), or come
// from a tile that has them, zeros_like(x[tg::all]); such a tile has exactly so many elements. Take them from what it
// is combined with: iota<int>(t.dim(0)) of a slice t = x[tg::ds(start, n)], which may end before n.
//
// Elements that do not compute (elements.h) are converted: tg::astype<tg::s4>(tg::full<int>(3, m, n)). zeros of static
// extents, zeros_like and iota do so themselves.
//
// Cost: no memory: constants and positions are computed in registers where they are used, an instruction or none for
// each element. A variable that loops carry takes registers.
#pragma once

#include "conversions.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

namespace detail {
template <class D> inline constexpr bool is_extent = __is_integral(D) || is_constant<D>;
// Of static extents N, or of as many run-time ones as there are in D.
template <class E, int... N> struct made_of {
  template <class... D> using type = tile<E, N...>;
};
template <class E> struct made_of<E> {
  template <class... D> using type = tile_t<E, unknown(sizeof...(D))>;
};
} // namespace detail

/// One value everywhere: full<float, 64, 128>(1.0f).
template <class E, int... N>
  requires(sizeof...(N) > 0 && ((N > 0) && ...) && !detail::is_stored<E>)
tile<E, N...> full(E value);
/// One value everywhere, in run-time extents: full<float>(1.0f, x.dim(0), n).
template <class E, class... D>
  requires(sizeof...(D) > 0 && (detail::is_extent<D> && ...) && !detail::is_stored<E>)
detail::tile_t<E, detail::unknown(sizeof...(D))> full(E value, D... extents);
template <class E, int... N, class V, class... D>
  requires(detail::is_stored<E> && sizeof...(N) + sizeof...(D) > 0)
constexpr auto &full(const V &, const D &...)
    TEGULA_REFUSED_IF(detail::is_stored<E>,
                      "tg::full makes no elements that do not compute (8-bit floats, e8m0, 4 bits): convert, "
                      "tg::astype<tg::s4>(tg::full<int, 64, 64>(3)), of run-time extents "
                      "tg::astype<tg::s4>(tg::full<int>(3, m, n))",
                      typename detail::made_of<E, N...>::template type<D...>);
/// One value everywhere, in the shape of a tile and of its element type.
template <tile_like V>
  requires(!detail::is_stored<detail::element_t<V>>)
V full_like(const V &model, detail::element_t<V> value);
template <tile_like V, class S>
  requires(detail::is_stored<detail::element_t<V>>)
constexpr V &full_like(const V &, const S &)
    TEGULA_REFUSED_IF(detail::is_stored<detail::element_t<V>>,
                      "tg::full_like makes no elements that do not compute (8-bit floats, e8m0, 4 bits): convert, "
                      "tg::astype<tg::e4m3>(tg::full_like(tg::astype<float>(tile), 1))",
                      V);

/// Zeros: zeros<float, 64, 128>(), what sums begin with.
template <class E, int... N>
  requires(sizeof...(N) > 0 && ((N > 0) && ...))
constexpr tile<E, N...> zeros() {
  if constexpr (detail::is_stored<E>)
    return astype<E>(full<float, N...>(0));
  else
    return full<E, N...>(E(0));
}
/// Zeros of run-time extents: zeros<float>(x.dim(0), x.dim(1)).
template <class E, class... D>
  requires(sizeof...(D) > 0 && (detail::is_extent<D> && ...) && !detail::is_stored<E>)
detail::tile_t<E, detail::unknown(sizeof...(D))> zeros(D... extents);
template <class E, class... D>
  requires(sizeof...(D) > 0 && (detail::is_extent<D> && ...) && detail::is_stored<E>)
constexpr auto &zeros(const D &...)
    TEGULA_REFUSED_IF(detail::is_stored<E>,
                      "tg::zeros makes no elements that do not compute (8-bit floats, e8m0, 4 bits): convert, "
                      "tg::astype<tg::e4m3>(tg::zeros<float>(m, n))",
                      typename detail::made_of<E>::template type<D...>);
/// Zeros in the shape of a tile and of its element type: zeros_like(x[tg::all]).
template <tile_like V> constexpr V zeros_like(const V &model) {
  using E = detail::element_t<V>;
  if constexpr (detail::is_stored<E>)
    return astype<E>(full_like(astype<float>(model), 0));
  else
    return full_like(model, E(0));
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
template <class E, int Axis, int... N, class... D>
  requires(detail::is_stored<E> && sizeof...(N) + sizeof...(D) > 0)
constexpr auto &broadcasted_iota(const D &...) TEGULA_REFUSED_IF(
    detail::is_stored<E>,
    "tg::broadcasted_iota makes no elements that do not compute (8-bit floats, e8m0, 4 bits): convert, "
    "tg::astype<tg::u4>(tg::broadcasted_iota<int, 1>(m, n))",
    typename detail::made_of<E, N...>::template type<D...>);
template <class E, int Axis, tile_like V>
  requires(detail::is_stored<E>)
constexpr auto &iota_like(const V &)
    TEGULA_REFUSED_IF(detail::is_stored<E>,
                      "tg::iota_like makes no elements that do not compute (8-bit floats, e8m0, 4 bits): convert, "
                      "tg::astype<tg::u4>(tg::iota_like<int, 1>(tile))",
                      detail::tile_t<E, detail::shape_of<V>>);
/// 0, 1, ..., N - 1.
template <class E, int N>
  requires(N > 0)
constexpr tile<E, N> iota() {
  if constexpr (detail::is_stored<E>)
    return astype<E>(broadcasted_iota<int, 0, N>());
  else
    return broadcasted_iota<E, 0, N>();
}
/// 0, 1, ..., n - 1, n known at run time.
template <class E, class D>
  requires(detail::is_extent<D>)
constexpr detail::tile_t<E, detail::unknown(1)> iota(D n) {
  if constexpr (detail::is_stored<E>)
    return astype<E>(broadcasted_iota<int, 0>(n));
  else
    return broadcasted_iota<E, 0>(n);
}

} // namespace tegula
