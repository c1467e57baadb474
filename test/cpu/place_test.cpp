// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Refs, tiles and printing of CPU kernels.

#include "tegula/cpu/kernel.h"
#include "tegula/runtime.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tegula::test {
namespace {

constexpr cpu::site here{"kernels.cpp", 12, 7};

template <class F> std::string message_of(F f) {
  try {
    f();
  } catch (const error &thrown) {
    return thrown.what();
  }
  return "(nothing)";
}

static_assert(std::is_convertible_v<array<float, 2>, cpu::ref<const float, 2>>);
static_assert(std::is_convertible_v<buffer<float, 2> &, cpu::ref<float, 2>>);
static_assert(std::is_convertible_v<const buffer<float, 2> &, cpu::ref<const float, 2>>);
static_assert(std::is_convertible_v<cpu::tile<float, 2> &, cpu::ref<float, 2>>);
static_assert(!std::is_convertible_v<const buffer<float, 2> &, cpu::ref<float, 2>>);
static_assert(!std::is_convertible_v<array<const float, 2>, cpu::ref<float, 2>>);
static_assert(!std::is_convertible_v<array<float, 2>, cpu::ref<float, 1>>);

class Places : public testing::Test {
protected:
  Places() { std::iota(std::begin(data), std::end(data), 0); }
  std::int32_t data[60];
  cpu::ref<std::int32_t, 2> whole = array<std::int32_t, 2>(data, {5, 12});
};

// Every window against what it means, index by index.
TEST_F(Places, WindowsAreCutOffAtTheEnd) {
  for (std::int64_t start = 0; start < 16; ++start)
    for (std::int64_t size = -1; size < 16; ++size)
      for (std::int64_t step = 1; step < 5; ++step) {
        const auto window = whole.window(here, 1, start, size, step);
        std::int64_t expected = 0;
        while (expected < size && start + expected * step < 12)
          ++expected;
        ASSERT_EQ(window.dim(1), expected) << start << " " << size << " " << step;
        ASSERT_EQ(window.dim(0), 5);
        for (std::int64_t i = 0; i < 5; ++i)
          for (std::int64_t j = 0; j < expected; ++j)
            ASSERT_EQ(window(i, j), data[i * 12 + start + j * step]);
        ASSERT_TRUE(expected > 0 || window.data() == data);
      }
  EXPECT_EQ(message_of([&] { (void)whole.window(here, 1, 0, 4, 0); }),
            "kernels.cpp:12:7: a slice of dimension 1 has the step 0: a step must be 1 or more; to reverse a tile, use "
            "tg::flip");
  EXPECT_EQ(whole.window(here, 0, INT64_MAX, INT64_MAX).dim(0), 0);
  EXPECT_EQ(whole.window(here, 0, 3, INT64_MAX, INT64_MAX).dim(0), 1);
}

TEST_F(Places, WindowsOfWindows) {
  const auto inner = whole.window(here, 0, 1, 4, 2).window(here, 1, 2, 100, 3).window(here, 1, 1, 2);
  EXPECT_EQ(inner.dims(), (shape<2>{2, 2}));
  EXPECT_EQ(inner(1, 1), data[3 * 12 + 2 + 2 * 3]);
  EXPECT_EQ(inner.select(here, 0, 1)(1), inner(1, 1));
  EXPECT_EQ(inner.select(here, 1, 0).select(here, 0, 1)(), inner(1, 0));
}

TEST_F(Places, WhatIsOutsideIsReportedAtItsPlace) {
  EXPECT_EQ(message_of([&] { (void)whole.window(here, 1, -2, 4); }),
            "kernels.cpp:12:7: a slice of dimension 1 starts at -2, before the array: clamp the start, or mask the "
            "elements out of bounds");
  EXPECT_EQ(message_of([&] { (void)whole.window(here, 1, 0, 4, 0); }),
            "kernels.cpp:12:7: a slice of dimension 1 has the step 0: a step must be 1 or more; to reverse a tile, use "
            "tg::flip");
  EXPECT_EQ(message_of([&] { (void)whole.select(here, 0, 5); }),
            "kernels.cpp:12:7: index 5 is out of bounds of dimension 0, which has 5 elements");
  EXPECT_EQ(message_of([&] { (void)whole.select(here, 1, -1); }),
            "kernels.cpp:12:7: index -1 is out of bounds of dimension 1, which has 12 elements");
}

// What masks reach into, against what it means: nothing is said of an element that the mask does not want.
TEST_F(Places, MasksReachOutside) {
  const cpu::reach outer = cpu::reach(whole).select(here, 0, 2);
  for (std::int64_t start = -6; start < 15; ++start)
    for (std::int64_t size = -1; size < 16; ++size)
      for (std::int64_t inner = -4; inner < 5; ++inner)
        for (std::int64_t innerSize = 0; innerSize < 7; ++innerSize) {
          const auto there = [](std::int64_t dim, std::int64_t from, std::int64_t most) {
            return std::max<std::int64_t>(0, std::min(dim - from, std::max<std::int64_t>(0, most)));
          };
          const std::int64_t dim = there(there(12, start, size), inner, innerSize);
          const auto window = outer.window(here, 0, start, size).window(here, 0, inner, innerSize);
          ASSERT_EQ(window.dim(0), dim) << start << " " << size << " " << inner << " " << innerSize;
          for (std::int64_t i = 0; i < 8; ++i) {
            const std::int64_t within = inner + i; // The outer window is the inner one's array.
            ASSERT_EQ(cpu::load(window, {i}, false, -7), -7);
            if (i >= dim)
              ASSERT_EQ(cpu::load(window, {i}, true, -7), -7);
            else if (within >= 0 && start + within >= 0)
              ASSERT_EQ(cpu::load(window, {i}, true, -7), data[2 * 12 + start + within]);
            else
              ASSERT_NE(message_of([&] { (void)cpu::load(window, {i}, true, -7); }).find("before the array"),
                        std::string::npos);
          }
        }
  for (std::int64_t start = -9; start < 15; ++start)
    for (std::int64_t size = 0; size < 16; ++size)
      for (std::int64_t step = 1; step < 5; ++step) {
        const auto window = outer.window(here, 0, start, size, step);
        std::int64_t dim = 0;
        while (dim < size && start + dim * step < 12)
          ++dim;
        ASSERT_EQ(window.dim(0), dim) << start << " " << size << " " << step;
        for (std::int64_t i = 0; i < 16; ++i)
          if (i >= dim || start + i * step >= 0)
            ASSERT_EQ(cpu::load(window, {i}, true, -7), i < dim ? data[2 * 12 + start + i * step] : -7);
          else
            ASSERT_NE(message_of([&] { (void)cpu::load(window, {i}, true, -7); }).find("before the array"),
                      std::string::npos);
      }
  EXPECT_EQ(outer.window(here, 0, INT64_MIN, INT64_MAX).dim(0), INT64_MAX);
  EXPECT_EQ(outer.window(here, 0, INT64_MAX, INT64_MAX).dim(0), 0);
}

TEST_F(Places, WhatMasksWantOutsideIsReported) {
  for (const std::int64_t row : {-1, 0, 4, 5}) {
    const auto place = cpu::reach(whole).select(here, 0, row).select(here, 0, 3);
    EXPECT_EQ(cpu::load(place, {}, false, -7), -7);
    const bool isThere = row >= 0 && row < 5;
    EXPECT_EQ(message_of([&] { place() = 100; }), isThere
                                                      ? "(nothing)"
                                                      : "kernels.cpp:12:7: index " + std::to_string(row) +
                                                            " is out of bounds of dimension 0, which has 5 elements");
    EXPECT_EQ(cpu::load(cpu::ref(array<std::int32_t, 1>(data, {60})), {std::max<std::int64_t>(0, 12 * row + 3)},
                        isThere, 100),
              100);
  }
  EXPECT_EQ(message_of([&] { (void)cpu::reach(whole).window(here, 1, -2, 4)(0, 1); }),
            "kernels.cpp:12:7: a slice of dimension 1 starts at -2, before the array: clamp the start, or mask the "
            "elements out of bounds");
}

TEST(Tiles, AreValues) {
  cpu::tile<float, 2> a({2, 3}, 1.5F);
  EXPECT_EQ(a.size(), 6);
  cpu::tile<float, 2> b = a;
  b(1, 2) = 7;
  EXPECT_EQ(a(1, 2), 1.5F);
  a = b;
  EXPECT_EQ(a(1, 2), 7);
  b = cpu::tile<float, 2>({0, 3});
  EXPECT_EQ(b.size(), 0);
  const cpu::ref<float, 2> place = a;
  place(0, 0) = 3;
  EXPECT_EQ(std::as_const(a)(0, 0), 3);
  cpu::tile<bool, 0> flag({}, true);
  EXPECT_TRUE(flag());
}

TEST(Print, Elements) {
  EXPECT_EQ(cpu::to_text(true), "true");
  EXPECT_EQ(cpu::to_text(false), "false");
  EXPECT_EQ(cpu::to_text(std::int8_t{-7}), "-7");
  EXPECT_EQ(cpu::to_text(std::uint8_t{65}), "65");
  EXPECT_EQ(cpu::to_text(UINT64_MAX), "18446744073709551615");
  EXPECT_EQ(cpu::to_text(0.1F), "0.1");
  EXPECT_EQ(cpu::to_text(1234567.0F), "1.23457e+06");
  EXPECT_EQ(cpu::to_text(f16(0.333F)), "0.333008");
  EXPECT_EQ(cpu::to_text(bf16(-2.5F)), "-2.5");
  EXPECT_EQ(cpu::to_text(1.0 / 3), "0.333333333333333");
  EXPECT_EQ(cpu::to_text(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(cpu::to_text(std::numeric_limits<float>::quiet_NaN()), "nan");
}

TEST(Print, TilesAndFormats) {
  cpu::tile<std::int32_t, 2> t({2, 3}, 4);
  t(1, 0) = -1;
  EXPECT_EQ(cpu::to_text(t), "[[4, 4, 4], [-1, 4, 4]]");
  EXPECT_EQ(cpu::to_text(t.view().window(here, 1, 0, 0)), "[[], []]");
  EXPECT_EQ(cpu::format("i = {}, x = {}: {}", 3, 0.5F, t), "i = 3, x = 0.5: [[4, 4, 4], [-1, 4, 4]]");
  EXPECT_EQ(cpu::format("100% {} {}", cpu::tile<bool, 0>({}, true)), "100% true {}");
  testing::internal::CaptureStdout();
  cpu::print("row {}", 1);
  cpu::print("100%s");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "row 1\n100%s\n");
}

} // namespace
} // namespace tegula::test
