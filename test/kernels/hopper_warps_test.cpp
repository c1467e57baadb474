// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_warps.h"

#include "hopper.h"

using namespace tegula::test;
using tegula::buffer;

TEST(HopperWarps, EachCopiesARow) {
  const auto x = make<std::int32_t, 2>({4, 64}, [](std::int64_t i) { return static_cast<std::int32_t>(i * i % 1009); });
  everywhere([&](auto where) {
    auto o = poisoned<std::int32_t, 2>({4, 64}, where);
    auto firsts = poisoned<std::int32_t, 1>({4}, where);
    rows_of_warps(x.to(where), o, firsts);
    expect_same("rows", o, [&](auto index) { return 2 * x(index[0], index[1]); });
    expect_same("first elements", firsts, [&](auto index) { return x(index[0], 0) + x(index[0], 1); });
  });
}

TEST(HopperWarps, TheyTakeTurns) {
  for (const std::int64_t rounds : {0, 1, 2, 9})
    everywhere([&](auto where) {
      auto o = poisoned<std::int32_t, 2>({rounds, 4}, where);
      turns_of_warps(o, rounds);
      expect_same("turns", o, [](auto index) { return static_cast<std::int32_t>(4 * index[0] + index[1]); });
    });
}

TEST(HopperWarps, OneCopiesAheadOfAnother) {
  for (const std::int64_t steps : {0, 1, 2, 3, 11}) {
    const auto x = random<std::int32_t, 2>({steps, 32});
    everywhere([&](auto where) {
      auto o = poisoned<std::int32_t, 1>({1}, where);
      ring_of_warps(x.to(where), o);
      expect_same("sum", o, [&](auto) {
        std::uint32_t sum = 0;
        for (std::int64_t i = 0; i < steps; ++i)
          for (std::int64_t k = 0; k < 32; ++k)
            sum += static_cast<std::uint32_t>(x(i, k));
        return static_cast<std::int32_t>(sum);
      });
    });
  }
}

TEST(HopperWarps, EachStoresARow) {
  everywhere([](auto where) {
    auto o = poisoned<std::int32_t, 2>({8, 32}, where);
    stores_of_warps(o);
    expect_same("rows", o, [](auto index) {
      return static_cast<std::int32_t>(1000 * (index[0] / 4) + 32 * (index[0] % 4) + index[1]);
    });
  });
}

TEST(HopperWarps, TwoCopyForAThread) {
  for (const std::int64_t steps : {0, 1, 3, 4, 23}) {
    const auto x = random<std::int32_t, 2>({steps, 64}), y = random<std::int32_t, 2>({steps, 64});
    everywhere([&](auto where) {
      auto o = poisoned<std::int32_t, 2>({steps, 64}, where);
      two_producers(x.to(where), y.to(where), o);
      expect_same("differences", o, [&](auto index) {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(x(index[0], index[1])) -
                                         static_cast<std::uint32_t>(y(index[0], index[1])));
      });
    });
  }
}

TEST(HopperWarps, ThoseOfAClusterShareCopies) {
  for (const std::int64_t steps : {1, 2, 7}) {
    const auto x =
        make<std::int32_t, 2>({4 * steps, 64}, [](std::int64_t i) { return static_cast<std::int32_t>(i * i % 997); });
    everywhere([&](auto where) {
      auto o = poisoned<std::int32_t, 2>({2, 4}, where);
      warps_of_cluster(x.to(where), o);
      expect_same("sums", o, [&](auto index) {
        std::int32_t sum = 0;
        for (std::int64_t i = 0; i < steps; ++i)
          sum += x(4 * i + index[1], 32 * index[0]) + x(4 * i + index[1], 32 * index[0] + 31);
        return sum;
      });
    });
  }
}

TEST(HopperWarps, CountAndSignal) {
  for (const std::int64_t blocks : {1, 2, 13})
    everywhere([&](auto where) {
      auto counts = make<std::int32_t, 1>({blocks}, [](std::int64_t) { return 0; }).to(where);
      auto taken = poisoned<std::int32_t, 1>({4 * blocks}, where);
      auto o = poisoned<std::int32_t, 1>({2}, where);
      counted(counts, taken, o);
      const auto all = static_cast<std::int32_t>(blocks);
      expect_same("numbers", taken,
                  [](auto index) { return static_cast<std::int32_t>(100 * (index[0] / 4) + index[0] % 4); });
      expect_same("sums", counts, [](auto) { return 6; });
      expect_same("what the last one saw", o, [&](auto index) { return index[0] == 0 ? 6 * all : 4 * all; });
    });
}

TEST(HopperWarps, PhasesAreTheThreadsToo) {
  for (const std::int64_t rounds : {0, 1, 2, 5}) {
    const auto x = random<std::int32_t, 2>({rounds, 32});
    everywhere([&](auto where) {
      auto o = poisoned<std::int32_t, 2>({4, 32}, where);
      mixed(x.to(where), o, rounds);
      expect_same("rows", o, [&](auto index) {
        std::int32_t last = 0;
        for (std::int64_t i = index[0]; i < rounds; i += 4)
          last = x(i, index[1]);
        return last;
      });
    });
  }
}
