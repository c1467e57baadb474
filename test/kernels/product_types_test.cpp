// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "product_types.h"

#include "matrices.h"

#include <tegula/cpu/matrix.h>

using namespace tegula::test;
using tegula::buffer;
using tegula::e4m3;
using tegula::e5m2;

namespace {

/// Around the sizes of tiles and steps. TMA takes rows of a multiple of 16 bytes, and nothing empty: the others are
/// multiplied without it.
const std::vector<Sizes> sizes = {{1, 8, 16},      {7, 16, 64},    {63, 72, 48},    {128, 256, 128},
                                  {129, 264, 144}, {65, 129, 127}, {65, 129, 128},  {3, 5, 0},
                                  {0, 16, 16},     {8, 0, 16},     {136, 200, 272}, {1000, 127, 32}};

template <class T, class Entry> void check_integers(Entry entry) {
  for (const Sizes &size : sizes) {
    SCOPED_TRACE(describe(size));
    const auto a = random<T, 2>({size.m, size.k}), b = random<T, 2>({size.n, size.k});
    const auto expected = exact_product<std::int32_t>(a, b);
    on_every_device([&](auto where) {
      expect_same("a b", entry(a.to(where), b.to(where), {}), [&](auto i) { return expected(i[0], i[1]); });
    });
  }
}

float from_bits(std::uint32_t bits) { return tegula::detail::bit_cast<float>(bits); }

/// Floats as tensor cores read them.
template <class T> buffer<double, 2> as_read(const buffer<T, 2> &x) {
  return make<double, 2>(x.dims(), [&](std::int64_t i) {
    const auto wide = static_cast<float>(x.data()[i]);
    return static_cast<double>(sizeof(T) == 4 ? tegula::cpu::as_tf32(wide) : wide);
  });
}

/// An element, as tensor cores sum or as FMA units do.
template <class T> Near<float> near(const MatrixProduct &of, const tegula::shape<2> &i) {
  const auto element = of.at<T>(i[0], i[1]);
  const double by_fma = gamma(static_cast<double>(of.depth), unit_roundoff<float>()) * of.magnitudes(i[0], i[1]);
  return {element.value, std::max(element.error, by_fma)};
}

/// The first entry takes b as K x N, the others as N x K.
template <class A, class B, class Columns, class... Entries> void check_floats(Columns of_columns, Entries... entries) {
  for (const Sizes &size : sizes) {
    SCOPED_TRACE(describe(size));
    const auto a = random<A, 2>({size.m, size.k});
    const auto b = random<B, 2>({size.n, size.k});
    const auto columns = transposed(b);
    const auto reference = reference_of(as_read(a), as_read(columns));
    const auto check = [&](const buffer<float, 2> &o) {
      expect_agrees("a b", o, [&](auto i) { return near<A>(reference, i); });
    };
    on_every_device([&](auto where) {
      (check(entries(a.to(where), b.to(where), {})), ...);
      check(of_columns(a.to(where), columns.to(where), {}));
    });
  }
}

/// A NaN whose payload is in the bits that are dropped is an infinity; another one is a NaN.
template <class Entry> void check_special_tf32(Entry entry, std::int64_t depth) {
  auto a = random<float, 2>({65, depth});
  const auto b = make<float, 2>({16, depth}, [](std::int64_t) { return 1.5F; });
  a(1, 0) = from_bits(0x7f800001U);
  a(2, 3) = from_bits(0xff801fffU);
  a(3, 5) = std::numeric_limits<float>::quiet_NaN();
  on_every_device([&](auto where) {
    const auto o = entry(a.to(where), b.to(where), {}).to_host();
    for (std::int64_t j = 0; j < 16; ++j) {
      EXPECT_TRUE(std::isfinite(o(0, j)));
      EXPECT_EQ(o(1, j), std::numeric_limits<float>::infinity());
      EXPECT_EQ(o(2, j), -std::numeric_limits<float>::infinity());
      EXPECT_TRUE(std::isnan(o(3, j)));
    }
  });
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
    const auto sums = exact_product<std::int32_t>(a, b);
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
      const auto sums = exact_product<std::int32_t>(a, b);
      on_every_device([&](auto where) {
        expect_same("narrowed", narrowed_product(a.to(where), b.to(where), c.to(where), shift), [&](auto i) {
          const std::int32_t sum = (sums(i[0], i[1]) + c(i[0], i[1])) >> shift;
          return static_cast<std::int8_t>(std::clamp(sum, -128, 127));
        });
      });
    }
}

TEST(ProductTypes, Tf32) {
  check_floats<float, float>(columns_tf32, steps_tf32_128_256_32, steps_tf32_64_40_64, steps_tf32_16_96_8,
                             quarters_tf32);
}

TEST(ProductTypes, Tf32OfSpecialNumbers) {
  for (const std::int64_t depth : {32, 33}) { // Of rows that are copied as they are, and others.
    check_special_tf32(steps_tf32_128_256_32, depth);
    check_special_tf32(quarters_tf32, depth);
  }
}

TEST(ProductTypes, EightBitFloats) {
  check_floats<e4m3, e4m3>(columns_e4m3, steps_e4m3_128_256_128);
  check_floats<e4m3, e5m2>(columns_e4m3_e5m2, steps_e4m3_e5m2_64_40_64);
  check_floats<e5m2, e4m3>(columns_e5m2_e4m3, steps_e5m2_e4m3_16_96_32);
  check_floats<e5m2, e5m2>(columns_e5m2, quarters_e5m2);
}

TEST(ProductTypes, EightBitFloatsThatAreNarrowed) {
  for (const Sizes &size : sizes) {
    SCOPED_TRACE(describe(size));
    const auto a = random<e4m3, 2>({size.m, size.k}), b = random<e4m3, 2>({size.n, size.k});
    const auto reference = reference_of(exact(a), exact(b, /*transposes=*/true));
    const double scale = 0.5;
    on_every_device([&](auto where) {
      expect_agrees("narrowed", narrowed_e4m3(a.to(where), b.to(where), static_cast<float>(scale)), [&](auto i) {
        const auto sum = near<e4m3>(reference, i);
        return Near<e4m3>{std::clamp(sum.value * scale, 0.0, 448.0), 2 * sum.error * scale}; // exact to scale
      });
    });
  }
}
