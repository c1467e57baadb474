// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "histograms.h"

#include "support.h"

#include <algorithm>

using namespace tegula::test;
using tegula::buffer;

namespace {

/// Lengths of arrays that are updated, and how many updates they get: none, few, and so many that CTAs combine them.
/// The last array is larger than their shared memory.
struct Size {
  std::int64_t bins, updates;
};
const std::vector<Size> sizes = {{1, 0},     {1, 1030},     {7, 1},          {7, 127},      {7, 70001},
                                 {256, 129}, {256, 300007}, {1000, 1100003}, {10000, 70001}};

template <class I> buffer<I, 1> random_places(std::int64_t count, std::int64_t bins) {
  return make<I, 1>({count}, [&](std::int64_t) {
    // Half of them are one number: few banks of memory, many updates.
    const auto number = generator()() >> 20;
    return static_cast<I>(
        number % 2 == 0 ? bins / 2 : static_cast<std::int64_t>((number >> 1) % static_cast<std::uint64_t>(bins)));
  });
}

/// Begins with other numbers than 0.
template <class T> buffer<T, 1> some(std::int64_t count) {
  return make<T, 1>({count}, [](std::int64_t i) { return static_cast<T>(i % 5); });
}

template <class T, int Rank> buffer<T, Rank> copy(const buffer<T, Rank> &x) { return x.to(tegula::device::cpu()); }

template <class T, class I, class Entry> void check_count(Entry entry, Size size) {
  const auto x = random_places<I>(size.updates, size.bins);
  auto expected = some<T>(size.bins);
  for (std::int64_t i = 0; i < x.size(); ++i)
    expected(static_cast<std::int64_t>(x(i))) += 1;
  on_every_device([&](auto where) {
    auto bins = some<T>(size.bins).to(where);
    entry(bins, x.to(where), {});
    expect_same("counts", bins, [&](auto i) { return expected(i[0]); });
  });
}

} // namespace

TEST(Histograms, Count) {
  for (const Size size : sizes) {
    check_count<std::uint32_t, std::int32_t>(count_s32_u32, size);
    check_count<float, std::int32_t>(count_s32_f32, size);
    check_count<std::int32_t, std::int32_t>(count_blocks, size);
  }
  check_count<std::uint32_t, std::int32_t>(count_s32_u32, {8192, 9000001});
}
TEST(Histograms, CountBytes) {
  for (const Size size : {Size{256, 0}, Size{256, 1}, Size{256, 4097}, Size{256, 3000001}})
    check_count<std::int32_t, std::uint8_t>(count_u8_s32, size);
}
TEST(Histograms, CountInWideElements) {
  for (const Size size : {Size{7, 129}, Size{256, 300007}, Size{4096, 4500001}, Size{4097, 70001}}) {
    check_count<std::uint64_t, std::int64_t>(count_s64_u64, size);
    check_count<std::int64_t, std::int32_t>(count_s32_s64, size);
    check_count<double, std::int32_t>(count_s32_f64, size);
  }
}

// Of a view that begins anywhere, and of one with gaps.
TEST(Histograms, CountViews) {
  constexpr std::int64_t n = 200001;
  const auto x = random_places<std::uint8_t>(n, 256);
  for (const bool has_gaps : {false, true}) {
    const std::int64_t length = has_gaps ? n / 2 : n - 1, step = has_gaps ? 2 : 1;
    std::vector<std::int32_t> expected(256, 0);
    for (std::int64_t i = 0; i < length; ++i)
      ++expected[x(1 + i * step)];
    on_every_device([&](auto where) {
      const auto there = x.to(where);
      auto bins = make<std::int32_t, 1>({256}, [](std::int64_t) { return 0; }).to(where);
      const tegula::array<const std::uint8_t, 1> view(there.data() + 1, {length}, {step}, where);
      count_u8_s32(bins, view, {});
      expect_same("counts", bins, [&](auto i) { return expected[static_cast<std::size_t>(i[0])]; });
    });
  }
}

// Small integers, whose sums are exact in every type and order. Some places are none.
template <class T, class Entry> void check_weigh(Entry entry) {
  for (const Size size : sizes) {
    const auto places = make<std::int32_t, 1>({size.updates}, [&](std::int64_t) {
      return static_cast<std::int32_t>(generator()() % static_cast<std::uint64_t>(3 * size.bins)) -
             static_cast<std::int32_t>(size.bins);
    });
    const auto weights = make<T, 1>({size.updates}, [](std::int64_t) { return static_cast<T>(generator()() % 4); });
    auto expected = some<T>(size.bins);
    for (std::int64_t i = 0; i < size.updates; ++i)
      if (places(i) >= 0 && places(i) < size.bins)
        expected(places(i)) += weights(i);
    on_every_device([&](auto where) {
      auto sums = some<T>(size.bins).to(where);
      entry(sums, places.to(where), weights.to(where), {});
      expect_same("sums", sums, [&](auto i) { return expected(i[0]); });
    });
  }
}
TEST(Histograms, Weigh) {
  check_weigh<std::int32_t>(weigh_s32);
  check_weigh<std::uint64_t>(weigh_u64);
  check_weigh<float>(weigh_f32);
}

template <class T, class Entry> void check_range(Entry entry) {
  for (const Size size : sizes) {
    const auto places = random_places<std::int32_t>(size.updates, size.bins);
    const auto x = random<T, 1>({size.updates}), before = random<T, 1>({size.bins});
    auto least_there = copy(before), most_there = copy(before);
    for (std::int64_t i = 0; i < size.updates; ++i) {
      least_there(places(i)) = std::min(least_there(places(i)), x(i));
      most_there(places(i)) = std::max(most_there(places(i)), x(i));
    }
    on_every_device([&](auto where) {
      auto least = before.to(where), most = before.to(where);
      entry(least, most, places.to(where), x.to(where), {});
      expect_same("least", least, [&](auto i) { return least_there(i[0]); });
      expect_same("most", most, [&](auto i) { return most_there(i[0]); });
    });
  }
}
TEST(Histograms, FindRange) {
  check_range<std::int32_t>(find_range_s32);
  check_range<std::uint32_t>(find_range_u32);
  check_range<std::int64_t>(find_range_s64);
  check_range<std::uint64_t>(find_range_u64);
}

template <class T, class Entry> void check_bits(Entry entry) {
  for (const Size size : sizes) {
    const auto places = random_places<std::int32_t>(size.updates, size.bins);
    const auto x = make<T, 1>({size.updates}, [](std::int64_t) { return static_cast<T>(generator()()); });
    const auto before = make<T, 1>({size.bins}, [](std::int64_t) { return static_cast<T>(generator()()); });
    auto all_there = copy(before), any_there = copy(before), odd_there = copy(before);
    for (std::int64_t i = 0; i < size.updates; ++i) {
      all_there(places(i)) &= x(i);
      any_there(places(i)) |= x(i);
      odd_there(places(i)) ^= x(i);
    }
    on_every_device([&](auto where) {
      auto all = before.to(where), any = before.to(where), odd = before.to(where);
      entry(all, any, odd, places.to(where), x.to(where), {});
      expect_same("all", all, [&](auto i) { return all_there(i[0]); });
      expect_same("any", any, [&](auto i) { return any_there(i[0]); });
      expect_same("odd", odd, [&](auto i) { return odd_there(i[0]); });
    });
  }
}
TEST(Histograms, GatherBits) {
  check_bits<std::int32_t>(gather_bits_s32);
  check_bits<std::uint64_t>(gather_bits_u64);
}

TEST(Histograms, CountPairs) {
  for (const std::int64_t n : {1, 129, 600011}) {
    const auto x = random_places<std::int32_t>(n, 19), y = random_places<std::int32_t>(n, 23);
    auto expected = make<std::int32_t, 2>({19, 23}, [](std::int64_t) { return 0; });
    const auto zeros = copy(expected);
    for (std::int64_t i = 0; i < n; ++i)
      ++expected(x(i), y(i));
    on_every_device([&](auto where) {
      auto bins = zeros.to(where);
      count_pairs(bins, x.to(where), y.to(where), {});
      expect_same("counts", bins, [&](auto i) { return expected(i[0], i[1]); });
    });
  }
}

TEST(Histograms, CountRows) {
  for (const std::int64_t n : {1, 129, 30011}) {
    const auto x = make<std::uint8_t, 2>({3, n}, [](std::int64_t) { return static_cast<std::uint8_t>(generator()()); });
    auto expected = make<std::int32_t, 2>({3, 256}, [](std::int64_t) { return 0; });
    const auto zeros = copy(expected);
    for (std::int64_t row = 0; row < 3; ++row)
      for (std::int64_t i = 0; i < n; ++i)
        ++expected(row, x(row, i));
    on_every_device([&](auto where) {
      auto bins = zeros.to(where);
      count_rows(bins, x.to(where), {});
      expect_same("counts", bins, [&](auto i) { return expected(i[0], i[1]); });
    });
  }
}

TEST(Histograms, NumberWithin) {
  for (const std::int64_t n : {1, 129, 70001}) {
    const auto x = random_places<std::int32_t>(n, 7);
    on_every_device([&](auto where) {
      auto bins = make<std::int32_t, 1>({7}, [](std::int64_t) { return 0; }).to(where);
      auto numbers = poisoned<std::int32_t, 1>({n}, where);
      number_within(bins, numbers, x.to(where), {});
      std::vector<std::vector<std::int32_t>> found(7);
      const auto there = numbers.to_host();
      for (std::int64_t i = 0; i < n; ++i)
        found[static_cast<std::size_t>(x(i))].push_back(there(i));
      for (auto &each : found) {
        std::sort(each.begin(), each.end());
        for (std::size_t i = 0; i < each.size(); ++i)
          ASSERT_EQ(each[i], static_cast<std::int32_t>(i));
      }
    });
  }
}
