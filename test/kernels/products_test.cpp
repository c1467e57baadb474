// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "products.h"

#include "hopper.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

struct Sizes {
  std::int64_t m, n, k;
};
/// Around the sizes of tiles and steps. TMA takes rows of a multiple of 8 elements, and nothing empty: the others are
/// multiplied without it.
const std::vector<Sizes> sizes = {{1, 8, 8},       {7, 16, 64},    {63, 72, 56},   {128, 256, 64}, {129, 264, 72},
                                  {127, 248, 136}, {65, 129, 127}, {65, 129, 128}, {3, 5, 0},      {0, 16, 8},
                                  {8, 0, 8},       {300, 40, 200}, {136, 200, 72}};

template <class T> buffer<T, 2> matrix(std::int64_t rows, std::int64_t columns) {
  return make<T, 2>({rows, columns}, [](std::int64_t) { return static_cast<T>(random_value<float>()); });
}

/// What tensor cores sum, rounded to the result's type once more.
template <class T, class Result> Near<Result> near(const MatrixProduct &reference, std::int64_t i, std::int64_t j) {
  const auto sum = reference.template at<T>(i, j);
  const double half =
      std::is_same_v<Result, float> ? 0 : std::ldexp(std::abs(sum.value) + sum.error, -digits<Result>());
  return {sum.value, sum.error + half};
}

template <class T, class Result, class Entry> void check(Entry entry, bool a_is = false, bool b_is = false) {
  for (const auto &[m, n, k] : sizes) {
    SCOPED_TRACE("product of " + std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k));
    const auto a = a_is ? matrix<T>(k, m) : matrix<T>(m, k), b = b_is ? matrix<T>(n, k) : matrix<T>(k, n);
    const auto reference = reference_of(exact(a, a_is), exact(b, b_is));
    on_every_device([&](auto where) {
      expect_agrees("a b", entry(a.to(where), b.to(where), {}),
                    [&](auto i) { return near<T, Result>(reference, i[0], i[1]); });
    });
  }
}

} // namespace

TEST(Products, ByStepsOfALoop) {
  check<bf16, bf16>(steps_bf16_128_256_64);
  check<f16, float>(steps_f16_64_64_32);
  check<bf16, float>(steps_bf16_32_96_16);
  check<f16, f16>(steps_f16_256_384_64);
}

TEST(Products, OfWholeRows) { check<bf16, float>(product_of_rows); }

TEST(Products, OfTransposed) {
  check<bf16, bf16>(bf16_at_b, true, false);
  check<bf16, bf16>(bf16_a_bt, false, true);
  check<bf16, bf16>(bf16_at_bt, true, true);
}

TEST(Products, OfBlocksOfAnySize) { check<bf16, bf16>(product_of_quarters); }

TEST(Products, WithAnEpilogue) {
  for (const auto &[m, n, k] : sizes) {
    const auto a = matrix<f16>(m, k), b = matrix<f16>(k, n);
    const auto c = matrix<float>(m, n);
    const auto bias = random<float, 1>({n});
    const auto ab = reference_of(exact(a), exact(b));
    on_every_device([&](auto where) {
      const auto o = product_with_bias(a.to(where), b.to(where), bias.to(where), c.to(where));
      expect_agrees("product with bias", o, [&](auto i) {
        const double with_bias = ab.values(i[0], i[1]) + wide(bias(i[1])),
                     sum = std::max(with_bias, 0.0) + wide(c(i[0], i[1]));
        const double error = tensor_core_error<f16, float>(ab.depth, ab.largest(i[0], i[1])) +
                             0x1p-23 * (std::abs(with_bias) + std::abs(sum));
        return Near<float>{sum, error};
      });
    });
  }
}

TEST(Products, OfBatches) {
  for (const auto &[m, n, k] : {Sizes{129, 136, 72}, Sizes{64, 8, 64}, Sizes{5, 7, 9}}) {
    const auto a = make<bf16, 3>({3, m, k}, [](std::int64_t) { return static_cast<bf16>(random_value<float>()); });
    const auto b = make<bf16, 3>({3, k, n}, [](std::int64_t) { return static_cast<bf16>(random_value<float>()); });
    std::vector<MatrixProduct> references;
    for (std::int64_t l = 0; l < 3; ++l) {
      auto left = buffer<bf16, 2>::empty({m, k}), right = buffer<bf16, 2>::empty({k, n});
      std::copy_n(a.data() + l * m * k, m * k, left.data());
      std::copy_n(b.data() + l * k * n, k * n, right.data());
      references.push_back(reference_of(exact(left), exact(right)));
    }
    on_every_device([&](auto where) {
      expect_agrees("batches", batched_product(a.to(where), b.to(where)),
                    [&](auto i) { return references[static_cast<std::size_t>(i[0])].template at<bf16>(i[1], i[2]); });
    });
  }
}

// Behind what is summed, and behind what is stored, there is NaN.
TEST(Products, OfPartsOfArrays) {
  const auto nan = static_cast<bf16>(std::numeric_limits<float>::quiet_NaN());
  for (const std::int64_t depth : {0, 1, 63, 64, 72, 130}) {
    auto a = matrix<bf16>(70, 136), b = matrix<bf16>(136, 88);
    for (std::int64_t k = depth; k < 136; ++k) {
      for (std::int64_t i = 0; i < 70; ++i)
        a(i, k) = nan;
      for (std::int64_t j = 0; j < 88; ++j)
        b(k, j) = nan;
    }
    on_every_device([&](auto where) {
      const auto reference = [&] {
        auto left = buffer<bf16, 2>::empty({70, depth}), right = buffer<bf16, 2>::empty({depth, 88});
        for (std::int64_t k = 0; k < depth; ++k) {
          for (std::int64_t i = 0; i < 70; ++i)
            left(i, k) = a(i, k);
          for (std::int64_t j = 0; j < 88; ++j)
            right(k, j) = b(k, j);
        }
        return reference_of(exact(left), exact(right));
      }();
      expect_agrees("first columns", product_of_first(a.to(where), b.to(where), depth),
                    [&](auto i) { return reference.template at<bf16>(i[0], i[1]); });
    });
  }
  for (const std::int64_t rows : {1, 64, 100}) {
    const std::int64_t columns = 2 * rows;
    auto a = matrix<bf16>(130, 72), b = matrix<bf16>(72, 264);
    const auto reference = reference_of(exact(a), exact(b));
    for (std::int64_t k = 0; k < 72; ++k) {
      for (std::int64_t i = rows; i < 130; ++i)
        a(i, k) = nan;
      for (std::int64_t j = columns; j < 264; ++j)
        b(k, j) = nan;
    }
    on_every_device([&](auto where) {
      expect_agrees("a part", product_of_part(a.to(where), b.to(where), rows, columns),
                    [&](auto i) { return reference.template at<bf16>(i[0], i[1]); });
    });
  }
}
