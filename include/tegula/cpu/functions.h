// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference semantics of elementwise float functions, on scalars: the C++ library's functions, or built from them. sqrt
// is correctly rounded; the others, like the GPU's, have an error of some ulp (language/math.h states the bounds). For
// f16 and bf16 the result for float is rounded once more.

#ifndef TEGULA_CPU_FUNCTIONS_H
#define TEGULA_CPU_FUNCTIONS_H

#include "tegula/cpu/scalar.h"

namespace tegula::cpu {

#define TEGULA_FUNCTION(f)                                                                                             \
  template <class T, detail::require_float<T> = 0> T f(T a) noexcept { return detail::down<T>(std::f(detail::up(a))); }
#define TEGULA_FUNCTION_OF_TWO(f)                                                                                      \
  template <class T, detail::require_float<T> = 0> T f(T a, T b) noexcept {                                            \
    return detail::down<T>(std::f(detail::up(a), detail::up(b)));                                                      \
  }

TEGULA_FUNCTION(exp)
TEGULA_FUNCTION(exp2)
TEGULA_FUNCTION(expm1)
TEGULA_FUNCTION(log)
TEGULA_FUNCTION(log2)
TEGULA_FUNCTION(log1p)
TEGULA_FUNCTION(sin)
TEGULA_FUNCTION(cos)
TEGULA_FUNCTION(tan)
TEGULA_FUNCTION(asin)
TEGULA_FUNCTION(acos)
TEGULA_FUNCTION(atan)
TEGULA_FUNCTION_OF_TWO(atan2)
TEGULA_FUNCTION(sinh)
TEGULA_FUNCTION(cosh)
TEGULA_FUNCTION(tanh)
TEGULA_FUNCTION(erf)
TEGULA_FUNCTION(erfc)
TEGULA_FUNCTION(sqrt)
TEGULA_FUNCTION(cbrt)
TEGULA_FUNCTION_OF_TWO(hypot)

#undef TEGULA_FUNCTION
#undef TEGULA_FUNCTION_OF_TWO

/// pow(1, y) and pow(x, 0) are 1, even for a signaling NaN.
template <class T, detail::require_float<T> = 0> T pow(T a, T b) noexcept {
  const auto x = detail::up(a), y = detail::up(b);
  return x == 1 || y == 0 ? T(1.0F) : detail::down<T>(std::pow(x, y));
}

template <class T, detail::require_float<T> = 0> T logistic(T a) noexcept {
  const double x = static_cast<double>(detail::up(a)), grown = std::exp(-std::fabs(x));
  return detail::down<T>(static_cast<detail::compute_t<T>>((x < 0 ? grown : 1.0) / (1.0 + grown)));
}

/// 1 / sqrt(x): infinity at zeros (with their sign), NaN for negative numbers.
template <class T, detail::require_float<T> = 0> T rsqrt(T a) noexcept {
  return detail::down<T>(static_cast<detail::compute_t<T>>(1.0 / std::sqrt(static_cast<double>(detail::up(a)))));
}

namespace detail {
/// y such that erf(y) = x, for 0 <= x < 1: Halley's iteration, which triples the number of digits, from Winitzki's
/// approximation, which has two. Above 1/2 the distance from 1 is exact, and erfc gives it to the last places.
inline double inverse_of_erf(double x) noexcept {
  constexpr double a = 0.147, two_over_pi_a = 4.330746750799873, derivative_at_0 = 1.1283791670955126;
  const double logarithm = std::log1p(-x * x), c = two_over_pi_a + logarithm / 2;
  const double root = std::sqrt(c * c - logarithm / a);
  double y = std::sqrt(c > 0 ? -logarithm / a / (root + c) : root - c);
  for (int i = 0; i < 3; ++i) {
    const double error = x < 0.5 ? std::erf(y) - x : (1 - x) - std::erfc(y);
    const double step = error / (derivative_at_0 * std::exp(-y * y));
    y -= step / (1 + y * step);
  }
  return y;
}
} // namespace detail

/// The inverse of erf: infinity at 1 and -1, NaN outside [-1, 1].
template <class T, detail::require_float<T> = 0> T erfinv(T a) noexcept {
  const double x = static_cast<double>(detail::up(a)), magnitude = std::fabs(x);
  double y = std::numeric_limits<double>::quiet_NaN();
  if (magnitude < 1)
    y = std::copysign(detail::inverse_of_erf(magnitude), x);
  else if (magnitude == 1)
    y = std::copysign(std::numeric_limits<double>::infinity(), x);
  return detail::down<T>(static_cast<detail::compute_t<T>>(y));
}

} // namespace tegula::cpu

#endif // TEGULA_CPU_FUNCTIONS_H
