// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tuples of up to four values, tiles, scalars or anything else: for reductions of several tiles.
//   const auto [greatest, index] = tg::max_with_index<1>(x);
//   tg::tuple(x, y).second
#pragma once

#include "elements.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// One to four values of any types, in the fields first, second, third and fourth: tg::tuple(x, y).
template <class... V> struct tuple {
  static_assert(sizeof...(V) >= 1 && sizeof...(V) <= 4, "a tuple has one to four values: for more, declare a struct");
  constexpr tuple(const V &...) {}
};
template <class A> struct tuple<A> {
  A first;
  constexpr tuple(const A &first) : first(first) {}
};
template <class A, class B> struct tuple<A, B> {
  A first;
  B second;
  constexpr tuple(const A &first, const B &second) : first(first), second(second) {}
};
template <class A, class B, class C> struct tuple<A, B, C> {
  A first;
  B second;
  C third;
  constexpr tuple(const A &first, const B &second, const C &third) : first(first), second(second), third(third) {}
};
template <class A, class B, class C, class D> struct tuple<A, B, C, D> {
  A first;
  B second;
  C third;
  D fourth;
  constexpr tuple(const A &first, const B &second, const C &third, const D &fourth)
      : first(first), second(second), third(third), fourth(fourth) {}
};
template <class... V> tuple(const V &...) -> tuple<V...>;

} // namespace tegula
