// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explicit.h"

#include "support.h"

#include <tegula/cpu/explicit.h>

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

/// The devices that have the explicit level: the CPU under several seeds, and a GPU of sm_90.
template <class Body> void everywhere(Body body) {
  on_every_device([&](auto where) {
    const std::uint64_t seeds = where.is_cpu() ? 5 : 1;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      tegula::cpu::set_seed(seed);
      body(where);
    }
    tegula::cpu::set_seed(0);
  });
}

/// a @ b in double; with `b_is_transposed`, a @ b^T.
template <class T>
buffer<double, 2> reference_of(const buffer<T, 2> &a, const buffer<T, 2> &b, bool b_is_transposed = false) {
  const tegula::shape<2> dims(a.dim(0), b.dim(b_is_transposed ? 0 : 1));
  auto result = buffer<double, 2>::empty(dims);
  for (std::int64_t i = 0; i < dims[0]; ++i)
    for (std::int64_t j = 0; j < dims[1]; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < a.dim(1); ++k)
        sum += wide(a(i, k)) * wide(b_is_transposed ? b(j, k) : b(k, j));
      result(i, j) = sum;
    }
  return result;
}

/// Every element of a product over `depth`, summed in float and rounded to the result's type.
template <class Result>
void expect_product(const buffer<Result, 2> &o, const buffer<double, 2> &reference, std::int64_t depth) {
  const double step = std::is_same_v<Result, f16> ? 0x1p-11 : 0x1p-24;
  ASSERT_EQ(o.dims(), reference.dims());
  expect_all(
      "product", o, [&](auto index) { return reference(index[0], index[1]); },
      [&](Result is, double should_be) { // Terms are of size 16 about.
        return std::abs(wide(is) - should_be) <= 0x1p-20 * 16 * static_cast<double>(depth) + step * std::abs(should_be);
      });
}

template <class Call> std::string message_of(Call call) {
  try {
    call();
  } catch (const tegula::error &problem) {
    return problem.what();
  }
  return "no error";
}

} // namespace

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
    const auto reference = reference_of(a, b);
    everywhere([&](auto where) { expect_product(product(a.to(where), b.to(where)), reference, dims[2]); });
  }
}

TEST(Explicit, ProductByClustersThatStay) {
  for (const auto &dims :
       {tegula::shape<3>(256, 128, 64), tegula::shape<3>(8, 8, 8), tegula::shape<3>(520, 264, 200)}) {
    const auto a = random<f16>(tegula::shape<2>(dims[0], dims[2])), b = random<f16>(tegula::shape<2>(dims[1], dims[2]));
    const auto reference = reference_of(a, b, /*b_is_transposed=*/true);
    everywhere([&](auto where) {
      for (const std::int64_t clusters : {1, 2, 7}) {
        auto o = poisoned<f16, 2>({dims[0], dims[1]}, where);
        shared_product(a.to(where), b.to(where), o, clusters);
        expect_product(o, reference, dims[2]);
      }
    });
  }
}

TEST(Explicit, AccumulatorsAreValues) {
  const auto a = random<bf16>(tegula::shape<2>(64, 64)), b = random<bf16>(tegula::shape<2>(64, 64));
  const auto reference = reference_of(a, b);
  for (const float first : {-3.0F, 3.0F})
    everywhere([&](auto where) {
      auto start = random<float>(tegula::shape<3>(5, 64, 64));
      start(0, 0, 0) = first;
      auto o = start.to(where);
      several_products(a.to(where), b.to(where), o);
      expect_all(
          "sums", o,
          [&](auto index) -> double {
            const double initial = wide(start(0, index[1], index[2])), ab = reference(index[1], index[2]);
            const double once = initial + ab, twice = once + ab;
            const double values[] = {initial, once, twice, once, (first > 0 ? 2 * twice : twice) + ab};
            return index[0] == 4 && index[2] < 32 ? wide(start(4, index[1], index[2])) : values[index[0]];
          },
          [](float is, double should_be) { return std::abs(is - should_be) < 1e-2; });
    });
}

TEST(Explicit, BlocksOfAClusterMeet) {
  everywhere([](auto where) {
    const auto o = meeting(3, where);
    expect_same("the other thread's number", o, [](auto i) { return (1 - i[1]) * 10 + i[0] + 2; });
  });
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
  EXPECT_NE(message.find("deadlock in cluster 0: threads wait, and nothing is in flight that could end a wait:\n"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find(": thread 1 waits for phase 0 of barrier 'never', which lacks 1 of 1 arrivals"),
            std::string::npos)
      << message;
}
