// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "from_triton.h"

#include "references.h"

using namespace tegula::test;

TEST(FromTriton, Add) { check_sum_of_two(add); }
TEST(FromTriton, Differences) { check_differences(differences); }
TEST(FromTriton, Softmax) { check_softmax<float>(softmax, matrices); }
TEST(FromTriton, Matmul) {
  check_product(matmul_128x256, {{1, 1, 1}, {130, 264, 72}, {256, 512, 128}, {9, 16, 8208}});
  check_product(matmul_64x64, {{7, 129, 127}, {128, 64, 64}, {65, 72, 200}});
}
TEST(FromTriton, Embed) { check_gather(embed); }
TEST(FromTriton, Histogram) { check_histogram(histogram); }

TEST(FromTriton, Peaks) {
  for (const auto &dims : matrices) {
    const auto x = make<float, 2>(dims, [](std::int64_t) { return std::round(random_value<float>()); }); // with equals
    on_every_device([&](auto where) {
      const auto result = peaks(x.to(where), {});
      const auto place_of = [&](std::int64_t row) {
        std::int64_t place = 0;
        for (std::int64_t j = 1; j < dims[1]; ++j)
          if (std::abs(x(row, j)) > std::abs(x(row, place)))
            place = j;
        return place;
      };
      expect_same("place", result.place, [&](auto i) { return place_of(i[0]); });
      expect_same("value", result.value, [&](auto i) { return std::abs(x(i[0], place_of(i[0]))); });
    });
  }
}

TEST(FromTriton, MeansOfColumns) {
  for (const auto &dims : std::vector<tegula::shape<2>>{{1, 1}, {7, 129}, {1030, 3}, {5000, 40}}) {
    const auto x = random<float>(dims);
    on_every_device([&](auto where) {
      expect_agrees("means", means_of_columns(x.to(where), {}), [&](auto i) {
        const auto rows = static_cast<double>(dims[0]);
        const auto sum = inner_product<float>(dims[0], [&](auto j) { return x(j, i[0]); }, [](auto) { return 1.0F; });
        return Near<float>{sum.value / rows, sum.error / rows};
      });
    });
  }
}

TEST(FromTriton, Dropout) {
  constexpr std::uint64_t seed = 0x123456789abcdef;
  check_dropout([](const auto &x, float keep) { return dropout(x, keep, seed); },
                [](std::int64_t i) { return first_of_philox(seed, i); });
}

TEST(FromTriton, PowersOfTwo) {
  for (const std::int64_t n : lengths) {
    const auto x = random<float>(tegula::shape<1>{n});
    on_every_device([&](auto where) {
      expect_near(
          "2^x", powers_of_two(x.to(where), {}), [&](auto i) { return std::exp2(static_cast<double>(x(i[0]))); }, 16);
    });
  }
}
