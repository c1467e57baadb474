// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "from_cuda.h"

#include "references.h"

using namespace tegula::test;

TEST(FromCuda, Add) { check_sum_of_two(add); }
TEST(FromCuda, Differences) { check_differences(differences); }
TEST(FromCuda, SumsOfRows) { check_sums_of_rows("sums", sums_of_rows); }
TEST(FromCuda, Softmax) { check_softmax<float>(softmax, matrices); }
TEST(FromCuda, Matmul) {
  check_product(matmul, {{1, 1, 1}, {130, 264, 72}, {7, 129, 127}, {256, 512, 128}, {9, 16, 8208}});
}
TEST(FromCuda, Embed) { check_gather(embed); }
TEST(FromCuda, Histogram) { check_histogram(histogram); }

TEST(FromCuda, Dropout) {
  constexpr std::uint64_t seed = 0x123456789abcdef;
  check_dropout([](const auto &x, float keep) { return dropout(x, keep, seed); },
                [](std::int64_t i) { return first_of_philox(seed, i); });
}

TEST(FromCuda, AmpereMatmul) {
  check_product(ampere_matmul, {{128, 128, 8}, {256, 128, 72}, {128, 384, 640}});
  const auto a = random<tegula::f16>(tegula::shape<2>{100, 64}), b = random<tegula::f16>(tegula::shape<2>{64, 128});
  EXPECT_NE(message_of([&] { return ampere_matmul(a, b); }).find("128 x 128"), std::string::npos);
}

TEST(FromCuda, SumsOfColumns) {
  for (const auto &dims : std::vector<tegula::shape<2>>{{1, 64}, {7, 128}, {256, 64}, {257, 192}, {1030, 64}}) {
    const auto x = random<float>(dims);
    on_every_device([&](auto where) {
      expect_agrees("sums", sums_of_columns(x.to(where)), [&](auto i) {
        return inner_product<float>(dims[0], [&](auto j) { return x(j, i[1]); }, [](auto) { return 1.0F; });
      });
    });
  }
}

TEST(FromCuda, Xor3) {
  for (const std::int64_t n : lengths) {
    const auto a = random<std::uint32_t>(tegula::shape<1>{n}), b = random<std::uint32_t>(tegula::shape<1>{n});
    const auto c = random<std::uint32_t>(tegula::shape<1>{n});
    on_every_device([&](auto where) {
      expect_same("a ^ b ^ c", xor3(a.to(where), b.to(where), c.to(where)),
                  [&](auto i) { return a(i[0]) ^ b(i[0]) ^ c(i[0]); });
    });
  }
}
