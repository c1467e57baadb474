// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_memory.h"

#include "hopper.h"
#include "matrices.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

TEST(HopperMemory, ScopesInTurn) {
  for (const int rounds : {1, 3}) {
    const auto x = random<float, 2>({rounds * 128 - 5, 252});
    everywhere([&](auto where) {
      auto twice = poisoned<float, 2>(x.dims(), where), minus = poisoned<float, 2>(x.dims(), where);
      in_turn(x.to(where), twice, minus, rounds);
      expect_same("2 x", twice, [&](auto i) { return 2 * x(i[0], i[1]); });
      expect_same("-x", minus, [&](auto i) { return -x(i[0], i[1]); });
    });
  }
}

TEST(HopperMemory, ThreadsInTurn) {
  const auto x = make<std::int32_t, 2>({3, 128}, [](std::int64_t i) { return static_cast<std::int32_t>(i * i); });
  everywhere([&](auto where) {
    auto o = poisoned<std::int32_t, 3>({2, 3, 128}, where);
    threads_in_turn(x.to(where), o);
    expect_same("sums and differences", o, [&](auto i) {
      const auto next = x((i[1] + 1) % 3, i[2]), last = x((i[1] + 2) % 3, i[2]);
      return i[0] == 0 ? next + last : 3 * (next - last);
    });
  });
}

TEST(HopperMemory, ARingThenTheResult) {
  const auto a = matrix<bf16>(130, 200), b = matrix<bf16>(200, 248);
  const auto reference = reference_of(exact(a), exact(b));
  everywhere([&](auto where) {
    auto o = poisoned<float, 2>({130, 248}, where);
    ring_then_result(a.to(where), b.to(where), o);
    expect_product<bf16>(o, reference);
  });
}

namespace {
template <class T, class Entry> void check_across_panels(Entry entry) {
  const auto x = random<T, 2>({16, 256});
  for (const std::int64_t from : {0, 5, 60, 93})
    for (const std::int64_t to : {1, 30, 127, 221}) {
      auto expected = make<T, 2>({16, 256}, [&](std::int64_t i) { return x(i / 256, i % 256); });
      auto move = [&](std::int64_t rows, std::int64_t columns, std::int64_t to_row, std::int64_t to_column,
                      std::int64_t from_row, std::int64_t from_column) {
        const auto before = make<T, 2>({16, 256}, [&](std::int64_t i) { return expected(i / 256, i % 256); });
        for (std::int64_t i = 0; i < rows; ++i)
          for (std::int64_t j = 0; j < columns; ++j)
            expected(to_row + i, to_column + j) = before(from_row + i, from_column + j);
      };
      move(7, 35, 8, to, 1, from);
      move(4, 64, 0, 17, 8, from + 1);
      move(1, 128, 15, 100, 7, from + 3);
      everywhere([&](auto where) {
        auto o = poisoned<T, 2>(x.dims(), where);
        entry(x.to(where), o, from, to);
        expect_same("parts", o, [&](auto i) { return expected(i[0], i[1]); });
      });
    }
}
} // namespace

TEST(HopperMemory, WindowsAcrossPanels) {
  check_across_panels<std::uint8_t>([](auto &&...all) { across_panels_u8(all...); });
  check_across_panels<f16>([](auto &&...all) { across_panels_f16(all...); });
  check_across_panels<float>([](auto &&...all) { across_panels_f32(all...); });
  check_across_panels<double>([](auto &&...all) { across_panels_f64(all...); });
}

TEST(HopperMemory, WhatACopyWroteIsReadBack) {
  const auto x = random<float, 2>({64, 32}), o = random<float, 2>({64, 32});
  everywhere([&](auto where) {
    auto there = o.to(where), before = poisoned<float, 2>(x.dims(), where), after = poisoned<float, 2>(x.dims(), where);
    read_back(x.to(where), there, before, after);
    expect_same("o before", before, [&](auto i) { return o(i[0], i[1]); });
    expect_same("o after", after, [&](auto i) { return 2 * x(i[0], i[1]); });
  });
}

TEST(HopperMemory, AClusterInTurn) {
  const auto x = random<float, 2>({260, 128});
  everywhere([&](auto where) {
    constexpr int rounds = 3;
    auto o = poisoned<float, 3>({4, 128, 128}, where);
    cluster_in_turn(x.to(where), o, rounds);
    expect_same("rows", o, [&](auto i) {
      const std::int64_t row = i[1] + rounds - 1 + (i[0] == 2 ? 128 : 0);
      return row < 260 ? x(row, i[2]) : 0.0F;
    });
  });
}

TEST(HopperMemory, PinnedArrangements) {
  const auto x = random<float, 2>({77, 132});
  for (const auto entry : {pinned_16, pinned_32, pinned_64, pinned_128})
    for (const auto &[row, column] : {std::pair<std::int64_t, std::int64_t>{0, 0}, {3, 64}, {60, 100}})
      everywhere([&, row = row, column = column](auto where) {
        auto o = make<float, 2>(x.dims(), [](std::int64_t) { return 7.0F; }).to(where);
        entry(x.to(where), o, row, column, {});
        expect_same("window", o, [&](auto i) {
          const std::int64_t at = i[0] - row;
          if (at < 0 || at >= 40 || i[1] < column || i[1] >= column + 64)
            return 7.0F;
          return at >= 16 && at < 24 ? -x(i[0], i[1]) : x(i[0], i[1]) + 1.0F;
        });
      });
}

TEST(HopperMemory, PinnedOperands) {
  const auto a = matrix<f16>(64, 168), b = matrix<f16>(168, 64);
  const auto reference = reference_of(exact(a), exact(b));
  for (const auto entry : {operands_128_32, operands_64_128, operands_32_64})
    everywhere([&](auto where) {
      auto o = poisoned<float, 2>({64, 64}, where);
      entry(a.to(where), b.to(where), o, {});
      expect_product<f16>(o, reference);
    });
}
