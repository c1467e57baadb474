// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "products_split_k.h"

#include "support.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::e4m3;
using tegula::f16;

namespace {

struct Sizes {
  std::int64_t m, n, k;
};
/// Sums that are divided and those that are too short for it, in parts of which the last is shorter; results of one
/// sub-tile and several, of rows that TMA can copy and others, and more of them than are divided. The CPU divides
/// nothing: without a GPU, a few are enough.
const std::vector<Sizes> few = {{1, 8, 8200}, {3, 7, 8193}, {8, 8, 0}, {0, 16, 8192}},
                         all = {{1, 8, 16400}, {7, 16, 65544}, {64, 8, 8192}, {129, 8, 8200},
                                {24, 8, 8000}, {3, 264, 8200}, {9, 65, 9000}, {3, 7, 9001},
                                {8, 8, 0},     {0, 16, 8192},  {260, 8, 8256}},
                         &sizes = devices().back().is_gpu() ? all : few;

std::string describe(const Sizes &of) {
  return "product of " + std::to_string(of.m) + " x " + std::to_string(of.n) + " x " + std::to_string(of.k);
}

/// Of integers so small that every sum is exact, in any order, also in the bits that are summed of 8-bit floats.
template <class T> T integer() { return static_cast<T>(static_cast<float>(static_cast<int>(generator()() % 3) - 1)); }
template <class T> buffer<T, 2> integers(std::int64_t rows, std::int64_t columns) {
  return make<T, 2>({rows, columns}, [](std::int64_t) { return integer<T>(); });
}
template <class T> buffer<T, 2> transposed(const buffer<T, 2> &x) {
  return make<T, 2>({x.dim(1), x.dim(0)}, [&](std::int64_t i) { return x(i % x.dim(0), i / x.dim(0)); });
}

/// a b, of a as M x K and b as N x K.
template <class T, class U> buffer<double, 2> product_of(const buffer<T, 2> &a, const buffer<U, 2> &b) {
  const std::int64_t depth = a.dim(1);
  const auto left = make<float, 2>(a.dims(), [&](std::int64_t i) { return static_cast<float>(a.data()[i]); });
  const auto right = make<float, 2>(b.dims(), [&](std::int64_t i) { return static_cast<float>(b.data()[i]); });
  return make<double, 2>({a.dim(0), b.dim(0)}, [&](std::int64_t place) {
    const float *row = left.data() + place / b.dim(0) * depth, *column = right.data() + place % b.dim(0) * depth;
    float sum = 0; // Of integers below 2^24.
    for (std::int64_t k = 0; k < depth; ++k)
      sum += row[k] * column[k];
    return static_cast<double>(sum);
  });
}

template <class Result> Result as(double value) { return static_cast<Result>(static_cast<float>(value)); }

/// max(a b + bias, 0), where b is N x K for `entry` or K x N.
template <bool Rows, class T, class Sum, class Result, class Entry> void check_steps(Entry entry) {
  for (const Sizes &size : sizes) {
    SCOPED_TRACE(describe(size));
    const auto a = integers<T>(size.m, size.k), b = integers<T>(size.n, size.k);
    const auto bias = make<Sum, 1>({size.n}, [](std::int64_t) { return integer<Sum>(); });
    const auto columns = transposed(b);
    const auto expected = product_of(a, b);
    on_every_device([&](auto where) {
      const auto o = entry(a.to(where), (Rows ? b : columns).to(where), bias.to(where), {});
      expect_same("o", o, [&](auto i) {
        return as<Result>(std::max(expected(i[0], i[1]) + static_cast<double>(bias(i[1])), 0.0));
      });
    });
  }
}

/// a b, whatever way round they are stored.
template <class T, class Result, class Entry> void check_product(Entry entry, bool a_is = false, bool b_is = false) {
  for (const Sizes &size : sizes) {
    SCOPED_TRACE(describe(size));
    const auto a = integers<T>(size.m, size.k), b = integers<T>(size.n, size.k);
    const auto left = a_is ? transposed(a) : a.to(tegula::device::cpu()),
               right = b_is ? b.to(tegula::device::cpu()) : transposed(b);
    const auto expected = product_of(a, b);
    on_every_device([&](auto where) {
      expect_same("a b", entry(left.to(where), right.to(where), {}),
                  [&](auto i) { return as<Result>(expected(i[0], i[1])); });
    });
  }
}

} // namespace

TEST(SplitK, OfLoops) {
  check_steps<false, bf16, float, bf16>(steps_bf16);
  check_steps<false, f16, float, float>(steps_f16);
  check_steps<false, double, double, double>(steps_f64);
  check_steps<false, float, float, float>(steps_f32);
}

TEST(SplitK, OfLoopsOverRows) {
  check_steps<true, bf16, float, float>(rows_bf16);
  check_steps<true, e4m3, float, float>(rows_e4m3);
  check_steps<true, std::int8_t, std::int32_t, std::int32_t>(rows_s8);
}

TEST(SplitK, OfWholeArrays) {
  check_product<bf16, float>(arrays_bf16);
  check_product<bf16, float>(arrays_bf16_at, true, false);
  check_product<bf16, float>(arrays_bf16_bt, false, true);
  check_product<bf16, float>(arrays_bf16_at_bt, true, true);
  check_product<float, float>(arrays_f32);
}

TEST(SplitK, OfQuarters) { check_product<bf16, bf16>(quarters); }

TEST(SplitK, AddedToWhatIsThere) {
  for (const Sizes &size : sizes) {
    SCOPED_TRACE(describe(size));
    const auto x = integers<bf16>(size.m, size.k), g = integers<bf16>(size.n, size.k);
    const auto before = integers<float>(size.m, size.n);
    const auto expected = product_of(x, g);
    on_every_device([&](auto where) {
      auto o = before.to(where);
      add_gradient(transposed(x).to(where), transposed(g).to(where), o, {});
      expect_same("o", o, [&](auto i) {
        return static_cast<float>(static_cast<double>(before(i[0], i[1])) + expected(i[0], i[1]));
      });
    });
  }
}

TEST(SplitK, OfOneArray) {
  for (const auto &[m, n, k] : sizes) {
    if (m > 200)
      continue;
    const auto x = integers<bf16>(m, k);
    const auto expected = product_of(x, x);
    on_every_device([&](auto where) {
      expect_same("x^T x", gram_matrix(transposed(x).to(where), {}),
                  [&](auto i) { return static_cast<float>(expected(i[0], i[1])); });
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
      const auto first = product_of(x, w), second = product_of(x, v);
      on_every_device([&](auto where) {
        auto o = poisoned<float, 2>({size.m, size.n}, where), p = poisoned<float, 2>({size.m, size.n}, where);
        entry(x.to(where), transposed(w).to(where), transposed(v).to(where), c.to(where), o, p, {});
        const auto with_c = [&](auto i) { return first(i[0], i[1]) + static_cast<double>(c(i[0], i[1])); };
        expect_same("o", o, [&](auto i) { return static_cast<float>(with_c(i) * second(i[0], i[1])); });
        expect_same("p", p, [&](auto i) { return static_cast<float>(with_c(i) - second(i[0], i[1])); });
      });
    }
}

TEST(SplitK, OfBatches) {
  for (const auto &[m, n, k] : {Sizes{129, 24, 8200}, Sizes{64, 8, 8192}, Sizes{5, 7, 9000}}) {
    std::vector<buffer<double, 2>> expected;
    auto a = buffer<bf16, 3>::empty({3, m, k}), b = buffer<bf16, 3>::empty({3, k, n});
    for (std::int64_t l = 0; l < 3; ++l) {
      const auto left = integers<bf16>(m, k), right = integers<bf16>(n, k), columns = transposed(right);
      expected.push_back(product_of(left, right));
      std::copy_n(left.data(), m * k, a.data() + l * m * k);
      std::copy_n(columns.data(), k * n, b.data() + l * k * n);
    }
    on_every_device([&](auto where) {
      expect_same("batches", batches(a.to(where), b.to(where), {}),
                  [&](auto i) { return static_cast<float>(expected[static_cast<std::size_t>(i[0])](i[1], i[2])); });
    });
  }
}

TEST(SplitK, OfComputedFactors) {
  for (const Sizes &size : sizes) {
    SCOPED_TRACE(describe(size));
    const auto a = integers<bf16>(size.m, size.k);
    const auto b = integers<std::int8_t>(size.n, size.k);
    const auto scale = make<bf16, 1>({size.k}, [](std::int64_t) { return integer<bf16>(); });
    const auto scaled = make<float, 2>(a.dims(), [&](std::int64_t i) {
      return static_cast<float>(a.data()[i]) * static_cast<float>(scale(i % size.k));
    });
    const auto expected = product_of(scaled, b);
    on_every_device([&](auto where) {
      expect_same("o", computed(a.to(where), transposed(b).to(where), scale.to(where), {}),
                  [&](auto i) { return static_cast<float>(expected(i[0], i[1])); });
    });
  }
}

// Behind what is summed there is NaN.
TEST(SplitK, OfPartsOfArrays) {
  const auto nan = static_cast<bf16>(std::numeric_limits<float>::quiet_NaN());
  for (const std::int64_t depth : {8200, 9001, 9216}) {
    auto a = integers<bf16>(20, 9280), b = integers<bf16>(40, 9280);
    const auto expected = product_of(make<bf16, 2>({20, depth}, [&](auto i) { return a(i / depth, i % depth); }),
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
  auto expected = product_of(a, b);
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  a(3, 5000) = static_cast<bf16>(nan);
  a(5, 100) = static_cast<bf16>(infinity);
  for (std::int64_t j = 0; j < 64; ++j) {
    b(j, 100) = static_cast<bf16>(1.0F);
    expected(3, j) = nan;
    expected(5, j) = infinity;
  }
  const auto with_ones = product_of(a, b);
  on_every_device([&](auto where) {
    expect_same("o", arrays_bf16_bt(a.to(where), b.to(where), {}), [&](auto i) {
      return static_cast<float>(i[0] == 3 || i[0] == 5 ? expected(i[0], i[1]) : with_ones(i[0], i[1]));
    });
  });
}
