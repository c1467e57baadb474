// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "large.h"

#include "support.h"

#include <algorithm>

using namespace tegula::test;
using tegula::buffer;

namespace {

/// On the CPU a sixteenth of it, which takes a second.
std::int64_t size_on(tegula::device where) { return std::int64_t{1} << (where.is_gpu() ? 26 : 22); }

/// No whole number of anything, and bits without order: a Weyl sequence, mixed.
buffer<std::uint32_t, 1> mixed(std::int64_t n) {
  auto x = buffer<std::uint32_t, 1>::empty({n});
  for (std::int64_t i = 0; i < n; ++i) {
    std::uint32_t word = static_cast<std::uint32_t>(i) * 0x9e3779b9U;
    word = (word ^ (word >> 15)) * 0x2c1b3c6dU;
    x.data()[i] = word ^ (word >> 13);
  }
  return x;
}

/// Each element of an array against what it is, without a text for it.
template <class Expected>
void expect_each(const char *what, const buffer<std::uint32_t, 1> &result, Expected expected) {
  const auto there = result.to_host();
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < there.size(); ++i)
    wrong += there.data()[i] != expected(i);
  EXPECT_EQ(wrong, 0) << what;
}

} // namespace

TEST(Large, ElementsMove) {
  on_every_device([&](auto where) {
    const auto x = mixed(size_on(where) - 13);
    const std::int64_t n = x.size();
    auto moved = x.to(where);
    shift(moved);
    expect_each("shifted", moved, [&](std::int64_t i) { return x.data()[std::min(i + 1, n - 1)]; });
    expect_each("backwards", backwards(x.to(where)), [&](std::int64_t i) { return x.data()[n - 1 - i]; });
  });
}

TEST(Large, Sums) {
  on_every_device([&](auto where) {
    const auto x = mixed(size_on(where));
    const auto there = x.to(where);
    std::uint32_t sum = 0;
    std::vector<std::int32_t> counts(256);
    expect_each("prefix sums", prefix_sums(there), [&](std::int64_t i) {
      ++counts[x.data()[i] & 255U];
      return sum += x.data()[i];
    });
    const auto *greatest = std::max_element(x.data(), x.data() + x.size());
    const auto all = totals(there);
    expect_same("sum", all.sum, [&](auto) { return sum; });
    expect_same("greatest", all.greatest, [&](auto) { return *greatest; });
    expect_same("place", all.place, [&](auto) { return greatest - x.data(); });
    expect_same("counts", count_bytes(there), [&](auto i) { return counts[static_cast<std::size_t>(i[0])]; });
  });
}

TEST(Large, Order) {
  on_every_device([&](auto where) {
    const auto x = mixed(size_on(where));
    std::vector<std::uint32_t> expected(x.data(), x.data() + x.size());
    std::sort(expected.begin(), expected.end());
    expect_each("sorted", sorted(x.to(where)), [&](std::int64_t i) { return expected[static_cast<std::size_t>(i)]; });
  });
}
