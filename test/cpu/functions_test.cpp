// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise functions of floats against long double.

#include "element_types.h"

#include "tegula/cpu/activations.h"

#include <gtest/gtest.h>

namespace tegula::test {
namespace {

template <class T> class Functions : public testing::Test {};
TYPED_TEST_SUITE(Functions, FloatTypes);

/// The distance of neighbouring numbers of T at x.
template <class T> long double unit_at(long double x) {
  constexpr int precision = std::is_same_v<T, f16> ? 11 : std::is_same_v<T, bf16> ? 8 : std::numeric_limits<T>::digits;
  constexpr int least = std::is_same_v<T, f16>     ? -24
                        : std::is_same_v<T, bf16>  ? -133
                        : std::is_same_v<T, float> ? -149
                                                   : -1074;
  return x == 0 ? std::ldexp(1.0L, least) : std::ldexp(1.0L, std::max(std::ilogb(x) + 1 - precision, least));
}

/// f(a) is within `units` units of the exact value; f16 and bf16, which round a result of f32, within hardly more than
/// half a unit. The sign of zero is that of the exact value.
template <class T>
void expect_close(T (*f)(T), long double (*exact)(long double), long double units, const char *name) {
  if (sizeof(T) == 2)
    units = 0.502L;
  for (const T a : interesting<T>()) {
    const long double x = exact(exact_value(a)), got = exact_value(f(a));
    if (std::isnan(x) || std::isinf(exact_value(nearest<T>(x)))) {
      ASSERT_SAME(f(a), nearest<T>(x), name + (" " + show(a)));
    } else {
      ASSERT_LE(std::fabs(got - x), units * unit_at<T>(x))
          << name << " " << show(a) << " is " << show(x) << ", not " << show(got);
      ASSERT_TRUE(x != 0 || std::signbit(x) == std::signbit(got)) << name << " " << show(a);
    }
  }
}

template <class T>
void expect_close(T (*f)(T, T), long double (*exact)(long double, long double), long double units, const char *name) {
  if (sizeof(T) == 2)
    units = 0.502L;
  for (const auto &[a, b] : interesting_pairs<T>()) {
    const long double x = exact(exact_value(a), exact_value(b)), got = exact_value(f(a, b));
    if (std::isnan(x) || std::isinf(exact_value(nearest<T>(x)))) {
      ASSERT_SAME(f(a, b), nearest<T>(x), name + (" " + show(a)) + " " + show(b));
    } else {
      ASSERT_LE(std::fabs(got - x), units * unit_at<T>(x))
          << name << " " << show(a) << " " << show(b) << " is " << show(x) << ", not " << show(got);
      ASSERT_TRUE(x != 0 || std::signbit(x) == std::signbit(got)) << name << " " << show(a) << " " << show(b);
    }
  }
}

TYPED_TEST(Functions, Exponentials) {
  using T = TypeParam;
  expect_close<T>(cpu::exp, [](long double x) { return std::exp(x); }, 1, "exp");
  expect_close<T>(cpu::exp2, [](long double x) { return std::exp2(x); }, 1, "exp2");
  expect_close<T>(cpu::expm1, [](long double x) { return std::expm1(x); }, 1.5L, "expm1");
  expect_close<T>(cpu::log, [](long double x) { return std::log(x); }, 1, "log");
  expect_close<T>(cpu::log2, [](long double x) { return std::log2(x); }, 1, "log2");
  expect_close<T>(cpu::log1p, [](long double x) { return std::log1p(x); }, 1.5L, "log1p");
  expect_close<T>(cpu::pow, [](long double x, long double y) { return std::pow(x, y); }, 1, "pow");
  expect_close<T>(cpu::logistic, [](long double x) { return 1 / (1 + std::exp(-x)); }, 2.5L, "logistic");
}

TYPED_TEST(Functions, Angles) {
  using T = TypeParam;
  expect_close<T>(cpu::sin, [](long double x) { return std::sin(x); }, 1, "sin");
  expect_close<T>(cpu::cos, [](long double x) { return std::cos(x); }, 1, "cos");
  expect_close<T>(cpu::tan, [](long double x) { return std::tan(x); }, 1.5L, "tan");
  expect_close<T>(cpu::asin, [](long double x) { return std::asin(x); }, 1, "asin");
  expect_close<T>(cpu::acos, [](long double x) { return std::acos(x); }, 1, "acos");
  expect_close<T>(cpu::atan, [](long double x) { return std::atan(x); }, 1, "atan");
  expect_close<T>(cpu::atan2, [](long double y, long double x) { return std::atan2(y, x); }, 1.5L, "atan2");
  expect_close<T>(cpu::sinh, [](long double x) { return std::sinh(x); }, 2.5L, "sinh");
  expect_close<T>(cpu::cosh, [](long double x) { return std::cosh(x); }, 2.5L, "cosh");
  expect_close<T>(cpu::tanh, [](long double x) { return std::tanh(x); }, 2.5L, "tanh");
}

/// The inverse of erf by bisection: on erfc where the result is large.
long double inverse_of_erf(long double x) {
  const long double magnitude = std::fabs(x);
  if (!(magnitude < 1))
    return magnitude == 1 ? std::copysign(std::numeric_limits<long double>::infinity(), x)
                          : std::numeric_limits<long double>::quiet_NaN();
  if (magnitude < 1e-10L) // x^3 is too small to count.
    return x * 0.88622692545275801364908374167057259L;
  long double low = 0, high = 9;
  for (int i = 0; i < 130; ++i) {
    const long double middle = (low + high) / 2;
    const bool is_less = magnitude < 0.5L ? std::erf(middle) < magnitude : std::erfc(middle) > 1 - magnitude;
    (is_less ? low : high) = middle;
  }
  return std::copysign((low + high) / 2, x);
}

TYPED_TEST(Functions, Roots) {
  using T = TypeParam;
  expect_close<T>(cpu::sqrt, [](long double x) { return std::sqrt(x); }, 0.5004L, "sqrt");
  expect_close<T>(cpu::rsqrt, [](long double x) { return 1 / std::sqrt(x); }, 1.5L, "rsqrt");
  expect_close<T>(cpu::cbrt, [](long double x) { return std::cbrt(x); }, 4, "cbrt");
  expect_close<T>(cpu::hypot, [](long double x, long double y) { return std::hypot(x, y); }, 1, "hypot");
}

TYPED_TEST(Functions, ErrorFunctions) {
  using T = TypeParam;
  expect_close<T>(cpu::erf, [](long double x) { return std::erf(x); }, 1, "erf");
  expect_close<T>(cpu::erfc, [](long double x) { return std::erfc(x); }, 5, "erfc");
  expect_close<T>(cpu::erfinv, inverse_of_erf, 2, "erfinv");
}

/// A sigmoid that is subnormal is off by more where it is multiplied: not for what f32 can tell from 0.
TYPED_TEST(Functions, Activations) {
  using T = TypeParam;
  if constexpr (!std::is_same_v<T, double>) {
    static constexpr long double root_half = 0.70710678118654752440084436210484903928L;
    expect_close<T>(cpu::silu, [](long double x) { return x / (1 + std::exp(-x)); }, 0.6L, "silu");
    expect_close<T>(
        cpu::gelu,
        [](long double x) {
          // Zero without a sign, also of -inf.
          return std::isinf(x) ? std::fmax(x, 0.0L) : x / 2 * std::erfc(-x * root_half) + 0.0L;
        },
        0.6L, "gelu");
    expect_close<T>(
        cpu::gelu_tanh,
        [](long double x) {
          return x / (1 + std::exp(-1.5957691216057307117597842397375274738L * (x + 0.044715L * x * x * x)));
        },
        0.6L, "gelu_tanh");
  }
}

} // namespace
} // namespace tegula::test
