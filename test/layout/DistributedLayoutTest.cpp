// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayoutTestSupport.h"

#include <unordered_set>

using namespace tegula::layout;

namespace {

std::string parseError(std::string_view text) {
  Expected<DistributedLayout> layout = DistributedLayout::parse(text);
  EXPECT_FALSE(layout) << layout->str();
  return layout ? "" : layout.message();
}

TEST(DistributedLayout, TextsAreCanonical) {
  for (const char *text : {
           "blocked<[1, 4], lanes [1, 32], warps [2, 4]>",
           "blocked<[4], lanes [32]>",
           "blocked<[1], lanes [1]>",
           "blocked<[4], lanes [2] x16, warps [1] x4>",
           "blocked<[2, 1, 1, 1, 1, 8], lanes [1, 1, 1, 4, 2, 1] x2>",
           "blocked<[], lanes []>",
           "blocked<[], lanes [] x32, warps [] x32>",
           "wgmma",
           "linear<register [(0, 1), (16, 0)], lane [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp [(8, 0), (32, 0)] "
           "-> "
           "(d0 64, d1 8)>",
           "linear<register [], lane [(0), (1)], warp [] -> (d0 2)>",
       }) {
    DistributedLayout layout = parsedLayout(text);
    EXPECT_EQ(layout.str(), text);
    EXPECT_EQ(layout.asBlocked().has_value(), std::string_view(text).starts_with("blocked"));
    // The general form is read for any layout, and is the same layout.
    DistributedLayout general = parsedLayout("linear<" + layout.map().str() + ">");
    EXPECT_EQ(general, layout);
    EXPECT_EQ(general.hash(), layout.hash());
    EXPECT_EQ(general.str(), text);
  }
  EXPECT_EQ(parsedLayout(" blocked< [1,4],lanes [1,8]x 4 , warps[1,1] > ").str(), "blocked<[1, 4], lanes [1, 8] x4>");
}

TEST(DistributedLayout, TheAccumulatorOfWgmma) {
  // PTX ISA, wgmma, "Register Fragments": lane 4 r + c has rows r and r + 8 of its warp's 16, columns 2 c and 2 c + 1.
  DistributedLayout layout = DistributedLayout::wgmmaAccumulator();
  const int64_t shape[] = {64, 256};
  Expected<Placement> placement = layout.on(shape);
  ASSERT_TRUE(placement);
  EXPECT_EQ(placement->registersPerThread(), 128);
  for (int64_t warp = 0; warp < 4; ++warp)
    for (int64_t lane = 0; lane < 32; ++lane)
      for (int64_t reg = 0; reg < 128; ++reg)
        EXPECT_EQ(placement->coordinate(reg, 32 * warp + lane),
                  (Coordinate{16 * warp + lane / 4 + reg / 2 % 2 * 8, reg / 4 * 8 + lane % 4 * 2 + reg % 2}));
}

TEST(DistributedLayout, BlockedMeansNestedBoxes) {
  DistributedLayout layout = parsedLayout("blocked<[1, 4], lanes [4, 8], warps [2, 4]>");
  EXPECT_EQ(layout.map().str(), "register [(0, 1), (0, 2)], lane [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], "
                                "warp [(0, 32), (0, 64), (4, 0)] -> (d0 8, d1 128)");
  EXPECT_EQ(layout.lanes(), 32u);
  EXPECT_EQ(layout.warps(), 8u);
  EXPECT_EQ(layout.groupThreads(), 256u);
  EXPECT_EQ(layout.rank(), 2u);
  EXPECT_EQ(*layout.asBlocked(), (BlockedSpec{{1, 4}, {4, 8}, {2, 4}}));
}

TEST(DistributedLayout, WithAndWithoutDims) {
  DistributedLayout layout = parsedLayout("blocked<[2, 4], lanes [4, 8], warps [2, 2]>");
  EXPECT_EQ(layout.withoutDim(0).str(), "blocked<[4], lanes [8] x4, warps [2] x2>");
  // The lanes that differ in the column are the low ones, so the copies are not what `blocked` describes.
  EXPECT_EQ(layout.withoutDim(1).str(),
            "linear<register [(1)], lane [(0), (0), (0), (2), (4)], warp [(0), (8)] -> (d0 16)>");
  EXPECT_EQ(layout.withoutDim(0).withoutDim(0).str(), "blocked<[], lanes [] x32, warps [] x4>");
  for (unsigned dim = 0; dim <= 2; ++dim) {
    Expected<DistributedLayout> grown = layout.withUnitDim(dim);
    ASSERT_TRUE(grown) << grown.message();
    EXPECT_EQ(grown->withoutDim(dim), layout);
    EXPECT_EQ(grown->map().outs()[dim].size(), 1u);
  }
  EXPECT_EQ(layout.withUnitDim(1)->str(), "blocked<[2, 1, 4], lanes [4, 1, 8], warps [2, 1, 2]>");
  DistributedLayout full = parsedLayout("blocked<[1, 1, 1, 1, 1, 1], lanes [1, 1, 1, 1, 1, 1]>");
  EXPECT_EQ(full.withUnitDim(0).message(), "a tile has at most 6 dimensions, not 7");
}

TEST(DistributedLayout, HashTellsApart) {
  std::unordered_set<DistributedLayout> layouts;
  int made = 0;
  for (int64_t group = 1; group <= 1024; group *= 2)
    for (int64_t vector = 1; vector <= 16; vector *= 2) {
      Shape flat = {65536}, square = {256, 256};
      for (const Shape &shape : {flat, square}) {
        Expected<DistributedLayout> layout = DistributedLayout::blocked(shape, group, vector);
        ASSERT_TRUE(layout) << layout.message();
        layouts.insert(*layout);
        layouts.insert(parsedLayout(layout->str()));
        ++made;
      }
    }
  EXPECT_EQ(layouts.size(), static_cast<size_t>(made));
}

TEST(DistributedLayout, ErrorsOfTexts) {
  EXPECT_EQ(parseError("striped<[4]>"), "expected 'blocked' at offset 0 of 'striped<[4]>'");
  EXPECT_EQ(parseError("blocked<[4], lanes [32]"), "expected '>' at offset 23 of 'blocked<[4], lanes [32]'");
  EXPECT_EQ(parseError("blocked<[4], lanes [32]> x"), "expected the end at offset 25 of 'blocked<[4], lanes [32]> x'");
  EXPECT_EQ(parseError("linear<-> ()"), "expected '>' at offset 12 of 'linear<-> ()'");
  EXPECT_EQ(parseError("linear<lane [(5)] -> (d0 4)>"), "basis (5) of 'lane' lies outside of output 'd0' of size 4");
  EXPECT_EQ(parseError("blocked<[4], lanes [1, 32]>"), "vector [4], lanes [1, 32] and warps [1] differ in rank");
  EXPECT_EQ(parseError("blocked<[3], lanes [32]>"), "3 of 'register' is not a power of two");
  EXPECT_EQ(parseError("blocked<[0], lanes [32]>"), "0 of 'register' is not a power of two");
  EXPECT_EQ(parseError("blocked<[4], lanes [2] x0>"), "0 of 'lane' is not a power of two");
  EXPECT_EQ(parseError("blocked<[4], lanes [64]>"), "[64] of 'lane' are more than 32");
  EXPECT_EQ(parseError("blocked<[4], lanes [32] x2>"), "[32] x2 of 'lane' are more than 32");
  EXPECT_EQ(parseError("blocked<[1, 1], lanes [1, 32], warps [8, 8]>"), "[8, 8] of 'warp' are more than 32");
  EXPECT_EQ(parseError("blocked<[8192], lanes [1]>"), "[8192] of 'register' are more than 4096");
  EXPECT_EQ(parseError("blocked<[4], lanes [16], warps [2]>"),
            "a thread group of 2 warps has 32 lanes in each of them, not 16");
  EXPECT_EQ(parseError("blocked<[1, 1, 1, 1, 1, 1, 1], lanes [1, 1, 1, 1, 1, 1, 1]>"),
            "a tile has at most 6 dimensions, not 7");
}

TEST(DistributedLayout, ErrorsOfMaps) {
  EXPECT_EQ(parseError("linear<lane [(1)] -> (d0 2)>"), "a layout has the inputs register, lane, warp");
  EXPECT_EQ(parseError("linear<lane [(1)], register [], warp [] -> (d0 2)>"),
            "a layout has the inputs register, lane, warp");
  EXPECT_EQ(parseError("linear<register [], lane [(1)], warp [] -> (x 2)>"),
            "output 0 of a layout is named 'd0', not 'x'");
  EXPECT_EQ(parseError("linear<register [(1), (0)], lane [], warp [] -> (d0 2)>"),
            "basis 1 of 'register' is zero: a thread holds an element once");
  EXPECT_EQ(parseError("linear<register [(1)], lane [(3)], warp [] -> (d0 4)>"),
            "basis 0 of 'lane' is not one power of two along one dimension");
  EXPECT_EQ(parseError("linear<register [(1, 1)], lane [], warp [] -> (d0 2, d1 2)>"),
            "basis 0 of 'register' is not one power of two along one dimension");
  EXPECT_EQ(parseError("linear<register [(1)], lane [(2), (1)], warp [] -> (d0 4)>"),
            "basis 1 of 'lane' is an earlier basis again");
  EXPECT_EQ(parseError("linear<register [(1)], lane [(4)], warp [] -> (d0 8)>"),
            "some elements of the base tile belong to no thread");
  EXPECT_EQ(parseError("linear<register [], lane [(), (), (), (), (), ()], warp [] -> ()>"),
            "a warp has 32 lanes, not 64");
  EXPECT_EQ(parseError("linear<register [], lane [], warp [(1)] -> (d0 2)>"),
            "a thread group of 2 warps has 32 lanes in each of them, not 1");
  std::string registers;
  for (int bit = 0; bit < 13; ++bit)
    registers += (bit ? ", (" : "(") + std::to_string(1 << bit) + ")";
  EXPECT_EQ(parseError("linear<register [" + registers + "], lane [], warp [] -> (d0 8192)>"),
            "a thread has at most 4096 registers of a base tile, not 8192");
  EXPECT_EQ(parseError("linear<register [], lane [(), (), (), (), ()], warp [(), (), (), (), (), ()] -> ()>"),
            "a thread group has at most 32 warps, not 64");
}

TEST(DistributedLayout, ErrorsOfShapes) {
  DistributedLayout layout = parsedLayout("blocked<[1, 4], lanes [4, 8]>");
  auto error = [&](const Shape &shape) {
    Expected<Placement> placement = layout.on(shape);
    EXPECT_FALSE(placement);
    return placement ? "" : placement.message();
  };
  EXPECT_EQ(error({4}), "a layout of rank 2 cannot hold a tile of rank 1");
  EXPECT_EQ(error({6, 32}),
            "extent 6 of dimension 0 is neither a multiple of the layout's 4 nor a smaller power of two");
  EXPECT_EQ(error({4, 24}),
            "extent 24 of dimension 1 is neither a multiple of the layout's 32 nor a smaller power of two");
  EXPECT_EQ(error({0, 32}),
            "extent 0 of dimension 0 is neither a multiple of the layout's 4 nor a smaller power of two");
  EXPECT_EQ(error({4, -32}),
            "extent -32 of dimension 1 is neither a multiple of the layout's 32 nor a smaller power of two");
  EXPECT_EQ(error({int64_t(1) << 62, 1 << 20}), "a tile of more than 2^40 elements cannot be held in registers");
  for (const Shape &shape : {Shape{4, 32}, Shape{12, 96}, Shape{2, 32}, Shape{1, 1}, Shape{2, 160}})
    EXPECT_TRUE(layout.on(shape));
}

TEST(DistributedLayout, APermutationRenamesDimensions) {
  DistributedLayout layout = parsedLayout("blocked<[1, 4], lanes [4, 8], warps [2, 4]>");
  const int64_t swapped[] = {1, 0}, shape[] = {16, 128}, back[] = {128, 16};
  DistributedLayout other = layout.permuted(swapped);
  EXPECT_EQ(other.permuted(swapped), layout);
  Placement from = *layout.on(shape), to = *other.on(back);
  ASSERT_EQ(from.registersPerThread(), to.registersPerThread());
  for (int64_t thread = 0; thread < from.threads(); ++thread)
    for (int64_t reg = 0; reg < from.registersPerThread(); ++reg) {
      Coordinate at = from.coordinate(reg, thread);
      std::swap(at[0], at[1]);
      EXPECT_EQ(to.coordinate(reg, thread), at);
    }
}

TEST(DistributedLayout, AProductSpreadsEveryElementOnce) {
  for (int64_t group : {1, 8, 32, 128, 256, 1024})
    for (int64_t rows : {1, 2, 16, 64, 128})
      for (int64_t columns : {1, 4, 32, 64, 128}) {
        const int64_t shape[] = {1, rows, columns};
        Expected<DistributedLayout> layout = DistributedLayout::product(shape, group);
        ASSERT_TRUE(layout) << layout.message();
        EXPECT_EQ(layout->groupThreads(), static_cast<unsigned>(group));
        Placement placement = *layout->on(shape);
        EXPECT_EQ(placement.registersPerThread() * group, rows * columns * placement.replication());
        // Threads hold copies only where there are more of them than vectors of four columns.
        if (columns >= 4 && rows * columns >= 4 * group)
          EXPECT_EQ(placement.replication(), 1) << layout->str();
      }
  const int64_t square[] = {128, 128};
  EXPECT_EQ(DistributedLayout::product(square, 256)->str(), "blocked<[1, 4], lanes [4, 8], warps [8, 1]>");
  const int64_t small[] = {64, 64};
  EXPECT_EQ(DistributedLayout::product(small, 256)->str(), "blocked<[1, 4], lanes [4, 8], warps [4, 2]>");
  EXPECT_FALSE(DistributedLayout::product(square, 48));
  EXPECT_FALSE(DistributedLayout::product(std::span(square).first(1), 32));
}

} // namespace
