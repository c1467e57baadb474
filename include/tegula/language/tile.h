// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of the language: a tile.
#pragma once

#include "indexing.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

#define TEGULA_ELEMENTS                                                                                                \
  "an element is one of bool, s8, s16, s32, s64, u8, u16, u32, u64, f16, bf16, f32, f64, e4m3, e5m2, e8m0, "           \
  "s4, u4, e2m1"
#define TEGULA_STORED_ELEMENTS                                                                                         \
  "8-bit floats (which tg::dot multiplies), e8m0 and elements of 4 bits are moved and converted, and do not compute: " \
  "convert the tile, tg::astype<float>(tile)"
#define TEGULA_NO_STORED_SCALAR                                                                                        \
  "there are no scalars of elements that do not compute: a tile of one element broadcasts, "                           \
  "tg::full<tg::e4m3, 1>(value); of an array, take a slice of one, x[tg::ds<1>(i)]"
#define TEGULA_READ_ONLY "this place is read-only: a block of tg::in, an array of const elements, or a const variable"
#define TEGULA_DOES_NOT_BROADCAST "the value does not broadcast to the shape that it is assigned to"
#define TEGULA_A_PLACE "a ref is a place, not a value: load it, ref[tg::all]"
#define TEGULA_DOES_NOT_ADAPT "the scalar does not fit the tile's element type: convert one with tg::astype<...>"
#define TEGULA_TOO_MANY_INDICES "more indices than dimensions; a place or value of rank 0 takes none, x[]"
#define TEGULA_NO_PLACE                                                                                                \
  "a part of a tile, or what an expression makes, is a value and has no place: choose per element, "                   \
  "tg::where(tg::iota<int, 64>() < n, a, b), or store the part to an array"

namespace detail {
// A floating-point scalar has no place in a tile of integers, and only a bool has one in a tile of bools.
template <class Scalar, class Element>
inline constexpr bool adapts = (!is_floating<Scalar> || !(is_integer<Element> || one_of<Element, s4, u4>)) &&
                               (!is_bool<Element> || is_bool<Scalar>);
} // namespace detail

/// A value of static or run-time extents, of any size, wherever the compiler keeps it. At rank 0 it is a plain C++
/// scalar, and has no tile type. It is copied and assigned like an int; a mutable variable keeps its extents.
template <class Element, int... Extents> struct tile {
  static_assert(detail::is_element<Element>, TEGULA_ELEMENTS);
  static_assert(sizeof...(Extents) <= max_rank, "a tile has at most 6 dimensions");
  static_assert(detail::is_countable({sizeof...(Extents), {Extents...}}), "a tile has at most 2^40 elements");
  using element = Element;
  static constexpr int rank = sizeof...(Extents);
  /// The extents that the type says, `any` where they are known at run time alone:
  ///   static_assert(t.shape.size[1] == 64, "rows have 64 elements");
  static constexpr detail::dims shape{rank, {Extents...}};

  tile() TEGULA_REFUSED("a tile is a value and needs one: tg::zeros<float, 64, 64>(), tg::full<float, 64>(x), "
                        "tg::zeros_like(t)");
  tile(const tile &);
  tile &operator=(const tile &) &;
  /// Assigns one number to every element. A constant takes the elements' type; elements that have no scalars (e4m3,
  /// e8m0, s4 and so on) take any number, which is converted as tg::astype does.
  tile &operator=(Element) & requires(!detail::is_stored<Element>);
  template <scalar S>
    requires(!__is_same(S, Element))
  constexpr tile &operator=(S) & {
    static_assert(detail::adapts<detail::element_t<S>, Element>, TEGULA_DOES_NOT_ADAPT);
    return *this;
  }
  /// Assigns (to a ref: stores) a value that broadcasts to this shape. What has no extents of its own, such as
  /// tg::iota<int, 100>(), takes those that the variable has: of a block at its array's edge, as many elements.
  template <int... N> constexpr tile &operator=(const tile<Element, N...> &) & {
    static_assert(detail::broadcasts<tile<Element, N...>, tile>, TEGULA_DOES_NOT_BROADCAST);
    return *this;
  }
  template <class E, int... N>
    requires(!__is_same(E, Element))
  tile &operator=(const tile<E, N...> &) &
      TEGULA_REFUSED("an assignment does not convert elements: write tg::astype<...>(value)");
  template <class R>
    requires requires { R::space; }
  tile &operator=(const R &) & TEGULA_REFUSED(TEGULA_A_PLACE);
  template <class V>
    requires(__is_same(V, Element) && detail::is_stored<V>)
  tile &operator=(const V &) & TEGULA_REFUSED(TEGULA_NO_STORED_SCALAR);
  template <class V> void operator=(const V &) const &TEGULA_REFUSED(TEGULA_READ_ONLY);
  template <class V> void operator=(const V &) && TEGULA_REFUSED(TEGULA_NO_PLACE);
  explicit operator bool() const
      TEGULA_REFUSED("a tile is not one truth value: tg::where(condition, a, b) chooses per element");

  /// The extent along an axis, which is a constant; at the array's edge, what lies inside.
  /// Cost: none of a static one, else as ref::dim.
  s64 dim(int axis) const;
  /// A part of the value. Integers at every dimension give a scalar.
  ///   const auto first = t[0];     const auto half = t[tg::ds<32>(0)];     const auto column = t[tg::all,
  ///   tg::newaxis];
  /// Cost: none of what is loaded or computed element by element: the part alone is. Elements of sums, products and
  /// variables of loops are exchanged through shared memory (shapes.h).
  template <index_like... I>
    requires(detail::consumed<I...> <= rank)
  detail::tile_t<Element, detail::indexed<shape, I...>::shape> operator[](const I &...) const;
  template <index_like... I>
    requires(detail::consumed<I...> > rank)
  void operator[](const I &...) const TEGULA_REFUSED(TEGULA_TOO_MANY_INDICES);
};

template <class V>
concept tile_like = detail::is_tile<V>;
/// A tile or a scalar: what elementwise functions take.
template <class V>
concept value = tile_like<V> || scalar<V>;

} // namespace tegula
