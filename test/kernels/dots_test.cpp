// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dots.h"

#include "matrices.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

/// Products with no element and of no element, around the sizes of tiles, long and thin ones.
const std::vector<Sizes> sizes = {{0, 5, 3}, {5, 0, 3},   {3, 5, 0},      {1, 1, 1},      {7, 1, 127},
                                  {1, 7, 9}, {16, 8, 16}, {65, 129, 127}, {127, 33, 130}, {3, 257, 600}};

template <class T, class Entry> void check_product(Entry entry) {
  for (const auto &[m, n, k] : sizes) {
    SCOPED_TRACE(describe(m, n, k));
    const auto a = random<T, 2>({m, k}), b = random<T, 2>({k, n});
    on_every_device([&, depth = k](auto where) {
      expect_agrees("a b", entry(a.to(where), b.to(where), {}), [&](auto i) {
        return inner_product<T>(depth, [&](auto p) { return a(i[0], p); }, [&](auto p) { return b(p, i[1]); });
      });
    });
  }
}

template <class Entry> void check_transposed(Entry entry, bool a_is, bool b_is) {
  for (const auto &[m, n, k] : sizes) {
    SCOPED_TRACE(describe(m, n, k));
    const auto a = a_is ? random<float, 2>({k, m}) : random<float, 2>({m, k});
    const auto b = b_is ? random<float, 2>({n, k}) : random<float, 2>({k, n});
    on_every_device([&, depth = k](auto where) {
      expect_agrees("product", entry(a.to(where), b.to(where), {}), [&](auto i) {
        return inner_product<float>(
            depth, [&](auto p) { return a_is ? a(p, i[0]) : a(i[0], p); },
            [&](auto p) { return b_is ? b(i[1], p) : b(p, i[1]); });
      });
    });
  }
}

} // namespace

TEST(Dots, OfEveryType) {
  check_product<std::int8_t>(product_s8);
  check_product<std::uint8_t>(product_u8);
  check_product<std::int16_t>(product_s16);
  check_product<std::uint16_t>(product_u16);
  check_product<std::int32_t>(product_s32);
  check_product<std::uint32_t>(product_u32);
  check_product<std::int64_t>(product_s64);
  check_product<std::uint64_t>(product_u64);
  check_product<f16>(product_f16);
  check_product<bf16>(product_bf16);
  check_product<float>(product_f32);
  check_product<double>(product_f64);
}

TEST(Dots, OfTransposed) {
  check_transposed(product_at_b, true, false);
  check_transposed(product_a_bt, false, true);
  check_transposed(product_at_bt, true, true);
}

TEST(Dots, InBlocks) {
  check_product<float>(product_of_quarters);
  check_product<float>(sliced_product_f32);
  check_product<bf16>(sliced_product_bf16);
  check_product<float>(sliced_product_96);
  check_product<float>(sliced_product_odd);
}

/// A zero times infinity is NaN, and what lies outside K counts nothing.
TEST(Dots, OfSpecialValues) {
  const auto special = special_values<float>();
  const auto count = static_cast<std::int64_t>(special.size());
  const auto a = make<float, 2>(
      {count, 3}, [&](std::int64_t i) { return i % 3 == 1 ? special[static_cast<std::size_t>(i / 3)] : 0.0F; });
  const auto b = make<float, 2>(
      {3, count}, [&](std::int64_t i) { return i / count == 1 ? special[static_cast<std::size_t>(i % count)] : 1.0F; });
  for (const auto &entry : {product_f32, product_of_quarters, sliced_product_f32})
    on_every_device([&](auto where) {
      expect_all(
          "a b", entry(a.to(where), b.to(where), {}),
          [&](auto i) { return special[static_cast<std::size_t>(i[0])] * special[static_cast<std::size_t>(i[1])]; },
          [](float x, float y) { return std::isnan(x) ? std::isnan(y) : x == y; });
    });
}

TEST(Dots, OfComputed) {
  for (const auto &[m, k, l] : {Sizes{1, 1, 1}, Sizes{7, 127, 9}, Sizes{65, 33, 130}, Sizes{129, 16, 0}}) {
    const auto a = random<float, 2>({m, k}), c = random<float, 2>({m, l});
    const auto b = random<bf16, 2>({k, m});
    on_every_device([&, k = k, l = l](auto where) {
      expect_agrees("2 a b + c c^T", computed_product(a.to(where), b.to(where), c.to(where), {}), [&](auto i) {
        const auto one = inner_product<float>(
            k, [&](auto p) { return 2 * a(i[0], p); }, [&](auto p) { return static_cast<float>(b(p, i[1])); });
        const auto two =
            inner_product<float>(l, [&](auto p) { return c(i[0], p); }, [&](auto p) { return c(i[1], p); });
        const double sum = one.value + two.value;
        // Doubling is exact; the sum of the two rounds.
        return Near<float>{std::max(sum, -3.0),
                           one.error + two.error + unit_roundoff<float>() * (std::abs(sum) + one.error + two.error)};
      });
    });
  }
}

TEST(Dots, Attention) {
  for (const auto &[rows, keys, columns] : {Sizes{1, 1, 1}, Sizes{33, 65, 16}, Sizes{16, 127, 7}}) {
    const auto half = [](std::int64_t) { return random_value<float>() / 4; };
    const auto q = make<float, 2>({rows, 32}, half), k = make<float, 2>({keys, 32}, half);
    const auto v = random<float, 2>({keys, columns});
    on_every_device([&, keys = keys](auto where) {
      expect_agrees("attention", attention(q.to(where), k.to(where), v.to(where), {}), [&](auto i) {
        std::vector<double> s;
        double most = -1e300, least = 1e300, total = 0, value = 0, size = 0, off = 0;
        for (std::int64_t j = 0; j < keys; ++j) {
          const auto score =
              inner_product<float>(32, [&](auto p) { return q(i[0], p); }, [&](auto p) { return k(j, p); });
          s.push_back(score.value);
          most = std::max(most, score.value);
          least = std::min(least, score.value);
          off = std::max(off, score.error + unit_roundoff<float>() * std::abs(score.value));
        }
        for (std::int64_t j = 0; j < keys; ++j) {
          const double p = std::exp(s[static_cast<std::size_t>(j)] - most);
          total += p;
          value += p * wide(v(j, i[1]));
          size += p * std::abs(wide(v(j, i[1])));
        }
        // Scores that are off by some error make probabilities that are off by twice as much, relatively.
        const double error = 2 * std::expm1(2 * off) + softmax_error<float>(2 * keys, most - least);
        return Near<float>{value / total, error * size / total};
      });
    });
  }
}

TEST(Dots, OfBatches) {
  for (const auto &[batch, m, k] : {Sizes{1, 1, 1}, Sizes{0, 3, 3}, Sizes{3, 7, 33}, Sizes{5, 65, 17}}) {
    const auto a = random<float, 3>({batch, m, k}), b = random<float, 3>({batch, k, 9});
    const auto c = random<std::int8_t, 4>({batch, 2, m, k}), d = random<std::int8_t, 4>({batch, 2, 9, k});
    on_every_device([&, k = k](auto where) {
      expect_agrees("rank 3", batched_product(a.to(where), b.to(where), {}), [&](auto i) {
        return inner_product<float>(
            k, [&](auto p) { return a(i[0], i[1], p); }, [&](auto p) { return b(i[0], p, i[2]); });
      });
      expect_agrees("rank 4", batched_product_4(c.to(where), d.to(where), {}), [&](auto i) {
        return inner_product<std::int8_t>(
            k, [&](auto p) { return c(i[0], i[1], i[2], p); }, [&](auto p) { return d(i[0], i[1], i[3], p); });
      });
    });
  }
}

template <class T, class Entry> static void check_greatest(Entry entry) {
  for (const auto &[batch, m, k] : {Sizes{1, 1, 1}, Sizes{3, 16, 16}, Sizes{2, 7, 33}, Sizes{3, 65, 17}})
    for (const std::int64_t n : {1, 5}) {
      const auto small = [](std::int64_t) { return static_cast<T>(static_cast<int>(generator()() % 201) - 100); };
      const auto a = make<T, 3>({batch, m, k}, small), b = make<T, 3>({batch, k, n}, small);
      on_every_device([&, k = k, batch = batch](auto where) {
        expect_same("the greatest a b", entry(a.to(where), b.to(where), {}), [&](auto i) {
          std::int64_t most = std::numeric_limits<std::int64_t>::min();
          for (std::int64_t which = 0; which < batch; ++which) {
            std::int64_t sum = 0;
            for (std::int64_t p = 0; p < k; ++p)
              sum += static_cast<std::int64_t>(a(which, i[0], p) * b(which, p, i[1]));
            most = std::max(most, sum);
          }
          return static_cast<T>(most);
        });
      });
    }
}

TEST(Dots, OfBatchesThatAreReduced) {
  check_greatest<std::int32_t>(greatest_product_s32);
  check_greatest<float>(greatest_product_f32);
  check_greatest<std::int64_t>(greatest_product_s64);
}

TEST(Dots, AcrossBatches) {
  for (const auto &[k, n] : {std::pair<std::int64_t, std::int64_t>{1, 1}, {33, 7}, {5, 130}}) {
    const auto a = random<std::int32_t, 3>({4, 8, k}), b = random<std::int32_t, 3>({4, k, 16});
    const auto c = random<std::int32_t, 3>({8, 4, n});
    on_every_device([&, k = k](auto where) {
      expect_same("(a b)' c", product_across_batches(a.to(where), b.to(where), c.to(where), {}), [&](auto i) {
        std::uint32_t sum = 0;
        for (std::int64_t q = 0; q < 4; ++q)
          for (std::int64_t p = 0; p < k; ++p)
            sum += static_cast<std::uint32_t>(a(q, i[0], p)) * static_cast<std::uint32_t>(b(q, p, i[1])) *
                   static_cast<std::uint32_t>(c(i[0], q, i[2]));
        return static_cast<std::int32_t>(sum);
      });
    });
  }
}

TEST(Dots, OfLongRows) {
  for (const auto &[m, n, k] : {Sizes{1, 1, 1}, Sizes{33, 7, 256}, Sizes{65, 64, 201}}) {
    const auto small = [](std::int64_t) { return static_cast<float>(static_cast<int>(generator()() % 201) - 100); };
    const auto x = make<float, 2>({m, k}, small), y = make<float, 2>({k, n}, small);
    on_every_device([&, k = k](auto where) {
      expect_same("(x - max x) y", deep_product(x.to(where), y.to(where), {}), [&](auto i) {
        float most = x(i[0], 0), sum = 0;
        for (std::int64_t p = 1; p < k; ++p)
          most = std::max(most, x(i[0], p));
        for (std::int64_t p = 0; p < k; ++p)
          sum += (x(i[0], p) - most) * y(p, i[1]);
        return sum;
      });
    });
  }
}

TEST(Dots, WithVectors) {
  for (const auto &[m, n, k] : sizes) {
    SCOPED_TRACE(describe(m, n, k));
    const auto a = random<double, 2>({m, k});
    const auto x = random<double, 1>({k});
    on_every_device([&, depth = k](auto where) {
      expect_agrees("a x", matrix_vector(a.to(where), x.to(where), {}), [&](auto i) {
        return inner_product<double>(depth, [&](auto p) { return a(i[0], p); }, [&](auto p) { return x(p); });
      });
    });
  }
}

TEST(Dots, OfWrongSizes) {
  const auto a = random<float, 2>({3, 4}), b = random<float, 2>({5, 3});
  EXPECT_THROW(static_cast<void>(product_f32(a, b, {})), tegula::error);
}

// ---- Transposition --------------------------------------------------------------------------------------------------

namespace {
const std::vector<tegula::shape<2>> shapes = {{0, 5}, {5, 0}, {1, 1}, {7, 127}, {32, 64}, {33, 65}, {129, 130}};

template <class T, class Entry> void check_transposition(Entry entry, T factor) {
  for (const auto &dims : shapes) {
    const auto x = random<T>(dims);
    on_every_device([&](auto where) {
      expect_same("x^T", entry(x.to(where), {}), [&](auto i) {
        if constexpr (is_floating<T>)
          return wide(factor) * wide(x(i[1], i[0]));
        else
          return x(i[1], i[0]);
      });
    });
  }
}
} // namespace

TEST(Transposition, OfTiles) {
  check_transposition<std::uint8_t>(transposed_u8, 1);
  check_transposition<bf16>(transposed_bf16, bf16(1.0F));
  check_transposition<float>(transposed_f32, 1);
  check_transposition<std::int64_t>(transposed_s64, 1);
}

TEST(Transposition, OfPlaces) {
  check_transposition<float>(read_transposed, 2);
  check_transposition<float>(write_transposed, 3);
}

TEST(Transposition, InPlace) {
  for (const std::int64_t n : {0, 64, 192}) {
    const auto x = random<float, 2>({n, n});
    on_every_device([&](auto where) {
      auto o = x.to(where);
      symmetric(o, {});
      expect_same("x + x^T", o, [&](auto i) {
        const bool is_changed = i[0] / 64 == i[1] / 64;
        return is_changed ? x(i[0], i[1]) + x(i[1], i[0]) : x(i[0], i[1]);
      });
    });
  }
}

TEST(Transposition, OverWhatWasStoredBefore) {
  for (const std::int64_t n : {64, 192}) {
    const auto x = random<float, 2>({n, n}), y = random<float, 2>({n, n});
    on_every_device([&](auto where) {
      for (const bool again : {false, true})
        expect_same("x, or the blocks of y transposed", stored_twice(x.to(where), y.to(where), again, {}), [&](auto i) {
          const std::int64_t row = i[0] / 64 * 64, column = i[1] / 64 * 64;
          return again ? y(row + i[1] - column, column + i[0] - row) : x(i[0], i[1]);
        });
    });
  }
}

TEST(Transposition, OfThreeDimensions) {
  for (const auto &dims : {tegula::shape<3>(1, 1, 1), tegula::shape<3>(7, 0, 3), tegula::shape<3>(5, 129, 7)}) {
    const auto x = random<std::int32_t>(dims);
    on_every_device([&](auto where) {
      expect_same("x, rotated", rotated(x.to(where), {}), [&](auto i) {
        std::int32_t most = x(i[1], i[2], 0);
        for (std::int64_t k = 1; k < dims[2]; ++k)
          most = std::max(most, x(i[1], i[2], k));
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(x(i[1], i[2], i[0])) -
                                         static_cast<std::uint32_t>(most));
      });
    });
  }
}
