// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sorting.h"

#include "sorting_reference.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

const std::vector<std::int64_t> lengths = {1, 2, 7, 64, 65, 127, 128};

template <class T, class Entry>
void check_rows(Entry entry, bool is_descending, std::int64_t rows, std::int64_t length) {
  const auto x = some<T>(rows, length);
  const auto order =
      order_of_rows(rows, length, [&](auto i, auto a, auto b) { return order_of<T>(x(i, a), x(i, b), is_descending); });
  on_every_device([&](auto where) {
    auto o = poisoned<T, 2>({rows, length}, where);
    auto places = poisoned<std::int32_t, 2>({rows, length}, where);
    entry(o, places, x.to(where), {});
    expect_same("sorted", o, [&](auto i) { return x(i[0], order(i[0], i[1])); });
    expect_same("places", places, [&](auto i) { return order(i[0], i[1]); });
  });
}
template <class T, class Entry> void check_sort(Entry entry) {
  for (const std::int64_t length : lengths)
    check_rows<T>(entry, /*is_descending=*/false, 9, length);
}
template <class T, class Entry> void check_descending(Entry entry) {
  for (const std::int64_t length : {1, 2, 33, 64})
    check_rows<T>(entry, /*is_descending=*/true, 7, length);
}

} // namespace

TEST(Sorting, Integers) {
  check_sort<bool>(sort_rows_bool);
  check_sort<std::int8_t>(sort_rows_s8);
  check_sort<std::uint8_t>(sort_rows_u8);
  check_sort<std::int16_t>(sort_rows_s16);
  check_sort<std::uint16_t>(sort_rows_u16);
  check_sort<std::int32_t>(sort_rows_s32);
  check_sort<std::uint32_t>(sort_rows_u32);
  check_sort<std::int64_t>(sort_rows_s64);
  check_sort<std::uint64_t>(sort_rows_u64);
}
TEST(Sorting, Floats) {
  check_sort<f16>(sort_rows_f16);
  check_sort<bf16>(sort_rows_bf16);
  check_sort<float>(sort_rows_f32);
  check_sort<double>(sort_rows_f64);
}
TEST(Sorting, LongRows) {
  for (const std::int64_t length : {1, 1000, 1024})
    check_rows<float>(sort_warp_rows_f32, false, 11, length);
  for (const std::int64_t length : {129, 8191, 8192}) {
    check_rows<float>(sort_long_rows_f32, false, 3, length);
    check_rows<bf16>(sort_long_rows_bf16, false, 3, length);
  }
  for (const std::int64_t length : {129, 4095, 4096})
    check_rows<double>(sort_long_rows_f64, false, 3, length);
}
TEST(Sorting, Descending) {
  check_descending<std::uint8_t>(sort_descending_u8);
  check_descending<std::int32_t>(sort_descending_s32);
  check_descending<f16>(sort_descending_f16);
  check_descending<float>(sort_descending_f32);
  check_descending<double>(sort_descending_f64);
}

template <class T, class Entry> void check_columns(Entry entry) {
  for (const std::int64_t rows : {1, 7, 50})
    for (const std::int64_t columns : {1, 33, 129}) {
      const auto x = some<T>(rows, columns);
      const auto order = order_of_rows(columns, rows, [&](auto i, auto a, auto b) {
        return order_of<T>(x(a, i), x(b, i), /*is_descending=*/false);
      });
      on_every_device([&](auto where) {
        auto o = poisoned<T, 2>({rows, columns}, where);
        entry(o, x.to(where), {});
        expect_same("sorted", o, [&](auto i) { return x(order(i[1], i[0]), i[1]); });
      });
    }
}
TEST(Sorting, Columns) {
  check_columns<float>(sort_columns_f32);
  check_columns<std::int64_t>(sort_columns_s64);
  check_columns<std::uint8_t>(sort_columns_u8);
}

TEST(Sorting, ByTwoKeys) {
  for (const std::int64_t rows : {1, 4, 7})
    for (const std::int64_t length : {1, 100, 256}) {
      const auto x =
          make<std::int32_t, 2>({rows, length}, [](std::int64_t) { return static_cast<int>(generator()() % 4) - 2; });
      const auto y = some<float>(rows, length), z = random<float, 2>({rows, length});
      const auto order = order_of_rows(rows, length, [&](auto i, auto a, auto b) {
        const int first = order_of(x(i, a), x(i, b), false);
        return first != 0 ? first : order_of(y(i, a), y(i, b), false);
      });
      on_every_device([&](auto where) {
        auto o = poisoned<float, 2>({rows, length}, where), b = poisoned<float, 2>({rows, length}, where);
        auto a = poisoned<std::int32_t, 2>({rows, length}, where);
        sort_by_two(o, a, b, x.to(where), y.to(where), z.to(where), {});
        expect_same("first keys", a, [&](auto i) { return x(i[0], order(i[0], i[1])); });
        expect_same("second keys", b, [&](auto i) { return y(i[0], order(i[0], i[1])); });
        expect_same("what follows", o, [&](auto i) { return z(i[0], order(i[0], i[1])); });
      });
    }
}

TEST(Sorting, Computed) {
  const auto x = make<float, 2>({13, 96}, [](std::int64_t) { return static_cast<float>(generator()() % 64) - 32; });
  auto expected = buffer<float, 2>::empty({13, 96});
  for (std::int64_t i = 0; i < 13; ++i) {
    std::vector<float> row;
    for (std::int64_t j = 0; j < 96; ++j)
      row.push_back(x(i, j) * x(i, j) - 3);
    std::sort(row.begin(), row.end());
    for (std::int64_t j = 0; j < 96; ++j)
      expected(i, j) = row[static_cast<std::size_t>(j)] - row.back();
  }
  on_every_device([&](auto where) {
    auto o = poisoned<float, 2>({13, 96}, where);
    sort_computed(o, x.to(where), {});
    expect_same("results", o, [&](auto i) { return expected(i[0], i[1]); });
  });
}

template <class T, class Entry> void check_top(Entry entry) {
  const auto x = some<T>(9, 200);
  const auto order = order_of_rows(9, 200, [&](auto i, auto a, auto b) { return order_of<T>(x(i, a), x(i, b), true); });
  on_every_device([&](auto where) {
    auto o = poisoned<T, 2>({9, 5}, where);
    auto places = poisoned<std::int32_t, 2>({9, 5}, where);
    entry(o, places, x.to(where), {});
    expect_same("values", o, [&](auto i) { return x(i[0], order(i[0], i[1])); });
    expect_same("places", places, [&](auto i) { return order(i[0], i[1]); });
  });
}
TEST(Sorting, Top) {
  check_top<float>(find_top_f32);
  check_top<std::int16_t>(find_top_s16);
}

TEST(Sorting, Medians) {
  const auto x = some<float>(33, 101);
  const auto order =
      order_of_rows(33, 101, [&](auto i, auto a, auto b) { return order_of<float>(x(i, a), x(i, b), false); });
  on_every_device([&](auto where) {
    auto o = poisoned<float, 1>({33}, where);
    find_medians(o, x.to(where), {});
    expect_same("medians", o, [&](auto i) { return x(i[0], order(i[0], 50)); });
  });
}

TEST(Sorting, InLoop) {
  for (const std::int64_t rows : {0, 1, 2, 5}) {
    const auto x = make<float, 2>({rows, 256}, [](std::int64_t) { return static_cast<float>(generator()() % 500); });
    std::vector<float> best(256, -1000.0F), row(256);
    for (std::int64_t i = 0; i < rows; ++i) {
      std::copy_n(x.data() + i * 256, 256, row.begin());
      std::sort(row.begin(), row.end());
      for (std::size_t j = 0; j < 256; ++j)
        best[j] = std::max(best[j], row[j]);
      if (i % 2 == 1)
        std::sort(best.begin(), best.end(), [](float a, float b) { return a > b; });
    }
    on_every_device([&](auto where) {
      auto o = poisoned<float, 1>({256}, where);
      combine_sorted(o, x.to(where), {});
      expect_same("the greatest", o, [&](auto i) { return best[static_cast<std::size_t>(i[0])]; });
    });
  }
}

TEST(Sorting, Explicit) {
  const auto x = some<float>(5, 512);
  const auto order =
      order_of_rows(5, 512, [&](auto i, auto a, auto b) { return order_of<float>(x(i, a), x(i, b), false); });
  on_every_device([&](auto where) {
    auto o = poisoned<float, 2>({5, 512}, where);
    sort_explicitly(o, x.to(where), {});
    expect_same("sorted", o, [&](auto i) { return x(i[0], order(i[0], i[1])); });
  });
}
