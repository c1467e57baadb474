// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "products_split_k.h"

#include "matrices.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::e4m3;
using tegula::f16;

namespace {

/// Sums that are divided and those that are too short for it, in parts of which the last is shorter; results of one
/// sub-tile and several, of rows that TMA can copy and others, and more of them than are divided. The CPU divides
/// nothing: without a GPU, a few are enough.
const std::vector<Sizes> few = {{1, 8, 8200}, {3, 7, 8193}, {8, 8, 0}, {0, 16, 8192}},
                         all = {{1, 8, 16400}, {7, 16, 65544}, {64, 8, 8192}, {129, 8, 8200},
                                {24, 8, 8000}, {3, 264, 8200}, {9, 65, 9000}, {3, 7, 9001},
                                {8, 8, 0},     {0, 16, 8192},  {260, 8, 8256}},
                         &sizes = devices().back().is_gpu() ? all : few;

/// Sums of a few of these are exact, also of tens of thousands.
template <class T> buffer<T, 2> integers(std::int64_t rows, std::int64_t columns) {
  return small_integers<T>(rows, columns, /*most=*/1);
}

/// max(a b + bias, 0), where b is N x K for `entry` or K x N.
template <bool Rows, class T, class Sum, class Entry> void check_steps(Entry entry) {
  for (const Sizes &size : sizes) {
    SCOPED_TRACE(describe(size));
    const auto a = integers<T>(size.m, size.k), b = integers<T>(size.n, size.k);
    const auto bias = make<Sum, 1>({size.n}, [](std::int64_t) { return small_integer<Sum>(1); });
    const auto columns = transposed(b);
    const auto expected = exact_product<float>(a, b);
    on_every_device([&](auto where) {
      const auto o = entry(a.to(where), (Rows ? b : columns).to(where), bias.to(where), {});
      expect_same("o", o,
                  [&](auto i) { return std::max(expected(i[0], i[1]) + static_cast<float>(bias(i[1])), 0.0F); });
    });
  }
}

/// a b, whatever way round they are stored.
template <class T, class Entry> void check_product(Entry entry, bool a_is = false, bool b_is = false) {
  for (const Sizes &size : sizes) {
    SCOPED_TRACE(describe(size));
    const auto a = integers<T>(size.m, size.k), b = integers<T>(size.n, size.k);
    const auto left = a_is ? transposed(a) : a.to(tegula::device::cpu()),
               right = b_is ? b.to(tegula::device::cpu()) : transposed(b);
    const auto expected = exact_product<float>(a, b);
    on_every_device([&](auto where) {
      expect_same("a b", entry(left.to(where), right.to(where), {}), [&](auto i) { return expected(i[0], i[1]); });
    });
  }
}

} // namespace

TEST(SplitK, OfLoops) {
  check_steps<false, bf16, float>(steps_bf16);
  check_steps<false, f16, float>(steps_f16);
  check_steps<false, double, double>(steps_f64);
  check_steps<false, float, float>(steps_f32);
}

TEST(SplitK, OfLoopsOverRows) {
  check_steps<true, bf16, float>(rows_bf16);
  check_steps<true, e4m3, float>(rows_e4m3);
  check_steps<true, std::int8_t, std::int32_t>(rows_s8);
}

TEST(SplitK, OfWholeArrays) {
  check_product<bf16>(arrays_bf16);
  check_product<bf16>(arrays_bf16_at, true, false);
  check_product<bf16>(arrays_bf16_bt, false, true);
  check_product<bf16>(arrays_bf16_at_bt, true, true);
  check_product<float>(arrays_f32);
}

TEST(SplitK, OfQuarters) { check_product<bf16>(quarters); }

TEST(SplitK, AddedToWhatIsThere) {
  for (const Sizes &size : sizes) {
    SCOPED_TRACE(describe(size));
    const auto x = integers<bf16>(size.m, size.k), g = integers<bf16>(size.n, size.k);
    const auto before = integers<float>(size.m, size.n);
    const auto expected = exact_product<float>(x, g);
    on_every_device([&](auto where) {
      auto o = before.to(where);
      add_gradient(transposed(x).to(where), transposed(g).to(where), o, {});
      expect_same("o", o, [&](auto i) { return before(i[0], i[1]) + expected(i[0], i[1]); });
    });
  }
}

TEST(SplitK, OfOneArray) {
  for (const auto &[m, n, k] : sizes) {
    if (m > 200)
      continue;
    const auto x = integers<bf16>(m, k);
    const auto expected = exact_product<float>(x, x);
    on_every_device([&](auto where) {
      expect_same("x^T x", gram_matrix(transposed(x).to(where), {}), [&](auto i) { return expected(i[0], i[1]); });
    });
  }
}

TEST(SplitK, OfTwoSums) {
  for (const auto entry : {two_by_steps, two_of_rows})
    for (const Sizes &size : sizes) {
      SCOPED_TRACE(describe(size));
      const auto x = integers<bf16>(size.m, size.k), w = integers<bf16>(size.n, size.k),
                 v = integers<bf16>(size.n, size.k);
      const auto c = integers<float>(size.m, size.n);
      const auto first = exact_product<float>(x, w), second = exact_product<float>(x, v);
      on_every_device([&](auto where) {
        auto o = poisoned<float, 2>({size.m, size.n}, where), p = poisoned<float, 2>({size.m, size.n}, where);
        entry(x.to(where), transposed(w).to(where), transposed(v).to(where), c.to(where), o, p, {});
        const auto with_c = [&](auto i) { return first(i[0], i[1]) + c(i[0], i[1]); };
        expect_same("o", o, [&](auto i) { return with_c(i) * second(i[0], i[1]); });
        expect_same("p", p, [&](auto i) { return with_c(i) - second(i[0], i[1]); });
      });
    }
}

TEST(SplitK, OfBatches) {
  for (const auto &[m, n, k] : {Sizes{129, 24, 8200}, Sizes{64, 8, 8192}, Sizes{5, 7, 9000}}) {
    std::vector<buffer<float, 2>> expected;
    auto a = buffer<bf16, 3>::empty({3, m, k}), b = buffer<bf16, 3>::empty({3, k, n});
    for (std::int64_t l = 0; l < 3; ++l) {
      const auto left = integers<bf16>(m, k), right = integers<bf16>(n, k), columns = transposed(right);
      expected.push_back(exact_product<float>(left, right));
      std::copy_n(left.data(), m * k, a.data() + l * m * k);
      std::copy_n(columns.data(), k * n, b.data() + l * k * n);
    }
    on_every_device([&](auto where) {
      expect_same("batches", batches(a.to(where), b.to(where), {}),
                  [&](auto i) { return expected[static_cast<std::size_t>(i[0])](i[1], i[2]); });
    });
  }
}

TEST(SplitK, OfComputedFactors) {
  for (const Sizes &size : sizes) {
    SCOPED_TRACE(describe(size));
    const auto a = integers<bf16>(size.m, size.k);
    const auto b = integers<std::int8_t>(size.n, size.k);
    const auto scale = make<bf16, 1>({size.k}, [](std::int64_t) { return small_integer<bf16>(1); });
    const auto scaled = make<float, 2>(a.dims(), [&](std::int64_t i) {
      return static_cast<float>(a.data()[i]) * static_cast<float>(scale(i % size.k));
    });
    const auto expected = exact_product<float>(scaled, b);
    on_every_device([&](auto where) {
      expect_same("o", computed(a.to(where), transposed(b).to(where), scale.to(where), {}),
                  [&](auto i) { return expected(i[0], i[1]); });
    });
  }
}

// Behind what is summed there is NaN.
TEST(SplitK, OfPartsOfArrays) {
  const auto nan = static_cast<bf16>(std::numeric_limits<float>::quiet_NaN());
  for (const std::int64_t depth : {8200, 9001, 9216}) {
    auto a = integers<bf16>(20, 9280), b = integers<bf16>(40, 9280);
    const auto expected =
        exact_product<float>(make<bf16, 2>({20, depth}, [&](auto i) { return a(i / depth, i % depth); }),
                             make<bf16, 2>({40, depth}, [&](auto i) { return b(i / depth, i % depth); }));
    for (std::int64_t k = depth; k < 9280; ++k) {
      for (std::int64_t i = 0; i < 20; ++i)
        a(i, k) = nan;
      for (std::int64_t j = 0; j < 40; ++j)
        b(j, k) = nan;
    }
    on_every_device([&](auto where) {
      for (const std::int64_t more : {0, 1}) {
        auto o = poisoned<float, 2>({20, 40}, where);
        of_first(a.to(where), transposed(b).to(where), o, depth, more, {});
        expect_same("o", o,
                    [&](auto i) { return static_cast<float>(expected(i[0], i[1]) + static_cast<double>(more)); });
      }
    });
  }
}

// Partial sums are added up in one order: each run of a call makes the same bits. Numbers that are no integers show it.
TEST(SplitK, InOneOrder) {
  const auto numbers = [](std::int64_t rows, std::int64_t columns) {
    return make<bf16, 2>({rows, columns}, [](std::int64_t) { return static_cast<bf16>(random_value<float>()); });
  };
  const auto a = numbers(72, 9000), b = numbers(9000, 136);
  on_every_device([&](auto where) {
    const auto left = a.to(where), right = b.to(where);
    const auto first = arrays_bf16(left, right, {}).to_host();
    for (int run = 0; run < 4; ++run)
      expect_same("again", arrays_bf16(left, right, {}), [&](auto i) { return first(i[0], i[1]); });
  });
}

// What a part sums may be NaN or infinite, and then the result is.
TEST(SplitK, OfNaNAndInfinity) {
  auto a = integers<bf16>(64, 8192), b = integers<bf16>(64, 8192);
  auto expected = exact_product<float>(a, b);
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  a(3, 5000) = static_cast<bf16>(nan);
  a(5, 100) = static_cast<bf16>(infinity);
  for (std::int64_t j = 0; j < 64; ++j) {
    b(j, 100) = static_cast<bf16>(1.0F);
    expected(3, j) = nan;
    expected(5, j) = infinity;
  }
  const auto with_ones = exact_product<float>(a, b);
  on_every_device([&](auto where) {
    expect_same("o", arrays_bf16_bt(a.to(where), b.to(where), {}), [&](auto i) {
      return static_cast<float>(i[0] == 3 || i[0] == 5 ? expected(i[0], i[1]) : with_ones(i[0], i[1]));
    });
  });
}
