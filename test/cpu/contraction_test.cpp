// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "contraction.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tegula::test {
namespace {

template <class T> void expect_two_roundings(void (*chain)(const T *, const T *, const T *, T *, T *, T *, int)) {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("fma"))
    GTEST_SKIP() << "this processor has no FMA";
#endif
  std::mt19937 random(5);
  std::uniform_real_distribution<T> numbers(-2, 2);
  constexpr int n = 1000;
  std::vector<T> a(n), b(n), c(n), sum(n), difference(n), squared(n);
  for (int i = 0; i < n; ++i) {
    a[static_cast<std::size_t>(i)] = numbers(random);
    b[static_cast<std::size_t>(i)] = numbers(random);
    c[static_cast<std::size_t>(i)] = numbers(random);
  }
  chain(a.data(), b.data(), c.data(), sum.data(), difference.data(), squared.data(), n);
  int told_apart = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const volatile T product = a[i] * b[i], own_product = a[i] * a[i]; // rounded: volatile is stored
    EXPECT_EQ(sum[i], product + c[i]);
    EXPECT_EQ(difference[i], c[i] - product);
    EXPECT_EQ(squared[i], own_product - c[i]);
    told_apart += std::fma(a[i], b[i], c[i]) != sum[i] ? 1 : 0;
  }
  EXPECT_GT(told_apart, n / 20); // The numbers would show a fused product.
}

TEST(Contraction, ProductsAreRoundedInF32) { expect_two_roundings<float>(chain_f32); }
TEST(Contraction, ProductsAreRoundedInF64) { expect_two_roundings<double>(chain_f64); }

} // namespace
} // namespace tegula::test
