// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu/product.h"
#include "support.h"

namespace explicit_level {
namespace {

using tegula::f16;
using tegula::cpu::accumulator;

/// Matrices in shared memory, where products see them.
template <class T> auto in_shared(thread &self, int number, const matrix<T> &values) {
  const auto place = self.shared<T, 2>(at(1), number, {values.rows, values.columns});
  const auto out = self.write(at(2), place);
  for (std::int64_t i = 0; i < values.rows; ++i)
    for (std::int64_t j = 0; j < values.columns; ++j)
      out(i, j) = values.at(i, j);
  self.fence_shared(at(3));
  return place;
}

/// Sums in the order of the contracted index, from `initial`.
template <class T> float sum_at(const matrix<T> &a, const matrix<T> &b, std::int64_t i, std::int64_t j, float initial) {
  float sum = initial;
  for (std::int64_t k = 0; k < a.columns; ++k)
    sum += static_cast<float>(a.at(i, k)) * static_cast<float>(b.at(k, j));
  return sum;
}

TEST(ExplicitProduct, OverwritesWhatItDoesNotAddTo) {
  const auto a = random_matrix<bf16>(64, 16, 1), b = random_matrix<bf16>(16, 8, 2);
  under_all_seeds([&] {
    launch{"overwrite", {1}}.run([&](thread &self) {
      const auto as = in_shared(self, 0, a), bs = in_shared(self, 1, b);
      accumulator<float> sum({64, 8}, std::nanf(""));
      const accumulator<float> before = sum;
      self.wgmma(at(4), sum, as, bs, false);
      self.wgmma_wait(at(5), 0);
      EXPECT_EQ(sum(63, 7), sum_at(a, b, 63, 7, 0));
      EXPECT_TRUE(std::isnan(before(63, 7)));
      self.wgmma(at(6), sum, as, bs, true);
      self.wgmma_wait(at(7), 0);
      EXPECT_EQ(sum(5, 3), sum_at(a, b, 5, 3, sum_at(a, b, 5, 3, 0)));
    });
  });
}

TEST(ExplicitProduct, TakesNoOtherTypes) {
  using tegula::dtype;
  EXPECT_TRUE(tegula::cpu::detail::can_multiply(dtype::f32, dtype::e4m3, dtype::e5m2));
  EXPECT_TRUE(tegula::cpu::detail::can_multiply(dtype::s32, dtype::s8, dtype::u8));
  EXPECT_FALSE(tegula::cpu::detail::can_multiply(dtype::f32, dtype::f16, dtype::bf16));
  EXPECT_FALSE(tegula::cpu::detail::can_multiply(dtype::f32, dtype::u8, dtype::u8));
  EXPECT_FALSE(tegula::cpu::detail::can_multiply(dtype::f16, dtype::bf16, dtype::bf16));
  matrix<double> a(8, 8);
  tegula::cpu::detail::accumulation sum(dtype::f32, 8, 8);
  const auto values = tegula::cpu::region_of(a.view());
  try {
    tegula::cpu::detail::multiply(values, values, sum);
    FAIL() << "f64 was taken for something else";
  } catch (const tegula::error &e) {
    EXPECT_STREQ(e.what(), "internal error: no product takes matrices of f64");
  }
}

TEST(ExplicitProduct, SumsInOrder) {
  for (const std::int64_t columns : {8, 16, 24, 256}) {
    const auto a = random_matrix<bf16>(64, 48, 1), b = random_matrix<bf16>(48, columns, 2);
    launch{"sum", {1}}.run([&](thread &self) {
      const auto as = in_shared(self, 0, a), bs = in_shared(self, 1, b);
      accumulator<float> sum({64, columns}, 0.5F);
      self.wgmma(at(4), sum, as, bs);
      self.wgmma_wait(at(5), 0);
      for (std::int64_t i = 0; i < 64; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
          ASSERT_EQ(sum(i, j), sum_at(a, b, i, j, 0.5F));
    });
  }
}

TEST(ExplicitProduct, TakesTransposedViewsAndRegisters) {
  const auto a = random_matrix<f16>(64, 32, 1), b = random_matrix<f16>(32, 24, 2);
  matrix<f16> at_(32, 64), bt(24, 32);
  for (std::int64_t k = 0; k < 32; ++k) {
    for (std::int64_t i = 0; i < 64; ++i)
      at_.view()(k, i) = a.at(i, k);
    for (std::int64_t j = 0; j < 24; ++j)
      bt.view()(j, k) = b.at(k, j);
  }
  launch{"views", {1}}.run([&](thread &self) {
    const auto as = in_shared(self, 0, at_).transpose({1, 0}), bs = in_shared(self, 1, bt).transpose({1, 0});
    tegula::cpu::tile<f16, 2> registers({64, 32});
    for (std::int64_t i = 0; i < 64 * 32; ++i)
      registers(i / 32, i % 32) = a.at(i / 32, i % 32);
    accumulator<float> shared({64, 24}, 0.0F), held({64, 24}, 0.0F);
    self.wgmma(at(4), shared, as, bs);
    self.wgmma(at(5), held, registers, bs);
    registers = tegula::cpu::tile<f16, 2>({64, 32}, f16(7)); // Another value; the product has the one before.
    self.wgmma_wait(at(6), 0);
    for (std::int64_t i = 0; i < 64; ++i)
      for (std::int64_t j = 0; j < 24; ++j) {
        ASSERT_EQ(shared(i, j), sum_at(a, b, i, j, 0.0F));
        ASSERT_EQ(held(i, j), sum_at(a, b, i, j, 0.0F));
      }
  });
}

TEST(ExplicitProduct, OfF16AccumulatesInF16) {
  const auto a = random_matrix<f16>(64, 16, 1), b = random_matrix<f16>(16, 8, 2);
  launch{"narrow", {1}}.run([&](thread &self) {
    const auto as = in_shared(self, 0, a), bs = in_shared(self, 1, b);
    accumulator<f16> sum({64, 8}, f16(1));
    self.wgmma(at(4), sum, as, bs);
    self.wgmma_wait(at(5), 0);
    for (std::int64_t i = 0; i < 64; ++i)
      for (std::int64_t j = 0; j < 8; ++j)
        ASSERT_EQ(sum(i, j).bits, f16(sum_at(a, b, i, j, 1.0F)).bits);
  });
}

TEST(ExplicitProduct, IsNotThereUntilItIsWaitedFor) {
  under_all_seeds([] {
    const matrix<bf16> ones(64, 64, bf16(1));
    launch{"pending", {1}}.run([&](thread &self) {
      const auto xs = in_shared(self, 0, ones);
      accumulator<float> first({64, 64}, 1.0F), second({64, 64}, 2.0F);
      self.wgmma(at(4), first, xs, xs);
      self.wgmma(at(5), second, xs, xs);
      EXPECT_TRUE(std::isnan(first(3, 3)) && std::isnan(second(3, 3)));
      self.wgmma_wait(at(6), 1);
      EXPECT_EQ(first(3, 3), 65.0F);
      EXPECT_TRUE(std::isnan(second.view()(3, 3)));
      self.wgmma(at(7), first, xs, xs);
      self.wgmma_wait(at(8), 1);
      EXPECT_TRUE(std::isnan(first.value()(3, 3)));
      EXPECT_EQ(second(3, 3), 66.0F);
      self.wgmma_wait(at(9), 0);
      EXPECT_EQ(first(3, 3), 129.0F);
    });
  });
}

TEST(ExplicitProduct, AccumulatorsAreValues) {
  under_all_seeds([] {
    const matrix<bf16> ones(64, 64, bf16(1));
    launch{"values", {1}}.run([&](thread &self) {
      const auto xs = in_shared(self, 0, ones);
      accumulator<float> sum({64, 64}, 0.0F);
      const accumulator<float> start = sum;
      self.wgmma(at(4), sum, xs, xs);
      accumulator<float> branch = sum; // While products are in flight.
      self.wgmma(at(5), branch, xs, xs);
      self.wgmma(at(6), sum, xs, xs);
      self.wgmma(at(7), sum, xs, xs);
      EXPECT_EQ(start(1, 2), 0.0F);
      self.wgmma_wait(at(8), 0);
      EXPECT_EQ(start(1, 2), 0.0F);
      EXPECT_EQ(branch(1, 2), 128.0F);
      EXPECT_EQ(sum(1, 2), 192.0F);
    });
  });
}

TEST(ExplicitProduct, AddsToPartsOfAccumulators) {
  const auto a = random_matrix<bf16>(64, 16, 1), b = random_matrix<bf16>(16, 8, 2);
  under_all_seeds([&] {
    launch{"parts", {1}}.run([&](thread &self) {
      const auto as = in_shared(self, 0, a), bs = in_shared(self, 1, b);
      accumulator<float> sum({128, 24}, 0.5F);
      self.wgmma(at(4), sum, as, bs, true, {64, 8});
      const accumulator<float> between = sum; // What follows adds to other elements.
      self.wgmma(at(5), sum, as, bs, false, {0, 16});
      EXPECT_TRUE(std::isnan(sum(64, 8)) && std::isnan(sum(127, 15)) && std::isnan(sum(63, 23)));
      EXPECT_TRUE(std::isnan(between(64, 8)));
      EXPECT_EQ(between(0, 16), 0.5F);
      self.wgmma_wait(at(6), 1);
      EXPECT_EQ(between(64, 8), sum_at(a, b, 0, 0, 0.5F));
      self.wgmma(at(7), sum, as, bs, true, {64, 8});
      self.wgmma_wait(at(8), 1); // The last one is in flight.
      EXPECT_TRUE(std::isnan(sum(100, 12)));
      for (std::int64_t i = 0; i < 64; ++i)
        for (std::int64_t j = 0; j < 24; ++j)
          ASSERT_EQ(sum(i, j), j < 16 ? 0.5F : sum_at(a, b, i, j - 16, 0.0F));
      self.wgmma_wait(at(9), 0);
      for (std::int64_t i = 64; i < 128; ++i)
        for (std::int64_t j = 0; j < 24; ++j) {
          const float once = sum_at(a, b, i - 64, j % 8, 0.5F);
          ASSERT_EQ(sum(i, j), j / 8 == 1 ? sum_at(a, b, i - 64, j - 8, once) : 0.5F);
          ASSERT_EQ(between(i, j), j / 8 == 1 ? once : 0.5F);
        }
    });
  });
}

TEST(ExplicitProduct, OfF16AddsToParts) {
  const auto a = random_matrix<f16>(64, 16, 1), b = random_matrix<f16>(16, 8, 2);
  launch{"narrow_parts", {1}}.run([&](thread &self) {
    const auto as = in_shared(self, 0, a), bs = in_shared(self, 1, b);
    accumulator<f16> sum({64, 16}, f16(1));
    self.wgmma(at(4), sum, as, bs, true, {0, 8});
    self.wgmma_wait(at(5), 0);
    for (std::int64_t i = 0; i < 64; ++i)
      for (std::int64_t j = 0; j < 16; ++j)
        ASSERT_EQ(sum(i, j).bits, f16(j < 8 ? 1.0F : sum_at(a, b, i, j - 8, 1.0F)).bits);
  });
}

TEST(ExplicitProduct, OfE4m3) {
  const auto a = random_matrix<tegula::e4m3>(64, 64, 1), b = random_matrix<tegula::e4m3>(64, 8, 2);
  launch{"narrow", {1}}.run([&](thread &self) {
    const auto as = in_shared(self, 0, a), bs = in_shared(self, 1, b);
    accumulator<float> sum({64, 8}, 0.0F);
    self.wgmma(at(4), sum, as, bs);
    self.wgmma_wait(at(5), 0);
    for (std::int64_t i = 0; i < 64; ++i)
      for (std::int64_t j = 0; j < 8; ++j)
        ASSERT_EQ(sum(i, j), sum_at(a, b, i, j, 0.0F));
  });
}

/// What a product reads is overwritten after `pending` products may be in flight.
int seeds_with_wrong_product(std::int64_t pending) {
  return count_seeds([&] {
    const matrix<bf16> ones(64, 64, bf16(1)), twos(64, 64, bf16(2));
    float result = 0;
    launch{"late", {1}}.run([&](thread &self) {
      const auto xs = in_shared(self, 0, ones);
      accumulator<float> sum({64, 64}, 0.0F);
      self.wgmma(at(4), sum, xs, xs);
      self.wgmma_wait(at(5), pending);
      in_shared(self, 0, twos);
      self.wgmma_wait(at(6), 0);
      result = sum(5, 5);
    });
    return result != 64.0F;
  });
}

TEST(ExplicitProduct, ReadsSharedMemoryLate) {
  EXPECT_EQ(seeds_with_wrong_product(0), 0);
  EXPECT_GE(seeds_with_wrong_product(1), seed_count / 2);
}

} // namespace
} // namespace explicit_level
