// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fake_driver.h"

#include <gtest/gtest.h>

#include <numeric>
#include <sstream>

namespace tegula::test {
namespace {

static_assert(std::is_convertible_v<array<float, 2>, array<const float, 2>>);
static_assert(!std::is_convertible_v<array<const float, 2>, array<float, 2>>);
static_assert(!std::is_convertible_v<array<float, 2>, array<float, 1>>);
static_assert(!std::is_convertible_v<array<float, 2>, array<const std::int32_t, 2>>);
static_assert(std::is_convertible_v<buffer<float, 2> &, array<float, 2>>);
static_assert(std::is_convertible_v<const buffer<float, 2> &, array<const float, 2>>);
static_assert(!std::is_convertible_v<const buffer<float, 2> &, array<float, 2>>);
static_assert(!std::is_copy_constructible_v<buffer<float, 2>> &&
              std::is_nothrow_move_constructible_v<buffer<float, 2>>);
static_assert(!std::is_constructible_v<shape<2>, int> && !std::is_constructible_v<shape<1>, double>);

class Views : public testing::Test {
protected:
  Views() { std::iota(std::begin(data), std::end(data), 0); }
  std::int32_t data[120];
  array<std::int32_t, 3> whole{data, {4, 5, 6}};
};

TEST_F(Views, DenseIsRowMajor) {
  EXPECT_EQ(whole.strides(), (shape<3>{30, 6, 1}));
  EXPECT_EQ(whole.size(), 120);
  EXPECT_EQ(whole.dim(1), 5);
  EXPECT_EQ(whole.stride(0), 30);
  EXPECT_EQ(whole(1, 2, 3), 45);
  EXPECT_EQ(whole.device(), device::cpu());
  const std::vector<float> values(7);
  EXPECT_EQ((array<const float, 1>(values.data(), {values.size()}).size()), 7);
}

TEST_F(Views, Rank0AndRank6) {
  const array<std::int32_t, 0> one(data + 5, {});
  EXPECT_EQ(one(), 5);
  EXPECT_EQ(one.size(), 1);
  const array<std::int32_t, 6> many(data, {1, 2, 3, 4, 5, 1});
  EXPECT_EQ(many.size(), 120);
  EXPECT_EQ(many(0, 1, 2, 3, 4, 0), 119);
}

TEST_F(Views, SliceSelectPermute) {
  const auto part = whole.slice(1, 1, 2, 3).slice(2, 0, 3, 2);
  EXPECT_EQ(part.dims(), (shape<3>{4, 2, 3}));
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(part(i, j, k), whole(i, 1 + 3 * j, 2 * k));
        EXPECT_EQ(part.permuted(2, 0, 1)(k, i, j), part(i, j, k));
        EXPECT_EQ(part.transpose()(k, j, i), part(i, j, k));
        EXPECT_EQ(part.select(1, j)(i, k), part(i, j, k));
      }
  EXPECT_EQ(whole.select(0, 3).select(0, 4).select(0, 5)(), 119);
  EXPECT_EQ(part.permuted(2, 0, 1).dims(), (shape<3>{3, 4, 2}));
}

TEST_F(Views, EmptySlicesPointInside) {
  const auto none = whole.slice(0, 4, 0);
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(none.data(), whole.data());
  EXPECT_EQ((array<float, 2>(nullptr, {0, 4}).select(1, 3).data()), nullptr);
}

TEST_F(Views, OutOfRange) {
  EXPECT_EQ(message_of([&] { (void)whole.slice(1, 2, 4); }),
            "slice: 4 elements from 2 by steps of 1 are out of bounds of dimension 1 of an array of shape (4, 5, 6)");
  const auto refused = [&](std::int64_t start, std::int64_t size, std::int64_t step) {
    return message_of([&] { (void)whole.slice(2, start, size, step); }) != "(nothing)";
  };
  EXPECT_TRUE(refused(-1, 2, 1));
  EXPECT_TRUE(refused(0, -1, 1));
  EXPECT_TRUE(refused(0, 2, 0));
  EXPECT_TRUE(refused(0, 2, 6));
  EXPECT_TRUE(refused(6, 1, 1));
  EXPECT_TRUE(refused(7, 0, 1));
  EXPECT_TRUE(refused(1, INT64_MAX, INT64_MAX));
  EXPECT_FALSE(refused(6, 0, 1));
  EXPECT_FALSE(refused(0, 2, 5));
  EXPECT_FALSE(refused(5, 1, INT64_MAX));
  EXPECT_EQ(message_of([&] { (void)whole.slice(3, 0, 1); }), "slice: axis 3 of an array of rank 3");
  EXPECT_EQ(message_of([&] { (void)whole.select(0, 4); }),
            "select: index 4 is out of bounds of dimension 0 of an array of shape (4, 5, 6)");
  EXPECT_EQ(message_of([&] { (void)whole.select(-1, 0); }), "select: axis -1 of an array of rank 3");
  EXPECT_EQ(message_of([&] { (void)whole.permuted(0, 1, 1); }),
            "permuted: (0, 1, 1) is not a permutation of the axes of an array of rank 3");
  EXPECT_EQ(message_of([&] { (void)whole.permuted(0, 1, 3); }),
            "permuted: (0, 1, 3) is not a permutation of the axes of an array of rank 3");
}

TEST_F(Views, StayOnTheirDevice) {
  const array<std::int32_t, 2> there(data, {10, 12}, device::gpu(3));
  EXPECT_EQ(there.slice(0, 1, 2).select(0, 0).device(), device::gpu(3));
  EXPECT_EQ((array<const std::int32_t, 2>(there).transpose().device()), device::gpu(3));
}

TEST(Devices, PrintAndCompare) {
  std::ostringstream text;
  text << device::cpu() << " " << device::gpu(2);
  EXPECT_EQ(text.str(), "cpu gpu:2");
  EXPECT_EQ(device(), device::cpu());
  EXPECT_NE(device::gpu(0), device::cpu());
  EXPECT_NE(device::gpu(-1), device::cpu()); // an ordinal that went wrong does not become the CPU
  EXPECT_TRUE(device::gpu(-1).is_gpu());
}

} // namespace
} // namespace tegula::test
