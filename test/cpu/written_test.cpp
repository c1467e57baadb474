// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks of what a program has stored of a block, against the set of addresses.

#include "tegula/cpu/kernel.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace tegula::test {
namespace {

constexpr cpu::site here{"kernels.cpp", 12, 7};

template <class Written> std::string report(const Written &written, std::initializer_list<std::int64_t> program = {}) {
  try {
    written.check(here, "entry", "o", program);
  } catch (const error &thrown) {
    return thrown.what();
  }
  return "(nothing)";
}

std::string expected(const std::string &program, std::int64_t missing, std::int64_t all, const std::string &first) {
  return "kernels.cpp:12:7: " + program + " of entry stores nothing to " + std::to_string(missing) + " of the " +
         std::to_string(all) + " elements of its block of o, which is tg::out; the first of them is o[" + first +
         "]: store to all of the block, or, if elements are left out on purpose, let them keep their values: " +
         "tg::partial_out";
}

template <int Rank> void insert(std::set<const float *> &stored, const cpu::ref<float, Rank> &window) {
  static_assert(Rank == 2);
  for (std::int64_t i = 0; i < window.dim(0); ++i)
    for (std::int64_t j = 0; j < window.dim(1); ++j)
      stored.insert(&window(i, j));
}

std::vector<float> memory(4096);

} // namespace

TEST(Written, SaysWhatIsMissing) {
  const cpu::ref<float, 2> block = array<float, 2>(memory.data(), {4, 6}, {100, 3});
  cpu::written written(block);
  EXPECT_EQ(report(written), expected("the program", 24, 24, "0, 0"));
  written.add(block.window(here, 1, 0, 4));
  EXPECT_EQ(report(written, {7}), expected("program (7)", 8, 24, "0, 4"));
  for (std::int64_t i = 0; i < 3; ++i)
    written.add(block.select(here, 0, i));
  EXPECT_EQ(report(written, {7, 0}), expected("program (7, 0)", 2, 24, "3, 4"));
  written.add(block.select(here, 1, 4).select(here, 0, 3));
  written.add(block.transpose({1, 0}).window(here, 0, 5, 9));
  EXPECT_EQ(report(written), "(nothing)");
}

// Strides need not be nested: of shape (3, 2) and strides (2, 3), elements lie at 0, 3, 2, 5, 4, 7.
TEST(Written, OfStridesThatPassEachOther) {
  const cpu::ref<float, 2> block = array<float, 2>(memory.data(), {3, 2}, {2, 3});
  for (std::int64_t i = 0; i < 3; ++i)
    for (std::int64_t j = 0; j < 2; ++j) {
      cpu::written written(block);
      for (std::int64_t k = 0; k < 3; ++k)
        for (std::int64_t l = 0; l < 2; ++l)
          if (k != i || l != j)
            written.add(block(k, l));
      EXPECT_EQ(report(written), expected("the program", 1, 6, std::to_string(i) + ", " + std::to_string(j)));
      written.add(block.window(here, 0, i, 2).window(here, 1, j, 2));
      EXPECT_EQ(report(written), "(nothing)");
    }
}

TEST(Written, OfRank0) {
  const cpu::ref<float, 0> block(memory.data(), {}, {});
  cpu::written written(block);
  EXPECT_EQ(report(written), expected("the program", 1, 1, ""));
  written.add(block);
  EXPECT_EQ(report(written), "(nothing)");
}

TEST(Written, OfNoElements) {
  const cpu::ref<float, 2> block = array<float, 2>(nullptr, {0, 5}, {0, 0});
  cpu::written written(block);
  EXPECT_EQ(report(written), "(nothing)");
  written.add(block);
  written.add(block.window(here, 1, 2, 2));
  EXPECT_EQ(report(written), "(nothing)");
}

// A dimension of one element has any stride.
TEST(Written, OfOneRow) {
  for (const std::int64_t stride : {0, 1, 1000}) {
    const cpu::ref<float, 2> block = array<float, 2>(memory.data(), {1, 5}, {stride, 2});
    cpu::written written(block);
    written.add(block.window(here, 1, 1, 4));
    EXPECT_EQ(report(written), expected("the program", 1, 5, "0, 0"));
    written.add(block.select(here, 0, 0).select(here, 0, 0));
    EXPECT_EQ(report(written), "(nothing)");
  }
}

TEST(Written, WithMasksCountsWhatTheArrayHas) {
  const cpu::ref<float, 1> block = array<float, 1>(memory.data(), {8});
  cpu::written written(block);
  written.add(cpu::reach(block).window(here, 0, -2, 5));
  EXPECT_EQ(report(written), expected("the program", 5, 8, "3"));
  written.add(cpu::reach(block).window(here, 0, 6, 5));
  EXPECT_EQ(report(written), expected("the program", 3, 8, "3"));
  written.add(cpu::reach(block).window(here, 0, INT64_MIN, 5));
  written.add(cpu::reach(block).select(here, 0, 8));
  written.add(cpu::reach(block).select(here, 0, -1));
  EXPECT_EQ(report(written), expected("the program", 3, 8, "3"));
  for (std::int64_t i = 3; i < 6; ++i)
    written.add(cpu::reach(block).select(here, 0, i));
  EXPECT_EQ(report(written), "(nothing)");
  EXPECT_EQ(report(cpu::written(cpu::reach(block).select(here, 0, 8))), "(nothing)"); // A block that is not there.
}

TEST(Written, OfRandomWindows) {
  std::mt19937_64 random(1);
  auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); };
  for (int round = 0; round < 2000; ++round) {
    // The rows may be what is adjacent; gaps anywhere.
    const std::int64_t rows = 1 + below(5), columns = 1 + below(5), small = 1 + below(3), large = 5 * small + below(4);
    const bool is_transposed = below(2) == 1;
    const cpu::ref<float, 2> block =
        array<float, 2>(memory.data(), {rows, columns}, {is_transposed ? small : large, is_transposed ? large : small});
    cpu::written written(block);
    std::set<const float *> stored;
    for (int store = 0; store < 4; ++store) {
      cpu::ref<float, 2> window = block;
      if (below(2) == 1)
        window = window.transpose({1, 0});
      for (int axis = 0; axis < 2; ++axis)
        window = window.window(here, axis, below(6), below(6), 1 + below(3));
      written.add(window);
      insert(stored, window);
    }
    std::int64_t missing = 0;
    std::string first;
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j)
        if (stored.count(&block(i, j)) == 0 && missing++ == 0)
          first = std::to_string(i) + ", " + std::to_string(j);
    ASSERT_EQ(report(written, {round}),
              missing == 0 ? "(nothing)"
                           : expected("program (" + std::to_string(round) + ")", missing, rows * columns, first));
  }
}

} // namespace tegula::test
