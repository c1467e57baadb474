// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_threads.h"

#include "hopper.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;

TEST(HopperThreads, PingPong) {
  const auto x = random<std::int32_t, 1>({128});
  for (const int rounds : {1, 2, 7})
    everywhere([&](auto where) {
      auto o = poisoned<std::int32_t, 2>({2, 128}, where);
      ping_pong(x.to(where), o, rounds);
      expect_same("number", o, [&](auto index) {
        auto value = static_cast<std::uint32_t>(x(index[1])), received = value;
        for (int i = 0; i < rounds; ++i) {
          received = value + static_cast<std::uint32_t>(i);
          value = received * 3;
        }
        return static_cast<std::int32_t>(index[0] == 0 ? value : received);
      });
    });
}

TEST(HopperThreads, AllMeet) {
  const auto x = make<float, 2>({3, 64}, [](std::int64_t i) { return static_cast<float>(i * i % 97); });
  for (const std::int64_t rounds : {0, 1, 5})
    everywhere([&](auto where) {
      auto o = poisoned<float, 2>({3, 64}, where);
      all_meet(x.to(where), o, rounds);
      expect_same("sums", o, [&](auto index) {
        float values[3] = {x(0, index[1]), x(1, index[1]), x(2, index[1])};
        for (std::int64_t i = 0; i < rounds; ++i) {
          const float next[3] = {values[1] - values[2], values[2] - values[0], values[0] - values[1]};
          std::copy(next, next + 3, values);
        }
        return values[index[0]];
      });
    });
}

TEST(HopperThreads, ARingOfBarriers) {
  for (const std::int64_t steps : {1, 6, 7, 25}) {
    const auto x = random<float, 2>({steps, 64});
    everywhere([&](auto where) {
      auto o = poisoned<float, 2>({steps, 64}, where);
      ring(x.to(where), o);
      expect_same("x / 2", o, [&](auto i) { return x(i[0], i[1]) / 2; });
    });
  }
}

TEST(HopperThreads, TwoReaders) {
  for (const std::int64_t rows : {0, 1, 8, 63}) {
    const auto x = random<std::int32_t, 2>({rows, 64});
    everywhere([&](auto where) {
      auto o = poisoned<std::int32_t, 2>({8, 64}, where);
      two_readers(x.to(where), o);
      expect_same("sum", o, [&](auto index) {
        std::uint32_t sum = 0;
        for (std::int64_t row = index[0]; row < rows; row += 8)
          sum += static_cast<std::uint32_t>(x(row, index[1]));
        return static_cast<std::int32_t>(sum);
      });
    });
  }
}

TEST(HopperThreads, Axes) {
  everywhere([](auto where) {
    for (const std::int64_t m : {1, 7, 129}) {
      auto o = poisoned<std::int32_t, 2>({m * 2, 2}, where);
      one_axis(o, m);
      expect_same("place, sizes", o, [&](auto i) { return i[1] == 0 ? i[0] / 2 * 100 + i[0] % 2 : m * 100 + 2; });
    }
    const std::int64_t m = 3, n = 5, k = 4;
    auto three = poisoned<std::int32_t, 2>({m * n * k, 2}, where);
    three_axes(three, m, n, k);
    expect_same("place, sizes", three,
                [&](auto i) { return i[1] == 0 ? i[0] / (n * k) * 10000 + i[0] / k % n * 100 + i[0] % k : m * n + k; });
    auto clusters = poisoned<std::int32_t, 2>({m * n * 16, 3}, where);
    cluster_axes(clusters, m, n);
    expect_same("place, sizes, cluster", clusters, [&](auto i) {
      const std::int64_t cluster = i[0] / 16, block = i[0] / 2 % 8;
      return i[1] == 0   ? block / 4 * 100 + block % 4 * 10 + i[0] % 2
             : i[1] == 1 ? 8 * 100 + 4 * 2
                         : cluster / n * 100 + cluster % n;
    });
  });
}

TEST(HopperThreads, MulticastAlongAnAxis) {
  const std::int64_t clusters = 2;
  const auto x = random<float, 2>({48, 36}); // The last windows extend past.
  const auto element = [&](std::int64_t i, std::int64_t j) {
    return i < x.dim(0) && j >= 0 && j < x.dim(1) ? x(i, j) : 0.0F;
  };
  for (const int blocks : {2, 4}) {
    const auto before = random<float, 4>({clusters * blocks, 3, 40, 128});
    everywhere([&](auto where) {
      auto o = before.to(where);
      (blocks == 2 ? multicast_2 : multicast_4)(x.to(where), o, clusters, {});
      expect_same("rows", o, [&](auto i) {
        const std::int64_t first = i[0] / blocks * 32 + i[1];
        if (i[2] >= 32)
          return element(first + i[2] - 32, i[3] + 4 * i[1]);
        return i[3] < 32 ? element(first + i[2], i[3] - 4 * i[1]) : before(i[0], i[1], i[2], i[3]);
      });
    });
  }
}

TEST(HopperThreads, MulticastOfSeveralBoxes) {
  const auto x = random<float, 2>({500, 268});
  const auto element = [&](std::int64_t i, std::int64_t j) {
    return i >= 0 && i < x.dim(0) && j < x.dim(1) ? x(i, j) : 0.0F;
  };
  everywhere([&](auto where) {
    auto o = poisoned<float, 3>({2, 528, 16}, where), wide = poisoned<float, 3>({2, 4, 260}, where);
    multicast_large(x.to(where), o, wide);
    expect_same("high", o, [&](auto i) { return element(i[1] + 1, i[2] + 4); });
    expect_same("wide", wide, [&](auto i) { return element(i[1] - 1, i[2]); });
  });
}

TEST(HopperThreads, MulticastAlongTwoAxes) {
  const auto x = random<bf16, 2>({160, 64});
  everywhere([&](auto where) {
    auto o = poisoned<bf16, 4>({4, 3, 32, 64}, where);
    multicast_2_2(x.to(where), o);
    expect_same("rows", o, [&](auto i) {
      const std::int64_t a = i[0] / 2, b = i[0] % 2, first[3] = {b * 32, 64 + a * 32, 128};
      return x(first[i[1]] + i[2], i[3]);
    });
  });
}

TEST(HopperThreads, BlocksSeeWhatTheirClusterWrote) {
  for (const int rounds : {1, 2, 9})
    everywhere([&](auto where) {
      auto seen = poisoned<std::int32_t, 3>({2, 2, 4}, where);
      auto o = poisoned<std::int32_t, 2>({8, 2}, where);
      neighbours(seen, o, rounds);
      expect_same("sum of two neighbours", o, [&](auto i) {
        const std::int64_t a = i[0] / 4, b = i[0] % 4;
        return (1 - a) * 10 + b + a * 10 + (b + 1) % 4 + 200 * (rounds - 1);
      });
    });
}
