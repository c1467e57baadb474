// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/types.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace tegula::test {
namespace {

/// What a format's bits mean, by its definition: sign, exponent, fraction.
double meaning(std::uint16_t bits, int fraction_bits, int exponent_bits) {
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const int exponent = (bits >> fraction_bits) & ((1 << exponent_bits) - 1);
  const int bias = (1 << (exponent_bits - 1)) - 1;
  double magnitude = 0;
  if (exponent == (1 << exponent_bits) - 1)
    magnitude = fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, 1 - bias - fraction_bits);
  else
    magnitude = std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

template <class T> struct format;
template <> struct format<f16> {
  static constexpr int fraction = 10, exponent = 5;
  static constexpr std::uint16_t infinity = 0x7c00;
};
template <> struct format<bf16> {
  static constexpr int fraction = 7, exponent = 8;
  static constexpr std::uint16_t infinity = 0x7f80;
};

template <class T> class Narrow : public testing::Test {
protected:
  static double value(std::uint16_t bits) { return meaning(bits, format<T>::fraction, format<T>::exponent); }

  /// The nearest number, ties to even bits, by search in the ordered bits of positive numbers. A long double holds
  /// every argument and midpoint.
  static std::uint16_t nearest(long double x) {
    if (std::isnan(x))
      return static_cast<std::uint16_t>(format<T>::infinity | 1);
    const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
    const long double magnitude = std::fabs(x);
    std::uint16_t low = 0,
                  high = format<T>::infinity; // value(low) <= magnitude; infinity stands for the next power of two
    const auto ordered = [](std::uint16_t bits) -> long double {
      return bits == format<T>::infinity
                 ? 2.0L * static_cast<long double>(
                              meaning(static_cast<std::uint16_t>(format<T>::infinity - (1 << format<T>::fraction)),
                                      format<T>::fraction, format<T>::exponent))
                 : static_cast<long double>(value(bits));
    };
    if (magnitude >= ordered(high))
      return static_cast<std::uint16_t>(sign | high);
    while (high - low > 1) {
      const auto middle = static_cast<std::uint16_t>((low + high) / 2);
      (ordered(middle) <= magnitude ? low : high) = middle;
    }
    const long double below = magnitude - ordered(low), above = ordered(high) - magnitude;
    const bool up = above < below || (above == below && low % 2 == 1);
    return static_cast<std::uint16_t>(sign | (up ? high : low));
  }

  static void expect_same(T got, long double x) {
    if (std::isnan(x))
      EXPECT_TRUE(std::isnan(static_cast<float>(got)));
    else
      EXPECT_EQ(got.bits, nearest(x)) << std::hexfloat << x;
  }
};
using NarrowTypes = testing::Types<f16, bf16>;
TYPED_TEST_SUITE(Narrow, NarrowTypes);

TYPED_TEST(Narrow, EveryValueIsAFloatAndComesBack) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto narrow = TypeParam::from_bits(static_cast<std::uint16_t>(bits));
    const double expected = this->value(narrow.bits);
    const float got = narrow;
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(got));
      EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(got))));
      EXPECT_EQ(std::signbit(got), (bits & 0x8000) != 0);
    } else {
      ASSERT_EQ(static_cast<double>(got), expected) << bits;
      ASSERT_EQ(std::signbit(got), std::signbit(expected)) << bits;
      ASSERT_EQ(TypeParam(got).bits, bits);
      ASSERT_EQ(TypeParam(expected).bits, bits);
    }
  }
}

// Around every value and every midpoint of two, from float and from double: the neighbours on both sides of a tie, and
// the tie.
TYPED_TEST(Narrow, RoundsToNearestEvenAtEveryMidpoint) {
  for (std::uint16_t bits = 0; bits < format<TypeParam>::infinity; ++bits) {
    const double here = this->value(bits);
    const auto next_bits = static_cast<std::uint16_t>(bits + 1);
    const double next = next_bits == format<TypeParam>::infinity
                            ? 2 * here - this->value(static_cast<std::uint16_t>(bits - 1))
                            : this->value(next_bits);
    const double middle = here / 2 + next / 2;
    for (const double sign : {1.0, -1.0}) {
      this->expect_same(TypeParam(sign * middle), static_cast<long double>(sign * middle));
      this->expect_same(TypeParam(sign * std::nextafter(middle, 0.0)),
                        static_cast<long double>(sign * std::nextafter(middle, 0.0)));
      this->expect_same(TypeParam(sign * std::nextafter(middle, 1e300)),
                        static_cast<long double>(sign * std::nextafter(middle, 1e300)));
      const auto single = static_cast<float>(middle);
      for (const float near :
           {single, std::nextafterf(single, 0.0F), std::nextafterf(single, std::numeric_limits<float>::infinity())})
        this->expect_same(TypeParam(static_cast<float>(sign) * near),
                          static_cast<long double>(static_cast<float>(sign) * near));
    }
    if (this->HasFailure())
      return;
  }
}

TYPED_TEST(Narrow, RandomFloatsAndDoubles) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 200000 && !this->HasFailure(); ++i) {
    const auto single = detail::bit_cast<float>(static_cast<std::uint32_t>(random()));
    this->expect_same(TypeParam(single), static_cast<long double>(single));
    const double wide =
        std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), static_cast<int>(random() % 80) - 100);
    this->expect_same(TypeParam(wide), static_cast<long double>(wide));
  }
}

TYPED_TEST(Narrow, Integers) {
  std::mt19937_64 random(13);
  for (int i = 0; i < 200000 && !this->HasFailure(); ++i) {
    // A tie in the upper bits, one unit away from it, and anything: long double holds 64 bits.
    const std::uint64_t wide = random() >> (random() % 64);
    for (const std::uint64_t value : {wide, wide + 1, wide & (UINT64_MAX << (random() % 64))}) {
      this->expect_same(TypeParam(value), static_cast<long double>(value));
      this->expect_same(TypeParam(static_cast<std::int64_t>(value)),
                        static_cast<long double>(static_cast<std::int64_t>(value)));
      this->expect_same(TypeParam(static_cast<std::int32_t>(value)),
                        static_cast<long double>(static_cast<std::int32_t>(value)));
    }
  }
  this->expect_same(TypeParam(INT64_MIN), static_cast<long double>(INT64_MIN));
  this->expect_same(TypeParam(UINT64_MAX), static_cast<long double>(UINT64_MAX));
  EXPECT_EQ(static_cast<float>(TypeParam(true)), 1.0F);
  // 2^63 + 2^55 + 1 is just above a tie of bf16: rounding to double first would lose the 1.
  EXPECT_EQ(static_cast<float>(bf16((std::uint64_t{1} << 63) + (std::uint64_t{1} << 55) + 1)), 0x1.02p63F);
}

TYPED_TEST(Narrow, Extremes) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(TypeParam(infinity).bits, format<TypeParam>::infinity);
  EXPECT_EQ(TypeParam(-infinity).bits, format<TypeParam>::infinity | 0x8000);
  EXPECT_EQ(TypeParam(std::numeric_limits<float>::max()).bits, format<TypeParam>::infinity);
  EXPECT_EQ(TypeParam(1e300).bits, format<TypeParam>::infinity);
  EXPECT_EQ(TypeParam(-0.0F).bits, 0x8000);
  EXPECT_EQ(TypeParam(-1e-300).bits, 0x8000);
  EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(std::numeric_limits<double>::quiet_NaN()))));
  // The least payload of a signalling NaN must not vanish into infinity.
  EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(detail::bit_cast<float>(0x7f800001U)))));
}

/// What the bits of an 8-bit float mean, by its definition, and the patterns that are not as the formula says.
template <class T> struct narrow_format;
template <> struct narrow_format<e4m3> {
  static constexpr int fraction_bits = 3, bias = 7;
  static constexpr unsigned largest = 0x7e, infinity = 0x100, nan = 0x7f;
};
template <> struct narrow_format<e5m2> {
  static constexpr int fraction_bits = 2, bias = 15;
  static constexpr unsigned largest = 0x7b, infinity = 0x7c, nan = 0x7d;
};

template <class T> double meaning(unsigned bits) {
  using format = narrow_format<T>;
  const unsigned magnitude = bits & 0x7f;
  const int units = 1 << format::fraction_bits, fraction = static_cast<int>(magnitude) % units,
            exponent = static_cast<int>(magnitude) / units;
  if (magnitude >= format::nan)
    return std::numeric_limits<double>::quiet_NaN();
  const double value = magnitude == format::infinity ? std::numeric_limits<double>::infinity()
                       : exponent == 0               ? std::ldexp(fraction, 1 - format::bias - format::fraction_bits)
                                       : std::ldexp(fraction + units, exponent - format::bias - format::fraction_bits);
  return (bits & 0x80) != 0 ? -value : value;
}

template <class T> class EightBits : public testing::Test {};
using eight_bits = testing::Types<e4m3, e5m2>;
TYPED_TEST_SUITE(EightBits, eight_bits);

TYPED_TEST(EightBits, EveryValueIsAFloatAndComesBack) {
  for (unsigned bits = 0; bits < 0x100; ++bits) {
    const auto narrow = TypeParam::from_bits(static_cast<std::uint8_t>(bits));
    const double expected = meaning<TypeParam>(bits);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(narrow)));
      EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(static_cast<float>(narrow)))));
      continue;
    }
    EXPECT_EQ(static_cast<double>(static_cast<float>(narrow)), expected) << bits;
    const unsigned back = std::isinf(expected) ? (bits & 0x80) | narrow_format<TypeParam>::largest : bits;
    EXPECT_EQ(TypeParam(static_cast<float>(narrow)).bits, back);
  }
}

TYPED_TEST(EightBits, RoundsOnceToTheNearest) {
  constexpr unsigned largest = narrow_format<TypeParam>::largest;
  const auto nearest = [](double x) {
    unsigned best = 0;
    for (unsigned bits = 1; bits <= largest; ++bits) {
      const double better = std::fabs(std::fabs(x) - meaning<TypeParam>(bits)),
                   known = std::fabs(std::fabs(x) - meaning<TypeParam>(best));
      if (better < known || (better <= known && bits % 2 == 0))
        best = bits;
    }
    return best | (std::signbit(x) ? 0x80U : 0U);
  };
  std::mt19937_64 random(8);
  const double least = std::log2(meaning<TypeParam>(1)), most = std::log2(meaning<TypeParam>(largest));
  std::uniform_real_distribution<double> exponents(least - 2, most + 1);
  for (int i = 0; i < 20000; ++i) {
    const double x = (i % 2 == 0 ? 1 : -1) * std::exp2(exponents(random));
    ASSERT_EQ(TypeParam(x).bits, nearest(x)) << x;
  }
  for (unsigned bits = 0; bits < largest; ++bits) { // Midpoints, and what is just beside them.
    const double tie = (meaning<TypeParam>(bits) + meaning<TypeParam>(bits + 1)) / 2;
    for (const double x : {tie, std::nextafter(tie, 0.0), std::nextafter(tie, 1e9)})
      ASSERT_EQ(TypeParam(x).bits, nearest(x)) << x;
  }
  EXPECT_EQ(TypeParam(1e30).bits, largest);
  EXPECT_EQ(TypeParam(-std::numeric_limits<double>::infinity()).bits, 0x80 | largest);
  EXPECT_EQ(TypeParam(std::numeric_limits<float>::quiet_NaN()).bits, 0x7f);
  EXPECT_EQ(TypeParam(-0.0).bits, 0x80);
}

TEST(PowersOfTwo, EveryValueIsAFloatAndComesBack) {
  for (unsigned bits = 0; bits < 0xff; ++bits) {
    const auto scale = e8m0::from_bits(static_cast<std::uint8_t>(bits));
    ASSERT_EQ(static_cast<double>(static_cast<float>(scale)), std::ldexp(1.0, static_cast<int>(bits) - 127));
    ASSERT_EQ(e8m0(static_cast<float>(scale)).bits, bits);
  }
  EXPECT_TRUE(std::isnan(static_cast<float>(e8m0::from_bits(0xff))));
}

// Halfway between two, the one of even bits.
TEST(PowersOfTwo, RoundsOnceToTheNearest) {
  for (unsigned bits = 0; bits < 0xfe; ++bits) {
    const double tie = std::ldexp(1.5, static_cast<int>(bits) - 127);
    ASSERT_EQ(e8m0(tie).bits, bits + bits % 2) << tie;
    ASSERT_EQ(e8m0(std::nextafter(tie, 0.0)).bits, bits) << tie;
    ASSERT_EQ(e8m0(std::nextafter(tie, 1e300)).bits, bits + 1) << tie;
    const auto single = static_cast<float>(tie);
    ASSERT_EQ(e8m0(std::nextafterf(single, 0.0F)).bits, bits) << tie;
    ASSERT_EQ(e8m0(std::nextafterf(single, std::numeric_limits<float>::infinity())).bits, bits + 1) << tie;
  }
}

TEST(PowersOfTwo, Extremes) {
  EXPECT_EQ(e8m0(0.0).bits, 0);
  EXPECT_EQ(e8m0(-0.0F).bits, 0);
  EXPECT_EQ(e8m0(1e-300).bits, 0);
  EXPECT_EQ(e8m0(1e300).bits, 0xfe);
  EXPECT_EQ(e8m0(std::numeric_limits<float>::max()).bits, 0xfe);
  EXPECT_EQ(e8m0(std::numeric_limits<float>::infinity()).bits, 0xfe);
  for (const double x : {-1.0, -1e-300, -std::numeric_limits<double>::infinity(), std::nan("")})
    EXPECT_EQ(e8m0(x).bits, 0xff) << x;
  EXPECT_EQ(e8m0(-3).bits, 0xff);
  EXPECT_EQ(e8m0(true).bits, 127);
  EXPECT_EQ(e8m0(std::uint64_t{3} << 62).bits, 127 + 63);       // Halfway: 190 is even.
  EXPECT_EQ(e8m0((std::uint64_t{3} << 62) + 1).bits, 127 + 64); // Just above halfway.
}

TEST(FourBits, EveryFloatIsAFloatAndComesBack) {
  const double magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (unsigned bits = 0; bits < 16; ++bits) {
    const auto narrow = e2m1::from_bits(static_cast<std::uint8_t>(0xf0 | bits)); // The upper bits do not count.
    const float value = narrow;
    EXPECT_EQ(static_cast<double>(value), (bits & 8) != 0 ? -magnitudes[bits & 7] : magnitudes[bits & 7]);
    EXPECT_EQ(std::signbit(value), (bits & 8) != 0);
    EXPECT_EQ(e2m1(value).bits, bits);
  }
}

TEST(FourBits, FloatsRoundOnceToNearestEvenAndSaturate) {
  const double ties[] = {0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5};
  for (unsigned bits = 0; bits < 7; ++bits)
    for (const double sign : {1.0, -1.0}) {
      const unsigned of = sign < 0 ? 8 : 0;
      EXPECT_EQ(e2m1(sign * ties[bits]).bits, of | (bits + bits % 2));
      EXPECT_EQ(e2m1(sign * std::nextafter(ties[bits], 0.0)).bits, of | bits);
      EXPECT_EQ(e2m1(sign * std::nextafter(ties[bits], 9.0)).bits, of | (bits + 1));
    }
  const float inf = std::numeric_limits<float>::infinity();
  for (const float large : {6.0F, 7.0F, 1e30F, inf})
    EXPECT_EQ(e2m1(large).bits, 7) << large;
  EXPECT_EQ(e2m1(-inf).bits, 15);
  EXPECT_EQ(e2m1(-0.0F).bits, 8);
  EXPECT_EQ(e2m1(1e-300).bits, 0);
  EXPECT_EQ(e2m1(std::nan("")).bits, 7);
  EXPECT_EQ(e2m1(-std::numeric_limits<float>::quiet_NaN()).bits, 7);
  EXPECT_EQ(e2m1(-5).bits, 14);
}

TEST(FourBits, IntegersTruncateSaturateAndWrap) {
  for (int i = -40; i < 40; ++i) {
    EXPECT_EQ(static_cast<int>(s4(i)), (i + 40) % 16 - 8) << i; // -40 wraps to -8.
    EXPECT_EQ(static_cast<int>(u4(i)), (i + 48) % 16) << i;
  }
  EXPECT_EQ(static_cast<int>(s4(6.99)), 6);
  EXPECT_EQ(static_cast<int>(s4(-6.99F)), -6);
  EXPECT_EQ(static_cast<int>(s4(1e30)), 7);
  EXPECT_EQ(static_cast<int>(s4(-1e30)), -8);
  EXPECT_EQ(static_cast<int>(u4(-0.99)), 0);
  EXPECT_EQ(static_cast<int>(u4(15.99)), 15);
  EXPECT_EQ(static_cast<int>(u4(std::numeric_limits<double>::infinity())), 15);
  EXPECT_EQ(static_cast<int>(u4(-std::numeric_limits<double>::infinity())), 0);
  for (const double nan : {std::nan(""), -std::nan("")}) {
    EXPECT_EQ(static_cast<int>(s4(nan)), 0);
    EXPECT_EQ(static_cast<int>(u4(nan)), 0);
  }
  EXPECT_EQ(static_cast<int>(s4::from_bits(0xf8)), -8);
}

TEST(Dtypes, NamesAndSizes) {
  EXPECT_STREQ(name(dtype_of<bool>), "bool");
  EXPECT_STREQ(name(dtype_of<std::int8_t>), "s8");
  EXPECT_STREQ(name(dtype_of<const std::uint16_t>), "u16");
  EXPECT_STREQ(name(dtype_of<std::int64_t>), "s64");
  EXPECT_STREQ(name(dtype_of<long long>), "s64");
  EXPECT_STREQ(name(dtype_of<std::uint32_t>), "u32");
  EXPECT_STREQ(name(dtype_of<f16>), "f16");
  EXPECT_STREQ(name(dtype_of<bf16>), "bf16");
  EXPECT_STREQ(name(dtype_of<e4m3>), "e4m3");
  EXPECT_STREQ(name(dtype_of<e5m2>), "e5m2");
  EXPECT_STREQ(name(dtype_of<e8m0>), "e8m0");
  EXPECT_STREQ(name(dtype_of<s4>), "s4");
  EXPECT_STREQ(name(dtype_of<const u4>), "u4");
  EXPECT_STREQ(name(dtype_of<e2m1>), "e2m1");
  static_assert(bits_of(dtype_of<s4>) == 4 && bits_of(dtype_of<e2m1>) == 4 && bits_of(dtype_of<bool>) == 8 &&
                bits_of(dtype_of<double>) == 64);
  EXPECT_STREQ(name(dtype_of<float>), "f32");
  EXPECT_STREQ(name(dtype_of<double>), "f64");
  static_assert(size_of(dtype_of<e4m3>) == 1 && size_of(dtype_of<e5m2>) == 1 && size_of(dtype_of<e8m0>) == 1);
  static_assert(size_of(dtype_of<bool>) == 1 && size_of(dtype_of<f16>) == 2 && size_of(dtype_of<bf16>) == 2 &&
                size_of(dtype_of<double>) == 8);
  static_assert(size_of(dtype_of<std::int8_t>) == 1 && size_of(dtype_of<std::uint16_t>) == 2 &&
                size_of(dtype_of<std::int32_t>) == 4 && size_of(dtype_of<std::uint64_t>) == 8 &&
                size_of(dtype_of<float>) == 4);
}

} // namespace
} // namespace tegula::test
