// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_views.h"

#include "hopper.h"
#include "matrices.h"

#include <algorithm>
#include <cstring>

using namespace tegula::test;
using tegula::bf16;
using tegula::f16;

namespace {
template <class T, class Entry> void check_split_k(Entry entry) {
  for (const auto &[m, n, k] : {Sizes{64, 128, 64}, {130, 248, 200}, {65, 72, 1000}}) {
    SCOPED_TRACE(describe(m, n, k));
    const auto a = matrix<T>(m, k), b = matrix<T>(k, n);
    const auto reference = reference_of(exact(a), exact(b));
    everywhere([&](auto where) { expect_product<T>(entry(a.to(where), b.to(where)), reference); });
  }
}
} // namespace

TEST(HopperViews, PartialSumsTravel) {
  check_split_k<bf16>([](auto &&...all) { return split_k_2_bf16(all...); });
  check_split_k<f16>([](auto &&...all) { return split_k_4_f16(all...); });
}

TEST(HopperViews, GroupsOfAUnionInTurns) {
  for (const int rounds : {1, 3}) {
    const auto x = random<float, 3>({rounds, 96, 32});
    everywhere([&](auto where) {
      auto o = poisoned<float, 3>({rounds, 34, 32}, where);
      in_turns(x.to(where), o, rounds);
      expect_same("groups", o, [&](auto i) {
        if (i[1] >= 32)
          return static_cast<float>(i[1] == 32 ? (96 + i[2]) * i[0] : 3 + i[2] + i[0]);
        const std::int64_t column = 40 + i[2], row = column % 48;
        const float difference = x(i[0], 48 + row, i[1]) * 2.0F - x(i[0], row, i[1]);
        return column < 48 ? -difference : difference;
      });
    });
  }
}

TEST(HopperViews, OtherExtents) {
  const auto x = small_numbers<f16, 2>({128, 64});
  const auto a = make<double, 2>({64, 64}, [&](std::int64_t i) { return wide(x(i / 64, i % 64)); });
  const auto b = make<double, 2>({64, 64}, [&](std::int64_t i) { return wide(x(64 + i / 64, i % 64)); });
  const auto reference = reference_of(a, b);
  for (const std::int64_t at : {0, 1, 3})
    everywhere([&](auto where) {
      auto o = poisoned<float, 2>({64, 64}, where);
      auto rows = make<f16, 3>({3, 16, 32}, [](std::int64_t) { return f16(7.0F); }).to(where);
      reshaped(x.to(where), o, rows, at);
      expect_product<f16>(o, reference);
      expect_same("parts", rows, [&](auto i) {
        const std::int64_t flat = at * 1024 + 17 + i[2];
        return i[0] == 0   ? x(16 * at + i[1], 32 + i[2])
               : i[0] == 1 ? x(48 + i[1], 16 + i[2])
               : i[1] == 0 ? x(flat / 64, flat % 64)
                           : f16(7.0F);
      });
    });
}

namespace {
template <class T, class Entry> void check_plain(Entry entry) {
  const auto x = small_numbers<T, 2>({24, 30});
  everywhere([&](auto where) {
    auto o = poisoned<T, 4>({3, 16, 5, 3}, where);
    auto back = poisoned<T, 2>({15, 48}, where);
    entry(x.to(where), o, back);
    const auto at = [&](std::int64_t place) { return x(place / 30, place % 30); };
    expect_same("view", o, [&](auto i) { return at(((i[0] * 16 + i[1]) * 5 + i[2]) * 3 + i[3]); });
    expect_same("view of the view", back, [&](auto i) { return static_cast<T>(at(i[1] * 15 + i[0]) + 1); });
  });
}
} // namespace

TEST(HopperViews, OtherExtentsOfPlainMemory) {
  check_plain<float>([](auto &&...all) { reshaped_f32(all...); });
  check_plain<std::uint8_t>([](auto &&...all) { reshaped_u8(all...); });
}

TEST(HopperViews, FoldedRows) {
  const auto x = random<float, 2>({24, 32});
  everywhere([&](auto where) {
    auto o = poisoned<float, 2>({24, 32}, where);
    folded(x.to(where), o);
    expect_same("rows", o, [&](auto i) {
      const std::int64_t row = (i[0] * 32 + i[1]) / 24;
      const float value = row >= 8 && row < 24 ? x(i[0], i[1]) * 2.0F : x(i[0], i[1]);
      return i[0] % 3 == 1 ? -value : value;
    });
  });
}

TEST(HopperViews, SplitPanels) {
  const auto x = small_numbers<float, 2>({16, 64});
  everywhere([&](auto where) {
    auto o = poisoned<float, 3>({1, 16, 64}, where);
    auto p = poisoned<float, 2>({16, 32}, where);
    split_panels(x.to(where), o, p);
    expect_same("parts", o, [&](auto i) { return i[2] < 32 ? x(i[1], 32 + i[2]) : 0.0F; });
    expect_same("panels", p, [&](auto i) { return x(i[0], 32 + i[1]) + (i[0] >= 8 ? x(i[0] - 8, i[1]) : 0.0F); });
  });
}

namespace {
std::uint16_t bits_of(f16 value) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
} // namespace

TEST(HopperViews, OtherElements) {
  const auto x = random<f16, 2>({16, 64});
  for (const auto entry : {bits_16, bits_128})
    for (const std::int64_t start : {0, 16})
      everywhere([&](auto where) {
        auto words = poisoned<std::uint32_t, 2>({16, 32}, where);
        auto bytes = poisoned<std::uint8_t, 2>({16, 24}, where);
        auto o = poisoned<f16, 2>({16, 64}, where);
        entry(x.to(where), words, bytes, o, start, {});
        expect_same("words", words, [&](auto i) {
          return bits_of(x(i[0], 2 * i[1])) | static_cast<std::uint32_t>(bits_of(x(i[0], 2 * i[1] + 1))) << 16;
        });
        expect_same("bytes", bytes, [&](auto i) {
          const std::int64_t at = 100 + i[1];
          return static_cast<std::uint8_t>(bits_of(x(i[0], at / 2)) >> 8 * (at % 2));
        });
        expect_same("ones and signs", o, [&](auto i) {
          const bool is_one = i[0] >= 4 && i[0] < 12 && i[1] >= 2 * start && i[1] < 2 * start + 32;
          const float value = is_one ? 1.0F : static_cast<float>(x(i[0], i[1]));
          const bool is_turned = (i[0] < 4 && i[1] >= start && i[1] < start + 8) || i[0] == 15;
          return f16(is_turned ? -value : value);
        });
      });
}

TEST(HopperViews, TheHostLooksAtTheRowsOfCastArrays) {
  if (tegula::device_count() == 0)
    GTEST_SKIP() << "the CPU looks at each view";
  const auto where = tegula::device::gpu();
  const auto x = random<f16, 2>({16, 64}).to(where);
  auto words = poisoned<std::uint32_t, 2>({16, 32}, where);
  auto bytes = poisoned<std::uint8_t, 2>({16, 24}, where);
  auto o = poisoned<f16, 2>({16, 65}, where);
  EXPECT_NE(message_of([&] { bits_16(x, words, bytes, o, 0); }).find("tg::bitcast_ref sees elements of 8 bytes in o"),
            std::string::npos);
}

TEST(HopperViews, PromisesAreKept) {
  const auto x = random<f16, 2>({64, 64});
  for (const std::int64_t start : {0, 16, 48})
    everywhere([&](auto where) {
      auto o = poisoned<f16, 2>({8, 16}, where);
      promised(x.to(where), o, start);
      expect_same("window", o, [&](auto i) { return x(start + i[0], start + i[1]); });
    });
  const auto row = random<float, 1>({131});
  for (const std::int64_t start : {0, 4, 64})
    on_every_device([&](auto where) {
      auto o = poisoned<float, 1>({64}, where);
      promised_rows(row.to(where), o, start);
      expect_same("row", o, [&](auto i) { return row(start + i[0]) * 2; });
    });
}

TEST(HopperViews, BrokenPromisesAreErrorsOnTheCpu) {
  const auto x = random<f16, 2>({64, 64});
  auto o = poisoned<f16, 2>({8, 16}, tegula::device());
  EXPECT_NE(message_of([&] { promised(x, o, 24); }).find("24 is not a multiple of 16, as tg::multiple_of promises"),
            std::string::npos);
}

TEST(HopperViews, LeadersWait) {
  const auto x = small_numbers<float, 3>({2, 8, 64});
  for (const int rounds : {1, 2, 5})
    everywhere([&](auto where) {
      auto o = poisoned<float, 2>({4, 64}, where);
      led(x.to(where), o, rounds);
      expect_same("sums", o, [&](auto i) {
        float sum = 0;
        for (std::int64_t b = 0; b < 4; ++b)
          sum += x(i[0] / 2, 2 * b + i[0] % 2, i[1]);
        return sum * static_cast<float>(rounds * (rounds + 1) / 2);
      });
    });
}

TEST(HopperViews, FollowersDoNotWait) {
  auto o = poisoned<float, 1>({1}, tegula::device());
  EXPECT_NE(message_of([&] { follower_waits(o); }).find("this CTA waits at the leader-tracked barrier 'done'"),
            std::string::npos);
}
