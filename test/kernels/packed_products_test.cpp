// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "packed_products.h"

#include "support.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::device;
using tegula::e2m1;
using tegula::e4m3;
using tegula::e8m0;
using tegula::f16;
using tegula::s4;
using tegula::shape;
using tegula::u4;

namespace {

constexpr std::int64_t group = 64;

/// Rows, columns, and what is summed: whole blocks, parts of one, odd ones, sums that are cut in several.
struct sizes {
  std::int64_t m, n, k;
};
const std::vector<sizes> cases = {{64, 64, 64}, {1, 64, 128}, {65, 129, 127}, {7, 66, 1}, {70, 31, 300}, {5, 6, 8300}};

template <class T> buffer<T, 2> small_numbers(const shape<2> &dims) {
  return make<T, 2>(dims, [](std::int64_t) {
    if constexpr (std::is_same_v<T, bf16> || std::is_same_v<T, f16>)
      return static_cast<T>(std::normal_distribution<double>(0, 1)(generator()));
    else
      return random_value<T>();
  });
}

/// A weight times its scale, in the type that is multiplied.
template <class A, class W, class S> double factor(W weight, S scale) {
  return wide(A(wide(A(wide(weight))) * wide(A(wide(scale)))));
}

/// The exact sum, and how far tensor cores may be off.
template <class A, class Term> Near<float> sum_of(std::int64_t depth, Term term) {
  double sum = 0, size = 0;
  for (std::int64_t k = 0; k < depth; ++k) {
    const double each = term(k);
    sum += each;
    size += std::abs(each);
  }
  return {sum, tensor_core_error<A, float>(depth + 1, size)};
}

template <class A, class W, class S, class Entry> void check_rows(Entry entry) {
  for (const auto &[m, n, k] : cases) {
    const auto a = small_numbers<A>({m, k});
    const auto w = small_numbers<W>({n, k});
    const auto scales = small_numbers<S>({n, (k + group - 1) / group});
    on_every_device([&, m = m, n = n, k = k](device where) {
      auto o = poisoned<float, 2>({m, n}, where);
      entry(a.to(where), w.to(where), scales.to(where), o, {});
      expect_agrees("by rows", o, [&](const shape<2> &i) {
        return sum_of<A>(k, [&](std::int64_t j) {
          return wide(a(i[0], j)) * factor<A>(static_cast<W>(w(i[1], j)), S(scales(i[1], j / group)));
        });
      });
    });
  }
}

template <class A, class W, class S, class Entry> void check_columns(Entry entry) {
  for (const auto &[m, n, k] : cases) {
    const auto a = small_numbers<A>({m, k});
    const auto w = small_numbers<W>({k, n});
    const auto scales = small_numbers<S>({(k + group - 1) / group, n});
    on_every_device([&, m = m, n = n, k = k](device where) {
      auto o = poisoned<float, 2>({m, n}, where);
      entry(a.to(where), w.to(where), scales.to(where), o, {});
      expect_agrees("by columns", o, [&](const shape<2> &i) {
        return sum_of<A>(k, [&](std::int64_t j) {
          return wide(a(i[0], j)) * factor<A>(static_cast<W>(w(j, i[1])), S(scales(j / group, i[1])));
        });
      });
    });
  }
}

template <class A, class W, class Entry> void check_left(Entry entry) {
  for (const auto &[m, n, k] : cases) {
    const auto w = small_numbers<W>({m, k});
    const auto b = small_numbers<A>({k, n});
    on_every_device([&, m = m, n = n, k = k](device where) {
      auto o = poisoned<float, 2>({m, n}, where);
      entry(w.to(where), b.to(where), o, {});
      expect_agrees("left", o, [&](const shape<2> &i) {
        return sum_of<A>(k, [&](std::int64_t j) { return wide(static_cast<W>(w(i[0], j))) * wide(b(j, i[1])); });
      });
    });
  }
}

} // namespace

TEST(PackedProducts, ByRows) {
  check_rows<bf16, s4, bf16>(by_rows_s4);
  check_rows<f16, u4, f16>(by_rows_u4);
  check_rows<bf16, e2m1, e8m0>(by_rows_e2m1);
}
TEST(PackedProducts, ByColumns) {
  check_columns<f16, s4, f16>(by_columns_s4);
  check_columns<bf16, e2m1, e8m0>(by_columns_e2m1);
  check_columns<bf16, e4m3, bf16>(by_columns_e4m3);
}
TEST(PackedProducts, Left) {
  check_left<bf16, s4>(left_s4);
  check_left<f16, e2m1>(left_e2m1);
}
