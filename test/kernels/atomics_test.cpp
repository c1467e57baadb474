// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "atomics.h"

#include "support.h"

#include <algorithm>

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {
template <class T> T small_number() { return static_cast<T>(static_cast<float>(generator()() % 5)); }
} // namespace

template <class T, class Entry> void check_histogram(Entry entry) {
  for (const std::int64_t n : odd_sizes) {
    const auto x = random<std::uint8_t, 1>({n});
    std::vector<T> expected(256, T(3));
    for (std::int64_t i = 0; i < n; ++i)
      ++expected[x(i)];
    on_every_device([&](auto where) {
      auto bins = make<T, 1>({256}, [](std::int64_t) { return T(3); }).to(where);
      entry(bins, x.to(where), {});
      expect_same("bins", bins, [&](auto i) { return expected[static_cast<std::size_t>(i[0])]; });
    });
  }
}
TEST(Atomics, CountInBins) {
  check_histogram<std::int32_t>(histogram_s32);
  check_histogram<std::uint64_t>(histogram_u64);
}

// Small integers, whose sums are exact in every type and order.
template <class T, class Entry> void check_add_rows(Entry entry) {
  for (const std::int64_t n : {1, 7, 129})
    for (const std::int64_t columns : {1, 33, 128}) {
      const auto before = make<T, 2>({11, columns}, [](std::int64_t) { return small_number<T>(); });
      const auto x = make<T, 2>({n, columns}, [](std::int64_t) { return small_number<T>(); });
      const auto rows =
          make<std::int32_t, 1>({n}, [](std::int64_t) { return static_cast<std::int32_t>(generator()() % 12) - 1; });
      on_every_device([&](auto where) {
        auto o = before.to(where);
        entry(o, x.to(where), rows.to(where), {});
        expect_same("sums", o, [&](auto i) {
          auto sum = wide(before(i[0], i[1]));
          for (std::int64_t k = 0; k < n; ++k)
            if (rows(k) == i[0])
              sum += wide(x(k, i[1]));
          return static_cast<T>(sum);
        });
      });
    }
}
TEST(Atomics, AddRows) {
  check_add_rows<float>(add_rows_f32);
  check_add_rows<double>(add_rows_f64);
  check_add_rows<f16>(add_rows_f16);
  check_add_rows<bf16>(add_rows_bf16);
  check_add_rows<std::int64_t>(add_rows_s64);
}

/// NaN wins, and -0 is less than +0.
template <class T> bool is_less(T a, T b) {
  const auto x = wide(a), y = wide(b);
  if constexpr (is_floating<T>)
    return std::isnan(y) ? false : std::isnan(x) ? true : x < y || (x == y && std::signbit(x) && !std::signbit(y));
  else
    return x < y;
}
template <class T, class Entry> void check_extremes(Entry entry) {
  const auto special = special_values<T>();
  for (const std::int64_t n : {1, 127, 1030}) {
    const auto x = make<T, 1>({n}, [&](std::int64_t) {
      return generator()() % 8 == 0 ? special[generator()() % special.size()] : random_value<T>();
    });
    const auto places =
        make<std::int32_t, 1>({n}, [](std::int64_t) { return static_cast<std::int32_t>(generator()() % 97); });
    const auto first = random<T, 1>({97});
    on_every_device([&](auto where) {
      auto least = first.to(where), most = first.to(where);
      entry(least, most, x.to(where), places.to(where), {});
      auto extreme = [&](std::int64_t place, bool isMost) {
        T result = first(place);
        for (std::int64_t k = 0; k < n; ++k) {
          const T value = x(k);
          bool isNan = false;
          if constexpr (is_floating<T>)
            isNan = std::isnan(wide(value)) || std::isnan(wide(result));
          if (places(k) == place && (isNan    ? std::isnan(static_cast<double>(wide(value)))
                                     : isMost ? is_less(result, value)
                                              : is_less(value, result)))
            result = value;
        }
        return result;
      };
      expect_same("least", least, [&](auto i) { return extreme(i[0], false); });
      expect_same("most", most, [&](auto i) { return extreme(i[0], true); });
    });
  }
}
TEST(Atomics, FindExtremes) {
  check_extremes<std::int32_t>(extremes_s32);
  check_extremes<std::uint32_t>(extremes_u32);
  check_extremes<std::int64_t>(extremes_s64);
  check_extremes<std::uint64_t>(extremes_u64);
  check_extremes<float>(extremes_f32);
  check_extremes<double>(extremes_f64);
  check_extremes<f16>(extremes_f16);
  check_extremes<bf16>(extremes_bf16);
}

template <class T, class Entry> void check_bits(Entry entry) {
  for (const std::int64_t columns : {1, 129}) {
    const auto x = random<T, 2>({37, columns}), before = random<T, 2>({3, columns});
    on_every_device([&](auto where) {
      auto o = before.to(where);
      entry(o, x.to(where), {});
      expect_same("bits", o, [&](auto i) {
        T bits = before(i[0], i[1]);
        for (std::int64_t k = 0; k < 37; ++k)
          bits = i[0] == 0 ? bits & x(k, i[1]) : i[0] == 1 ? bits | x(k, i[1]) : bits ^ x(k, i[1]);
        return bits;
      });
    });
  }
}
TEST(Atomics, CombineBits) {
  check_bits<std::uint32_t>(combine_bits_u32);
  check_bits<std::int64_t>(combine_bits_s64);
}

TEST(Atomics, ReturnWhatWasThere) {
  for (const std::int64_t n : odd_sizes) {
    const auto x =
        make<std::int32_t, 1>({n}, [](std::int64_t) { return static_cast<std::int32_t>(generator()() % 1000) - 400; });
    std::vector<std::int32_t> kept;
    for (std::int64_t i = 0; i < n; ++i)
      if (x(i) >= 0)
        kept.push_back(x(i));
    std::sort(kept.begin(), kept.end());
    on_every_device([&](auto where) {
      auto o = poisoned<std::int32_t, 1>({n}, where);
      auto count = make<std::int32_t, 1>({1}, [](std::int64_t) { return 0; }).to(where);
      compact(o, count, x.to(where));
      ASSERT_EQ(count.to_host()(0), static_cast<std::int32_t>(kept.size()));
      const auto there = o.to_host();
      std::vector<std::int32_t> found(there.data(), there.data() + kept.size());
      std::sort(found.begin(), found.end());
      EXPECT_EQ(found, kept);
    });
  }
}

TEST(Atomics, GiveProgramsPlaces) {
  const auto x = make<float, 2>({29, 128}, [](std::int64_t i) { return static_cast<float>(i / 128); });
  on_every_device([&](auto where) {
    auto o = poisoned<float, 1>({29 * 128}, where);
    auto end = make<std::uint64_t, 1>({1}, [](std::int64_t) { return std::uint64_t(0); }).to(where);
    append(o, end, x.to(where));
    EXPECT_EQ(end.to_host()(0), std::uint64_t(29 * 128));
    const auto there = o.to_host();
    std::vector<bool> seen(29);
    for (std::int64_t i = 0; i < 29 * 128; ++i) {
      ASSERT_EQ(there(i), there(i / 128 * 128)) << i;
      seen[static_cast<std::size_t>(there(i))] = true;
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 29);
  });
}

template <class T, class Entry> void check_swaps(Entry entry) {
  for (const std::int64_t n : odd_sizes) {
    const auto before = random<T, 1>({n}), x = random<T, 1>({n});
    const auto expected = make<T, 1>({n}, [&](std::int64_t i) { return i % 3 == 0 ? before(i) : x(i); });
    on_every_device([&](auto where) {
      auto o = before.to(where), old = poisoned<T, 1>({n}, where), other = before.to(where);
      entry(o, old, other, expected.to(where), x.to(where), {});
      expect_same("old", old, [&](auto i) { return before(i[0]); });
      expect_same("swapped", o, [&](auto i) { return i[0] % 3 == 0 ? x(i[0]) : before(i[0]); });
      expect_same("exchanged", other, [&](auto i) { return x(i[0]); });
    });
  }
}
TEST(Atomics, Swap) {
  check_swaps<std::int32_t>(swap_if_s32);
  check_swaps<std::uint64_t>(swap_if_u64);
  check_swaps<float>(swap_if_f32);
  check_swaps<double>(swap_if_f64);
  check_swaps<bf16>(swap_if_bf16);
}

TEST(Atomics, FeedReductions) {
  const auto before =
      make<std::int32_t, 2>({5, 96}, [](std::int64_t) { return static_cast<std::int32_t>(generator()() % 20); });
  on_every_device([&](auto where) {
    auto x = before.to(where);
    expect_same("sums", sum_old(x), [&](auto i) {
      std::int32_t sum = 0;
      for (std::int64_t k = 0; k < 96; ++k)
        sum += before(i[0], k);
      return sum;
    });
    expect_same("x", x, [&](auto i) { return std::max(before(i[0], i[1]), 10); });
  });
}

// The CPU finds updates that come between plain accesses.
TEST(Atomics, RefuseMixing) {
  auto x = make<std::int32_t, 1>({4}, [](std::int64_t) { return 0; });
  const std::string message = message_of([&] { mix(x); });
  EXPECT_NE(message.find("program (1) of mix updates x[0], which program (0) stores to at "), std::string::npos)
      << message;
  EXPECT_NE(message.find("only atomic updates do not race with each other"), std::string::npos) << message;
}
