// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reductions.h"

#include "reduction_reference.h"

#include <algorithm>
#include <numeric>

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

const std::vector<tegula::shape<2>> shapes = {{0, 5},   {5, 0},     {1, 1},    {1, 7},      {7, 1},
                                              {7, 127}, {129, 127}, {33, 130}, {1030, 129}, {2, 5000}};

template <class T>
void expect_reductions(const buffer<T, 2> &x, int axis, const buffer<T, 1> &sum, const buffer<T, 1> &product,
                       const buffer<T, 1> &greatest, const buffer<T, 1> &least) {
  const auto of = [&](std::int64_t place) {
    Reference<T> reference;
    for (std::int64_t k = 0; k < x.dim(axis); ++k)
      reference.add(axis == 0 ? x(k, place) : x(place, k));
    return reference;
  };
  expect_agrees("sum", sum, [&](auto i) { return of(i[0]).sum(); });
  expect_agrees("product", product, [&](auto i) { return of(i[0]).product(); });
  expect_agrees("max", greatest, [&](auto i) { return of(i[0]).greatest(); });
  expect_agrees("min", least, [&](auto i) { return of(i[0]).least(); });
}

template <class T, class Entry> void check_along(Entry entry, int axis, const buffer<T, 2> &x) {
  const std::int64_t n = x.dim(1 - axis);
  on_every_device([&](auto where) {
    auto sum = poisoned<T, 1>({n}, where), product = poisoned<T, 1>({n}, where);
    auto greatest = poisoned<T, 1>({n}, where), least = poisoned<T, 1>({n}, where);
    entry(x.to(where), sum, product, greatest, least, {});
    expect_reductions(x, axis, sum, product, greatest, least);
  });
}
template <class T, class Entry> void check_along(Entry entry, int axis) {
  for (const auto &dims : shapes)
    check_along<T>(entry, axis, factors<T>(dims));
}

template <class T, class Entry> void check_all(Entry entry, const buffer<T, 2> &x) {
  Reference<T> reference;
  for (std::int64_t i = 0; i < x.size(); ++i)
    reference.add(x.data()[i]);
  on_every_device([&](auto where) {
    auto sum = poisoned<T, 0>({}, where), product = poisoned<T, 0>({}, where);
    auto greatest = poisoned<T, 0>({}, where), least = poisoned<T, 0>({}, where);
    entry(x.to(where), sum, product, greatest, least, {});
    expect_agrees("sum", sum, [&](auto) { return reference.sum(); });
    expect_agrees("product", product, [&](auto) { return reference.product(); });
    expect_agrees("max", greatest, [&](auto) { return reference.greatest(); });
    expect_agrees("min", least, [&](auto) { return reference.least(); });
  });
}
template <class T, class Entry> void check_all(Entry entry) {
  for (const auto &dims : shapes)
    check_all<T>(entry, factors<T>(dims));
}

} // namespace

TEST(Reductions, OfAll) {
  check_all<std::int32_t>(of_all_s32);
  check_all<f16>(of_all_f16);
  check_all<bf16>(of_all_bf16);
  check_all<float>(of_all_f32);
  check_all<double>(of_all_f64);
}

TEST(Reductions, OfColumns) {
  check_along<std::int8_t>(of_columns_s8, 0);
  check_along<std::uint16_t>(of_columns_u16, 0);
  check_along<std::int32_t>(of_columns_s32, 0);
  check_along<std::uint64_t>(of_columns_u64, 0);
  check_along<float>(of_columns_f32, 0);
}

TEST(Reductions, OfRows) {
  check_along<std::uint8_t>(of_rows_u8, 1);
  check_along<std::int16_t>(of_rows_s16, 1);
  check_along<std::uint32_t>(of_rows_u32, 1);
  check_along<std::int64_t>(of_rows_s64, 1);
  check_along<f16>(of_rows_f16, 1);
  check_along<bf16>(of_rows_bf16, 1);
  check_along<float>(of_rows_f32, 1);
  check_along<double>(of_rows_f64, 1);
}

/// Pairs of special values, one a row, between ordinary numbers: zeros keep their sign, NaN and infinity get through.
template <class T, class Rows, class All> void check_special(Rows rows, All all) {
  std::vector<T> special = special_values<T>();
  const auto count = static_cast<std::int64_t>(special.size());
  for (const std::int64_t columns : {2, 129}) {
    auto x = make<T, 2>({count * count, columns}, [&](std::int64_t) { return static_cast<T>(-0.0); });
    for (std::int64_t i = 0; i < count; ++i)
      for (std::int64_t j = 0; j < count; ++j) {
        x(i * count + j, 0) = special[static_cast<std::size_t>(i)];
        x(i * count + j, columns - 1) = special[static_cast<std::size_t>(j)];
      }
    const std::int64_t n = x.dim(0);
    on_every_device([&](auto where) {
      auto sum = poisoned<T, 1>({n}, where), product = poisoned<T, 1>({n}, where);
      auto greatest = poisoned<T, 1>({n}, where), least = poisoned<T, 1>({n}, where);
      rows(x.to(where), sum, product, greatest, least, {});
      const auto of = [&](auto i, auto add) {
        Reference<T> reference;
        for (std::int64_t k = 0; k < columns; ++k)
          reference.add(x(i[0], k));
        return add(reference);
      };
      // Where the sum overflows is the order's affair.
      expect_all(
          "sum", sum, [&](auto i) { return of(i, [](auto r) { return r.sum(); }); },
          [](T a, auto b) { return std::abs(b.value) > wide(static_cast<T>(1e4)) || agrees(a, b); });
      expect_agrees("max", greatest, [&](auto i) { return of(i, [](auto r) { return r.greatest(); }); });
      expect_agrees("min", least, [&](auto i) { return of(i, [](auto r) { return r.least(); }); });
      auto one = poisoned<T, 0>({}, where), two = poisoned<T, 0>({}, where);
      auto three = poisoned<T, 0>({}, where), four = poisoned<T, 0>({}, where);
      all(x.to(where), one, two, three, four, {});
      const auto is_nan = [](auto) { return static_cast<T>(std::numeric_limits<double>::quiet_NaN()); };
      expect_same("sum with NaN", one, is_nan);
      expect_same("product with NaN", two, is_nan);
      expect_same("max with NaN", three, is_nan);
      expect_same("min with NaN", four, is_nan);
    });
  }
}
TEST(Reductions, OfSpecialValues) {
  check_special<f16>(of_rows_f16, of_all_f16);
  check_special<bf16>(of_rows_bf16, of_all_bf16);
  check_special<float>(of_rows_f32, of_all_f32);
  check_special<double>(of_rows_f64, of_all_f64);
}

TEST(Reductions, OfBools) {
  for (const auto &dims : shapes)
    for (const float limit : {-100.0F, 9.0F, 100.0F}) {
      const auto x = random<float>(dims);
      const auto of = [&](int axis, std::int64_t place, bool any) {
        bool result = !any;
        for (std::int64_t i = 0; i < dims[0]; ++i)
          for (std::int64_t j = 0; j < dims[1]; ++j)
            if (axis < 0 || (axis == 0 ? j : i) == place)
              result = any ? result || x(i, j) > limit : result && x(i, j) > limit;
        return result;
      };
      on_every_device([&](auto where) {
        auto all = poisoned<bool, 1>({2}, where);
        auto rows = poisoned<bool, 2>({2, dims[0]}, where), columns = poisoned<bool, 2>({2, dims[1]}, where);
        above(x.to(where), limit, all, rows, columns, {});
        expect_same("any, all of all", all, [&](auto i) { return of(-1, 0, i[0] == 0); });
        if (dims[0] <= 33) {
          expect_same("any, all of rows", rows, [&](auto i) { return of(1, i[1], i[0] == 0); });
          expect_same("any, all of columns", columns, [&](auto i) { return of(0, i[1], i[0] == 0); });
        }
      });
    }
}

TEST(Reductions, ThenScalars) {
  for (const std::int64_t n : {1, 7, 127, 129, 1030, 100003}) {
    const auto x = random<float, 1>({n});
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i)
      sum += wide(x(i)) * wide(x(i));
    on_every_device([&](auto where) {
      const double mean = sum / static_cast<double>(n);
      expect_agrees("mean of squares", mean_of_squares(x.to(where)),
                    [&](auto) { // n squares, n - 1 additions and a division
                      return Near<float>{mean, gamma(static_cast<double>(n + 1), unit_roundoff<float>()) * mean};
                    });
    });
  }
}

TEST(Reductions, OfSeveralAxes) {
  for (const auto &dims : {tegula::shape<3>(1, 1, 1), tegula::shape<3>(7, 0, 3), tegula::shape<3>(5, 129, 7),
                           tegula::shape<3>(3, 2, 1030)}) {
    const auto x = random<std::int32_t>(dims);
    const auto every = [&](auto visit) {
      for (std::int64_t i = 0; i < x.size(); ++i)
        visit(unravel(i, dims), x.data()[i]);
    };
    on_every_device([&](auto where) {
      auto middle = poisoned<std::int32_t, 1>({dims[1]}, where);
      auto outer = poisoned<std::int32_t, 2>({dims[0], dims[2]}, where);
      auto shifted = poisoned<std::int32_t, 3>(dims, where);
      of_cubes(x.to(where), middle, outer, shifted, {});
      std::vector<Reference<std::int32_t>> of_middle(static_cast<std::size_t>(dims[1])),
          of_outer(static_cast<std::size_t>(dims[0] * dims[2]));
      every([&](auto i, std::int32_t value) {
        of_middle[static_cast<std::size_t>(i[1])].add(value);
        of_outer[static_cast<std::size_t>(i[0] * dims[2] + i[2])].add(value);
      });
      expect_same("sum<2, 0>", middle, [&](auto i) { return of_middle[static_cast<std::size_t>(i[0])].sum(); });
      expect_same("max<-2>", outer,
                  [&](auto i) { return of_outer[static_cast<std::size_t>(i[0] * dims[2] + i[1])].greatest(); });
      expect_same("x - min<0, 2>", shifted, [&](auto i) {
        const auto least = of_middle[static_cast<std::size_t>(i[1])].least();
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(x(i[0], i[1], i[2])) -
                                         static_cast<std::uint32_t>(least));
      });
    });
  }
}

TEST(Reductions, OfRank4) {
  for (const auto &dims : {tegula::shape<4>(1, 1, 1, 1), tegula::shape<4>(2, 3, 0, 5), tegula::shape<4>(3, 5, 7, 33)}) {
    const auto x = random<float>(dims);
    const auto of = [&](auto belongs) {
      Reference<float> reference;
      for (std::int64_t i = 0; i < x.size(); ++i)
        if (belongs(unravel(i, dims)))
          reference.add(x.data()[i]);
      return reference;
    };
    on_every_device([&](auto where) {
      auto even = poisoned<float, 2>({dims[1], dims[3]}, where);
      auto last = poisoned<float, 3>({dims[0], dims[1], dims[2]}, where);
      auto kept = poisoned<float, 4>({dims[0], 1, dims[2], 1}, where);
      of_rank_4(x.to(where), even, last, kept, {});
      expect_same("max<0, 2>", even,
                  [&](auto r) { return of([&](auto i) { return i[1] == r[0] && i[3] == r[1]; }).greatest(); });
      expect_same("min<-1>", last, [&](auto r) {
        return of([&](auto i) { return i[0] == r[0] && i[1] == r[1] && i[2] == r[2]; }).least();
      });
      expect_agrees("sum<1, 3>", kept,
                    [&](auto r) { return of([&](auto i) { return i[0] == r[0] && i[2] == r[2]; }).sum(); });
    });
  }
}

template <class Entry> void check_blocks(Entry entry, std::int64_t rows, std::int64_t columns) {
  for (const auto &dims : shapes) {
    const auto x = random<std::int32_t>(dims);
    const std::int64_t m = (dims[0] + rows - 1) / rows, n = (dims[1] + columns - 1) / columns;
    const auto of = [&](std::int64_t i0, std::int64_t i1, std::int64_t j0, std::int64_t j1) {
      Reference<std::int32_t> reference;
      for (std::int64_t i = i0; i < std::min(i1, dims[0]); ++i)
        for (std::int64_t j = j0; j < std::min(j1, dims[1]); ++j)
          reference.add(x(i, j));
      return reference;
    };
    on_every_device([&](auto where) {
      auto of_rows = poisoned<std::int32_t, 2>({dims[0], n}, where);
      auto of_columns = poisoned<std::int32_t, 2>({m, dims[1]}, where);
      auto of_all = poisoned<std::int32_t, 2>({m, n}, where);
      entry(x.to(where), of_rows, of_columns, of_all, {});
      expect_same("sums of rows", of_rows,
                  [&](auto i) { return of(i[0], i[0] + 1, i[1] * columns, (i[1] + 1) * columns).sum(); });
      expect_same("least of columns, plus 1", of_columns, [&](auto i) {
        Reference<std::int32_t> least;
        for (std::int64_t k = i[0] * rows; k < std::min((i[0] + 1) * rows, dims[0]); ++k)
          least.add(static_cast<std::int32_t>(static_cast<std::uint32_t>(x(k, i[1])) + 1));
        return least.least();
      });
      expect_same("greatest", of_all, [&](auto i) {
        return of(i[0] * rows, (i[0] + 1) * rows, i[1] * columns, (i[1] + 1) * columns).greatest();
      });
    });
  }
}
TEST(Reductions, OfBlocks) {
  check_blocks(of_blocks_8_32, 8, 32);
  check_blocks(of_blocks_3_70, 3, 70);
  check_blocks(of_blocks_64_1, 64, 1);
}

TEST(Reductions, OfRunTimeBlocks) {
  for (const auto &dims : shapes)
    for (const std::int64_t size : {1, 7, 64, 2000}) {
      const auto x = random<std::int32_t>(dims);
      on_every_device([&](auto where) {
        auto rows = poisoned<std::int32_t, 2>({dims[0], (dims[1] + size - 1) / size}, where);
        of_run_time_blocks(x.to(where), size, rows, {});
        expect_same("sums of rows", rows, [&](auto i) {
          Reference<std::int32_t> reference;
          for (std::int64_t j = i[1] * size; j < std::min((i[1] + 1) * size, dims[1]); ++j)
            reference.add(x(i[0], j));
          return reference.sum();
        });
      });
    }
}

TEST(Reductions, Softmax) {
  check_softmax<float>(softmax_rows_f32, shapes);
  check_softmax<f16>(softmax_rows_f16, shapes);
  check_softmax<float>(softmax_blocks, shapes);
}

TEST(Reductions, InALoop) {
  for (const auto &dims : shapes) {
    const auto x = random<std::int32_t>(dims);
    const auto of = [&](std::int64_t row) {
      Reference<std::int32_t> reference;
      for (std::int64_t k = 0; k < dims[1]; ++k)
        reference.add(x(row, k));
      return reference;
    };
    on_every_device([&](auto where) {
      auto sums = poisoned<std::int32_t, 1>({dims[0]}, where), greatest = poisoned<std::int32_t, 1>({dims[0]}, where);
      in_a_loop(x.to(where), sums, greatest, {});
      expect_same("sum", sums, [&](auto i) { return of(i[0]).sum(); });
      expect_same("max", greatest, [&](auto i) { return of(i[0]).greatest(); });
    });
  }
}

/// What each row comes to.
std::vector<Reference<float>> of_rows(const buffer<float, 2> &x) {
  std::vector<Reference<float>> rows(static_cast<std::size_t>(x.dim(0)));
  for (std::int64_t i = 0; i < x.dim(0); ++i)
    for (std::int64_t k = 0; k < x.dim(1); ++k)
      rows[static_cast<std::size_t>(i)].add(x(i, k));
  return rows;
}

TEST(Reductions, InPlace) {
  for (const auto &dims : shapes) {
    const auto x = random<float>(dims);
    const auto rows = of_rows(x);
    on_every_device([&](auto where) {
      auto o = x.to(where);
      subtract_greatest(o, {});
      expect_same("x - max", o,
                  [&](auto i) { return x(i[0], i[1]) - rows[static_cast<std::size_t>(i[0])].greatest(); });
    });
  }
}

TEST(Reductions, SteerLoops) {
  for (const auto &dims : shapes) {
    const auto x = random<float>(dims);
    const std::int64_t m = (dims[0] + 3) / 4, n = (dims[1] + 63) / 64;
    std::vector<int> counts(static_cast<std::size_t>(m * n));
    for (std::int64_t i = 0; i < x.size(); ++i) {
      const auto at = unravel(i, dims);
      int &count = counts[static_cast<std::size_t>(at[0] / 4 * n + at[1] / 64)];
      while (std::abs(std::ldexp(x.data()[i], -count)) >= 0.75F)
        ++count;
    }
    const auto count = [&](std::int64_t i, std::int64_t j) { return counts[static_cast<std::size_t>(i * n + j)]; };
    on_every_device([&](auto where) {
      auto o = x.to(where);
      auto steps = poisoned<std::int32_t, 2>({m, n}, where);
      halve_until(o, 0.75F, steps, {});
      expect_same("steps", steps, [&](auto i) { return count(i[0], i[1]); });
      expect_same("x", o, [&](auto i) { return std::ldexp(x(i[0], i[1]), -count(i[0] / 4, i[1] / 64)); });
    });
  }
}

TEST(Reductions, InBranches) {
  for (const auto &dims : shapes) {
    if (dims[1] == 0)
      continue; // There is no first element.
    const auto x = random<float>(dims);
    const auto rows = of_rows(x);
    on_every_device([&](auto where) {
      expect_agrees("shifted", in_branches(x.to(where)), [&](auto i) {
        const Reference<float> &reference = rows[static_cast<std::size_t>(i[0])];
        const auto n = static_cast<double>(dims[1]);
        const double shift = x(i[0], 0) > 0 ? reference.sum().value / n : -wide(reference.greatest());
        // A division and a subtraction follow the sum.
        return Near<float>{wide(x(i[0], i[1])) - shift,
                           reference.sum().error / n +
                               gamma(2, unit_roundoff<float>()) * (std::abs(shift) + std::abs(wide(x(i[0], i[1]))))};
      });
    });
  }
}

TEST(Reductions, OfMadeTiles) {
  const std::vector<std::int32_t> expected = {4950, 30, 207, 140, 70 * 140, 6, 33, 8};
  on_every_device([&](auto where) {
    expect_same("results", of_made_tiles(where), [&](auto i) { return expected[static_cast<std::size_t>(i[0])]; });
  });
}

TEST(Reductions, RunningSums) {
  for (const auto &dims : shapes) {
    const auto x = random<std::int64_t>(dims);
    std::vector<std::uint64_t> totals;
    std::uint64_t total = 0;
    for (std::int64_t i = 0; i < dims[0]; ++i) {
      for (std::int64_t k = 0; k < dims[1]; ++k)
        total += static_cast<std::uint64_t>(x(i, k));
      totals.push_back(total);
    }
    on_every_device([&](auto where) {
      expect_same("totals", running_sums(x.to(where)),
                  [&](auto i) { return static_cast<std::int64_t>(totals[static_cast<std::size_t>(i[0])]); });
    });
  }
}

TEST(Reductions, BeforeAndAfterAStore) {
  for (const auto n : odd_sizes) {
    const auto x = random<std::int32_t, 1>({n});
    on_every_device([&](auto where) {
      auto o = x.to(where);
      auto sums = poisoned<std::int32_t, 2>({(n + 255) / 256, 2}, where);
      before_and_after(o, sums, {});
      expect_same("3 x", o, [&](auto i) { return static_cast<std::int32_t>(3 * static_cast<std::uint32_t>(x(i[0]))); });
      expect_same("sums", sums, [&](auto i) {
        std::uint32_t sum = 0;
        for (std::int64_t k = 256 * i[0]; k < std::min(n, 256 * (i[0] + 1)); ++k)
          sum += static_cast<std::uint32_t>(x(k));
        return static_cast<std::int32_t>(i[1] == 0 ? sum : 3 * sum);
      });
    });
  }
}

TEST(Reductions, Chained) {
  for (const auto &dims : std::vector<tegula::shape<2>>{
           {3, 1}, {2, 7}, {3, 1000}, {2, 1024}, {2, 2049}, {2, 5000}, {1, 20004}, {2, 70001}}) {
    const auto x = random<std::int32_t>(dims);
    std::vector<std::vector<std::uint32_t>> rows(static_cast<std::size_t>(dims[0]));
    const auto less = [](std::uint32_t a, std::uint32_t b) {
      return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
    };
    for (std::int64_t i = 0; i < dims[0]; ++i) {
      auto &row = rows[static_cast<std::size_t>(i)];
      for (std::int64_t k = 0; k < dims[1]; ++k)
        row.push_back(static_cast<std::uint32_t>(x(i, k)));
      const auto each = [&](std::uint32_t found, std::uint32_t factor, std::uint32_t term) {
        for (auto &element : row)
          element = (element ^ found) * factor + term;
      };
      for (int round = 0; round < 8; ++round) {
        each(std::accumulate(row.begin(), row.end(), std::uint32_t{0}), 3, 1);
        each(*std::max_element(row.begin(), row.end(), less), 5, std::uint32_t{0} - 2);
        each(*std::min_element(row.begin(), row.end(), less), 7, 3);
      }
    }
    on_every_device([&](auto where) {
      auto o = poisoned<std::int32_t, 2>(dims, where);
      chained(x.to(where), o, {});
      expect_same("row", o, [&](auto i) {
        return static_cast<std::int32_t>(rows[static_cast<std::size_t>(i[0])][static_cast<std::size_t>(i[1])]);
      });
    });
  }
}
