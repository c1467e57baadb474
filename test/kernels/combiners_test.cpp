// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "combiners.h"

#include "support.h"

#include <algorithm>
#include <limits>

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

const std::vector<tegula::shape<2>> shapes = {{0, 5},   {5, 0},     {1, 1},    {1, 7},      {7, 1},
                                              {7, 127}, {129, 127}, {33, 130}, {1030, 129}, {2, 5000}};

/// Few values, so that the greatest is there several times; of floats, NaN and infinities among them.
template <class T> buffer<T, 2> with_ties(const tegula::shape<2> &dims) {
  return make<T>(dims, [](std::int64_t) {
    const auto draw = generator()() % 4096;
    if constexpr (is_floating<T>) {
      if (draw == 0)
        return static_cast<T>(std::numeric_limits<float>::quiet_NaN());
      if (draw < 3)
        return static_cast<T>(draw == 1 ? std::numeric_limits<float>::infinity()
                                        : -std::numeric_limits<float>::infinity());
    }
    return static_cast<T>(static_cast<int>(draw % 50) - (std::is_unsigned_v<T> ? 0 : 25));
  });
}

/// Whether `a` stands before `b`: NaN first, then the greater (or the lesser) one.
template <class T> bool exceeds(T a, T b, bool is_max) {
  if constexpr (is_floating<T>) {
    const bool nan = std::isnan(wide(a)), other = std::isnan(wide(b));
    if (nan || other)
      return nan && !other;
  }
  return is_max ? wide(a) > wide(b) : wide(a) < wide(b);
}
template <class Element> std::int32_t place_of_extreme(std::int64_t count, bool is_max, Element element) {
  std::int32_t best = std::numeric_limits<std::int32_t>::max();
  for (std::int64_t i = 0; i < count; ++i)
    if (i == 0 || exceeds(element(i), element(best), is_max))
      best = static_cast<std::int32_t>(i);
  return best;
}
/// What an extreme of nothing is.
template <class T> T end(bool is_max) {
  if constexpr (is_floating<T>)
    return static_cast<T>(is_max ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity());
  else
    return is_max ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}

template <class T, class Entry> void check_extremes(Entry entry, int axis, bool is_max) {
  for (const auto &dims : shapes) {
    const buffer<T, 2> x = with_ties<T>(dims);
    const std::int64_t n = x.dim(1 - axis), count = x.dim(axis);
    const auto element = [&](std::int64_t place) {
      return [&x, axis, place](std::int64_t k) { return axis == 0 ? x(k, place) : x(place, k); };
    };
    on_every_device([&](auto where) {
      auto value = poisoned<T, 1>({n}, where);
      auto index = poisoned<std::int32_t, 1>({n}, where);
      entry(x.to(where), value, index, {});
      expect_same("index", index, [&](auto i) { return place_of_extreme(count, is_max, element(i[0])); });
      expect_same("value", value, [&](auto i) {
        return count == 0 ? end<T>(is_max) : element(i[0])(place_of_extreme(count, is_max, element(i[0])));
      });
    });
  }
}

template <class T, class Entry> void check_xor(Entry entry, int axis) {
  for (const auto &dims : shapes) {
    const auto x = random<T, 2>(dims);
    const std::int64_t n = x.dim(1 - axis);
    const auto expected = [&](auto place) {
      T all = 0;
      for (std::int64_t k = 0; k < x.dim(axis); ++k)
        all = static_cast<T>(all ^ (axis == 0 ? x(k, place[0]) : x(place[0], k)));
      return all;
    };
    on_every_device([&](auto where) {
      auto plain = poisoned<T, 1>({n}, where), scrambled = poisoned<T, 1>({n}, where);
      entry(x.to(where), static_cast<T>(0x5a5a), plain, scrambled, {});
      expect_same("plain", plain, expected);
      expect_same("scrambled", scrambled, expected);
    });
  }
}

/// The mean, the variance and the logarithm of the sum of exponentials of some elements, in double.
struct Moments {
  double mean = 0, variance = 0, logsumexp = 0;

  template <class Element> Moments(std::int64_t count, Element element) {
    double greatest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::int64_t i = 0; i < count; ++i)
      mean += element(i), greatest = std::max(greatest, element(i));
    mean /= static_cast<double>(count);
    for (std::int64_t i = 0; i < count; ++i) {
      variance += (element(i) - mean) * (element(i) - mean);
      sum += std::exp(element(i) - greatest);
    }
    variance /= static_cast<double>(count);
    logsumexp = count == 0 ? greatest : greatest + std::log(sum);
  }
};

template <class T, class Entry> void check_moments(Entry entry, int axis) {
  for (const auto &dims : shapes) {
    // Far from zero, where the square of the mean would cancel the mean of squares.
    const auto x = make<T>(dims, [](std::int64_t) { return static_cast<T>(32 + double(generator()() % 1024) / 256); });
    const std::int64_t n = x.dim(1 - axis), count = x.dim(axis);
    const auto of = [&](std::int64_t place) {
      return Moments(count, [&](std::int64_t k) { return static_cast<double>(axis == 0 ? x(k, place) : x(place, k)); });
    };
    const double step = unit_roundoff<T>(), wide_step = unit_roundoff<Summed<T>>();
    on_every_device([&](auto where) {
      auto mean = poisoned<T, 1>({n}, where), variance = poisoned<T, 1>({n}, where), sum = poisoned<T, 1>({n}, where);
      entry(x.to(where), mean, variance, sum, {});
      const double many = static_cast<double>(count) + 8;
      expect_agrees("mean", mean,
                    [&](auto i) { return Near<T>{of(i[0]).mean, 40 * (gamma(many, wide_step) + 2 * step)}; });
      expect_agrees("variance", variance, [&](auto i) {
        const double found = of(i[0]).variance;
        return Near<T>{found, found * (gamma(many, wide_step) + 2 * step) + 40 * 40 * many * wide_step * wide_step +
                                  8 * 40 * gamma(many, wide_step)};
      });
      expect_agrees("logsumexp", sum,
                    [&](auto i) { return Near<T>{of(i[0]).logsumexp, 50 * (gamma(many, wide_step) + 2 * step)}; });
    });
  }
}

} // namespace

TEST(Combiners, Extremes) {
  check_extremes<float>(greatest_of_rows_f32, 1, true);
  check_extremes<std::int8_t>(greatest_of_rows_s8, 1, true);
  check_extremes<f16>(greatest_of_columns_f16, 0, true);
  check_extremes<double>(least_of_rows_f64, 1, false);
  check_extremes<std::uint64_t>(least_of_columns_u64, 0, false);
}

/// Rows that a warp, a CTA and no thread group holds.
TEST(Combiners, ArgmaxOfRows) {
  for (const std::int64_t columns : {1, 7, 127, 129, 1000, 1024, 1030, 8192, 9000, 20000}) {
    const auto x = with_ties<bf16>({3, columns});
    on_every_device([&](auto where) {
      auto index = poisoned<std::int32_t, 1>({3}, where);
      argmax_by_programs(x.to(where), index, {});
      expect_same("index", index,
                  [&](auto i) { return place_of_extreme(columns, true, [&](std::int64_t k) { return x(i[0], k); }); });
    });
  }
}

TEST(Combiners, ArgmaxOfAll) {
  for (const std::int64_t n : {1, 129, 5000, 200001}) {
    auto x = random<float, 1>({n});
    for (std::int64_t i = 0; i < n; ++i)
      if (std::isnan(x(i)))
        x(i) = 0;
    on_every_device([&](auto where) {
      auto index = poisoned<std::int32_t, 0>({}, where);
      argmax_of_all(x.to(where), index, {});
      expect_same("index", index,
                  [&](auto) { return place_of_extreme(n, true, [&](std::int64_t k) { return x(k); }); });
    });
  }
}

TEST(Combiners, Xor) {
  check_xor<std::uint32_t>(xor_of_rows_u32, 1);
  check_xor<std::uint16_t>(xor_of_columns_u16, 0);
}

TEST(Combiners, SeveralTiles) {
  for (const auto &dims : shapes) {
    const auto x = random<std::int32_t, 2>(dims);
    const std::int64_t n = x.dim(0), count = x.dim(1);
    const auto fold = [&](auto row, auto start, auto combine) {
      for (std::int64_t k = 0; k < count; ++k)
        start = combine(start, x(row, k));
      return start;
    };
    on_every_device([&](auto where) {
      auto least = poisoned<std::int32_t, 1>({n}, where), greatest = poisoned<std::int32_t, 1>({n}, where);
      auto sum = poisoned<std::int32_t, 1>({n}, where);
      auto negative = poisoned<std::int64_t, 1>({n}, where);
      statistics(x.to(where), least, greatest, sum, negative, {});
      const std::int32_t most = std::numeric_limits<std::int32_t>::max();
      expect_same("least", least,
                  [&](auto i) { return fold(i[0], most, [](auto a, auto b) { return std::min(a, b); }); });
      expect_same("greatest", greatest,
                  [&](auto i) { return fold(i[0], -most - 1, [](auto a, auto b) { return std::max(a, b); }); });
      expect_same("sum", sum, [&](auto i) {
        return static_cast<std::int32_t>(
            fold(i[0], std::uint32_t(0), [](auto a, auto b) { return a + static_cast<std::uint32_t>(b); }));
      });
      expect_same("negative", negative,
                  [&](auto i) { return fold(i[0], std::int64_t(0), [](auto a, auto b) { return a + (b < 0); }); });
    });
  }
}

TEST(Combiners, OnlineLogSumExp) {
  for (const std::int64_t columns : {0, 1, 7, 129, 1030, 5000, 9000}) {
    auto x = make<float>(tegula::shape<2>{3, columns},
                         [](std::int64_t) { return static_cast<float>(double(generator()() % 4000) / 100 - 20); });
    for (std::int64_t k = 0; k < columns; ++k)
      x(2, k) = -std::numeric_limits<float>::infinity();
    on_every_device([&](auto where) {
      auto result = poisoned<float, 1>({3}, where), blocked = poisoned<float, 1>({3}, where);
      online_logsumexp(x.to(where), result, {});
      blocked_logsumexp(x.to(where), blocked, {});
      const auto expected_of = [&](auto i) {
        const double expected =
            i[0] == 2 ? -std::numeric_limits<double>::infinity()
                      : Moments(columns, [&](std::int64_t k) { return static_cast<double>(x(i[0], k)); }).logsumexp;
        return Near<float>{expected, std::isinf(expected) ? 0 : 1e-4};
      };
      expect_agrees("logsumexp", result, expected_of);
      expect_agrees("logsumexp, blocked", blocked, expected_of);
    });
  }
}

TEST(Combiners, Moments) {
  check_moments<float>(moments_of_rows_f32, 1);
  check_moments<bf16>(moments_of_columns_bf16, 0);
  check_moments<double>(moments_of_rows_f64, 1);
}

TEST(Combiners, KeptAxes) {
  for (const auto &dims : std::vector<tegula::shape<2>>{{1, 1}, {7, 127}, {33, 1030}, {3, 9000}}) {
    const auto x = make<f16>(dims, [](std::int64_t) { return static_cast<f16>(float(generator()() % 512) / 64 - 4); });
    on_every_device([&](auto where) {
      auto o = poisoned<f16, 2>({x.dim(0), x.dim(1)}, where);
      auto all = poisoned<float, 1>({3}, where);
      normalized(x.to(where), o, all, {});
      std::vector<Moments> rows;
      for (std::int64_t row = 0; row < x.dim(0); ++row)
        rows.emplace_back(x.dim(1), [&](std::int64_t k) { return static_cast<double>(wide(x(row, k))); });
      expect_agrees("normalized", o, [&](auto i) {
        const Moments &row = rows[static_cast<std::size_t>(i[0])];
        return Near<f16>{(wide(x(i[0], i[1])) - row.mean) / std::sqrt(row.variance + 0.5), 0.005};
      });
      const Moments whole(x.size(), [&](std::int64_t k) { return static_cast<double>(wide(x.data()[k])); });
      expect_agrees("all", all, [&](auto i) {
        return Near<float>{i[0] == 0 ? whole.mean : i[0] == 1 ? whole.variance : whole.logsumexp, 0.001};
      });
    });
  }
}

template <class T, class Entry> static void check_places(Entry entry) {
  for (const auto &dims : shapes) {
    const buffer<T, 2> x = with_ties<T>(dims);
    const std::int64_t count = dims[0] * dims[1];
    const auto element = [&](std::int64_t place) { return x(place / dims[1], place % dims[1]); };
    const auto place = [&](bool is_max) {
      std::int64_t best = std::numeric_limits<std::int64_t>::max();
      for (std::int64_t i = 0; i < count; ++i)
        if (i == 0 || exceeds(element(i), element(best), is_max))
          best = i;
      return best;
    };
    on_every_device([&](auto where) {
      auto of_all = poisoned<std::int64_t, 1>({2}, where);
      auto greatest = poisoned<T, 1>({1}, where);
      auto of_columns = poisoned<std::int32_t, 2>({1, dims[1]}, where);
      auto least = poisoned<T, 2>({1, dims[1]}, where);
      entry(x.to(where), of_all, greatest, of_columns, least, {});
      expect_same("places", of_all, [&](auto i) { return place(i[0] == 0); });
      expect_same("greatest", greatest, [&](auto) { return count == 0 ? end<T>(true) : element(place(true)); });
      const auto column = [&](std::int64_t j) { return [&x, j](std::int64_t k) { return x(k, j); }; };
      expect_same("in columns", of_columns, [&](auto i) { return place_of_extreme(dims[0], true, column(i[1])); });
      expect_same("least", least, [&](auto i) {
        return dims[0] == 0 ? end<T>(false) : column(i[1])(place_of_extreme(dims[0], false, column(i[1])));
      });
    });
  }
}
TEST(Combiners, PlacesInAll) {
  check_places<float>(places_f32);
  check_places<std::uint8_t>(places_u8);
}

TEST(Combiners, KeepAxes) {
  for (const auto &dims : shapes) {
    const auto x = random<std::uint32_t, 2>(dims);
    const auto expected = [&](auto i) {
      std::uint32_t all = 0;
      for (std::int64_t k = 0; k < dims[1]; ++k)
        all ^= x(i[0], k);
      return x(i[0], i[1]) - all;
    };
    on_every_device([&](auto where) {
      auto o = poisoned<std::uint32_t, 2>(dims, where), by_program = poisoned<std::uint32_t, 2>(dims, where);
      without_xor(x.to(where), o, by_program);
      expect_same("o", o, expected);
      expect_same("by program", by_program, expected);
    });
  }
}

template <class T, class Entry> static void check_deviations(Entry entry) {
  for (const auto &dims : shapes) {
    if (dims[1] == 0)
      continue; // 0 / 0
    const auto x = make<T>(dims, [](std::int64_t) { return static_cast<T>(double(generator()() % 1024) / 256 - 2); });
    const double many = static_cast<double>(dims[1]) + 8, wide_step = unit_roundoff<Summed<T>>();
    const auto row = [&](std::int64_t i) { return [&x, i](std::int64_t k) { return static_cast<double>(x(i, k)); }; };
    on_every_device([&](auto where) {
      auto deviation = poisoned<T, 1>({dims[0]}, where);
      auto norm = poisoned<T, 2>({dims[0], 1}, where);
      entry(x.to(where), deviation, norm, {});
      expect_agrees("deviation", deviation, [&](auto i) {
        const double found = std::sqrt(Moments(dims[1], row(i[0])).variance);
        return Near<T>{found, 2 * found * (gamma(many, wide_step) + unit_roundoff<T>()) + 4 * gamma(many, wide_step)};
      });
      expect_agrees("norm", norm, [&](auto i) {
        double sum = 0;
        for (std::int64_t k = 0; k < dims[1]; ++k)
          sum += row(i[0])(k) * row(i[0])(k);
        return Near<T>{std::sqrt(sum), std::sqrt(sum) * (gamma(many, wide_step) + 2 * unit_roundoff<T>())};
      });
    });
  }
}
TEST(Combiners, DeviationsAndNorms) {
  check_deviations<float>(deviations_f32);
  check_deviations<bf16>(deviations_bf16);
  check_deviations<double>(deviations_f64);
}
