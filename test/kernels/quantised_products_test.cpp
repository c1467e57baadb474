// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "quantised_products.h"

#include "matrices.h"
#include "support.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::device;
using tegula::e2m1;
using tegula::e4m3;
using tegula::f16;
using tegula::s4;
using tegula::shape;
using tegula::u4;

namespace {

/// Rows, columns, and what is summed: what TMA copies, which takes rows of whole 16 bytes, of whole blocks, and with
/// edges of each kind; and what it does not.
const std::vector<Sizes> cases = {{256, 128, 128}, {1, 128, 256}, {150, 136, 384}, {129, 72, 96}, {16, 72, 1024},
                                  {257, 136, 32},  {7, 127, 160}, {130, 129, 64},  {70, 31, 300}, {5, 66, 1}};

template <class T> buffer<T, 2> small_numbers(const shape<2> &dims) {
  return make<T, 2>(dims, [](std::int64_t) {
    if constexpr (std::is_same_v<T, bf16> || std::is_same_v<T, f16> || std::is_same_v<T, float>)
      return static_cast<T>(std::normal_distribution<float>(0, 1)(generator()));
    else if constexpr (std::is_integral_v<T>)
      return static_cast<T>(generator()() >> 33);
    else
      return random_value<T>();
  });
}

/// A weight times its scale, in the type that is multiplied.
template <class A, class W> double factor(W weight, A scale) { return wide(A(wide(A(wide(weight))) * wide(scale))); }

/// The weights as they are multiplied (K, N); `at` gives where each and its scale are.
template <class A, class W, class At>
buffer<double, 2> factors(const Sizes &of, const buffer<W, 2> &w, const buffer<A, 2> &scales, At at) {
  return computed<A>(of.k, of.n, [&](std::int64_t k, std::int64_t n) {
    const auto [place, scale] = at(k, n);
    return factor<A>(static_cast<W>(w(place[0], place[1])), static_cast<A>(scales(scale[0], scale[1])));
  });
}

std::int64_t groups(std::int64_t k, std::int64_t group) { return (k + group - 1) / group; }

/// More sub-tiles than multiprocessors, of numbers of steps that several consumers cannot share out evenly.
const std::vector<Sizes> many_blocks = {{5, 64 * 140, 3 * 64}, {3, 64 * 270, 64}};

/// w as (N, K), scales as (N, K / group).
template <class W, class A, class Entry>
void check_rows(std::int64_t group, Entry entry, const std::vector<Sizes> &cases = ::cases) {
  for (const Sizes &of : cases) {
    SCOPED_TRACE(describe(of));
    const auto x = small_numbers<A>({of.m, of.k}), scales = small_numbers<A>({of.n, groups(of.k, group)});
    const auto w = small_numbers<W>({of.n, of.k});
    const auto reference = reference_of(exact(x), factors(of, w, scales, [&](auto k, auto n) {
                                          return std::pair(shape<2>{n, k}, shape<2>{n, k / group});
                                        }));
    on_every_device([&](device where) {
      auto o = poisoned<A, 2>({of.m, of.n}, where);
      entry(x.to(where), w.to(where), scales.to(where), o, {});
      expect_agrees("product", o, [&](auto i) { return rounded<A>(reference.template at<A>(i[0], i[1])); });
    });
  }
}

/// w as (K, N), scales as (K / group, N).
template <class W, class A, class Entry> void check_columns(std::int64_t group, Entry entry) {
  for (const Sizes &of : cases) {
    SCOPED_TRACE(describe(of));
    const auto x = small_numbers<A>({of.m, of.k}), scales = small_numbers<A>({groups(of.k, group), of.n});
    const auto w = small_numbers<W>({of.k, of.n});
    const auto reference = reference_of(exact(x), factors(of, w, scales, [&](auto k, auto n) {
                                          return std::pair(shape<2>{k, n}, shape<2>{k / group, n});
                                        }));
    on_every_device([&](device where) {
      auto o = poisoned<A, 2>({of.m, of.n}, where);
      entry(x.to(where), w.to(where), scales.to(where), o, {});
      expect_agrees("product", o, [&](auto i) { return rounded<A>(reference.template at<A>(i[0], i[1])); });
    });
  }
}

/// The product, plus twice a matrix, plus a row.
template <class W, class A, class Entry> void check_combined(std::int64_t group, Entry entry) {
  for (const Sizes &of : cases) {
    SCOPED_TRACE(describe(of));
    const auto x = small_numbers<A>({of.m, of.k}), scales = small_numbers<A>({groups(of.k, group), of.n}),
               more = small_numbers<A>({of.m, of.n});
    const auto w = small_numbers<W>({of.n, of.k});
    const auto bias = random<float, 1>({of.n});
    const auto reference = reference_of(exact(x), factors(of, w, scales, [&](auto k, auto n) {
                                          return std::pair(shape<2>{n, k}, shape<2>{k / group, n});
                                        }));
    on_every_device([&](device where) {
      auto o = poisoned<float, 2>({of.m, of.n}, where);
      entry(x.to(where), w.to(where), scales.to(where), more.to(where), bias.to(where), o, {});
      expect_agrees("product", o, [&](auto i) {
        const auto near = reference.template at<A>(i[0], i[1]);
        const double plus = 2 * wide(static_cast<A>(more(i[0], i[1]))), row = wide(static_cast<float>(bias(i[1])));
        const double size = std::abs(near.value) + std::abs(plus) + std::abs(row) + near.error;
        return Near<float>{near.value + plus + row, near.error + 2 * unit_roundoff<float>() * size};
      });
    });
  }
}

/// The product, added to a matrix.
template <class W, class A, class Entry> void check_continued(Entry entry) {
  std::vector<Sizes> all = cases;
  all.insert(all.end(), many_blocks.begin(), many_blocks.end());
  for (const Sizes &of : all) {
    SCOPED_TRACE(describe(of));
    const auto x = small_numbers<A>({of.m, of.k});
    const auto w = small_numbers<W>({of.n, of.k});
    const auto start = random<float, 2>({of.m, of.n});
    const auto reference = reference_of(exact(x), computed<A>(of.k, of.n, [&](std::int64_t k, std::int64_t n) {
                                          return wide(static_cast<W>(w(n, k)));
                                        }));
    on_every_device([&](device where) {
      auto o = poisoned<float, 2>({of.m, of.n}, where);
      entry(x.to(where), w.to(where), start.to(where), o, {});
      expect_agrees("product", o, [&](auto i) {
        const auto near = reference.template at<A>(i[0], i[1]);
        const double before = wide(static_cast<float>(start(i[0], i[1])));
        return Near<float>{near.value + before,
                           near.error + (static_cast<double>(of.k) + 2) * unit_roundoff<float>() * std::abs(before)};
      });
    });
  }
}

} // namespace

TEST(QuantisedProducts, Integers4) {
  check_rows<s4, bf16>(128, right_s4_bf16);
  check_rows<s4, f16>(64, right_s4_f16);
  check_rows<u4, bf16>(32, right_u4_bf16);
  check_rows<u4, f16>(128, right_u4_f16);
}
TEST(QuantisedProducts, Floats4) {
  check_rows<e2m1, bf16>(32, right_e2m1_bf16);
  check_rows<e2m1, f16>(64, right_e2m1_f16);
}
TEST(QuantisedProducts, Integers8) {
  check_rows<std::int8_t, bf16>(128, right_s8_bf16);
  check_rows<std::int8_t, f16>(64, right_s8_f16);
  check_rows<std::uint8_t, bf16>(128, right_u8_bf16);
}
TEST(QuantisedProducts, Floats8) {
  check_rows<e4m3, bf16>(128, right_e4m3_bf16);
  check_rows<e4m3, f16>(32, right_e4m3_f16);
}
TEST(QuantisedProducts, Combined) {
  check_combined<s4, bf16>(128, combined_s4);
  check_combined<std::int8_t, f16>(64, combined_s8);
}
TEST(QuantisedProducts, Left) {
  check_rows<s4, bf16>(128, left_s4_bf16);
  check_rows<u4, f16>(64, left_u4_f16);
}
TEST(QuantisedProducts, ByColumns) {
  check_columns<s4, bf16>(128, by_columns_s4);
  check_columns<std::int8_t, bf16>(64, by_columns_s8);
}
TEST(QuantisedProducts, Sliced) {
  check_rows<s4, bf16>(64, right_s4_few, many_blocks);
  check_rows<u4, bf16>(32, right_u4_bf16, many_blocks);
  check_rows<e2m1, f16>(64, right_e2m1_f16, many_blocks);
}
TEST(QuantisedProducts, Continued) { check_continued<s4, bf16>(continued_s4); }
