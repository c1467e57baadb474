// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gather.h"

#include "support.h"

#include <algorithm>
#include <numeric>

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {
template <class I, int Rank> buffer<I, Rank> indices_below(std::int64_t end, const tegula::shape<Rank> &dims) {
  return make<I, Rank>(dims, [=](std::int64_t) {
    return static_cast<I>(generator()() % static_cast<std::uint64_t>(std::max<std::int64_t>(end, 1)));
  });
}

template <class T, class I, class Entry> void check_take_rows(Entry entry) {
  for (const std::int64_t n : {0, 1, 16, 129})
    for (const std::int64_t columns : {1, 7, 128, 1030}) {
      const auto x = random<T, 2>({41, columns});
      const auto rows = indices_below<I, 1>(41, {n});
      on_every_device([&](auto where) {
        expect_same("rows", entry(x.to(where), rows.to(where), {}),
                    [&](auto i) { return x(static_cast<std::int64_t>(rows(i[0])), i[1]); });
      });
    }
}
} // namespace

TEST(Gather, TakesRowsOfAllTypes) {
  check_take_rows<float, std::int32_t>(take_rows_f32);
  check_take_rows<bf16, std::uint64_t>(take_rows_bf16);
  check_take_rows<bool, std::int64_t>(take_rows_bool);
  check_take_rows<std::uint8_t, std::uint32_t>(take_rows_u8);
  check_take_rows<double, std::int16_t>(take_rows_f64);
}

// Rows that lie apart, and whose elements do.
TEST(Gather, TakesRowsOfViews) {
  const auto memory = random<float, 2>({50, 300});
  const auto rows = indices_below<std::int32_t, 1>(20, {37});
  for (const std::int64_t step : {1, 2})
    on_every_device([&](auto where) {
      const auto all = memory.to(where);
      const tegula::array<const float, 2> view(all.data() + 3, {20, 129}, {600, step}, all.view().device());
      expect_same("rows", take_rows_f32(view, rows.to(where), {}),
                  [&](auto i) { return memory(2 * rows(i[0]), 3 + step * i[1]); });
    });
}

TEST(Gather, FeedsArithmetic) {
  const auto table = random<float, 2>({33, 128});
  const auto bias = random<float, 1>({128});
  for (const std::int64_t n : odd_sizes) {
    const auto tokens = indices_below<std::int32_t, 1>(33, {n});
    on_every_device([&](auto where) {
      expect_same("embedded", embed(table.to(where), tokens.to(where), bias.to(where)),
                  [&](auto i) { return table(tokens(i[0]), i[1]) + bias(i[1]); });
    });
  }
}

TEST(Gather, TilesOfIndicesBroadcast) {
  const auto x = random<float, 2>({19, 23});
  for (const std::int64_t rows : {1, 7, 129})
    for (const std::int64_t columns : {1, 130}) {
      const auto i = indices_below<std::int32_t, 1>(19, {rows});
      const auto j = indices_below<std::int64_t, 1>(23, {columns});
      on_every_device([&](auto where) {
        expect_same("pairs", take_pairs(x.to(where), i.to(where), j.to(where)),
                    [&](auto at) { return x(i(at[0]), j(at[1])); });
      });
    }
}

TEST(Gather, AlongEveryDimension) {
  const auto x = random<float, 3>({8, 5, 9});
  const auto idx = indices_below<std::int32_t, 2>(5, {2, 4});
  on_every_device([&](auto where) {
    auto middle = poisoned<float, 4>({8, 2, 4, 9}, where);
    auto last = poisoned<float, 3>({4, 2, 4}, where);
    auto even = poisoned<float, 1>({4}, where);
    take_along(x.to(where), idx.to(where), middle, last, even);
    expect_same("middle", middle, [&](auto i) { return x(i[0], idx(i[1], i[2]), i[3]); });
    expect_same("last", last, [&](auto i) { return x(i[0] + 2, 1, idx(i[1], i[2])); });
    expect_same("even", even, [&](auto i) { return x(2 * i[0], 1, 0); });
  });
}

TEST(Gather, MasksLeaveOut) {
  for (const std::int64_t n : {1, 31, 129})
    for (const std::int64_t columns : {1, 33, 128}) {
      const auto x = random<float, 2>({7, columns});
      const auto rows = make<std::int32_t, 1>({n}, [](std::int64_t) {
        return static_cast<std::int32_t>(generator()() % 4 == 0 ? generator()() : generator()() % 12) - 2;
      });
      on_every_device([&](auto where) {
        expect_same("taken", take_or(x.to(where), rows.to(where), -3.5F), [&](auto i) {
          const auto row = rows(i[0]);
          return row >= 0 && row < 7 ? x(row, i[1]) : -3.5F;
        });
      });
    }
}

TEST(Gather, Sums) {
  for (const std::int64_t n : {0, 1, 100, 1030})
    for (const std::int64_t columns : {0, 1, 33}) {
      const auto x = make<float, 2>({n == 0 ? 0 : 21, columns},
                                    [](std::int64_t) { return static_cast<float>(generator()() % 9); });
      const auto rows = indices_below<std::int32_t, 2>(21, {3, n});
      on_every_device([&](auto where) {
        expect_same("sums", sum_gathered(x.to(where), rows.to(where)), [&](auto i) {
          float sum = 0;
          for (std::int64_t k = 0; k < n; ++k)
            for (std::int64_t c = 0; c < columns; ++c)
              sum += x(rows(i[0], k), c);
          return sum;
        });
      });
    }
}

TEST(Gather, IndicesOfIndices) {
  for (const std::int64_t n : {1, 5, 8}) {
    const auto pages = random<f16, 3>({11, 8, 64});
    const auto table = indices_below<std::int32_t, 1>(11, {n});
    on_every_device([&](auto where) {
      expect_same("pages", read_pages(pages.to(where), table.to(where)),
                  [&](auto i) { return pages(table(i[0] / 8), i[0] % 8, i[1]); });
    });
  }
}

template <class T, class Entry> void check_put_rows(Entry entry) {
  for (const std::int64_t columns : {1, 128, 131}) {
    const auto before = random<T, 2>({60, columns}), x = random<T, 2>({45, columns});
    std::vector<std::int32_t> places(60);
    std::iota(places.begin(), places.end(), 0);
    std::shuffle(places.begin(), places.end(), generator());
    const auto rows = make<std::int32_t, 1>(
        {45}, [&](std::int64_t i) { return i % 4 == 1 ? -7 : places[static_cast<std::size_t>(i)]; });
    on_every_device([&](auto where) {
      auto o = before.to(where);
      entry(o, x.to(where), rows.to(where), {});
      expect_same("put", o, [&](auto i) {
        for (std::int64_t k = 0; k < 45; ++k)
          if (rows(k) == i[0])
            return x(k, i[1]);
        return before(i[0], i[1]);
      });
    });
  }
}
TEST(Scatter, PutsRows) {
  check_put_rows<float>(put_rows_f32);
  check_put_rows<std::uint8_t>(put_rows_u8);
}

TEST(Scatter, FillsAnOutput) {
  for (const std::int64_t n : odd_sizes) {
    std::vector<std::int32_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), generator());
    const auto p = make<std::int32_t, 1>({n}, [&](std::int64_t i) { return order[static_cast<std::size_t>(i)]; });
    on_every_device([&](auto where) {
      const auto inverse = invert(p.to(where)).to_host();
      for (std::int64_t i = 0; i < n; ++i)
        EXPECT_EQ(inverse(p(i)), i);
    });
  }
}

TEST(Scatter, InPlace) {
  const auto before = random<std::int32_t, 1>({256});
  on_every_device([&](auto where) {
    auto x = before.to(where);
    move_around(x);
    expect_same("rotated", x, [&](auto i) {
      return static_cast<std::int32_t>(2 * static_cast<std::uint32_t>(before((i[0] + 1 - 3 + 256) % 256)));
    });
  });
}

// The CPU finds indices outside the array.
TEST(Gather, RefusesIndicesOutside) {
  const auto x = random<float, 2>({5, 4});
  for (const std::int32_t wrong : {-1, 5}) {
    const auto rows = make<std::int32_t, 1>({3}, [=](std::int64_t i) { return i == 1 ? wrong : 2; });
    const std::string message = message_of([&] { return take_rows_f32(x, rows, {}); });
    EXPECT_NE(message.find("gather.cpp:14:"), std::string::npos) << message;
    EXPECT_NE(
        message.find(": index " + std::to_string(wrong) +
                     " is out of bounds of dimension 0 of x, which has 5 elements (program (0) of take_rows_f32)"),
        std::string::npos)
        << message;
  }
}
