// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grids.h"

#include "support.h"

using namespace tegula::test;
using tegula::buffer;

namespace {

/// The row-major number of a point of a grid.
template <int Rank> std::int64_t number(const tegula::shape<Rank> &point, const tegula::shape<Rank> &grid) {
  std::int64_t n = 0;
  for (int axis = 0; axis < Rank; ++axis)
    n = n * grid[axis] + point[axis];
  return n;
}

template <int Rank, class Entry> void check_doubled(Entry entry, const tegula::shape<Rank> &dims) {
  const auto x = random<float>(dims);
  on_every_device([&](auto where) {
    const auto o = entry(x.to(where), {});
    ASSERT_EQ(o.dims(), dims);
    expect_same("2 x", o, [&](auto i) { return 2 * x.data()[number(i, dims)]; });
  });
}

} // namespace

TEST(Grids, OfRank0) {
  on_every_device([](auto where) { expect_same("number", grid_0(where), [](auto) { return 7; }); });
}

TEST(Grids, OfRank1) {
  for (const auto n : odd_sizes)
    on_every_device([&](auto where) {
      const auto o = grid_1(n, where);
      ASSERT_EQ(o.dim(0), n);
      expect_same("number", o, [](auto i) { return i[0]; });
    });
}

TEST(Grids, OfRank2) {
  for (const auto &grid : {tegula::shape<2>(0, 3), tegula::shape<2>(1, 129), tegula::shape<2>(127, 7)})
    on_every_device([&](auto where) {
      expect_same("number", grid_2(grid[0], grid[1], where), [&](auto i) { return number(i, grid); });
    });
}

TEST(Grids, OfRank3) {
  for (const auto &grid : {tegula::shape<3>(3, 0, 2), tegula::shape<3>(7, 3, 127)})
    on_every_device([&](auto where) {
      expect_same("number", grid_3(grid[0], grid[1], grid[2], where), [&](auto i) { return number(i, grid); });
    });
}

TEST(Grids, OfRank4InAnotherOrder) {
  const tegula::shape<4> dims(5, 7, 3, 9);
  on_every_device([&](auto where) {
    expect_same("number", grid_4(dims[0], dims[1], dims[2], dims[3], where), [&](auto i) {
      return number(tegula::shape<4>(i[3], i[1], i[0], i[2]), tegula::shape<4>(dims[3], dims[1], dims[0], dims[2]));
    });
  });
}

TEST(Grids, OfRank5) {
  const tegula::shape<5> grid(2, 3, 1, 4, 5);
  for (const auto n : odd_sizes)
    on_every_device([&](auto where) {
      expect_same("number", grid_5(grid[0], grid[1], grid[2], grid[3], grid[4], n, where),
                  [&](auto i) { return 10 * number(tegula::shape<5>(i[0], i[1], i[2], i[3], i[4]), grid); });
    });
}

TEST(Grids, OfRank6) {
  const tegula::shape<6> grid(2, 3, 4, 1, 5, 7);
  on_every_device([&](auto where) {
    expect_same("number", grid_6(grid[0], grid[1], grid[2], grid[3], grid[4], grid[5], where),
                [&](auto i) { return number(i, grid); });
  });
}

TEST(Grids, WholeArraysOfEveryRank) {
  check_doubled<0>(doubled_0, {});
  for (const auto n : odd_sizes) {
    check_doubled<1>(doubled_1, {n});
    check_doubled<2>(doubled_2, {3, n});
    check_doubled<3>(doubled_3, {n, 3, 2});
    check_doubled<4>(doubled_4, {2, n, 1, 3});
    check_doubled<5>(doubled_5, {1, 2, 2, n, 3});
    check_doubled<6>(doubled_6, {2, 1, n, 2, 1, 3});
  }
}
