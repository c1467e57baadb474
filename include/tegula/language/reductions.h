// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions: the elements along some axes become one.
//   sum(x)                all of x, a number
//   sum<1>(x)             along axis 1, which goes; sum<-1>(x) along the last, sum<0, 2>(x) along two
//   sum<1>(x, keepdims)   axis 1 stays, with the extent 1: x / sum<1>(x, tg::keepdims) broadcasts
// The result has the elements of the tile. Integers wrap; f16 and bf16 add and multiply in float, and round once. In
// which order a target combines is its own affair, and always the same; so is the sign of a sum of -0s alone. At an
// array's edge only what is there counts; of nothing, a sum is 0, a product 1, a maximum the lowest and a minimum the
// highest value (of floats an infinity).
#pragma once

#include "operators.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

struct keepdims_t {};
/// Behind a tile that is reduced: the axes stay, each with the extent 1.
inline constexpr keepdims_t keepdims;

namespace detail {
template <class V, int... Axes>
inline constexpr bool has_axes = ((Axes >= -shape_of<V>.rank && Axes < shape_of<V>.rank) && ...);
template <int Rank, int... Axes> consteval bool differ() {
  const int axes[] = {Axes..., 0};
  for (int i = 0; i < int{sizeof...(Axes)}; ++i)
    for (int j = 0; j < i; ++j)
      if ((axes[i] - axes[j]) % (Rank > 0 ? Rank : 1) == 0)
        return false;
  return true;
}
template <class V, int... Axes> inline constexpr bool names_once = differ<shape_of<V>.rank, Axes...>();

// No axis named: all of them.
template <int... Axes> consteval dims reduced(dims d, bool keeps) {
  dims r;
  for (int i = 0; i < d.rank; ++i) {
    const bool goes = sizeof...(Axes) == 0 || ((Axes == i || Axes + d.rank == i) || ...);
    if (!goes || keeps)
      r.push(goes ? 1 : d.size[i]);
  }
  return r;
}

template <class V, bool Keeps, int... Axes> constexpr auto &reduction() {
  static_assert(values<V>, TEGULA_A_PLACE);
  static_assert(!values<V> || is_tile<V>, "a reduction takes a tile: a number is its own sum");
  constexpr bool is_there = has_axes<V, Axes...>;
  static_assert(!is_tile<V> || is_there, "the tile has no such axis: they count from 0, or back from the last, -1");
  static_assert(!is_there || names_once<V, Axes...>, "an axis is named twice");
  return some<tile_t<element_t<V>, is_there ? reduced<Axes...>(shape_of<V>, Keeps) : dims{}>>();
}
template <class V, bool Keeps, int... Axes> constexpr auto &combined() {
  static_assert(numbers<V>, "bools do not compute: count them with tg::sum(tg::astype<int>(x))");
  static_assert(computes<V>, TEGULA_FLOATS_OF_8_BITS);
  return reduction<V, Keeps, Axes...>();
}
template <class V, bool Keeps, int... Axes> constexpr auto &decided() {
  static_assert(bools<V>, "any_of and all_of take bools: compare first, x != 0");
  return reduction<V, Keeps, Axes...>();
}
} // namespace detail

#define TEGULA_REDUCTION(f, kind)                                                                                      \
  template <int... Axes, detail::operand V> auto f(const V &) { return detail::kind<V, false, Axes...>(); }            \
  template <int... Axes, detail::operand V> auto f(const V &, keepdims_t) { return detail::kind<V, true, Axes...>(); } \
  template <int..., class... V>                                                                                        \
  void f(const V &...)                                                                                                 \
      TEGULA_REFUSED("a reduction takes a tile, then perhaps tg::keepdims; its axes are template arguments: "          \
                     "tg::" #f "<1>(x)");

TEGULA_REDUCTION(sum, combined)
TEGULA_REDUCTION(prod, combined)
/// The greatest, the least element; NaN if one is.
TEGULA_REDUCTION(max, combined)
TEGULA_REDUCTION(min, combined)
/// Whether one, whether every element is true.
TEGULA_REDUCTION(any_of, decided)
TEGULA_REDUCTION(all_of, decided)

template <detail::operand A, detail::operand B>
void max(const A &, const B &)
    TEGULA_REFUSED("tg::max reduces one tile, along an axis as tg::max<1>(x); the greater of two is tg::maximum(a, b)");
template <detail::operand A, detail::operand B>
void min(const A &, const B &)
    TEGULA_REFUSED("tg::min reduces one tile, along an axis as tg::min<1>(x); the less of two is tg::minimum(a, b)");

#undef TEGULA_REDUCTION

} // namespace tegula
