// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "views.h"

#include "support.h"

using namespace tegula::test;
using tegula::array;
using tegula::bf16;
using tegula::buffer;

namespace {

/// Ways to look at a part of a matrix, each with as many elements per row as the others: rows x columns.
template <class T> struct View {
  const char *name;
  array<T, 2> (*of)(const array<T, 2> &, std::int64_t rows, std::int64_t columns);
};
template <class T>
const View<T> views[] = {
    {"dense", [](const array<T, 2> &a, std::int64_t rows,
                 std::int64_t columns) { return a.slice(0, 0, rows).slice(1, 0, columns); }},
    {"one element further", [](const array<T, 2> &a, std::int64_t rows,
                               std::int64_t columns) { return a.slice(0, 1, rows).slice(1, 1, columns); }},
    {"every second column", [](const array<T, 2> &a, std::int64_t rows,
                               std::int64_t columns) { return a.slice(0, 0, rows).slice(1, 0, columns, 2); }},
    {"every third row", [](const array<T, 2> &a, std::int64_t rows,
                           std::int64_t columns) { return a.slice(0, 1, rows, 3).slice(1, 4, columns); }},
    {"transposed", [](const array<T, 2> &a, std::int64_t rows,
                      std::int64_t columns) { return a.permuted(1, 0).slice(0, 0, rows).slice(1, 0, columns); }},
};

/// 2 x - y through every pair of views; what the views of o do not show stays as it was.
template <class T, class Entry> void check_views(Entry entry, std::int64_t rows, std::int64_t columns) {
  const std::int64_t size = 3 * std::max(rows, columns) + 5;
  const auto small = [](std::int64_t) { return static_cast<T>(static_cast<int>(generator()() % 21)); };
  const auto x_host = make<T, 2>({size, size}, small), y_host = make<T, 2>({size, size}, small);
  const auto o_host = make<T, 2>({size, size}, small);
  on_every_device([&](auto where) {
    auto x = x_host.to(where), y = y_host.to(where);
    for (const auto &x_view : views<T>)
      for (const auto &o_view : views<T>) {
        SCOPED_TRACE(std::string(x_view.name) + " to " + o_view.name);
        auto o = o_host.to(where);
        entry(x_view.of(x, rows, columns), views<T>[1].of(y, rows, columns), o_view.of(o, rows, columns), {});
        // The same on the host's copies, whose views have the same places.
        auto expected = o_host.to_host();
        auto x_there = x_host.to_host(), y_there = y_host.to_host();
        const auto a = x_view.of(x_there, rows, columns), b = views<T>[1].of(y_there, rows, columns);
        const auto c = o_view.of(expected, rows, columns);
        for (std::int64_t i = 0; i < rows; ++i)
          for (std::int64_t j = 0; j < columns; ++j)
            c(i, j) = static_cast<T>(2 * wide(a(i, j)) - wide(b(i, j)));
        expect_same("o", o, [&](auto i) { return expected(i[0], i[1]); });
      }
  });
}

} // namespace

TEST(Views, OfWholeArrays) {
  for (const auto &[rows, columns] : {std::pair(1, 1), std::pair(7, 129), std::pair(33, 64)}) {
    check_views<std::uint8_t>(combine_u8, rows, columns);
    check_views<bf16>(combine_bf16, rows, columns);
    check_views<float>(combine_f32, rows, columns);
    check_views<double>(combine_f64, rows, columns);
  }
}

TEST(Views, CutIntoBlocks) {
  for (const auto &[rows, columns] : {std::pair(1, 1), std::pair(16, 64), std::pair(17, 129)})
    check_views<float>(combine_blocks, rows, columns);
}

TEST(Views, ThatRepeatAnElement) {
  // Strides of 0 are fine where nothing is written: a row for all rows, one number for all.
  auto x = random<float, 2>({1, 129}), y = random<float, 2>({1, 1});
  on_every_device([&](auto where) {
    auto x_there = x.to(where), y_there = y.to(where);
    auto o = poisoned<float, 2>({7, 129}, where);
    const array<const float, 2> rows(x_there.data(), {7, 129}, {0, 1}, where);
    const array<const float, 2> number(y_there.data(), {7, 129}, {0, 0}, where);
    combine_f32(rows, number, o);
    expect_same("o", o, [&](auto i) { return 2 * x(0, i[1]) - y(0, 0); });
  });
}

TEST(Views, WindowsInTheKernel) {
  for (const std::int64_t columns : {1, 7, 129})
    for (const std::int64_t skip : {std::int64_t{0}, columns / 2, columns}) {
      const auto x = random<std::int32_t, 2>({9, columns}), before = random<std::int32_t, 2>({9, columns});
      on_every_device([&](auto where) {
        auto o = before.to(where);
        copy_window(x.to(where), o, skip);
        expect_same("o", o,
                    [&](auto i) { return i[0] >= 1 && i[0] < 5 && i[1] >= skip ? x(i[0], i[1]) : before(i[0], i[1]); });
      });
    }
}

TEST(Views, WithoutTheDimensionsOfIntegers) {
  const auto x = random<std::int32_t, 3>({5, 129, 3});
  on_every_device(
      [&](auto where) { expect_same("x[i, :, k]", pick(x.to(where), 4, 1), [&](auto j) { return x(4, j[0], 1); }); });
}
