// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_products.h"

#include "hopper.h"
#include "matrices.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

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
    expect_product<T>(o, reference);
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

TEST(HopperProducts, Overlapped) {
  for (const std::int64_t k : {8, 32, 64, 136}) {
    const auto a = matrix<bf16>(64, k), b = matrix<bf16>(k, 64);
    const auto c = matrix<float>(64, 64);
    const auto ab = reference_of(exact(a), exact(b));
    everywhere([&](auto where) {
      auto o = poisoned<float, 2>({64, 64}, where);
      overlapped(a.to(where), b.to(where), c.to(where), o);
      expect_agrees("c + a b", o, [&](auto i) { // c is one term more
        const double first = wide(c(i[0], i[1]));
        return Near<float>{first + ab.values(i[0], i[1]),
                           tensor_core_error<bf16, float>(k + 1, std::abs(first) + ab.largest(i[0], i[1]))};
      });
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
    expect_agrees("sums", o, [&](auto i) { // of up to twice 64 products and 2 x 128 more
      return Near<float>{of(both.values, lower.values, i),
                         tensor_core_error<f16, float>(384, of(both.largest, lower.largest, i))};
    });
  });
}

TEST(HopperProducts, PartialWaits) {
  for (const std::int64_t steps : {1, 2, 5}) {
    // Small, so that powers of two of sums are, too.
    const auto small = [](std::int64_t) { return static_cast<bf16>(0.1 * wide(random_value<bf16>())); };
    const auto a = make<bf16, 3>({steps, 64, 64}, small);
    const auto b = make<bf16, 2>({64, 64}, small), c = matrix<bf16>(64, 64);
    buffer<double, 2> sum = make<double, 2>({64, 64}, [](std::int64_t) { return 0.0; });
    buffer<double, 2> largest = sum.to_host();
    auto total = make<double, 1>({64}, [](std::int64_t) { return 0.0; });
    for (std::int64_t step = 0; step < steps; ++step)
      for (std::int64_t i = 0; i < 64; ++i) {
        double weights[64];
        for (std::int64_t j = 0; j < 64; ++j) {
          double dot = 0;
          for (std::int64_t k = 0; k < 64; ++k)
            dot += wide(a(step, i, k)) * wide(b(k, j));
          weights[j] = std::exp2(dot);
          total(i) += weights[j];
        }
        for (std::int64_t j = 0; j < 64; ++j) {
          const double scale = std::ldexp(1.0, static_cast<int>(step - steps + 1));
          for (std::int64_t k = 0; k < 64; ++k) {
            sum(i, j) += scale * weights[k] * wide(c(k, j));
            largest(i, j) += scale * std::abs(weights[k] * wide(c(k, j)));
          }
        }
      }
    everywhere([&](auto where) {
      auto o = poisoned<float, 2>({64, 64}, where);
      auto sums = poisoned<float, 1>({64}, where);
      partial_waits(a.to(where), b.to(where), c.to(where), o, sums);
      expect_agrees("sums", sums, [&](auto i) { return Near<float>{total(i[0]), std::ldexp(total(i[0]), -18)}; });
      expect_agrees("sum", o, [&](auto i) { // weights are rounded to bf16
        return Near<float>{sum(i[0], i[1]), std::ldexp(largest(i[0], i[1]), -7)};
      });
    });
  }
}

TEST(HopperProducts, OfAProduct) {
  const auto a = matrix<bf16>(64, 64), b = matrix<bf16>(64, 64);
  const auto once = reference_of(exact(a), exact(b));
  everywhere([&](auto where) {
    auto o = poisoned<bf16, 2>({64, 64}, where);
    auto p = poisoned<float, 2>({64, 64}, where);
    of_a_product(a.to(where), b.to(where), o, p);
    const auto rounded = o.to_host();
    expect_product<bf16>(rounded, once);
    // The second product takes what was rounded.
    expect_product<bf16>(p, reference_of(exact(rounded), exact(b)));
  });
}

TEST(HopperProducts, TwoThreads) {
  const auto a = matrix<bf16>(127, 64), b = matrix<bf16>(64, 120); // The rest is 0.
  const auto reference = reference_of(exact(a), exact(b));
  everywhere([&](auto where) {
    auto o = poisoned<float, 2>({128, 128}, where);
    two_threads(a.to(where), b.to(where), o);
    const auto inside = [](auto i) { return i[0] < 127 && i[1] < 120; };
    expect_agrees("a b", o, [&](auto i) { return inside(i) ? reference.at<bf16>(i[0], i[1]) : Near<float>{0, 0}; });
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
      expect_product<bf16>(o, sum);
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
        expect_agrees("the products", o, [&](auto i) { // and perhaps -1
          return Near<float>{rest.values(i[0], i[1]) - (keeps ? 1 : 0),
                             tensor_core_error<bf16, float>(depth + 1, rest.largest(i[0], i[1]) + 1)};
        });
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
      const auto values = [](const MatrixProduct &x) -> const auto & { return x.values; };
      const auto largest = [](const MatrixProduct &x) -> const auto & { return x.largest; };
      expect_agrees("sums", o, [&](auto i) {
        const double most = of(largest, i);
        const std::int64_t terms = 64 * (i[0] == 1 ? steps : i[0] == 2 ? 2 * steps : i[0] == 3 ? 2 : 1);
        return Near<float>{of(values, i), i[0] == 4 ? tensor_core_error<f16, f16>(terms, most)
                                                    : tensor_core_error<f16, float>(terms, most)};
      });
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
    expect_agrees("products", o, [&](auto i) { return (i[0] == 1 ? second : first).template at<bf16>(i[1], i[2]); });
  });
}

namespace {

template <class T>
using wide_entry = void (*)(const tegula::array<const T, 2> &, const tegula::array<const T, 2> &,
                            const tegula::array<float, 2> &, std::int64_t, const tegula::stream &);

/// Sums of several steps of depth k.
template <class T, class Sum>
void check_wide(wide_entry<T> entry, std::int64_t n, std::int64_t k, bool b_is_transposed = false) {
  for (const std::int64_t steps : {0, 1, 3}) {
    SCOPED_TRACE(std::to_string(n) + " columns, " + std::to_string(steps) + " steps");
    const std::int64_t depth = steps * k, stored = std::max<std::int64_t>(depth, k);
    const auto a = matrix<T>(64, stored), b = b_is_transposed ? matrix<T>(n, stored) : matrix<T>(stored, n);
    const auto x = exact(a), y = exact(b, b_is_transposed);
    const auto ab = reference_of(make<double, 2>({64, depth}, [&](std::int64_t i) { return x(i / depth, i % depth); }),
                                 make<double, 2>({depth, n}, [&](std::int64_t i) { return y(i / n, i % n); }));
    everywhere([&](auto where) {
      auto o = poisoned<float, 2>({64, n}, where);
      entry(a.to(where), b.to(where), o, steps, {});
      expect_agrees("a b", o, [&](auto i) {
        return Near<float>{ab.values(i[0], i[1]), tensor_core_error<T, Sum>(depth, ab.largest(i[0], i[1]))};
      });
    });
  }
}

/// Columns of a matrix from the first on.
buffer<double, 2> part(const buffer<double, 2> &x, std::int64_t row, std::int64_t column, std::int64_t rows,
                       std::int64_t columns) {
  return make<double, 2>({rows, columns}, [&](std::int64_t i) { return x(row + i / columns, column + i % columns); });
}

} // namespace

TEST(HopperProducts, OfSeveralInstructions) {
  check_wide<bf16, float>(wide_264_nt, 264, 32, true);
  check_wide<bf16, float>(wide_272, 272, 16);
  check_wide<bf16, float>(wide_384, 384, 64);
  check_wide<f16, f16>(wide_512, 512, 64);
  check_wide<f16, f16>(wide_512_nt, 512, 64, true);
}

TEST(HopperProducts, AddToPartsOfAccumulators) {
  const auto a = matrix<bf16>(128, 128), b = matrix<bf16>(128, 128);
  const auto x = exact(a), y = exact(b);
  const auto all = reference_of(x, y);
  const auto few = reference_of(part(x, 64, 0, 64, 64), part(y, 0, 64, 64, 40));
  const auto other = reference_of(part(x, 64, 0, 64, 128), part(y, 0, 0, 128, 64));
  everywhere([&](auto where) {
    auto o = poisoned<float, 3>({2, 128, 128}, where);
    parts_of_accumulators(a.to(where), b.to(where), o);
    expect_agrees("sums", o, [&](auto i) {
      const std::int64_t row = i[1], column = i[2];
      if (column >= 64)
        return all.at<bf16>(row, column);
      if (row < 64 && i[0] == 0)
        return Near<float>{1 + all.values(row, column),
                           tensor_core_error<bf16, float>(129, 1 + all.largest(row, column))};
      if (row < 64)
        return Near<float>{2 * other.values(row, column),
                           tensor_core_error<bf16, float>(256, 2 * other.largest(row, column))};
      if (column < 8 || column >= 48)
        return Near<float>{1, 0};
      return Near<float>{1 + few.values(row - 64, column - 8),
                         tensor_core_error<bf16, float>(65, 1 + few.largest(row - 64, column - 8))};
    });
  });
}

TEST(HopperProducts, OfAccumulatorsThatChangePlaces) {
  const auto a = matrix<f16>(64, 64), b = matrix<f16>(64, 64);
  const auto ab = reference_of(exact(a), exact(b)), ba = reference_of(exact(b), exact(a)),
             bb = reference_of(exact(b), exact(b));
  for (const std::int64_t steps : {0, 1, 4, 5})
    everywhere([&](auto where) {
      auto o = poisoned<float, 3>({6, 64, 64}, where);
      swapped(a.to(where), b.to(where), o, steps);
      // After an odd number of steps, the later half of them has added to the one that is now on the right.
      const std::int64_t times[] = {steps, steps, steps, steps, steps / 2, steps - steps / 2};
      expect_agrees("sums", o, [&](auto i) {
        const MatrixProduct &of = i[0] == 1 ? ba : i[0] == 3 ? bb : ab;
        const double n = static_cast<double>(times[i[0]]);
        return Near<float>{n * of.values(i[1], i[2]),
                           tensor_core_error<f16, float>(64 * times[i[0]], n * of.largest(i[1], i[2]))};
      });
    });
}
