// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shapes.h"

#include "support.h"

#include <algorithm>

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;

namespace {
/// An element in row-major order.
template <class T, int Rank> T element(const buffer<T, Rank> &x, std::int64_t place) { return x.data()[place]; }

template <class T, class Entry> void check_turns(Entry entry) {
  for (const tegula::shape<2> dims : {tegula::shape<2>{1, 1}, {7, 31}, {8, 32}, {17, 129}})
    for (const std::int32_t shift : {0, 1, -5, 32, 77}) {
      const auto x = random<T, 2>(dims);
      on_every_device([&](auto where) {
        auto flipped = poisoned<T, 2>(dims, where), rolled = poisoned<T, 2>(dims, where);
        entry(flipped, rolled, x.to(where), shift, {});
        expect_same("flipped", flipped, [&](auto i) {
          const auto rows = std::min<std::int64_t>(8, dims[0] - i[0] / 8 * 8);
          const auto columns = std::min<std::int64_t>(32, dims[1] - i[1] / 32 * 32);
          return x(i[0] / 8 * 8 + rows - 1 - i[0] % 8, i[1] / 32 * 32 + columns - 1 - i[1] % 32);
        });
        expect_same("rolled", rolled, [&](auto i) {
          const auto columns = std::min<std::int64_t>(32, dims[1] - i[1] / 32 * 32);
          return x(i[0], i[1] / 32 * 32 + ((i[1] % 32 - shift) % columns + columns) % columns);
        });
      });
    }
}
} // namespace

TEST(Shapes, Turn) {
  check_turns<float>(turn_f32);
  check_turns<std::uint8_t>(turn_u8);
  check_turns<bool>(turn_bool);
  check_turns<double>(turn_f64);
}

TEST(Shapes, RepeatWhatIsComputed) {
  for (const std::int64_t n : odd_sizes) {
    const auto x = random<float, 2>({n, 12});
    const auto bias = random<float, 1>({12});
    auto sum = [&](std::int64_t i, std::int64_t j) { return x(i, j) * 2 + bias(j) + static_cast<float>(j); };
    on_every_device([&](auto where) {
      auto repeated = poisoned<float, 2>({n, 36}, where), tiled = poisoned<float, 2>({n, 24}, where);
      repeat_sums(repeated, tiled, x.to(where), bias.to(where));
      expect_same("repeated", repeated, [&](auto i) { return sum(i[0], i[1] / 3); });
      expect_same("tiled", tiled, [&](auto i) { return sum(i[0], i[1] % 12); });
    });
  }
}

TEST(Shapes, Reshape) {
  const auto x = random<float, 2>({24, 20});
  on_every_device([&](auto where) {
    auto o = poisoned<float, 3>({4, 30, 4}, where);
    auto row = poisoned<float, 1>({480}, where);
    auto turned = poisoned<float, 2>({32, 15}, where), part = poisoned<float, 2>({5, 8}, where);
    reshape_all(x.to(where), o, row, turned, part);
    expect_same("o", o, [&](auto i) { return element(x, i[0] * 120 + i[1] * 4 + i[2]); });
    expect_same("row", row, [&](auto i) { return element(x, i[0]) + 1; });
    expect_same("turned", turned, [&](auto i) {
      const auto place = i[0] * 15 + i[1];
      return x(place % 24, place / 24);
    });
    expect_same("part", part, [&](auto i) {
      const auto place = i[0] * 8 + i[1];
      return x(3 + place / 4, 16 + place % 4);
    });
  });
}

TEST(Shapes, Split) {
  for (const std::int64_t n : {6, 7, 127, 129}) {
    const auto x = make<float, 2>({n, 48}, [](std::int64_t i) { return static_cast<float>(i * 5 % 9 - 4); });
    on_every_device([&](auto where) {
      auto o = poisoned<float, 2>({n, 24}, where), rows = poisoned<float, 2>({6, 48}, where);
      auto sums = poisoned<float, 1>({4}, where);
      split_all(x.to(where), o, rows, sums);
      expect_same("o", o, [&](auto i) { return x(i[0], i[1]) * std::exp2(x(i[0], 24 + i[1])); });
      expect_same("rows", rows, [&](auto i) { return std::exp2(x((i[0] + 3) % 6, i[1])); });
      expect_same("sums", sums, [&](auto part) {
        float sum = 0;
        for (std::int64_t i = 0; i < 6; ++i)
          for (std::int64_t j = 0; j < 12; ++j)
            sum += x(i, 12 * part[0] + j);
        return sum;
      });
    });
  }
}

TEST(Shapes, Join) {
  const auto x = random<float, 2>({6, 10});
  const auto y = make<float, 2>({6, 10}, [](std::int64_t i) { return static_cast<float>(i % 9 - 4); });
  on_every_device([&](auto where) {
    auto rows = poisoned<float, 2>({18, 10}, where), columns = poisoned<float, 2>({6, 14}, where);
    auto stacked = poisoned<float, 3>({6, 2, 10}, where);
    auto padded = poisoned<float, 2>({9, 13}, where);
    join(x.to(where), y.to(where), rows, columns, stacked, padded);
    auto power = [&](std::int64_t i, std::int64_t j) { return std::exp2(y(i, j)); };
    expect_same("rows", rows, [&](auto i) { return i[0] / 6 == 1 ? power(i[0] - 6, i[1]) : x(i[0] % 6, i[1]); });
    expect_same("columns", columns, [&](auto i) { return i[1] < 10 ? x(i[0], i[1]) : power(i[0], i[1] - 8); });
    expect_same("stacked", stacked, [&](auto i) { return i[1] == 0 ? x(i[0], i[2]) : power(i[0], i[2]); });
    expect_same("padded", padded, [&](auto i) {
      return i[0] < 1 || i[0] >= 7 ? 7.5F : i[1] < 3 ? -1.0F : x(i[0] - 1, i[1] - 3);
    });
  });
}

template <class T, class Entry> void check_pick(Entry entry) {
  const auto x = random<T, 2>({7, 16});
  const auto idx =
      make<std::int32_t, 2>({7, 5}, [](std::int64_t) { return static_cast<std::int32_t>(generator()() % 16); });
  on_every_device([&](auto where) {
    auto taken = poisoned<T, 3>({3, 2, 4}, where);
    auto along = poisoned<T, 2>({7, 5}, where), odd = poisoned<T, 2>({7, 8}, where);
    auto turned = poisoned<T, 2>({16, 7}, where);
    entry(x.to(where), idx.to(where), taken, along, odd, turned, {});
    expect_same("taken", taken, [&](auto i) { return x(idx(1 + i[0], i[1]) % 7, 8 + i[2]); });
    expect_same("along", along, [&](auto i) { return x(i[0], idx(i[0], i[1])); });
    expect_same("odd", odd, [&](auto i) { return x(i[0], 2 * i[1] + 1); });
    expect_same("turned", turned, [&](auto i) { return x(idx(i[1], 2) % 7, i[0]); });
  });
}
TEST(Shapes, Pick) {
  check_pick<float>(pick_f32);
  check_pick<bf16>(pick_bf16);
  check_pick<std::int64_t>(pick_s64);
}

// Small integers, of which sums and products are exact.
TEST(Shapes, TakeWhatIsMadeAsAWhole) {
  const auto x = make<float, 2>({16, 16}, [](std::int64_t) { return static_cast<float>(generator()() % 5) - 2; });
  const auto idx =
      make<std::int32_t, 1>({40}, [](std::int64_t) { return static_cast<std::int32_t>(generator()() % 16); });
  on_every_device([&](auto where) {
    auto sums = poisoned<float, 1>({40}, where);
    auto products = poisoned<float, 2>({40, 16}, where), carried = poisoned<float, 2>({16, 16}, where);
    take_results(x.to(where), idx.to(where), sums, products, carried);
    expect_same("sums", sums, [&](auto i) {
      float sum = 0;
      for (std::int64_t k = 0; k < 16; ++k)
        sum += x(idx(i[0]), k);
      return 2 * sum;
    });
    expect_same("products", products, [&](auto i) {
      float sum = 0;
      for (std::int64_t k = 0; k < 16; ++k)
        sum += x(idx(i[0]), k) * x(k, i[1]);
      return sum;
    });
    expect_same("carried", carried, [&](auto i) {
      const float t = x(i[0], 15 - i[1]);
      return (t * t + 1) * t + 1;
    });
  });
}

TEST(Shapes, InPlace) {
  for (const std::int64_t blocks : {1, 5}) {
    const auto before = random<std::int32_t, 1>({64 * blocks});
    on_every_device([&](auto where) {
      auto x = before.to(where);
      reverse(x);
      expect_same("reversed", x, [&](auto i) { return before(i[0] / 64 * 64 + 63 - i[0] % 64); });
    });
  }
}

TEST(Shapes, OneHot) {
  for (const std::int64_t n : odd_sizes) {
    const auto labels =
        make<std::int32_t, 1>({n}, [](std::int64_t) { return static_cast<std::int32_t>(generator()() % 12) - 1; });
    on_every_device([&](auto where) {
      expect_same("one hot", one_hot(labels.to(where)), [&](auto i) { return labels(i[0]) == i[1] ? 1.0F : 0.0F; });
    });
  }
}

TEST(Shapes, TurnWholeArrays) {
  for (const std::int64_t n : {1, 7, 127, 129, 1030, 9001})
    for (const std::int64_t shift : {std::int64_t{0}, std::int64_t{-3}, n / 2, 5 * n + 1, std::int64_t{1} << 40}) {
      const auto x = random<float, 2>({3, n});
      on_every_device([&](auto where) {
        auto flipped = poisoned<float, 2>({3, n}, where), rolled = poisoned<float, 2>({3, n}, where);
        turn_whole(x.to(where), flipped, rolled, shift);
        expect_same("flipped", flipped, [&](auto i) { return 2 * x(2 - i[0], n - 1 - i[1]); });
        expect_same("rolled", rolled, [&](auto i) { return x(i[0], ((i[1] - shift) % n + n) % n); });
      });
    }
}

TEST(Shapes, JoinWholeArrays) {
  for (const std::int64_t m : {1, 129})
    for (const std::int64_t n : {1, 7, 130}) {
      const auto x = random<bf16, 2>({5, m}), y = random<bf16, 2>({5, n});
      on_every_device([&](auto where) {
        expect_same("joined", join_whole(x.to(where), y.to(where)), [&](auto i) {
          if (i[1] >= m && i[1] < m + n)
            return static_cast<bf16>(-static_cast<float>(y(i[0], i[1] - m)));
          return x(i[0], i[1] < m ? i[1] : i[1] - m - n);
        });
      });
    }
}

TEST(Shapes, RepeatWholeArrays) {
  for (const std::int64_t rows : {1, 7, 33})
    for (const std::int64_t n : {1, 12, 129}) {
      const auto x = random<std::int32_t, 2>({rows, n});
      on_every_device([&](auto where) {
        auto repeated = poisoned<std::int32_t, 2>({3 * rows, n}, where);
        auto tiled = poisoned<std::int32_t, 2>({2 * rows, 3 * n}, where);
        auto padded = poisoned<std::int32_t, 2>({rows + 1, n + 5}, where);
        repeat_whole(x.to(where), repeated, tiled, padded);
        expect_same("repeated", repeated, [&](auto i) { return x(i[0] / 3, i[1]); });
        expect_same("tiled", tiled, [&](auto i) { return x(i[0] % rows, i[1] % n); });
        expect_same("padded", padded, [&](auto i) {
          return i[1] < 2 || i[1] >= n + 2 ? -2 : i[0] == 0 ? -1 : x(i[0] - 1, i[1] - 2);
        });
      });
    }
}

TEST(Shapes, TakeAlongWholeArrays) {
  for (const std::int64_t m : {1, 7, 33})
    for (const std::int64_t n : {1, 12, 1030}) {
      const auto x = random<float, 2>({33, 40});
      const auto idx = make<std::int32_t, 2>({m, std::min(n, std::int64_t{40})}, [](std::int64_t) {
        return static_cast<std::int32_t>(generator()() % 33);
      });
      on_every_device([&](auto where) {
        auto columns = poisoned<float, 2>(idx.dims(), where), rows = poisoned<float, 2>(idx.dims(), where);
        take_along_whole(x.to(where), idx.to(where), columns, rows);
        expect_same("columns", columns, [&](auto i) { return x(i[0], idx(i[0], i[1])); });
        expect_same("rows", rows, [&](auto i) { return 2 * x(idx(i[0], i[1]), i[1]); });
      });
    }
}

// Small integers, of which sums are exact.
TEST(Shapes, ReshapeWholeArrays) {
  for (const std::int64_t a : {1, 2, 35})
    for (const std::int64_t b : {1, 3, 64})
      for (const std::int64_t c : {1, 6, 129}) {
        const std::int64_t m = a * c, n = b;
        const auto x = make<float, 2>({m, n}, [](std::int64_t) { return static_cast<float>(generator()() % 5) - 2; });
        on_every_device([&](auto where) {
          auto row = poisoned<float, 1>({m * n}, where), sums = poisoned<float, 1>({a}, where);
          auto o = poisoned<float, 3>({a, b, c}, where);
          auto turned = poisoned<float, 2>({b * c, a}, where);
          reshape_whole(x.to(where), row, o, turned, sums);
          expect_same("row", row, [&](auto i) { return x(i[0] / n, i[0] % n); });
          expect_same("o", o, [&](auto i) {
            const std::int64_t place = (i[0] * b + i[1]) * c + i[2];
            return 2 * x(place / n, place % n);
          });
          expect_same("turned", turned, [&](auto i) {
            const std::int64_t place = i[0] * a + i[1];
            return x(place % m, place / m);
          });
          expect_same("sums", sums, [&](auto i) {
            float sum = 0;
            for (std::int64_t place = i[0] * b * c; place < (i[0] + 1) * b * c; ++place)
              sum += x(place / n, place % n);
            return sum;
          });
        });
      }
}

TEST(Shapes, ReshapeRows) {
  for (const std::int64_t b : {1, 3, 64})
    for (const std::int64_t c : {1, 6, 129}) {
      const auto x = random<bf16, 2>({5, b * c});
      on_every_device([&](auto where) {
        auto o = poisoned<bf16, 3>({5, b, c}, where);
        reshape_rows(x.to(where), o);
        expect_same("matrices", o, [&](auto i) { return x(i[0], i[1] * c + i[2]); });
      });
    }
}

TEST(Shapes, BroadcastWholeArrays) {
  for (const std::int64_t m : {1, 7, 33})
    for (const std::int64_t n : {1, 12, 1030}) {
      const auto row = random<float, 1>({n}), column = random<float, 1>({m});
      const auto bits = random<tegula::e4m3, 1>({n});
      on_every_device([&](auto where) {
        auto rows = poisoned<float, 2>({m, n}, where), columns = poisoned<float, 2>({m, n}, where);
        auto same_bits = poisoned<tegula::e4m3, 2>({m, n}, where);
        broadcast_whole(row.to(where), column.to(where), bits.to(where), rows, columns, same_bits);
        expect_same("rows", rows, [&](auto i) { return row(i[1]); });
        expect_same("columns", columns, [&](auto i) { return column(i[0]) + 1; });
        expect_same("bits", same_bits, [&](auto i) { return bits(i[1]); });
      });
    }
}

TEST(Shapes, AtTheEdge) {
  for (const std::int64_t n : {1, 7, 31, 32, 33, 40, 127, 129}) {
    const auto x = make<float, 1>({n}, [](std::int64_t) { return static_cast<float>(generator()() % 100); });
    const std::int64_t blocks = (n + 31) / 32;
    on_every_device([&](auto where) {
      auto sums = poisoned<float, 2>({blocks, 15}, where), elements = poisoned<float, 2>({blocks, 6}, where);
      at_the_edge(x.to(where), sums, elements);
      const auto first_of = [](std::int64_t block) { return block * 32; };
      const auto count_of = [&](std::int64_t block) { return std::min<std::int64_t>(32, n - block * 32); };
      expect_same("sums", sums, [&](auto at) {
        const std::int64_t first = first_of(at[0]), count = count_of(at[0]);
        float sum = 0, of_even = 0;
        for (std::int64_t i = 0; i < count; ++i) {
          sum += x(first + i);
          of_even += i % 2 == 0 ? x(first + i) : 0;
        }
        const auto ones = static_cast<float>(count);
        const float expected[] = {ones,
                                  ones * (ones - 1) / 2,
                                  static_cast<float>((count + 1) / 2),
                                  ones,
                                  sum,
                                  sum,
                                  2 * sum,
                                  3 * sum,
                                  sum + 12,
                                  2 * sum + ones,
                                  sum,
                                  ones,
                                  6 * ones,
                                  of_even,
                                  3 * ones};
        return expected[at[1]];
      });
      expect_same("elements", elements, [&](auto at) {
        const std::int64_t first = first_of(at[0]), count = count_of(at[0]);
        const float last = x(first + count - 1);
        const auto ones = static_cast<float>(count);
        const float expected[] = {last, last, x(first), x(first), ones, ones + 3};
        return expected[at[1]];
      });
    });
  }
}

TEST(Shapes, CountsAtTheEdge) {
  for (const auto &dims : {tegula::shape<2>{1, 1}, tegula::shape<2>{40, 7}, tegula::shape<2>{33, 129}}) {
    const auto x = random<float, 2>(dims);
    on_every_device([&](auto where) {
      auto o = poisoned<float, 3>({(dims[0] + 31) / 32, (dims[1] + 15) / 16, 7}, where);
      counts_at_the_edge(x.to(where), o);
      expect_same("counts", o, [&](auto at) {
        const auto rows = static_cast<float>(std::min<std::int64_t>(32, dims[0] - at[0] * 32));
        const auto columns = static_cast<float>(std::min<std::int64_t>(16, dims[1] - at[1] * 16));
        const float expected[] = {
            rows * columns,     rows * (rows - 1) / 2,           rows,
            3 * rows * columns, columns * rows * (rows + 1) / 2, rows * columns * (columns - 1) / 2,
            rows * 16};
        return expected[at[2]];
      });
    });
  }
}

TEST(Shapes, SqueezeColumns) {
  for (const std::int64_t n : odd_sizes) {
    const auto column = random<float, 2>({n, 1}); // Sums of whole numbers are exact.
    const auto x = make<float, 2>({n, 8}, [](std::int64_t) { return static_cast<float>(generator()() % 100); });
    on_every_device([&](auto where) {
      auto last = poisoned<float, 1>({n}, where), mean = poisoned<float, 1>({n}, where);
      auto only = poisoned<float, 1>({n}, where);
      squeeze_columns(x.to(where), column.to(where), last, mean, only);
      expect_same("last", last, [&](auto i) { return x(i[0], 7); });
      expect_same("only", only, [&](auto i) { return column(i[0], 0); });
      expect_same("mean", mean, [&](auto i) {
        float sum = 0;
        for (int j = 0; j < 8; ++j)
          sum += x(i[0], j);
        return sum / 8;
      });
    });
  }
}
