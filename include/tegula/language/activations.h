// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activation functions, made of those of math.h: on tiles, element by element, and on scalars. f16 and bf16 compute in
// float and round once. With approx_math, what they are made of is approximate.
#pragma once

#include "rounding.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

namespace detail {
template <class V> inline constexpr bool is_half = one_of<element_t<V>, f16, bf16>;
} // namespace detail

// f computes in float and in double; f16 and bf16 take the way through float.
#define TEGULA_ACTIVATION(f)                                                                                           \
  TEGULA_TAKES_FLOATS(V)                                                                                               \
  using E = detail::element_t<V>;                                                                                      \
  if constexpr (detail::is_half<V>)                                                                                    \
    return astype<E>(f(astype<float>(x)));                                                                             \
  else

/// 1 / (1 + exp(-x)), another name of tg::logistic.
template <detail::operand V> constexpr auto sigmoid(const V &x) { return logistic(x); }

/// x sigmoid(x), also known as swish: within 6 units in the last place of f32, 3 of f64, where sigmoid(x) is not
/// subnormal. Of -inf NaN, as 0 times infinity is.
template <detail::operand V> constexpr auto silu(const V &x) { TEGULA_ACTIVATION(silu) return x * logistic(x); }

/// log(1 + exp(x)), which neither overflows nor vanishes: within 4 units in the last place of f32 and f64.
template <detail::operand V> constexpr auto softplus(const V &x) {
  TEGULA_ACTIVATION(softplus) return maximum(x, E(0)) + log1p(exp(-abs(x)));
}

/// The exact gelu, x times the probability that a normal variable is less than x: by erfc, so that nothing cancels. It
/// is within 10 units in the last place of f32 where x is greater than -1; below, 10 + 2 x x units. Of -inf NaN.
template <detail::operand V> constexpr auto gelu(const V &x) {
  TEGULA_ACTIVATION(gelu) return x * E(0.5) * erfc(x * E(-0.70710678118654752440));
}

/// The gelu of tanh: x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), as x sigmoid(2 sqrt(2 / pi) (...)), which
/// cancels nowhere. It is 5e-4 from gelu at most.
template <detail::operand V> constexpr auto gelu_tanh(const V &x) {
  TEGULA_ACTIVATION(gelu_tanh) {
    const auto inner = x * fma(x * x, E(0.07135481627260025), E(1.5957691216057308));
    return x * logistic(inner);
  }
}

#undef TEGULA_ACTIVATION

} // namespace tegula
