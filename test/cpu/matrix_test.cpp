// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/cpu/matrix.h"

#include "element_types.h"

#include <gtest/gtest.h>

#include <random>

namespace tegula::test {
namespace {

std::mt19937 &generator() {
  static std::mt19937 g(11);
  return g;
}

/// Small integers, which every element type holds: sums are exact in every order.
template <class T, int Rank> cpu::tile<T, Rank> random(const shape<Rank> &dims) {
  cpu::tile<T, Rank> result(dims, T{});
  for (std::int64_t i = 0; i < result.size(); ++i)
    result.view().data()[i] = static_cast<T>(static_cast<int>(generator()() % 8));
  return result;
}

template <class T> class Products : public testing::Test {};
TYPED_TEST_SUITE(Products, NumberTypes);

TYPED_TEST(Products, OfMatrices) {
  using T = TypeParam;
  using Sum = cpu::detail::summed_t<T>;
  const std::vector<shape<3>> sizes = {{0, 3, 4},   {3, 0, 4},  {3, 4, 0},   {1, 1, 1},
                                       {5, 17, 31}, {7, 64, 3}, {2, 15, 100}};
  for (const auto &size : sizes) {
    const std::int64_t m = size[0], n = size[1], k = size[2];
    const auto a = random<T, 2>({m, k}), b = random<T, 2>({n, k});
    const auto c = random<Sum, 2>({m, n});
    const auto plain = cpu::dot(a, b.view().transpose({1, 0})), added = cpu::dot(a, b.view().transpose({1, 0}), c);
    static_assert(std::is_same_v<decltype(plain), const cpu::tile<Sum, 2>>);
    ASSERT_TRUE(plain.dims() == c.dims() && added.dims() == c.dims());
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        int sum = 0;
        for (std::int64_t p = 0; p < k; ++p)
          sum += static_cast<int>(a(i, p)) * static_cast<int>(b(j, p));
        const auto place = [&i, &j] { return "element " + std::to_string(i) + " " + std::to_string(j); };
        ASSERT_SAME(plain(i, j), static_cast<Sum>(sum), place());
        ASSERT_SAME(added(i, j), static_cast<Sum>(sum + static_cast<int>(c(i, j))), place());
      }
  }
}

TEST(Products, OfBatches) {
  const auto a = random<float, 4>({2, 3, 5, 7});
  const auto b = random<float, 4>({2, 3, 7, 4});
  const auto c = cpu::dot(a, b);
  ASSERT_TRUE(c.dims() == (shape<4>{2, 3, 5, 4}));
  for (std::int64_t x = 0; x < 2; ++x)
    for (std::int64_t y = 0; y < 3; ++y)
      for (std::int64_t i = 0; i < 5; ++i)
        for (std::int64_t j = 0; j < 4; ++j) {
          float sum = 0;
          for (std::int64_t p = 0; p < 7; ++p)
            sum += a(x, y, i, p) * b(x, y, p, j);
          ASSERT_EQ(c(x, y, i, j), sum);
        }
  EXPECT_EQ(cpu::dot(random<float, 3>({0, 5, 7}), random<float, 3>({0, 7, 4})).size(), 0);
}

// What is 0 times infinity is NaN; columns beside it stay.
TEST(Products, OfSpecialValues) {
  cpu::tile<float, 2> a({1, 2}, 0.0F), b({2, 2}, 1.0F);
  b(1, 1) = std::numeric_limits<float>::infinity();
  const auto c = cpu::dot(a, b);
  EXPECT_EQ(c(0, 0), 0);
  EXPECT_TRUE(std::isnan(c(0, 1)));
}

// Integers wrap, in the type that they are summed in.
TEST(Products, Wrap) {
  const cpu::tile<std::uint16_t, 2> narrow({1, 1}, 65535);
  EXPECT_EQ(cpu::dot(narrow, narrow)(0, 0), static_cast<std::int32_t>(65535U * 65535U));
  const cpu::tile<std::int64_t, 2> wide({1, 1}, std::numeric_limits<std::int64_t>::min());
  const cpu::tile<std::int64_t, 2> three({1, 1}, 3);
  EXPECT_EQ(cpu::dot(wide, three)(0, 0), std::numeric_limits<std::int64_t>::min());
}

// A tile of one value that meets a smaller one at an edge counts as far as that goes.
TEST(Products, OfUnequalSizes) {
  const cpu::tile<float, 2> ones({4, 4}, 1.0F), edge({3, 2}, 1.0F), sum({8, 8}, 10.0F);
  EXPECT_TRUE(cpu::dot(ones, edge).dims() == (shape<2>{4, 2}));
  EXPECT_EQ(cpu::dot(ones, edge)(3, 1), 3);
  EXPECT_TRUE(cpu::dot(edge, ones, sum).dims() == (shape<2>{3, 4}));
  EXPECT_EQ(cpu::dot(edge, ones, sum)(2, 3), 12);
}

} // namespace
} // namespace tegula::test
