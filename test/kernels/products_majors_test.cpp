// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "products_majors.h"

#include "support.h"

using namespace tegula::test;
using tegula::buffer;
using tegula::e4m3;
using tegula::e5m2;

namespace {

struct Sizes {
  std::int64_t m, n, k;
};
/// Around the sizes of tiles and steps; rows of a multiple of 16 bytes, and others.
const std::vector<Sizes> sizes = {{1, 16, 16}, {16, 1, 7},       {63, 80, 48}, {128, 256, 128},
                                  {3, 5, 0},   {129, 127, 1000}, {0, 16, 16},  {272, 144, 80}};

/// Integers so small that all sums are exact.
template <class T> buffer<T, 2> matrix(std::int64_t rows, std::int64_t columns) {
  constexpr int least = std::is_same_v<T, std::uint8_t> ? 0 : -3;
  return make<T, 2>({rows, columns}, [](std::int64_t) {
    return static_cast<T>(static_cast<float>(least + static_cast<int>(random_value<std::uint8_t>() % 7)));
  });
}

template <class Result, class T>
buffer<Result, 2> product_of(const buffer<T, 2> &a, bool turns_a, const buffer<T, 2> &b, bool turns_b) {
  const std::int64_t m = a.dim(turns_a ? 1 : 0), n = b.dim(turns_b ? 0 : 1), depth = a.dim(turns_a ? 0 : 1);
  return make<Result, 2>({m, n}, [&](std::int64_t place) {
    const std::int64_t i = place / n, j = place % n;
    double sum = 0;
    for (std::int64_t k = 0; k < depth; ++k)
      sum += static_cast<double>(static_cast<float>(turns_a ? a(k, i) : a(i, k))) *
             static_cast<double>(static_cast<float>(turns_b ? b(j, k) : b(k, j)));
    return static_cast<Result>(sum);
  });
}

template <class T, class Result, class Entry> void check(Entry entry, bool turns_a, bool turns_b) {
  for (const auto &[m, n, k] : sizes) {
    SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k));
    const auto a = turns_a ? matrix<T>(k, m) : matrix<T>(m, k), b = turns_b ? matrix<T>(n, k) : matrix<T>(k, n);
    const auto expected = product_of<Result>(a, turns_a, b, turns_b);
    on_every_device([&](auto where) {
      expect_same("a b", entry(a.to(where), b.to(where), {}), [&](auto i) { return expected(i[0], i[1]); });
    });
  }
}

} // namespace

TEST(ProductsMajors, Integers) {
  check<std::int8_t, std::int32_t>(s8_a_b, false, false);
  check<std::int8_t, std::int32_t>(s8_at_bt, true, true);
  check<std::uint8_t, std::int32_t>(u8_at_b, true, false);
}

TEST(ProductsMajors, Tf32) {
  check<float, float>(tf32_a_b, false, false);
  check<float, float>(tf32_at_bt, true, true);
}

TEST(ProductsMajors, EightBitFloats) {
  check<e4m3, float>(e4m3_at_b, true, false);
  check<e5m2, float>(e5m2_a_bt, false, true);
}

TEST(ProductsMajors, Doubles) {
  check<double, double>(f64_a_b, false, false);
  check<double, double>(f64_a_bt, false, true);
  check<double, double>(f64_at_b, true, false);
}

TEST(ProductsMajors, DoublesAndSumsOfRows) {
  for (const auto &[m, n, k] : sizes) {
    SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k));
    const auto a = matrix<double>(m, k), b = matrix<double>(k, n);
    const auto expected = product_of<double>(a, false, b, false);
    const std::int64_t blocks = (n + 63) / 64;
    on_every_device([&, m = m, n = n](auto where) {
      auto o = poisoned<double, 2>({m, n}, where), sums = poisoned<double, 2>({m, blocks}, where);
      f64_with_sums(a.to(where), b.to(where), o, sums, {});
      expect_same("a b", o, [&](auto i) { return expected(i[0], i[1]); });
      expect_same("sums", sums, [&](auto i) {
        double sum = 0;
        for (std::int64_t j = 64 * i[1]; j < std::min(n, 64 * i[1] + 64); ++j)
          sum += expected(i[0], j);
        return sum;
      });
    });
  }
}
