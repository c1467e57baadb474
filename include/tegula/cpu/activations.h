// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference semantics of activation functions, on scalars. f16, bf16 and f32 are computed in double, and rounded to
// float first.

#ifndef TEGULA_CPU_ACTIVATIONS_H
#define TEGULA_CPU_ACTIVATIONS_H

#include "tegula/cpu/functions.h"

namespace tegula::cpu {

namespace detail {
template <class T> T from_double(double value) noexcept { return down<T>(static_cast<compute_t<T>>(value)); }
/// 1 / (1 + exp(-x)).
inline double sigmoid(double x) noexcept {
  const double grown = std::exp(-std::fabs(x));
  return (x < 0 ? grown : 1.0) / (1.0 + grown);
}
} // namespace detail

/// x times its sigmoid; NaN for -inf.
template <class T, detail::require_float<T> = 0> T silu(T a) noexcept {
  const auto x = static_cast<double>(detail::up(a));
  return detail::from_double<T>(x * detail::sigmoid(x));
}

/// The exact gelu, max(x, 0) minus |x| times the tail probability of a standard normal variable beyond |x|; 0 for -inf.
template <class T, detail::require_float<T> = 0> T gelu(T a) noexcept {
  const auto x = static_cast<double>(detail::up(a)), magnitude = std::fmin(std::fabs(x), 40.0);
  const double tail = magnitude / 2 * std::erfc(magnitude * 0.70710678118654752440);
  return std::isnan(x) ? a : detail::from_double<T>((x > 0 ? x : 0.0) - tail);
}

/// The tanh approximation of gelu; NaN for -inf.
template <class T, detail::require_float<T> = 0> T gelu_tanh(T a) noexcept {
  const auto x = static_cast<double>(detail::up(a));
  return detail::from_double<T>(x * detail::sigmoid(x * (1.5957691216057308 + 0.07135481627260025 * x * x)));
}

} // namespace tegula::cpu

#endif // TEGULA_CPU_ACTIVATIONS_H
