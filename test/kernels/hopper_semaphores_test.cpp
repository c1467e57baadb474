// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_semaphores.h"

#include "hopper.h"

using namespace tegula::test;
using tegula::buffer;
using tegula::device;

namespace {

/// Rows `first`, `first` + `step`... of x[m], added up in this order.
float sum_of_rows(const buffer<float, 3> &x, std::int64_t m, std::int64_t first, std::int64_t step, std::int64_t c) {
  float sum = 0;
  for (std::int64_t row = first; row < x.dim(1); row += step)
    sum += x(m, row, c);
  return sum;
}

/// The buffers after some steps round a ring of rows.
buffer<std::int32_t, 3> ring_after(const buffer<std::int32_t, 3> &x, std::int64_t steps) {
  auto now = x.to_host();
  const std::int64_t rows = x.dim(1);
  for (std::int64_t step = 0; step < steps; ++step)
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < 128; ++c) {
        const auto at = [&](std::int64_t row) { return static_cast<std::uint32_t>(now(step % 2, row % rows, c)); };
        now(1 - step % 2, r, c) = static_cast<std::int32_t>(at(r + 1) + 3 * at(r + rows - 1) - at(r));
      }
  return now;
}

/// How often a call that goes wrong under some seeds does so on the CPU, with the message.
template <class Call> int failures(Call call, const std::string &text) {
  int count = 0;
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    tegula::cpu::set_seed(seed);
    const std::string message = message_of(call);
    count += message.find(text) != std::string::npos;
    EXPECT_TRUE(message == "(nothing)" || message.find(text) != std::string::npos) << message;
  }
  tegula::cpu::set_seed(0);
  return count;
}

} // namespace

TEST(HopperSemaphores, PartsAddUpInOrder) {
  for (const auto &[tiles, rows, parts] : {std::array<std::int64_t, 3>{1, 1, 1}, {3, 37, 5}, {64, 9, 11}, {2, 0, 4}}) {
    const auto x = random<float, 3>({tiles, rows, 128});
    everywhere([&, parts = parts](auto where) {
      auto o = poisoned<float, 2>({x.dim(0), 128}, where);
      sums_in_order(x.to(where), o, parts);
      expect_same("sums", o, [&](auto index) {
        float sum = sum_of_rows(x, index[0], 0, parts, index[1]);
        for (std::int64_t k = 1; k < parts; ++k)
          sum += sum_of_rows(x, index[0], k, parts, index[1]);
        return sum;
      });
    });
  }
}

TEST(HopperSemaphores, PartsComeInAnyOrder) {
  for (const auto &[tiles, rows, parts] : {std::array<std::int64_t, 3>{1, 1, 1}, {3, 37, 5}, {8, 9, 7}}) {
    const auto x = random<float, 3>({tiles, rows, 128});
    everywhere([&, parts = parts](auto where) {
      auto partial = poisoned<float, 3>({x.dim(0), parts, 128}, where);
      auto o = poisoned<float, 2>({x.dim(0), 128}, where);
      sums_in_any_order(x.to(where), partial, o);
      expect_same("sums", o, [&](auto index) {
        float sum = sum_of_rows(x, index[0], 0, parts, index[1]);
        for (std::int64_t k = 1; k < parts; ++k)
          sum += sum_of_rows(x, index[0], k, parts, index[1]);
        return sum;
      });
    });
  }
}

TEST(HopperSemaphores, AGridGoesStepByStep) {
  for (const auto &[rows, blocks, steps] : {std::array<std::int64_t, 3>{1, 1, 1}, {13, 5, 6}, {131, 40, 3}}) {
    const auto x = random<std::int32_t, 3>({2, rows, 128});
    everywhere([&, blocks = blocks, steps = steps](auto where) {
      auto rows_there = x.to(where);
      ring_of_rows(rows_there, blocks, steps);
      const auto expected = ring_after(x, steps);
      expect_same("rows", rows_there, [&](auto index) { return expected(index[0], index[1], index[2]); });
    });
  }
}

TEST(HopperSemaphores, CopiesSeeWhatOtherBlocksWrote) {
  for (const auto &[rows, clusters, steps] : {std::array<std::int64_t, 3>{1, 1, 1}, {13, 3, 6}, {131, 20, 3}}) {
    const auto x = random<std::int32_t, 3>({2, rows, 128});
    everywhere([&, clusters = clusters, steps = steps](auto where) {
      auto rows_there = x.to(where);
      ring_by_copies(rows_there, clusters, steps);
      const auto expected = ring_after(x, steps);
      expect_same("rows", rows_there, [&](auto index) { return expected(index[0], index[1], index[2]); });
    });
  }
}

TEST(HopperSemaphores, AChainIsAsLongAsItWants) {
  for (const std::int64_t blocks : {0, 1, 50, 3001}) {
    const auto x = random<std::int32_t, 2>({blocks, 128});
    auto expected = buffer<std::int32_t, 2>::empty({blocks, 128});
    for (std::int64_t b = 0; b < blocks; ++b)
      for (std::int64_t c = 0; c < 128; ++c)
        expected(b, c) = static_cast<std::int32_t>(static_cast<std::uint32_t>(x(b, c)) +
                                                   (b > 0 ? static_cast<std::uint32_t>(expected(b - 1, c)) : 0U));
    everywhere([&](auto where) {
      auto o = poisoned<std::int32_t, 2>({blocks, 128}, where);
      chain(x.to(where), o);
      expect_same("sums", o, [&](auto index) { return expected(index[0], index[1]); });
    });
  }
}

TEST(HopperSemaphores, OneOfAllIsInside) {
  everywhere([&](auto where) {
    auto o = make<std::int32_t, 2>({2, 128}, [](auto) { return 0; }).to(where);
    one_at_a_time(o, 20, 3);
    expect_same("counts", o, [](auto index) { return index[0] == 0 ? 120 : -120 * 121 / 2; });
  });
}

TEST(HopperSemaphores, NeighboursWaitForEachOther) {
  constexpr std::int64_t rounds = 6;
  for (const std::int64_t blocks : {1, 3, 16}) {
    const auto x = random<std::int32_t, 3>({blocks, rounds + 1, 128});
    auto expected = x.to_host();
    for (std::int64_t round = 0; round < rounds; ++round)
      for (std::int64_t b = 0; b < blocks; ++b)
        for (std::int64_t c = 0; c < 128; ++c) {
          const auto at = [&](std::int64_t block) {
            return static_cast<std::uint32_t>(expected(block % blocks, round, c));
          };
          expected(b, round + 1, c) = static_cast<std::int32_t>(at(b + blocks - 1) - at(b + 1) + at(b));
        }
    everywhere([&](auto where) {
      auto there = x.to(where);
      neighbours(there, rounds);
      expect_same("rows", there, [&](auto index) { return expected(index[0], index[1], index[2]); });
    });
  }
}

TEST(HopperSemaphores, EachLaunchBeginsWithZero) {
  everywhere([](auto where) {
    for (int launches = 0; launches < 3; ++launches) {
      auto o = poisoned<std::int32_t, 1>({4}, where);
      counts(o);
      expect_same("counts", o, [](auto index) {
        constexpr std::int32_t expected[] = {0, 3, 0, -7};
        return expected[index[0]];
      });
    }
  });
}

TEST(HopperSemaphores, AWaitForNobodyIsAnError) {
  auto o = poisoned<std::int32_t, 1>({3}, device());
  EXPECT_EQ(failures([&] { never(o, 3); }, "deadlock"), 0); // Two others signal.
  const std::string message = message_of([&] { never(o, 2); });
  EXPECT_NE(message.find("deadlock of 1 clusters"), std::string::npos) << message;
  EXPECT_NE(message.find("warpgroup 0 of cluster 1 waits until a semaphore is 2, which is 1"), std::string::npos);
  EXPECT_NE(message.find("hopper_semaphores.cpp:"), std::string::npos);
}

TEST(HopperSemaphores, AWaitForLaterBlocksIsFound) {
  auto o = poisoned<std::int32_t, 1>({20}, device());
  const int found = failures([&] { for_the_last(o, 20); }, "the kernel says that CTAs wait only for earlier ones");
  EXPECT_EQ(found, 32);
  EXPECT_EQ(message_of([&] { for_the_last(o, 1); }), "(nothing)");
}

TEST(HopperSemaphores, ABlockThatLeavesTheGridIsMissed) {
  auto o = poisoned<std::int32_t, 1>({3}, device());
  EXPECT_NE(message_of([&] { leaves_the_grid(o); }).find("waits at the barrier of the grid for 1 of 3 warpgroups"),
            std::string::npos);
}

TEST(HopperSemaphores, OnesThatAreNotThereAreNamed) {
  auto o = poisoned<std::int32_t, 1>({1}, device());
  beyond(o, 3);
  EXPECT_NE(message_of([&] { beyond(o, 4); }).find("elements 4 to 4 of dimension 0 are accessed, which has 4"),
            std::string::npos);
  EXPECT_NE(message_of([&] { beyond(o, -1); }).find("elements -1 to -1"), std::string::npos);
}

TEST(HopperSemaphores, MoreBlocksThanRunAtOnceAreRefused) {
  on_every_device([](device where) {
    if (where.is_cpu())
      return;
    auto o = poisoned<std::int32_t, 1>({100000}, where);
    const std::string message = message_of([&] { never(o, 100000); });
    EXPECT_NE(message.find("has 100000 CTAs that synchronize, but "), std::string::npos) << message;
    EXPECT_NE(message.find(" of them at once: give it fewer CTAs"), std::string::npos) << message;
    never(o, 3); // And nothing is broken.
    tegula::synchronize(where);
  });
}
