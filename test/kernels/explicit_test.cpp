// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explicit.h"

#include "hopper.h"
#include "matrices.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

TEST(Explicit, CopiesReachOverEdges) {
  for (const auto &dims : {tegula::shape<2>(32, 64), tegula::shape<2>(1, 4), tegula::shape<2>(70, 132)}) {
    const auto x = random<float>(dims);
    everywhere([&](auto where) {
      const auto o = doubled(x.to(where));
      ASSERT_EQ(o.dims(), dims);
      expect_same("2 x", o, [&](auto i) { return 2 * x(i[0], i[1]); });
    });
  }
}

TEST(Explicit, ProductByAPipeline) {
  for (const auto &dims : {tegula::shape<3>(64, 64, 64), tegula::shape<3>(8, 136, 8), tegula::shape<3>(130, 72, 520)}) {
    const auto a = random<bf16>(tegula::shape<2>(dims[0], dims[2])),
               b = random<bf16>(tegula::shape<2>(dims[2], dims[1]));
    const auto reference = reference_of(exact(a), exact(b));
    everywhere([&](auto where) { expect_product<bf16>(product(a.to(where), b.to(where)), reference); });
  }
}

TEST(Explicit, ProductByClustersThatStay) {
  for (const auto &dims :
       {tegula::shape<3>(256, 128, 64), tegula::shape<3>(8, 8, 8), tegula::shape<3>(520, 264, 200)}) {
    const auto a = random<f16>(tegula::shape<2>(dims[0], dims[2])), b = random<f16>(tegula::shape<2>(dims[1], dims[2]));
    const auto reference = reference_of(exact(a), exact(b, /*transposes=*/true));
    everywhere([&](auto where) {
      for (const std::int64_t clusters : {1, 2, 7}) {
        auto o = poisoned<f16, 2>({dims[0], dims[1]}, where);
        shared_product(a.to(where), b.to(where), o, clusters);
        expect_product<f16>(o, reference);
      }
    });
  }
}

TEST(Explicit, AccumulatorsAreValues) {
  const auto a = random<bf16>(tegula::shape<2>(64, 64)), b = random<bf16>(tegula::shape<2>(64, 64));
  const auto reference = reference_of(exact(a), exact(b));
  for (const float first : {-3.0F, 3.0F})
    everywhere([&](auto where) {
      auto start = random<float>(tegula::shape<3>(5, 64, 64));
      start(0, 0, 0) = first;
      auto o = start.to(where);
      several_products(a.to(where), b.to(where), o);
      expect_agrees("sums", o, [&](auto index) {
        if (index[0] == 4 && index[2] < 32)
          return Near<float>{wide(start(4, index[1], index[2])), 0};
        const double initial = wide(start(0, index[1], index[2])), ab = reference.values(index[1], index[2]);
        const double once = initial + ab, twice = once + ab;
        const double values[] = {initial, once, twice, once, (first > 0 ? 2 * twice : twice) + ab};
        // Of up to three products and what was there before. Doubling is exact, and doubles errors.
        const double largest = 2 * (std::abs(initial) + 3 * reference.largest(index[1], index[2]));
        return Near<float>{values[index[0]], tensor_core_error<bf16, float>(3 * 64 + 1, largest)};
      });
    });
}

TEST(Explicit, BlocksOfAClusterMeet) {
  everywhere([](auto where) {
    const auto o = meeting(3, where);
    expect_same("the other thread's number", o, [](auto i) { return (1 - i[1]) * 10 + i[0] + 2; });
  });
}

TEST(Explicit, AMaskLeavesOutWhatIsOutside) {
  const auto x = random<float>(tegula::shape<2>(100, 29));
  everywhere([&](auto where) {
    auto o = x.to(where);
    masked_ends(o, 7, 99);
    expect_same("the numbers", o,
                [&](auto i) { return i[0] >= 7 && i[0] < 99 ? static_cast<float>(i[0] * 100 + i[1]) : x(i[0], i[1]); });
  });
  auto o = x.to(tegula::device::cpu());
  const std::string message = message_of([&] { masked_ends(o, 0, 101); });
  EXPECT_NE(message.find("elements 100 to 100 of dimension 0 are accessed, which has 100"), std::string::npos)
      << message;
}

TEST(Explicit, AThreadsOwnAccessesAreInside) {
  auto o = random<float>(tegula::shape<1>(191));
  const std::string message = message_of([&] { beyond(o); });
  EXPECT_NE(message.find("beyond: "), std::string::npos) << message;
  EXPECT_NE(message.find("explicit.cpp:99:"), std::string::npos) << message;
  EXPECT_NE(message.find("elements 64 to 191 of dimension 0 are accessed, which has 191"), std::string::npos)
      << message;
}

TEST(Explicit, ADeadlockIsAnError) {
  auto o = random<float>(tegula::shape<1>(1));
  const std::string message = message_of([&] { forever(o); });
  EXPECT_NE(message.find("explicit.cpp:106:"), std::string::npos) << message;
  EXPECT_NE(message.find("deadlock in cluster 0: warpgroups wait, and nothing in flight can end a wait:\n"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find(": warpgroup 1 waits for phase 0 of barrier 'never', which lacks 1 of 1 arrivals"),
            std::string::npos)
      << message;
}
