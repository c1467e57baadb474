// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators on tiles, elementwise.
//   * The tiles of one expression have one element type; tg::astype converts. A constant (2, 0.5, tg::inf) takes the
//     tile's type; a run-time scalar must have it, which tegulac checks.
//   * Shapes broadcast, aligned at the last dimension: only a static 1 is stretched. Run-time extents combine with each
//     other, and with static ones, if they are provably equal, by construction or by a tg::check; the result is static
//     if either is.
//   * Arithmetic is C++'s, but always defined: integers wrap; / and % truncate, and give 0 if the divisor is 0. There
//     is no promotion: s8 + s8 is s8. f16 and bf16 compute in float and round each operation once, to nearest even.
//   * A shift by the element's width or more (or by a negative number) shifts all bits out: the result is 0, or the
//     sign for >> of a signed type.
//   * Comparisons give bool; NaN is unordered. && and || evaluate both sides.
// Scalars have C++'s own operators.
//
// Cost: elementwise and fused: in registers, without memory traffic. One instruction per element, 2 to 4 for integers
// of 64 bits; / of floats about 16; / and % of integers some 20 for 32 bits and several times as many for 64, few by a
// constant. Consumer GPUs (sm_75, sm_86, sm_89, sm_120a) have f64 at 1/32 or 1/64 of the rate of f32.
#pragma once

#include "ref.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

namespace detail {
template <class A, class B> struct usual { // C++'s usual arithmetic conversions, without promotion of equals
  using type = decltype(some<A>() + some<B>());
};
template <class A> struct usual<A, A> {
  using type = A;
};
template <class A, class B> struct common_element {
  using type = element_t<select_t<is_tile<A>, A, B>>;
};
template <scalar A, scalar B> struct common_element<A, B> : usual<element_t<A>, element_t<B>> {};

template <class A, class B> inline constexpr bool scalar_adapts = true;
template <tile_like A, scalar B> inline constexpr bool scalar_adapts<A, B> = adapts<element_t<B>, element_t<A>>;
template <scalar A, tile_like B> inline constexpr bool scalar_adapts<A, B> = adapts<element_t<A>, element_t<B>>;

template <class A, class B> using common_element_t = typename common_element<A, B>::type;
template <class A, class B> inline constexpr bool tiles_match = !is_tile<A> || !is_tile<B> || same_elements<A, B>;

// The shape that two values have together. A function, because a class whose assertion fails is invalid, and so is
// every function that names it again.
template <class A, class B> consteval dims common_shape() {
  static_assert(tiles_match<A, B>, "the tiles differ in element type: convert one with tg::astype<...>(tile)");
  static_assert(scalar_adapts<A, B>, TEGULA_DOES_NOT_ADAPT);
  static_assert(broadcast_together<A, B>, "the shapes do not broadcast: x[tg::all, tg::newaxis] inserts a dimension, "
                                          "and tg::sum<1>(x, tg::keepdims) keeps the reduced one");
  return broadcast_together<A, B> ? broadcast(shape_of<A>, shape_of<B>) : shape_of<A>;
}
template <class V> using value_t = tile_t<element_t<V>, shape_of<V>>;
template <class A, class B> using together_t = tile_t<common_element_t<A, B>, common_shape<A, B>()>;
template <class A>
concept tile_variable = is_tile<__remove_const(A)>;
// A temporary: the result of an expression.
template <class A>
concept made = is_tile<A>;
// Accepts a ref only in order to refuse it with a remedy.
template <class V>
concept tile_or_place = is_tile<V> || ref_like<V>;
template <class V>
concept operand = tile_or_place<V> || scalar<V>;
template <class A, class B>
concept logical_operands = (is_tile<A> && operand<B>) || (operand<A> && is_tile<B>);
template <class B, class A>
concept operand_with = (tile_or_place<A> && (tile_or_place<B> || scalar<B>)) || (tile_or_place<B> && scalar<A>);

// The element type that an operator computes in: the tile's, to which a constant adapts.
template <class A, class B> using operands_t = element_t<select_t<is_tile<A>, A, B>>;
template <class A, class B = A> inline constexpr bool numbers = is_number<operands_t<A, B>>;
template <class A, class B = A> inline constexpr bool integers = is_integer<operands_t<A, B>>;
template <class A, class B = A> inline constexpr bool integers_or_bools = is_integer_or_bool<operands_t<A, B>>;
template <class A, class B = A> inline constexpr bool bools = is_bool<operands_t<A, B>>;
template <class A, class B = A> inline constexpr bool floats = is_floating<operands_t<A, B>>;
template <class A, class B = A> inline constexpr bool computes = !is_stored<operands_t<A, B>>;
template <class... V> inline constexpr bool values = !(ref_like<V> || ...);

// The results of operators, by the operands that they take. A failing condition is reported once, here, with the user's
// line.
template <class A, class B> constexpr auto &compared() {
  static_assert(values<A, B>, TEGULA_A_PLACE);
  static_assert(computes<A, B>, TEGULA_STORED_ELEMENTS);
  constexpr bool is_of_bools = (is_tile<A> || is_tile<B>) && bools<A, B>;
  constexpr bool are_alike = !is_of_bools || (is_bool<element_t<A>> && is_bool<element_t<B>>);
  static_assert(are_alike,
                "bools cannot be compared with numbers: write two bounds as two comparisons, 0 < x && x < 1");
  if constexpr (are_alike)
    return some<tile_t<bool, common_shape<A, B>()>>();
  else
    return some<tile_t<bool, shape_of<select_t<is_tile<A>, A, B>>>>();
}
template <class A, class B> constexpr auto &arithmetic() {
  static_assert(values<A, B>, TEGULA_A_PLACE);
  static_assert(numbers<A, B>, "bools have no arithmetic: convert them with tg::astype<...>(tile)");
  static_assert(computes<A, B>, TEGULA_STORED_ELEMENTS);
  if constexpr (numbers<A, B>)
    return some<together_t<A, B>>();
  else
    return some<A>();
}
template <class A, class B> constexpr auto &modular() {
  static_assert(values<A, B>, TEGULA_A_PLACE);
  static_assert(integers<A, B>, "the operator takes integers only: convert the tile with tg::astype<...>(tile)");
  return some<together_t<A, B>>();
}
template <class A, class B> constexpr auto &remainder() {
  static_assert(values<A, B>, TEGULA_A_PLACE);
  static_assert(integers<A, B>, "% takes integers only: for the remainder of floats, write tg::fmod(x, y), with the "
                                "sign of x, or tg::floor_mod(x, y), with the sign of y");
  return some<together_t<A, B>>();
}
template <class A, class B> constexpr auto &bitwise() {
  static_assert(values<A, B>, TEGULA_A_PLACE);
  static_assert(integers_or_bools<A, B>,
                "the operator takes integers only: convert the tile with tg::astype<...>(tile)");
  return some<together_t<A, B>>();
}
template <class A, class B> constexpr auto &logical() {
  static_assert(values<A, B>, TEGULA_A_PLACE);
  static_assert(bools<A, B>, "logical operators take bools only: compare first, x != 0");
  return some<together_t<A, B>>();
}
template <class A, class Result> constexpr void assign(A &, const Result &) {
  static_assert(!__is_const(A), TEGULA_READ_ONLY);
  static_assert(broadcasts<Result, __remove_const(A)>, TEGULA_DOES_NOT_BROADCAST);
}
} // namespace detail

#define TEGULA_BINARY(op, kind)                                                                                        \
  template <class A, detail::operand_with<A> B> auto operator op(const A &, const B &) { return detail::kind<A, B>(); }
#define TEGULA_ASSIGN(op, kind)                                                                                        \
  template <detail::tile_variable A, detail::operand B> constexpr A &operator op(A & a, const B &) {                   \
    detail::assign(a, detail::kind<__remove_const(A), B>());                                                           \
    return a;                                                                                                          \
  }                                                                                                                    \
  template <detail::made A, class V> void operator op(A &&, const V &) TEGULA_REFUSED(TEGULA_NO_PLACE);                \
  template <ref_like R, class V>                                                                                       \
  void operator op(const R &, const V &)                                                                               \
      TEGULA_REFUSED("a ref is a place, not a value: change what is in it, ref[tg::all] " #op " value");
/// Arithmetic: x + y, x - y, x * y, x / y, and x % y, the remainder of integers, with the sign of x. floor_divide and
/// floor_mod (rounding.h) round as Python does.
TEGULA_BINARY(+, arithmetic)
TEGULA_BINARY(-, arithmetic)
TEGULA_BINARY(*, arithmetic)
TEGULA_BINARY(/, arithmetic)
TEGULA_BINARY(%, remainder)
/// Shifts of integers: x << n, x >> n, by n of the same type; >> of a signed type is arithmetic.
TEGULA_BINARY(<<, modular)
TEGULA_BINARY(>>, modular)
/// Bitwise operations: x & y, x | y, x ^ y, of integers or of bools.
TEGULA_BINARY(&, bitwise)
TEGULA_BINARY(|, bitwise)
TEGULA_BINARY(^, bitwise)
/// Comparisons: x < y, x <= y, x > y, x >= y, x == y, x != y give tiles of bool. With a NaN all are false, except that
/// != is true.
TEGULA_BINARY(<, compared)
TEGULA_BINARY(<=, compared)
TEGULA_BINARY(>, compared)
TEGULA_BINARY(>=, compared)
TEGULA_BINARY(==, compared)
TEGULA_BINARY(!=, compared)
/// Logical operations of bools: x && y, x || y; both sides are evaluated. (Of optional arrays, bias && mask, they are
/// C++'s operators.)
template <class A, class B>
  requires detail::logical_operands<A, B>
auto operator&&(const A &, const B &) {
  return detail::logical<A, B>();
}
template <class A, class B>
  requires detail::logical_operands<A, B>
auto operator||(const A &, const B &) {
  return detail::logical<A, B>();
}

/// Compound assignments: x += y, and likewise -=, *=, /=, %=, <<=, >>=, &=, |=, ^=. x is a variable whose shape y
/// broadcasts to, or a ref's elements, ref[tg::all] += y, which are loaded and stored.
TEGULA_ASSIGN(+=, arithmetic)
TEGULA_ASSIGN(-=, arithmetic)
TEGULA_ASSIGN(*=, arithmetic)
TEGULA_ASSIGN(/=, arithmetic)
TEGULA_ASSIGN(%=, remainder)
TEGULA_ASSIGN(<<=, modular)
TEGULA_ASSIGN(>>=, modular)
TEGULA_ASSIGN(&=, bitwise)
TEGULA_ASSIGN(|=, bitwise)
TEGULA_ASSIGN(^=, bitwise)

#define TEGULA_STEP(op)                                                                                                \
  template <detail::tile_or_place A>                                                                                   \
  void operator op(const A &)                                                                                          \
      TEGULA_REFUSED("tiles and refs have no ++ or --: write t += 1, or for a ref x[tg::all] += 1");                   \
  template <detail::tile_or_place A>                                                                                   \
  void operator op(const A &, int)                                                                                     \
      TEGULA_REFUSED("tiles and refs have no ++ or --: write t += 1, or for a ref x[tg::all] += 1");
TEGULA_STEP(++)
TEGULA_STEP(--)

#undef TEGULA_BINARY
#undef TEGULA_ASSIGN
#undef TEGULA_STEP

/// Unary operators: -x of numbers, ~x of integers, !x of bools.
template <detail::tile_or_place V> auto operator-(const V &) { return detail::arithmetic<V, V>(); }
template <detail::tile_or_place V> auto operator~(const V &) {
  static_assert(!detail::bools<V>, "~ takes integers only: negate bools by !");
  return detail::bitwise<V, V>();
}
template <detail::tile_or_place V> auto operator!(const V &) { return detail::logical<V, V>(); }

} // namespace tegula
