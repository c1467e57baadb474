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
// A row has a static extent, which is counted as the next power of two: at most 8192 elements. It is exchanged in
// shared memory, at most 48 KiB by the bytes of its keys and two more for each element, or by those of the widest
// element: 4096 elements of 64 bits, or of two keys of 32. Shorter rows of run-time length are blocks that extend past
// the end of their array. At the explicit level, a row has a power of two of elements.
//
// Cost: one thread group sorts a row, all of it whatever is wanted of it, in place and without branches: about
// log2(n)^2 / 6 reads and writes of shared memory for each element, and one more of each tile. A row is sorted once.
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
consteval s64 padded(s64 n) {
  s64 size = 1;
  while (size < n)
    size *= 2;
  return size;
}
consteval s64 greatest(s64 a, s64 b) { return a > b ? a : b; }

// The bytes that an element takes where it is exchanged.
template <int Keys> consteval s64 exchanged() { return 2; }
template <int Keys, class First, class... Rest> consteval s64 exchanged() {
  return (Keys > 0 ? s64(sizeof(element_t<First>)) : 0) + exchanged<Keys - 1, Rest...>();
}
template <int Keys> consteval bool are_comparable() { return true; }
template <int Keys, class First, class... Rest> consteval bool are_comparable() {
  return (Keys <= 0 || computes<First>) && are_comparable<Keys - 1, Rest...>();
}
template <class First, class... Rest> consteval s64 widest() {
  s64 most = sizeof(element_t<First>);
  ((most = greatest(most, sizeof(element_t<Rest>))), ...);
  return most;
}

template <int Axis, int Keys, class First, class... Rest> consteval bool check_sorted() {
  constexpr bool has_axis = check_axis<First, Axis>();
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
    constexpr s64 length = padded(extent_of<First, Axis>);
    static_assert(length <= 8192, "a row that is sorted has at most 8192 elements: sort blocks of it");
    constexpr bool is_short = length * greatest(exchanged<Keys, First, Rest...>(), widest<First, Rest...>()) <= 49152;
    static_assert(
        length > 8192 || is_short,
        "a row that is sorted is exchanged in shared memory, at most 48 KiB, by its keys and two more bytes for "
        "each element, or by the widest element: 4096 elements of 64 bits, or of two keys of 32");
    return is_short && length <= 8192 && (fits(shape_of<First>, shape_of<Rest>) && ...) &&
           are_comparable<Keys, First, Rest...>() && are_bytes;
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
  if constexpr (detail::check_axis<V, Axis>())
    return sort<Axis>(tuple(x, iota_like<int, detail::axis_of<V, Axis>>(x))).second;
}
template <int Axis = -1, detail::operand V> constexpr auto argsort(const V &x, descending_t) {
  if constexpr (detail::check_axis<V, Axis>())
    return sort<Axis>(tuple(x, iota_like<int, detail::axis_of<V, Axis>>(x)), descending).second;
}

/// The K greatest elements along the last axis, the greatest first, and their indices there, as ints: of equal ones,
/// the first come first.
template <int K, detail::operand V> constexpr auto top_k(const V &x) {
  if constexpr (detail::check_axis<V, -1>()) {
    static_assert(K > 0 && K <= detail::extent_of<V, -1>, "top_k<K> takes K of K elements or more");
    if constexpr (K > 0 && K <= detail::extent_of<V, -1>) {
      const auto sorted = sort<-1>(tuple(x, iota_like<int, detail::axis_of<V, -1>>(x)), descending);
      return tuple(detail::at_axis<-1>(sorted.first, ds<K>(0)), detail::at_axis<-1>(sorted.second, ds<K>(0)));
    }
  }
}

} // namespace tegula
