// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order: the elements along an axis, sorted.
//   sort<1>(x)                       along axis 1; sort(x) along the last one
//   sort<1>(x, descending)           the greatest first
//   argsort<1>(x)                    where each element of the sorted tile was along the axis, ints
//   sort<1>(tuple(keys, x))          both tiles in the order of the first: a tuple of two
//   sort<1, 2>(tuple(a, b, x))       in the order of the first two: by b where a is equal
//   top_k<8>(x)                      the 8 greatest along the last axis, and where they were: a tuple
// Elements that are equal stay in their order, ascending or descending. NaN comes last in both, and -0 is equal to +0.
// Any element can be sorted that takes a byte or more, but keys are of those that compute. At an array's edge what is
// there is sorted; what top_k takes beyond that is undefined.
//
//   // The eight greatest numbers of each row, and where they are. Shorter rows are filled: the type says 1024.
//   tg::pallas_call({.grid = {x.dim(0)}},
//                   [](auto x, auto values, auto where) {
//                     const auto top = tg::top_k<8>(tg::load(x, true, -tg::inf));
//                     values[tg::all] = top.first;
//                     where[tg::all] = top.second;
//                   },
//                   tg::in<tg::squeezed, 1024>(x, by_row), tg::out<tg::squeezed, 8>(values, by_row),
//                   tg::out<tg::squeezed, 8>(where, by_row));
//
// Rows of a static extent of up to 8192 elements are sorted wherever they stand, each by a thread group. (Up to 4096 of
// 64 bits, or by two keys of 32: a row, counted as the next power of two, is exchanged in shared memory, at most 48 KiB
// by the bytes of its keys and two more for each element, or by those of the widest element.) At the explicit level, a
// row has a power of two of elements.
//
// Longer rows, and those of run-time extent, are sorted by all of the GPU: in a program's body, outside of loops and
// branches that remain at run time, alone or with one other tile, by one key. They have fewer than 2^32 elements.
//
//   // The places of the elements of an array of any length, in ascending order.
//   tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::argsort(x[tg::all]); }, tg::in(x), tg::out(o));
//
// Cost: of a row that a thread group sorts, all of it whatever is wanted of it, in place and without branches: about
// log2(n)^2 / 6 reads and writes of shared memory for each element, and one more of each tile. A row is sorted once.
// Longer rows: a launch that reads the keys, and one for each byte of a key that reads and writes each element once. A
// part of up to 6144 elements of a row is a CTA's: one row of 2^20 fills a GPU, and so do many shorter ones. What is
// not a whole array that is contiguous, or a row of it for each program, is copied before, and results of which more is
// computed are read once more.
#pragma once

#include "making.h"
#include "shapes.h"
#include "tuple.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// The type of `descending`.
struct descending_t {};
/// Behind a tile that is sorted: the greatest first.
inline constexpr descending_t descending;

namespace detail {
template <int Keys> consteval bool are_comparable() { return true; }
template <int Keys, class First, class... Rest> consteval bool are_comparable() {
  return (Keys <= 0 || computes<First>) && are_comparable<Keys - 1, Rest...>();
}
template <int Axis, int Keys, class First, class... Rest> consteval bool check_sorted() {
  constexpr bool has_axis = check_axis<First, Axis, false>();
  constexpr bool are_tiles = (is_tile<Rest> && ...);
  static_assert(are_tiles,
                "the members of a tuple that is sorted are tiles: what ref[...] names, ref[tg::all], is one");
  static_assert(Keys >= 1 && Keys <= 1 + int{sizeof...(Rest)}, "of a tuple, one or more of the first tiles are keys");
  if constexpr (has_axis && are_tiles) {
    constexpr bool are_bytes = !is_packed<element_t<First>> && (!is_packed<element_t<Rest>> && ...);
    static_assert((fits(shape_of<First>, shape_of<Rest>) && ...), "the tiles of a tuple that is sorted have one shape");
    static_assert(are_comparable<Keys, First, Rest...>(),
                  "elements that do not compute, as 8-bit floats, are not compared: the key is tg::astype<float>(x)");
    static_assert(are_bytes, "elements of 4 bits are not sorted: convert the tile, tg::astype<float>(x)");
    return (fits(shape_of<First>, shape_of<Rest>) && ...) && are_comparable<Keys, First, Rest...>() && are_bytes;
  }
  return false;
}

template <class V> struct sortable {
  template <int Axis, int Keys> static constexpr auto &result() {
    static_assert(values<V>, TEGULA_A_PLACE);
    static_assert(!values<V> || is_tile<V>, "a tile is sorted, along an axis of it, or a tg::tuple of tiles");
    if constexpr (is_tile<V>)
      (void)check_sorted<Axis, Keys, V>();
    return some<tile_t<element_t<V>, shape_of<V>>>();
  }
};
template <class First, class... Rest> struct sortable<tuple<First, Rest...>> {
  template <int Axis, int Keys> static constexpr auto &result() {
    (void)check_sorted<Axis, Keys, First, Rest...>();
    return some<tuple<tile_t<element_t<First>, shape_of<First>>, tile_t<element_t<Rest>, shape_of<Rest>>...>>();
  }
};
template <class V> inline constexpr bool is_sortable = operand<V>;
template <class... V> inline constexpr bool is_sortable<tuple<V...>> = true;
} // namespace detail

/// The elements along an axis in ascending order; of a tuple, all of its tiles in the order of the first `Keys`.
template <int Axis = -1, int Keys = 1, class V>
  requires(detail::is_sortable<V>)
auto sort(const V &) {
  return detail::sortable<V>::template result<Axis, Keys>();
}
/// In descending order.
template <int Axis = -1, int Keys = 1, class V>
  requires(detail::is_sortable<V>)
auto sort(const V &, descending_t) {
  return detail::sortable<V>::template result<Axis, Keys>();
}
template <int..., class... V>
void sort(const V &...)
    TEGULA_REFUSED("tg::sort takes a tile, or a tg::tuple of tiles, then perhaps tg::descending; the "
                   "axis and the number of keys are template arguments: tg::sort<1>(x)");

/// The indices along the axis of the elements in ascending order, as ints: take_along_axis<1>(x, argsort<1>(x)) is
/// sort<1>(x).
template <int Axis = -1, detail::operand V> constexpr auto argsort(const V &x) {
  if constexpr (detail::check_axis<V, Axis, false>())
    return sort<Axis>(tuple(x, iota_like<int, detail::axis_of<V, Axis>>(x))).second;
}
template <int Axis = -1, detail::operand V> constexpr auto argsort(const V &x, descending_t) {
  if constexpr (detail::check_axis<V, Axis, false>())
    return sort<Axis>(tuple(x, iota_like<int, detail::axis_of<V, Axis>>(x)), descending).second;
}

/// The K greatest elements along the last axis, the greatest first, and their indices there, as ints: of equal ones,
/// the first come first.
template <int K, detail::operand V> constexpr auto top_k(const V &x) {
  if constexpr (detail::check_axis<V, -1, false>()) {
    constexpr bool has_elements = K > 0 && (detail::extent_of<V, -1> == any || K <= detail::extent_of<V, -1>);
    static_assert(has_elements, "top_k<K> takes K of K elements or more");
    if constexpr (has_elements) {
      const auto sorted = sort<-1>(tuple(x, iota_like<int, detail::axis_of<V, -1>>(x)), descending);
      return tuple(detail::at_axis<-1>(sorted.first, ds<K>(0)), detail::at_axis<-1>(sorted.second, ds<K>(0)));
    }
  }
}
template <int... K, detail::operand V, class... R>
  requires(sizeof...(K) != 1 || sizeof...(R) > 0)
void top_k(const V &, const R &...) TEGULA_REFUSED("how many is a constant in angle brackets: tg::top_k<8>(x)");

} // namespace tegula
