// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_clusters.h"

#include "hopper.h"

#include <algorithm>

using namespace tegula::test;
using tegula::bf16;
using tegula::f16;

namespace {
template <class Entry> void check_row_sums(Entry entry, std::int64_t rows, std::int64_t columns) {
  for (const std::int64_t blocks : {0, 1, 3}) {
    const auto x = small_numbers<float, 2>({blocks * rows, columns});
    everywhere([&](auto where) {
      const auto o = entry(x.to(where));
      expect_same("sums", o, [&](auto i) {
        float sum = 0;
        for (std::int64_t j = 0; j < columns; ++j)
          sum += x(i[0], j);
        return sum;
      });
    });
  }
}
} // namespace

TEST(HopperClusters, RowSumsOfClusters) {
  check_row_sums([](auto &&x) { return row_sum_2(x); }, 64, 512);
  check_row_sums([](auto &&x) { return row_sum_4(x); }, 24, 144);
}

namespace {
template <class T, class Entry> void check_read(Entry entry) {
  const auto x = random<T, 4>({2, 4, 32, 128});
  for (const std::int64_t step : {1, 3})
    everywhere([&](auto where) {
      auto o = poisoned<T, 4>({2, 4, 32, 128}, where);
      auto parts = make<T, 4>({2, 4, 16, 34}, [](std::int64_t) { return T(1); }).to(where);
      entry(x.to(where), o, parts, step);
      expect_same("rows of the others", o, [&](auto i) { return x(i[0], (i[1] + step) % 4, (i[2] + 16) % 32, i[3]); });
      expect_same("windows of the others", parts, [&](auto i) {
        const std::int64_t wg = i[2] / 8, row = 16 * wg + 8 + i[2] % 8;
        if (i[3] < 33)
          return x(1 - i[0], i[1], row, i[3] < 32 ? 64 + i[3] : 3);
        return i[2] % 8 == 0 ? x(i[0], (i[1] + step) % 4, 16 * wg + 5, 7) : T(1);
      });
    });
}
} // namespace

TEST(HopperClusters, BlocksReadOthers) {
  check_read<float>([](auto &&...all) { read_f32(all...); });
  check_read<f16>([](auto &&...all) { read_f16(all...); });
  check_read<std::uint8_t>([](auto &&...all) { read_u8(all...); });
  check_read<double>([](auto &&...all) { read_f64(all...); });
  check_read<bool>([](auto &&...all) { read_bool(all...); });
}

namespace {
template <class T, class Entry> void check_written(Entry entry) {
  const auto x = random<T, 3>({4, 8, 64});
  everywhere([&](auto where) {
    auto o = poisoned<T, 3>({4, 8, 64}, where);
    entry(x.to(where), o);
    expect_same("written by others", o, [&](auto i) {
      const bool is_written = (i[1] >= 1 && i[1] < 7) || (i[1] == 7 && i[2] == 9);
      return is_written ? x((i[0] + 3) % 4, i[1], i[2]) : T(0);
    });
  });
}
} // namespace

TEST(HopperClusters, BlocksWriteToOthers) {
  check_written<float>([](auto &&...all) { write_f32(all...); });
  check_written<bf16>([](auto &&...all) { write_bf16(all...); });
  check_written<std::int8_t>([](auto &&...all) { write_s8(all...); });
}

TEST(HopperClusters, WhatOthersWroteIsCopied) {
  const auto x = random<float, 3>({2, 16, 32});
  everywhere([&](auto where) {
    auto o = poisoned<float, 3>({2, 16, 32}, where);
    written_then_copied(x.to(where), o);
    expect_same("copied", o, [&](auto i) { return x(1 - i[0], i[1], i[2]); });
  });
}

namespace {
template <class T, class Entry> void check_updated(Entry entry) {
  const auto x = small_numbers<T, 2>({5, 80});
  for (const std::int64_t one : {0, 2, 3})
    everywhere([&](auto where) {
      auto o = poisoned<T, 2>({12, 80}, where);
      auto old = poisoned<T, 1>({4}, where);
      entry(x.to(where), o, old, one);
      expect_same("updated", o, [&](auto i) {
        const std::int64_t kind = i[0] % 3;
        auto value = wide(x(4, i[1]));
        if (i[0] / 3 != one)
          return static_cast<T>(value);
        for (std::int64_t c = 0; c < 4; ++c) {
          const auto other = wide(x(c, i[1]));
          if (kind == 1 && sizeof(T) < 8)
            value = std::max(value, other);
          else if (kind < 2 || i[1] % 4 == c)
            value += other;
        }
        return static_cast<T>(value);
      });
      expect_same("numbers", old, [](auto) { return T(1); });
    });
}
} // namespace

TEST(HopperClusters, BlocksUpdateOne) {
  check_updated<std::uint32_t>([](auto &&...all) { update_u32(all...); });
  check_updated<std::int64_t>([](auto &&...all) { update_s64(all...); });
  check_updated<float>([](auto &&...all) { update_f32(all...); });
  check_updated<bf16>([](auto &&...all) { update_bf16(all...); });
}

namespace {
template <class T, class Entry> void check_sent(Entry entry, std::int64_t columns) {
  const auto x = small_numbers<T, 2>({4, columns});
  for (const std::int64_t rounds : {0, 1, 2, 7})
    everywhere([&](auto where) {
      auto o = poisoned<T, 2>({4, columns}, where);
      entry(x.to(where), o, rounds);
      expect_same("sums", o, [&](auto i) {
        auto sum = wide(x(i[0], i[1]));
        for (std::int64_t k = 1; k <= rounds; ++k)
          sum += wide(x((i[0] + 3 * k) % 4, i[1]));
        return static_cast<T>(sum);
      });
    });
}
} // namespace

TEST(HopperClusters, BlocksSendAround) {
  check_sent<float>([](auto &&...all) { send_f32(all...); }, 384);
  check_sent<float>([](auto &&...all) { send_few_f32(all...); }, 20);
  check_sent<f16>([](auto &&...all) { send_f16(all...); }, 256);
  check_sent<std::int64_t>([](auto &&...all) { send_s64(all...); }, 128);
}

namespace {
template <class T, class Entry, class Combine> void check_combined(const char *what, Entry entry, Combine combine) {
  const auto x = random<T, 3>({5, 8, 48});
  for (const std::int64_t one : {0, 3})
    everywhere([&](auto where) {
      auto o = poisoned<T, 2>({8, 48}, where);
      entry(x.to(where), o, one);
      expect_same(what, o, [&](auto i) {
        T value = x(4, i[0], i[1]);
        for (std::int64_t c = 0; c < 4; ++c)
          value = combine(value, x(c, i[0], i[1]));
        return value;
      });
    });
}
} // namespace

TEST(HopperClusters, BlocksCombineInOne) {
  using s32 = std::int32_t;
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;
  check_combined<s32>(
      "add s32", [](auto &&...all) { reduce_add_s32(all...); },
      [](s32 a, s32 b) { return static_cast<s32>(static_cast<u32>(a) + static_cast<u32>(b)); });
  check_combined<u64>("add u64", [](auto &&...all) { reduce_add_u64(all...); }, [](u64 a, u64 b) { return a + b; });
  check_combined<s32>(
      "min s32", [](auto &&...all) { reduce_min_s32(all...); }, [](s32 a, s32 b) { return std::min(a, b); });
  check_combined<u32>(
      "max u32", [](auto &&...all) { reduce_max_u32(all...); }, [](u32 a, u32 b) { return std::max(a, b); });
  check_combined<u32>("and u32", [](auto &&...all) { reduce_and_u32(all...); }, [](u32 a, u32 b) { return a & b; });
  check_combined<s32>("or s32", [](auto &&...all) { reduce_or_s32(all...); }, [](s32 a, s32 b) { return a | b; });
  check_combined<s32>("xor s32", [](auto &&...all) { reduce_xor_s32(all...); }, [](s32 a, s32 b) { return a ^ b; });
}

// The order of increments by one bound does not matter.
TEST(HopperClusters, BlocksCountInOne) {
  const auto x = make<std::uint32_t, 3>(
      {5, 8, 48}, [](std::int64_t i) { return i < 4 * 8 * 48 ? 5U : static_cast<std::uint32_t>(i % 6); });
  everywhere([&](auto where) {
    auto o = poisoned<std::uint32_t, 2>({8, 48}, where);
    reduce_inc_u32(x.to(where), o, 1);
    expect_same("counts", o, [&](auto i) { return (x(4, i[0], i[1]) + 4) % 6; });
  });
}

TEST(HopperClusters, ABlockAlone) {
  const auto x = random<float, 1>({128});
  everywhere([&](auto where) {
    auto o = poisoned<float, 1>({136}, where);
    alone(x.to(where), o);
    expect_same("twice twice", o,
                [&](auto i) { return i[0] < 128 ? (x(i[0]) + x(i[0])) * 2 : static_cast<float>(4 * (i[0] - 128)); });
  });
}

TEST(HopperClusters, BlocksThatAreNotThere) {
  auto o = poisoned<float, 1>({32}, tegula::device());
  for (const std::int64_t block : {-1, 2})
    EXPECT_NE(message_of([&] {
                no_such_block(o, block);
              }).find("CTA " + std::to_string(block) + " is out of bounds: there are 2 along this axis of the cluster"),
              std::string::npos);
}

TEST(HopperClusters, TheCpuFindsMissingCommits) {
  const auto x = random<float, 2>({2, 32});
  int wrong = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    tegula::cpu::set_seed(seed);
    auto o = poisoned<float, 2>({2, 32}, tegula::device());
    copied_too_early(x, o);
    wrong += o(0, 0) != x(1, 0);
  }
  tegula::cpu::set_seed(0);
  EXPECT_EQ(wrong, 8);
}
