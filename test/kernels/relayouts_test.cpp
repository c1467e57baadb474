// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "relayouts.h"

#include "support.h"

#include <array>

using namespace tegula::test;
using tegula::bf16;

namespace {

/// Random, and exact in the arithmetic of the kernels.
template <class T, int Rank> tegula::buffer<T, Rank> simple(const tegula::shape<Rank> &dims) {
  return make<T>(dims, [](std::int64_t) { return static_cast<T>(static_cast<int>(generator()() % 201) - 100); });
}

template <class T, class Kernel> void expect_both_ways(Kernel kernel, std::int64_t n) {
  for (const std::int64_t count : {0, 1, 77, 300}) {
    const auto x = simple<T, 3>({count, n, n});
    on_every_device([&](auto where) {
      auto o = poisoned<T, 2>({count, n}, where);
      kernel(x.to(where), o, {});
      expect_same("extremes", o, [&](auto i) {
        T greatest = x(i[0], i[1], 0), least = x(i[0], 0, i[1]);
        for (std::int64_t k = 1; k < n; ++k) {
          greatest = x(i[0], i[1], k) > greatest ? x(i[0], i[1], k) : greatest;
          least = x(i[0], k, i[1]) < least ? x(i[0], k, i[1]) : least;
        }
        return static_cast<T>(greatest - least);
      });
    });
  }
}

template <class T, class Kernel> void expect_both_sides(Kernel kernel, std::int64_t n) {
  for (const std::int64_t count : {0, 1, 77, 300}) {
    auto x = random<T, 3>({count, n, n});
    on_every_device([&](auto where) {
      auto o = poisoned<T, 3>({count, n, n}, where);
      kernel(x.to(where), o, {});
      // Three times t - 2 t': by the powers of [1 -2; -2 1], that is 13 t - 14 t'.
      expect_same("13 x - 14 x'", o, [&](auto i) {
        const auto here = static_cast<std::uint64_t>(x(i[0], i[1], i[2]));
        const auto there = static_cast<std::uint64_t>(x(i[0], i[2], i[1]));
        return static_cast<T>(13 * here - 14 * there);
      });
    });
  }
}

template <class T, class Kernel> void expect_product_and_transposed(Kernel kernel) {
  for (const auto &[m, n, k] : {std::array<std::int64_t, 3>{1, 1, 0}, {129, 255, 1}, {127, 130, 33}, {300, 77, 19}}) {
    const auto a = simple<T, 2>({m, k}), b = simple<T, 2>({k, n}), d = simple<T, 2>({n, m});
    on_every_device([&, k = k](auto where) {
      expect_same("a b + d'", kernel(a.to(where), b.to(where), d.to(where), {}), [&](auto i) {
        T sum = d(i[1], i[0]);
        for (std::int64_t p = 0; p < k; ++p)
          sum += a(i[0], p) * b(p, i[1]);
        return sum;
      });
    });
  }
}

TEST(Relayouts, InBoxes) {
  expect_product_and_transposed<float>(product_and_transposed_f32);
  expect_product_and_transposed<std::int64_t>(product_and_transposed_s64);
}

TEST(Relayouts, ReductionsBothWays) {
  expect_both_ways<float>(both_ways_f32_2, 2);
  expect_both_ways<float>(both_ways_f32_4, 4);
  expect_both_ways<float>(both_ways_f32_8, 8);
  expect_both_ways<float>(both_ways_f32_32, 32);
  expect_both_ways<float>(both_ways_f32_64, 64);
  expect_both_ways<double>(both_ways_f64_16, 16);
  expect_both_ways<bf16>(both_ways_bf16_32, 32);
  expect_both_ways<std::int8_t>(both_ways_s8_16, 16);
  expect_both_ways<std::int16_t>(both_ways_s16_64, 64);
}

TEST(Relayouts, Transpositions) {
  expect_both_sides<std::int32_t>(both_sides_s32_2, 2);
  expect_both_sides<std::int32_t>(both_sides_s32_4, 4);
  expect_both_sides<std::int32_t>(both_sides_s32_8, 8);
  expect_both_sides<std::int32_t>(both_sides_s32_16, 16);
  expect_both_sides<std::int64_t>(both_sides_s64_16, 16);
  expect_both_sides<std::uint16_t>(both_sides_u16_16, 16);
  expect_both_sides<std::int32_t>(both_sides_s32_32, 32);
}

} // namespace
