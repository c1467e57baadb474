// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_specs.h"

#include "hopper.h"

using namespace tegula::test;
using tegula::buffer;
using tegula::f16;

namespace {

/// Small integers, whose sums are exact.
template <class T, int Rank> buffer<T, Rank> integers(const tegula::shape<Rank> &dims) {
  return make<T>(dims, [](std::int64_t) { return static_cast<T>(static_cast<float>(generator()() % 17) - 8); });
}

std::int64_t up(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }

} // namespace

TEST(HopperSpecs, Buffers) {
  for (const std::int64_t rows : {0, 3, 8, 24, 77}) {
    const auto x = integers<float, 2>({rows, 32}), y = integers<float, 2>({rows, 32});
    everywhere([&](auto where) {
      for (const auto entry : {buffers_1_1_1, buffers_4_1_3, buffers_2_5_1}) {
        auto o = poisoned<float, 2>({rows, 32}, where);
        entry(x.to(where), y.to(where), o, {});
        expect_same("x - y i", o, [&](auto i) { return x(i[0], i[1]) - y(i[0], i[1]) * static_cast<float>(i[0] / 8); });
      }
    });
  }
}

TEST(HopperSpecs, DelaysOfAWarpSpecialisedPipeline) {
  for (const std::int64_t k : {0, 8, 64, 200}) {
    const auto a = integers<f16, 2>({128, k}), b = integers<f16, 2>({k, 64});
    const std::int64_t steps = (k + 31) / 32;
    const auto z = integers<float, 2>({steps, 4});
    double sum = 0;
    for (std::int64_t i = 0; i < steps; ++i)
      sum += z(i, 0) + static_cast<double>(i);
    everywhere([&](auto where) {
      for (const auto entry : {product_2_2_1, product_4_3_2, product_2_4_5}) {
        auto o = poisoned<float, 2>({128, 64}, where);
        entry(a.to(where), b.to(where), z.to(where), o, {});
        expect_same("a b + sums", o, [&](auto i) {
          double result = sum;
          for (std::int64_t j = 0; j < k; ++j)
            result += wide(a(i[0], j)) * wide(b(j, i[1]));
          return result;
        });
      }
    });
  }
}

TEST(HopperSpecs, Edges) {
  for (const std::int64_t steps : {1, 2, 5}) {
    const auto x = random<float, 2>({steps * 8 - 3, 20});
    const auto y = random<std::int32_t, 1>({steps * 64});
    everywhere([&](auto where) {
      auto o = poisoned<float, 2>({steps * 8, 32}, where);
      auto p = poisoned<std::int32_t, 1>({steps * 64}, where);
      edges(x.to(where), y.to(where), o, p);
      expect_same("x, NaN outside", o, [&](auto i) {
        return i[0] < x.dim(0) && i[1] < 20 ? x(i[0], i[1]) : std::numeric_limits<float>::quiet_NaN();
      });
      expect_same("y + 1", p,
                  [&](auto i) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(y(i[0])) + 1); });
    });
  }
}

TEST(HopperSpecs, WhatIsNotInsideIsFoundOnTheCpu) {
  const auto x = random<float, 2>({16, 32});
  const auto y = random<std::int32_t, 1>({100});
  auto o = poisoned<float, 2>({16, 32}, tegula::device::cpu());
  auto p = poisoned<std::int32_t, 1>({128}, tegula::device::cpu());
  const std::string message = message_of([&] { edges(x, y, o, p); });
  EXPECT_NE(message.find(".oob_mode promises that none is out of bounds"), std::string::npos) << message;
}

TEST(HopperSpecs, BlocksOfAllSteps) {
  for (const std::int64_t rows : {0, 1, 8, 41})
    for (const std::int64_t runs : {1, 4}) {
      const auto x = integers<float, 2>({rows, 32}), factors = integers<float, 2>({runs, 32});
      everywhere([&](auto where) {
        auto o = poisoned<float, 3>({runs, rows, 32}, where);
        once(x.to(where), factors.to(where), o);
        expect_same("x row", o, [&](auto i) { return x(i[1], i[2]) * factors(i[0], i[2]); });
      });
    }
}

TEST(HopperSpecs, SeveralThreadsStoreABlock) {
  for (const std::int64_t rows : {0, 1, 16, 75})
    for (const std::int64_t runs : {1, 5}) {
      const auto x = integers<float, 2>({rows, 32}), factors = integers<float, 2>({runs, 32});
      everywhere([&](auto where) {
        for (const auto entry : {together_1, together_2, together_3})
          for (const std::int64_t programs : {1, 2}) {
            auto o = poisoned<float, 3>({runs, rows, 32}, where);
            entry(x.to(where), factors.to(where), o, programs, {});
            expect_same("x row", o, [&](auto i) { return x(i[1], i[2]) * factors(i[0], i[2]); });
          }
      });
    }
}

TEST(HopperSpecs, SumsOfSeveralSteps) {
  for (const auto &dims : {tegula::shape<2>(8, 32), tegula::shape<2>(29, 100), tegula::shape<2>(70, 32)}) {
    const auto x = integers<float, 2>(dims);
    const auto sum = [&](std::int64_t row, std::int64_t column) {
      float result = 0;
      for (std::int64_t j = column; j < dims[1] && row < dims[0]; j += 32)
        result += x(row, j);
      return result;
    };
    const std::int64_t blocks = up(dims[0], 8) / 8;
    everywhere([&](auto where) {
      for (const auto entry : {sums_1, sums_2, sums_4}) {
        auto o = poisoned<float, 2>({dims[0], 32}, where);
        auto p = poisoned<float, 2>({up(blocks, 3) / 3 * 8, 32}, where);
        entry(x.to(where), o, p, {});
        expect_same("sums along rows", o, [&](auto i) { return sum(i[0], i[1]); });
        expect_same("sums of three blocks", p, [&](auto i) {
          const std::int64_t first = i[0] / 8 * 24 + i[0] % 8;
          return sum(first, i[1]) + sum(first + 8, i[1]) + sum(first + 16, i[1]);
        });
      }
      for (const auto entry : {sums_together_1, sums_together_2, sums_together_2_2}) {
        auto o = poisoned<float, 2>({dims[0], 32}, where);
        entry(x.to(where), o, {});
        expect_same("sums along rows", o, [&](auto i) { return sum(i[0], i[1]); });
      }
    });
  }
}

TEST(HopperSpecs, ManualBarriers) {
  for (const std::int64_t rows : {0, 5, 16, 100}) {
    const auto x = integers<float, 2>({rows, 32}), y = integers<float, 2>({rows, 32});
    everywhere([&](auto where) {
      for (const auto entry : {manual_both, manual_ready, manual_consumed}) {
        auto o = poisoned<float, 2>({16, 32}, where);
        entry(x.to(where), y.to(where), o, {});
        expect_agrees("halved sums", o, [&](auto i) {
          double sum = 0, all = 0;
          for (std::int64_t row = i[0]; row < up(rows, 16); row += 16) {
            const double product = row < rows ? wide(x(row, i[1])) * wide(y(row, i[1])) : 0;
            sum = sum * 0.5 + product;
            all += std::abs(product);
          }
          return Near<float>{sum, gamma(16, unit_roundoff<float>()) * all};
        });
      }
    });
  }
}
