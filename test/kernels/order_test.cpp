// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "order.h"

#include "support.h"

#include <algorithm>
#include <numeric>

using namespace tegula::test;
using tegula::buffer;

/// Where something changes: of warps, of what a thread group holds, of what one takes a second launch for.
static const std::vector<std::int64_t> lengths = {1, 2, 7, 127, 129, 1030, 8192, 8193, 70001, 1 << 20};

static buffer<int, 1> small_integers(std::int64_t n) {
  return make<int>(tegula::shape<1>{n}, [](auto) { return static_cast<int>(generator()() % 201) - 100; });
}
static buffer<int, 2> small_integers(std::int64_t rows, std::int64_t columns) {
  return make<int>(tegula::shape<2>{rows, columns}, [](auto) { return static_cast<int>(generator()() % 201) - 100; });
}
template <int Rank> static std::vector<int> values(const buffer<int, Rank> &x) {
  return {x.data(), x.data() + x.size()};
}

/// Calls a kernel that changes an array in place, on every device.
template <class T, int Rank, class Kernel, class Reference>
static void expect_in_place(const char *what, const buffer<T, Rank> &x, Kernel kernel, Reference reference) {
  on_every_device([&](auto where) {
    auto o = x.to(where);
    kernel(o);
    expect_same(what, o, reference);
  });
}

template <class T, class Kernel> static void shift(Kernel kernel) {
  for (const auto n : lengths) {
    const auto x = random<T>(tegula::shape<1>{n});
    expect_in_place(
        "shift", x, [&](auto &o) { kernel(o, tegula::stream()); },
        [&](auto i) { return x(std::min(i[0] + 1, n - 1)); });
  }
}
TEST(Order, ShiftsInPlace) {
  shift<float>(shift_left_f32);
  shift<double>(shift_left_f64);
  shift<tegula::bf16>(shift_left_bf16);
  shift<std::int8_t>(shift_left_s8);
  shift<bool>(shift_left_bool);
}

TEST(Order, CopiesDown) {
  for (const auto n : lengths) {
    const auto x = small_integers(n);
    expect_in_place(
        "copy", x, [](auto &o) { copy_down(o); },
        [&](auto i) {
          const auto half = n / 2;
          return i[0] >= half && i[0] < 2 * half ? x(i[0] - half) : x(i[0]);
        });
  }
}

TEST(Order, TransposesInPlace) {
  for (const std::int64_t n : {1, 7, 127, 129, 512, 1025}) {
    const auto x = random<float>(tegula::shape<2>{n, n});
    expect_in_place("f32", x, [](auto &o) { transpose_in_place_f32(o); }, [&](auto i) { return x(i[1], i[0]); });
    const auto y = random<tegula::f16>(tegula::shape<2>{n, n});
    expect_in_place("f16", y, [](auto &o) { transpose_in_place_f16(o); }, [&](auto i) { return y(i[1], i[0]); });
  }
}

TEST(Order, StagesOfStencils) {
  for (const auto n : lengths) {
    const auto x = small_integers(n);
    const auto step = [&](const std::vector<int> &from) {
      auto to = from;
      for (std::size_t i = 1; i + 1 < from.size(); ++i)
        to[i] = from[i - 1] + 2 * from[i] + from[i + 1];
      return to;
    };
    const auto once = step(values(x)), twice = step(once);
    on_every_device([&](auto where) {
      auto t = poisoned<int>(x.dims(), where);
      const auto o = stencil_twice(x.to(where), t);
      expect_same("first", t, [&](auto i) { return once[static_cast<std::size_t>(i[0])]; });
      expect_same("second", o, [&](auto i) { return twice[static_cast<std::size_t>(i[0])]; });
    });
  }
}

TEST(Order, LastStoreWins) {
  for (const auto n : lengths) {
    const auto x = small_integers(n);
    on_every_device([&](auto where) {
      expect_same("last", last_store_wins(x.to(where)), [&](auto i) {
        return i[0] >= n / 2 ? 3 * x(i[0] - n / 2) : i[0] >= n / 3 ? 2 * x(i[0] - n / 3) : x(i[0]);
      });
    });
  }
}

TEST(Order, ValuesOutliveTheirArrays) {
  for (const auto n : lengths) {
    const auto x = small_integers(n);
    const auto all = values(x);
    const int sum = std::accumulate(all.begin(), all.end(), 0), most = *std::max_element(all.begin(), all.end());
    on_every_device([&](auto where) {
      auto o = x.to(where);
      const auto result = use_after_store(o);
      expect_same("x", o, [&](auto i) { return 2 * x(i[0]) + sum; });
      expect_same("o", result, [&](auto i) { return most - x(i[0]) - sum; });
    });
  }
}

static const std::vector<tegula::shape<2>> planes = {{1, 1},    {7, 129},    {127, 7},     {129, 127},  {3, 8193},
                                                     {8193, 3}, {1030, 257}, {1, 1 << 18}, {1 << 16, 2}};

TEST(Order, CombinesAlongBothDimensions) {
  for (const auto &dims : planes) {
    const auto x = small_integers(dims[0], dims[1]);
    std::vector<int> most(static_cast<std::size_t>(dims[0]), -1000), least(static_cast<std::size_t>(dims[1]), 1000);
    for (std::int64_t i = 0; i < dims[0]; ++i)
      for (std::int64_t j = 0; j < dims[1]; ++j)
        most[static_cast<std::size_t>(i)] = std::max(most[static_cast<std::size_t>(i)], x(i, j));
    for (std::int64_t i = 0; i < dims[0]; ++i)
      for (std::int64_t j = 0; j < dims[1]; ++j) {
        int &of = least[static_cast<std::size_t>(j)];
        of = std::min(of, x(i, j) - most[static_cast<std::size_t>(i)]);
      }
    expect_in_place(
        "x", x, [](auto &o) { subtract_twice(o); },
        [&](auto i) {
          return x(i[0], i[1]) - most[static_cast<std::size_t>(i[0])] - least[static_cast<std::size_t>(i[1])];
        });
  }
}

TEST(Order, SoftmaxAlongBothDimensions) {
  for (const auto &dims : planes) {
    const auto rows = static_cast<std::size_t>(dims[0]), columns = static_cast<std::size_t>(dims[1]);
    const auto x = make<float>(dims, [](auto) { return static_cast<float>(generator()() % 1000) / 250; });
    std::vector<double> p(rows * columns), sums(columns);
    for (std::size_t i = 0; i < rows; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < columns; ++j)
        sum += p[i * columns + j] = std::exp(static_cast<double>(x.data()[i * columns + j]));
      for (std::size_t j = 0; j < columns; ++j)
        sums[j] += p[i * columns + j] = std::exp(p[i * columns + j] / sum);
    }
    const auto first = softmax_error<float>(dims[1], 4), second = softmax_error<float>(dims[0], 1);
    on_every_device([&](auto where) {
      auto o = x.to(where);
      softmax_twice(o);
      expect_agrees("softmax", o, [&](auto i) {
        const auto row = static_cast<std::size_t>(i[0]), column = static_cast<std::size_t>(i[1]);
        const double value = p[row * columns + column] / sums[column];
        return Near<float>{value, value * (2 * first + second)};
      });
    });
  }
}

TEST(Order, SumsOfAreas) {
  for (const auto &dims : planes) {
    const auto x = small_integers(dims[0], dims[1]);
    const auto columns = static_cast<std::size_t>(dims[1]);
    std::vector<int> above(columns), expected;
    for (std::int64_t i = 0; i < dims[0]; ++i) {
      int left = 0;
      for (std::size_t j = 0; j < columns; ++j) {
        left += x(i, static_cast<std::int64_t>(j));
        expected.push_back(above[j] += left);
      }
    }
    expect_in_place(
        "areas", x, [](auto &o) { summed_areas(o); },
        [&](auto i) { return expected[static_cast<std::size_t>(i[0]) * columns + static_cast<std::size_t>(i[1])]; });
  }
}

TEST(Order, Compacts) {
  for (const auto n : lengths) {
    const auto x = small_integers(n), before = small_integers(n);
    std::vector<int> kept;
    for (const int value : values(x))
      if (value > 0)
        kept.push_back(value);
    const auto count = static_cast<std::int64_t>(kept.size());
    on_every_device([&](auto where) {
      auto o = before.to(where), in_place = x.to(where);
      auto found = buffer<int, 1>::empty(tegula::shape<1>{1}).to(where);
      compact(x.to(where), o, found);
      expect_same("count", found, [&](auto) { return static_cast<int>(count); });
      expect_same("kept", o,
                  [&](auto i) { return i[0] < count ? kept[static_cast<std::size_t>(i[0])] : before(i[0]); });
      compact_in_place(in_place);
      expect_same("in place", in_place,
                  [&](auto i) { return i[0] < count ? kept[static_cast<std::size_t>(i[0])] : x(i[0]); });
    });
  }
}

TEST(Order, GathersBehindStores) {
  for (const auto n : lengths) {
    const auto x = small_integers(n);
    const auto at =
        make<int>(x.dims(), [&](auto) { return static_cast<int>(generator()() % static_cast<unsigned>(n)); });
    on_every_device([&](auto where) {
      auto t = poisoned<int>(x.dims(), where);
      const auto o = gather_behind(x.to(where), t, at.to(where));
      expect_same("t", t, [&](auto i) { return 3 * x(i[0]); });
      expect_same("o", o, [&](auto i) { return 3 * x(at(i[0])) + 3 * x(0); });
    });
  }
}

TEST(Order, BlocksOfPrograms) {
  for (const auto &dims : planes)
    for (const std::int64_t rows : {1, 3, 64, 10000}) {
      const auto x = small_integers(dims[0], dims[1]);
      const auto columns = static_cast<std::size_t>(dims[1]);
      auto expected = values(x);
      for (std::int64_t begin = 0; begin < dims[0]; begin += rows) {
        const auto end = std::min(dims[0], begin + rows);
        std::vector<int> least(columns, 1000);
        for (auto i = begin; i < end; ++i) {
          int *row = expected.data() + i * dims[1];
          const int most = *std::max_element(row, row + columns);
          for (std::size_t j = 0; j < columns; ++j)
            least[j] = std::min(least[j], row[j] -= most);
        }
        for (auto i = begin; i < end; ++i)
          for (std::size_t j = 0; j < columns; ++j) {
            int &value = expected[static_cast<std::size_t>(i) * columns + j];
            value = 2 * value - least[j];
          }
      }
      expect_in_place(
          "blocks", x, [&](auto &o) { subtract_in_blocks(o, rows); },
          [&](auto i) { return expected[static_cast<std::size_t>(i[0] * dims[1] + i[1])]; });
    }
}

TEST(Order, LargeStaticBlocks) {
  for (const auto &dims : planes) {
    const auto x = small_integers(dims[0], dims[1]);
    auto expected = values(x);
    for (std::int64_t begin = 0; begin < x.size();) {
      const auto column = begin % dims[1], size = std::min<std::int64_t>(16384, dims[1] - column);
      const auto first = expected.begin() + begin, last = first + size;
      const auto [least, most] = std::minmax_element(first, last);
      const int low = *least, high = *most;
      std::transform(first, last, first, [&](int value) { return 2 * (value + high - low) - (2 * high - low); });
      begin += size;
    }
    expect_in_place(
        "blocks", x, [](auto &o) { combine_in_blocks(o); },
        [&](auto i) { return expected[static_cast<std::size_t>(i[0] * dims[1] + i[1])]; });
  }
}

TEST(Order, ScansBlocksBothWays) {
  for (const auto &dims : planes) {
    const auto x = small_integers(dims[0], dims[1]);
    auto expected = values(x);
    for (std::int64_t begin = 0; begin < x.size();) {
      const auto size = std::min<std::int64_t>(16384, dims[1] - begin % dims[1]);
      int before = 0;
      int behind = std::accumulate(expected.begin() + begin, expected.begin() + begin + size, 0);
      for (auto i = begin; i < begin + size; ++i) {
        int &value = expected[static_cast<std::size_t>(i)];
        const int here = value;
        before += here;
        value = before - 2 * behind;
        behind -= here;
      }
      begin += size;
    }
    expect_in_place(
        "scans", x, [](auto &o) { scan_both_ways(o); },
        [&](auto i) { return expected[static_cast<std::size_t>(i[0] * dims[1] + i[1])]; });
  }
}

// ---- Loops and branches
// -----------------------------------------------------------------------------------------------

TEST(Order, StepsOfAStencil) {
  for (const auto n : lengths)
    for (const int steps : {0, 1, 4}) {
      const auto x = small_integers(n);
      auto expected = values(x);
      for (int step = 0; step < steps; ++step) {
        const auto before = expected;
        for (std::size_t i = 1; i + 1 < expected.size(); ++i)
          expected[i] = before[i - 1] * 3 - before[i + 1];
      }
      expect_in_place(
          "jacobi", x, [&](auto &o) { jacobi(o, steps); },
          [&](auto i) { return expected[static_cast<std::size_t>(i[0])]; });
    }
}

/// x - its maxima along rows, then twice that - its minima along columns.
static void subtract_both(std::vector<int> &x, const tegula::shape<2> &dims) {
  const auto columns = static_cast<std::size_t>(dims[1]);
  std::vector<int> least(columns, std::numeric_limits<int>::max());
  for (std::size_t row = 0; row < x.size(); row += columns) {
    const int most = *std::max_element(&x[row], &x[row] + columns);
    for (std::size_t j = 0; j < columns; ++j)
      least[j] = std::min(least[j], x[row + j] -= most);
  }
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = 2 * x[i] - least[i % columns];
}

TEST(Order, CombinesWhatALoopCarries) {
  for (const auto &dims : planes)
    for (const int steps : {0, 1, 3}) {
      const auto x = small_integers(dims[0], dims[1]);
      auto expected = values(x);
      for (int step = 0; step < steps; ++step)
        subtract_both(expected, dims);
      on_every_device([&](auto where) {
        expect_same("turns", subtract_in_turns(x.to(where), steps),
                    [&](auto i) { return expected[static_cast<std::size_t>(i[0] * dims[1] + i[1])]; });
      });
    }
}

TEST(Order, CarriesSeveral) {
  for (const auto n : lengths)
    for (const int steps : {0, 1, 5}) {
      const auto x = small_integers(n), y = small_integers(n);
      auto a = values(x), b = values(y);
      int most = 0;
      for (int step = 0; step < steps; ++step) {
        auto next = a;
        for (std::size_t i = 0; i < next.size(); ++i)
          next[i] += b[i] + most;
        a = b;
        b = next;
        most = *std::max_element(next.begin(), next.end()) % 7;
      }
      on_every_device([&](auto where) {
        expect_same("fibonacci", fibonacci(x.to(where), y.to(where), steps),
                    [&](auto i) { return b[static_cast<std::size_t>(i[0])] * 2 + most; });
      });
    }
}

TEST(Order, Powers) {
  for (const std::int64_t n : {1, 7, 127, 129, 200})
    for (const int steps : {0, 1, 3}) {
      // A permutation with signs: sums have one term, and are exact.
      std::vector<std::int64_t> to(static_cast<std::size_t>(n));
      std::iota(to.begin(), to.end(), 0);
      std::shuffle(to.begin(), to.end(), generator());
      const auto x = make<float>(tegula::shape<2>{n, n}, [&](auto i) {
        return to[static_cast<std::size_t>(i / n)] == i % n ? (i % 3 == 0 ? -1.0f : 2.0f) : 0.0f;
      });
      on_every_device([&](auto where) {
        const auto o = power(x.to(where), steps).to_host();
        std::int64_t wrong = 0;
        for (std::int64_t i = 0; i < n; ++i) {
          std::int64_t at = i;
          float factor = 1;
          for (int step = 0; step <= steps; ++step) {
            const auto next = to[static_cast<std::size_t>(at)];
            factor *= x(at, next);
            at = next;
          }
          for (std::int64_t j = 0; j < n; ++j)
            wrong += o(i, j) != (j == at ? factor : 0.0f);
        }
        EXPECT_EQ(wrong, 0) << n << " to the power " << steps;
      });
    }
}

TEST(Order, WantsWhatALoopCarriesElsewhere) {
  for (const std::int64_t n : {1, 7, 127, 129, 300})
    for (const int steps : {1, 3}) {
      const auto x = small_integers(n, n);
      auto t = values(x);
      for (int step = 0; step < steps; ++step) {
        const auto before = t;
        for (std::size_t i = 0; i < t.size(); ++i) {
          const auto size = static_cast<std::size_t>(n);
          t[i] += before[0] - before[i % size * size + i / size];
        }
      }
      on_every_device([&](auto where) {
        expect_same("antisymmetric", antisymmetric(x.to(where), steps),
                    [&](auto i) { return t[static_cast<std::size_t>(i[0] * n + i[1])]; });
      });
    }
}

TEST(Order, Branches) {
  for (const auto &dims : planes)
    for (const bool other : {false, true})
      for (const int bound : {-100000, 100000}) {
        const auto x = small_integers(dims[0], dims[1]), y = small_integers(dims[0], dims[1]);
        const auto columns = static_cast<std::size_t>(dims[1]);
        auto t = values(other ? y : x);
        if (other) {
          std::vector<int> most(columns, -1000);
          for (std::size_t i = 0; i < t.size(); ++i)
            most[i % columns] = std::max(most[i % columns], t[i]);
          for (std::size_t i = 0; i < t.size(); ++i)
            t[i] -= most[i % columns];
        }
        for (std::size_t row = 0; row < t.size(); row += columns) {
          const int most = *std::max_element(&t[row], &t[row] + columns);
          std::transform(&t[row], &t[row] + columns, &t[row], [&](int value) { return value - most; });
        }
        if (bound > 0) {
          std::vector<int> sums(columns);
          for (std::size_t i = 0; i < t.size(); ++i)
            sums[i % columns] += t[i];
          for (std::size_t i = 0; i < t.size(); ++i)
            t[i] = 2 * t[i] + sums[i % columns];
        }
        on_every_device([&](auto where) {
          expect_same("branches", branches(x.to(where), y.to(where), other, bound),
                      [&](auto i) { return t[static_cast<std::size_t>(i[0] * dims[1] + i[1])]; });
        });
      }
}

TEST(Order, RunsUntilNothingChanges) {
  for (const auto n : lengths)
    for (const int apart : {1, 5, 40}) {
      const auto x = make<int>(tegula::shape<1>{n}, [&](auto i) { return i % apart == apart - 1 ? 1 : 0; });
      auto expected = values(x);
      int count = 0;
      for (bool changes = true; changes && count < 64; ++count) {
        changes = false;
        for (std::size_t i = 0; i + 1 < expected.size(); ++i) // Of what was there: x[i + 1] has not changed yet.
          if (expected[i + 1] > expected[i])
            expected[i] = expected[i + 1], changes = true;
      }
      on_every_device([&](auto where) {
        auto o = x.to(where);
        auto found = poisoned<int>(tegula::shape<1>{1}, where);
        spread_until(o, found);
        expect_same("steps", found, [&](auto) { return count; });
        expect_same("spread", o, [&](auto i) { return expected[static_cast<std::size_t>(i[0])]; });
      });
    }
}

TEST(Order, EachProgramUntilNothingChanges) {
  for (const auto &dims : planes) {
    const auto x = make<float>(dims, [](auto) { return 1 + static_cast<float>(generator()() % 1000) / 10; });
    on_every_device([&](auto where) {
      expect_agrees("roots", roots_until(x.to(where)), [&](auto i) {
        const double value = std::sqrt(static_cast<double>(x(i[0], i[1])));
        return Near<float>{value, value * gamma(4, unit_roundoff<float>())};
      });
    });
  }
}

TEST(Order, SlidingWindows) {
  for (const auto n : lengths)
    for (const int steps : {0, 1, 7}) {
      const auto x = small_integers(n + 7);
      expect_in_place(
          "sliding", x, [&](auto &o) { sliding(o, n, steps); },
          [&](auto i) {
            const auto last = std::min<std::int64_t>(i[0], steps - 1);
            return last >= 0 && i[0] < last + n ? static_cast<int>(last) * 10 : x(i[0]);
          });
    }
}

TEST(Order, LoopsInLoops) {
  for (const auto n : lengths) {
    const auto x = small_integers(n);
    auto expected = values(x);
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < i; ++j)
        for (std::size_t k = 0; k + 1 < expected.size(); ++k)
          expected[k] = expected[k + 1] + j;
      const int least = *std::min_element(expected.begin(), expected.end());
      for (int &value : expected)
        value -= least;
    }
    expect_in_place(
        "triangle", x, [](auto &o) { triangle(o, 4); },
        [&](auto i) { return expected[static_cast<std::size_t>(i[0])]; });
  }
}

TEST(Order, UpdatesUntilNothingChanges) {
  for (const std::int64_t nodes : {1, 7, 129, 5000})
    for (const std::int64_t edges : {1, 64, 9001}) {
      const auto node = [&](auto) { return static_cast<int>(generator()() % static_cast<unsigned>(nodes)); };
      const auto from = make<int, 1>({edges}, node), to = make<int, 1>({edges}, node);
      constexpr int far = 1 << 20;
      const auto start = make<int, 1>({nodes}, [](auto i) { return i == 0 ? 0 : far; });
      auto expected = values(start);
      for (bool changes = true; changes;) {
        changes = false;
        for (std::int64_t e = 0; e < edges; ++e) {
          const int by_edge = expected[static_cast<std::size_t>(from(e))] + 1;
          int &distance = expected[static_cast<std::size_t>(to(e))];
          changes |= by_edge < distance;
          distance = std::min(distance, by_edge);
        }
      }
      expect_in_place(
          "distances", start,
          [&](auto &o) { shorten(tegula::to(from.view(), o.device()), tegula::to(to.view(), o.device()), o); },
          [&](auto i) { return expected[static_cast<std::size_t>(i[0])]; });
    }
}

TEST(Order, WhatUpdatesFound) {
  // Indices are a permutation, so each update finds the count of the earlier rounds. One thread group runs all 21.
  for (const std::int64_t n : {1, 7, 129, 8193, 70001}) {
    const auto place = make<int, 1>({n}, [&](auto i) { return static_cast<int>(n - 1 - i); });
    const auto x = make<int, 1>({n}, [](auto i) { return static_cast<int>(i % 20); });
    on_every_device([&](auto where) {
      auto counts = x.to(where), found = poisoned<int, 1>({n}, where);
      fill_up(place.to(where), counts, found);
      // The least is 0, and 20 at last.
      expect_same("counts", counts, [&](auto i) { return x(i[0]) + 21; });
      expect_same("found", found, [&](auto i) { return x(n - 1 - i[0]) + 20; });
    });
  }
  for (const auto n : lengths) {
    const auto place = make<int, 1>({n}, [&](auto i) { return static_cast<int>(n - 1 - i); });
    const auto x = make<int, 1>({n}, [](auto i) { return static_cast<int>(i % 20); });
    expect_in_place(
        "found in place", x, [&](auto &o) { found_in_place(tegula::to(place.view(), o.device()), o); },
        [&](auto i) { return x(n - 1 - i[0]); });
    on_every_device([&](auto where) {
      auto counts = x.to(where), found = make<int, 1>({n}, [](auto) { return -1; }).to(where);
      found_where(place.to(where), counts, found);
      expect_same("counts", counts, [&](auto i) { return x(i[0]) + 10; });
      expect_same("found where", found, [&](auto i) { return x(i[0]) < 10 ? x(n - 1 - i[0]) : -1; });
    });
  }
}
