// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions on tiles, element by element, and on scalars. What elementwise.h says of operators holds here: one element
// type, broadcasting, constants that adapt. Two scalars of different types are combined as in C++.
//
// A launch with {.approx_math = true} takes the GPU's fast instructions for float, and for f16 and bf16, which compute
// in float (PTX ISA, ex2.approx, lg2.approx, sin.approx, cos.approx, tanh.approx, rcp.approx, sqrt.approx,
// rsqrt.approx). How far their results are from the exact ones:
//   exp2, sqrt, rsqrt, a / b   2^-21 of the result; a / b is a times 1 / b, which is 0 where |b| > 2^126
//   exp, logistic              2^-21 and |x| 2^-23 of the result
//   log2, log                  2^-21, and 2^-21 of the result
//   sin, cos                   2^-20 where |x| <= pi; beyond, ever farther
//   tanh                       2^-10 of the result
// Subnormal operands and results of these count as zero. In every type, a product that is added or subtracted need not
// be rounded before: x * y + z is one fused multiply-add where the compiler sees both. What a loop sums may be
// added up, and multiplied, in parts, which are summed behind it. erf, f64 and the CPU compute as without.
#pragma once

#include "operators.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

namespace detail {
template <class V> constexpr auto &float_function() {
  static_assert(values<V>, TEGULA_A_PLACE);
  static_assert(floats<V>, "the function takes floating-point elements: convert with tg::astype<float>(x)");
  return some<value_t<V>>();
}
} // namespace detail

#define TEGULA_FLOAT_FUNCTION(f)                                                                                       \
  template <detail::operand V> auto f(const V &) { return detail::float_function<V>(); }

/// Floating-point functions, as <math.h> has them: to within a few units in the last place in f32 and f64; f16 and bf16
/// compute in float and round once. NaN gives NaN; log of a negative number is NaN, of zero -inf.
TEGULA_FLOAT_FUNCTION(exp)
TEGULA_FLOAT_FUNCTION(exp2)
TEGULA_FLOAT_FUNCTION(log)
TEGULA_FLOAT_FUNCTION(log2)
TEGULA_FLOAT_FUNCTION(sin)
TEGULA_FLOAT_FUNCTION(cos)
TEGULA_FLOAT_FUNCTION(tanh)
/// The sigmoid, 1 / (1 + exp(-x)), as fast for large x as for small; silu is x * logistic(x).
TEGULA_FLOAT_FUNCTION(logistic)
/// The error function, as in gelu: x / 2 * (1 + erf(x / sqrt(2))).
TEGULA_FLOAT_FUNCTION(erf)
/// Correctly rounded; of a negative number NaN.
TEGULA_FLOAT_FUNCTION(sqrt)
/// 1 / sqrt(x); of zero infinity with the zero's sign, of a negative number NaN.
TEGULA_FLOAT_FUNCTION(rsqrt)
/// Of float, without the lower 13 bits of the fraction: what tensor cores read as tf32 (PTX ISA, "Alternate Floating
/// Point Data Formats").
template <detail::operand V> auto as_tf32(const V &) {
  static_assert(detail::values<V>, TEGULA_A_PLACE);
  static_assert(__is_same(detail::element_t<V>, float), "as_tf32 takes float: convert with tg::astype<float>(x)");
  return detail::some<detail::value_t<V>>();
}
/// Without the sign. The least signed integer has no positive counterpart, and stays.
template <detail::operand V> auto abs(const V &) { return detail::arithmetic<V, V>(); }
/// x * x.
template <detail::operand V> constexpr auto square(const V &x) {
  if constexpr (value<V>)
    return static_cast<V>(x * x);
  else
    return detail::arithmetic<V, V>();
}

/// The greater, the less of two. NaN if either is NaN; -0 is less than +0.
template <detail::operand A, detail::operand B> auto maximum(const A &, const B &) {
  return detail::arithmetic<A, B>();
}
template <detail::operand A, detail::operand B> auto minimum(const A &, const B &) {
  return detail::arithmetic<A, B>();
}

/// The first value where the condition holds, else the second. Both are computed. Condition and values broadcast
/// together.
template <detail::operand C, detail::operand A, detail::operand B> auto where(const C &, const A &, const B &) {
  static_assert(detail::values<C, A, B>, TEGULA_A_PLACE);
  static_assert(detail::bools<C>, "the condition of where is a bool or a tile of bool");
  using chosen = detail::together<A, B>;
  using condition = detail::tile_t<bool, detail::shape_of<C>>;
  constexpr auto shape = detail::together<condition, detail::tile_t<bool, chosen::shape>>::shape;
  return detail::some<detail::tile_t<typename chosen::element, shape>>();
}

/// Converts elements. To a float: rounds to nearest even; what is too great is infinite, or of 8 bits the largest
/// finite number. From a float to an integer: truncates; what does not fit becomes the nearest that does, NaN becomes
/// 0. Between integers: wraps. To bool: x != 0. From bool: 0 or 1.
template <class To, detail::operand V> auto astype(const V &) {
  static_assert(detail::values<V>, TEGULA_A_PLACE);
  static_assert(detail::is_element<To>, TEGULA_ELEMENTS);
  static_assert(!detail::is_float8<To> || !scalar<V>, TEGULA_NO_SCALAR_OF_8_BITS);
  return detail::some<detail::tile_t<To, detail::shape_of<V>>>();
}

#undef TEGULA_FLOAT_FUNCTION

} // namespace tegula
