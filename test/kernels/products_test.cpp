// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "products.h"

#include "matrices.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

/// Around the sizes of tiles and steps. TMA takes rows of a multiple of 8 elements, and nothing empty: the others are
/// multiplied without it.
const std::vector<Sizes> sizes = {{1, 8, 8},      {7, 16, 64},    {63, 72, 56},   {128, 256, 64},
                                  {129, 264, 72}, {65, 129, 127}, {65, 129, 128}, {3, 5, 0},
                                  {0, 16, 8},     {8, 0, 8},      {136, 200, 136}};

template <class T, class Result, class Entry> void check(Entry entry, bool a_is = false, bool b_is = false) {
  for (const auto &[m, n, k] : sizes) {
    SCOPED_TRACE(describe(m, n, k));
    const auto a = a_is ? matrix<T>(k, m) : matrix<T>(m, k), b = b_is ? matrix<T>(n, k) : matrix<T>(k, n);
    const auto reference = reference_of(exact(a, a_is), exact(b, b_is));
    on_every_device([&](auto where) {
      expect_agrees("a b", entry(a.to(where), b.to(where), {}),
                    [&](auto i) { return rounded<Result>(reference.template at<T>(i[0], i[1])); });
    });
  }
}

} // namespace

TEST(Products, ByStepsOfALoop) {
  check<bf16, bf16>(steps_bf16_128_256_64);
  check<f16, float>(steps_f16_64_64_32);
  check<f16, float>(steps_f16_by_int);
  check<bf16, float>(steps_bf16_32_96_16);
  check<f16, f16>(steps_f16_256_384_64);
  check<bf16, float>(steps_bf16_128_200_48);
  check<f16, float>(steps_f16_64_256_128);
  check<bf16, float>(steps_bf16_1_24_16);
}

TEST(Products, OfWholeRows) { check<bf16, float>(product_of_rows); }

TEST(Products, OfStaticDepth) {
  const auto check = [](auto entry, std::int64_t k) {
    for (const auto &[m, n] : {std::pair(128, 128), std::pair(1, 7), std::pair(129, 200)}) {
      SCOPED_TRACE(describe(m, n, k));
      const auto a = matrix<bf16>(m, k), b = matrix<bf16>(n, k);
      const auto reference = reference_of(exact(a), exact(b, true));
      on_every_device([&](auto where) {
        expect_agrees("a b", entry(a.to(where), b.to(where), {}),
                      [&](auto i) { return reference.at<bf16>(i[0], i[1]); });
      });
    }
  };
  check(depth_7, 7);
  check(depth_64, 64);
  check(depth_104, 104);
  check(depth_256, 256);
}

TEST(Products, AsTheAuthorWants) {
  check<bf16, bf16>(pinned_1_192_32_5);
  check<bf16, bf16>(pinned_2_128_128_2);
  check<bf16, bf16>(pinned_pair);
  check<bf16, bf16>(pinned_pair_of_one);
  check<bf16, bf16>(steps_in_pairs);
  check<bf16, bf16>(steps_in_pairs_of_one);
  check<bf16, bf16>(steps_in_pairs_of_a_block);
}

TEST(Products, OfTransposed) {
  check<bf16, bf16>(bf16_at_b, true, false);
  check<bf16, bf16>(bf16_a_bt, false, true);
  check<bf16, bf16>(bf16_at_bt, true, true);
}

TEST(Products, OfAnArrayThatIsOneBlock) {
  for (const std::int64_t n : {8, 264, 1000}) {
    const auto a = matrix<bf16>(128, 72), b = matrix<bf16>(72, n);
    const auto reference = reference_of(exact(a), exact(b));
    on_every_device([&](auto where) {
      expect_agrees("a product", product_of_128_rows(a.to(where), b.to(where)),
                    [&](auto i) { return reference.template at<bf16>(i[0], i[1]); });
    });
  }
}

TEST(Products, OfBlocksOfAnySize) { check<bf16, bf16>(product_of_quarters); }

TEST(Products, WithAnEpilogue) {
  for (const auto &[m, n, k] : sizes) {
    const auto a = matrix<f16>(m, k), b = matrix<f16>(k, n);
    const auto c = matrix<float>(m, n);
    const auto bias = random<float, 1>({n});
    const auto ab = reference_of(exact(a), exact(b));
    on_every_device([&](auto where) {
      const auto o = product_with_bias(a.to(where), b.to(where), bias.to(where), c.to(where));
      expect_agrees("product with bias", o, [&](auto i) {
        const double with_bias = ab.values(i[0], i[1]) + wide(bias(i[1])),
                     sum = std::max(with_bias, 0.0) + wide(c(i[0], i[1]));
        const double error = tensor_core_error<f16, float>(ab.depth, ab.largest(i[0], i[1])) +
                             0x1p-23 * (std::abs(with_bias) + std::abs(sum));
        return Near<float>{sum, error};
      });
    });
  }
}

TEST(Products, OfBatches) {
  for (const auto &[m, n, k] : {Sizes{129, 136, 72}, Sizes{64, 8, 64}, Sizes{5, 7, 9}}) {
    const auto a = make<bf16, 3>({3, m, k}, [](std::int64_t) { return static_cast<bf16>(random_value<float>()); });
    const auto b = make<bf16, 3>({3, k, n}, [](std::int64_t) { return static_cast<bf16>(random_value<float>()); });
    std::vector<MatrixProduct> references;
    for (std::int64_t l = 0; l < 3; ++l) {
      auto left = buffer<bf16, 2>::empty({m, k}), right = buffer<bf16, 2>::empty({k, n});
      std::copy_n(a.data() + l * m * k, m * k, left.data());
      std::copy_n(b.data() + l * k * n, k * n, right.data());
      references.push_back(reference_of(exact(left), exact(right)));
    }
    on_every_device([&](auto where) {
      expect_agrees("batches", batched_product(a.to(where), b.to(where)),
                    [&](auto i) { return references[static_cast<std::size_t>(i[0])].template at<bf16>(i[1], i[2]); });
    });
  }
}

// Behind what is summed, and behind what is stored, there is NaN.
TEST(Products, OfPartsOfArrays) {
  const auto nan = static_cast<bf16>(std::numeric_limits<float>::quiet_NaN());
  for (const std::int64_t depth : {0, 1, 63, 64, 72, 130}) {
    auto a = matrix<bf16>(70, 136), b = matrix<bf16>(136, 88);
    for (std::int64_t k = depth; k < 136; ++k) {
      for (std::int64_t i = 0; i < 70; ++i)
        a(i, k) = nan;
      for (std::int64_t j = 0; j < 88; ++j)
        b(k, j) = nan;
    }
    on_every_device([&](auto where) {
      const auto reference = [&] {
        auto left = buffer<bf16, 2>::empty({70, depth}), right = buffer<bf16, 2>::empty({depth, 88});
        for (std::int64_t k = 0; k < depth; ++k) {
          for (std::int64_t i = 0; i < 70; ++i)
            left(i, k) = a(i, k);
          for (std::int64_t j = 0; j < 88; ++j)
            right(k, j) = b(k, j);
        }
        return reference_of(exact(left), exact(right));
      }();
      expect_agrees("first columns", product_of_first(a.to(where), b.to(where), depth),
                    [&](auto i) { return reference.template at<bf16>(i[0], i[1]); });
    });
  }
  for (const std::int64_t rows : {1, 64, 100}) {
    const std::int64_t columns = 2 * rows;
    auto a = matrix<bf16>(130, 72), b = matrix<bf16>(72, 264);
    const auto reference = reference_of(exact(a), exact(b));
    for (std::int64_t k = 0; k < 72; ++k) {
      for (std::int64_t i = rows; i < 130; ++i)
        a(i, k) = nan;
      for (std::int64_t j = columns; j < 264; ++j)
        b(k, j) = nan;
    }
    on_every_device([&](auto where) {
      expect_agrees("a part", product_of_part(a.to(where), b.to(where), rows, columns),
                    [&](auto i) { return reference.template at<bf16>(i[0], i[1]); });
    });
  }
}

namespace {

using after_entry = void (*)(const tegula::array<const bf16, 2> &, const tegula::array<const bf16, 2> &,
                             const tegula::array<const float, 2> &, const tegula::array<float, 2> &,
                             const tegula::array<float, 2> &, std::int64_t, const tegula::stream &);

/// Of integers so small that every sum is exact: what becomes of o and p, which begin as other integers.
template <class O, class P> void check_after(after_entry entry, std::int64_t size, std::int64_t start, O of_o, P of_p) {
  const auto integer = [](std::int64_t) { return static_cast<float>(random_value<std::int64_t>() % 5); };
  const auto small = [&](std::int64_t i) { return static_cast<bf16>(integer(i)); };
  const tegula::shape<2> square(size, size);
  const auto a = make<bf16, 2>(square, small), b = make<bf16, 2>(square, small);
  const auto c = make<float, 2>(square, integer), before = make<float, 2>(square, integer);
  const auto product = reference_of(exact(a), exact(b));
  on_every_device([&](auto where) {
    SCOPED_TRACE("of " + std::to_string(size) + " from " + std::to_string(start));
    auto o = before.to(where), p = before.to(where);
    entry(a.to(where), b.to(where), c.to(where), o, p, start, {});
    expect_same("o", o, [&](auto i) { return of_o(product.values, c, before, i[0], i[1]); });
    expect_same("p", p, [&](auto i) { return of_p(product.values, c, before, i[0], i[1]); });
  });
}

const auto is_product = [](auto &ab, auto &, auto &, auto i, auto j) { return ab(i, j); };
const auto is_before = [](auto &, auto &, auto &before, auto i, auto j) { return static_cast<double>(before(i, j)); };

} // namespace

// The rows behind the window are the next program's.
TEST(Products, StoredToAWindowOfABlock) {
  for (const std::int64_t start : {0, 24, 64, 128})
    check_after(
        product_in_window, 136, start,
        [&](auto &ab, auto &, auto &before, auto i, auto j) {
          return i % 128 >= start ? ab(i, j) : static_cast<double>(before(i, j));
        },
        is_before);
}

TEST(Products, StoredBesideOthers) {
  for (const std::int64_t size : {128, 136}) {
    check_after(product_read_back, size, 0, is_product,
                [](auto &ab, auto &, auto &, auto i, auto j) { return 2 * ab(i, j); });
    check_after(
        product_with_what_was_there, size + 128, 0,
        [](auto &ab, auto &, auto &before, auto i, auto j) { return ab(i, j) + static_cast<double>(before(i, j)); },
        [](auto &ab, auto &, auto &before, auto i, auto j) { return ab(i, j) * static_cast<double>(before(i, j)); });
    for (const std::int64_t more : {0, 1})
      check_after(
          product_in_branch, size, more,
          [&](auto &ab, auto &, auto &, auto i, auto j) { return ab(i, j) + static_cast<double>(more); }, is_before);
    check_after(
        product_stored_twice, size, 0,
        [](auto &ab, auto &, auto &, auto i, auto j) { return ab(i, j) > 3 ? 2 * ab(i, j) : ab(i, j); }, is_before);
    check_after(product_beside, size, 0, is_product,
                [](auto &, auto &c, auto &, auto i, auto j) { return 2 * static_cast<double>(c(i, j)); });
  }
}

TEST(Products, AndTransposedTiles) {
  for (const std::int64_t size : {64, 136}) {
    check_after(product_transposed, size, 0, is_before,
                [](auto &ab, auto &, auto &, auto i, auto j) { return ab(j, i); });
    check_after(
        product_with_transposed, size, 0,
        [](auto &ab, auto &c, auto &, auto i, auto j) { return ab(i, j) + static_cast<double>(c(j, i)); }, is_before);
  }
}

TEST(Products, AndSumsOfRows) {
  const auto check = [](after_entry entry, std::int64_t size) {
    check_after(
        entry, size, 0,
        [size](auto &ab, auto &c, auto &, auto i, auto j) {
          double sum = 0;
          for (auto k = j / 128 * 128; k < std::min(size, (j / 128 + 1) * 128); ++k)
            sum += static_cast<double>(c(i, k));
          return ab(i, j) - sum;
        },
        is_before);
  };
  check(product_less_sums, 136);
  check(product_less_sums_192, 136);
  check(product_less_sums_192, 448);
}
