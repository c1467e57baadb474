// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounding to integers, signs, Python's division, and NaN handling: elementwise on tiles, and on scalars. All results
// are exact or rounded once, and the same on CPU and GPU.
//
// Cost: elementwise and fused: in registers, without memory traffic. An instruction or two per element; round takes 6,
// sign 4, nextafter 10, floor_divide, floor_mod and fmod 24, and fmod more for large quotients.
#pragma once

#include "conversions.h"
#include "math.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

#define TEGULA_ROUNDING(f)                                                                                             \
  template <detail::operand V> auto f(const V &) { return detail::float_function<V>(); }
/// Rounds to an integer: floor(x) down, ceil(x) up, trunc(x) towards zero.
TEGULA_ROUNDING(floor)
TEGULA_ROUNDING(ceil)
TEGULA_ROUNDING(trunc)
/// Rounds to the nearest integer; round sends ties away from zero, as C's does, and rint to even, as numpy's round.
TEGULA_ROUNDING(round)
TEGULA_ROUNDING(rint)
#undef TEGULA_ROUNDING

/// The quotient, rounded towards minus infinity: Python's //. (C++'s / of integers truncates.)
///   floor_divide(-7, 2) is -4; for integers 0 if the divisor is 0, and the least integer divided by -1 is unchanged
///   floor_divide(-7.5, 2.0) is -4.0; for floats x / y if the divisor is zero: an infinity, or NaN
template <detail::operand A, detail::operand B> auto floor_divide(const A &, const B &) {
  return detail::arithmetic<A, B>();
}
/// The remainder of floor_divide, with the sign of the divisor: Python's %. (C++'s % has the sign of the dividend.)
///   floor_mod(-7, 3) is 2, floor_mod(7, -3) is -2; for integers 0 if the divisor is 0
///   floor_mod(-7.5, 2.0) is 0.5; for floats NaN if the divisor is zero or the dividend infinite
template <detail::operand A, detail::operand B> auto floor_mod(const A &, const B &) {
  return detail::arithmetic<A, B>();
}
/// The remainder of a truncating division, with the sign of the dividend: C's fmod, exact. NaN if the divisor is zero
/// or the dividend infinite. The GPU divides bit by bit, which takes long for large quotients.
template <detail::operand A, detail::operand B> auto fmod(const A &, const B &) {
  return detail::float_function<A, B>();
}

/// |x| with the sign of y, which may be a zero or a NaN.
template <detail::operand A, detail::operand B> auto copysign(const A &, const B &) {
  return detail::float_function<A, B>();
}

/// fmax(x, y) is the greater of two, fmin(x, y) the less; if one is NaN, the result is the other one, as in C
/// (tg::maximum and tg::minimum give NaN). -0 is less than +0.
template <detail::operand A, detail::operand B> auto fmax(const A &, const B &) {
  return detail::float_function<A, B>();
}
template <detail::operand A, detail::operand B> auto fmin(const A &, const B &) {
  return detail::float_function<A, B>();
}

/// x limited to [low, high]: minimum(maximum(x, low), high). NaN stays NaN.
template <detail::operand V, detail::operand L, detail::operand H>
constexpr auto clamp(const V &x, const L &low, const H &high) {
  return minimum(maximum(x, low), high);
}
template <class... V> void clip(const V &...) TEGULA_REFUSED("there is no clip: write tg::clamp(x, low, high)");

/// 1, 0 or -1, as x is greater than, equal to or less than zero. Zeros keep their sign, and NaN stays NaN.
template <detail::operand V> constexpr detail::value_t<V> sign(const V &x) {
  static_assert(detail::values<V>, TEGULA_A_PLACE);
  static_assert(detail::numbers<V>, "sign does not take bools: convert with tg::astype<...>(x)");
  using E = detail::element_t<V>;
  if constexpr (detail::is_integer<E> && E(-1) > E(0))
    return minimum(x, E(1));
  else
    return where(x > E(0), E(1), where(x < E(0), E(-1), x));
}

#define TEGULA_TAKES_FLOATS(V)                                                                                         \
  static_assert(detail::values<V>, TEGULA_A_PLACE);                                                                    \
  static_assert(detail::floats<V>, TEGULA_FLOATS);

/// Classification: isnan(x), isinf(x), isfinite(x), neither NaN nor infinite: tiles of bool.
template <detail::operand V> constexpr auto isnan(const V &x) {
  TEGULA_TAKES_FLOATS(V)
  return x != x;
}
template <detail::operand V> constexpr auto isinf(const V &x) {
  TEGULA_TAKES_FLOATS(V)
  return abs(x) == inf;
}
template <detail::operand V> constexpr auto isfinite(const V &x) {
  TEGULA_TAKES_FLOATS(V)
  return abs(x) < inf;
}

namespace detail {
template <int Bytes> struct bits_of;
template <> struct bits_of<2> {
  using type = s16;
};
template <> struct bits_of<4> {
  using type = s32;
};
template <> struct bits_of<8> {
  using type = s64;
};
// Numbers of one sign are ordered as their bits: the next number is the next bit pattern.
template <class A, class B> constexpr auto next_after(const A &x, const B &y) {
  using E = element_t<A>;
  using S = typename bits_of<sizeof(E)>::type;
  const auto least = copysign(bitcast<E>(S(1)), y);
  const auto step = where((x < y) == (x > E(0)), S(1), S(-1));
  const auto moved = where(x == E(0), least, bitcast<E>(astype<S>(bitcast<S>(x) + step)));
  return where(x == y, y, where(x != x, x, where(y != y, y, moved)));
}
} // namespace detail

/// The next number of x's type towards y; y if they are equal, NaN if either is NaN. About 10 instructions.
template <detail::operand A, detail::operand B> constexpr auto nextafter(const A &x, const B &y) {
  TEGULA_TAKES_FLOATS(A)
  static_assert(detail::values<B>, TEGULA_A_PLACE);
  static_assert(!scalar<A> || scalar<B>,
                "nextafter(x, y) takes its element type from x, so x cannot be a scalar if y is a tile: make x a tile");
  if constexpr (scalar<B>)
    return detail::next_after(x, detail::element_t<A>(y));
  else
    return detail::next_after(x, y);
}

} // namespace tegula
