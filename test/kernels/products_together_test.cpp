// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "products_together.h"

#include "matrices.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

/// Around the sizes of tiles and steps. TMA takes rows of a multiple of 8 elements, and nothing empty: the others are
/// multiplied without it.
const std::vector<Sizes> sizes = {{1, 8, 8},    {7, 16, 64},     {63, 72, 48}, {128, 256, 128}, {129, 264, 144},
                                  {65, 129, 2}, {200, 136, 136}, {3, 5, 0},    {0, 16, 8},      {1000, 64, 64}};

/// Small, so that products of products fit f16.
template <class T> buffer<T, 2> small(std::int64_t rows, std::int64_t columns) {
  return matrix<T>(rows, columns, 1.0 / 8);
}

using Approximate = Near<float>;
Approximate operator*(const Approximate &a, const Approximate &b) {
  return {a.value * b.value, (std::abs(a.value) + a.error) * b.error + std::abs(b.value) * a.error +
                                 0x1p-23 * std::abs(a.value * b.value)};
}
/// silu has slopes up to 1.1; its arithmetic in f32 has some errors of rounding.
Approximate silu(const Approximate &x) {
  const double value = x.value / (1 + std::exp(-x.value));
  return {value, 1.1 * x.error + 0x1p-20 * (std::abs(value) + x.error)};
}
template <class T, class Entry> void check_gated(Entry entry, bool is_turned) {
  for (const auto &[m, n, k] : sizes) {
    SCOPED_TRACE(describe(m, n, k));
    const auto x = small<T>(m, k), w = small<T>(k, n), v = is_turned ? small<T>(n, k) : small<T>(k, n);
    const auto gate = reference_of(exact(x), exact(w)), up = reference_of(exact(x), exact(v, is_turned));
    on_every_device([&](auto where) {
      expect_agrees("silu(x w) (x v)", entry(x.to(where), w.to(where), v.to(where), {}), [&](auto i) {
        return rounded<T>(silu(gate.template at<T>(i[0], i[1])) * up.template at<T>(i[0], i[1]));
      });
    });
  }
}

/// The largest magnitude, and the sum, of a row of a block of so many columns.
struct RowStatistics {
  Approximate greatest, sum;
};
RowStatistics statistics_of(const MatrixProduct &of, std::int64_t row, std::int64_t block, std::int64_t columns) {
  RowStatistics found{};
  double magnitudes = 0;
  const std::int64_t end = std::min(of.values.dim(1), (block + 1) * columns);
  for (std::int64_t j = block * columns; j < end; ++j) {
    const Approximate each = of.at<bf16>(row, j);
    if (std::abs(each.value) > found.greatest.value)
      found.greatest.value = std::abs(each.value);
    found.greatest.error = std::max(found.greatest.error, each.error);
    found.sum.value += each.value;
    magnitudes += std::abs(each.value) + each.error;
    found.sum.error += each.error;
  }
  found.sum.error += static_cast<double>(columns) * 0x1p-24 * magnitudes;
  return found;
}

template <class Entry> void check_statistics(Entry entry, std::int64_t columns) {
  for (const auto &[m, n, k] : sizes) {
    SCOPED_TRACE(describe(m, n, k));
    const auto a = small<bf16>(m, k), b = small<bf16>(k, n);
    const auto reference = reference_of(exact(a), exact(b));
    const std::int64_t blocks = (n + columns - 1) / columns;
    on_every_device([&](auto where) {
      auto o = poisoned<bf16, 2>({m, n}, where);
      auto greatest = poisoned<float, 2>({m, blocks}, where), sums = poisoned<float, 2>({m, blocks}, where);
      entry(a.to(where), b.to(where), o, greatest, sums, {});
      expect_agrees("a b", o, [&](auto i) { return rounded<bf16>(reference.at<bf16>(i[0], i[1])); });
      expect_agrees("greatest", greatest,
                    [&](auto i) { return rounded<float>(statistics_of(reference, i[0], i[1], columns).greatest); });
      expect_agrees("sums", sums,
                    [&](auto i) { return rounded<float>(statistics_of(reference, i[0], i[1], columns).sum); });
    });
  }
}

} // namespace

TEST(ProductsTogether, Gated) {
  check_gated<bf16>(gated_bf16, false);
  check_gated<f16>(gated_f16_64_256_32, false);
  check_gated<bf16>(gated_of_rows, true);
}

TEST(ProductsTogether, OfOneSum) {
  for (const auto &[m, n, k] : sizes) {
    const auto a = small<bf16>(m, 2 * k), b = small<bf16>(2 * k, n), c = small<bf16>(m, k), d = small<bf16>(k, n);
    const auto ab = reference_of(exact(a), exact(b)), cd = reference_of(exact(c), exact(d));
    on_every_device([&](auto where) {
      const auto sum = sum_of_products(a.to(where), b.to(where), c.to(where), d.to(where));
      expect_agrees("a b + c d", sum, [&](auto i) {
        const double largest = ab.largest(i[0], i[1]) + cd.largest(i[0], i[1]);
        return Near<float>{ab.values(i[0], i[1]) + cd.values(i[0], i[1]),
                           tensor_core_error<bf16, float>(3 * k, largest)};
      });
    });
  }
}

TEST(ProductsTogether, OfOneFactor) {
  for (const auto &[m, n, k] : sizes) {
    const auto a = small<f16>(m, k), c = small<f16>(m, k), w = small<f16>(k, n);
    const auto left = reference_of(exact(a), exact(w)), right = reference_of(exact(c), exact(w));
    on_every_device([&](auto where) {
      expect_agrees("(a w) (c w)", product_of_products(a.to(where), c.to(where), w.to(where)),
                    [&](auto i) { return rounded<float>(left.at<f16>(i[0], i[1]) * right.at<f16>(i[0], i[1])); });
    });
  }
}

TEST(ProductsTogether, WithResultsOfTheirOwn) {
  for (const auto &[m, n, k] : sizes) {
    const auto x = small<bf16>(m, k), u = small<bf16>(k, n), v = small<bf16>(k, n), w = small<bf16>(k, n);
    const auto xu = reference_of(exact(x), exact(u)), xv = reference_of(exact(x), exact(v)),
               xw = reference_of(exact(x), exact(w));
    on_every_device([&](auto where) {
      auto q = poisoned<bf16, 2>({m, n}, where), l = poisoned<bf16, 2>({m, n}, where);
      auto o = poisoned<float, 2>({m, n}, where);
      three_products(x.to(where), u.to(where), v.to(where), w.to(where), q, l, o);
      const auto is = [](const MatrixProduct &of, auto i) { return of.at<bf16>(i[0], i[1]); };
      expect_agrees("x u", q, [&](auto i) { return rounded<bf16>(is(xu, i)); });
      expect_agrees("x v", l, [&](auto i) { return rounded<bf16>(is(xv, i)); });
      expect_agrees("x w", o, [&](auto i) { return rounded<float>(is(xw, i)); });
    });
  }
}

TEST(ProductsTogether, AndStatisticsOfRows) {
  check_statistics(statistics_128_128, 128);
  check_statistics(statistics_256_64, 64);
  check_statistics(statistics_64_256, 256);
}
