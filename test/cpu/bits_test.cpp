// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bits of integers, one by one, and products and sums in 128 bits.

#include "element_types.h"

#include "tegula/cpu/bits.h"

#include <gtest/gtest.h>

namespace tegula::test {
namespace {

template <class T> class Bits : public testing::Test {};
TYPED_TEST_SUITE(Bits, IntegerTypes);

TYPED_TEST(Bits, Counts) {
  using T = TypeParam;
  constexpr int width = static_cast<int>(sizeof(T)) * 8;
  for (const T a : interesting<T>()) {
    const auto x = static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<T>>(a));
    int leading = 0, trailing = 0, ones = 0;
    std::uint64_t reversed = 0;
    for (int i = 0; i < width; ++i) {
      const auto bit = x >> i & 1;
      ones += static_cast<int>(bit);
      reversed |= bit << (width - 1 - i);
      leading = bit != 0 ? 0 : leading + 1;
      trailing += trailing == i && bit == 0 ? 1 : 0;
    }
    ASSERT_SAME(cpu::clz(a), static_cast<T>(leading), show(a));
    ASSERT_SAME(cpu::ctz(a), static_cast<T>(trailing), show(a));
    ASSERT_SAME(cpu::popcount(a), static_cast<T>(ones), show(a));
    ASSERT_SAME(cpu::bit_reverse(a), static_cast<T>(reversed), show(a));
  }
}

TYPED_TEST(Bits, ProductsAndSums) {
  using T = TypeParam;
  using wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  using limits = std::numeric_limits<T>;
  for (const auto &[a, b] : interesting_pairs<T>()) {
    const wide x = a, y = b;
    const auto nearest_of = [](__int128 value) {
      return value > limits::max() ? limits::max() : value < limits::min() ? limits::min() : static_cast<T>(value);
    };
    const auto of = [&x = a, &y = b] { return show(x) + " and " + show(y); };
    ASSERT_SAME(cpu::mul_hi(a, b), static_cast<T>((x * y) >> (8 * sizeof(T))), of());
    ASSERT_SAME(cpu::add_sat(a, b), nearest_of(static_cast<__int128>(a) + b), of());
    ASSERT_SAME(cpu::sub_sat(a, b), nearest_of(static_cast<__int128>(a) - b), of());
  }
}

TEST(Bits, OfOtherTypes) {
  EXPECT_EQ(cpu::bitcast<std::uint32_t>(-0.0F), 0x80000000U);
  EXPECT_EQ(cpu::bitcast<float>(0x3f800000), 1.0F);
  EXPECT_EQ(cpu::bitcast<std::int16_t>(bf16(-1.0F)), static_cast<std::int16_t>(0xbf80));
  EXPECT_EQ(cpu::bitcast<std::uint8_t>(e4m3(1.0F)), 0x38);
  EXPECT_EQ(cpu::bitcast<double>(std::int64_t{0x4000000000000000}), 2.0);
}

} // namespace
} // namespace tegula::test
