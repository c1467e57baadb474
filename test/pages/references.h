// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the pages for newcomers compute in common, each with a reference: a page's test gives its entry.
#pragma once

#include "generators.h"
#include "reduction_reference.h"
#include "support.h"

namespace tegula::test {

/// Sizes around those of the blocks, which are 1024.
inline const std::vector<std::int64_t> lengths = {0, 1, 7, 127, 129, 1023, 1024, 1025, 5000};
inline const std::vector<shape<2>> matrices = {{1, 1}, {7, 129}, {3, 1030}, {2, 8200}, {2, 9224}, {1, 70001}};

template <class Entry> void check_sum_of_two(Entry entry) {
  for (const std::int64_t n : lengths) {
    const auto x = random<float>(shape<1>{n}), y = random<float>(shape<1>{n});
    on_every_device([&](auto where) {
      expect_same("x + y", entry(x.to(where), y.to(where), {}), [&](auto i) { return x(i[0]) + y(i[0]); });
    });
  }
}

/// a b of f16, in float: by tensor cores where they take the arrays, and for odd sizes.
template <class Entry>
void check_product(Entry entry, const std::vector<std::array<std::int64_t, 3>> &sizes) { // M, N, K
  for (const auto &[m, n, k] : sizes) {
    const auto a = make<f16, 2>({m, k}, [](std::int64_t) { return f16(random_value<float>() / 4); });
    const auto b = make<f16, 2>({k, n}, [](std::int64_t) { return f16(random_value<float>() / 4); });
    on_every_device([&](auto where) {
      const auto o = entry(a.to(where), b.to(where), {});
      ASSERT_EQ(o.dims(), (shape<2>{m, n}));
      expect_agrees("a b", o, [&](auto i) {
        auto sum = inner_product<f16>(k, [&](auto j) { return a(i[0], j); }, [&](auto j) { return b(j, i[1]); });
        double largest = 0; // of products and partial sums, at most
        for (std::int64_t j = 0; j < k; ++j)
          largest += std::abs(wide(a(i[0], j)) * wide(b(j, i[1])));
        return Near<float>{sum.value, tensor_core_error<f16, float>(k, largest) + sum.error};
      });
    });
  }
}

template <class Entry> void check_gather(Entry entry) {
  for (const auto &dims : std::vector<shape<2>>{{1, 1}, {7, 129}, {300, 64}})
    for (const std::int64_t n : {0, 1, 7, 129}) {
      const auto table = random<float>(dims);
      const auto tokens = make<std::int32_t, 1>({n}, [&](std::int64_t) {
        return static_cast<std::int32_t>(generator()() % static_cast<std::uint64_t>(dims[0]));
      });
      on_every_device([&](auto where) {
        expect_same("rows", entry(table.to(where), tokens.to(where), {}),
                    [&](auto i) { return table(tokens(i[0]), i[1]); });
      });
    }
}

/// How often each byte occurs: of few, and of so many that CTAs count in shared memory.
template <class Entry> void check_histogram(Entry entry) {
  auto sizes = lengths;
  sizes.push_back(3000017);
  for (const std::int64_t n : sizes) {
    const auto x = random<std::uint8_t>(shape<1>{n});
    std::vector<std::int32_t> counts(256);
    for (std::int64_t i = 0; i < n; ++i)
      ++counts[x(i)];
    on_every_device([&](auto where) {
      expect_same("bins", entry(x.to(where), {}), [&](auto i) { return counts[static_cast<std::size_t>(i[0])]; });
    });
  }
}

/// Each element less the one before it, of which the first has none.
template <class Entry> void check_differences(Entry entry) {
  for (const std::int64_t n : lengths) {
    const auto x = random<float>(shape<1>{n});
    on_every_device([&](auto where) {
      expect_same("differences", entry(x.to(where), {}),
                  [&](auto i) { return i[0] == 0 ? x(0) : x(i[0]) - x(i[0] - 1); });
    });
  }
}

/// What tg::rand and tg::randint are made of.
inline std::uint32_t first_of_philox(std::uint64_t seed, std::int64_t i) {
  return philox({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i >> 32), 0, 0},
                static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32))[0];
}

/// x / keep where a random number, a multiple of 2^-24, is below keep, else 0.
template <class Entry, class Bits> void check_dropout(Entry entry, Bits bits) {
  constexpr float keep = 0.75F;
  for (const std::int64_t n : lengths) {
    const auto x = make<float, 1>({n}, [](std::int64_t) { return 1 + std::abs(random_value<float>()); });
    on_every_device([&](auto where) {
      std::int64_t kept = 0;
      expect_near(
          "dropout", entry(x.to(where), keep),
          [&](auto i) {
            const bool is_kept = static_cast<float>(bits(i[0]) >> 8U) * 0x1p-24F < keep;
            kept += is_kept;
            return is_kept ? static_cast<double>(x(i[0])) / keep : 0.0;
          },
          0.5);
      EXPECT_NEAR(static_cast<double>(kept), keep * static_cast<double>(n), 5 * std::sqrt(static_cast<double>(n)));
    });
  }
}

template <class Entry> void check_sums_of_rows(const char *what, Entry entry) {
  for (const auto &dims : matrices) {
    const auto x = random<float>(dims);
    on_every_device([&](auto where) {
      expect_agrees(what, entry(x.to(where), {}), [&](auto i) {
        return inner_product<float>(dims[1], [&](auto j) { return x(i[0], j); }, [](auto) { return 1.0F; });
      });
    });
  }
}

} // namespace tegula::test
