// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "strided.h"

#include "support.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace tegula::test;

namespace {
template <class T, class Entry> void check_pairs(Entry entry) {
  for (const std::int64_t n : {1, 7, 127, 129, 1000, 10007}) {
    const auto x = random<T, 1>({2 * n});
    on_every_device([&](auto where) {
      auto even = poisoned<T, 1>({n}, where), odd = poisoned<T, 1>({n}, where), o = poisoned<T, 1>({2 * n}, where);
      entry(x.to(where), even, odd, o, {});
      expect_same("even", even, [&](auto i) { return x(2 * i[0]); });
      expect_same("odd", odd, [&](auto i) { return x(2 * i[0] + 1); });
      expect_same("o", o, [&](auto i) { return x(i[0] ^ 1); });
    });
  }
}
} // namespace

TEST(Strided, Pairs) {
  check_pairs<float>(part_pairs_f32);
  check_pairs<tegula::bf16>(part_pairs_bf16);
  check_pairs<std::uint8_t>(part_pairs_u8);
  check_pairs<bool>(part_pairs_bool);
  check_pairs<double>(part_pairs_f64);
  check_pairs<tegula::e4m3>(part_pairs_e4m3);
}

TEST(Strided, EndsWithItsArray) {
  for (const std::int64_t n : {1, 64, 129, 1000})
    for (const std::int64_t start : {0, 1, 5, 128, 5000, -1, -70, -100000})
      for (const std::int32_t step : {1, 2, 3, 65, 100000}) {
        const auto x = random<float, 2>({3, n});
        on_every_device([&](auto where) {
          auto o = poisoned<float, 2>({3, 150}, where);
          every(x.to(where), o, start, step);
          expect_same("o", o, [&](auto i) {
            const std::int64_t place = start + i[1] * step;
            return place >= 0 && place < n ? x(i[0], place) : -1.0f;
          });
        });
      }
}

TEST(Strided, HasAsManyElementsAsThereAre) {
  const auto x = make<float, 1>({1000}, [](std::int64_t i) { return static_cast<float>(i % 13); });
  for (const std::int64_t start : {0, 3, 999, 1000, 4000})
    for (const std::int64_t n : {0, 1, 100, 5000})
      for (const std::int64_t step : {1, 2, 7, 999, 1 << 30}) {
        double sum = 0, count = 0;
        for (std::int64_t i = start; i < 1000 && count < static_cast<double>(n); i += step, ++count)
          sum += x(i);
        on_every_device([&](auto where) {
          auto sums = poisoned<float, 1>({2}, where);
          every_there(x.to(where), sums, start, n, step);
          expect_same("sums", sums, [&](auto i) { return static_cast<float>(i[0] == 0 ? sum : count); });
        });
      }
}

TEST(Strided, Nests) {
  const auto x = make<float, 2>({40, 96}, [](std::int64_t i) { return static_cast<float>(i * 7 % 61 - 30); });
  on_every_device([&](auto where) {
    auto o = poisoned<float, 2>({13, 16}, where), inner = poisoned<float, 2>({8, 8}, where);
    auto part = poisoned<float, 2>({3, 24}, where);
    auto column = poisoned<float, 1>({10}, where);
    nest(x.to(where), o, inner, part, column);
    expect_same("o", o, [&](auto i) { return x(1 + 3 * i[0], 4 + 5 * i[1]); });
    expect_same("inner", inner, [&](auto i) { return x(2 * (4 + i[0]), 2 + 3 * (1 + 2 * i[1])); });
    expect_same("part", part, [&](auto i) { return std::exp2(x(8 + 1 + 3 * i[0], 3 + 4 * i[1])); });
    expect_same("column", column, [&](auto i) { return x(3 + 4 * i[0], 7); });
  });
}

TEST(Strided, PairsOfBoundaryBlocks) {
  for (const std::int64_t n : {2, 14, 128, 254, 1000}) {
    const auto x = make<float, 1>({n}, [](std::int64_t i) { return static_cast<float>(i * 5 % 17 - 8); });
    on_every_device([&](auto where) {
      auto o = poisoned<float, 1>({(n + 127) / 128}, where);
      sum_of_products(x.to(where), o);
      expect_same("o", o, [&](auto block) {
        float sum = 0;
        for (std::int64_t i = 128 * block[0]; i < std::min(n, 128 * block[0] + 128); i += 2)
          sum += x(i) * x(i + 1);
        return sum;
      });
    });
  }
}

TEST(Strided, Updates) {
  for (const std::int64_t n : {1, 43, 700}) {
    const auto x = random<float, 2>({5, 3 * n});
    on_every_device([&](auto where) {
      auto o = x.to(where);
      auto counts = make<std::int32_t, 1>({96}, [](std::int64_t) { return 1; }).to(where);
      update(o, counts);
      expect_same("o", o, [&](auto i) {
        const float own = x(i[0], i[1]);
        return i[1] % 3 == 0 ? own : i[1] % 3 == 1 ? own * 2 : own + x(i[0], i[1] - 2);
      });
      expect_same("counts", counts,
                  [](auto i) { return static_cast<std::int32_t>(i[0] % 3 == 1 ? 1 + 5 * (i[0] / 3) : 1); });
    });
  }
}

TEST(Strided, GathersAndProducts) {
  const auto x = make<float, 2>({32, 32}, [](std::int64_t i) { return static_cast<float>(i * 7 % 15 - 7); });
  const auto rows = make<std::int32_t, 1>({20}, [](std::int64_t i) { return static_cast<std::int32_t>(i * 11 % 32); });
  on_every_device([&](auto where) {
    auto o = poisoned<float, 2>({20, 16}, where), product = poisoned<float, 2>({16, 8}, where);
    gather_and_multiply(x.to(where), rows.to(where), o, product);
    expect_same("o", o, [&](auto i) { return x(rows(i[0]), 1 + 2 * i[1]); });
    expect_same("product", product, [&](auto i) {
      float sum = 0;
      for (std::int64_t k = 0; k < 32; ++k)
        sum += x(2 * i[0], k) * x(k, 3 + 4 * i[1]);
      return sum;
    });
  });
}

TEST(Strided, ProductsOfHalves) {
  for (const tegula::shape<3> dims : {tegula::shape<3>{1, 1, 1}, {7, 129, 64}, {130, 65, 200}, {256, 128, 256}}) {
    const auto [m, n, k] = std::array{dims[0], dims[1], dims[2]};
    const auto small = [](std::int64_t i) { return tegula::bf16(static_cast<float>(i * 7 % 15 - 7)); };
    const auto a = make<tegula::bf16, 2>({2 * m, k}, small), b = make<tegula::bf16, 2>({k, 2 * n}, small);
    on_every_device([&, m = m, n = n, k = k](auto where) {
      auto o = poisoned<float, 2>({m, n}, where), looped = poisoned<float, 2>({m, n}, where);
      multiply_halves(a.to(where), b.to(where), o, looped);
      const auto expected = [&](auto i) {
        float sum = 0;
        for (std::int64_t j = 0; j < k; ++j)
          sum += static_cast<float>(a(2 * i[0], j)) * static_cast<float>(b(j, 2 * i[1] + 1));
        return sum;
      };
      expect_same("o", o, expected);
      expect_same("looped", looped, expected);
    });
  }
}

TEST(Strided, StepsGoForward) {
  const auto x = random<float, 2>({3, 100});
  auto o = poisoned<float, 2>({3, 64}, tegula::device::cpu());
  for (const std::int32_t step : {0, -1}) {
    const std::string expected =
        "a window has the step " + std::to_string(step) + ": a step must be 1 or more; to reverse a tile, use tg::flip";
    on_every_device([&](auto where) {
      auto there = o.to(where);
      EXPECT_NE(message_of([&] { every(x.to(where), there, 0, step); }).find(expected), std::string::npos);
    });
    const auto row = random<float, 1>({100});
    const auto steps = make<std::int32_t, 1>({1}, [&](std::int64_t) { return step; });
    auto sum = poisoned<float, 1>({1}, tegula::device::cpu());
    const std::string message = message_of([&] { by_loaded_step(row, steps, sum); });
    EXPECT_NE(message.find("strided.cpp:"), std::string::npos) << message;
    EXPECT_NE(
        message.find("a slice of dimension 0 has the step " + std::to_string(step) + ": a step must be 1 or more"),
        std::string::npos)
        << message;
  }
  const auto row = make<float, 1>({10}, [](std::int64_t i) { return static_cast<float>(i); });
  const auto steps = make<std::int32_t, 1>({3}, [](std::int64_t i) { return static_cast<std::int32_t>(1 + 2 * i); });
  on_every_device([&](auto where) {
    auto sums = poisoned<float, 1>({3}, where);
    by_loaded_step(row.to(where), steps.to(where), sums);
    expect_same("sums", sums, [](auto i) { return i[0] == 0 ? 45.0f : i[0] == 1 ? 18.0f : 5.0f; });
  });
}
