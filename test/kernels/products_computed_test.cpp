// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "products_computed.h"

#include "matrices.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

/// Around the sizes of tiles and steps. TMA takes rows of a multiple of 16 bytes, and nothing empty: the others are
/// multiplied without it.
const std::vector<Sizes> sizes = {{1, 8, 16},     {7, 16, 64},    {63, 72, 48}, {128, 256, 128}, {129, 264, 144},
                                  {65, 129, 127}, {200, 136, 80}, {3, 5, 0},    {0, 16, 16},     {1000, 64, 64}};

/// On every device and for all sizes; `run` says with which left factor the product is to agree.
template <class T, class Run> void check(Run run) {
  for (const auto &[m, n, k] : sizes) {
    SCOPED_TRACE(describe(m, n, k));
    const auto b = matrix<T>(k, n);
    run(m, k, b, [&](const buffer<double, 2> &left, auto call) {
      const auto reference = reference_of(left, exact(b));
      on_every_device([&](auto where) { expect_product<T>(call(where), reference); });
    });
  }
}

} // namespace

TEST(ProductsComputed, Converted) {
  check<bf16>([](auto m, auto k, const auto &b, auto agrees) {
    const auto a = matrix<float>(m, k);
    agrees(computed<bf16>(m, k, [&](auto i, auto j) { return a(i, j); }),
           [&](auto where) { return converted_f32_bf16(a.to(where), b.to(where)); });
  });
  check<f16>([](auto m, auto k, const auto &b, auto agrees) {
    const auto a = random<std::int8_t, 2>({m, k});
    agrees(computed<f16>(m, k, [&](auto i, auto j) { return static_cast<float>(a(i, j)); }),
           [&](auto where) { return converted_s8_f16(a.to(where), b.to(where)); });
  });
  check<f16>([](auto m, auto k, const auto &b, auto agrees) {
    const auto a = matrix<float>(k, m);
    agrees(computed<f16>(m, k, [&](auto i, auto j) { return a(j, i); }),
           [&](auto where) { return converted_and_turned(a.to(where), b.to(where)); });
  });
}

TEST(ProductsComputed, Scaled) {
  check<bf16>([](auto m, auto k, const auto &b, auto agrees) {
    const auto a = matrix<bf16>(m, k);
    const auto s = random<float, 1>({m});
    agrees(computed<bf16>(m, k, [&](auto i, auto j) { return static_cast<float>(a(i, j)) * s(i); }),
           [&](auto where) { return scaled_rows(a.to(where), s.to(where), b.to(where)); });
  });
}

// Neither is 0, nor what is made of the zeros behind a row.
TEST(ProductsComputed, OfInverses) {
  check<bf16>([](auto m, auto k, const auto &b, auto agrees) {
    const auto a =
        make<bf16, 2>({m, k}, [](std::int64_t place) { return static_cast<bf16>(place % 5 == 0 ? 2.0F : -4.0F); });
    const auto g = random<float, 1>({k});
    agrees(computed<bf16>(m, k, [&](auto i, auto j) { return 1 / static_cast<float>(a(i, j)) + g(j); }),
           [&](auto where) { return inverse_product(a.to(where), g.to(where), b.to(where)); });
  });
}

TEST(ProductsComputed, OfTwoArrays) {
  check<f16>([](auto m, auto k, const auto &b, auto agrees) {
    const auto a = matrix<f16>(m, k), c = matrix<f16>(m, k);
    agrees(
        computed<f16>(m, k, [&](auto i, auto j) { return static_cast<float>(a(i, j)) + static_cast<float>(c(i, j)); }),
        [&](auto where) { return sum_times(a.to(where), c.to(where), b.to(where)); });
  });
}

namespace {

/// The same of right factors: `run` says with which one the product is to agree.
template <class T, class Run> void checkRight(Run run) {
  for (const auto &[m, n, k] : sizes) {
    SCOPED_TRACE(describe(m, n, k));
    const auto a = matrix<T>(m, k);
    run(n, k, a, [&](const buffer<double, 2> &right, auto call) {
      const auto reference = reference_of(exact(a), right);
      on_every_device([&](auto where) { expect_product<T>(call(where), reference); });
    });
  }
}

} // namespace

TEST(ProductsComputed, ConvertedWeights) {
  checkRight<bf16>([](auto n, auto k, const auto &a, auto agrees) {
    const auto b = matrix<float>(k, n);
    agrees(computed<bf16>(k, n, [&](auto i, auto j) { return b(i, j); }),
           [&](auto where) { return converted_weights_f32(a.to(where), b.to(where)); });
  });
  checkRight<f16>([](auto n, auto k, const auto &a, auto agrees) {
    const auto b = random<std::int8_t, 2>({k, n});
    agrees(computed<f16>(k, n, [&](auto i, auto j) { return static_cast<float>(b(i, j)); }),
           [&](auto where) { return converted_weights_s8(a.to(where), b.to(where)); });
  });
}

TEST(ProductsComputed, QuantizedWeights) {
  checkRight<bf16>([](auto n, auto k, const auto &a, auto agrees) {
    const auto b = random<std::int8_t, 2>({n, k});
    const auto s = random<float, 2>({(k + 63) / 64, n});
    agrees(computed<bf16>(k, n, [&](auto i, auto j) { return static_cast<float>(b(j, i)) * s(i / 64, j); }),
           [&](auto where) { return quantized_weights(a.to(where), b.to(where), s.to(where)); });
  });
}

TEST(ProductsComputed, OfInverseWeights) {
  checkRight<bf16>([](auto n, auto k, const auto &a, auto agrees) {
    const auto b =
        make<bf16, 2>({k, n}, [](std::int64_t place) { return static_cast<bf16>(place % 5 == 0 ? 2.0F : -4.0F); });
    const auto g = random<float, 1>({k}), h = random<float, 1>({n});
    agrees(computed<bf16>(k, n, [&](auto i, auto j) { return (1 / static_cast<float>(b(i, j)) + g(i)) * h(j); }),
           [&](auto where) { return inverse_weights(a.to(where), b.to(where), g.to(where), h.to(where)); });
  });
}

TEST(ProductsComputed, BothFactors) {
  for (const auto &[m, n, k] : sizes) {
    SCOPED_TRACE(describe(m, n, k));
    const auto a = matrix<float>(m, k), b = matrix<float>(k, n);
    const auto reference = reference_of(computed<f16>(m, k, [&](auto i, auto j) { return a(i, j); }),
                                        computed<f16>(k, n, [&](auto i, auto j) { return b(i, j); }));
    on_every_device([&](auto where) {
      expect_agrees("product", rounded_product(a.to(where), b.to(where)),
                    [&](auto i) { return reference.template at<f16>(i[0], i[1]); });
    });
  }
}

TEST(ProductsComputed, OfIntegers) {
  for (const auto &[m, n, k] : sizes) {
    SCOPED_TRACE(describe(m, n, k));
    const auto a = random<std::int8_t, 2>({m, k}), b = random<std::int8_t, 2>({k, n});
    on_every_device([&](auto where) {
      const auto product = integers_computed(a.to(where), b.to(where)).to(tegula::device::cpu());
      for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
          std::int32_t sum = 0;
          for (std::int64_t l = 0; l < a.dim(1); ++l)
            sum += static_cast<std::int8_t>(a(i, l) + a(i, l)) * static_cast<std::int8_t>(-b(l, j));
          ASSERT_EQ(product(i, j), sum) << i << ", " << j;
        }
    });
  }
}
