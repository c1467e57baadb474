// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/cpu/reduction.h"

#include "element_types.h"

#include <gtest/gtest.h>

namespace tegula::test {
namespace {

template <class Accumulator, class T> T of(std::initializer_list<T> elements) {
  Accumulator result;
  for (const T x : elements)
    result.add(x);
  return result.value();
}

template <class T> class IntegerReductions : public testing::Test {};
TYPED_TEST_SUITE(IntegerReductions, IntegerTypes);

TYPED_TEST(IntegerReductions, WrapAndHaveIdentities) {
  using T = TypeParam;
  EXPECT_EQ((of<cpu::sum<T>, T>({})), T{0});
  EXPECT_EQ((of<cpu::prod<T>, T>({})), T{1});
  EXPECT_EQ((of<cpu::max<T>, T>({})), std::numeric_limits<T>::min());
  EXPECT_EQ((of<cpu::min<T>, T>({})), std::numeric_limits<T>::max());
  for (const auto &[a, b] : interesting_pairs<T>()) {
    const auto pair = [&x = a, &y = b] { return show(x) + " and " + show(y); };
    ASSERT_SAME((of<cpu::sum<T>, T>({a, b, b})), cpu::add(cpu::add(a, b), b), pair());
    ASSERT_SAME((of<cpu::prod<T>, T>({a, b, b})), cpu::mul(cpu::mul(a, b), b), pair());
    ASSERT_SAME((of<cpu::max<T>, T>({a, b})), std::max(a, b), pair());
    ASSERT_SAME((of<cpu::min<T>, T>({a, b})), std::min(a, b), pair());
  }
}

template <class T> class FloatReductions : public testing::Test {};
TYPED_TEST_SUITE(FloatReductions, FloatTypes);

TYPED_TEST(FloatReductions, PropagateNaNAndHaveIdentities) {
  using T = TypeParam;
  const auto number = [](double x) { return static_cast<T>(x); };
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(same(of<cpu::sum<T>, T>({}), number(0)));
  EXPECT_TRUE(same(of<cpu::prod<T>, T>({}), number(1)));
  EXPECT_TRUE(same(of<cpu::max<T>, T>({}), number(-infinity)));
  EXPECT_TRUE(same(of<cpu::min<T>, T>({}), number(infinity)));
  for (const auto &[a, b] : interesting_pairs<T>()) {
    const auto pair = [&x = a, &y = b] { return show(x) + " and " + show(y); };
    ASSERT_SAME((of<cpu::max<T>, T>({a, b})), cpu::maximum(a, b), pair());
    ASSERT_SAME((of<cpu::min<T>, T>({b, a})), cpu::minimum(a, b), pair());
    // Zeros lose their sign to the 0 that a sum starts from. (long double would round double's results twice.)
    const T sum = std::is_same_v<T, double> ? cpu::add(a, b) : nearest<T>(exact_value(a) + exact_value(b));
    const T product = std::is_same_v<T, double> ? cpu::mul(a, b) : nearest<T>(exact_value(a) * exact_value(b));
    ASSERT_SAME((cpu::abs(of<cpu::sum<T>, T>({a, b}))), cpu::abs(sum), pair());
    ASSERT_SAME((of<cpu::prod<T>, T>({a, b})), product, pair());
  }
}

// One rounding at the end: small numbers add up although each alone is lost, and order does not matter.
TYPED_TEST(FloatReductions, RoundOnce) {
  using T = TypeParam;
  if (std::is_same_v<T, double>)
    return;
  const int digits = std::is_same_v<T, float> ? 24 : std::is_same_v<T, f16> ? 11 : 8;
  const auto large = static_cast<T>(std::ldexp(1.0, digits));
  cpu::sum<T> up, down;
  up.add(large);
  for (int i = 0; i < 64; ++i) {
    up.add(static_cast<T>(1.0));
    down.add(static_cast<T>(1.0));
  }
  down.add(large);
  const auto expected = static_cast<T>(std::ldexp(1.0, digits) + 64);
  EXPECT_TRUE(same(up.value(), expected));
  EXPECT_TRUE(same(down.value(), expected));
}

TEST(BoolReductions, AnyAndAll) {
  EXPECT_FALSE((of<cpu::any<bool>, bool>({})));
  EXPECT_TRUE((of<cpu::all<bool>, bool>({})));
  EXPECT_TRUE((of<cpu::any<bool>, bool>({false, true, false})));
  EXPECT_FALSE((of<cpu::any<bool>, bool>({false, false})));
  EXPECT_FALSE((of<cpu::all<bool>, bool>({true, false, true})));
  EXPECT_TRUE((of<cpu::all<bool>, bool>({true, true})));
}

} // namespace
} // namespace tegula::test
