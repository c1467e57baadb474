// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "moves.h"

#include "support.h"

#include <cstdint>
#include <vector>

using namespace tegula::test;
using tegula::buffer;

namespace {
using Row = std::vector<std::uint32_t>;

template <class Array> Row row_of(const Array &x) {
  Row row;
  for (std::int64_t i = 0; i < x.size(); ++i)
    row.push_back(static_cast<std::uint32_t>(x.data()[i]));
  return row;
}

std::size_t round(std::int64_t i, std::size_t n) {
  const auto size = static_cast<std::int64_t>(n);
  return static_cast<std::size_t>(((i % size) + size) % size);
}

Row smoothed(Row t, int steps) {
  const std::size_t n = t.size();
  for (int step = 0; step < steps; ++step) {
    Row next(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::int64_t>(i);
      next[i] = 2 * t[i] + (t[round(at - 1, n)] - 3 * t[round(at + 1, n)]);
    }
    t = next;
  }
  return t;
}

Row smoothed_planes(Row t, std::int64_t m, std::int64_t n, int steps) {
  const auto rows = static_cast<std::size_t>(m), columns = static_cast<std::size_t>(n);
  for (int step = 0; step < steps; ++step) {
    Row next(t.size());
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        auto at = [&](std::int64_t r, std::int64_t c) { return t[round(r, rows) * columns + round(c, columns)]; };
        next[static_cast<std::size_t>(i * n + j)] =
            2 * at(i, j) + (at(i - 1, j) + 3 * at(i + 1, j) - at(i, j - 1) + 5 * at(i, j + 1));
      }
    t = next;
  }
  return t;
}

template <int Rank, class Result> void expect_row(const Result &result, const Row &expected, std::int64_t columns) {
  expect_same("o", result, [&](auto i) {
    std::int64_t at = i[0];
    if constexpr (Rank == 2)
      at = at * columns + i[1];
    return static_cast<std::int32_t>(expected[static_cast<std::size_t>(at)]);
  });
}
} // namespace

TEST(Moves, SmoothsRows) {
  for (const std::int64_t n : odd_sizes) {
    const auto x = random<std::int32_t, 1>({n});
    on_every_device([&](auto where) { expect_row<1>(smooth_8(x.to(where)), smoothed(row_of(x), 8), n); });
  }
}

TEST(Moves, SmoothsRowsOfAGrid) {
  for (const std::int64_t n : {1, 2, 33, 1030}) {
    const auto x = random<std::int32_t, 2>({3, n});
    Row expected;
    const Row all = row_of(x);
    for (std::int64_t i = 0; i < 3; ++i) {
      const Row row = smoothed(Row(all.begin() + i * n, all.begin() + (i + 1) * n), 100);
      expected.insert(expected.end(), row.begin(), row.end());
    }
    on_every_device([&](auto where) { expect_row<2>(smooth_rows(x.to(where)), expected, n); });
  }
}

TEST(Moves, SmoothsPlanes) {
  for (const std::int64_t m : {1, 3, 40})
    for (const std::int64_t n : {1, 2, 65, 300}) {
      const auto x = random<std::int32_t, 2>({m, n});
      const Row expected = smoothed_planes(row_of(x), m, n, 5);
      on_every_device([&](auto where) { expect_row<2>(smooth_planes(x.to(where)), expected, n); });
    }
}

TEST(Moves, SmoothsBlocks) {
  const auto x = random<std::int32_t, 1>({3000});
  Row expected;
  const Row all = row_of(x);
  for (int i = 0; i < 3; ++i) {
    const Row row = smoothed(Row(all.begin() + i * 1000, all.begin() + (i + 1) * 1000), 6);
    expected.insert(expected.end(), row.begin(), row.end());
  }
  on_every_device([&](auto where) { expect_row<1>(smooth_blocks(x.to(where)), expected, 3000); });
  const auto y = random<std::int32_t, 2>({96, 112});
  const Row of_plane = smoothed_planes(row_of(y), 96, 112, 5);
  on_every_device([&](auto where) { expect_row<2>(smooth_large_blocks(y.to(where)), of_plane, 112); });
}

TEST(Moves, Jumps) {
  for (const std::int64_t n : {1, 2, 77, 500, 5000}) {
    const auto next = make<std::int32_t, 1>(
        {n}, [&](auto) { return static_cast<std::int32_t>(generator()() % static_cast<std::uint64_t>(n)); });
    Row expected = row_of(next);
    for (int step = 0; step < 16; ++step) {
      Row jumped;
      for (const std::uint32_t at : expected)
        jumped.push_back(expected[at]);
      expected = jumped;
    }
    on_every_device([&](auto where) { expect_row<1>(jump_16(next.to(where)), expected, n); });
    if (n == 500)
      on_every_device([&](auto where) { expect_row<1>(jump_block(next.to(where)), expected, n); });
  }
}

TEST(Moves, Doubles) {
  for (const std::int64_t n : odd_sizes) {
    const auto x = random<std::int32_t, 1>({n});
    Row expected = row_of(x);
    for (int k = 0; k < 12; ++k) {
      const Row t = expected;
      for (std::size_t i = 0; i < t.size(); ++i)
        expected[i] = t[i] + t[round(static_cast<std::int64_t>(i) - (1 << k), t.size())];
    }
    on_every_device([&](auto where) { expect_row<1>(double_up(x.to(where)), expected, n); });
  }
}

TEST(Moves, SmoothsInALoop) {
  for (const std::int64_t times : {0, 1, 5}) {
    const auto x = random<std::int32_t, 1>({333});
    const Row expected = smoothed(row_of(x), static_cast<int>(4 * times));
    on_every_device([&](auto where) { expect_row<1>(smooth_in_loop(x.to(where), times), expected, 333); });
  }
}

TEST(Moves, OnlyMoves) {
  for (const std::int64_t n : odd_sizes) {
    const auto x = random<std::int32_t, 1>({n});
    Row expected = row_of(x);
    for (int k = 0; k < 50; ++k) {
      const Row t = expected;
      for (std::size_t i = 0; i < t.size(); ++i)
        expected[i] = 3 * t[round(static_cast<std::int64_t>(t.size() - 1 - i) - k, t.size())] + 1;
    }
    on_every_device([&](auto where) { expect_row<1>(move_100(x.to(where)), expected, n); });
  }
}
