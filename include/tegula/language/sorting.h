// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting along an axis.
//   sort<1>(x)                       along axis 1; sort(x) along the last one
//   sort<1>(x, descending)           in descending order
//   argsort<1>(x)                    the index along the axis of each element of the sorted tile, ints
//   sort<1>(tuple(keys, x))          both tiles in the order of the first: a tuple of two
//   sort<1, 2>(tuple(a, b, x))       in the order of the first two: by b where a is equal
//   top_k<8>(x)                      the 8 greatest along the last axis, and their indices: a tuple
// Sorting is stable, ascending or descending. NaN comes last in both, and -0 is equal to +0. Elements of all types of
// at least a byte can be sorted, but keys must be of types with arithmetic. In a boundary block, the elements inside
// the array are sorted; elements of top_k beyond these are undefined.
//
//   // The eight greatest numbers of each row, and their indices. Shorter rows are padded: the type says 1024.
//   tg::pallas_call({.grid = {x.dim(0)}},
//                   [](auto x, auto values, auto where) {
//                     const auto top = tg::top_k<8>(tg::load(x, true, -tg::inf));
//                     values[tg::all] = top.first;
//                     where[tg::all] = top.second;
//                   },
//                   tg::in<tg::squeezed, 1024>(x, by_row), tg::out<tg::squeezed, 8>(values, by_row),
//                   tg::out<tg::squeezed, 8>(where, by_row));
//
// Rows of a static extent of up to 8192 elements can be sorted anywhere, each by a thread group. (Up to 4096 of 64
// bits, or by two keys of 32: a row, rounded up to a power of two, is exchanged through at most 48 KiB of shared
// memory, by the bytes of its keys and two more per element, or by those of the widest element.) At the explicit level,
// the extent of a row must be a power of two.
//
// Longer rows, and those of run-time extent, are sorted by the whole GPU: in the body of a program, outside of loops
// and run-time branches, alone or with one other tile, by one key. They have fewer than 2^32 elements.
//
//   // The indices that sort an array of any length in ascending order.
//   tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::argsort(x[tg::all]); }, tg::in(x), tg::out(o));
//
// Cost: a row in a thread group: it is always sorted completely, in place and without branches, by about log2(n)^2 / 6
// reads and writes of shared memory per element, and one more for each tile. A row is sorted once for all uses. Longer
// rows: one launch that reads the keys, and one for each byte of a key that reads and writes each element once (radix
// sort). Each CTA takes up to 6144 elements of a row: one row of 2^20 fills a GPU, and so do many shorter ones. An
// input that is not a whole contiguous array, or a row of one for each program, is copied first; results that are used
// in further computations are read once more.
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
/// Trailing argument of a sort: the greatest first.
inline constexpr descending_t descending;

namespace detail {
template <int Keys> consteval bool are_comparable() { return true; }
template <int Keys, class First, class... Rest> consteval bool are_comparable() {
  return (Keys <= 0 || computes<First>) && are_comparable<Keys - 1, Rest...>();
}
template <int Axis, int Keys, class First, class... Rest> consteval bool check_sorted() {
  constexpr bool has_axis = check_axis<First, Axis, false>();
  constexpr bool are_tiles = (is_tile<Rest> && ...);
  static_assert(are_tiles, "a member of the sorted tuple is not a tile: load a ref by ref[tg::all]");
  static_assert(Keys >= 1 && Keys <= 1 + int{sizeof...(Rest)},
                "the number of keys is out of range: it is 1 up to the number of tiles of the tuple");
  if constexpr (has_axis && are_tiles) {
    constexpr bool are_bytes = !is_packed<element_t<First>> && (!is_packed<element_t<Rest>> && ...);
    static_assert((fits(shape_of<First>, shape_of<Rest>) && ...),
                  "the tiles of the sorted tuple differ in shape: broadcast them to one shape");
    static_assert(are_comparable<Keys, First, Rest...>(),
                  "a key's element type has no order, as 8-bit floats: convert the key, tg::astype<float>(x)");
    static_assert(are_bytes, "elements of 4 bits cannot be sorted: convert the tile, tg::astype<float>(x)");
    return (fits(shape_of<First>, shape_of<Rest>) && ...) && are_comparable<Keys, First, Rest...>() && are_bytes;
  }
  return false;
}

template <class V> struct sortable {
  template <int Axis, int Keys> static constexpr auto &result() {
    static_assert(values<V>, TEGULA_A_PLACE);
    static_assert(!values<V> || is_tile<V>,
                  "sort takes a tile or a tg::tuple of tiles, not a number: leave the sort out");
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

/// Sorts along an axis in ascending order; for a tuple, all of its tiles in the order of the first `Keys`.
template <int Axis = -1, int Keys = 1, class V>
  requires(detail::is_sortable<V>)
auto sort(const V &) {
  return detail::sortable<V>::template result<Axis, Keys>();
}
/// Sorts in descending order.
template <int Axis = -1, int Keys = 1, class V>
  requires(detail::is_sortable<V>)
auto sort(const V &, descending_t) {
  return detail::sortable<V>::template result<Axis, Keys>();
}
template <int..., class... V>
void sort(const V &...)
    TEGULA_REFUSED("the arguments of tg::sort do not fit: it takes a tile or a tg::tuple of tiles, and optionally "
                   "tg::descending; the axis and the number of keys are template arguments, tg::sort<1>(x)");

/// The indices along the axis that sort the elements in ascending order, as ints: take_along_axis<1>(x, argsort<1>(x))
/// is sort<1>(x).
template <int Axis = -1, detail::operand V> constexpr auto argsort(const V &x) {
  if constexpr (detail::check_axis<V, Axis, false>())
    return sort<Axis>(tuple(x, iota_like<int, detail::axis_of<V, Axis>>(x))).second;
}
template <int Axis = -1, detail::operand V> constexpr auto argsort(const V &x, descending_t) {
  if constexpr (detail::check_axis<V, Axis, false>())
    return sort<Axis>(tuple(x, iota_like<int, detail::axis_of<V, Axis>>(x)), descending).second;
}

/// The K greatest elements along the last axis, in descending order, and their indices there, as ints; equal elements
/// are in the order of their indices.
template <int K, detail::operand V> constexpr auto top_k(const V &x) {
  if constexpr (detail::check_axis<V, -1, false>()) {
    constexpr bool has_elements = K > 0 && (detail::extent_of<V, -1> == any || K <= detail::extent_of<V, -1>);
    static_assert(has_elements, "the row has fewer than K elements: top_k<K> takes 1 to all of them");
    if constexpr (has_elements) {
      const auto sorted = sort<-1>(tuple(x, iota_like<int, detail::axis_of<V, -1>>(x)), descending);
      return tuple(detail::at_axis<-1>(sorted.first, ds<K>(0)), detail::at_axis<-1>(sorted.second, ds<K>(0)));
    }
  }
}
template <int... K, detail::operand V, class... R>
  requires(sizeof...(K) != 1 || sizeof...(R) > 0)
void top_k(const V &, const R &...) TEGULA_REFUSED("top_k takes its count as a template argument: tg::top_k<8>(x)");

} // namespace tegula
