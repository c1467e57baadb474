// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "element_types.h"

#include <gtest/gtest.h>

namespace tegula::test {
namespace {

using cpu::cast;

/// What a cast gives, from the exact value: long double holds every element of every type.
template <class To, class From> To expected_cast(From from) {
  const long double exact = exact_value(from);
  if constexpr (std::is_same_v<To, bool>)
    return std::isnan(exact) || exact != 0;
  else if constexpr (is_float<To>)
    return nearest<To>(exact);
  else if constexpr (is_float<From>) { // truncate, saturate
    if (std::isnan(exact))
      return 0;
    const long double whole = std::trunc(exact);
    if (whole >= static_cast<long double>(std::numeric_limits<To>::max()))
      return std::numeric_limits<To>::max();
    if (whole <= static_cast<long double>(std::numeric_limits<To>::min()))
      return std::numeric_limits<To>::min();
    return static_cast<To>(whole);
  } else // wrap: the low bits in two's complement
    return static_cast<To>(static_cast<std::uint64_t>(from));
}

template <class From> class Cast : public testing::Test {
protected:
  template <class To> void check_to() {
    for (const From from : interesting<From>()) {
      const To got = cast<To>(from), expected = expected_cast<To>(from);
      ASSERT_SAME(got, expected, name(dtype_of<From>) + (" " + show(from)) + " as " + name(dtype_of<To>));
    }
  }
};
TYPED_TEST_SUITE(Cast, AllTypes);

TYPED_TEST(Cast, ToEveryType) {
  this->template check_to<bool>();
  this->template check_to<std::int8_t>();
  this->template check_to<std::int16_t>();
  this->template check_to<std::int32_t>();
  this->template check_to<std::int64_t>();
  this->template check_to<std::uint8_t>();
  this->template check_to<std::uint16_t>();
  this->template check_to<std::uint32_t>();
  this->template check_to<std::uint64_t>();
  this->template check_to<f16>();
  this->template check_to<bf16>();
  this->template check_to<float>();
  this->template check_to<double>();
}

TEST(CastExamples, FourBitsAndScales) {
  EXPECT_EQ(cast<s4>(7.9F).bits, 7);
  EXPECT_EQ(cast<s4>(std::int32_t{24}).bits, 8); // wraps to -8
  EXPECT_EQ(cast<std::int8_t>(s4(-3)), -3);
  EXPECT_EQ(cast<std::uint8_t>(s4(-3)), 253);
  EXPECT_EQ(cast<u4>(s4(-3)).bits, 13);
  EXPECT_EQ(cast<s4>(u4(13)).bits, 13);
  EXPECT_EQ(cast<s4>(cast<f16>(-20.0F)).bits, 8); // saturates at -8
  EXPECT_EQ(cast<float>(cast<e2m1>(u4(15))), 6.0F);
  EXPECT_EQ(cast<s4>(e2m1(1.5F)).bits, 1);
  EXPECT_EQ(cast<e2m1>(e4m3(0.25F)).bits, 0);
  EXPECT_EQ(cast<e8m0>(s4(-1)).bits, 255);
  EXPECT_EQ(cast<float>(cast<e8m0>(u4(6))), 8.0F); // Halfway between 4 and 8, whose bits are even.
  EXPECT_TRUE(cast<bool>(e8m0(0.0F)));             // 2^-127
  EXPECT_TRUE(cast<bool>(e8m0::from_bits(255)));
  EXPECT_FALSE(cast<bool>(e2m1(-0.0F)));
  EXPECT_EQ(cast<e8m0>(false).bits, 0);
  EXPECT_EQ(cast<double>(cast<bf16>(e8m0(0.0F))), 0x1p-127);
}

TEST(CastExamples, Floats) {
  EXPECT_EQ(cast<std::int8_t>(300.0F), 127);
  EXPECT_EQ(cast<std::int8_t>(-300.0F), -128);
  EXPECT_EQ(cast<std::uint8_t>(-1.0F), 0);
  EXPECT_EQ(cast<std::int32_t>(-1.9F), -1);
  EXPECT_EQ(cast<std::int32_t>(std::nanf("")), 0);
  EXPECT_EQ(cast<std::int64_t>(0x1p63F), INT64_MAX);
  EXPECT_EQ(cast<std::int64_t>(-0x1p63F), INT64_MIN);
  EXPECT_EQ(cast<std::uint64_t>(0x1.fffffep63F), 0xffffff0000000000U);
  EXPECT_EQ(cast<std::uint64_t>(INFINITY), UINT64_MAX);
  EXPECT_EQ(cast<std::int32_t>(f16(-65504.0F)), -65504);
  EXPECT_EQ(cast<f16>(65519.9F).bits, 0x7bff);
  EXPECT_EQ(cast<f16>(65520.0F).bits, 0x7c00);
  EXPECT_EQ(cast<bf16>(f16(1.5F)).bits, 0x3fc0);
  EXPECT_TRUE(cast<bool>(std::nanf("")));
  EXPECT_FALSE(cast<bool>(-0.0));
  EXPECT_TRUE(cast<bool>(f16::from_bits(1)));
  EXPECT_TRUE(cast<bool>(std::uint64_t{1} << 63));
}

TEST(CastExamples, Integers) {
  EXPECT_EQ(cast<std::int8_t>(200), -56);
  EXPECT_EQ(cast<std::uint16_t>(std::int8_t{-1}), 65535);
  EXPECT_EQ(cast<std::uint64_t>(-1), UINT64_MAX);
  EXPECT_EQ(cast<std::int32_t>(std::uint64_t{0x1'8000'0001}), INT32_MIN + 1);
  EXPECT_EQ(cast<std::int64_t>(std::uint32_t{0xffffffff}), 4294967295);
  EXPECT_EQ(cast<std::int32_t>(true), 1);
}

} // namespace
} // namespace tegula::test
