// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "products_combined.h"

#include "matrices.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

const std::vector<Sizes> sizes = {{1, 8, 16},      {7, 16, 64},   {63, 72, 48}, {128, 128, 128},
                                  {129, 264, 208}, {65, 129, 67}, {3, 5, 0},    {200, 136, 136}};

/// A sum, and the sum of the magnitudes of all that was added or multiplied on the way.
struct Sum {
  double value = 0, largest = 0;
  void add(double term) { value += term, largest += std::abs(term); }
};

template <class T, class Entry> void check_groups(Entry entry) {
  for (const Sizes &size : sizes) {
    SCOPED_TRACE(describe(size));
    const auto [m, n, k] = size;
    const std::int64_t groups = (k + 63) / 64;
    const auto x = matrix<T>(m, k, 4), w = matrix<T>(n, k, 4);
    const auto of_x = matrix<float>(m, groups, 4), of_w = matrix<float>(n, groups, 4);
    on_every_device([&](auto where) {
      expect_agrees("groups", entry(x.to(where), w.to(where), of_x.to(where), of_w.to(where), {}), [&](auto i) {
        Sum sum;
        for (std::int64_t l = 0; l < k; ++l)
          sum.add(static_cast<double>(wide(x(i[0], l))) * wide(w(i[1], l)) * of_x(i[0], l / 64) * of_w(i[1], l / 64));
        return Near<float>{sum.value, tensor_core_error<T, float>(k + 3 * groups, sum.largest)};
      });
    });
  }
}

/// `terms` makes the exact value of an element of the result of c(i, j) and a(i, l) b(l, j).
template <class Entry, class Terms> void check_combined(Entry entry, Terms terms) {
  for (const Sizes &size : sizes) {
    SCOPED_TRACE(describe(size));
    const auto [m, n, k] = size;
    const auto a = matrix<bf16>(m, k, 4), b = matrix<bf16>(k, n, 4);
    const auto c = matrix<float>(m, n, 4);
    const auto d = make<float, 1>({(k + 63) / 64}, [](std::int64_t) { return random_value<float>(); });
    on_every_device([&](auto where) {
      expect_agrees("combined", entry(a.to(where), b.to(where), c.to(where), d.to(where), {}), [&](auto i) {
        Sum sum;
        sum.add(c(i[0], i[1]));
        for (std::int64_t l = 0; l < k; ++l)
          terms(sum, wide(a(i[0], l)), wide(b(l, i[1])), l % 64 == 0 ? d(l / 64) : 1.0F);
        return Near<float>{sum.value, tensor_core_error<bf16, float>(2 * k + 8, sum.largest)};
      });
    });
  }
}

} // namespace

TEST(ProductsCombined, OfGroupsWithScales) {
  check_groups<tegula::e4m3>(groups_e4m3);
  check_groups<std::int8_t>(groups_s8);
  check_groups<f16>(groups_f16);
}

TEST(ProductsCombined, Subtracted) {
  check_combined(subtracted, [](Sum &sum, double a, double b, double) { sum.add(-a * b); });
}

TEST(ProductsCombined, Decayed) {
  check_combined(decayed, [](Sum &sum, double a, double b, double d) {
    sum.value *= d;
    sum.largest *= std::max(1.0, std::abs(d));
    sum.add(a * b);
  });
}

TEST(ProductsCombined, OfBothSigns) {
  check_combined(both_signs, [](Sum &sum, double a, double b, double) {
    sum.add(a * b);
    sum.add(-std::abs(a) * b);
  });
}
