// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "layout/NamedLayouts.h"
#include "LayoutTestSupport.h"
#include "layout/Relayout.h"

using namespace tegula::layout;

namespace {

/// Of each element: who has it, and as which of the neighbours that a thread has.
struct Owner {
  int64_t warp, lane, neighbour;
};

/// Checks a layout against a formula for the owner of (row, column), on a tile of several base tiles.
template <class OwnerOf>
void check(LayoutName name, int64_t rows, int64_t columns, int64_t bits, int64_t neighbours, OwnerOf ownerOf,
           int64_t parameter = 0) {
  SCOPED_TRACE("layout " + std::to_string(static_cast<int>(name)));
  const int64_t shape[] = {rows, columns};
  Expected<DistributedLayout> layout = namedLayout(name, shape, bits, parameter);
  ASSERT_TRUE(layout) << layout.message();
  Expected<Placement> placed = layout->on(shape);
  ASSERT_TRUE(placed) << placed.message();
  EXPECT_EQ(placed->registersPerThread(), rows * columns / 128);
  for (int64_t thread = 0; thread < 128; ++thread)
    for (int64_t reg = 0; reg < placed->registersPerThread(); ++reg) {
      Coordinate at = placed->coordinate(reg, thread);
      Owner owner = ownerOf(at[0], at[1]);
      ASSERT_EQ(owner.warp * 32 + owner.lane, thread) << at[0] << ", " << at[1];
      ASSERT_EQ(owner.neighbour, reg % neighbours) << at[0] << ", " << at[1];
    }
}

TEST(NamedLayouts, AreThoseOfTheTensorCores) {
  auto warp = [](int64_t r) { return r % 64 / 16; };
  check(LayoutName::wgmma, 128, 24, 32, 2,
        [&](int64_t r, int64_t c) { return Owner{warp(r), r % 8 * 4 + c % 8 / 2, c % 2}; });
  check(LayoutName::wgmma8Bit, 64, 48, 8, 4,
        [&](int64_t r, int64_t c) { return Owner{warp(r), r % 8 * 4 + c % 16 / 4, c % 4}; });
  check(LayoutName::wgmmaUpcast2x, 64, 48, 8, 4,
        [&](int64_t r, int64_t c) { return Owner{warp(r), r % 8 * 4 + c / 4 % 2 * 2 + c / 8 % 2, c % 4}; });
  check(LayoutName::wgmmaUpcast4x, 64, 96, 8, 8,
        [&](int64_t r, int64_t c) { return Owner{warp(r), r % 8 * 4 + c % 32 / 8, c % 8}; });
  check(LayoutName::wgmmaTransposed, 64, 24, 16, 2,
        [&](int64_t r, int64_t c) { return Owner{warp(r), r % 8 / 2 * 8 + c % 2 * 4 + c % 8 / 2, r % 2}; });
  for (int64_t bits : {8, 16, 32}) {
    int64_t e = 32 / bits;
    check(LayoutName::mmaLeft, 64, 48 * e, bits, e,
          [&](int64_t r, int64_t c) { return Owner{warp(r), r % 8 * 4 + c % (4 * e) / e, c % e}; });
  }
}

TEST(NamedLayouts, EachWarpHasARightFactor) {
  for (int64_t bits : {8, 16, 32}) {
    int64_t e = 32 / bits;
    const int64_t shape[] = {16 * e, 24};
    Expected<DistributedLayout> layout = namedLayout(LayoutName::mmaRight, shape, bits, 0);
    ASSERT_TRUE(layout) << layout.message();
    Placement placed = *layout->on(shape);
    EXPECT_EQ(placed.registersPerThread(), 16 * e * 24 / 32);
    for (int64_t thread = 0; thread < 128; ++thread)
      for (int64_t reg = 0; reg < placed.registersPerThread(); ++reg) {
        Coordinate at = placed.coordinate(reg, thread);
        ASSERT_EQ(at[1] % 8 * 4 + at[0] % (4 * e) / e, thread % 32);
        ASSERT_EQ(at[0] % e, reg % e);
      }
  }
}

TEST(NamedLayouts, Strided) {
  check(LayoutName::wgStrided, 64, 32, 32, 2,
        [](int64_t r, int64_t c) { return Owner{(r * 32 + c) / 64 % 4, (r * 32 + c) / 2 % 32, c % 2}; });
  check(
      LayoutName::wgStrided, 16, 64, 16, 8,
      [](int64_t r, int64_t c) { return Owner{(r * 64 + c) / 256 % 4, (r * 64 + c) / 8 % 32, c % 8}; }, 8);
}

/// 8 lanes have a row of 128 bytes, a warp 8 such rows.
TEST(NamedLayouts, Copies) {
  check(
      LayoutName::sharedGlobalCopy, 16, 256, 16, 8,
      [](int64_t r, int64_t c) { return Owner{c / 64, r % 4 * 8 + c % 64 / 8, c % 8}; }, 128);
  check(
      LayoutName::sharedGlobalCopy, 32, 64, 16, 8,
      [](int64_t r, int64_t c) { return Owner{r / 8 % 2 * 2 + c / 32, r % 8 * 4 + c % 32 / 8, c % 8}; }, 64);
}

/// What is widened comes to the tensor cores by a shuffle for each register, or two, and never leaves its quad.
TEST(NamedLayouts, WidenedElementsStayInTheirQuads) {
  const int64_t shape[] = {64, 64};
  Placement to = *DistributedLayout::wgmmaAccumulator().on(shape);
  auto shuffles = [&](LayoutName name, int64_t bits) {
    Placement from = *(*namedLayout(name, shape, bits, 0)).on(shape);
    Relayout plan = planRelayout(from, to, bits, 1 << 16);
    return plan.warp ? plan.warp->shuffles() : -1;
  };
  EXPECT_GT(shuffles(LayoutName::wgmmaUpcast2x, 16), 0);
  EXPECT_LE(shuffles(LayoutName::wgmmaUpcast2x, 16), 16); // 32 elements, two to a register
  EXPECT_GT(shuffles(LayoutName::wgmmaUpcast4x, 16), 0);
  EXPECT_GT(shuffles(LayoutName::wgmmaTransposed, 32), 0);
}

void refuse(LayoutName name, std::vector<int64_t> shape, int64_t bits, int64_t parameter, const std::string &why) {
  Expected<DistributedLayout> layout = namedLayout(name, shape, bits, parameter);
  ASSERT_FALSE(layout);
  EXPECT_EQ(layout.message(), why);
}

TEST(NamedLayouts, FitTheirTiles) {
  refuse(LayoutName::wgmma, {32, 64}, 32, 0, "dimension 0 has 32 elements, not a multiple of 64");
  refuse(LayoutName::wgmmaUpcast4x, {64, 48}, 8, 0, "dimension 1 has 48 elements, not a multiple of 32");
  refuse(LayoutName::wgmma, {64}, 32, 0, "this is a layout of matrices only");
  refuse(LayoutName::mmaLeft, {64, 64}, 64, 0, "elements of 64 bits do not have this layout");
  refuse(LayoutName::wgStrided, {64}, 32, 0,
         "the number of elements, 64, is not a multiple of the 128 that 128 lanes have with 1 each");
  refuse(LayoutName::wgStrided, {64, 64}, 32, 3,
         "the number of contiguous elements of each lane must be a power of two, not 3");
  refuse(LayoutName::sharedGlobalCopy, {64, 64}, 16, 32, "rows are copied in chunks of 64 or 128 bytes, not of 32");
  refuse(LayoutName::sharedGlobalCopy, {64, 48}, 16, 128, "rows of 48 elements do not divide into chunks of 128 bytes");
}

TEST(NamedLayouts, AreDescribed) {
  const DistributedLayout sums = DistributedLayout::wgmmaAccumulator();
  EXPECT_EQ(describe(sums, 32), "wgmma");
  EXPECT_EQ(describe(sums.withoutDim(1), 32), "wgmma.reduce(1)");
  EXPECT_EQ(describe(sums.withoutDim(0), 32), "wgmma.reduce(0)");
  EXPECT_EQ(describe(wgmmaFactor(1), 8), "wgmma_8bit");
  EXPECT_EQ(describe(wgmmaFactor(2), 16), "wgmma");
  EXPECT_EQ(describe(wgmmaFactor(4), 32), "mma_lhs");
  const int64_t shape[] = {64, 64};
  EXPECT_EQ(describe(*DistributedLayout::blocked(shape, 128, 4), 32), DistributedLayout::blocked(shape, 128, 4)->str());
}

} // namespace
