// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "long_sorts.h"

#include "sorting_reference.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

/// Of one CTA, at its ends, and of several.
const std::vector<std::int64_t> lengths = {1, 2, 7, 127, 129, 6144, 6145, 8193, 100003};

template <class T> buffer<T, 1> some(std::int64_t length) {
  const auto x = tegula::test::some<T>(1, length);
  return make<T, 1>({length}, [&](std::int64_t i) { return x(0, i); });
}
template <class T> auto order_of_array(const buffer<T, 1> &x, bool is_descending) {
  return order_of_rows(1, x.dim(0),
                       [&, is_descending](auto, auto a, auto b) { return order_of<T>(x(a), x(b), is_descending); });
}

template <class T, class Entry> void check_array(Entry entry, const buffer<T, 1> &x) {
  const auto order = order_of_array(x, /*is_descending=*/false);
  on_every_device([&](auto where) {
    auto o = poisoned<T, 1>({x.dim(0)}, where);
    auto places = poisoned<std::int32_t, 1>({x.dim(0)}, where);
    entry(o, places, x.to(where), {});
    expect_same("sorted", o, [&](auto i) { return x(order(0, i[0])); });
    expect_same("places", places, [&](auto i) { return order(0, i[0]); });
  });
}
template <class T, class Entry> void check_arrays(Entry entry) {
  for (const std::int64_t length : lengths)
    check_array<T>(entry, some<T>(length));
}

} // namespace

TEST(LongSorts, Integers) {
  check_arrays<bool>(sort_array_bool);
  check_arrays<std::int8_t>(sort_array_s8);
  check_arrays<std::uint8_t>(sort_array_u8);
  check_arrays<std::int16_t>(sort_array_s16);
  check_arrays<std::uint16_t>(sort_array_u16);
  check_arrays<std::int32_t>(sort_array_s32);
  check_arrays<std::uint32_t>(sort_array_u32);
  check_arrays<std::int64_t>(sort_array_s64);
  check_arrays<std::uint64_t>(sort_array_u64);
}
TEST(LongSorts, Floats) {
  check_arrays<f16>(sort_array_f16);
  check_arrays<bf16>(sort_array_bf16);
  check_arrays<float>(sort_array_f32);
  check_arrays<double>(sort_array_f64);
}
/// All different, all equal, sorted already, and in reverse.
TEST(LongSorts, Patterns) {
  constexpr std::int64_t length = (1 << 18) + 3;
  auto pattern = [&](auto value) { return make<std::uint32_t, 1>({length}, value); };
  check_array<std::uint32_t>(sort_array_u32,
                             pattern([](std::int64_t) { return static_cast<std::uint32_t>(generator()() >> 16); }));
  check_array<std::uint32_t>(sort_array_u32, pattern([](std::int64_t) { return 0xabcdefU; }));
  check_array<std::uint32_t>(sort_array_u32, pattern([](std::int64_t i) { return static_cast<std::uint32_t>(i); }));
  check_array<std::uint32_t>(sort_array_u32, pattern([](std::int64_t i) { return static_cast<std::uint32_t>(-i); }));
}
TEST(LongSorts, Empty) {
  on_every_device([&](auto where) {
    auto o = buffer<float, 1>::empty({0}, where);
    auto places = buffer<std::int32_t, 1>::empty({0}, where);
    sort_array_f32(o, places, buffer<float, 1>::empty({0}, where), {});
  });
}

template <class T, class Entry> void check_rows_down(Entry entry) {
  for (const auto &[rows, length] : {std::pair<std::int64_t, std::int64_t>{1, 129}, {3, 8193}, {33, 700}, {7, 20000}}) {
    const auto x = some<T>(rows, length);
    const auto order =
        order_of_rows(rows, length, [&](auto i, auto a, auto b) { return order_of<T>(x(i, a), x(i, b), true); });
    on_every_device([&, rows = rows, length = length](auto where) {
      auto o = poisoned<T, 2>({rows, length}, where);
      auto places = poisoned<std::int32_t, 2>({rows, length}, where);
      entry(o, places, x.to(where), {});
      expect_same("sorted", o, [&](auto i) { return x(i[0], order(i[0], i[1])); });
      expect_same("places", places, [&](auto i) { return order(i[0], i[1]); });
    });
  }
}
TEST(LongSorts, RowsDescending) {
  check_rows_down<std::uint8_t>(sort_rows_down_u8);
  check_rows_down<std::int32_t>(sort_rows_down_s32);
  check_rows_down<bf16>(sort_rows_down_bf16);
  check_rows_down<float>(sort_rows_down_f32);
  check_rows_down<double>(sort_rows_down_f64);
}

template <class T, class Entry> void check_in_place(Entry entry) {
  const auto x = some<T>(3, 12345);
  const auto order =
      order_of_rows(3, 12345, [&](auto i, auto a, auto b) { return order_of<T>(x(i, a), x(i, b), false); });
  on_every_device([&](auto where) {
    auto o = x.to(where);
    entry(o, {});
    expect_same("sorted", o, [&](auto i) { return x(i[0], order(i[0], i[1])); });
  });
}
TEST(LongSorts, InPlace) {
  check_in_place<std::uint8_t>(sort_in_place_u8);
  check_in_place<std::uint16_t>(sort_in_place_u16);
  check_in_place<float>(sort_in_place_f32);
}
TEST(LongSorts, BothInPlace) {
  const auto x = some<std::int32_t>(30000), y = some<std::int32_t>(30000);
  const auto up = order_of_array(x, false), down = order_of_array(y, true);
  on_every_device([&](auto where) {
    auto a = x.to(where), b = y.to(where);
    sort_both_in_place(a, b, {});
    expect_same("y, descending", a, [&](auto i) { return y(down(0, i[0])); });
    expect_same("x, ascending", b, [&](auto i) { return x(up(0, i[0])); });
  });
}

TEST(LongSorts, ComputedColumns) {
  for (const auto &[rows, columns] : {std::pair<std::int64_t, std::int64_t>{1, 1}, {9000, 13}, {129, 64}}) {
    const auto x = random<float, 2>({rows, columns});
    const auto order = order_of_rows(
        columns, rows, [&](auto i, auto a, auto b) { return order_of<float>(x(a, i) * -2, x(b, i) * -2, false); });
    on_every_device([&, rows = rows, columns = columns](auto where) {
      auto o = poisoned<float, 2>({rows, columns}, where);
      sort_computed_columns(o, x.to(where), {});
      expect_same("sorted", o, [&](auto i) { return x(order(i[1], i[0]), i[1]) * -2 + 1; });
    });
  }
}

template <class K, class V, class Entry> void check_pairs(Entry entry) {
  for (const std::int64_t length : {1, 127, 3584, 3585, 50000}) {
    const auto k = some<K>(length);
    const auto v = some<V>(length);
    const auto order = order_of_array(k, false);
    on_every_device([&](auto where) {
      auto keys = poisoned<K, 1>({length}, where);
      auto o = poisoned<V, 1>({length}, where);
      entry(keys, o, k.to(where), v.to(where), {});
      expect_same("keys", keys, [&](auto i) { return k(order(0, i[0])); });
      expect_same("values", o, [&](auto i) { return v(order(0, i[0])); });
    });
  }
}
TEST(LongSorts, Pairs) {
  check_pairs<std::uint32_t, std::uint32_t>(sort_pairs_u32_u32);
  check_pairs<std::uint16_t, double>(sort_pairs_u16_f64);
  check_pairs<double, std::uint8_t>(sort_pairs_f64_u8);
  check_pairs<float, bool>(sort_pairs_f32_bool);
}
TEST(LongSorts, ValuesAlone) {
  const auto k = some<std::int16_t>(20001);
  const auto v = some<float>(20001);
  const auto order = order_of_array(k, true);
  on_every_device([&](auto where) {
    auto o = poisoned<float, 1>({20001}, where);
    values_by_key(o, k.to(where), v.to(where), {});
    expect_same("values", o, [&](auto i) { return v(order(0, i[0])); });
  });
}

/// Arrays with gaps, which are copied first.
TEST(LongSorts, Strided) {
  constexpr std::int64_t rows = 3, length = 9001;
  const auto x = some<float>(rows, length + 5);
  const auto order =
      order_of_rows(rows, length, [&](auto i, auto a, auto b) { return order_of<float>(x(i, a), x(i, b), true); });
  on_every_device([&](auto where) {
    const auto from = x.to(where);
    auto o = poisoned<float, 2>({rows, length + 5}, where);
    auto places = poisoned<std::int32_t, 2>({rows, length}, where);
    const tegula::array<const float, 2> part(from.data(), {rows, length}, {length + 5, 1}, where);
    sort_rows_down_f32(tegula::array<float, 2>(o.data(), {rows, length}, {length + 5, 1}, where), places, part, {});
    const auto result = o.to_host();
    expect_same("places", places, [&](auto i) { return order(i[0], i[1]); });
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < length; ++j)
        ASSERT_TRUE(order_of<float>(result(i, j), x(i, order(i, j)), false) == 0) << i << ", " << j;
  });
}

TEST(LongSorts, StaticRows) {
  const auto x = some<double>(3, 10000);
  const auto order =
      order_of_rows(3, 10000, [&](auto i, auto a, auto b) { return order_of<double>(x(i, a), x(i, b), false); });
  on_every_device([&](auto where) {
    auto o = poisoned<double, 2>({3, 10000}, where);
    sort_static_rows(o, x.to(where), {});
    expect_same("sorted", o, [&](auto i) { return x(i[0], order(i[0], i[1])); });
  });
}

TEST(LongSorts, Top) {
  for (const std::int64_t length : {5, 100, 20000}) {
    const auto x = some<float>(9, length);
    const auto order =
        order_of_rows(9, length, [&](auto i, auto a, auto b) { return order_of<float>(x(i, a), x(i, b), true); });
    on_every_device([&](auto where) {
      auto o = poisoned<float, 2>({9, 5}, where);
      auto places = poisoned<std::int32_t, 2>({9, 5}, where);
      find_top(o, places, x.to(where), {});
      expect_same("values", o, [&](auto i) { return x(i[0], order(i[0], i[1])); });
      expect_same("places", places, [&](auto i) { return order(i[0], i[1]); });
    });
  }
}

TEST(LongSorts, BlocksOfRows) {
  for (const std::int64_t rows : {1, 4, 7}) {
    const auto x =
        make<std::int32_t, 2>({rows, 9001}, [](std::int64_t) { return static_cast<int>(generator()() % 1000) - 500; });
    const auto order =
        order_of_rows(rows, 9001, [&](auto i, auto a, auto b) { return order_of(x(i, a), x(i, b), false); });
    on_every_device([&](auto where) {
      auto o = poisoned<std::int32_t, 2>({rows, 9001}, where);
      auto sums = poisoned<std::int32_t, 1>({rows}, where);
      sort_blocks_of_rows(o, sums, x.to(where), {});
      expect_same("sorted", o, [&](auto i) { return x(i[0], order(i[0], i[1])); });
      expect_same("sums", sums, [&](auto i) {
        std::int32_t sum = 0;
        for (std::int64_t j = 0; j < 9001; ++j)
          sum += x(i[0], j);
        return sum;
      });
    });
  }
}
