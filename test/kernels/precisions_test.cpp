// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "precisions.h"

#include "matrices.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;

namespace {

const std::vector<Sizes> sizes = {{1, 8, 16},     {7, 16, 64}, {63, 72, 48}, {128, 256, 128}, {129, 264, 144},
                                  {65, 129, 127}, {3, 5, 0},   {0, 16, 16},  {200, 136, 1000}};

/// An element of a product, and a term more: sums of 3 K products round as any of these do, and of each product `loss`
/// of its size is left out.
Near<float> near(const MatrixProduct &of, const tegula::shape<2> &i, double loss, double more = 0) {
  // Tensor cores keep two bits less of a sum than float does.
  const double rounding = gamma(3.0 * static_cast<double>(of.depth) + 2, 4 * unit_roundoff<float>());
  return {of.values(i[0], i[1]) + more, (loss + rounding) * (of.magnitudes(i[0], i[1]) + std::fabs(more))};
}

/// What is cut off of two factors, and the product of their rests (language/matrices.h).
constexpr double lossOfTf32 = 3.0 / (1 << 20), lossOfBf16 = 3.0 / (1 << 16);

/// The first entry takes b as K x N, the second one as N x K, with a bias.
template <class Whole, class Steps> void check(double loss, Whole whole, Steps steps) {
  for (const auto &[m, n, k] : sizes) {
    SCOPED_TRACE(describe(m, n, k));
    const auto a = random<float, 2>({m, k}), b = random<float, 2>({k, n});
    const auto bias = random<float, 1>({n});
    const auto rows = transposed(b);
    const auto reference = reference_of(exact(a), exact(b));
    on_every_device([&](auto where) {
      expect_agrees("whole", whole(a.to(where), b.to(where), {}), [&](auto i) { return near(reference, i, loss); });
      expect_agrees("by steps", steps(a.to(where), rows.to(where), bias.to(where), {}),
                    [&](auto i) { return near(reference, i, loss, bias(i[1])); });
    });
  }
}

} // namespace

TEST(Precisions, Tf32ThreeTimes) { check(lossOfTf32, whole_tf32x3, steps_tf32x3); }

TEST(Precisions, Bf16ThreeTimes) { check(lossOfBf16, whole_bf16x3, steps_bf16x3); }

// Of the factors alone, bf16 would lose 2^-8 of each product and tf32 2^-10.
TEST(Precisions, KeepWhatOneProductLoses) {
  const std::int64_t k = 64;
  const auto a = make<float, 2>({128, k}, [](std::int64_t) { return 1 + 0x1p-11F; });
  const auto b = make<float, 2>({k, 256}, [](std::int64_t) { return 1.0F; });
  on_every_device([&](auto where) {
    for (const auto &o : {whole_tf32x3(a.to(where), b.to(where)), whole_bf16x3(a.to(where), b.to(where))})
      expect_same("product", o, [&](auto) { return k * (1 + 0x1p-11F); });
  });
}

TEST(Precisions, AsTf32) {
  const auto x = random<float, 1>({1000});
  on_every_device([&](auto where) {
    expect_same("tf32", read_as_tf32(x.to(where)), [&](auto i) {
      int exponent = 0;
      const float fraction = std::frexp(x(i[0]), &exponent);
      return std::ldexp(std::trunc(std::ldexp(fraction, 11)), exponent - 11);
    });
  });
}

TEST(Precisions, SumOfProducts) {
  for (const auto &[m, n, k] : sizes) {
    SCOPED_TRACE(describe(m, n, k));
    // Small and whole: sums are exact.
    const auto small = [](std::int64_t rows, std::int64_t columns) {
      return make<bf16, 2>({rows, columns}, [](std::int64_t) {
        return static_cast<bf16>(static_cast<float>(random_value<std::int8_t>() % 8));
      });
    };
    const auto a = small(m, k), b = small(k, n), c = small(m, k), d = small(k, n);
    on_every_device([&, k = k](auto where) {
      expect_same("a b + c d", sum_of_products(a.to(where), b.to(where), c.to(where), d.to(where)), [&](auto i) {
        float sum = 0;
        for (std::int64_t l = 0; l < k; ++l)
          sum += static_cast<float>(a(i[0], l)) * static_cast<float>(b(l, i[1])) +
                 static_cast<float>(c(i[0], l)) * static_cast<float>(d(l, i[1]));
        return sum;
      });
    });
  }
}
