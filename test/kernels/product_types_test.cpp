// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "product_types.h"

#include "hopper.h"

using namespace tegula::test;
using tegula::buffer;

namespace {

struct Sizes {
  std::int64_t m, n, k;
};
/// Around the sizes of tiles and steps. TMA takes rows of a multiple of 16 bytes, and nothing empty: the others are
/// multiplied without it.
const std::vector<Sizes> sizes = {{1, 8, 16},      {7, 16, 64},    {63, 72, 48},    {128, 256, 128},
                                  {129, 264, 144}, {65, 129, 127}, {65, 129, 128},  {3, 5, 0},
                                  {0, 16, 16},     {8, 0, 16},     {136, 200, 272}, {1000, 127, 32}};

std::string describe(const Sizes &of) {
  return "product of " + std::to_string(of.m) + " x " + std::to_string(of.n) + " x " + std::to_string(of.k);
}

/// The product of m x k and n x k, of integers: exact.
template <class T> buffer<std::int32_t, 2> exact_product(const buffer<T, 2> &a, const buffer<T, 2> &b) {
  return make<std::int32_t, 2>({a.dim(0), b.dim(0)}, [&](std::int64_t place) {
    const T *row = a.data() + place / b.dim(0) * a.dim(1), *column = b.data() + place % b.dim(0) * a.dim(1);
    std::int32_t sum = 0;
    for (std::int64_t k = 0; k < a.dim(1); ++k)
      sum += row[k] * column[k];
    return sum;
  });
}

template <class T, class Entry> void check_integers(Entry entry) {
  for (const Sizes &size : sizes) {
    SCOPED_TRACE(describe(size));
    const auto a = random<T, 2>({size.m, size.k}), b = random<T, 2>({size.n, size.k});
    const auto expected = exact_product(a, b);
    on_every_device([&](auto where) {
      expect_same("a b", entry(a.to(where), b.to(where), {}), [&](auto i) { return expected(i[0], i[1]); });
    });
  }
}

} // namespace

TEST(ProductTypes, IntegersByStepsOfALoop) {
  check_integers<std::int8_t>(steps_s8_128_256_128);
  check_integers<std::uint8_t>(steps_u8_64_64_32);
  check_integers<std::int8_t>(steps_s8_32_24_256);
  check_integers<std::uint8_t>(steps_u8_128_200_96);
}

TEST(ProductTypes, IntegersInBlocksOfAnySize) {
  check_integers<std::int8_t>(quarters_s8);
  check_integers<std::uint8_t>(quarters_u8);
}

TEST(ProductTypes, IntegersThatAreScaled) {
  for (const Sizes &size : sizes) {
    SCOPED_TRACE(describe(size));
    const auto a = random<std::int8_t, 2>({size.m, size.k}), b = random<std::int8_t, 2>({size.n, size.k});
    const auto of_rows = random<float, 1>({size.m}), of_columns = random<float, 1>({size.n});
    const auto sums = exact_product(a, b);
    on_every_device([&](auto where) {
      expect_same("scaled", scaled_product(a.to(where), b.to(where), of_rows.to(where), of_columns.to(where)),
                  [&](auto i) { return static_cast<float>(sums(i[0], i[1])) * of_rows(i[0]) * of_columns(i[1]); });
    });
  }
}

TEST(ProductTypes, IntegersThatAreNarrowed) {
  for (const Sizes &size : sizes)
    for (const std::int32_t shift : {0, 15}) {
      SCOPED_TRACE(describe(size));
      const auto a = random<std::uint8_t, 2>({size.m, size.k}), b = random<std::uint8_t, 2>({size.n, size.k});
      const auto c = make<std::int32_t, 2>(
          {size.m, size.n}, [](std::int64_t) { return static_cast<std::int32_t>(random_value<std::int16_t>()) * 100; });
      const auto sums = exact_product(a, b);
      on_every_device([&](auto where) {
        expect_same("narrowed", narrowed_product(a.to(where), b.to(where), c.to(where), shift), [&](auto i) {
          const std::int32_t sum = (sums(i[0], i[1]) + c(i[0], i[1])) >> shift;
          return static_cast<std::int8_t>(std::clamp(sum, -128, 127));
        });
      });
    }
}
