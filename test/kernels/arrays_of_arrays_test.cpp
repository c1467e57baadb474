// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arrays_of_arrays.h"

#include "matrices.h"

#include <algorithm>

using namespace tegula::test;
using tegula::array;
using tegula::arrays;
using tegula::bf16;
using tegula::buffer;

namespace {

const std::vector<std::int64_t> numbers = {0, 1, 2, 7, 129};

template <class T, int Rank, class Make> std::vector<buffer<T, Rank>> several(std::int64_t n, Make make_one) {
  std::vector<buffer<T, Rank>> all;
  for (std::int64_t i = 0; i < n; ++i)
    all.push_back(make_one());
  return all;
}

template <class T, int Rank>
std::vector<buffer<T, Rank>> copies(const std::vector<buffer<T, Rank>> &all, tegula::device where) {
  std::vector<buffer<T, Rank>> result;
  for (const auto &each : all)
    result.push_back(each.to(where));
  return result;
}

template <class T, int Rank> arrays<const T, Rank> read(const std::vector<buffer<T, Rank>> &all) { return all; }

/// Of which sums are exact.
buffer<float, 2> whole_numbers(const tegula::shape<2> &dims) { return small_integers<float>(dims[0], dims[1]); }

/// Arrays that begin `offset` elements behind the beginning of memory of their own.
template <class T> std::vector<array<T, 1>> behind(std::vector<buffer<T, 1>> &all, std::int64_t offset) {
  std::vector<array<T, 1>> result;
  for (auto &each : all)
    result.push_back(each.view().slice(0, offset, each.dim(0) - offset));
  return result;
}

template <class T, class Entry> void check_increments(Entry entry) {
  for (const std::int64_t n : numbers)
    for (const std::int64_t size : {0, 1, 127, 129, 1024, 3000})
      for (const std::int64_t offset : {0, 1}) {
        if (n > 7 && size > 129)
          continue;
        SCOPED_TRACE(std::to_string(n) + " arrays of " + std::to_string(size) + " behind " + std::to_string(offset));
        auto x = several<T, 1>(n, [&] { return random<T, 1>({size + offset}); });
        on_every_device([&](auto where) {
          auto from = copies(x, where);
          auto to = several<T, 1>(n, [&] { return poisoned<T, 1>({size + offset}, where); });
          entry(behind(from, offset), behind(to, offset), {});
          const auto untouched = poisoned<T, 1>({offset}, tegula::device::cpu());
          for (std::size_t i = 0; i < x.size(); ++i)
            expect_same("o", to[i], [&](auto at) {
              return at[0] < offset ? untouched(at[0]) : static_cast<T>(x[i](at[0]) + static_cast<T>(1));
            });
        });
      }
}

} // namespace

TEST(ArraysOfArrays, Increment) {
  check_increments<float>(increment_f32);
  check_increments<bf16>(increment_bf16);
  check_increments<std::uint8_t>(increment_u8);
  check_increments<double>(increment_f64);
}

TEST(ArraysOfArrays, AlignedAsTheLeastOfThem) { // One of them is not, and one is empty memory's neighbour.
  auto x = several<float, 1>(3, [] { return random<float, 1>({2001}); });
  on_every_device([&](auto where) {
    auto from = copies(x, where);
    auto to = several<float, 1>(3, [&] { return poisoned<float, 1>({2000}, where); });
    std::vector<array<float, 1>> some = {from[0].view().slice(0, 0, 2000), from[1].view().slice(0, 1, 2000),
                                         from[2].view().slice(0, 0, 2000)};
    increment_f32(some, to);
    for (std::size_t i = 0; i < 3; ++i)
      expect_same("o", to[i], [&](auto at) { return x[i](at[0] + (i == 1)) + 1.0f; });
  });
}

TEST(ArraysOfArrays, Descend) {
  constexpr float rate = 0.125f, decay = 0.5f;
  for (const std::int64_t n : numbers)
    for (const tegula::shape<2> dims : {tegula::shape<2>(1, 1), {7, 127}, {16, 64}, {33, 129}}) {
      if (n > 7 && dims[0] > 7)
        continue;
      const auto one = [&] { return random<float, 2>(dims); };
      const auto p = several<float, 2>(n, one), g = several<float, 2>(n, one), v = several<float, 2>(n, one);
      on_every_device([&](auto where) {
        auto new_p = copies(p, where), new_v = copies(v, where);
        descend(new_p, read(copies(g, where)), new_v, rate, decay);
        for (std::size_t i = 0; i < p.size(); ++i) {
          const auto moved = [&](auto at) { return decay * v[i](at[0], at[1]) + g[i](at[0], at[1]); };
          expect_near("v", new_v[i], [&](auto at) { return static_cast<double>(moved(at)); }, 1);
          const auto there = new_v[i].to_host();
          expect_near(
              "p", new_p[i],
              [&](auto at) {
                return static_cast<double>(p[i](at[0], at[1])) - static_cast<double>(rate) * there(at[0], at[1]);
              },
              1);
        }
      });
    }
}

TEST(ArraysOfArrays, AddUp) {
  for (const std::int64_t n : numbers)
    for (const std::int64_t size : {1, 7, 129, 1030}) {
      const auto x = several<float, 1>(n, [&] { return random<float, 1>({size}); });
      on_every_device([&](auto where) {
        const auto there = copies(x, where);
        const auto o = n > 0 ? add_up(read(there)) : add_up(arrays<const float, 1>(tegula::shape<1>(size)));
        expect_agrees("o", o, [&](auto at) {
          double sum = 0, size_of_sum = 0;
          for (const auto &each : x) {
            sum += each(at[0]);
            size_of_sum += std::abs(each(at[0]));
          }
          return Near<float>{sum, gamma(static_cast<double>(n), unit_roundoff<float>()) * size_of_sum};
        });
      });
    }
}

TEST(ArraysOfArrays, Norms) {
  for (const std::int64_t n : numbers)
    for (const tegula::shape<2> dims : {tegula::shape<2>(3, 7), {2, 129}, {1, 1024}, {2, 10000}}) {
      if (n > 7 && dims[1] > 129)
        continue;
      const auto x = several<float, 2>(n, [&] { return random<float, 2>(dims); });
      on_every_device([&](auto where) {
        const auto there = copies(x, where);
        const auto o = norms(read(there));
        expect_agrees("o", o, [&](auto at) {
          double sum = 0;
          for (std::int64_t j = 0; j < dims[1]; ++j)
            sum += wide(x[at[0]](at[1], j)) * wide(x[at[0]](at[1], j));
          return Near<float>{std::sqrt(sum),
                             std::sqrt(sum) * gamma(static_cast<double>(dims[1]) + 4, unit_roundoff<float>())};
        });
      });
    }
}

TEST(ArraysOfArrays, Softmax) {
  for (const std::int64_t n : {1, 7})
    for (const tegula::shape<2> dims : {tegula::shape<2>(3, 7), {2, 1030}, {2, 4096}, {1, 20000}}) {
      const auto x = several<float, 2>(n, [&] { return random<float, 2>(dims); });
      on_every_device([&](auto where) {
        auto o = copies(x, where);
        softmax_all(o);
        for (std::size_t i = 0; i < x.size(); ++i) {
          std::vector<double> most(static_cast<std::size_t>(dims[0]), -1e30), sum(most.size());
          for (std::int64_t row = 0; row < dims[0]; ++row) {
            const auto r = static_cast<std::size_t>(row);
            for (std::int64_t j = 0; j < dims[1]; ++j)
              most[r] = std::max(most[r], wide(x[i](row, j)));
            for (std::int64_t j = 0; j < dims[1]; ++j)
              sum[r] += std::exp(wide(x[i](row, j)) - most[r]);
          }
          expect_agrees("o", o[i], [&](auto at) {
            const auto r = static_cast<std::size_t>(at[0]);
            const double value = std::exp(wide(x[i](at[0], at[1])) - most[r]) / sum[r];
            return Near<float>{value, value * softmax_error<float>(dims[1], 50) + 1e-38};
          });
        }
      });
    }
}

TEST(ArraysOfArrays, Views) {
  for (const std::int64_t n : {1, 2, 7})
    for (const std::int32_t from : {0, 1})
      for (const std::int64_t rows : {1, 129, 3000}) {
        const auto x = several<float, 2>(n, [&] { return whole_numbers({rows, 5}); });
        on_every_device([&](auto where) {
          const auto there = copies(x, where);
          expect_same("o", add_columns(read(there), from), [&](auto at) {
            float sum = 0;
            for (std::int64_t i = 0; i < rows; ++i)
              sum += x[static_cast<std::size_t>(from + at[0])](i, at[1]);
            return sum;
          });
        });
      }
}

TEST(ArraysOfArrays, BlocksBehindTheLast) {
  for (const std::int64_t n : {1, 7})
    for (const std::int64_t size : {1, 64, 129}) {
      const auto x = several<float, 1>(n, [&] { return random<float, 1>({size}); });
      on_every_device([&](auto where) {
        auto o = several<float, 1>(n, [&] { return poisoned<float, 1>({size}, where); });
        copy_blocks(read(copies(x, where)), o);
        for (std::size_t i = 0; i < x.size(); ++i)
          expect_same("o", o[i], [&](auto at) { return x[i](at[0]); });
      });
    }
}

TEST(ArraysOfArrays, Totals) {
  for (const std::int64_t n : {1, 3})
    for (const tegula::shape<2> dims : {tegula::shape<2>(1, 1), {7, 129}, {300, 1024}}) {
      const auto x = several<float, 2>(n, [&] { return whole_numbers(dims); });
      std::vector<float> sums, columns;
      float grand = 0;
      for (const auto &each : x) {
        float sum = 0;
        for (std::int64_t j = 0; j < dims[1]; ++j) {
          columns.push_back(0);
          for (std::int64_t i = 0; i < dims[0]; ++i)
            columns.back() += each(i, j);
          sum += columns.back();
        }
        sums.push_back(sum);
        grand += sum;
      }
      on_every_device([&](auto where) {
        const auto there = copies(x, where);
        expect_same("totals", totals(read(there)), [&](auto at) { return sums[static_cast<std::size_t>(at[0])]; });
        expect_same("column_totals", column_totals(read(there)),
                    [&](auto at) { return columns[static_cast<std::size_t>(at[0] * dims[1] + at[1])]; });
        expect_same("grand_total", grand_total(read(there)), [&](auto) { return grand; });
      });
    }
}

TEST(ArraysOfArrays, Choose) {
  const auto x = several<float, 1>(9, [] { return random<float, 1>({100}); });
  for (const std::int64_t programs : {0, 1, 100})
    for (const std::int32_t start : {0, 1, 68, 90, 200}) {
      const auto which =
          make<std::int32_t, 1>({programs}, [](std::int64_t i) { return static_cast<std::int32_t>(i * 7 % 9); });
      on_every_device([&](auto where) {
        const auto there = copies(x, where);
        auto o = poisoned<float, 2>({programs, 32}, where);
        if (programs > 0)
          choose(read(there), which.to(where), o, start);
        expect_same("o", o, [&](auto at) {
          const std::int64_t place = start + at[1];
          return programs == 0 ? 0.0f : place < 100 ? x[static_cast<std::size_t>(which(at[0]))](place) : -1.0f;
        });
      });
    }
}

TEST(ArraysOfArrays, Numbers) {
  for (const std::int64_t n : numbers) {
    const auto x = random<float, 1>({n});
    on_every_device([&](auto where) {
      auto o = poisoned<float, 1>({2 * n}, where);
      std::vector<array<float, 0>> places;
      for (std::int64_t i = 0; i < n; ++i)
        places.push_back(o.view().select(0, 2 * (n - 1 - i)));
      scatter_numbers(x.to(where), places);
      const auto before = poisoned<float, 1>({2 * n}, tegula::device::cpu());
      expect_same("o", o, [&](auto at) { return at[0] % 2 == 0 ? x(n - 1 - at[0] / 2) : before(at[0]); });
    });
  }
}

TEST(ArraysOfArrays, Count) {
  for (const std::int64_t n : numbers) {
    const auto x = several<std::int32_t, 1>(n, [] {
      return make<std::int32_t, 1>({700}, [](std::int64_t) { return static_cast<std::int32_t>(generator()() % 10); });
    });
    on_every_device([&](auto where) {
      const auto there = copies(x, where);
      auto o = several<std::int32_t, 1>(
          n, [&] { return make<std::int32_t, 1>({10}, [](std::int64_t) { return 0; }).to(where); });
      count(read(there), o);
      for (std::size_t i = 0; i < x.size(); ++i)
        expect_same("o", o[i], [&](auto at) {
          return std::count(x[i].data(), x[i].data() + x[i].size(), static_cast<std::int32_t>(at[0]));
        });
    });
  }
}

TEST(ArraysOfArrays, Shift) {
  for (const std::int64_t n : {1, 7})
    for (const std::int64_t size : {1, 7, 129, 1030, 100003}) {
      const auto x = several<float, 1>(n, [&] { return random<float, 1>({size}); });
      on_every_device([&](auto where) {
        auto o = copies(x, where);
        shift(o);
        for (std::size_t i = 0; i < x.size(); ++i)
          expect_same("o", o[i], [&](auto at) { return x[i](std::min(at[0] + 1, size - 1)); });
      });
    }
}

TEST(ArraysOfArrays, ScansAndSorts) {
  for (const std::int64_t n : {1, 2, 7})
    for (const std::int64_t size : {1, 129, 1030, 40000}) {
      // Whole numbers, whose sums are exact.
      const auto x = several<float, 1>(
          n, [&] { return make<float, 1>({size}, [](std::int64_t) { return small_integer<float>(9); }); });
      const auto keys = several<std::int32_t, 1>(n, [&] { return random<std::int32_t, 1>({size}); });
      on_every_device([&](auto where) {
        auto o = several<float, 1>(n, [&] { return poisoned<float, 1>({size}, where); });
        const auto there = copies(x, where);
        accumulate_all(read(there), o);
        auto sorted = several<std::int32_t, 1>(n, [&] { return poisoned<std::int32_t, 1>({size}, where); });
        const auto unsorted = copies(keys, where);
        sort_all(read(unsorted), sorted);
        for (std::size_t i = 0; i < x.size(); ++i) {
          std::vector<float> sums;
          float sum = 0;
          for (std::int64_t j = 0; j < size; ++j)
            sums.push_back(sum += x[i](j));
          expect_same("sums", o[i], [&](auto at) { return sums[static_cast<std::size_t>(at[0])]; });
          std::vector<std::int32_t> order(keys[i].data(), keys[i].data() + size);
          std::sort(order.begin(), order.end());
          expect_same("sorted", sorted[i], [&](auto at) { return order[static_cast<std::size_t>(at[0])]; });
        }
      });
    }
}

namespace {
template <class T, class Entry> void check_products(Entry entry) {
  for (const std::int64_t n : numbers)
    for (const auto &[rows, columns, depth] :
         {Sizes{1, 7, 5}, {65, 33, 72}, {129, 127, 72}, {256, 128, 256}, {17, 40, 8200}}) {
      if (rows * columns * depth * n > 12'000'000) // That takes long on the CPU.
        continue;
      SCOPED_TRACE(std::to_string(n) + " times a " + describe(rows, columns, depth));
      const auto a = several<T, 2>(n, [&, m = rows, k = depth] { return matrix<T>(m, k); });
      const auto b = several<T, 2>(n, [&, k = depth, o = columns] { return matrix<T>(k, o); });
      on_every_device([&, m = rows, o = columns](auto where) {
        auto c = several<float, 2>(n, [&] { return poisoned<float, 2>({m, o}, where); });
        const auto left = copies(a, where), right = copies(b, where);
        entry(read(left), read(right), c, {});
        for (std::size_t i = 0; i < a.size(); ++i)
          expect_product<T>(c[i], reference_of(exact(a[i]), exact(b[i])));
      });
    }
}
} // namespace

TEST(ArraysOfArrays, Products) {
  check_products<float>(multiply_all_f32);
  check_products<bf16>(multiply_all_bf16);
}

TEST(ArraysOfArrays, ProductsByWeights) {
  for (const std::int64_t n : {1, 2, 7})
    for (const auto &[rows, columns, depth] : {Sizes{1, 7, 5}, {65, 33, 72}, {64, 128, 256}}) {
      SCOPED_TRACE(std::to_string(n) + " times a " + describe(rows, columns, depth));
      const auto a = several<bf16, 2>(n, [&, m = rows, k = depth] { return matrix<bf16>(m, k); });
      const auto w =
          several<std::int8_t, 2>(n, [&, o = columns, k = depth] { return small_integers<std::int8_t>(o, k, 100); });
      // Powers of two, by which products do not round.
      const auto scale = several<float, 1>(n, [&, o = columns] {
        return make<float, 1>({o}, [](std::int64_t j) { return std::ldexp(1.0f, static_cast<int>(j % 5) - 2); });
      });
      on_every_device([&, m = rows, o = columns](auto where) {
        auto c = several<float, 2>(n, [&] { return poisoned<float, 2>({m, o}, where); });
        const auto left = copies(a, where);
        const auto right = copies(w, where);
        const auto scales = copies(scale, where);
        multiply_weights(read(left), read(right), read(scales), c);
        for (std::size_t i = 0; i < a.size(); ++i) {
          const auto reference = reference_of(exact(a[i]), exact(w[i], /*transposes=*/true));
          expect_agrees("c", c[i], [&](auto at) {
            const auto near = reference.at<bf16>(at[0], at[1]);
            const double factor = scale[i](at[1]);
            return Near<float>{near.value * factor, near.error * factor};
          });
        }
      });
    }
}

TEST(ArraysOfArrays, Normalise) {
  for (const std::int64_t n : {1, 3})
    for (const tegula::shape<2> dims : {tegula::shape<2>(3, 7), {5, 1024}, {7, 16384}, {3, 20001}}) {
      const auto x = several<float, 2>(n, [&] { return random<float, 2>(dims); });
      const auto weight = several<float, 1>(n, [&] { return random<float, 1>({dims[1]}); });
      on_every_device([&](auto where) {
        auto o = several<float, 2>(n, [&] { return poisoned<float, 2>(dims, where); });
        const auto from = copies(x, where);
        const auto weights = copies(weight, where);
        normalise_all(read(from), read(weights), o);
        for (std::size_t i = 0; i < x.size(); ++i) {
          std::vector<double> roots;
          for (std::int64_t row = 0; row < dims[0]; ++row) {
            double sum = 0;
            for (std::int64_t j = 0; j < dims[1]; ++j)
              sum += wide(x[i](row, j)) * wide(x[i](row, j));
            roots.push_back(std::sqrt(sum / static_cast<double>(dims[1])));
          }
          expect_agrees("o", o[i], [&](auto at) {
            const double value =
                wide(x[i](at[0], at[1])) / roots[static_cast<std::size_t>(at[0])] * wide(weight[i](at[1]));
            return Near<float>{value,
                               std::abs(value) * gamma(static_cast<double>(dims[1]) + 8, unit_roundoff<float>())};
          });
        }
      });
    }
}

TEST(ArraysOfArrays, WhatARunOnTheCpuFinds) {
  auto x = random<float, 2>({3, 8}), gaps = random<float, 2>({8, 3});
  const auto stored = make<std::int32_t, 1>({3}, [](std::int64_t i) { return static_cast<std::int32_t>(i != 1); });
  const auto which =
      make<std::int32_t, 1>({3}, [](std::int64_t i) { return static_cast<std::int32_t>(i == 0 ? 2 : i); });
  const auto outside =
      make<std::int32_t, 1>({3}, [](std::int64_t i) { return static_cast<std::int32_t>(i == 0 ? 3 : i); });
  std::vector<array<float, 1>> rows, columns;
  for (std::int64_t i = 0; i < 3; ++i) {
    rows.push_back(x.view().select(0, i));
    columns.push_back(gaps.view().select(1, i));
  }
  for (const auto &all : {rows, columns}) {
    const std::string left = message_of([&] { leave_out(all, stored); });
    EXPECT_NE(left.find("program (1) of leave_out stores nothing to 8 of the 8 elements of its block of o"), left.npos)
        << left;
    const std::string raced = message_of([&] { copy_from(all, which); });
    EXPECT_NE(raced.find("program (0) of copy_from reads x[2, 0], which program (2) stores to"), raced.npos) << raced;
    const std::string beyond = message_of([&] { copy_from(all, outside); });
    EXPECT_NE(
        beyond.find("index 3 is out of bounds of dimension 0 of x, which has 3 elements (program (0) of copy_from)"),
        beyond.npos)
        << beyond;
  }
}

TEST(ArraysOfArrays, AtAStep) {
  for (const std::int64_t n : numbers)
    for (const tegula::shape<2> dims : {tegula::shape<2>(1, 1), {7, 33}, {40, 129}, {3, 1500}}) {
      if (n > 7 && dims[1] > 33)
        continue;
      const auto x = several<float, 2>(n, [&] { return random<float, 2>(dims); });
      on_every_device([&](auto where) {
        auto there = copies(x, where);
        const std::int64_t row = dims[0] / 3, column = dims[1] / 5, by = 2, step = 7;
        halve_some(there, row, by, column, step);
        for (std::size_t i = 0; i < x.size(); ++i)
          expect_same("x", there[i], [&](auto at) {
            const bool is_one =
                at[0] >= row && (at[0] - row) % by == 0 && at[1] >= column && (at[1] - column) % step == 0;
            return x[i](at[0], at[1]) * (is_one ? 0.5f : 1.0f);
          });
      });
    }
  for (const std::int64_t size : {1, 4, 5, 50, 51, 300}) {
    const auto x = several<float, 1>(3, [&] { return random<float, 1>({size}); });
    on_every_device([&](auto where) {
      auto o = poisoned<float, 2>({3, 16}, where);
      every_third(read(copies(x, where)), o);
      expect_same("o", o, [&](auto at) {
        const std::int64_t from = 4 + 3 * at[1];
        return from < size ? x[static_cast<std::size_t>(at[0])](from) : -1.0f;
      });
    });
  }
}

TEST(ArraysOfArrays, Strided) { // Columns of one matrix, each an array of the list.
  const auto x = random<float, 2>({300, 5});
  on_every_device([&](auto where) {
    const auto from = x.to(where);
    auto to = poisoned<float, 2>({300, 5}, where);
    std::vector<array<const float, 1>> columns;
    std::vector<array<float, 1>> results;
    for (std::int64_t j = 0; j < 5; ++j) {
      columns.push_back(from.view().select(1, j));
      results.push_back(to.view().select(1, 4 - j));
    }
    increment_f32(columns, results);
    expect_same("o", to, [&](auto at) { return x(at[0], 4 - at[1]) + 1.0f; });
  });
}

TEST(ArraysOfArrays, Refusals) {
  on_every_device([](auto where) {
    auto x = random<float, 1>({100}).to(where), y = random<float, 1>({100}).to(where);
    const auto first = x.view().slice(0, 0, 50), last = x.view().slice(0, 40, 50);
    EXPECT_EQ(message_of([&] { increment_f32({y, y}, {x, y}); }),
              "increment_f32: 'o[1]' is written and shares memory with 'x[0]': an array that a launch writes must not "
              "overlap its other arrays, copy one of the two");
    EXPECT_EQ(message_of([&] { increment_f32({y.view().slice(0, 0, 50), y.view().slice(0, 0, 50)}, {first, last}); }),
              "increment_f32: 'o[0]' is written and shares memory with 'o[1]': an array that a launch writes must not "
              "overlap its other arrays, copy one of the two");
    const auto square = x.view().slice(0, 0, 49);
    const array<float, 2> m(square.data(), {7, 7}, where);
    EXPECT_EQ(message_of([&] { softmax_all({m, m}); }),
              "softmax_all: 'x[0]' is written and shares memory with 'x[1]': an array that a launch writes must not "
              "overlap its other arrays, copy one of the two");
    EXPECT_EQ(message_of([&] { increment_f32({x, x}, {y}); }), "increment_f32: x and o differ in number or length");
    EXPECT_EQ(message_of([&] { increment_f32({x}, {y.view().slice(0, 0, 50)}); }),
              "increment_f32: x and o differ in number or length");
    const array<float, 1> none(nullptr, {100}, where);
    EXPECT_EQ(message_of([&] { increment_f32({x, none}, {y, y}); }),
              "increment_f32: 'x[1]' of shape (100) has no memory: its pointer is null");
  });
}
