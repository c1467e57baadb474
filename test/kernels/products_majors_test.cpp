// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "products_majors.h"

#include "matrices.h"

using namespace tegula::test;
using tegula::buffer;
using tegula::e4m3;
using tegula::e5m2;

namespace {

/// Around the sizes of tiles and steps; rows of a multiple of 16 bytes, and others.
const std::vector<Sizes> sizes = {{1, 16, 16}, {16, 1, 7},       {63, 80, 48}, {128, 256, 128},
                                  {3, 5, 0},   {129, 127, 1000}, {0, 16, 16},  {272, 144, 80}};

template <class T, class Result, class Entry> void check(Entry entry, bool turns_a, bool turns_b) {
  for (const auto &[m, n, k] : sizes) {
    SCOPED_TRACE(describe(m, n, k));
    const auto a = small_integers<T>(m, k), b = small_integers<T>(n, k);
    const auto left = transposed(a, turns_a), right = transposed(b, !turns_b);
    const auto expected = exact_product<Result>(a, b);
    on_every_device([&](auto where) {
      expect_same("a b", entry(left.to(where), right.to(where), {}), [&](auto i) { return expected(i[0], i[1]); });
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
    SCOPED_TRACE(describe(m, n, k));
    const auto a = small_integers<double>(m, k), b = small_integers<double>(k, n);
    const auto expected = reference_of(a, b).values;
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
