// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectorising maps: vmap runs a function of arrays on every slice of larger arrays. The batch becomes a leading axis of
// the grid of every launch inside: there are no more launches, and nothing is copied.
//   vmap(matmul, over(xs, 0), y)                        xs[b] y, for every b
//   vmap({.out_axis = 1}, matmul, x, over(ys, 2))       x ys[:, :, b], stacked along axis 1 of the result
//   auto [sums, squares] = vmap(moments, over(xs, 0));  a function that returns a struct of arrays
// An optional array, vmap(f, over(x, 0), over(bias, 0)), is present for all slices or for none; at least one sliced
// array must always be present, and gives the size of the batch.
// The function is an entry or a lambda over arrays. Its checks apply to one slice, and run once. Arrays that it
// allocates get the batch dimension, too. Calls nest: the outer batch is the outer axis.
#pragma once

#include "launch.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// An array with the axis along which it is sliced.
template <class E, int Rank> struct batched {
  static_assert(Rank > 0, "an array of rank 0 cannot be sliced: pass it without tg::over");
  array<E, Rank> of;
  int axis;
};
/// The slices of an array along an axis, which is a constant.
/// Cost: none.
template <class E, int Rank> constexpr batched<E, Rank> over(const array<E, Rank> &x, int axis) { return {x, axis}; }

/// Options of vmap, its first argument: {.out_axis = 1}.
struct vmap_options {
  /// The position of the batch axis in the result; a constant.
  int out_axis = 0;
};

namespace detail {
template <class V> inline constexpr bool is_batched = false;
template <class E, int R> inline constexpr bool is_batched<batched<E, R>> = true;

template <class E, int R> array<E, R - 1> &slice_of(const batched<E, R> &);
template <class V> const V &slice_of(const V &);

struct nothing {};
template <class R> struct stacked {};
template <class E, int R> struct stacked<array<E, R>> {
  using type = array < E, R<max_rank ? R + 1 : R>;
};
template <> struct stacked<nothing> {
  using type = nothing;
};
template <class R> inline constexpr bool is_array = false;
template <class E, int R> inline constexpr bool is_array<array<E, R>> = true;
// The struct of the stacked fields of another struct.
template <class... V> struct results;
template <class A> struct results<A> {
  A first;
};
template <class A, class B> struct results<A, B> {
  A first;
  B second;
};
template <class A, class B, class C> struct results<A, B, C> {
  A first;
  B second;
  C third;
};
template <class A, class B, class C, class D> struct results<A, B, C, D> {
  A first;
  B second;
  C third;
  D fourth;
};
struct any_field {
  template <class V> operator V() const;
};
// The number of fields of an aggregate: the largest number of initialisers that it takes; 5 is too many.
template <class R> consteval int count_fields() {
  constexpr any_field f;
  if constexpr (requires { R{f, f, f, f, f}; })
    return 5;
  else if constexpr (requires { R{f, f, f, f}; })
    return 4;
  else if constexpr (requires { R{f, f, f}; })
    return 3;
  else if constexpr (requires { R{f, f}; })
    return 2;
  else
    return requires { R{f}; } ? 1 : 0;
}
template <class... V> results<typename stacked<__remove_cv(V)>::type...> stack_all(V &...);
template <class... V>
  requires(!is_array<__remove_cv(V)> || ...)
nothing stack_all(V &...);
template <class R> constexpr auto stack_fields(R &r) {
  if constexpr (count_fields<R>() == 1) {
    auto &[a] = r;
    return stack_all(a);
  } else if constexpr (count_fields<R>() == 2) {
    auto &[a, b] = r;
    return stack_all(a, b);
  } else if constexpr (count_fields<R>() == 3) {
    auto &[a, b, c] = r;
    return stack_all(a, b, c);
  } else {
    auto &[a, b, c, d] = r;
    return stack_all(a, b, c, d);
  }
}
template <class R>
  requires(__is_aggregate(R) && count_fields<R>() >= 1 && count_fields<R>() <= 4)
struct stacked<R> {
  using type = decltype(stack_fields(some<R>()));
};
template <class R> inline constexpr bool has_arrays = is_array<R>;
template <class R>
  requires requires { typename stacked<R>::type; }
inline constexpr bool has_arrays<R> = !__is_same(typename stacked<R>::type, nothing);
template <class R> inline constexpr bool has_room = true;
template <class E, int R> inline constexpr bool has_room<array<E, R>> = R < max_rank;
// Runs the function in the batch of the arguments; `result` is its call. (It has a body, because R may be a local type
// of a function, for which no other file could define it.)
template <class R, class... A> typename stacked<R>::type batch(const vmap_options &, const R &, const A &...) {
  return some<typename stacked<R>::type>();
}
} // namespace detail

/// Runs f on every slice of the arguments that are given by over(x, axis), all of one size; the others are shared by
/// all slices. f returns an array that it allocates, a struct of up to four of them, or nothing, and writes only to
/// sliced arrays. Each array of a struct is stacked: auto [a, b] = vmap(f, over(x, 0)).
/// Cost: that of f, launched once on a grid with one more axis: the programs of all slices run concurrently.
template <class F, class... A> constexpr auto vmap(const vmap_options &options, F f, const A &...arguments) {
  static_assert((detail::is_batched<A> || ...), "no argument of vmap is sliced: write tg::vmap(f, tg::over(x, 0), y)");
  using result = decltype(f(detail::slice_of(arguments)...));
  if constexpr (__is_same(result, void)) {
    detail::batch(options, (f(detail::slice_of(arguments)...), detail::nothing{}), arguments...);
  } else {
    static_assert(
        detail::has_arrays<result>,
        "the function of vmap has another result: return an array, a struct of one to four arrays, or nothing");
    static_assert(detail::has_room<result>,
                  "the result has more than 6 dimensions with the batch axis: return arrays of at most 5");
    if constexpr (detail::has_arrays<result>)
      return detail::batch(options, f(detail::slice_of(arguments)...), arguments...);
  }
}
template <class F, class... A>
  requires(!__is_convertible(F, vmap_options))
constexpr auto vmap(F f, const A &...arguments) {
  return vmap(vmap_options{}, f, arguments...);
}

} // namespace tegula
