// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats to integers that are floats, signs, Python's division, and what to do about NaN: on tiles, element by element,
// and on scalars. All of it is exact, or rounds once, and the same on CPU and GPU.
//
// Cost: elementwise and fused with what surrounds it: in registers, without memory traffic. An instruction or two for
// each element; round takes 6, sign 4, nextafter 10, floor_divide, floor_mod and fmod 24, and fmod more where quotients
// are great.
#pragma once

#include "conversions.h"
#include "math.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

#define TEGULA_ROUNDING(f)                                                                                             \
  template <detail::operand V> auto f(const V &) { return detail::float_function<V>(); }
/// The nearest integer downwards, floor(x), upwards, ceil(x), towards zero, trunc(x).
TEGULA_ROUNDING(floor)
TEGULA_ROUNDING(ceil)
TEGULA_ROUNDING(trunc)
/// The nearest integer; halfway, round goes away from zero, as C's does, and rint to the even one, as numpy's round.
TEGULA_ROUNDING(round)
TEGULA_ROUNDING(rint)
#undef TEGULA_ROUNDING

/// The quotient, rounded towards minus infinity: Python's //, where / of integers is C++'s and truncates.
///   floor_divide(-7, 2) is -4; of integers 0 where the divisor is 0, and the least one by -1 stays
///   floor_divide(-7.5, 2.0) is -4.0; of floats x / y where the divisor is zero: an infinity, or NaN
template <detail::operand A, detail::operand B> auto floor_divide(const A &, const B &) {
  return detail::arithmetic<A, B>();
}
/// What floor_divide leaves, with the sign of the divisor: Python's %, where % is C++'s, with the sign of the dividend.
///   floor_mod(-7, 3) is 2, floor_mod(7, -3) is -2; of integers 0 where the divisor is 0
///   floor_mod(-7.5, 2.0) is 0.5; of floats NaN where the divisor is zero or the dividend infinite
template <detail::operand A, detail::operand B> auto floor_mod(const A &, const B &) {
  return detail::arithmetic<A, B>();
}
/// The remainder of a division that truncates, with the sign of the dividend: C's fmod, exact. NaN where the divisor is
/// zero or the dividend infinite. The GPU divides bit by bit: long for quotients that are great.
template <detail::operand A, detail::operand B> auto fmod(const A &, const B &) {
  return detail::float_function<A, B>();
}

/// |x| with the sign of y, which may be that of a zero or a NaN.
template <detail::operand A, detail::operand B> auto copysign(const A &, const B &) {
  return detail::float_function<A, B>();
}

/// fmax(x, y) is the greater of two, fmin(x, y) the less, and if one is NaN, the other one (C's; tg::maximum and
/// tg::minimum give NaN). -0 is less than +0.
template <detail::operand A, detail::operand B> auto fmax(const A &, const B &) {
  return detail::float_function<A, B>();
}
template <detail::operand A, detail::operand B> auto fmin(const A &, const B &) {
  return detail::float_function<A, B>();
}

/// x where it lies between low and high, else the nearer one of these: minimum(maximum(x, low), high). NaN stays.
template <detail::operand V, detail::operand L, detail::operand H>
constexpr auto clamp(const V &x, const L &low, const H &high) {
  return minimum(maximum(x, low), high);
}
template <class... V> void clip(const V &...) TEGULA_REFUSED("there is no clip: it is tg::clamp(x, low, high)");

/// 1, 0 or -1, as x is greater than, equal to or less than zero. Zeros keep their sign, and NaN stays.
template <detail::operand V> constexpr detail::value_t<V> sign(const V &x) {
  static_assert(detail::values<V>, TEGULA_A_PLACE);
  static_assert(detail::numbers<V>, "bools have no sign: convert with tg::astype<...>(x)");
  using E = detail::element_t<V>;
  if constexpr (detail::is_integer<E> && E(-1) > E(0))
    return minimum(x, E(1));
  else
    return where(x > E(0), E(1), where(x < E(0), E(-1), x));
}

#define TEGULA_TAKES_FLOATS(V)                                                                                         \
  static_assert(detail::values<V>, TEGULA_A_PLACE);                                                                    \
  static_assert(detail::floats<V>, TEGULA_FLOATS);

/// Which elements are NaN, isnan(x), infinite, isinf(x), neither, isfinite(x): tiles of bool.
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
// Numbers of one sign are in the order of their bits: the next one is one bit pattern away.
template <class A, class B> constexpr auto next_after(const A &x, const B &y) {
  using E = element_t<A>;
  using S = typename bits_of<sizeof(E)>::type;
  const auto least = copysign(bitcast<E>(S(1)), y);
  const auto step = where((x < y) == (x > E(0)), S(1), S(-1));
  const auto moved = where(x == E(0), least, bitcast<E>(astype<S>(bitcast<S>(x) + step)));
  return where(x == y, y, where(x != x, x, where(y != y, y, moved)));
}
} // namespace detail

/// The next number of x's type towards y; y where they are equal, NaN if one is. About 10 instructions.
template <detail::operand A, detail::operand B> constexpr auto nextafter(const A &x, const B &y) {
  TEGULA_TAKES_FLOATS(A)
  static_assert(detail::values<B>, TEGULA_A_PLACE);
  static_assert(!scalar<A> || scalar<B>, "nextafter takes the tile first, whose type decides");
  if constexpr (scalar<B>)
    return detail::next_after(x, detail::element_t<A>(y));
  else
    return detail::next_after(x, y);
}

} // namespace tegula
