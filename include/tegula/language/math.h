// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions, elementwise on tiles, and on scalars. The rules of operators.h apply: one element type,
// broadcasting, constants that adapt. Two scalars of different types are converted as in C++. Rounding, signs and
// Python's division are in rounding.h, bits of integers in bits.h, sigmoid and other activations in activations.h,
// astype and bitcast in conversions.h.
//
// Maximal errors, in units in the last place (ulp) of f32; f64:
//   sqrt, fma                     1/2 (correctly rounded)
//   exp, exp2, log, log2          2; 2           tanh, cosh                  3; 3
//   expm1, log1p, sin, cos        2; 2           sinh, logistic              5; 3
//   atan, erf, rsqrt              2; 2           tan, asin, acos             4; 2
//   cbrt                          2; 4           atan2, hypot                4; 2
//   erfinv                        4; 8           erfc, pow                   8; 5
// f16 and bf16 compute in float and round once more: within 0.51 ulp of their own type. NaN gives NaN unless stated
// otherwise; infinities, zeros and their signs are as in <math.h>.
//
// A launch with {.approx_math = true} uses the GPU's approximate instructions for float, and for f16 and bf16, which
// compute in float (PTX ISA, ex2.approx, lg2.approx, sin.approx, cos.approx, tanh.approx, rcp.approx, sqrt.approx,
// rsqrt.approx). Maximal errors:
//   exp2, sqrt, rsqrt, a / b   2^-21 of the result; a / b is a times 1 / b, which is 0 where |b| > 2^126
//   exp, logistic              2^-21 and |x| 2^-23 of the result
//   log2, log                  2^-21, and 2^-21 of the result
//   sin, cos                   2^-20 where |x| <= pi; beyond, growing with |x|
//   tan                        2^-19 (1 + tan^2) where |x| <= 1.5
//   tanh                       2^-10 of the result
//   cosh                       2^-20 and |x| 2^-22 of the result
//   pow                        (1 + |y| + |y log2(x)|) 2^-21 of the result
//   silu, gelu_tanh            as logistic; gelu 2^-13 of the result
// These instructions flush subnormal operands and results to zero. For all types, approx_math also contracts: x * y + z
// is one fused multiply-add where the compiler sees both. A loop-carried sum, which each step may also multiply by a
// scalar, may be kept as one partial sum per CUDA thread, combined after the loop; this changes the order of summation.
// The other functions, f64 and the CPU are not affected.
//
// Cost: elementwise and fused: in registers, without memory traffic. The approximate number of instructions per element
// of f32; f16 and bf16 take one more conversion each way, f64 several times as many:
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
#define TEGULA_FLOATS "the function takes floating-point elements only: convert with tg::astype<float>(x)"
template <class V> constexpr auto &float_function() {
  static_assert(values<V>, TEGULA_A_PLACE);
  static_assert(floats<V>, TEGULA_FLOATS);
  return some<value_t<V>>();
}
// Two scalars are converted as in C++.
template <class A, class B> inline constexpr bool both_float = is_floating<common_element_t<A, B>>;
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

/// Exponentials: exp(x) is e to the x, exp2(x) 2 to the x, and expm1(x) is exp(x) - 1, without cancellation near 0.
TEGULA_FLOAT_FUNCTION(exp)
TEGULA_FLOAT_FUNCTION(exp2)
TEGULA_FLOAT_FUNCTION(expm1)
/// Logarithms: log(x) to base e, log2(x) to base 2: NaN for negative numbers, -inf for zero. log1p(x) is log(1 + x),
/// without cancellation near 0.
TEGULA_FLOAT_FUNCTION(log)
TEGULA_FLOAT_FUNCTION(log2)
TEGULA_FLOAT_FUNCTION(log1p)
/// x to the power y: pow(x, 0) is 1 for every x. NaN where x is negative and y is not an integer. x * x is much faster
/// than pow(x, 2).
TEGULA_FLOAT_FUNCTION_OF_TWO(pow)
/// sin(x), cos(x), tan(x) of x in radians. NaN for infinities.
TEGULA_FLOAT_FUNCTION(sin)
TEGULA_FLOAT_FUNCTION(cos)
TEGULA_FLOAT_FUNCTION(tan)
/// Inverse trigonometric functions: asin and atan in [-pi/2, pi/2], acos in [0, pi]. asin and acos are NaN outside [-1,
/// 1].
TEGULA_FLOAT_FUNCTION(asin)
TEGULA_FLOAT_FUNCTION(acos)
TEGULA_FLOAT_FUNCTION(atan)
/// atan2(y, x): the angle of the point (x, y), in [-pi, pi].
TEGULA_FLOAT_FUNCTION_OF_TWO(atan2)
/// Hyperbolic functions: sinh(x), cosh(x), tanh(x).
TEGULA_FLOAT_FUNCTION(sinh)
TEGULA_FLOAT_FUNCTION(cosh)
TEGULA_FLOAT_FUNCTION(tanh)
/// 1 / (1 + exp(-x)), without overflow. tg::sigmoid is the same.
TEGULA_FLOAT_FUNCTION(logistic)
/// The error function, erf(x); erfc(x) is 1 - erf(x), without cancellation where that is small.
TEGULA_FLOAT_FUNCTION(erf)
TEGULA_FLOAT_FUNCTION(erfc)
/// The inverse of erf: infinite at 1 and -1, NaN outside [-1, 1].
TEGULA_FLOAT_FUNCTION(erfinv)
/// The square root, correctly rounded; NaN for negative numbers.
TEGULA_FLOAT_FUNCTION(sqrt)
/// 1 / sqrt(x); for zeros an infinity with the zero's sign, for negative numbers NaN.
TEGULA_FLOAT_FUNCTION(rsqrt)
/// The cube root, also of negative numbers.
TEGULA_FLOAT_FUNCTION(cbrt)
/// sqrt(x * x + y * y), without intermediate overflow or underflow. Infinite if either is infinite, even if the other
/// is NaN.
TEGULA_FLOAT_FUNCTION_OF_TWO(hypot)
/// a * b + c, rounded once: one instruction, except for bf16 before sm_80.
template <detail::operand A, detail::operand B, detail::operand C> auto fma(const A &, const B &, const C &) {
  return detail::float_function<A, B, C>();
}
/// A float with the lower 13 bits of its fraction cleared: what tensor cores read as tf32 (PTX ISA, "Alternate Floating
/// Point Data Formats").
template <detail::operand V> auto as_tf32(const V &) {
  static_assert(detail::values<V>, TEGULA_A_PLACE);
  static_assert(__is_same(detail::element_t<V>, float),
                "as_tf32 takes elements of float only: convert with tg::astype<float>(x)");
  return detail::some<detail::value_t<V>>();
}
/// The absolute value. The least signed integer has no positive counterpart, and is unchanged.
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

/// where(condition, x, y) selects x where the condition is true, else y. Both are computed. The condition, a bool or a
/// tile of bool, and the values broadcast together.
///   tg::where(x > 0, x, 0.01f * x)
template <detail::operand C, detail::operand A, detail::operand B> auto where(const C &, const A &, const B &) {
  static_assert(detail::values<C, A, B>, TEGULA_A_PLACE);
  static_assert(detail::bools<C>, "the condition of where is not a bool or a tile of bool: compare first, x != 0");
  using condition = detail::tile_t<bool, detail::shape_of<C>>;
  using chosen = detail::tile_t<bool, detail::common_shape<A, B>()>;
  return detail::some<detail::tile_t<detail::common_element_t<A, B>, detail::common_shape<condition, chosen>()>>();
}

#undef TEGULA_FLOAT_FUNCTION
#undef TEGULA_FLOAT_FUNCTION_OF_TWO

} // namespace tegula
