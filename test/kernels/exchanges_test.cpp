// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchanges.h"

#include "support.h"

#include <algorithm>
#include <numeric>

using namespace tegula::test;
using tegula::buffer;
using tegula::f16;

namespace {
/// Small numbers, whose sums are exact.
template <class T, int Rank> buffer<T, Rank> small(const tegula::shape<Rank> &dims) {
  return make<T>(dims, [](std::int64_t) { return static_cast<T>(static_cast<int>(generator()() % 3)); });
}

/// The sums of a column down to a row.
template <class T> T sum_to(const buffer<T, 2> &x, std::int64_t row, std::int64_t column) {
  T sum = 0;
  for (std::int64_t i = 0; i <= row; ++i)
    sum = static_cast<T>(sum + x(i, column));
  return sum;
}

template <class T, class Entry> void check_turn(Entry entry, std::int64_t m, std::int64_t n) {
  const auto x = small<T, 2>({m, n});
  on_every_device([&](auto where) {
    auto o = poisoned<T, 2>({m, n}, where);
    entry(x.to(where), o, {});
    expect_same("turned", o, [&](auto i) { return sum_to(x, i[0], (i[1] + n - 1) % n); });
  });
}

/// The elements of a row or a column in order: those that are equal stay in theirs.
template <class Get> std::vector<std::int64_t> order_of(std::int64_t count, Get get) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return get(a) < get(b) || (get(a) == get(b) && a < b); });
  return order;
}

template <class T, class Entry> void check_sorted(Entry entry, std::int64_t m, std::int64_t n) {
  const auto x = make<T, 2>({m, n}, [](std::int64_t) { return static_cast<T>(static_cast<int>(generator()() % 90)); });
  on_every_device([&](auto where) {
    auto o = poisoned<T, 2>({m, n}, where);
    entry(x.to(where), o, {});
    expect_same("sorted", o, [&](auto i) {
      const std::int64_t row = (i[0] + m - 1) % m;
      const auto order = order_of(n, [&](auto k) { return static_cast<double>(x(row, k)); });
      return x(row, order[static_cast<std::size_t>(i[1])]);
    });
  });
}
} // namespace

TEST(Exchanges, HaveRealExtents) {
  check_turn<float>(turn_65_65, 65, 65);
  check_turn<std::int32_t>(turn_33_129, 33, 129);
  check_turn<std::uint8_t>(turn_66_100_u8, 66, 100);
  check_turn<std::int64_t>(turn_3_200_s64, 3, 200);
  check_turn<double>(turn_1_65_f64, 1, 65);
  check_turn<std::int16_t>(turn_97_5_s16, 97, 5);
}

TEST(Exchanges, OfThreeDimensions) {
  const auto x = small<std::int32_t, 3>({17, 17, 17});
  on_every_device([&](auto where) {
    auto o = poisoned<std::int32_t, 3>({17, 17, 17}, where);
    turn_cube(x.to(where), o, {});
    expect_same("turned", o, [&](auto i) {
      std::int32_t sum = 0;
      for (std::int64_t k = 0; k <= i[0]; ++k)
        sum += x(k, (i[1] + 16) % 17, i[2]);
      return sum;
    });
  });
}

TEST(Exchanges, InAnotherShape) {
  const auto x = small<std::int32_t, 2>({63, 55});
  on_every_device([&](auto where) {
    auto o = poisoned<std::int32_t, 2>({45, 77}, where);
    reshaped(x.to(where), o, {});
    expect_same("reshaped", o, [&](auto i) {
      const std::int64_t place = i[0] * 77 + i[1];
      return sum_to(x, place % 63, place / 63);
    });
  });
}

TEST(Exchanges, AtIndices) {
  const auto x = small<std::int32_t, 2>({65, 70});
  const auto rows =
      make<std::int32_t, 2>({30, 70}, [](std::int64_t) { return static_cast<std::int32_t>(generator()() % 65); });
  on_every_device([&](auto where) {
    auto o = poisoned<std::int32_t, 2>({30, 70}, where);
    picked(x.to(where), rows.to(where), o, {});
    expect_same("picked", o, [&](auto i) { return sum_to(x, rows(i[0], i[1]), i[1]); });
  });
}

TEST(Exchanges, OfSortedRows) {
  check_sorted<float>(sorted_rows_65_65, 65, 65);
  check_sorted<std::int32_t>(sorted_rows_33_129, 33, 129);
  check_sorted<std::int64_t>(sorted_rows_70_40_s64, 70, 40);
  check_sorted<f16>(sorted_rows_90_65_f16, 90, 65);
}

TEST(Exchanges, OfSortedColumns) {
  const auto x =
      make<std::int32_t, 2>({65, 90}, [](std::int64_t) { return static_cast<std::int32_t>(generator()() % 20); });
  on_every_device([&](auto where) {
    auto o = poisoned<std::int32_t, 2>({65, 90}, where);
    sorted_columns(x.to(where), o, {});
    expect_same("sorted", o, [&](auto i) {
      const auto order = order_of(65, [&](auto k) { return x(k, 89 - i[1]); });
      return static_cast<std::int32_t>(order[static_cast<std::size_t>(i[0])]);
    });
  });
}

TEST(Exchanges, OfAPart) {
  const auto x = small<std::int32_t, 2>({65, 65});
  on_every_device([&](auto where) {
    auto o = poisoned<std::int32_t, 2>({65, 65}, where);
    part(x.to(where), o, {});
    expect_same("part", o, [&](auto i) {
      const std::int64_t column = 30 + (i[1] + 64) % 65 - 60;
      return column >= 0 && column < 65 ? sum_to(x, i[0], column) : static_cast<std::int32_t>(i[0] + 1);
    });
  });
}
