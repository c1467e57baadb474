// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "layout/TiledLayout.h"
#include "LayoutTestSupport.h"
#include "layout/NamedLayouts.h"

using namespace tegula::layout;

namespace {

/// The accumulator of wgmma.
Tiling ofWgmma() { return {{{64, 8}, {16, 8}, {8, 8}, {2}}, {{-7}}, {{-3}, {-2}}, -1}; }

TEST(TiledLayout, SaysWhatTheLayoutsOfTensorCoresAre) {
  const int64_t shape[] = {64, 64};
  auto check = [&](LayoutName name, const Tiling &tiling) {
    Expected<DistributedLayout> layout = tiledLayout(tiling);
    ASSERT_TRUE(layout) << layout.message();
    EXPECT_EQ(*layout, *namedLayout(name, shape, 8, 0)) << layout->str();
  };
  check(LayoutName::wgmma, ofWgmma());
  check(LayoutName::wgmmaUpcast4x, {{{64, 32}, {16, 32}, {8, 32}, {8}}, {{-7}}, {{-3}, {-2}}, -1});
  check(LayoutName::wgmmaUpcast2x, {{{64, 16}, {16, 16}, {8, 16}, {8}, {4}}, {{-8}}, {{-4}, {-2}, {-3}}, -1});
}

TEST(TiledLayout, HasRegistersRowMajorAboveTheNeighbours) {
  // Lanes along rows of 32, warps along planes of 4; a thread has 2 x 4, of which 2 are neighbours along rows.
  Expected<DistributedLayout> layout = tiledLayout({{{8, 4, 32}, {2, 4, 1}}, {{-6}}, {{-4}}, -3});
  ASSERT_TRUE(layout) << layout.message();
  EXPECT_EQ(layout->str(),
            "linear<register [(1, 0, 0), (0, 1, 0), (0, 2, 0)], lane [(0, 0, 1), (0, 0, 2), (0, 0, 4), (0, 0, 8), "
            "(0, 0, 16)], warp [(2, 0, 0), (4, 0, 0)] -> (d0 8, d1 4, d2 32)>");
}

TEST(TiledLayout, LeavesCopiesWhereItIsToldTo) {
  Expected<DistributedLayout> layout = tiledLayout({{{16}, {2}}, {{0, 4}}, {{0, 4}, {-2}}, -1});
  ASSERT_TRUE(layout) << layout.message();
  EXPECT_EQ(layout->str(), "blocked<[2], lanes [8] x4, warps [1] x4>");
}

void expectFailure(const Tiling &tiling, const std::string &message) {
  Expected<DistributedLayout> layout = tiledLayout(tiling);
  ASSERT_FALSE(layout);
  EXPECT_EQ(layout.message(), message);
}

TEST(TiledLayout, IsAPermutationOverAllThreads) {
  expectFailure({}, "it has no tile");
  expectFailure({{{48, 8}}, {}, {}}, "an extent of a tile is a power of two, not 48");
  Tiling tiling = ofWgmma();
  tiling.tiles[1] = {3, 8};
  expectFailure(tiling, "a tile of 3 does not divide one of 64");
  tiling.tiles[1] = {128, 8};
  expectFailure(tiling, "a tile of 128 does not divide one of 64");
  tiling.tiles[1] = {1, 16, 8};
  expectFailure(tiling, "a tile of 3 dimensions divides 2");
  tiling = ofWgmma();
  tiling.lanes = {{-3}, {-7}};
  expectFailure(tiling, ".warp_dims names -7, which .lane_dims names, too");
  tiling.lanes = {{-3}, {-1}};
  expectFailure(tiling, ".lane_dims names -1, which .vector_dim names, too");
  tiling.lanes = {{-3}, {-8}};
  expectFailure(tiling, ".lane_dims names -8: the 7 dimensions of the tiling count back from the last, -1 to -7");
  tiling.lanes = {{-3}, {1}};
  expectFailure(tiling, ".lane_dims names 1: the 7 dimensions of the tiling count back from the last, -1 to -7");
  tiling.lanes = {{-3}};
  expectFailure(tiling, ".lane_dims has 8 places in all, and needs 32");
  tiling.lanes = {{-3}, {0, 3}};
  expectFailure(tiling, "a number of copies is a power of two, not 3");
  tiling = ofWgmma();
  tiling.warps = {};
  expectFailure(tiling, ".warp_dims has 1 places in all, and needs 4");
}

} // namespace
