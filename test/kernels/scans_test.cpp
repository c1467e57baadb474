// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scans.h"

#include "support.h"

#include <algorithm>
#include <limits>
#include <vector>

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

/// Rows and columns that registers hold, and longer ones: in whole chunks, in chunks of a rest, in several of these.
const std::vector<tegula::shape<2>> shapes = {{0, 5},    {5, 0},     {1, 1},    {1, 7},     {7, 1},     {7, 127},
                                              {3, 129},  {129, 127}, {33, 130}, {2, 1030},  {1030, 3},  {2, 5000},
                                              {3, 8192}, {2, 20481}, {9001, 5}, {2, 40000}, {3, 140001}};

/// What an element and all before it come to, of one row or column: for floats with a bound on the error.
template <class T> using Wanted = std::conditional_t<is_floating<T>, Near<T>, T>;

template <class T> std::vector<Wanted<T>> running_sum(const std::vector<T> &row) {
  std::vector<Wanted<T>> result;
  if constexpr (is_floating<T>) {
    long double sum = 0;
    double size = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      sum += wide(row[i]);
      size += std::abs(wide(row[i]));
      result.push_back({static_cast<double>(sum), gamma(static_cast<double>(i), unit_roundoff<Summed<T>>()) * size});
    }
  } else {
    std::uint64_t sum = 0;
    for (const T x : row)
      result.push_back(static_cast<T>(sum += static_cast<std::uint64_t>(x)));
  }
  return result;
}

template <class T> std::vector<T> running_maximum(const std::vector<T> &row) {
  std::vector<T> result;
  for (const T x : row) {
    const bool keeps =
        !result.empty() && (std::isnan(static_cast<double>(wide(result.back()))) || wide(result.back()) >= wide(x));
    result.push_back(keeps ? result.back() : x);
  }
  return result;
}

/// The rows along an axis, each mapped, one after the other by their element along the other axis.
template <class T, class Map> auto map_rows(const buffer<T, 2> &x, int axis, bool is_reversed, Map map) {
  std::vector<decltype(map(std::vector<T>()))> result;
  for (std::int64_t row = 0; row < x.dim(1 - axis); ++row) {
    std::vector<T> elements;
    for (std::int64_t i = 0; i < x.dim(axis); ++i)
      elements.push_back(axis == 0 ? x(i, row) : x(row, i));
    if (is_reversed)
      std::reverse(elements.begin(), elements.end());
    auto mapped = map(elements);
    if (is_reversed)
      std::reverse(mapped.begin(), mapped.end());
    result.push_back(std::move(mapped));
  }
  return result;
}
template <class Rows> auto at(const Rows &rows, int axis) {
  return
      [&rows, axis](auto i) { return rows[static_cast<std::size_t>(i[1 - axis])][static_cast<std::size_t>(i[axis])]; };
}

template <class T, class Entry> void check_scans(Entry entry, int axis) {
  for (const auto &dims : shapes) {
    const auto x = random<T, 2>(dims);
    const auto sums = map_rows(x, axis, false, running_sum<T>), backward = map_rows(x, axis, true, running_sum<T>);
    const auto greatest = map_rows(x, axis, false, running_maximum<T>);
    on_every_device([&](auto where) {
      auto a = poisoned<T, 2>(dims, where), b = poisoned<T, 2>(dims, where), c = poisoned<T, 2>(dims, where);
      entry(x.to(where), a, b, c, {});
      expect_agrees("sums", a, at(sums, axis));
      expect_agrees("sums from the end", b, at(backward, axis));
      expect_same("greatest", c, at(greatest, axis));
    });
  }
}

TEST(Scans, OfFloats) {
  check_scans<float>(scan_rows_f32, 1);
  check_scans<float>(scan_columns_f32, 0);
  check_scans<double>(scan_rows_f64, 1);
  check_scans<f16>(scan_rows_f16, 1);
  check_scans<bf16>(scan_columns_bf16, 0);
}

TEST(Scans, OfIntegers) {
  check_scans<std::int8_t>(scan_rows_s8, 1);
  check_scans<std::uint8_t>(scan_columns_u8, 0);
  check_scans<std::int16_t>(scan_rows_s16, 1);
  check_scans<std::uint32_t>(scan_rows_u32, 1);
  check_scans<std::int32_t>(scan_columns_s32, 0);
  check_scans<std::uint64_t>(scan_rows_u64, 1);
}

/// A NaN and infinities stay where they come, and reach no further back.
TEST(Scans, SpecialValues) {
  const tegula::shape<2> dims{4, 3000};
  auto x = make<float, 2>(dims, [](std::int64_t i) { return i % 7 == 0 ? -1.0f : 1.0f; });
  x(0, 1234) = std::numeric_limits<float>::quiet_NaN();
  x(1, 5) = std::numeric_limits<float>::infinity();
  x(2, 2999) = -std::numeric_limits<float>::infinity();
  x(2, 7) = std::numeric_limits<float>::infinity();
  const auto sums = map_rows(x, 1, false, running_sum<float>), backward = map_rows(x, 1, true, running_sum<float>);
  const auto greatest = map_rows(x, 1, false, running_maximum<float>);
  on_every_device([&](auto where) {
    auto a = poisoned<float, 2>(dims, where), b = poisoned<float, 2>(dims, where), c = poisoned<float, 2>(dims, where);
    scan_rows_f32(x.to(where), a, b, c);
    expect_agrees("sums", a, at(sums, 1));
    expect_agrees("sums from the end", b, at(backward, 1));
    expect_same("greatest", c, at(greatest, 1));
  });
}

/// Rows of a wider array, aligned and not: views, whose rows are not dense.
TEST(Scans, InPlaceOfViews) {
  for (const std::int64_t columns : {1, 31, 32, 1000, 1024, 1025, 8192, 9000, 33333})
    for (const std::int64_t start : {0, 3}) {
      const auto whole = random<std::int32_t, 2>({5, columns + 8});
      const auto inside =
          make<std::int32_t, 2>({5, columns}, [&](std::int64_t i) { return whole(i / columns, start + i % columns); });
      for (const bool is_reversed : {false, true}) {
        const auto wanted = map_rows(inside, 1, is_reversed, running_sum<std::int32_t>);
        on_every_device([&](auto where) {
          auto copy = whole.to(where);
          auto view = copy.view().slice(1, start, columns);
          if (is_reversed)
            running_sums_back_s32(view);
          else
            running_sums_s32(view);
          expect_same("whole", copy, [&](auto i) {
            const std::int64_t column = i[1] - start;
            return column < 0 || column >= columns ? whole(i[0], i[1]) : at(wanted, 1)(tegula::shape<2>{i[0], column});
          });
        });
      }
    }
}

TEST(Scans, OfBlocks) {
  for (const auto &dims : std::vector<tegula::shape<3>>{{1, 1, 1}, {3, 16, 64}, {7, 33, 129}, {4, 100, 65}}) {
    const auto x = random<std::int32_t, 3>(dims);
    const auto fold = [&](auto i, int axis, std::int64_t block, auto init, auto step) {
      auto index = i;
      for (index[axis] = i[axis] / block * block; index[axis] <= i[axis]; ++index[axis])
        init = step(init, static_cast<std::uint32_t>(x(index[0], index[1], index[2])));
      return init;
    };
    const auto sum = [&](auto i) {
      return fold(i, 2, 64, 0u, [](std::uint32_t a, std::uint32_t b) { return a + b * 3 + 1; });
    };
    on_every_device([&](auto where) {
      auto products = poisoned<std::int32_t, 3>(dims, where), least = poisoned<std::int32_t, 3>(dims, where);
      auto distance = poisoned<std::int32_t, 3>(dims, where);
      of_blocks(x.to(where), products, least, distance);
      expect_same("products", products, [&](auto i) {
        return static_cast<std::int32_t>(fold(i, 1, 16, 1u, [](std::uint32_t a, std::uint32_t b) { return a * b; }));
      });
      expect_same("least", least, [&](auto i) {
        return fold(i, 0, 3, std::numeric_limits<std::int32_t>::max(),
                    [](std::int32_t a, std::uint32_t b) { return std::min(a, static_cast<std::int32_t>(b)); });
      });
      expect_same("distance", distance, [&](auto i) {
        std::int32_t greatest = std::numeric_limits<std::int32_t>::min();
        auto index = i;
        for (index[2] = i[2] / 64 * 64; index[2] < std::min(dims[2], i[2] / 64 * 64 + 64); ++index[2])
          greatest = std::max(greatest, static_cast<std::int32_t>(sum(index)));
        return static_cast<std::int32_t>(sum(i) - static_cast<std::uint32_t>(greatest));
      });
    });
  }
}

TEST(Scans, Reduced) {
  for (const auto &dims : shapes) {
    const auto x = make<std::int32_t, 2>(
        dims, [](std::int64_t) { return static_cast<std::int32_t>(generator()() % 2001) - 1000; });
    const auto sums = map_rows(x, 1, false, running_sum<std::int32_t>);
    const auto place = [&](auto i) {
      const auto &row = sums[static_cast<std::size_t>(i[0])];
      return std::max_element(row.begin(), row.end()) - row.begin();
    };
    on_every_device([&](auto where) {
      auto greatest = poisoned<std::int32_t, 1>({dims[0]}, where), index = poisoned<std::int32_t, 1>({dims[0]}, where);
      greatest_prefix(x.to(where), greatest, index);
      expect_same("greatest", greatest, [&](auto i) {
        return dims[1] == 0 ? std::numeric_limits<std::int32_t>::min()
                            : sums[static_cast<std::size_t>(i[0])][static_cast<std::size_t>(place(i))];
      });
      expect_same("index", index, [&](auto i) {
        return dims[1] == 0 ? std::numeric_limits<std::int32_t>::max() : static_cast<std::int32_t>(place(i));
      });
    });
  }
}

template <class T, class Entry> void check_recurrence(Entry entry, bool is_reversed) {
  for (const auto &dims : shapes) {
    const auto x = random<T, 2>(dims);
    const auto decay = make<T, 2>(dims, [](std::int64_t) {
      if constexpr (is_floating<T>)
        return static_cast<T>(std::uniform_real_distribution<double>(-1, 1)(generator()));
      else
        return random_value<T>();
    });
    const auto wanted = [&](auto i) {
      T y = 0;
      double size = 0;
      const std::int64_t step = is_reversed ? -1 : 1;
      // Of floats, what is 200 elements back has decayed.
      std::int64_t begin = is_reversed ? dims[1] - 1 : 0;
      if (is_floating<T>)
        begin = is_reversed ? std::min(begin, i[1] + 200) : std::max(begin, i[1] - 200);
      for (std::int64_t k = begin; k != i[1] + step; k += step) {
        y = decay(i[0], k) * y + x(i[0], k);
        size = std::abs(static_cast<double>(decay(i[0], k))) * size + std::abs(static_cast<double>(x(i[0], k)));
      }
      if constexpr (is_floating<T>)
        return Near<T>{y, 1e-9 + gamma(4 * 200, unit_roundoff<T>()) * size};
      else
        return y;
    };
    on_every_device([&](auto where) {
      auto y = poisoned<T, 2>(dims, where);
      entry(decay.to(where), x.to(where), y, {});
      if (dims[1] <= 2000 || is_floating<T>)
        expect_agrees("y", y, wanted);
    });
  }
}

TEST(Scans, Recurrence) {
  check_recurrence<std::uint32_t>(recurrence_u32, false);
  check_recurrence<std::uint32_t>(recurrence_back_u32, true);
  check_recurrence<double>(recurrence_f64, false);
}

TEST(Scans, Segmented) {
  for (const auto &dims : shapes) {
    const auto x = random<std::int32_t, 2>(dims);
    const auto begins = make<bool, 2>(dims, [](std::int64_t) { return generator()() % 40 == 0; });
    on_every_device([&](auto where) {
      auto o = poisoned<std::int32_t, 2>(dims, where);
      segmented(begins.to(where), x.to(where), o);
      expect_same("o", o, [&](auto i) {
        std::uint32_t sum = 0;
        for (std::int64_t k = i[0]; k >= 0; --k) {
          sum += static_cast<std::uint32_t>(x(k, i[1]));
          if (begins(k, i[1]))
            break;
        }
        return static_cast<std::int32_t>(sum);
      });
    });
  }
}

TEST(Scans, LogSumExp) {
  for (const auto &dims : std::vector<tegula::shape<2>>{{3, 1}, {7, 129}, {2, 3000}, {2, 20000}}) {
    auto x = random<float, 2>(dims);
    x(0, 0) = -std::numeric_limits<float>::infinity();
    const auto wanted = map_rows(x, 1, false, [](const std::vector<float> &row) {
      std::vector<Near<float>> result;
      double greatest = -std::numeric_limits<double>::infinity(), sum = 0;
      for (const float each : row) {
        const double next = std::max(greatest, static_cast<double>(each));
        sum = std::isinf(next) ? 0 : sum * std::exp(greatest - next) + std::exp(each - next);
        greatest = next;
        const double value = std::isinf(next) ? next : std::log(sum) + next;
        result.push_back({value, gamma(4 * static_cast<double>(result.size()) + 200, unit_roundoff<float>())});
      }
      return result;
    });
    on_every_device([&](auto where) {
      auto o = poisoned<float, 2>(dims, where);
      running_logsumexp(x.to(where), o);
      expect_agrees("o", o, at(wanted, 1));
    });
  }
}

TEST(Scans, OfScans) {
  for (const auto &dims : shapes) {
    const auto x = random<std::int32_t, 2>(dims);
    const auto wanted = map_rows(x, 1, false, [](const std::vector<std::int32_t> &row) {
      std::uint32_t sum = 0, second = 0;
      std::vector<std::int32_t> result;
      for (const std::int32_t each : row)
        result.push_back(static_cast<std::int32_t>(second += 3 * (sum += static_cast<std::uint32_t>(each))));
      return result;
    });
    on_every_device([&](auto where) {
      auto o = poisoned<std::int32_t, 2>(dims, where);
      twice(x.to(where), o);
      expect_same("o", o, at(wanted, 1));
    });
  }
}

TEST(Scans, Parts) {
  for (const std::int64_t rows : {1, 7, 130}) {
    const auto x = random<std::int32_t, 2>({rows, 64});
    const auto sums = map_rows(x, 1, false, running_sum<std::int32_t>);
    on_every_device([&](auto where) {
      auto window = poisoned<std::int32_t, 2>({rows, 16}, where);
      auto element = poisoned<std::int32_t, 1>({rows}, where);
      parts_of_scans(x.to(where), window, element);
      expect_same("window", window, [&](auto i) { return at(sums, 1)(tegula::shape<2>{i[0], i[1] + 40}); });
      expect_same("element", element, [&](auto i) { return at(sums, 1)(tegula::shape<2>{i[0], 63}); });
    });
  }
}

} // namespace
