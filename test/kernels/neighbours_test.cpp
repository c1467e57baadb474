// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "neighbours.h"

#include "support.h"

using namespace tegula::test;
using tegula::array;
using tegula::bf16;
using tegula::buffer;

namespace {

/// Small integers, whose sums and products are exact in every type.
template <class T, int Rank> buffer<T, Rank> digits_of(const tegula::shape<Rank> &dims) {
  return make<T, Rank>(dims, [](auto) { return static_cast<T>(static_cast<float>(generator()() % 16)); });
}

template <class T, class Entry> void check_weighted(Entry entry, std::int64_t width) {
  for (const std::int64_t size : {width - 1, width, std::int64_t{127}, std::int64_t{1030}, std::int64_t{70001}}) {
    const auto x = digits_of<T, 1>({size});
    on_every_device([&](auto where) {
      SCOPED_TRACE("o of " + std::to_string(size));
      expect_same("o", entry(x.to(where)), [&](auto at) {
        T sum = 0;
        for (std::int64_t i = 0; i < width; ++i)
          sum = static_cast<T>(sum + static_cast<T>(i + 1) * x(at[0] + i));
        return sum;
      });
    });
  }
}

template <class T, class Entry> void check_ordered(Entry entry, const std::array<int, 3> &order) {
  for (const auto &dims : {tegula::shape<3>(1, 1, 1), tegula::shape<3>(3, 0, 5), tegula::shape<3>(7, 129, 65),
                           tegula::shape<3>(64, 16, 128), tegula::shape<3>(2, 300, 31), tegula::shape<3>(130, 5, 72)}) {
    const auto x = digits_of<T, 3>(dims);
    on_every_device([&](auto where) {
      SCOPED_TRACE("ordered, of " + to_string(dims));
      expect_same("o", entry(x.to(where)), [&](auto at) {
        tegula::shape<3> from;
        for (std::size_t i = 0; i < 3; ++i)
          from[order[i]] = at[i];
        return x(from[0], from[1], from[2]);
      });
    });
  }
}

} // namespace

TEST(Neighbours, InRows) {
  check_weighted<std::int32_t>([](const auto &x) { return weighted_3(x); }, 3);
  check_weighted<std::int32_t>([](const auto &x) { return weighted_12(x); }, 12);
  check_weighted<std::uint8_t>([](const auto &x) { return weighted_u8(x); }, 5);
  check_weighted<double>([](const auto &x) { return weighted_f64(x); }, 2);
}

TEST(Neighbours, InRowsAndColumns) {
  for (const auto &dims :
       {tegula::shape<2>(2, 9), tegula::shape<2>(3, 3), tegula::shape<2>(9, 130), tegula::shape<2>(129, 7),
        tegula::shape<2>(17, 258), tegula::shape<2>(18, 256), tegula::shape<2>(18, 258), tegula::shape<2>(19, 260),
        tegula::shape<2>(19, 261), tegula::shape<2>(67, 516), tegula::shape<2>(258, 1026)}) {
    const auto x = random<std::int32_t>(dims);
    const auto at = [&](std::int64_t i, std::int64_t j) { return static_cast<std::uint32_t>(x(i, j)); };
    on_every_device([&](auto where) {
      auto cross = poisoned<std::int32_t, 2>({dims[0] - 2, dims[1] - 2}, where);
      auto square = poisoned<std::int32_t, 2>({dims[0] - 2, dims[1] - 2}, where);
      around(x.to(where), cross, square);
      SCOPED_TRACE("cross of " + to_string(dims));
      expect_same("cross", cross, [&](auto to) {
        const auto i = to[0] + 1, j = to[1] + 1;
        return static_cast<std::int32_t>(4 * at(i, j) - at(i - 1, j) - at(i + 1, j) - at(i, j - 1) - at(i, j + 1));
      });
      SCOPED_TRACE("square of " + to_string(dims));
      expect_same("square", square, [&](auto to) {
        std::uint32_t sum = 0;
        for (std::int64_t k = 0; k < 9; ++k)
          sum += at(to[0] + k / 3, to[1] + k % 3);
        return static_cast<std::int32_t>(sum);
      });
    });
  }
}

// Rows that are aligned in x and in o, views whose rows are apart, and an o that lies transposed.
TEST(Neighbours, OfViews) {
  const auto all = random<std::int32_t>(tegula::shape<2>{70, 600});
  on_every_device([&](auto where) {
    auto there = all.to(where);
    const array<const std::int32_t, 2> x = array<std::int32_t, 2>(there).slice(0, 2, 40).slice(1, 4, 514);
    auto cross = poisoned<std::int32_t, 2>({38, 512}, where), below = poisoned<std::int32_t, 2>({512, 38}, where);
    around(x, cross, array<std::int32_t, 2>(below).transpose());
    const auto at = [&](std::int64_t i, std::int64_t j) { return static_cast<std::uint32_t>(all(i + 3, j + 5)); };
    expect_same("cross", cross, [&](auto to) {
      return static_cast<std::int32_t>(4 * at(to[0], to[1]) - at(to[0] - 1, to[1]) - at(to[0] + 1, to[1]) -
                                       at(to[0], to[1] - 1) - at(to[0], to[1] + 1));
    });
    expect_same("square, transposed", below, [&](auto to) {
      std::uint32_t sum = 0;
      for (std::int64_t k = 0; k < 9; ++k)
        sum += at(to[1] + k / 3 - 1, to[0] + k % 3 - 1);
      return static_cast<std::int32_t>(sum);
    });
  });
}

TEST(Neighbours, InCubes) {
  for (const auto &dims :
       {tegula::shape<3>(2, 3, 4), tegula::shape<3>(3, 3, 3), tegula::shape<3>(9, 11, 129), tegula::shape<3>(6, 6, 258),
        tegula::shape<3>(5, 7, 260), tegula::shape<3>(7, 9, 260), tegula::shape<3>(21, 18, 258)}) {
    const auto x = digits_of<std::int32_t, 3>(dims), unused = digits_of<std::int32_t, 3>({1, 1, 1});
    const auto factors = digits_of<std::int32_t, 1>({3});
    on_every_device([&](auto where) {
      SCOPED_TRACE("cubes of " + to_string(dims));
      expect_same("o", cubes(x.to(where), factors.to(where)), [&](auto to) {
        std::int32_t sum = 0;
        for (std::int64_t k = 0; k < 27; ++k)
          sum += factors(k / 9) * x(to[0] + k / 9, to[1] + k / 3 % 3, to[2] + k % 3);
        return sum;
      });
    });
  }
}

TEST(Neighbours, BothWays) {
  for (const auto &dims : {tegula::shape<2>(1, 5), tegula::shape<2>(8, 3), tegula::shape<2>(130, 200)}) {
    const auto x = digits_of<std::int32_t, 2>(dims), y = digits_of<std::int32_t, 2>({dims[1], dims[0]});
    on_every_device([&](auto where) {
      SCOPED_TRACE("o of " + to_string(dims));
      expect_same("o", both_ways(x.to(where), y.to(where)), [&](auto to) {
        return x(to[0], to[1]) - x(to[0] + 1, to[1]) + y(to[1], to[0]) - y(to[1], to[0] + 1);
      });
    });
  }
}

TEST(Transpositions, OfAnyOrder) {
  check_ordered<std::uint8_t>([](const auto &x) { return ordered_021(x); }, {0, 2, 1});
  check_ordered<bf16>([](const auto &x) { return ordered_102(x); }, {1, 0, 2});
  check_ordered<bf16>([](const auto &x) { return ordered_120(x); }, {1, 2, 0});
  check_ordered<float>([](const auto &x) { return ordered_201(x); }, {2, 0, 1});
  check_ordered<double>([](const auto &x) { return ordered_210(x); }, {2, 1, 0});
}

TEST(Transpositions, InBlocksAndInPlace) {
  for (const auto &dims : {tegula::shape<2>(1, 1), tegula::shape<2>(97, 161), tegula::shape<2>(192, 320)}) {
    const auto x = digits_of<float, 2>(dims), o = digits_of<float, 2>({dims[1], dims[0]});
    on_every_device([&](auto where) {
      auto there = o.to(where);
      added(x.to(where), there);
      SCOPED_TRACE("o of " + to_string(dims));
      expect_same("o", there, [&](auto to) { return o(to[0], to[1]) + x(to[1], to[0]); });
    });
  }
}
