// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs of which one reads what another stores, against the sets of readers and writers of each element.

#include "tegula/cpu/kernel.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>
#include <vector>

namespace tegula::test {
namespace {

constexpr cpu::site at_load{"kernels.cpp", 12, 7}, at_store{"kernels.cpp", 14, 3};

std::string report(const std::function<void()> &access) {
  try {
    access();
  } catch (const error &thrown) {
    return thrown.what();
  }
  return "(nothing)";
}

std::string expected(const std::string &reader, const std::string &writer, const std::string &element) {
  return "kernels.cpp:12:7: program (" + reader + ") of entry reads " + element + ", which program (" + writer +
         ") stores to at kernels.cpp:14:3, and programs run at the same time: it may read the old value or the new "
         "one; " +
         "read from one array and store to another: tg::in(x) and tg::out(result)";
}

std::vector<float> memory(4096);

} // namespace

TEST(Races, OfALoadAfterAStore) {
  const cpu::ref<float, 2> x = array<float, 2>(memory.data(), {4, 6}, {100, 3});
  cpu::races races(x, "entry", "x", {2, 3}, {at_load, at_store});
  races.begin_program();
  races.begin_program();
  races.store(1, x.select(at_store, 0, 2));
  races.load(0, x.window(at_load, 0, 2, 2)); // Its own.
  for (int i = 0; i < 3; ++i)
    races.begin_program();
  races.load(0, x.window(at_load, 0, 3, 1));
  races.store(1, x.window(at_store, 0, 0, 2));
  EXPECT_EQ(report([&] { races.load(0, x.transpose({1, 0}).window(at_load, 0, 5, 1)); }),
            expected("1, 1", "0, 1", "x[2, 5]"));
}

TEST(Races, OfAStoreAfterALoad) {
  const cpu::ref<float, 1> x = array<float, 1>(memory.data(), {8});
  cpu::races races(x, "entry", "x", {5}, {at_load, at_store});
  races.begin_program();
  races.load(0, x(7));
  races.begin_program();
  races.store(1, x.window(at_store, 0, 3, 4));
  EXPECT_EQ(report([&] { races.store(1, x(7)); }), expected("0", "1", "x[7]"));
}

/// All programs but the last have loaded the element, and the last is no exception.
TEST(Races, OfAStoreAfterManyLoads) {
  const cpu::ref<float, 0> x(memory.data(), {}, {});
  cpu::races races(x, "entry", "x", {3}, {at_load, at_store});
  for (int program = 0; program < 3; ++program) {
    races.begin_program();
    races.load(0, x);
  }
  EXPECT_EQ(report([&] { races.store(1, x); }), expected("0", "2", "x[]"));
}

TEST(Races, StoresOfSeveralProgramsAreTheAuthors) {
  const cpu::ref<float, 1> x = array<float, 1>(memory.data(), {8});
  cpu::races races(x, "entry", "x", {2}, {at_load, at_store});
  for (int program = 0; program < 2; ++program) {
    races.begin_program();
    EXPECT_EQ(report([&] { races.store(1, x); }), "(nothing)");
  }
  EXPECT_EQ(report([&] { races.load(0, x(4)); }), expected("1", "0", "x[4]"));
}

/// Where the two accesses are called from.
TEST(Races, OfInlinedAccesses) {
  const cpu::ref<float, 1> x = array<float, 1>(memory.data(), {8});
  const cpu::site load{"kernels.cpp", 12, 7, "kernels.cpp:30:3"}, store{"kernels.cpp", 12, 7, "kernels.cpp:28:3"};
  cpu::races races(x, "entry", "x", {2}, {load, store});
  races.begin_program();
  races.store(1, x(5));
  races.begin_program();
  EXPECT_EQ(
      report([&] { races.load(0, x); }),
      "kernels.cpp:12:7: program (1) of entry reads x[5], which program (0) stores to at kernels.cpp:12:7 (called from "
      "kernels.cpp:28:3), and programs run at the same time: it may read the old value or the new one; read from one "
      "array and store to another: tg::in(x) and tg::out(result) (called from kernels.cpp:30:3)");
}

/// Of an array that is larger than memory, what is touched is tracked.
TEST(Races, OfLittleOfALargeArray) {
  constexpr std::int64_t rows = std::int64_t{1} << 24, columns = std::int64_t{1} << 6;
  const cpu::ref<float, 2> x(memory.data(), {rows, columns}, {columns, 1});
  cpu::races races(x, "entry", "x", {2}, {at_load, at_store});
  races.begin_program();
  races.store(1, *(x.data() + (rows - 1) * columns + 7));
  races.begin_program();
  EXPECT_EQ(report([&] { races.load(0, *(x.data() + (rows - 1) * columns + 7)); }),
            expected("1", "0", "x[16777215, 7]"));
}

TEST(Races, OfNoElements) {
  const cpu::ref<float, 2> x = array<float, 2>(nullptr, {0, 5}, {0, 0});
  cpu::races races(x, "entry", "x", {2}, {at_load, at_store});
  races.begin_program();
  races.store(1, x);
  races.begin_program();
  EXPECT_EQ(report([&] { races.load(0, x); }), "(nothing)");
}

TEST(Races, OfRandomPrograms) {
  std::mt19937_64 random(2);
  auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); };
  int found = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::int64_t rows = 1 + below(6), columns = 1 + below(6), small = 1 + below(3), large = 6 * small + below(4);
    const bool is_transposed = below(2) == 1;
    const cpu::ref<float, 2> x =
        array<float, 2>(memory.data(), {rows, columns}, {is_transposed ? small : large, is_transposed ? large : small});
    cpu::races races(x, "entry", "x", {6}, {at_load, at_store});
    std::vector<std::set<int>> readers(4096), writers(4096);
    bool is_race = false;
    for (int program = 0; program < 6 && !is_race; ++program) {
      races.begin_program();
      for (int access = 0; access < 3 && !is_race; ++access) {
        cpu::ref<float, 2> window = below(2) == 1 ? x.transpose({1, 0}) : x;
        for (int axis = 0; axis < 2; ++axis)
          window = window.window(at_load, axis, below(6), 1 + below(2), 1 + below(3));
        const bool is_load = below(2) == 1;
        for (std::int64_t i = 0; i < window.dim(0); ++i)
          for (std::int64_t j = 0; j < window.dim(1); ++j) {
            const auto element = static_cast<std::size_t>(&window(i, j) - memory.data());
            (is_load ? readers : writers)[element].insert(program);
            for (const int other : (is_load ? writers : readers)[element])
              is_race |= other != program;
          }
        const std::string told = report([&] { is_load ? races.load(0, window) : races.store(1, window); });
        ASSERT_EQ(told != "(nothing)", is_race) << "round " << round << ": " << told;
      }
    }
    found += is_race ? 1 : 0;
  }
  EXPECT_GT(found, 300);
  EXPECT_LT(found, 1900);
}

} // namespace tegula::test
