// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "collapse.h"

#include "support.h"

using namespace tegula::test;
using tegula::array;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

const std::vector<tegula::shape<2>> shapes = {{0, 5},   {5, 0},     {1, 1},    {1, 1030},  {1030, 1}, {7, 3},
                                              {33, 63}, {129, 127}, {63, 129}, {20, 1000}, {13, 1001}};

/// Contiguous arrays, and views that are not, or begin one element further.
template <class T>
std::vector<std::pair<const char *, array<T, 2>>> views(buffer<T, 2> &a, const tegula::shape<2> &dims) {
  const array<T, 2> all = a;
  const array<T, 1> row(all.data(), {all.size()}, all.device());
  const auto behind = [&](std::int64_t start) { return array<T, 2>(row.data() + start, dims, all.device()); };
  return {{"contiguous", behind(0)},
          {"one element further", behind(1)},
          {"with gaps", all.slice(0, 0, dims[0]).slice(1, 0, dims[1])},
          {"every second row", all.slice(0, 0, dims[0], 2).slice(1, 0, dims[1])}};
}

/// Rows and columns enough for every view.
tegula::shape<2> around(const tegula::shape<2> &dims) { return {2 * dims[0] + 2, dims[1] + 9}; }

template <class T, class Entry> void check_negated(Entry entry) {
  for (const auto &dims : shapes) {
    const auto x_host = random<T>(around(dims)), o_host = random<T>(around(dims));
    on_every_device([&](auto where) {
      auto x = x_host.to(where), x_there = x_host.to_host();
      const auto from = views<T>(x, dims), from_there = views<T>(x_there, dims);
      for (std::size_t i = 0; i < from.size(); ++i)
        for (std::size_t j = 0; j < from.size(); ++j) {
          SCOPED_TRACE(std::string(from[i].first) + " to " + from[j].first + ", " + to_string(dims));
          auto o = o_host.to(where), expected = o_host.to_host();
          entry(from[i].second, views<T>(o, dims)[j].second);
          const auto to = views<T>(expected, dims)[j].second;
          for (std::int64_t row = 0; row < dims[0]; ++row)
            for (std::int64_t column = 0; column < dims[1]; ++column)
              to(row, column) = static_cast<T>(-wide(from_there[i].second(row, column)));
          expect_same("o", o, [&](auto at) { return expected(at[0], at[1]); });
        }
    });
  }
}

} // namespace

TEST(Collapse, WholeArrays) {
  for (const auto &dims : shapes) {
    const auto x = random<float>(dims);
    const auto y = random<f16>(dims);
    on_every_device([&](auto where) {
      auto o = poisoned<float, 2>(dims, where);
      scaled_sum(x.to(where), y.to(where), 0.5F, o, {});
      expect_same("x / 2 + y", o, [&](auto i) { return 0.5F * x(i[0], i[1]) + static_cast<float>(y(i[0], i[1])); });
    });
  }
}

TEST(Collapse, InPlace) {
  for (const auto &dims : {tegula::shape<3>(1, 1, 1), tegula::shape<3>(5, 0, 3), tegula::shape<3>(7, 3, 5),
                           tegula::shape<3>(2, 127, 33)}) {
    const auto x = random<std::int32_t>(dims);
    on_every_device([&](auto where) {
      auto there = x.to(where);
      auto squares = poisoned<std::int64_t, 3>(dims, where);
      doubled(there, squares, {});
      expect_same("x + x", there, [&](auto i) {
        return static_cast<std::int32_t>(2 * static_cast<std::uint32_t>(x(i[0], i[1], i[2])));
      });
      expect_same("x^2", squares, [&](auto i) {
        const std::int64_t value = x(i[0], i[1], i[2]);
        return value * value;
      });
    });
  }
}

TEST(Collapse, Blocks) {
  check_negated<bf16>([](auto x, auto o) { negated_4_1024(x, o, {}); });
  check_negated<bf16>([](auto x, auto o) { negated_3_5(x, o, {}); });
}

TEST(Collapse, Rows) {
  check_negated<float>([](auto x, auto o) { negated_rows(x, o, {}); });
  for (const std::int64_t rows : {1, 2, 7})
    check_negated<float>([rows](auto x, auto o) { negated_by(x, rows, o, {}); });
}

TEST(Collapse, FirstRows) {
  for (const auto &dims : {tegula::shape<2>(1, 1), tegula::shape<2>(7, 63), tegula::shape<2>(130, 1001)})
    for (const std::int64_t blocks : {std::int64_t{0}, dims[0] / 4, (dims[0] + 1) / 2}) {
      const auto x = random<float>(dims);
      on_every_device([&](auto where) {
        auto there = x.to(where);
        negate_first(there, blocks, {});
        expect_same("x", there, [&](auto i) { return i[0] < 2 * blocks ? -x(i[0], i[1]) : x(i[0], i[1]); });
      });
    }
}

TEST(Collapse, NotRows) {
  for (const auto &dims : {tegula::shape<2>(1, 1), tegula::shape<2>(33, 63), tegula::shape<2>(130, 1001)}) {
    const auto x = random<float>(dims);
    on_every_device([&](auto where) {
      auto reversed = poisoned<float, 2>(dims, where), numbered = poisoned<float, 2>(dims, where);
      reversed_rows(x.to(where), reversed, {});
      expect_same("reversed", reversed, [&](auto i) { return -x(dims[0] - 1 - i[0], i[1]); });
      numbered_rows(x.to(where), numbered, {});
      expect_same("numbered", numbered, [&](auto i) { return x(i[0], i[1]) + static_cast<float>(i[0]); });
    });
  }
}
