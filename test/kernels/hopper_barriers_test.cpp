// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_barriers.h"

#include "hopper.h"

using namespace tegula::test;
using tegula::buffer;

TEST(HopperBarriers, TestsSayWhatWaitsWouldDo) {
  everywhere([](auto where) {
    auto o = poisoned<std::int32_t, 1>({4}, where);
    tested(o);
    expect_same("answers", o, [](auto) { return 0; });
  });
}

TEST(HopperBarriers, AThreadTestsUntilCopiesAreThere) {
  for (const std::int64_t steps : {0, 1, 3, 4, 50}) {
    const auto x = random<std::int32_t, 2>({steps, 64});
    everywhere([&](auto where) {
      auto o = poisoned<std::int32_t, 1>({64}, where);
      auto spins = poisoned<std::int64_t, 1>({1}, where);
      polled(x.to(where), o, spins);
      expect_same("sums", o, [&](auto index) {
        std::uint32_t sum = 0;
        for (std::int64_t i = 0; i < steps; ++i)
          sum += static_cast<std::uint32_t>(x(i, index[0]));
        return static_cast<std::int32_t>(sum);
      });
      EXPECT_GE(spins.to_host()(0), 0);
    });
  }
}

TEST(HopperBarriers, BlocksOfAClusterTest) {
  const auto x = random<float, 2>({2, 64});
  everywhere([&](auto where) {
    auto o = poisoned<float, 2>({4, 64}, where);
    tested_in_cluster(x.to(where), o);
    expect_same("rows", o, [&](auto index) {
      const float own = x(index[0] < 2 ? index[0] : 3 - index[0], index[1]) * 2.0f;
      return index[0] < 2 ? own : own + 1.0f;
    });
  });
}

TEST(HopperBarriers, ThreadsTakeTurns) {
  for (const std::int64_t rounds : {1, 2, 29})
    everywhere([&](auto where) {
      auto o = poisoned<std::int32_t, 2>({2, rounds}, where);
      turns(o, rounds);
      expect_same("turns", o, [](auto index) { return static_cast<std::int32_t>(2 * index[1] + index[0]); });
    });
}

TEST(HopperBarriers, ThreeOfFourMeet) {
  const auto x = make<float, 2>({4, 64}, [](std::int64_t i) { return static_cast<float>(i * i % 97); });
  for (const std::int64_t rounds : {0, 1, 5})
    everywhere([&](auto where) {
      auto o = poisoned<float, 2>({4, 64}, where);
      three_of_four(x.to(where), o, rounds);
      expect_same("rows", o, [&](auto index) {
        float values[3] = {x(0, index[1]), x(1, index[1]), x(2, index[1])};
        for (std::int64_t i = 0; i < rounds; ++i) {
          const float next[3] = {values[1] - values[2], values[2] - values[0], values[0] - values[1]};
          std::copy(next, next + 3, values);
        }
        return index[0] == 3 ? x(3, index[1]) : values[index[0]];
      });
    });
}

TEST(HopperBarriers, ABlockHasManyNamedBarriers) {
  everywhere([](auto where) {
    auto o = poisoned<std::int32_t, 2>({2, 13}, where);
    many_named(o);
    expect_same("seen", o, [](auto index) { return static_cast<std::int32_t>(10 * index[1] + 1 - index[0]); });
  });
}

TEST(HopperBarriers, WhoComesAloneIsNamed) {
  auto o = poisoned<std::int32_t, 1>({2}, tegula::device());
  EXPECT_NE(
      message_of([&] { comes_alone(o); }).find("warpgroup 0 waits at the named barrier 'both' for 1 of 2 warpgroups"),
      std::string::npos);
}
