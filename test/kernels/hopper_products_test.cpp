// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_products.h"

#include "hopper.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::e4m3;
using tegula::f16;

namespace {

template <class T> buffer<T, 2> matrix(std::int64_t rows, std::int64_t columns) {
  return make<T, 2>({rows, columns}, [](std::int64_t) { return static_cast<T>(random_value<float>()); });
}

/// The elements as doubles, and with `transposes` the other way round.
template <class T> buffer<double, 2> exact(const buffer<T, 2> &x, bool transposes = false) {
  return make<double, 2>({x.dim(transposes ? 1 : 0), x.dim(transposes ? 0 : 1)}, [&](std::int64_t place) {
    const std::int64_t columns = x.dim(transposes ? 0 : 1), i = place / columns, j = place % columns;
    return static_cast<double>(static_cast<float>(transposes ? x(j, i) : x(i, j)));
  });
}

struct sums {
  buffer<double, 2> values, magnitudes;
};

/// a b in double, and the sums of what is added.
sums reference_of(const buffer<double, 2> &a, const buffer<double, 2> &b) {
  sums result{buffer<double, 2>::empty({a.dim(0), b.dim(1)}), buffer<double, 2>::empty({a.dim(0), b.dim(1)})};
  for (std::int64_t i = 0; i < a.dim(0); ++i)
    for (std::int64_t j = 0; j < b.dim(1); ++j) {
      double sum = 0, magnitude = 0;
      for (std::int64_t k = 0; k < a.dim(1); ++k) {
        sum += a(i, k) * b(k, j);
        magnitude += std::abs(a(i, k) * b(k, j));
      }
      result.values(i, j) = sum;
      result.magnitudes(i, j) = magnitude;
    }
  return result;
}

/// Sums are in float; the unit adds products of 8-bit floats with some 13 bits of the largest.
constexpr double float_error = 4e-6, e4m3_error = 0x1p-12;

template <int Rank, class Value, class Magnitude>
void expect_close(const buffer<float, Rank> &o, Value value, Magnitude magnitude, double error = float_error) {
  const auto there = o.to_host();
  std::int64_t wrong = 0;
  std::string first;
  for (std::int64_t place = 0; place < there.size(); ++place) {
    const auto index = unravel(place, there.dims());
    const double is = there.data()[place], should_be = value(index);
    // A NaN is wrong.
    if (!(std::abs(is - should_be) <= error * magnitude(index)) && wrong++ == 0)
      first = to_string(index) + " is " + text(is) + ", not " + text(should_be);
  }
  EXPECT_EQ(wrong, 0) << "of shape " << to_string(there.dims()) << ": " << first;
}

void expect_sums(const buffer<float, 2> &o, const sums &reference, double error) {
  expect_close(
      o, [&](auto i) { return reference.values(i[0], i[1]); }, [&](auto i) { return reference.magnitudes(i[0], i[1]); },
      error);
}

template <class T>
using product_entry = void (*)(const tegula::array<const T, 2> &, const tegula::array<const T, 2> &,
                               const tegula::array<float, 2> &, const tegula::stream &);

/// One product of m x k and k x n; a and b are stored transposed where they are said to be.
template <class T>
void check(product_entry<T> entry, const tegula::shape<3> &mnk, bool a_is_transposed = false,
           bool b_is_transposed = false) {
  const auto [m, n, k] = std::tuple(mnk[0], mnk[1], mnk[2]);
  SCOPED_TRACE("product of " + to_string(mnk));
  const auto a = a_is_transposed ? matrix<T>(k, m) : matrix<T>(m, k);
  const auto b = b_is_transposed ? matrix<T>(n, k) : matrix<T>(k, n);
  const auto reference = reference_of(exact(a, a_is_transposed), exact(b, b_is_transposed));
  everywhere([&](auto where) {
    auto o = poisoned<float, 2>({m, n}, where);
    entry(a.to(where), b.to(where), o, {});
    expect_sums(o, reference, std::is_same_v<T, e4m3> ? e4m3_error : float_error);
  });
}

} // namespace

TEST(HopperProducts, OfBf16) {
  check<bf16>(bf16_64_16_16, {64, 16, 16});
  check<bf16>(bf16_64_8_32, {64, 8, 32}, false, true);
  check<bf16>(bf16_64_48_48, {64, 48, 48});
  check<bf16>(bf16_64_96_80, {64, 96, 80});
  check<bf16>(bf16_64_256_64, {64, 256, 64});
  check<bf16>(bf16_128_32_128, {128, 32, 128});
  check<bf16>(bf16_128_64_32_tn, {128, 64, 32}, true, false);
  check<bf16>(bf16_64_24_192_nt, {64, 24, 192}, false, true);
}

TEST(HopperProducts, OfF16) {
  check<f16>(f16_64_192_64, {64, 192, 64});
  check<f16>(f16_192_64_48_tt, {192, 64, 48}, true, true);
}

TEST(HopperProducts, OfE4m3) {
  check<e4m3>(e4m3_64_64_32, {64, 64, 32}, false, true);
  check<e4m3>(e4m3_128_24_256, {128, 24, 256}, false, true);
}

TEST(HopperProducts, Overlapped) {
  for (const std::int64_t k : {8, 32, 64, 136}) {
    const auto a = matrix<bf16>(64, k), b = matrix<bf16>(k, 64);
    const auto c = matrix<float>(64, 64);
    const auto ab = reference_of(exact(a), exact(b));
    everywhere([&](auto where) {
      auto o = poisoned<float, 2>({64, 64}, where);
      overlapped(a.to(where), b.to(where), c.to(where), o);
      expect_close(
          o, [&](auto i) { return c(i[0], i[1]) + ab.values(i[0], i[1]); },
          [&](auto i) { return std::abs(c(i[0], i[1])) + ab.magnitudes(i[0], i[1]); });
    });
  }
}

TEST(HopperProducts, TwoAccumulators) {
  const auto a = matrix<f16>(128, 128), b = matrix<f16>(128, 128);
  const auto x = exact(a), y = exact(b);
  const auto both = reference_of(x, y);
  // From column 64 of a and row 64 of b on.
  const auto lower =
      reference_of(make<double, 2>({64, 64}, [&](std::int64_t i) { return x(i / 64, 64 + i % 64); }),
                   make<double, 2>({64, 32}, [&](std::int64_t i) { return y(64 + i / 32, 64 + i % 32); }));
  everywhere([&](auto where) {
    auto o = poisoned<float, 3>({3, 64, 64}, where);
    two_accumulators(a.to(where), b.to(where), o);
    const auto of = [&](const buffer<double, 2> &whole, const buffer<double, 2> &part, auto i) {
      if (i[0] < 2)
        return whole(64 * i[0] + i[1], i[2]);
      if (i[2] < 32)
        return part(i[1], i[2]);
      const std::int64_t j = i[2] < 48 ? i[2] - 16 : i[2] - 48;
      return 2 * part(i[1], j) + whole(64 + i[1], 32 + j) + whole(64 + i[1], 64 + j);
    };
    expect_close(
        o, [&](auto i) { return of(both.values, lower.values, i); },
        [&](auto i) { return of(both.magnitudes, lower.magnitudes, i); });
  });
}

TEST(HopperProducts, OfAProduct) {
  const auto a = matrix<bf16>(64, 64), b = matrix<bf16>(64, 64);
  const auto once = reference_of(exact(a), exact(b));
  everywhere([&](auto where) {
    auto o = poisoned<bf16, 2>({64, 64}, where);
    auto p = poisoned<float, 2>({64, 64}, where);
    of_a_product(a.to(where), b.to(where), o, p);
    const auto rounded = o.to_host();
    expect_all(
        "a b", rounded, [&](auto i) { return once.values(i[0], i[1]); },
        [&](bf16 is, double should_be) {
          return std::abs(wide(is) - should_be) <= 0x1p-8 * std::abs(should_be) + 1e-2;
        });
    // The second product takes what was rounded.
    expect_sums(p, reference_of(exact(rounded), exact(b)), float_error);
  });
}

TEST(HopperProducts, TwoThreads) {
  const auto a = matrix<bf16>(127, 64), b = matrix<bf16>(64, 120); // The rest is 0.
  const auto reference = reference_of(exact(a), exact(b));
  everywhere([&](auto where) {
    auto o = poisoned<float, 2>({128, 128}, where);
    two_threads(a.to(where), b.to(where), o);
    const auto inside = [](auto i) { return i[0] < 127 && i[1] < 120; };
    expect_close(
        o, [&](auto i) { return inside(i) ? reference.values(i[0], i[1]) : 0; },
        [&](auto i) { return inside(i) ? reference.magnitudes(i[0], i[1]) : 0; });
  });
}

TEST(HopperProducts, OfPartsOfPanels) {
  const auto a = matrix<bf16>(128, 128), b = matrix<bf16>(64, 128);
  const auto x = exact(a), y = exact(b);
  for (const std::int64_t parts : {1, 3, 8}) {
    // Side by side: the parts of rows 64 and on, then what is added at the end.
    const std::int64_t depth = parts * 16 + 32;
    const auto column = [&](std::int64_t k) { return k < parts * 16 ? k : 96 + k - parts * 16; };
    const auto sum =
        reference_of(make<double, 2>({64, depth},
                                     [&](std::int64_t i) {
                                       const std::int64_t k = i % depth;
                                       return x(i / depth + (k < parts * 16 ? 64 : 0), column(k));
                                     }),
                     make<double, 2>({depth, 64}, [&](std::int64_t i) { return y(i % 64, column(i / 64)); }));
    everywhere([&](auto where) {
      auto o = poisoned<float, 2>({64, 64}, where);
      parts_of_panels(a.to(where), b.to(where), o, parts);
      expect_sums(o, sum, float_error);
    });
  }
}

TEST(HopperProducts, OverwriteWhatAnAccumulatorHolds) {
  for (const std::int64_t steps : {0, 1, 4})
    for (const std::int64_t first : {-1, 0, 2}) {
      const auto a = matrix<bf16>(64, 32 * 4), b = matrix<bf16>(32 * 4, 64);
      const bool keeps = first < 0 || steps == 0;
      const std::int64_t begin = std::min(std::max<std::int64_t>(first, 0), std::max<std::int64_t>(steps - 1, 0)) * 32;
      const std::int64_t depth = steps * 32 - begin;
      const auto x = exact(a), y = exact(b);
      const auto rest =
          reference_of(make<double, 2>({64, depth}, [&](std::int64_t i) { return x(i / depth, begin + i % depth); }),
                       make<double, 2>({depth, 64}, [&](std::int64_t i) { return y(begin + i / 64, i % 64); }));
      everywhere([&](auto where) {
        auto o = poisoned<float, 2>({64, 64}, where);
        overwritten(a.to(where), b.to(where), o, first, steps);
        expect_close(
            o, [&](auto i) { return rest.values(i[0], i[1]) - (keeps ? 1 : 0); },
            [&](auto i) { return rest.magnitudes(i[0], i[1]) + 1; });
      });
    }
}

TEST(HopperProducts, FromZero) {
  const auto a = matrix<f16>(64, 64), b = matrix<f16>(64, 64);
  const auto ab = reference_of(exact(a), exact(b)), ba = reference_of(exact(b), exact(a)),
             bb = reference_of(exact(b), exact(b));
  for (const std::int64_t steps : {0, 1, 3})
    everywhere([&](auto where) {
      auto o = poisoned<float, 3>({5, 64, 64}, where);
      from_zero(a.to(where), b.to(where), o, steps);
      const auto of = [&](auto part, auto i) {
        const double n = static_cast<double>(steps), first = part(ab)(i[1], i[2]);
        return i[0] == 0 || i[0] == 4 ? first
               : i[0] == 1            ? n * first
               : i[0] == 2            ? n * (first + part(ba)(i[1], i[2]))
                                      : first + part(bb)(i[1], i[2]);
      };
      const auto values = [](const sums &s) -> const auto & { return s.values; };
      const auto magnitudes = [](const sums &s) -> const auto & { return s.magnitudes; };
      // The last one is in f16, and rounds after each instruction.
      expect_close(
          o, [&](auto i) { return of(values, i); },
          [&](auto i) { return of(magnitudes, i) * (i[0] == 4 ? 0x1p-10 / float_error : 1); });
    });
}

TEST(HopperProducts, EqualOnesCount) {
  const auto a = matrix<bf16>(64, 128), b = matrix<bf16>(128, 64);
  const auto x = exact(a), y = exact(b);
  const auto of = [&](std::int64_t slot) {
    return reference_of(make<double, 2>({64, 64}, [&](std::int64_t i) { return x(i / 64, slot * 64 + i % 64); }),
                        make<double, 2>({64, 64}, [&](std::int64_t i) { return y(slot * 64 + i / 64, i % 64); }));
  };
  const auto first = of(0), second = of(1);
  everywhere([&](auto where) {
    auto o = poisoned<float, 3>({3, 64, 64}, where);
    equal_products(a.to(where), b.to(where), o);
    expect_close(
        o, [&](auto i) { return (i[0] == 1 ? second : first).values(i[1], i[2]); },
        [&](auto i) { return (i[0] == 1 ? second : first).magnitudes(i[1], i[2]); });
  });
}
