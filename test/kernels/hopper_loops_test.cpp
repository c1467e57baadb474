// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_loops.h"

#include "hopper.h"

#include <algorithm>
#include <set>

using namespace tegula::test;
using tegula::buffer;
using tegula::f16;

namespace {

/// The points of a grid in the order of a walk that does one tile after the other.
template <int Rank>
std::vector<tegula::shape<Rank>> walk(const tegula::shape<Rank> &dims, const tegula::shape<Rank> &tiling) {
  std::vector<tegula::shape<Rank>> points;
  tegula::shape<Rank> tiles = dims;
  std::int64_t count = 1;
  for (int axis = 0; axis < Rank; ++axis) {
    tiles[axis] = (dims[axis] + tiling[axis] - 1) / tiling[axis];
    count *= tiles[axis];
  }
  std::int64_t inside = 1;
  for (int axis = 0; axis < Rank; ++axis)
    inside *= tiling[axis];
  for (std::int64_t tile = 0; tile < count; ++tile)
    for (std::int64_t place = 0; place < inside; ++place) {
      tegula::shape<Rank> point = unravel(tile, tiles), within = unravel(place, tiling);
      bool is_there = true;
      for (int axis = 0; axis < Rank; ++axis) {
        point[axis] = point[axis] * tiling[axis] + within[axis];
        is_there = is_there && point[axis] < dims[axis];
      }
      if (is_there)
        points.push_back(point);
    }
  return points;
}

} // namespace

TEST(HopperLoops, Tiles) {
  everywhere([](auto where) {
    for (const auto &dims : {tegula::shape<2>(1, 1), tegula::shape<2>(4, 6), tegula::shape<2>(7, 11)})
      for (const std::int64_t programs : {1, 3}) {
        const auto expect = [&](auto entry, const tegula::shape<2> &tiling) {
          auto o = poisoned<std::int64_t, 3>({dims[0], dims[1], 2}, where);
          entry(o, programs, {});
          auto numbers = buffer<std::int64_t, 2>::empty(dims);
          std::int64_t next = 0;
          for (const auto &point : walk<2>(dims, tiling))
            numbers(point[0], point[1]) = next++;
          expect_same("steps, of how many", o, [&](auto i) {
            const std::int64_t step = numbers(i[0], i[1]);
            return i[2] == 0 ? step : (dims[0] * dims[1] - step % programs + programs - 1) / programs;
          });
        };
        expect(tiles_none, dims);
        expect(tiles_2_3, {2, 3});
        expect(tiles_1_4, {1, 4});
        expect(tiles_5_1, {5, 1});
      }
  });
}

TEST(HopperLoops, TilesOfThreeAxes) {
  everywhere([](auto where) {
    for (const std::int64_t rows : {1, 2, 5}) {
      const tegula::shape<3> dims(rows, 6, 5);
      auto o = poisoned<std::int64_t, 3>(dims, where);
      three_axes(o);
      auto numbers = buffer<std::int64_t, 3>::empty(dims);
      std::int64_t next = 0;
      for (const auto &point : walk<3>(dims, {2, 3, 2}))
        numbers(point[0], point[1], point[2]) = next++;
      expect_same("steps", o, [&](auto i) { return numbers(i[0], i[1], i[2]); });
    }
  });
}

TEST(HopperLoops, Carries) {
  for (const std::int64_t n : {0, 1, 3}) {
    const auto x = make<f16, 3>({n, 64, 64}, [](std::int64_t) {
      return static_cast<f16>(static_cast<float>(static_cast<int>(generator()() % 5) - 2));
    });
    const auto y = make<float, 2>(
        {n, 128}, [](std::int64_t) { return static_cast<float>(static_cast<int>(generator()() % 100) - 50); });
    everywhere([&](auto where) {
      auto o = poisoned<float, 2>({64, 64}, where), sums = poisoned<float, 2>({4, 32}, where);
      auto last = poisoned<std::int64_t, 1>({2}, where);
      carries(x.to(where), y.to(where), o, sums, last);
      expect_same("sum of squares", o, [&](auto i) {
        double sum = 0;
        for (std::int64_t step = 0; step < n; ++step)
          for (std::int64_t k = 0; k < 64; ++k)
            sum += wide(x(step, i[0], k)) * wide(x(step, k, i[1]));
        return sum;
      });
      expect_same("sums of rows", sums, [&](auto i) {
        float sum = 0;
        for (std::int64_t step = 0; step < n; ++step)
          sum += y(step, i[0] * 32 + i[1]);
        return sum;
      });
      expect_same("the last step, how many", last, [&](auto i) { return i[0] == 0 ? n - 1 : n; });
    });
  }
}

namespace {

/// Whether each step was done once, with one number for all threads; a cluster's numbers are 0, 1, 2...
void expect_taken(const buffer<std::int32_t, 2> &times, const buffer<std::int64_t, 4> &numbers) {
  expect_same("once", times, [](auto) { return 1; });
  const auto counted = numbers.to_host();
  std::vector<std::int64_t> clusters(static_cast<std::size_t>(counted.dim(0) * counted.dim(1) + 1));
  for (std::int64_t i = 0; i < counted.dim(0); ++i)
    for (std::int64_t j = 0; j < counted.dim(1); ++j) {
      const std::int64_t number = counted(i, j, 0, 0);
      for (std::int64_t block = 0; block < counted.dim(2); ++block)
        for (std::int64_t thread = 0; thread < counted.dim(3); ++thread)
          ASSERT_EQ(counted(i, j, block, thread), number) << i << ", " << j << ": block " << block;
      ASSERT_GE(number, 0);
      ASSERT_LT(number, counted.dim(0) * counted.dim(1));
      ++clusters[static_cast<std::size_t>(number)];
    }
  for (std::size_t number = 1; number < clusters.size(); ++number)
    ASSERT_LE(clusters[number], clusters[number - 1]) << number;
}

} // namespace

TEST(HopperLoops, StepsThatBlocksTake) {
  everywhere([](auto where) {
    std::vector<tegula::shape<2>> shapes = {{0, 3}, {1, 1}, {7, 5}, {16, 16}};
    if (!where.is_cpu())
      shapes.push_back({100, 77});
    for (const auto &dims : shapes) {
      const auto check = [&](auto entry, std::int64_t blocks, std::int64_t threads) {
        for (int call = 0; call < 2; ++call) {
          auto times = make<std::int32_t, 2>(dims, [](std::int64_t) { return 0; }).to(where);
          auto numbers = poisoned<std::int64_t, 4>({dims[0], dims[1], blocks, threads}, where);
          entry(times, numbers);
          expect_taken(times, numbers);
        }
      };
      check([](auto &times, auto &numbers) { taken(times, numbers, {}); }, 1, 3);
      check([](auto &times, auto &numbers) { taken_2_3(times, numbers, {}); }, 1, 3);
      check([](auto &times, auto &numbers) { taken_by_clusters_2(times, numbers, {}); }, 2, 2);
      check([](auto &times, auto &numbers) { taken_by_clusters_4(times, numbers, {}); }, 4, 2);
    }
    for (const std::int64_t n : {1, 100, 3000}) {
      const auto numbers = [](std::int64_t place) { return static_cast<std::int32_t>(place); };
      auto x = make<std::int32_t, 1>({n}, numbers).to(where), y = make<std::int32_t, 1>({n}, numbers).to(where);
      taken_twice(x, y);
      expect_same("once", x, [](auto i) { return static_cast<std::int32_t>(i[0] + 1); });
      expect_same("once, in the second loop", y, [](auto i) { return static_cast<std::int32_t>(i[0] + 2); });
    }
  });
}

TEST(HopperLoops, ASeedDecidesTheOrderOfSteps) {
  std::set<std::vector<std::int32_t>> orders;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    tegula::cpu::set_seed(seed);
    std::vector<std::int32_t> order, sorted;
    for (int call = 0; call < 2; ++call) {
      auto next = make<std::int32_t, 1>({1}, [](std::int64_t) { return 0; });
      auto o = poisoned<std::int32_t, 1>({20}, tegula::device::cpu());
      order_taken(next, o);
      const std::vector<std::int32_t> now(o.data(), o.data() + 20);
      EXPECT_TRUE(call == 0 || now == order) << "the same for one seed";
      order = now;
    }
    orders.insert(order);
    sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (int i = 0; i < 20; ++i)
      EXPECT_EQ(sorted[static_cast<std::size_t>(i)], i);
  }
  tegula::cpu::set_seed(0);
  EXPECT_GT(orders.size(), 5U);
}

TEST(HopperLoops, UnevenSteps) {
  for (const auto &dims : {tegula::shape<2>(128, 64), tegula::shape<2>(260, 72)}) {
    const std::int64_t depth = (dims[0] + 127) / 128 * 64;
    const auto small = [](std::int64_t) {
      return static_cast<f16>(static_cast<float>(static_cast<int>(generator()() % 5) - 2));
    };
    const auto a = make<f16, 2>({dims[0], depth}, small), b = make<f16, 2>({depth, dims[1]}, small);
    everywhere([&](auto where) {
      auto o = poisoned<float, 2>(dims, where);
      triangle(a.to(where), b.to(where), o);
      expect_same("a b up to the diagonal block", o, [&](auto i) {
        double sum = 0;
        for (std::int64_t k = 0; k < (i[0] / 128 + 1) * 64; ++k)
          sum += wide(a(i[0], k)) * wide(b(k, i[1]));
        return sum;
      });
    });
  }
}
