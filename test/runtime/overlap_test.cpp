// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "overlap.h"

#include "fake_driver.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <set>

namespace tegula::test {
namespace {

using runtime::share_memory;

template <class T> T *at(std::uintptr_t address) { return reinterpret_cast<T *>(address); }

template <class A, class B> bool share(const A &a, const B &b) {
  const bool result = share_memory(abi::view_of(a), abi::view_of(b));
  EXPECT_EQ(result, share_memory(abi::view_of(b), abi::view_of(a)));
  return result;
}

TEST(Overlap, EvenAndOddElements) {
  const array<const float, 1> even(at<float>(0x1000), {100}, {2}), odd(at<float>(0x1004), {100}, {2});
  const array<const float, 1> third(at<float>(0x1008), {60}, {3});
  EXPECT_TRUE(share(even, even));
  EXPECT_FALSE(share(even, odd));
  EXPECT_TRUE(share(odd, third));
  // A byte of an element is enough.
  const array<const std::uint8_t, 1> bytes(at<std::uint8_t>(0x1007), {10}, {8});
  EXPECT_TRUE(share(bytes, odd));
  EXPECT_FALSE(share(bytes, even));
}

TEST(Overlap, ColumnsOfAMatrix) {
  constexpr std::int64_t rows = 1 << 20, columns = 4096;
  const array<const bf16, 2> left(at<bf16>(0x1000), {rows, 1000}, {columns, 1});
  const array<const bf16, 2> right(at<bf16>(0x1000 + 2000), {rows, columns - 1000}, {columns, 1});
  const array<const bf16, 2> wider(at<bf16>(0x1000 + 1998), {rows, 2}, {columns, 1});
  EXPECT_FALSE(share(left, right));
  EXPECT_TRUE(share(left, wider));
  EXPECT_TRUE(share(right, wider));
  // Blocks of a batch, transposed.
  const array<const bf16, 3> block(at<bf16>(0x1000), {8, 64, 64}, {1 << 20, 1, columns});
  const array<const bf16, 3> beside(at<bf16>(0x1000 + 128), {8, 64, 64}, {1 << 20, columns, 1});
  const array<const bf16, 3> below(at<bf16>(0x1000 + 63 * 2 * columns), {8, 64, 64}, {1 << 20, columns, 1});
  EXPECT_FALSE(share(block, beside));
  EXPECT_TRUE(share(block, below));
}

TEST(Overlap, EmptyAndHugeViews) {
  const array<const float, 2> none(at<float>(0x1000), {0, 8}), some(at<float>(0x1000), {8, 8});
  EXPECT_FALSE(share(none, some));
  // 2^61 bytes: taken for shared, without an overflow.
  const array<const double, 1> even(at<double>(0x1000), {(std::int64_t{1} << 57) + 1}, {2});
  const array<const double, 1> odd(at<double>(0x1008), {(std::int64_t{1} << 57) + 1}, {2});
  EXPECT_TRUE(share(even, odd));
}

// What strides of all kinds make it search ends, and errs on one side.
TEST(Overlap, TheSearchIsBounded) {
  const shape<6> dims{1000, 1000, 1000, 1000, 1000, 1000}, strides{30030, 39270, 46410, 51870, 53130, 58786};
  const array<const float, 6> a(at<float>(0x1000), dims, strides), b(at<float>(0x1002), dims, strides);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 100; ++i)
    EXPECT_TRUE(share(a, b));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

/// A view of up to 4 dimensions, somewhere in a little memory.
struct random_view {
  std::int64_t dims[4], strides[4];
  int rank, element_size;
  std::uintptr_t address;

  explicit random_view(std::mt19937 &random) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    rank = below(5);
    element_size = 1 << below(4);
    address = 0x1000 + static_cast<std::uintptr_t>(below(40));
    for (int i = 0; i < rank; ++i) {
      dims[i] = below(12) == 0 ? 0 : 1 + below(4);
      strides[i] = below(3) == 0 ? below(4) : below(25);
    }
  }
  abi::view view() const { return {at<void>(address), dims, strides, rank, element_size, device::cpu()}; }
  std::set<std::uintptr_t> bytes() const {
    std::set<std::uintptr_t> result;
    std::int64_t count = 1;
    for (int i = 0; i < rank; ++i)
      count *= dims[i];
    for (std::int64_t number = 0; number < count; ++number) {
      std::int64_t rest = number, offset = 0;
      for (int i = 0; i < rank; ++i) {
        offset += rest % dims[i] * strides[i];
        rest /= dims[i];
      }
      for (int byte = 0; byte < element_size; ++byte)
        result.insert(address + static_cast<std::uintptr_t>(offset * element_size + byte));
    }
    return result;
  }
};

TEST(Overlap, IsThatOfTheSetsOfBytes) {
  std::mt19937 random(11);
  int shared = 0, apart = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const random_view a(random), b(random);
    const std::set<std::uintptr_t> left = a.bytes(), right = b.bytes();
    const bool expected =
        std::any_of(left.begin(), left.end(), [&](std::uintptr_t byte) { return right.count(byte) != 0; });
    ASSERT_EQ(share_memory(a.view(), b.view()), expected) << "trial " << trial;
    // Those whose ranges meet, only, are of interest.
    if (!left.empty() && !right.empty() && *left.begin() <= *right.rbegin() && *right.begin() <= *left.rbegin())
      ++(expected ? shared : apart);
  }
  EXPECT_GT(shared, 2000);
  EXPECT_GT(apart, 200);
}

TEST(Overlap, CallsTakeViewsThatAreApart) {
  const stream on;
  const abi::call call("entry", on);
  const array<const float, 1> even(at<float>(0x1000), {100}, {2}), all(at<float>(0x1000), {200});
  const array<float, 1> odd(at<float>(0x1004), {100}, {2});
  EXPECT_EQ(message_of([&] { call.no_overlap({abi::reads("even", even), abi::writes("odd", odd)}); }), "(nothing)");
  EXPECT_EQ(message_of([&] { call.no_overlap({abi::reads("all", all), abi::writes("odd", odd)}); }),
            "entry: 'odd' is written and shares memory with 'all': an array that a launch writes must not overlap its "
            "other arrays, copy one of the two");
}

} // namespace
} // namespace tegula::test
