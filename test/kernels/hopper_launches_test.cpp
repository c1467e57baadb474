// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_launches.h"

#include "hopper.h"

using namespace tegula::test;
using tegula::buffer;

TEST(HopperLaunches, EachFollowsTheOneBefore) {
  for (const std::int64_t chunks : {1, 7, 129, 1500})
    for (const std::int64_t rounds : {1, 20}) {
      if (chunks == 1500 && rounds == 20)
        continue; // Longer on the CPU than it finds anything.
      const auto before = random<std::int32_t, 1>({256 * chunks});
      std::vector<std::uint32_t> x(before.data(), before.data() + before.size()), y(x.size());
      const auto step = [&](const auto &from, auto &to) {
        for (std::size_t i = 0; i < to.size(); ++i) {
          const std::size_t p = i / 256, other = from.size() / 256 - 1 - p;
          to[i] = from[other * 256 + i % 256] * 3 + static_cast<std::uint32_t>(i % 256 + p);
        }
      };
      for (std::int64_t i = 0; i < rounds; ++i) {
        step(x, y);
        step(y, x);
      }
      on_every_device([&](auto where) {
        auto a = before.to(where), b = poisoned<std::int32_t, 1>({256 * chunks}, where);
        chained(a, b, rounds);
        expect_same("x", a, [&](auto i) { return static_cast<std::int32_t>(x[static_cast<std::size_t>(i[0])]); });
        expect_same("y", b, [&](auto i) { return static_cast<std::int32_t>(y[static_cast<std::size_t>(i[0])]); });
      });
    }
}

TEST(HopperLaunches, SomeWaitByThemselves) {
  for (const std::int64_t chunks : {1, 2, 301}) {
    const auto x = random<float, 1>({128 * chunks});
    on_every_device([&](auto where) {
      auto y = poisoned<float, 1>({128 * chunks}, where), z = poisoned<float, 1>({128 * chunks}, where);
      mixed(x.to(where), y, z);
      const auto y_of = [&](std::int64_t i) { return i / 128 % 2 == 0 ? 7.0f : x(i) * 2.0f; };
      expect_same("y", y, [&](auto i) { return y_of(i[0]); });
      expect_same("z", z, [&](auto i) { return x(i[0]) * 2.0f + 1.0f + y_of(i[0]); });
    });
  }
}

TEST(HopperLaunches, FewRegisters) {
  const auto x = make<float, 2>({256, 64}, [](std::int64_t i) { return static_cast<float>(i * i % 101); });
  everywhere([&](auto where) {
    auto o = poisoned<float, 2>({64, 64}, where);
    few_registers(x.to(where), o);
    expect_same("sums", o, [&](auto i) {
      float sum = 0;
      for (std::int64_t k = 0; k < 4; ++k)
        sum += x(64 * k + i[0], i[1]) * static_cast<float>(k + 1);
      return sum;
    });
  });
}

TEST(HopperLaunches, WithoutAutoBarriers) {
  const auto x = random<float, 2>({64, 32});
  everywhere([&](auto where) {
    auto o = poisoned<float, 2>({64, 32}, where);
    without_auto_barriers(x.to(where), o);
    expect_same("rows", o, [&](auto i) { return x(i[0], i[1]) * 2.0f + x(3, 7) * 2.0f; });
  });
}
