// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "products_factors.h"

#include "matrices.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::e4m3;
using tegula::f16;

namespace {

struct PartSizes {
  std::int64_t m, n, k, more; ///< of k + more columns and rows, so many are multiplied
};
/// Around the sizes of tiles and steps; rows of a multiple of 16 bytes, which are copied as they are, and others.
const std::vector<PartSizes> sizes = {{1, 16, 16, 0},    {7, 16, 64, 16}, {63, 80, 48, 16}, {129, 256, 128, 0},
                                      {65, 129, 127, 1}, {3, 5, 0, 3},    {0, 16, 16, 0},   {300, 64, 63, 1}};

template <class T> constexpr bool has_nan = !std::is_same_v<T, std::int8_t>;

/// A matrix of which the first columns, or rows, are multiplied; the others are NaN, if there are such.
template <class T>
buffer<T, 2> part(std::int64_t rows, std::int64_t columns, std::int64_t used_rows, std::int64_t used_columns) {
  auto all = matrix<T>(rows, columns);
  if constexpr (has_nan<T>)
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j)
        if (i >= used_rows || j >= used_columns)
          all(i, j) = static_cast<T>(std::numeric_limits<float>::quiet_NaN());
  return all;
}

/// `of` is the right factor's element that the entry computes of that of w and the number of its column.
template <class A, class W, class Entry, class Of> void check_weighted(Entry entry, bool turns, Of of) {
  for (const auto &[m, n, k, more] : sizes) {
    SCOPED_TRACE(describe(m, n, k));
    const auto a = part<A>(m, k + more, m, k);
    const auto w = turns ? part<W>(n, k + more, n, k) : part<W>(k + more, n, k, n);
    const auto s = random<float, 1>({n});
    const auto left = computed<A>(m, k, [&](auto i, auto j) { return wide(a(i, j)); });
    const auto right = computed<A>(
        k, n, [&](auto i, auto j) { return of(static_cast<float>(wide(turns ? w(j, i) : w(i, j))), s(j)); });
    const auto reference = reference_of(left, right);
    on_every_device(
        [&, k = k](auto where) { expect_product<A>(entry(a.to(where), w.to(where), s.to(where), k, {}), reference); });
  }
}

const auto as_it_is = [](float w, float) { return w; };
const auto is_scaled = [](float w, float s) { return w * s; };

} // namespace

TEST(ProductsFactors, Converted) {
  check_weighted<f16, std::int8_t>(converted_s8, false, as_it_is);
  check_weighted<bf16, float>(converted_f32, false, as_it_is);
  check_weighted<f16, e4m3>(converted_e4m3, false, as_it_is);
}

TEST(ProductsFactors, Scaled) { check_weighted<f16, std::int8_t>(scaled_s8, false, is_scaled); }

TEST(ProductsFactors, Turned) {
  check_weighted<f16, float>(turned_f32, true, as_it_is);
  check_weighted<f16, std::int8_t>(turned_after_s8, true, is_scaled);
}

// What is made of the zeros behind the weights is infinite. f16 has none of it for weights that are not small.
TEST(ProductsFactors, OfInverses) {
  for (const auto &[m, n, k, more] : sizes) {
    SCOPED_TRACE(describe(m, n, k));
    const auto a = part<f16>(m, k + more, m, k);
    const auto w =
        make<f16, 2>({k + more, n}, [](std::int64_t place) { return static_cast<f16>(place % 5 == 0 ? 2.0F : -4.0F); });
    const auto s = random<float, 1>({n});
    const auto left = computed<f16>(m, k, [&](auto i, auto j) { return wide(a(i, j)); });
    const auto reference =
        reference_of(left, computed<f16>(k, n, [&](auto i, auto j) { return 1 / static_cast<float>(w(i, j)) + 1; }));
    on_every_device([&, k = k](auto where) {
      expect_agrees("product", inverse_f16(a.to(where), w.to(where), s.to(where), k, {}),
                    [&](auto i) { return reference.template at<f16>(i[0], i[1]); });
    });
  }
}

TEST(ProductsFactors, Both) {
  for (const auto &[m, n, k, more] : sizes) {
    SCOPED_TRACE(describe(m, n, k));
    const auto a = matrix<f16>(m, k);
    const auto g = random<float, 1>({k});
    const auto b = matrix<float>(k, n);
    const auto left = computed<f16>(m, k, [&](auto i, auto j) { return static_cast<float>(a(i, j)) + g(j); });
    const auto right = computed<f16>(k, n, [&](auto i, auto j) { return i <= j ? b(i, j) : 0.0F; });
    const auto reference = reference_of(left, right);
    on_every_device([&](auto where) {
      expect_agrees("product", both_computed(a.to(where), g.to(where), b.to(where), {}),
                    [&](auto i) { return reference.template at<f16>(i[0], i[1]); });
    });
  }
}

TEST(ProductsFactors, GatedOfBytes) {
  for (const auto &[m, n, k, more] : sizes) {
    SCOPED_TRACE(describe(m, n, k));
    const std::int64_t groups = (k + 63) / 64;
    const auto x = make<f16, 2>({m, k}, [](std::int64_t) { return static_cast<f16>(random_value<float>() / 8); });
    const auto w = matrix<std::int8_t>(k, n), v = matrix<std::int8_t>(k, n);
    const auto scales = [](std::int64_t) { return random_value<float>() / 256; };
    const auto of_w = make<float, 2>({groups, n}, scales), of_v = make<float, 2>({groups, n}, scales);
    const auto product = [&](const auto &weights, const auto &of) {
      return reference_of(exact(x), computed<f16>(k, n, [&](auto i, auto j) {
                            return static_cast<float>(weights(i, j)) * of(i / 64, j);
                          }));
    };
    const auto gate = product(w, of_w), up = product(v, of_v);
    on_every_device([&](auto where) {
      const auto o = gated_s8(x.to(where), w.to(where), of_w.to(where), v.to(where), of_v.to(where), {});
      expect_agrees("silu(x w) (x v)", o, [&](auto i) {
        const auto g = gate.template at<f16>(i[0], i[1]), u = up.template at<f16>(i[0], i[1]);
        const double value = g.value / (1 + std::exp(-g.value)) * u.value;
        const double error = 1.1 * g.error * (std::abs(u.value) + u.error) + std::abs(g.value) * u.error;
        return Near<f16>{value, error + 0x1p-10 * std::abs(value) + 0x1p-16};
      });
    });
  }
}

// Pages that nobody names are NaN.
TEST(ProductsFactors, OfPages) {
  for (const auto &[m, n, count] :
       {std::array<std::int64_t, 3>{1, 16, 1}, {7, 8, 2}, {129, 64, 3}, {200, 80, 9}, {64, 65, 5}, {65, 128, 0}}) {
    SCOPED_TRACE(describe(m, n, 64 * count));
    const std::int64_t all = 2 * count + 1;
    const auto a = matrix<f16>(m, 64 * count), values = matrix<f16>(64 * count, n);
    const auto scales =
        make<f16, 1>({all}, [](std::int64_t page) { return static_cast<f16>(page % 3 == 0 ? 0.5F : 2.0F); });
    std::vector<int> names;
    for (std::int64_t i = 0; i < count; ++i)
      names.push_back(static_cast<int>(2 * (count - 1 - i) + 1));
    const auto check = [&](auto entry, bool is_scaled, auto page_of) {
      auto w = make<f16, 3>({all, 64, n},
                            [](std::int64_t) { return static_cast<f16>(std::numeric_limits<float>::quiet_NaN()); });
      auto pages = make<f16, 3>({m, count, 64}, [&](std::int64_t place) { return a.data()[place]; });
      for (std::int64_t k = 0; k < 64 * count; ++k)
        for (std::int64_t j = 0; j < n; ++j)
          w(page_of(k / 64), k % 64, j) = values(k, j);
      const auto left = computed<f16>(m, 64 * count, [&](auto i, auto k) {
        return static_cast<float>(a(i, k)) * (is_scaled ? static_cast<float>(scales(page_of(k / 64))) : 1.0F);
      });
      const auto reference = reference_of(left, exact(values));
      on_every_device([&, count = count](auto where) {
        const auto there = tegula::to(tegula::array<const int, 1>(names.data(), {count}), where);
        expect_product<f16>(entry(pages.to(where), w.to(where), there, scales.to(where), {}), reference);
      });
    };
    const auto named = [&](std::int64_t i) { return std::int64_t{names[static_cast<std::size_t>(i)]}; };
    check(of_named_pages, false, named);
    check(of_scaled_pages, true, named);
    check(of_counted_pages, false, [](std::int64_t i) { return 2 * i + 1; });
  }
}
