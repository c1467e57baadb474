// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats to integers, signs, Python's division, extremes without NaN, fma: exact, against long double and __int128.

#include "element_types.h"

#include "tegula/cpu/rounding.h"

#include <gtest/gtest.h>

namespace tegula::test {
namespace {

template <class T> class Rounding : public testing::Test {};
TYPED_TEST_SUITE(Rounding, FloatTypes);

TYPED_TEST(Rounding, ToIntegers) {
  using T = TypeParam;
  for (const T a : interesting<T>()) {
    const long double x = exact_value(a);
    // The fraction decides, from the integers on both sides.
    const long double below = std::floor(x), fraction = x - below, even = std::fmod(below, 2) == 0 ? below : below + 1;
    const bool is_half = fraction == 0.5L;
    const long double nearest_integer = fraction < 0.5L ? below : below + 1;
    const long double away = x < 0 ? below : below + 1;
    const auto with_sign = [&](long double value) {
      return nearest<T>(std::isfinite(x) ? std::copysign(value, x) : x);
    };
    ASSERT_SAME(cpu::floor(a), nearest<T>(below), show(a));
    ASSERT_SAME(cpu::ceil(a), with_sign(fraction == 0 ? below : below + 1), show(a));
    ASSERT_SAME(cpu::trunc(a), with_sign(x < 0 && fraction != 0 ? below + 1 : below), show(a));
    ASSERT_SAME(cpu::round(a), with_sign(is_half ? away : nearest_integer), show(a));
    ASSERT_SAME(cpu::rint(a), with_sign(is_half ? even : nearest_integer), show(a));
  }
}

TYPED_TEST(Rounding, SignsAndExtremes) {
  using T = TypeParam;
  for (const auto &[a, b] : interesting_pairs<T>()) {
    const long double x = exact_value(a), y = exact_value(b);
    const auto of = [&x = a, &y = b] { return show(x) + " and " + show(y); };
    const bool a_is_larger = x > y || (x == y && std::signbit(y));
    ASSERT_SAME(cpu::copysign(a, b), nearest<T>(std::copysign(x, y)), of());
    ASSERT_EQ(std::signbit(exact_value(cpu::copysign(a, b))), std::signbit(y)) << of(); // of NaN, too
    ASSERT_SAME(cpu::fmax(a, b), std::isnan(x) ? b : std::isnan(y) || a_is_larger ? a : b, of());
    ASSERT_SAME(cpu::fmin(a, b), std::isnan(x) ? b : std::isnan(y) || !a_is_larger ? a : b, of());
  }
}

TYPED_TEST(Rounding, Remainders) {
  using T = TypeParam;
  for (const auto &[a, b] : interesting_pairs<T>()) {
    const long double x = exact_value(a), y = exact_value(b), rest = std::fmod(x, y);
    const auto of = [&x = a, &y = b] { return show(x) + " and " + show(y); };
    ASSERT_SAME(cpu::fmod(a, b), nearest<T>(rest), of());
    // Python's: what is left has the divisor's sign.
    const bool differs = rest != 0 && (rest < 0) != (y < 0);
    const auto x_once = static_cast<decltype(cpu::detail::up(a))>(rest), y_once = cpu::detail::up(b);
    const T modulo = cpu::floor_mod(a, b), quotient = cpu::floor_divide(a, b);
    const T shifted = differs ? T(x_once + y_once) : T(x_once);
    ASSERT_SAME(modulo, rest == 0 ? nearest<T>(std::copysign(0.0L, y)) : shifted, of());
    const bool is_special = y == 0 || !std::isfinite(x) || std::isnan(y);
    if (is_special) {
      ASSERT_SAME(quotient, y == 0 ? cpu::div(a, b) : T(std::numeric_limits<float>::quiet_NaN()), of());
    } else if (std::isinf(y) || std::fabs(x / y) < 0x1p20L) { // A long double holds the quotient's integer part.
      const long double whole = (x - rest) / y - (differs ? 1 : 0);
      ASSERT_SAME(quotient, nearest<T>(whole == 0 ? std::copysign(0.0L, x / y) : whole), of());
    }
  }
}

/// By 128-bit integers: significands of up to 53 bits, of numbers that are near each other.
TEST(Fma, RoundsOnce) {
  std::mt19937_64 random(3);
  const auto check = [&](auto zero, int digits) {
    using T = decltype(zero);
    for (int i = 0; i < 100000; ++i) {
      const auto draw = [&] {
        const auto bits = static_cast<std::int64_t>(random() >> (64 - digits));
        return random() % 2 == 0 ? bits : -bits;
      };
      const std::int64_t a = draw(), b = draw(), c = draw();
      const int shift = static_cast<int>(random() % static_cast<unsigned>(digits));
      const __int128 sum = static_cast<__int128>(a) * b + (static_cast<__int128>(c) << shift);
      // Up to 63 bits, with the last one set if others were cut off: a long double rounds that as it rounds the sum.
      unsigned __int128 magnitude = static_cast<unsigned __int128>(sum < 0 ? -sum : sum);
      int cut = 0;
      bool is_inexact = false;
      for (; magnitude >> 62 != 0; ++cut) {
        is_inexact |= (magnitude & 1) != 0;
        magnitude >>= 1;
      }
      const auto kept = static_cast<std::int64_t>(static_cast<std::uint64_t>(magnitude) | (is_inexact ? 1U : 0U));
      const long double exact = std::ldexp(static_cast<long double>(sum < 0 ? -kept : kept), cut - digits);
      const int less = digits / 2; // a and b are scaled, so that half types hold the product.
      const auto scaled = [](std::int64_t value, int by) {
        return static_cast<T>(std::ldexp(static_cast<double>(value), by)); // Exact.
      };
      const T x = scaled(a, -less), y = scaled(b, less - digits), z = scaled(c, shift - digits);
      ASSERT_SAME(cpu::fma(x, y, z), sum == 0 ? cpu::fma(x, y, z) : nearest<T>(exact),
                  show(x) + " " + show(y) + " " + show(z));
    }
  };
  check(f16(), 11);
  check(bf16(), 8);
  check(float(), 24);
  check(double(), 53);
  // Far from a tie that a product is.
  const bf16 x(0x1.02p0F), y(1.5F);
  EXPECT_EQ(static_cast<float>(cpu::fma(x, y, bf16(0.0F))), 0x1.84p0F);
  EXPECT_EQ(static_cast<float>(cpu::fma(x, y, bf16(0x1p-60F))), 0x1.84p0F);
  EXPECT_EQ(static_cast<float>(cpu::fma(x, y, bf16(-0x1p-60F))), 0x1.82p0F);
}

template <class T> class FloorDivision : public testing::Test {};
TYPED_TEST_SUITE(FloorDivision, IntegerTypes);

TYPED_TEST(FloorDivision, OfIntegers) {
  using T = TypeParam;
  for (const auto &[a, b] : interesting_pairs<T>()) {
    const __int128 x = a, y = b;
    const __int128 quotient = b == 0 ? 0 : x / y - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0);
    const __int128 rest = b == 0 ? 0 : x - quotient * y;
    const auto of = [&x = a, &y = b] { return show(x) + " and " + show(y); };
    ASSERT_SAME(cpu::floor_divide(a, b), static_cast<T>(static_cast<std::uint64_t>(quotient)), of());
    ASSERT_SAME(cpu::floor_mod(a, b), static_cast<T>(rest), of());
  }
}

TEST(FloorDivision, AsPythonHasIt) {
  EXPECT_EQ(cpu::floor_divide(-7, 2), -4);
  EXPECT_EQ(cpu::floor_mod(-7, 3), 2);
  EXPECT_EQ(cpu::floor_mod(7, -3), -2);
  EXPECT_EQ(cpu::floor_divide(7, 0), 0);
  EXPECT_EQ(cpu::floor_mod(7, 0), 0);
  EXPECT_EQ(cpu::floor_divide(INT32_MIN, -1), INT32_MIN);
  EXPECT_EQ(cpu::floor_divide(-7.5, 2.0), -4.0);
  EXPECT_EQ(cpu::floor_mod(-7.5, 2.0), 0.5);
  EXPECT_EQ(cpu::floor_divide(1.0, 0.1), 9.0); // 0.1 is a little more
  EXPECT_EQ(cpu::floor_divide(-1.0, std::numeric_limits<double>::infinity()), -1.0);
  EXPECT_TRUE(std::isinf(cpu::floor_mod(-1.0, std::numeric_limits<double>::infinity())));
}

// ----- stochastic rounding -----

template <class T> class Stochastic : public testing::Test {};
using NarrowTypes = testing::Types<f16, bf16, e4m3, e5m2>;
TYPED_TEST_SUITE(Stochastic, NarrowTypes);

/// The neighbours below and above, by a cast and by the next bits; how often each comes for bits that count evenly.
TYPED_TEST(Stochastic, KeepsTheMean) {
  using T = TypeParam;
  using Bits = decltype(T{}.bits);
  std::mt19937_64 random(5);
  for (int i = 0; i < 2000; ++i) {
    const float largest = std::is_same_v<T, e4m3> ? 448.0F : std::is_same_v<T, e5m2> ? 57344.0F : 65504.0F;
    float x = std::ldexp(std::uniform_real_distribution<float>(1, 2)(random), static_cast<int>(random() % 34) - 18);
    x = std::min(x, largest) * (random() % 2 == 0 ? 1.0F : -1.0F);
    T low(x); // The neighbour towards zero.
    if (std::fabs(static_cast<float>(low)) > std::fabs(x))
      low = T::from_bits(static_cast<Bits>(low.bits - 1));
    const T high = T::from_bits(static_cast<Bits>(low.bits + 1));
    const auto below = static_cast<double>(static_cast<float>(low)),
               above = static_cast<double>(static_cast<float>(high));
    int ups = 0;
    constexpr int count = 512;
    for (int n = 0; n < count; ++n) {
      // From 0 to almost 1 in 13, 16, 20, 21 and 24 lower bits alike.
      constexpr int bits = std::is_same_v<T, f16>    ? 13
                           : std::is_same_v<T, bf16> ? 16
                           : std::is_same_v<T, e4m3> ? 20
                                                     : 21;
      const bool is_subnormal =
          !std::is_same_v<T, bf16> && std::fabs(x) < (std::is_same_v<T, e4m3> ? 0x1p-6F : 0x1p-14F);
      const auto word = static_cast<std::uint32_t>(n) << ((is_subnormal ? 24 : bits) - 9);
      const T got = cpu::stochastic_cast<T>(x, word | 0xfe000000U);
      ASSERT_TRUE(got.bits == low.bits || got.bits == high.bits) << x << " " << static_cast<float>(got);
      ups += got.bits == high.bits ? 1 : 0;
    }
    if (static_cast<double>(x) == below)
      ASSERT_EQ(ups, 0) << x;
    else if (static_cast<float>(high) < largest) {
      const double share = (static_cast<double>(x) - below) / (above - below);
      ASSERT_NEAR(ups, share * count, 1.0) << x;
    }
  }
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::uint32_t bits : {0U, 0xffffffffU, 0x12345678U}) {
    EXPECT_TRUE(std::isnan(static_cast<float>(cpu::stochastic_cast<T>(nan, bits))));
    for (const float x : {inf, -inf, 0.0F, -0.0F, 1.0F, -1.5F})
      EXPECT_EQ(cpu::stochastic_cast<T>(x, bits).bits, T(x).bits) << x;
  }
}

} // namespace
} // namespace tegula::test
