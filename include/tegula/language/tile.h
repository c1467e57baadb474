// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles, the values of the language.
#pragma once

#include "indexing.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

#define TEGULA_ELEMENTS                                                                                                \
  "this is not an element type: use one of bool, s8, s16, s32, s64, u8, u16, u32, u64, f16, bf16, f32, f64, e4m3, "    \
  "e5m2, e8m0, s4, u4, e2m1"
#define TEGULA_STORED_ELEMENTS                                                                                         \
  "8-bit floats (except in tg::dot), e8m0 and elements of 4 bits have no arithmetic: convert the tile, "               \
  "tg::astype<float>(tile)"
#define TEGULA_NO_STORED_SCALAR                                                                                        \
  "elements without arithmetic have no scalars: use a tile of one element, which broadcasts, tg::full<tg::e4m3, "      \
  "1>(value), or a window of one, x[tg::ds<1>(i)]"
#define TEGULA_READ_ONLY                                                                                               \
  "this place is read-only: it is a block of tg::in, an array of const elements, or a const variable"
#define TEGULA_DOES_NOT_BROADCAST "the value does not broadcast to the shape that it is assigned to"
#define TEGULA_A_PLACE "a ref is a place, not a value: load it, ref[tg::all]"
#define TEGULA_DOES_NOT_ADAPT "the scalar does not fit the tile's element type: convert one with tg::astype<...>"
#define TEGULA_TOO_MANY_INDICES "there are more indices than dimensions; a ref or value of rank 0 takes none, x[]"
#define TEGULA_NO_PLACE                                                                                                \
  "a part of a tile, or a temporary, is a value and cannot be assigned: choose per element, tg::where(tg::iota<int, "  \
  "64>() < n, a, b), or store the part to an array"

namespace detail {
// A floating-point scalar does not convert to an integer element, and only a bool converts to a bool.
template <class Scalar, class Element>
inline constexpr bool adapts = (!is_floating<Scalar> || !(is_integer<Element> || one_of<Element, s4, u4>)) &&
                               (!is_bool<Element> || is_bool<Scalar>);
} // namespace detail

/// A value of static or run-time extents, of any size; the compiler decides where it is stored. Rank 0 is a plain C++
/// scalar, which has no tile type. A tile is copied and assigned like an int; a mutable variable keeps its extents.
template <class Element, int... Extents> struct tile {
  static_assert(detail::is_element<Element>, TEGULA_ELEMENTS);
  static_assert(sizeof...(Extents) <= max_rank, "the tile has too many dimensions: at most 6");
  static_assert(detail::is_countable({sizeof...(Extents), {Extents...}}),
                "the tile has too many elements: at most 2^40");
  using element = Element;
  static constexpr int rank = sizeof...(Extents);
  /// The extents in the type, `any` for those known only at run time:
  ///   static_assert(t.shape.size[1] == 64, "rows have 64 elements");
  static constexpr detail::dims shape{rank, {Extents...}};

  tile() TEGULA_REFUSED(
      "a tile must be initialised: tg::zeros<float, 64, 64>(), tg::full<float, 64>(x), tg::zeros_like(t); an array of "
      "tiles, element by element: tiles[2] = {t, t}");
  tile(const tile &);
  tile &operator=(const tile &) &;
  /// Assigns one number to every element. A constant converts to the element type; types without scalars (e4m3, e8m0,
  /// s4 and so on) take any number, which is converted as by tg::astype.
  tile &operator=(Element) & requires(!detail::is_stored<Element>);
  template <scalar S>
    requires(!__is_same(S, Element))
  constexpr tile &operator=(S) & {
    static_assert(detail::adapts<detail::element_t<S>, Element>, TEGULA_DOES_NOT_ADAPT);
    return *this;
  }
  /// Assigns (for a ref: stores) a value that broadcasts to this shape. A value without extents of its own, such as
  /// tg::iota<int, 100>(), takes the variable's: for a boundary block, as many elements.
  template <int... N> constexpr tile &operator=(const tile<Element, N...> &) & {
    static_assert(detail::broadcasts<tile<Element, N...>, tile>, TEGULA_DOES_NOT_BROADCAST);
    return *this;
  }
  template <class E, int... N>
    requires(!__is_same(E, Element))
  constexpr tile &operator=(const tile<E, N...> &) & {
    static_assert(detail::same_elements<tile<E, N...>, tile>,
                  "the element types differ, and an assignment does not convert: write tg::astype<...>(value)");
    return *this;
  }
  template <class R>
    requires requires { R::space; }
  tile &operator=(const R &) & TEGULA_REFUSED(TEGULA_A_PLACE);
  template <class V>
    requires(__is_same(V, Element) && detail::is_stored<V>)
  tile &operator=(const V &) & TEGULA_REFUSED(TEGULA_NO_STORED_SCALAR);
  template <class V> void operator=(const V &) const &TEGULA_REFUSED(TEGULA_READ_ONLY);
  template <class V> void operator=(const V &) && TEGULA_REFUSED(TEGULA_NO_PLACE);
  explicit operator bool() const
      TEGULA_REFUSED("a tile is not a single bool: choose per element by tg::where(condition, a, b)");

  /// The extent along an axis, which is a constant; for a boundary block, the part inside the array.
  /// Cost: none if it is static, else as ref::dim.
  s64 dim(int axis) const;
  /// A part of the value. One integer per dimension gives a scalar.
  ///   const auto first = t[0];     const auto half = t[tg::ds<32>(0)];
  ///   const auto column = t[tg::all, tg::newaxis];
  /// Cost: none for loaded and elementwise tiles: only the part is computed. Elements of sums, products and
  /// loop-carried variables are exchanged through shared memory (shapes.h).
  template <index_like... I>
    requires(detail::consumed<I...> <= rank)
  detail::tile_t<Element, detail::indexed<shape, I...>::shape> operator[](const I &...) const;
  template <index_like... I>
    requires(detail::consumed<I...> > rank)
  void operator[](const I &...) const TEGULA_REFUSED(TEGULA_TOO_MANY_INDICES);
};

template <class V>
concept tile_like = detail::is_tile<V>;
/// An operand of elementwise functions: a tile or a scalar.
template <class V>
concept value = tile_like<V> || scalar<V>;

} // namespace tegula
