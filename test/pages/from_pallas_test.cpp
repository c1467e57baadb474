// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "from_pallas.h"

#include "references.h"

using namespace tegula::test;

TEST(FromPallas, Add) { check_sum_of_two(add); }
TEST(FromPallas, Differences) { check_differences(differences); }
TEST(FromPallas, Softmax) { check_softmax<float>(softmax, matrices); }

TEST(FromPallas, SoftmaxOfBatch) {
  const auto x = random<float>(tegula::shape<3>{3, 7, 129});
  on_every_device([&](auto where) {
    const auto there = x.to(where);
    const auto o = softmax_of_batch(there, {}).to_host();
    for (std::int64_t b = 0; b < 3; ++b) {
      const auto slice = softmax(there.view().select(0, b), {}).to_host();
      for (std::int64_t i = 0; i < 7; ++i)
        for (std::int64_t j = 0; j < 129; ++j)
          ASSERT_NEAR(o(b, i, j), slice(i, j), 1e-6 * slice(i, j)) << b << ", " << i << ", " << j;
    }
  });
}

TEST(FromPallas, Matmul) { check_product(matmul, {{1, 1, 1}, {130, 264, 72}, {7, 129, 127}, {256, 512, 128}}); }
TEST(FromPallas, Embed) { check_gather(embed); }
TEST(FromPallas, Histogram) { check_histogram(histogram); }
TEST(FromPallas, SumsOfRows) { check_sums_of_rows("sums", sums_of_rows); }

TEST(FromPallas, Dropout) {
  constexpr std::uint64_t seed = 0x123456789abcdef;
  check_dropout([](const auto &x, float keep) { return dropout(x, keep, seed); },
                [](std::int64_t i) {
                  const auto words = threefry(static_cast<std::uint32_t>(i >> 32), static_cast<std::uint32_t>(i),
                                              static_cast<std::uint32_t>(seed >> 32), static_cast<std::uint32_t>(seed));
                  return words[0] ^ words[1];
                });
}

// TMA copies rows of multiples of 16 bytes.
TEST(FromPallas, Doubled) {
  for (const auto &dims : std::vector<tegula::shape<2>>{{1, 4}, {7, 132}, {64, 64}, {129, 1028}}) {
    const auto x = random<float>(dims);
    on_every_device(
        [&](auto where) { expect_same("2 x", doubled(x.to(where), {}), [&](auto i) { return 2 * x(i[0], i[1]); }); });
  }
  const auto odd = random<float>(tegula::shape<2>{3, 5});
  on_every_device([&](auto where) {
    const std::string message = message_of([&] { return doubled(odd.to(where), {}); });
    EXPECT_NE(message.find("not a multiple of 16"), std::string::npos) << message;
  });
}
TEST(FromPallas, HopperMatmul) { check_product(hopper_matmul, {{1, 8, 8}, {130, 264, 72}, {256, 128, 640}}); }
