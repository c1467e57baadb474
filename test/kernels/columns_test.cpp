// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "columns.h"

#include "reduction_reference.h"

using namespace tegula::test;
using tegula::array;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

/// Around where two passes begin, 512 rows, and where columns are few; rows that are no multiple of a chunk.
const std::vector<tegula::shape<2>> shapes = {{0, 5},    {513, 0},   {511, 129},  {512, 1},    {1000, 7},
                                              {5000, 8}, {2051, 63}, {1030, 127}, {777, 1000}, {40001, 12}};

/// A reference of each column, which is read row by row.
template <class T> std::vector<Reference<T>> references(const array<const T, 2> &x) {
  std::vector<Reference<T>> result(static_cast<std::size_t>(x.dim(1)));
  for (std::int64_t i = 0; i < x.dim(0); ++i)
    for (std::int64_t j = 0; j < x.dim(1); ++j)
      result[static_cast<std::size_t>(j)].add(x(i, j));
  return result;
}

template <class T, class Entry> void check(Entry entry, const array<const T, 2> &x, const array<const T, 2> &there) {
  const auto of = references<T>(x);
  const auto at = [&](auto i) -> const Reference<T> & { return of[static_cast<std::size_t>(i[0])]; };
  const std::int64_t n = x.dim(1);
  auto sum = poisoned<T, 1>({n}, there.device()), product = poisoned<T, 1>({n}, there.device());
  auto greatest = poisoned<T, 1>({n}, there.device()), least = poisoned<T, 1>({n}, there.device());
  entry(there, sum, product, greatest, least, {});
  expect_agrees("sum", sum, [&](auto i) { return at(i).sum(); });
  expect_agrees("product", product, [&](auto i) { return at(i).product(); });
  expect_agrees("max", greatest, [&](auto i) { return at(i).greatest(); });
  expect_agrees("min", least, [&](auto i) { return at(i).least(); });
}

template <class T, class Entry> void check(Entry entry) {
  for (const auto &dims : shapes) {
    SCOPED_TRACE(to_string(dims));
    const auto x = factors<T>(dims);
    on_every_device([&](auto where) { check<T>(entry, x.view(), x.to(where).view()); });
  }
}

} // namespace

TEST(Columns, OfEveryType) {
  check<std::uint8_t>(columns_u8);
  check<std::int32_t>(columns_s32);
  check<f16>(columns_f16);
  check<bf16>(columns_bf16);
  check<float>(columns_f32);
  check<double>(columns_f64);
}

TEST(Columns, OfViews) {
  // Not aligned, with gaps between rows, every second column, transposed.
  const auto x = factors<float>({1300, 1300});
  on_every_device([&](auto where) {
    const auto x_there = x.to(where);
    const auto both = [&](auto view) { check<float>(columns_f32, view(x.view()), view(x_there.view())); };
    both([](auto a) { return a.slice(0, 1, 1100).slice(1, 1, 129); });
    both([](auto a) { return a.slice(0, 0, 600, 2).slice(1, 4, 1000); });
    both([](auto a) { return a.slice(0, 7, 1030).slice(1, 0, 600, 2); });
    both([](auto a) { return a.permuted(1, 0).slice(0, 3, 777).slice(1, 0, 65); });
  });
}

TEST(Columns, SpecialValues) {
  // A special value somewhere in each column, which a chunk in the middle or the last one has.
  const auto special = special_values<float>();
  const auto n = static_cast<std::int64_t>(special.size());
  for (const std::int64_t repeat : {1, 9}) {
    auto x = factors<float>({3001, n * repeat});
    for (std::int64_t j = 0; j < n * repeat; ++j)
      x(j % 2 == 0 ? 3000 : 1400, j) = special[static_cast<std::size_t>(j % n)];
    const auto of = references<float>(x.view());
    const auto at = [&](auto i) -> const Reference<float> & { return of[static_cast<std::size_t>(i[0])]; };
    on_every_device([&](auto where) {
      auto sum = poisoned<float, 1>({x.dim(1)}, where), product = poisoned<float, 1>({x.dim(1)}, where);
      auto greatest = poisoned<float, 1>({x.dim(1)}, where), least = poisoned<float, 1>({x.dim(1)}, where);
      columns_f32(x.to(where), sum, product, greatest, least, {});
      // Where a product of the greatest number overflows is the order's affair.
      expect_all(
          "sum", sum, [&](auto i) { return at(i).sum(); },
          [](float a, auto b) { return (std::isfinite(b.value) && std::abs(b.value) > 1e30) || agrees(a, b); });
      expect_agrees("max", greatest, [&](auto i) { return at(i).greatest(); });
      expect_agrees("min", least, [&](auto i) { return at(i).least(); });
      expect_same("product is NaN", product,
                  [&](auto i) { return std::isnan(at(i).product().value) ? NAN : product.to_host()(i[0]); });
    });
  }
}

TEST(Columns, OfBools) {
  for (const auto &dims : {tegula::shape<2>(600, 3), tegula::shape<2>(5000, 129)})
    for (const float limit : {-14.0F, 14.0F, 100.0F}) {
      const auto x = random<float>(dims);
      std::vector<bool> any(static_cast<std::size_t>(dims[1]), false), all(static_cast<std::size_t>(dims[1]), true);
      for (std::int64_t i = 0; i < x.size(); ++i) {
        const auto column = static_cast<std::size_t>(i % dims[1]);
        any[column] = any[column] || x.data()[i] > limit;
        all[column] = all[column] && x.data()[i] > limit;
      }
      on_every_device([&](auto where) {
        auto any_there = poisoned<bool, 1>({dims[1]}, where), all_there = poisoned<bool, 1>({dims[1]}, where);
        columns_above(x.to(where), limit, any_there, all_there, {});
        expect_same("any", any_there, [&](auto i) -> bool { return any[static_cast<std::size_t>(i[0])]; });
        expect_same("all", all_there, [&](auto i) -> bool { return all[static_cast<std::size_t>(i[0])]; });
      });
    }
}

TEST(Columns, WeightGradients) {
  for (const auto &dims : {tegula::shape<2>(100, 129), tegula::shape<2>(1000, 63), tegula::shape<2>(2049, 1024)}) {
    const auto dy = random<bf16>(dims), x = random<bf16>(dims);
    const auto mean = random<float, 1>({dims[0]}), rstd = random<float, 1>({dims[0]});
    std::vector<double> weight(static_cast<std::size_t>(dims[1])), size = weight, bias = weight, size_of_bias = weight;
    for (std::int64_t i = 0; i < dims[0]; ++i)
      for (std::int64_t j = 0; j < dims[1]; ++j) {
        const auto column = static_cast<std::size_t>(j);
        const double g = wide(dy(i, j)), term = g * (wide(x(i, j)) - wide(mean(i))) * wide(rstd(i));
        weight[column] += term;
        size[column] += std::abs(g) * (std::abs(wide(x(i, j))) + std::abs(wide(mean(i)))) * std::abs(wide(rstd(i)));
        bias[column] += g;
        size_of_bias[column] += std::abs(g);
      }
    // Three roundings a term, and the additions.
    const double step = gamma(static_cast<double>(dims[0] + 3), unit_roundoff<float>());
    on_every_device([&](auto where) {
      auto dweight = poisoned<float, 1>({dims[1]}, where), dbias = poisoned<float, 1>({dims[1]}, where);
      weight_gradients(dy.to(where), x.to(where), mean.to(where), rstd.to(where), dweight, dbias, {});
      const auto near = [&](const std::vector<double> &values, const std::vector<double> &sizes, auto i) {
        const auto column = static_cast<std::size_t>(i[0]);
        return Near<float>{values[column], step * sizes[column]};
      };
      expect_agrees("dweight", dweight, [&](auto i) { return near(weight, size, i); });
      expect_agrees("dbias", dbias, [&](auto i) { return near(bias, size_of_bias, i); });
    });
  }
}

TEST(Columns, BesideElements) {
  for (const auto &dims : {tegula::shape<2>(300, 7), tegula::shape<2>(1027, 33), tegula::shape<2>(2048, 256)}) {
    const auto x = random<float>(dims);
    auto squares = make<float, 2>(dims, [&](std::int64_t i) { return x.data()[i] * x.data()[i]; });
    const auto of = references<float>(x.view()), of_squares = references<float>(squares.view());
    const auto rows = static_cast<double>(dims[0]);
    const auto over = [&](const Reference<float> &reference) {
      const auto sum = reference.sum(); // And a division.
      return Near<float>{sum.value / rows,
                         sum.error / rows * 1.001 + unit_roundoff<float>() * std::abs(sum.value / rows)};
    };
    on_every_device([&](auto where) {
      auto mean = poisoned<float, 1>({dims[1]}, where), square = poisoned<float, 1>({dims[1]}, where);
      auto twice = poisoned<float, 2>(dims, where);
      column_statistics(x.to(where), mean, square, twice, {});
      expect_agrees("mean", mean, [&](auto i) { return over(of[static_cast<std::size_t>(i[0])]); });
      expect_agrees("square", square, [&](auto i) { return over(of_squares[static_cast<std::size_t>(i[0])]); });
      expect_same("twice", twice, [&](auto i) { return 2 * x(i[0], i[1]); });
    });
  }
}

TEST(Columns, OfThreeDimensions) {
  for (const auto &dims : {tegula::shape<3>(3, 700, 129), tegula::shape<3>(600, 5, 7), tegula::shape<3>(33, 1000, 64),
                           tegula::shape<3>(2, 5000, 3)}) {
    const auto x = random<float>(dims);
    std::vector<Reference<float>> of_last(static_cast<std::size_t>(dims[2])),
        of_outer(static_cast<std::size_t>(dims[0] * dims[2]));
    for (std::int64_t i = 0; i < x.size(); ++i) {
      const auto at = unravel(i, dims);
      of_last[static_cast<std::size_t>(at[2])].add(x.data()[i]);
      of_outer[static_cast<std::size_t>(at[0] * dims[2] + at[2])].add(x.data()[i]);
    }
    on_every_device([&](auto where) {
      auto last = poisoned<float, 1>({dims[2]}, where);
      auto outer = poisoned<float, 2>({dims[0], dims[2]}, where);
      of_three(x.to(where), last, outer, {});
      expect_agrees("sum<0, 1>", last, [&](auto i) { return of_last[static_cast<std::size_t>(i[0])].sum(); });
      expect_agrees("sum<1>", outer,
                    [&](auto i) { return of_outer[static_cast<std::size_t>(i[0] * dims[2] + i[1])].sum(); });
    });
  }
}

TEST(Columns, OfMatrices) {
  for (const auto &dims : {tegula::shape<2>(7, 127), tegula::shape<2>(2, 70001), tegula::shape<2>(1000, 129),
                           tegula::shape<2>(70001, 3)}) {
    auto x = random<float>(dims);
    x(0, 0) = 64; // Somewhat greater than all others, and a power of two.
    Reference<float> reference;
    for (std::int64_t i = 0; i < x.size(); ++i)
      reference.add(x.data()[i]);
    on_every_device([&](auto where) {
      auto sum = poisoned<float, 0>({}, where), greatest = poisoned<float, 0>({}, where);
      auto part = poisoned<float, 2>(dims, where);
      of_matrix(x.to(where), sum, greatest, part, {});
      expect_agrees("sum", sum, [&](auto) { return reference.sum(); });
      expect_agrees("max", greatest, [&](auto) { return reference.greatest(); });
      expect_same("part", part, [&](auto i) { return x(i[0], i[1]) / 64; });
    });
  }
}
