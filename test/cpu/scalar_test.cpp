// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "element_types.h"

#include <gtest/gtest.h>

namespace tegula::test {
namespace {

template <class T> class Numbers : public testing::Test {};
TYPED_TEST_SUITE(Numbers, NumberTypes);

TYPED_TEST(Numbers, Comparisons) {
  using T = TypeParam;
  for (const auto &[a, b] : interesting_pairs<T>()) {
    const long double x = exact_value(a), y = exact_value(b);
    const auto of = [&x = a, &y = b] { return show(x) + " and " + show(y); };
    ASSERT_SAME(cpu::eq(a, b), x == y, of());
    ASSERT_SAME(cpu::ne(a, b), x != y, of());
    ASSERT_SAME(cpu::lt(a, b), x < y, of());
    ASSERT_SAME(cpu::le(a, b), x <= y, of());
    ASSERT_SAME(cpu::gt(a, b), x > y, of());
    ASSERT_SAME(cpu::ge(a, b), x >= y, of());
  }
}

// ----- integers, against 128-bit arithmetic
// --------------------------------------------------------------------------------------------

template <class T> class Integers : public testing::Test {};
TYPED_TEST_SUITE(Integers, IntegerTypes);

TYPED_TEST(Integers, BinaryOperations) {
  using T = TypeParam;
  using wide = __int128;
  const auto wrapped = [](wide value) {
    return static_cast<T>(static_cast<std::uint64_t>(static_cast<unsigned __int128>(value)));
  };
  for (const auto &[a, b] : interesting_pairs<T>()) {
    const wide x = a, y = b;
    const auto product = static_cast<wide>(static_cast<unsigned __int128>(x) * static_cast<unsigned __int128>(y));
    const auto of = [&x = a, &y = b] { return show(x) + " and " + show(y); };
    ASSERT_SAME(cpu::add(a, b), wrapped(x + y), of());
    ASSERT_SAME(cpu::sub(a, b), wrapped(x - y), of());
    ASSERT_SAME(cpu::mul(a, b), wrapped(product), of());
    ASSERT_SAME(cpu::div(a, b), b == 0 ? T{0} : wrapped(x / y), of());
    ASSERT_SAME(cpu::rem(a, b), b == 0 ? T{0} : wrapped(x % y), of());
    ASSERT_SAME(cpu::maximum(a, b), x > y ? a : b, of());
    ASSERT_SAME(cpu::minimum(a, b), x < y ? a : b, of());
  }
}

TYPED_TEST(Integers, UnaryOperations) {
  using T = TypeParam;
  for (const T a : interesting<T>()) {
    const __int128 x = a;
    ASSERT_SAME(cpu::neg(a), static_cast<T>(static_cast<std::uint64_t>(-x)), show(a));
    ASSERT_SAME(cpu::abs(a), static_cast<T>(static_cast<std::uint64_t>(x < 0 ? -x : x)), show(a));
    ASSERT_SAME(cpu::square(a), cpu::mul(a, a), show(a));
    ASSERT_SAME(cpu::bit_not(a), static_cast<T>(-1 - x), show(a));
  }
}

// Bits one by one, and shifts as repeated shifts by one: the width and more shift everything out.
TYPED_TEST(Integers, BitsAndShifts) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  constexpr int width = static_cast<int>(sizeof(T)) * 8;
  for (const auto &[a, b] : interesting_pairs<T>()) {
    U both = 0, either = 0, differ = 0;
    for (int i = 0; i < width; ++i) {
      const U bit = static_cast<U>(U{1} << i);
      const bool in_a = (static_cast<U>(a) & bit) != 0, in_b = (static_cast<U>(b) & bit) != 0;
      both = static_cast<U>(both + (in_a && in_b ? bit : 0));
      either = static_cast<U>(either + (in_a || in_b ? bit : 0));
      differ = static_cast<U>(differ + (in_a != in_b ? bit : 0));
    }
    auto left = static_cast<unsigned __int128>(a);
    __int128 right = a;
    for (U i = 0; i < static_cast<U>(b) && i < width; ++i) {
      left *= 2;
      right = right >= 0 ? right / 2 : (right - 1) / 2; // towards minus infinity
    }
    const auto of = [&x = a, &y = b] { return show(x) + " and " + show(y); };
    ASSERT_SAME(cpu::bit_and(a, b), static_cast<T>(both), of());
    ASSERT_SAME(cpu::bit_or(a, b), static_cast<T>(either), of());
    ASSERT_SAME(cpu::bit_xor(a, b), static_cast<T>(differ), of());
    ASSERT_SAME(cpu::shift_left(a, b), static_cast<T>(static_cast<std::uint64_t>(left)), of());
    ASSERT_SAME(cpu::shift_right(a, b), static_cast<T>(right), of());
  }
}

TEST(IntegerExamples, DefinedEverywhere) {
  EXPECT_EQ(cpu::add(INT32_MAX, 1), INT32_MIN);
  EXPECT_EQ(cpu::mul<std::uint16_t>(65535, 65535), 1); // promoted to int, this product would overflow
  EXPECT_EQ(cpu::div(INT64_MIN, std::int64_t{-1}), INT64_MIN);
  EXPECT_EQ(cpu::rem(INT64_MIN, std::int64_t{-1}), 0);
  EXPECT_EQ(cpu::div(7, 0), 0);
  EXPECT_EQ(cpu::rem(7, 0), 0);
  EXPECT_EQ(cpu::div(-7, 2), -3);
  EXPECT_EQ(cpu::rem(-7, 2), -1);
  EXPECT_EQ(cpu::abs<std::int8_t>(INT8_MIN), INT8_MIN);
  EXPECT_EQ(cpu::shift_left(1, 32), 0);
  EXPECT_EQ(cpu::shift_right(-5, -1), -1);
  EXPECT_EQ(cpu::shift_right<std::uint8_t>(200, 8), 0);
}

TEST(Bool, Operations) {
  for (const bool a : {false, true}) {
    EXPECT_EQ(cpu::logical_not(a), !a);
    EXPECT_EQ(cpu::bit_not(a), !a);
    for (const bool b : {false, true}) {
      EXPECT_EQ(cpu::logical_and(a, b), a && b);
      EXPECT_EQ(cpu::logical_or(a, b), a || b);
      EXPECT_EQ(cpu::bit_and(a, b), a && b);
      EXPECT_EQ(cpu::bit_or(a, b), a || b);
      EXPECT_EQ(cpu::bit_xor(a, b), a != b);
      EXPECT_EQ(cpu::eq(a, b), a == b);
      EXPECT_EQ(cpu::ne(a, b), a != b);
      EXPECT_EQ(cpu::where(a, b, !b), a ? b : !b);
    }
  }
}

// ----- floats
// --------------------------------------------------------------------------------------------------------------------------

template <class T> class Floats : public testing::Test {};
TYPED_TEST_SUITE(Floats, FloatTypes);

/// One rounding of the exact result. A long double has the 2p + 2 bits by which rounding twice is rounding once, except
/// for f64: there the processor's own operation on values from memory is the reference.
template <class T, class Operation> T rounded_once(Operation operation, T a, T b) {
  if constexpr (std::is_same_v<T, double>) {
    const volatile double x = a, y = b;
    const volatile double result = operation(x, y);
    return result;
  } else
    return nearest<T>(operation(exact_value(a), exact_value(b)));
}

TYPED_TEST(Floats, ArithmeticRoundsOnce) {
  using T = TypeParam;
  for (const auto &[a, b] : interesting_pairs<T>()) {
    const auto of = [&x = a, &y = b] { return show(x) + " and " + show(y); };
    ASSERT_SAME(cpu::add(a, b), rounded_once<T>([](auto x, auto y) { return x + y; }, a, b), of());
    ASSERT_SAME(cpu::sub(a, b), rounded_once<T>([](auto x, auto y) { return x - y; }, a, b), of());
    ASSERT_SAME(cpu::mul(a, b), rounded_once<T>([](auto x, auto y) { return x * y; }, a, b), of());
    ASSERT_SAME(cpu::div(a, b), rounded_once<T>([](auto x, auto y) { return x / y; }, a, b), of());
  }
}

TYPED_TEST(Floats, UnaryArithmetic) {
  using T = TypeParam;
  for (const T a : interesting<T>()) {
    const long double x = exact_value(a);
    ASSERT_SAME(cpu::square(a), cpu::mul(a, a), show(a));
    ASSERT_SAME(cpu::neg(a), nearest<T>(-x), show(a));
    ASSERT_SAME(cpu::abs(a), nearest<T>(std::fabs(x)), show(a));
    ASSERT_EQ(std::signbit(exact_value(cpu::neg(a))), !std::signbit(x)); // of NaN, too
    ASSERT_FALSE(std::signbit(exact_value(cpu::abs(a))));
  }
}

TYPED_TEST(Floats, Extremes) {
  using T = TypeParam;
  for (const auto &[a, b] : interesting_pairs<T>()) {
    const long double x = exact_value(a), y = exact_value(b);
    const auto of = [&x = a, &y = b] { return show(x) + " and " + show(y); };
    if (std::isnan(x) || std::isnan(y)) {
      ASSERT_TRUE(std::isnan(exact_value(cpu::maximum(a, b)))) << of();
      ASSERT_TRUE(std::isnan(exact_value(cpu::minimum(a, b)))) << of();
    } else {
      const bool a_is_larger = x > y || (x == y && std::signbit(y));
      ASSERT_SAME(cpu::maximum(a, b), a_is_larger ? a : b, of());
      ASSERT_SAME(cpu::minimum(a, b), a_is_larger ? b : a, of());
    }
  }
  const T nan(std::numeric_limits<float>::quiet_NaN());
  EXPECT_FALSE(cpu::eq(nan, nan));
  EXPECT_TRUE(cpu::ne(nan, nan));
  EXPECT_TRUE(same(cpu::maximum(T(-0.0F), T(0.0F)), T(0.0F)));
  EXPECT_TRUE(same(cpu::minimum(T(0.0F), T(-0.0F)), T(-0.0F)));
}

TYPED_TEST(Floats, Where) {
  const TypeParam one(1.0F), nan(std::numeric_limits<float>::quiet_NaN());
  EXPECT_TRUE(same(cpu::where(true, one, nan), one));
  EXPECT_TRUE(same(cpu::where(false, one, nan), nan));
}

TEST(FloatExamples, NarrowTypesRoundEachOperation) {
  // 2048 + 1 is a tie of f16 and goes back to 2048; in float the chain would reach 2050.
  const f16 big(2048.0F), one(1.0F);
  EXPECT_EQ(static_cast<float>(cpu::add(cpu::add(big, one), one)), 2048.0F);
  EXPECT_EQ(cpu::mul(f16(300.0F), f16(300.0F)).bits, 0x7c00);
}

} // namespace
} // namespace tegula::test
