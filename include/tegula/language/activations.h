// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activation functions, elementwise on tiles, and on scalars. f16 and bf16 compute in float, where they need it, and
// round once: within 0.53 ulp of their own type. Their implementations are shorter: 10 instructions for silu, 14 for
// gelu and gelu_tanh. With approx_math, silu, gelu_tanh and softplus use approximate functions, and gelu is within
// 2^-13 of the result.
//
// Cost: elementwise and fused: in registers, without memory traffic. About 16 instructions per element of f32; gelu and
// softplus 20.
#pragma once

#include "rounding.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// 1 / (1 + exp(-x)), the same as tg::logistic: within 5 ulp of f32, 3 of f64.
template <detail::operand V> constexpr auto sigmoid(const V &x) { return logistic(x); }

/// x sigmoid(x), also known as swish: within 6 ulp of f32, 3 of f64, where sigmoid(x) is not subnormal. silu(-inf) is
/// NaN, because 0 times infinity is.
template <detail::operand V> auto silu(const V &) { return detail::float_function<V>(); }

/// The exact gelu(x), x times the standard normal distribution function of x, without cancellation: within 12 ulp of
/// f32 and f64 where x is greater than -1; below, 12 + 2 x x ulp. gelu(-inf) and gelu(-0) are 0.
template <detail::operand V> auto gelu(const V &) { return detail::float_function<V>(); }
/// The tanh approximation of gelu: x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), computed as x sigmoid(2 sqrt(2 /
/// pi) (...)), which has no cancellation. It differs from gelu by at most 5e-4, and is within 10 ulp where x is greater
/// than -1; below, 10 + 4 x x ulp. gelu_tanh(-inf) is NaN.
template <detail::operand V> auto gelu_tanh(const V &) { return detail::float_function<V>(); }

namespace detail {
// Coefficients in descending powers.
template <class V> constexpr V horner(const V &, const V &sum) { return sum; }
template <class V, class... C> constexpr V horner(const V &x, const V &sum, float next, C... rest) {
  return horner(x, fma(sum, x, next), rest...);
}
// log(1 + y) / y for y in [0, 1]: minimax polynomials, within 2^-25 and within 2^-19.
template <class V> constexpr V log1p_slope(const V &y) {
  return horner(y, fma(y, 0x1.56edfep-8F, -0x1.e369e4p-6F), 0x1.4069d6p-4F, -0x1.17d2c0p-3F, 0x1.874a80p-3F,
                -0x1.fcc8c6p-3F, 0x1.553004p-2F, -0x1.fffeacp-2F, 0x1.fffffep-1F);
}
template <class V> constexpr V short_log1p_slope(const V &y) {
  return horner(y, fma(y, 0x1.cf5f72p-7F, -0x1.0ffb50p-4F), 0x1.319c46p-3F, -0x1.e15beap-3F, 0x1.530a6ep-2F,
                -0x1.ffddd4p-2F, 0x1.ffffd6p-1F);
}
} // namespace detail

/// log(1 + exp(x)), without overflow or underflow of exp: within 4 ulp of f32 and f64. About 20 instructions.
template <detail::operand V> constexpr auto softplus(const V &x) {
  TEGULA_TAKES_FLOATS(V)
  using E = detail::element_t<V>;
  if constexpr (detail::one_of<E, f16, bf16>) {
    const auto wide = astype<float>(x), y = exp(-abs(wide));
    return astype<E>(maximum(wide, 0.0F) + y * detail::short_log1p_slope(y));
  } else if constexpr (__is_same(E, float)) {
    const auto y = exp(-abs(x));
    return maximum(x, 0.0F) + y * detail::log1p_slope(y);
  } else
    return maximum(x, E(0)) + log1p(exp(-abs(x)));
}

} // namespace tegula
