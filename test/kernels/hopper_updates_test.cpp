// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_updates.h"

#include "hopper.h"

#include <algorithm>

using namespace tegula::test;
using tegula::bf16;
using tegula::f16;

namespace {
template <class T, class Entry> void check_columns(Entry entry, std::int64_t width) {
  const auto x = small_numbers<T, 2>({128, width});
  for (const std::int64_t stage : {0, 1})
    for (const std::int64_t column : {std::int64_t(0), std::int64_t(1), width - 1})
      everywhere([&](auto where) {
        auto o = poisoned<T, 2>({3, 128}, where);
        entry(x.to(where), o, stage, column);
        expect_same("columns", o, [&](auto i) {
          const auto first = wide(x(i[1], 0)), some = wide(x(i[1], column));
          return static_cast<T>(i[0] == 0 ? first : i[0] == 1 ? some : first + some);
        });
      });
}
} // namespace

TEST(HopperUpdates, SingleColumns) {
  check_columns<float>([](auto &&...all) { columns_f32(all...); }, 4);
  check_columns<std::uint8_t>([](auto &&...all) { columns_u8(all...); }, 16);
}

namespace {
template <class T, class Entry> void check_windows(Entry entry) {
  for (const std::int64_t programs : {1, 5})
    for (const std::int64_t missing : {1, 33, 95}) { // Of the last window of row 2.
      const std::int64_t count = 96 * programs - missing;
      const auto x = small_numbers<T, 2>({programs, 96});
      const auto first = small_numbers<T, 2>({3, 96 * programs});
      everywhere([&](auto where) {
        auto o = first.to(where), old = poisoned<T, 2>({programs, 96}, where);
        entry(o, x.to(where), old, count);
        expect_same("updated", o, [&](auto i) {
          const auto before = wide(first(i[0], i[1]));
          auto sum = before;
          for (std::int64_t k = 0; i[0] == 0 && i[1] < 96 && k < programs; ++k)
            sum += wide(x(k, i[1]));
          const auto own = wide(x(i[1] / 96, i[1] % 96));
          return static_cast<T>(i[0] == 0      ? sum
                                : i[0] == 1    ? std::max(before, own)
                                : i[1] < count ? before + own
                                               : before);
        });
        expect_same("before", old, [&](auto i) { return first(1, 96 * i[0] + i[1]); });
      });
    }
}
} // namespace

TEST(HopperUpdates, WindowsOfArrays) {
  check_windows<float>([](auto &&...all) { add_windows_f32(all...); });
  check_windows<std::int32_t>([](auto &&...all) { add_windows_s32(all...); });
  check_windows<f16>([](auto &&...all) { add_windows_f16(all...); });
  check_windows<bf16>([](auto &&...all) { add_windows_bf16(all...); });
}

namespace {
template <class T, class Entry> void check_combined(Entry entry) {
  const auto x = small_numbers<T, 2>({4, 72});
  everywhere([&](auto where) {
    auto o = poisoned<T, 2>({4, 72}, where);
    auto counts = poisoned<T, 1>({3}, where);
    entry(x.to(where), o, counts);
    expect_same("combined", o, [&](auto i) {
      const std::int64_t j = i[1];
      const auto a = wide(x(0, j)), b = wide(x(1, j)), c = wide(x(2, j)), d = wide(x(3, j));
      const auto own = wide(x(1 + j / 24, j)), masked = wide(x(1 + j % 3, j));
      return static_cast<T>(i[0] == 0   ? a + b + c + d
                            : i[0] == 1 ? std::max({a, b, c, d})
                            : i[0] == 2 ? std::min(a, own)
                                        : a + masked);
    });
    expect_same("numbers", counts, [](auto) { return T(1); });
  });
}
} // namespace

TEST(HopperUpdates, ThreadsCombineInSharedMemory) {
  check_combined<std::int32_t>([](auto &&...all) { combine_s32(all...); });
  check_combined<std::uint64_t>([](auto &&...all) { combine_u64(all...); });
  check_combined<float>([](auto &&...all) { combine_f32(all...); });
  check_combined<double>([](auto &&...all) { combine_f64(all...); });
  check_combined<f16>([](auto &&...all) { combine_f16(all...); });
  check_combined<bf16>([](auto &&...all) { combine_bf16(all...); });
}

namespace {
template <class T, class Entry> void check_bits(Entry entry) {
  auto x = random<T, 3>({3, 16, 32});
  for (std::int64_t i = 0; i < 16; ++i) // Half of what is compared is there.
    for (std::int64_t j = 0; j < 32; j += 2)
      x(2, i, j) = x(0, i, j);
  everywhere([&](auto where) {
    auto o = poisoned<T, 3>({5, 16, 32}, where), old = poisoned<T, 3>({5, 16, 32}, where);
    entry(x.to(where), o, old);
    expect_same("bits", o, [&](auto i) {
      const T a = x(0, i[1], i[2]), b = x(1, i[1], i[2]);
      return i[0] == 0               ? static_cast<T>(a & b)
             : i[0] == 1             ? static_cast<T>(a | b)
             : i[0] == 2             ? static_cast<T>(a ^ b)
             : i[0] == 3             ? b
             : a == x(2, i[1], i[2]) ? b
                                     : a;
    });
    expect_same("before", old, [&](auto i) { return x(0, i[1], i[2]); });
  });
}
} // namespace

TEST(HopperUpdates, BitsInSharedMemory) {
  check_bits<std::uint32_t>([](auto &&...all) { bits_u32(all...); });
  check_bits<std::int64_t>([](auto &&...all) { bits_s64(all...); });
}
