// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explicit_mma.h"

#include "hopper.h"
#include "matrices.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::e4m3;
using tegula::f16;

namespace {

/// Behind the product there are the zeros that are copied from behind the arrays.
template <class T, class Result, class Entry> void check(Entry entry, bool turns) {
  for (const auto &[m, n, k] : {Sizes{128, 128, 128}, {1, 16, 16}, {130, 144, 80}, {64, 32, 0}}) {
    SCOPED_TRACE(describe(m, n, k));
    const auto a = small_integers<T>(m, k), b = turns ? small_integers<T>(n, k) : small_integers<T>(k, n);
    const auto reference = reference_of(exact(a), exact(b, turns));
    everywhere([&, m = m, n = n](auto where) {
      expect_same("a b", entry(a.to(where), b.to(where), {}),
                  [&](auto i) { return static_cast<Result>(i[0] < m && i[1] < n ? reference.values(i[0], i[1]) : 0); });
    });
  }
}

} // namespace

TEST(ExplicitMma, OfARing) {
  check<bf16, float>(bf16_128_128_32_3, false);
  check<f16, float>(f16_64_64_64_2_nt, true);
  check<float, float>(tf32_64_32_16_4, false);
  check<std::int8_t, std::int32_t>(s8_32_64_64_3_nt, true);
  check<e4m3, float>(e4m3_64_64_32_3, false);
  check<double, double>(f64_64_32_16_3, false);
}

TEST(ExplicitMma, OfComputedTiles) {
  const auto a = small_integers<float>(128, 64);
  const auto b = small_integers<bf16>(64, 64);
  const auto reference = reference_of(exact(a), exact(b, /*transposes=*/true));
  everywhere([&](auto where) {
    expect_same("2 a b", computed_product(a.to(where), b.to(where)),
                [&](auto i) { return static_cast<float>(2 * reference.values(i[0], i[1])); });
  });
}

TEST(ExplicitMma, OfArraysThatAreNotAligned) {
  const auto a = small_integers<bf16>(16, 20), b = small_integers<bf16>(20, 16);
  on_every_device([&](tegula::device where) {
    if (where.is_cpu())
      return;
    try {
      static_cast<void>(bf16_128_128_32_3(a.to(where), b.to(where), {}));
      FAIL() << "the rows of a are no multiples of 16 bytes";
    } catch (const tegula::error &e) {
      EXPECT_NE(std::string(e.what()).find("tg::cp_async copies units of 16 bytes: a or its rows do not begin"),
                std::string::npos)
          << e.what();
    }
  });
}
