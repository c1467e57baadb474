// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of elements that are packed two to a byte.

#include "fake_driver.h"

#include "tegula/abi.h"
#include "tegula/cpu/kernel.h"

#include <gtest/gtest.h>

namespace tegula::test {
namespace {

static_assert(is_packed<s4> && is_packed<const e2m1> && !is_packed<e8m0> && !is_packed<bool>);
static_assert(std::is_same_v<pointer_t<const float>, const float *> && std::is_same_v<reference_t<float>, float &>);
static_assert(std::is_convertible_v<array<s4, 2>, array<const s4, 2>>);
static_assert(!std::is_convertible_v<array<const s4, 2>, array<s4, 2>>);
static_assert(bytes_of<s4>(shape<2>{3, 7}) == 12 && bytes_of<float>(shape<2>{3, 7}) == 84);
static_assert(bytes_of<s4>(shape<2>{3, 0}) == 0 && bytes_of<s4>(shape<0>{}) == 1);

buffer<s4, 2> counted(const shape<2> &dims) {
  auto result = buffer<s4, 2>::empty(dims);
  for (std::int64_t i = 0; i < dims[0]; ++i)
    for (std::int64_t j = 0; j < dims[1]; ++j)
      result(i, j) = s4(i * 5 + j);
  return result;
}

TEST(Packed, RowsBeginWithBytes) {
  std::uint8_t bytes[] = {0x21, 0x43, 0xf5, 0x87, 0xa9, 0xeb};
  const array<const u4, 2> x(packed_pointer<const u4>(bytes), {2, 5});
  EXPECT_EQ(x.strides(), (shape<2>{6, 1}));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 5; ++j)
      EXPECT_EQ(static_cast<int>(x(i, j)), i == 0 ? j + 1 : j + 7);
  const array<s4, 1> y(packed_pointer<s4>(bytes), {3});
  y(1) = s4(-3);
  EXPECT_EQ(bytes[0], 0xd1); // The lower half is another element's.
  y(2) = y(1);
  EXPECT_EQ(bytes[1], 0x4d);
  EXPECT_EQ(static_cast<int>(y(2)), -3);
}

TEST(Packed, PointersCountElements) {
  std::uint8_t bytes[4] = {};
  const packed_pointer<e2m1> first(bytes);
  for (std::int64_t i = 0; i < 8; ++i)
    for (std::int64_t j = 0; j < 8; ++j) {
      EXPECT_EQ((first + i) - (first + j), i - j);
      EXPECT_EQ((first + i) + (j - i), first + j);
      EXPECT_EQ((first + i) == (first + j), i == j);
    }
  EXPECT_EQ((first + 3).bytes(), bytes + 1);
  EXPECT_TRUE((first + 3).is_upper());
  const packed_pointer<const e2m1> from_const = first + 5;
  EXPECT_EQ(pointer_to<const e2m1>(from_const[0]), from_const);
  EXPECT_EQ(packed_pointer<e2m1>(), nullptr);
}

TEST(Packed, ViewsAreOfElements) {
  const auto x = counted({4, 9});
  const auto part = x.view().slice(1, 3, 5).slice(0, 1, 2);
  const auto row = x.view().select(0, 2);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 5; ++j) {
      EXPECT_EQ(static_cast<int>(part(i, j)), static_cast<int>(x(i + 1, j + 3)));
      EXPECT_EQ(static_cast<int>(part.transpose()(j, i)), static_cast<int>(part(i, j)));
      EXPECT_EQ(static_cast<int>(row(j)), static_cast<int>(x(2, j)));
    }
}

TEST(Packed, CopiesMoveRowsOfBytes) {
  const auto x = counted({5, 9});
  const auto part = to(x.view().slice(1, 2, 5).slice(0, 1, 3), device::cpu());
  EXPECT_EQ(part.strides(), (shape<2>{6, 1}));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 5; ++j)
      EXPECT_EQ(static_cast<int>(part(i, j)), static_cast<int>(x(i + 1, j + 2)));
  EXPECT_EQ(to(x.view().slice(0, 0, 0), device::cpu()).size(), 0);
}

TEST(Packed, CopiesRefuseHalvesOfBytes) {
  const auto x = counted({5, 9});
  try {
    to(x.view().slice(1, 1, 4), device::cpu());
    FAIL();
  } catch (const error &thrown) {
    EXPECT_STREQ(thrown.what(), "to: the array of shape (5, 4) and strides (10, 1) packs two elements per byte, but "
                                "its rows do not begin at whole bytes: the last stride must be 1, the others even, and "
                                "a slice of the last dimension must begin at an even index");
  }
}

/// Two elements of a byte are one place for a GPU, which stores bytes.
TEST(Packed, OverlapIsOfBytes) {
  auto x = counted({4, 12});
  const stream none;
  abi::call call("f", none);
  const auto overlaps = [&](const array<s4, 2> &a, const array<s4, 2> &b) {
    try {
      call.no_overlap({abi::writes("a", a), abi::reads("b", b)});
    } catch (const error &) {
      return true;
    }
    return false;
  };
  const array<s4, 2> whole = x;
  EXPECT_FALSE(overlaps(whole.slice(1, 0, 4), whole.slice(1, 4, 8)));
  EXPECT_TRUE(overlaps(whole.slice(1, 0, 5), whole.slice(1, 4, 8)));
  EXPECT_FALSE(overlaps(whole.slice(0, 0, 2), whole.slice(0, 2, 2)));
  EXPECT_FALSE(overlaps(whole.slice(0, 0, 2, 2), whole.slice(0, 1, 2, 2)));
  EXPECT_TRUE(overlaps(whole.slice(0, 0, 3), whole.slice(0, 2, 2)));
}

TEST(Packed, DenseIsOfBytes) {
  alignas(16) std::uint8_t bytes[256] = {};
  const packed_pointer<s4> first(bytes);
  EXPECT_TRUE(abi::dense(16, array<s4, 2>(first, {3, 32})));
  EXPECT_TRUE(abi::dense(8, array<s4, 2>(first, {3, 16})));
  EXPECT_FALSE(abi::dense(16, array<s4, 2>(first, {3, 16})));
  EXPECT_TRUE(abi::dense(16, array<s4, 2>(first, {3, 7}, {64, 1})));
  EXPECT_FALSE(abi::dense(16, array<s4, 2>(first + 16, {3, 32})));
  EXPECT_TRUE(abi::dense(1, array<s4, 2>(first, {3, 7})));
  EXPECT_EQ(abi::flat(array<s4, 2>(first, {3, 8})).strides(), (shape<1>{1}));
  EXPECT_EQ(abi::flat(array<s4, 2>(first, {3, 7})).strides(), (shape<1>{0})); // Rows end with padding.
}

TEST(Packed, TilesAndRefs) {
  cpu::tile<u4, 2> tile({3, 5}, u4(9));
  EXPECT_EQ(static_cast<int>(tile(2, 4)), 9);
  tile(1, 3) = u4(4);
  const cpu::tile<u4, 2> other = tile;
  EXPECT_EQ(static_cast<int>(other(1, 3)), 4);
  EXPECT_EQ(static_cast<int>(other(1, 2)), 9);
  const auto window = other.view().window({"", 0, 0}, 1, 3, 4);
  EXPECT_EQ(window.dim(1), 2);
  EXPECT_EQ(static_cast<int>(window(1, 0)), 4);
  EXPECT_EQ(cpu::cast<float>(window(1, 1)), 9);
  EXPECT_EQ(static_cast<int>(cpu::where(true, window(1, 0), u4(1))), 4);
  EXPECT_EQ(static_cast<int>(cpu::where(false, window(1, 0), window(1, 1))), 9);
  EXPECT_EQ(cpu::to_text(window.select({"", 0, 0}, 0, 1)), "[4, 9]");
}

/// What CPU kernels look at while they run tells the elements of a byte apart.
TEST(Packed, ChecksAreOfElements) {
  auto x = counted({2, 3});
  const cpu::ref<s4, 2> place = x;
  cpu::written written(place);
  for (int j = 0; j < 3; ++j)
    written.add(place(0, j));
  written.add(place(1, 0));
  written.add(place(1, 2));
  try {
    written.check({"k.cpp", 1, 2}, "f", "x", {});
    FAIL();
  } catch (const error &thrown) {
    EXPECT_NE(std::string(thrown.what())
                  .find("1 of the 6 elements of its block of x, which is tg::out; the first of them "
                        "is x[1, 1]:"),
              std::string::npos)
        << thrown.what();
  }
  cpu::races races(place, "f", "x", {2}, {{"k.cpp", 1, 2}, {"k.cpp", 3, 4}});
  races.begin_program();
  races.store(0, place(1, 1));
  races.begin_program();
  races.load(1, place(1, 0));
  EXPECT_THROW(races.load(1, place(1, 1)), error);
}

} // namespace
} // namespace tegula::test
