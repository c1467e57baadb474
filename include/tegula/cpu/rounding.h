// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference semantics of elementwise operations that round floats to integers, divide as Python does, or copy signs; on
// scalars. All are exact, or round once.

#ifndef TEGULA_CPU_ROUNDING_H
#define TEGULA_CPU_ROUNDING_H

#include "tegula/cpu/scalar.h"

namespace tegula::cpu {

template <class T, detail::require_float<T> = 0> T floor(T a) noexcept {
  return detail::down<T>(std::floor(detail::up(a)));
}
template <class T, detail::require_float<T> = 0> T ceil(T a) noexcept {
  return detail::down<T>(std::ceil(detail::up(a)));
}
template <class T, detail::require_float<T> = 0> T trunc(T a) noexcept {
  return detail::down<T>(std::trunc(detail::up(a)));
}
/// Ties away from zero.
template <class T, detail::require_float<T> = 0> T round(T a) noexcept {
  return detail::down<T>(std::round(detail::up(a)));
}
/// Ties to even, in the default rounding mode.
template <class T, detail::require_float<T> = 0> T rint(T a) noexcept {
  return detail::down<T>(std::nearbyint(detail::up(a)));
}

/// |a| with the sign of b, also of a NaN.
template <class T, detail::require_float<T> = 0> T copysign(T a, T b) noexcept {
  return detail::down<T>(std::copysign(detail::up(a), detail::up(b)));
}

/// The greater of two numbers; the other one if one is NaN; -0 < +0.
template <class T, detail::require_float<T> = 0> T fmax(T a, T b) noexcept {
  return std::isnan(detail::up(a)) ? b : std::isnan(detail::up(b)) ? a : maximum(a, b);
}
template <class T, detail::require_float<T> = 0> T fmin(T a, T b) noexcept {
  return std::isnan(detail::up(a)) ? b : std::isnan(detail::up(b)) ? a : minimum(a, b);
}

namespace detail {
/// a + b, rounded to odd: the last bit is set if it is inexact, so that a further rounding gives the result of a single
/// rounding.
inline double sum_to_odd(double a, double b) noexcept {
  const double sum = a + b;
  if (!std::isfinite(sum))
    return sum;
  const double of_b = sum - a, error = (a - (sum - of_b)) + (b - of_b); // Exact (Knuth's two-sum).
  auto bits = tegula::detail::bit_cast<std::uint64_t>(sum);
  if (error == 0 || (bits & 1) != 0)
    return sum;
  bits += (error < 0) == (sum < 0) ? 1 : std::uint64_t{0} - 1; // Towards the exact sum.
  return tegula::detail::bit_cast<double>(bits);
}
} // namespace detail

/// a * b + c, rounded once.
template <class T, detail::require_float<T> = 0> T fma(T a, T b, T c) noexcept {
  if constexpr (detail::is_narrow<T>) // A double holds the product.
    return T(detail::sum_to_odd(static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c)));
  else
    return std::fma(a, b, c);
}

/// x - y trunc(x / y), with the sign of x: exact; NaN if y is zero or x infinite.
template <class T, detail::require_float<T> = 0> T fmod(T a, T b) noexcept {
  return detail::down<T>(std::fmod(detail::up(a), detail::up(b)));
}

/// x / y, rounded towards minus infinity. For integers 0 if y is 0, and the least one divided by -1 wraps to itself.
/// For floats the float nearest to the exact quotient's floor, up to intermediate roundings, and x / y if y is zero.
template <class T, detail::require_number<T> = 0> T floor_divide(T a, T b) noexcept {
  if constexpr (detail::is_integer<T>) {
    const T rest = rem(a, b);
    const bool is_less = rest != 0 && (rest < 0) != (b < 0);
    return is_less ? sub(div(a, b), T{1}) : div(a, b);
  } else {
    const auto x = detail::up(a), y = detail::up(b), rest = std::fmod(x, y);
    if (y == 0)
      return detail::down<T>(x / y);
    auto quotient = (x - rest) / y;
    if (rest != 0 && (rest < 0) != (y < 0))
      quotient -= 1;
    if (quotient == 0)
      return detail::down<T>(std::copysign(detail::compute_t<T>{0}, x / y));
    const auto below = std::floor(quotient);
    return detail::down<T>(quotient - below > detail::compute_t<T>(0.5) ? below + 1 : below);
  }
}

/// x - y floor(x / y), with the sign of y. If y is 0, 0 for integers, NaN for floats.
template <class T, detail::require_number<T> = 0> T floor_mod(T a, T b) noexcept {
  if constexpr (detail::is_integer<T>) {
    const T rest = rem(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? add(rest, b) : rest;
  } else {
    const auto y = detail::up(b), rest = std::fmod(detail::up(a), y);
    if (rest == 0)
      return detail::down<T>(std::copysign(detail::compute_t<T>{0}, y));
    return detail::down<T>((rest < 0) != (y < 0) ? rest + y : rest);
  }
}

// ----- stochastic rounding -----

namespace detail {
/// The format of a type relative to float: the number of fraction bits that it lacks, its least normal exponent, and
/// the exponent of the unit in the last place of its subnormals.
struct narrowing {
  int dropped, normal, unit;
};
template <class To> constexpr narrowing narrowing_to() {
  return std::is_same_v<To, f16>    ? narrowing{13, -14, -24}
         : std::is_same_v<To, bf16> ? narrowing{16, -126, -133}
         : std::is_same_v<To, e4m3> ? narrowing{20, -6, -9}
                                    : narrowing{21, -14, -16};
}
} // namespace detail

/// Stochastic rounding of a float to one of its two neighbours in the type: a carry out of the discarded bits plus
/// random bits rounds away from zero. For subnormal results of f16 and 8-bit floats, 24 random bits are compared with
/// the fraction.
template <class To> To stochastic_cast(float value, std::uint32_t random) noexcept {
  static_assert(detail::is_narrow<To>);
  constexpr detail::narrowing narrowing = detail::narrowing_to<To>();
  const float magnitude = std::fabs(value);
  if (!std::isfinite(value))
    return cast<To>(value);
  if (!std::is_same_v<To, bf16> && magnitude < std::ldexp(1.0F, narrowing.normal)) {
    const float quotient = std::ldexp(magnitude, -narrowing.unit), below = std::floor(quotient);
    const float threshold = 1 - std::ldexp(static_cast<float>(random & 0xffffffU), -24);
    const float multiple = quotient - below >= threshold ? below + 1 : below;
    return cast<To>(std::copysign(std::ldexp(multiple, narrowing.unit), value));
  }
  constexpr std::uint32_t cut = (std::uint32_t{1} << narrowing.dropped) - 1;
  const auto bits = tegula::detail::bit_cast<std::uint32_t>(value);
  return cast<To>(tegula::detail::bit_cast<float>((bits + (random & cut)) & ~cut));
}

} // namespace tegula::cpu

#endif // TEGULA_CPU_ROUNDING_H
