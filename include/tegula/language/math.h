// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions on tiles, element by element, and on scalars. What operators.h says of operators holds here: one element
// type, broadcasting, constants that adapt. Two scalars of different types are combined as in C++. Floats to integers,
// signs and Python's division are in rounding.h, bits of integers in bits.h, sigmoid and its like in activations.h,
// astype and bitcast in conversions.h.
//
// How far results are from the exact ones at most, in units of the last place of f32; f64:
//   sqrt, fma                     1/2 (correctly rounded)
//   exp, exp2, log, log2          2; 2           tanh, cosh                  3; 3
//   expm1, log1p, sin, cos        2; 2           sinh, logistic              5; 3
//   atan, erf, rsqrt              2; 2           tan, asin, acos             4; 2
//   cbrt                          2; 4           atan2, hypot                4; 2
//   erfinv                        4; 8           erfc, pow                   8; 5
// f16 and bf16 compute in float and round once more: to within 0.51 units of their own. NaN gives NaN, where nothing
// else is said; infinities, zeros and their signs are as <math.h> has them.
//
// A launch with {.approx_math = true} takes the GPU's fast instructions for float, and for f16 and bf16, which compute
// in float (PTX ISA, ex2.approx, lg2.approx, sin.approx, cos.approx, tanh.approx, rcp.approx, sqrt.approx,
// rsqrt.approx). How far their results are from the exact ones:
//   exp2, sqrt, rsqrt, a / b   2^-21 of the result; a / b is a times 1 / b, which is 0 where |b| > 2^126
//   exp, logistic              2^-21 and |x| 2^-23 of the result
//   log2, log                  2^-21, and 2^-21 of the result
//   sin, cos                   2^-20 where |x| <= pi; beyond, ever farther
//   tan                        2^-19 (1 + tan^2) where |x| <= 1.5
//   tanh                       2^-10 of the result
//   cosh                       2^-20 and |x| 2^-22 of the result
//   pow                        (1 + |y| + |y log2(x)|) 2^-21 of the result
//   silu, gelu_tanh            as logistic; gelu 2^-13 of the result
// Subnormal operands and results of these count as zero. In every type, a product that is added or subtracted need not
// be rounded before: x * y + z is one fused multiply-add where the compiler sees both. What a loop sums may be
// added up, and multiplied, in parts, which are summed behind it. The other functions, f64 and the CPU compute as
// without.
//
// Cost: elementwise and fused with what surrounds it: in registers, without memory traffic. About so many instructions
// for each element of f32; f16 and bf16 take a conversion each way more, f64 several times as many:
//    1   maximum, minimum, abs, square, where, fma, as_tf32, rsqrt
//   16   exp, exp2, log, log2, sin, cos, tanh, logistic, erf, sqrt
//   24   expm1, log1p, tan, asin, acos, atan, cosh, cbrt, hypot
//   32   sinh, atan2, erfc; erfinv 40, pow 96
// With approx_math, exp, exp2, log, log2, sin, cos, tanh, sqrt and rsqrt are 1 to 3, and logistic 4.
#pragma once

#include "operators.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

namespace detail {
#define TEGULA_FLOATS "the function takes floating-point elements: convert with tg::astype<float>(x)"
template <class V> constexpr auto &float_function() {
  static_assert(values<V>, TEGULA_A_PLACE);
  static_assert(floats<V>, TEGULA_FLOATS);
  return some<value_t<V>>();
}
// Scalars decide together, as in C++.
template <class A, class B> inline constexpr bool both_float = is_floating<typename common_element<A, B>::type>;
template <class A, class B> constexpr auto &float_function() {
  static_assert(values<A, B>, TEGULA_A_PLACE);
  static_assert(both_float<A, B>, TEGULA_FLOATS);
  if constexpr (both_float<A, B>)
    return some<together_t<A, B>>();
  else
    return some<A>();
}
template <class A, class B, class C> constexpr auto &float_function() {
  static_assert(values<A, B, C>, TEGULA_A_PLACE);
  return float_function<A, together_t<B, C>>();
}
} // namespace detail

#define TEGULA_FLOAT_FUNCTION(f)                                                                                       \
  template <detail::operand V> auto f(const V &) { return detail::float_function<V>(); }
#define TEGULA_FLOAT_FUNCTION_OF_TWO(f)                                                                                \
  template <detail::operand A, detail::operand B> auto f(const A &, const B &) {                                       \
    return detail::float_function<A, B>();                                                                             \
  }

/// Exponentials: exp(x) is e to the x, exp2(x) 2 to the x, and expm1(x) is exp(x) - 1, as exact near 0 as elsewhere.
TEGULA_FLOAT_FUNCTION(exp)
TEGULA_FLOAT_FUNCTION(exp2)
TEGULA_FLOAT_FUNCTION(expm1)
/// Logarithms: log(x) to base e, log2(x) to base 2: of a negative number NaN, of zero -inf. log1p(x) is log(1 + x), as
/// exact near 0 as elsewhere.
TEGULA_FLOAT_FUNCTION(log)
TEGULA_FLOAT_FUNCTION(log2)
TEGULA_FLOAT_FUNCTION(log1p)
/// x to the y: pow(x, 0) is 1, of any x. NaN where x is negative and y no integer. x * x is much faster than pow(x, 2).
TEGULA_FLOAT_FUNCTION_OF_TWO(pow)
/// sin(x), cos(x), tan(x) of angles in radians. Of infinity NaN.
TEGULA_FLOAT_FUNCTION(sin)
TEGULA_FLOAT_FUNCTION(cos)
TEGULA_FLOAT_FUNCTION(tan)
/// Angles: asin and atan in [-pi/2, pi/2], acos in [0, pi]. asin and acos are NaN beyond [-1, 1].
TEGULA_FLOAT_FUNCTION(asin)
TEGULA_FLOAT_FUNCTION(acos)
TEGULA_FLOAT_FUNCTION(atan)
/// The angle of the point with the coordinates x and y, in [-pi, pi]: atan2(y, x).
TEGULA_FLOAT_FUNCTION_OF_TWO(atan2)
/// Hyperbolic functions: sinh(x), cosh(x), tanh(x).
TEGULA_FLOAT_FUNCTION(sinh)
TEGULA_FLOAT_FUNCTION(cosh)
TEGULA_FLOAT_FUNCTION(tanh)
/// 1 / (1 + exp(-x)), as fast for large x as for small. tg::sigmoid is the same.
TEGULA_FLOAT_FUNCTION(logistic)
/// The error function, erf(x); erfc(x) is 1 - erf(x), without cancellation where that is small.
TEGULA_FLOAT_FUNCTION(erf)
TEGULA_FLOAT_FUNCTION(erfc)
/// The inverse of erf: infinite at 1 and -1, NaN beyond.
TEGULA_FLOAT_FUNCTION(erfinv)
/// Correctly rounded; of a negative number NaN.
TEGULA_FLOAT_FUNCTION(sqrt)
/// 1 / sqrt(x); of zero infinity with the zero's sign, of a negative number NaN.
TEGULA_FLOAT_FUNCTION(rsqrt)
/// The cube root, of negative numbers, too.
TEGULA_FLOAT_FUNCTION(cbrt)
/// sqrt(x * x + y * y), which neither overflows nor vanishes on the way. Infinite if one is, be the other NaN.
TEGULA_FLOAT_FUNCTION_OF_TWO(hypot)
/// a * b + c, rounded once: one instruction, but for bf16 before sm_80.
template <detail::operand A, detail::operand B, detail::operand C> auto fma(const A &, const B &, const C &) {
  return detail::float_function<A, B, C>();
}
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

/// maximum(x, y) is the greater of two, minimum(x, y) the less. NaN if either is NaN; -0 is less than +0. (fmax and
/// fmin ignore NaN: rounding.h.)
template <detail::operand A, detail::operand B> auto maximum(const A &, const B &) {
  return detail::arithmetic<A, B>();
}
template <detail::operand A, detail::operand B> auto minimum(const A &, const B &) {
  return detail::arithmetic<A, B>();
}

/// where(condition, x, y): x where the condition holds, else y. Both are computed. Condition, a bool or a tile of bool,
/// and values broadcast together.
///   tg::where(x > 0, x, 0.01f * x)
template <detail::operand C, detail::operand A, detail::operand B> auto where(const C &, const A &, const B &) {
  static_assert(detail::values<C, A, B>, TEGULA_A_PLACE);
  static_assert(detail::bools<C>, "the condition of where is a bool or a tile of bool");
  using chosen = detail::together<A, B>;
  using condition = detail::tile_t<bool, detail::shape_of<C>>;
  constexpr auto shape = detail::together<condition, detail::tile_t<bool, chosen::shape>>::shape;
  return detail::some<detail::tile_t<typename chosen::element, shape>>();
}

#undef TEGULA_FLOAT_FUNCTION
#undef TEGULA_FLOAT_FUNCTION_OF_TWO

} // namespace tegula
