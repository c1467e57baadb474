// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_loops.h"

#include "hopper.h"

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
