// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conforming.h"

#include "support.h"

using namespace tegula::test;
using tegula::buffer;

constexpr std::int64_t block = 100;

/// How many elements the block of an element has.
std::int64_t extent_of(std::int64_t i, std::int64_t n) { return std::min(block, n - i / block * block); }

buffer<int, 1> small(std::int64_t n) {
  return make<int, 1>({n}, [](auto) { return static_cast<int>(generator()() % 19) - 9; });
}

TEST(Conforming, ScannedFromTheEnd) {
  for (const std::int64_t n : {1, 13, 99, 100, 101, 213})
    on_every_device([&](auto where) {
      auto count = poisoned<int, 1>({n}, where), most = poisoned<int, 1>({n}, where),
           both = poisoned<int, 1>({n}, where);
      scan_made_from_end(small(n).to(where), count, most, both);
      expect_same("count", count, [&](auto i) { return static_cast<int>(extent_of(i[0], n) - i[0] % block); });
      expect_same("most", most, [&](auto i) { return static_cast<int>(3 * (extent_of(i[0], n) - 1)); });
      expect_same("both", both, [&](auto i) { return static_cast<int>(2 * (extent_of(i[0], n) - i[0] % block)); });
    });
}

/// The sum of 0, 1, ... of a block.
int counted(std::int64_t i, std::int64_t n) { return static_cast<int>(extent_of(i, n) * (extent_of(i, n) - 1) / 2); }

TEST(Conforming, Assigned) {
  for (const std::int64_t n : {1, 13, 99, 100, 101, 213}) {
    const auto x = small(n);
    const std::int64_t blocks = (n + block - 1) / block;
    on_every_device([&](auto where) {
      auto o = poisoned<int, 1>({n}, where), reversed = poisoned<int, 1>({n}, where);
      auto found = poisoned<int, 2>({blocks, 4}, where);
      assign_made(x.to(where), o, reversed, found);
      expect_same("sums", o, [&](auto i) { return x(i[0]) + counted(i[0], n); });
      expect_same("reversed", reversed,
                  [&](auto i) { return static_cast<int>(extent_of(i[0], n) - 1 - i[0] % block); });
      expect_same("found", found, [&](auto i) {
        const auto extent = static_cast<int>(extent_of(i[0] * block, n));
        return i[1] < 2 ? extent - 1 : i[1] == 2 ? extent : 3 * extent;
      });
    });
  }
}

TEST(Conforming, AssignedInBranches) {
  for (const std::int64_t n : {1, 13, 100, 213})
    for (const int which : {0, 1})
      for (const int steps : {1, 3}) {
        const auto x = small(n);
        on_every_device([&](auto where) {
          auto o = poisoned<int, 1>({n}, where), moved = poisoned<int, 1>({n}, where);
          assign_in_branches(x.to(where), o, moved, which, steps);
          expect_same("sums", o, [&](auto i) {
            const auto extent = static_cast<int>(extent_of(i[0], n));
            const int m = which > 0 ? counted(i[0], n) : 2 * extent;
            return x(i[0]) + m + 1000 * (5 * counted(i[0], n) + (steps - 1) * extent);
          });
          expect_same("moved", moved, [&](auto i) {
            const auto extent = static_cast<int>(extent_of(i[0], n)), at = static_cast<int>(i[0] % block);
            return (which > 0 ? (at + extent - 1) % extent : 2) + 5 * at + steps - 1;
          });
        });
      }
}

TEST(Conforming, AssignedRepeated) {
  for (const std::int64_t n : {1, 7, 1000, 70001})
    for (const int which : {0, 1}) {
      const auto x = small(n);
      on_every_device([&](auto where) {
        auto o = poisoned<int, 1>({n}, where);
        assign_repeated(x.to(where), o, which);
        expect_same("sums", o, [&](auto i) { return static_cast<int>(x(i[0]) + (which > 0 ? 3 : 4) * n); });
      });
    }
}

TEST(Conforming, RepeatedAtRunTime) {
  for (const std::int64_t n : {1, 5, 129})
    for (const std::int64_t columns : {1, 7, 130, 9000}) {
      const auto x = small(columns);
      int sum = 0;
      for (std::int64_t i = 0; i < columns; ++i)
        sum += x(i);
      const auto rows = static_cast<int>(n);
      on_every_device([&](auto where) {
        auto sums = poisoned<int, 1>({3}, where), scanned = poisoned<int, 1>({columns}, where),
             assigned = poisoned<int, 1>({columns}, where);
        repeat_at_run_time(x.to(where), sums, scanned, assigned, n);
        expect_same("sums", sums, [&](auto i) { return i[0] == 0 ? rows * sum : i[0] == 1 ? 7 * rows : rows; });
        expect_same("scanned", scanned, [&](auto i) { return std::max(x(i[0]), rows * x(i[0])); });
        expect_same("assigned", assigned, [&](auto i) { return rows * (x(i[0]) + 1); });
      });
    }
}

TEST(Conforming, RolledInSteps) {
  for (const std::int64_t rows : {1, 63, 100})
    for (const std::int64_t columns : {1, 7, 20})
      for (const std::int64_t depth : {1, 5}) {
        const auto x =
            make<int, 3>({rows, columns, depth}, [](auto) { return static_cast<int>(generator()() % 1000); });
        const int steps = 3;
        auto from = [&](std::int64_t row) { return (row + rows - steps % rows) % rows; };
        on_every_device([&](auto where) {
          auto first = poisoned<int, 1>({(columns + 15) / 16}, where);
          auto o = poisoned<int, 3>({rows, columns, depth}, where);
          roll_steps(x.to(where), first, o, steps);
          expect_same("first", first, [&](auto i) { return x(from(0), 16 * i[0], 0); });
          expect_same("moved", o, [&](auto i) { return x(from(i[0]), i[1], i[2]); });
        });
      }
}

TEST(Conforming, TakenOfMade) {
  for (const std::int64_t n : {1, 13, 16, 17, 129}) {
    const auto x = small(n);
    on_every_device([&](auto where) {
      auto o = poisoned<int, 2>({(n + 15) / 16, 8}, where);
      take_made(x.to(where), o);
      expect_same("taken", o, [&](auto i) {
        const int count = static_cast<int>(std::min<std::int64_t>(16, n - 16 * i[0]));
        const int each[] = {3 * count, 2 * count, 5 * count, 8 * count, 6 * count, 100, 14 * count, 2 * count};
        return each[i[1]];
      });
    });
  }
}

TEST(Conforming, TakenAndCut) {
  for (const int n : {1, 5, 130}) {
    const auto x = small(13);
    int sum = 6;
    for (std::int64_t i = 0; i < 13; ++i)
      sum += x(i);
    on_every_device([&](auto where) {
      auto o = poisoned<int, 1>({7}, where);
      take_and_cut(x.to(where), o, n);
      const int results[] = {1, 5, 7 * 21, n, 16, 4 * 16 * n, sum * n};
      expect_same("results", o, [&](auto i) { return results[i[0]]; });
    });
  }
}

TEST(Conforming, AssignedInLoops) {
  for (const std::int64_t n : {1, 13, 100, 101, 257}) {
    const auto x = small(n);
    on_every_device([&](auto where) {
      auto o = poisoned<int, 2>({(n + 99) / 100, 3}, where);
      assign_in_loops(x.to(where), o);
      expect_same("sums", o, [&](auto i) {
        const int count = static_cast<int>(std::min<std::int64_t>(100, n - 100 * i[0]));
        const int results[] = {count * (count - 1) / 2, 4950, i[0] == 0 ? 2 * count : 0};
        return results[i[1]];
      });
    });
  }
}

TEST(Conforming, LengthsThatAreClamped) {
  for (const std::int64_t n : {0, 16, 32})
    for (const std::int64_t m : {1, 13, 16, 65}) {
      const auto x = small(n), y = small(m);
      on_every_device([&](auto where) {
        auto o = poisoned<int, 2>({(m + 15) / 16, 3}, where);
        clamp_lengths(x.to(where), y.to(where), o);
        expect_same("sums", o, [&](auto i) {
          const std::int64_t start = 16 * i[0];
          int sum = 0;
          for (std::int64_t k = start; k < std::min(m, start + 16); ++k)
            sum += 3 * y(k) * static_cast<int>(k - start);
          return i[1] == 2 ? sum : start < n ? 120 : 0;
        });
      });
    }
}

TEST(Conforming, SlicedBeyondTheEnd) {
  for (const std::int64_t n : {1, 4, 5, 6, 7, 8, 129}) {
    const auto x = small(n);
    on_every_device([&](auto where) {
      auto o = poisoned<int, 2>({(n + 6) / 7, 4}, where);
      slice_beyond_end(x.to(where), o);
      expect_same("sliced", o, [&](auto i) {
        const std::int64_t count = std::min<std::int64_t>(7, n - 7 * i[0]);
        int sum = 0, whole = 0;
        for (std::int64_t k = 0; k < 2 * count; ++k) {
          const int element = x(7 * i[0] + k % count);
          whole += element;
          sum += k == 8 || k == 9 ? element : 0;
        }
        const int results[] = {sum, static_cast<int>(std::clamp<std::int64_t>(2 * count - 8, 0, 2)), whole, count > 4};
        return results[i[1]];
      });
    });
  }
}

TEST(Conforming, MovedAndShortened) {
  for (const std::int64_t n : {1, 16, 63})
    for (const std::int64_t m : {7, 128, 129}) {
      const auto x = make<int, 2>({n, m}, [](auto...) { return static_cast<int>(generator()() % 19) - 9; });
      on_every_device([&](auto where) {
        auto o = poisoned<int, 3>({(n + 15) / 16, (m + 127) / 128, 4}, where);
        shorten_moved(x.to(where), o);
        expect_same("shortened", o, [&](auto i) {
          const std::int64_t row = 16 * i[0], column = 128 * i[1];
          const std::int64_t rows = std::min<std::int64_t>(16, n - row),
                             columns = std::min<std::int64_t>(128, m - column);
          int sum = 0;
          for (std::int64_t j = 0; j < rows; ++j)
            for (std::int64_t k = 0; k < columns; ++k)
              sum += static_cast<int>(15 - j) * x(row + j, column + k);
          const int results[] = {15 * x(row, column), sum, static_cast<int>(rows), static_cast<int>(columns)};
          return results[i[2]];
        });
      });
    }
}
