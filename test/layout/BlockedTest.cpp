// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayoutTestSupport.h"

#include <bit>

using namespace tegula::layout;

namespace {

const std::vector<Shape> &shapes() {
  static const std::vector<Shape> all = {{},
                                         {1},
                                         {2},
                                         {3},
                                         {8},
                                         {32},
                                         {96},
                                         {100},
                                         {128},
                                         {192},
                                         {1000},
                                         {1024},
                                         {2048},
                                         {1, 1},
                                         {1, 256},
                                         {256, 1},
                                         {2, 2},
                                         {7, 5},
                                         {4, 100},
                                         {64, 8},
                                         {8, 64},
                                         {16, 192},
                                         {192, 16},
                                         {3, 512},
                                         {1024, 2},
                                         {1, 1, 1},
                                         {1, 64, 1},
                                         {2, 3, 4},
                                         {8, 8, 8},
                                         {5, 1, 160},
                                         {4, 4, 4, 4},
                                         {1, 2, 1, 8},
                                         {3, 1, 2, 6},
                                         {2, 2, 2, 2, 2},
                                         {1, 3, 1, 3, 1},
                                         {2, 2, 2, 2, 2, 2},
                                         {1, 1, 4, 1, 1, 64},
                                         {3, 2, 1, 2, 1, 12}};
  return all;
}

Placement blockedOn(const Shape &shape, int64_t group, int64_t vector) {
  Expected<DistributedLayout> layout = DistributedLayout::blocked(shape, group, vector);
  EXPECT_TRUE(layout) << layout.message();
  Expected<Placement> placement = layout->on(shape);
  EXPECT_TRUE(placement) << placement.message();
  return *placement;
}

bool allPowersOfTwo(const Shape &shape) {
  return std::all_of(shape.begin(), shape.end(),
                     [](int64_t extent) { return std::has_single_bit(static_cast<uint64_t>(extent)); });
}

/// The largest power of two that divides each extent.
Shape powerParts(const Shape &shape) {
  Shape parts;
  for (int64_t extent : shape)
    parts.push_back(extent & -extent);
  return parts;
}

TEST(Blocked, KeepsEveryPromise) {
  for (const Shape &shape : shapes())
    for (int64_t group = 1; group <= 1024; group *= 2)
      for (int64_t vector : {1, 2, 8}) {
        SCOPED_TRACE("thread group " + std::to_string(group) + " vector " + std::to_string(vector));
        Expected<DistributedLayout> layout = DistributedLayout::blocked(shape, group, vector);
        ASSERT_TRUE(layout) << layout.message();
        ASSERT_EQ(layout->groupThreads(), group);
        ASSERT_TRUE(layout->asBlocked());
        ASSERT_EQ(*DistributedLayout::create(*layout->asBlocked()), *layout);
        ASSERT_EQ(parsedLayout(layout->str()), *layout);
        Placement placement = blockedOn(shape, group, vector);
        ASSERT_NO_FATAL_FAILURE(checkPlacement(placement));
        ASSERT_EQ(placement.threads(), group);

        // Threads hold copies only once everything that powers of two can split is split.
        int64_t chunks = product(powerParts(shape));
        int64_t width = std::min(vector, chunks);
        ASSERT_EQ(placement.replication(), std::max<int64_t>(1, group / (chunks / width)));
        if (!shape.empty()) {
          unsigned inner = placement.rank() - 1;
          ASSERT_EQ(placement.contiguousVector(inner), std::min(vector, powerParts(shape).back()));
        }
      }
}

TEST(Blocked, ContiguousVectorIsItsDefinition) {
  for (const Shape &shape : shapes())
    for (int64_t group : {2, 32, 128})
      for (int64_t vector : {1, 4, 16})
        checkContiguousVectors(blockedOn(shape, group, vector));
}

TEST(Blocked, PowersOfTwoAreDealtOutInMemoryOrder) {
  // Thread after thread takes the next vector of the dense array, round after round, whatever the rank.
  int checked = 0;
  for (const Shape &shape : shapes()) {
    if (!allPowersOfTwo(shape))
      continue;
    for (int64_t group = 1; group <= 1024; group *= 2)
      for (int64_t vector : {1, 2, 4, 8, 16}) {
        Placement placement = blockedOn(shape, group, vector);
        int64_t width = std::min(vector, product(shape));
        int64_t owners = std::min(group, product(shape) / width);
        for (int64_t thread = 0; thread < group; ++thread)
          for (int64_t reg = 0; reg < placement.registersPerThread(); ++reg) {
            int64_t index = (reg / width * owners + thread % owners) * width + reg % width;
            ASSERT_EQ(placement.coordinate(reg, thread), fromRowMajor(index, shape))
                << text(shape) << " thread group " << group << " vector " << vector;
            ++checked;
          }
      }
  }
  EXPECT_GT(checked, 100000);
}

TEST(Blocked, OddFactorsRepeat) {
  EXPECT_EQ(DistributedLayout::blocked(Shape{192}, 128, 4)->str(), "blocked<[4], lanes [16] x2, warps [1] x4>");
  EXPECT_EQ(DistributedLayout::blocked(Shape{64, 192}, 128, 4)->str(), "blocked<[1, 4], lanes [2, 16], warps [4, 1]>");
  EXPECT_EQ(DistributedLayout::blocked(Shape{1024, 2}, 64, 4)->str(), "blocked<[2, 2], lanes [32, 1], warps [2, 1]>");
  EXPECT_EQ(DistributedLayout::blocked(Shape{3}, 32, 4)->str(), "blocked<[1], lanes [1] x32>");
  EXPECT_EQ(DistributedLayout::blocked(Shape{}, 1, 1)->str(), "blocked<[], lanes []>");
  EXPECT_EQ(DistributedLayout::blocked(Shape{int64_t(1) << 40}, 1024, 1)->str(),
            "blocked<[1], lanes [32], warps [32]>");
  Placement placement = blockedOn({64, 192}, 128, 4);
  EXPECT_EQ(placement.registersPerThread(), 96);
  // Row 8 begins after the three base tiles (8 x 64) of the rows before.
  EXPECT_EQ(placement.registerPart(4), (Coordinate{0, 64}));
  EXPECT_EQ(placement.registerPart(12), (Coordinate{8, 0}));
}

TEST(Blocked, DenseAccessesAreCoalesced) {
  for (int64_t group : {1, 32, 256})
    for (int64_t bytes : {1, 2, 4, 8})
      for (int64_t vector = 1; vector * bytes <= 16; vector *= 2)
        for (const Shape &shape : {Shape{4096}, Shape{4, 1024}, Shape{64, 64}, Shape{2, 3, 2048}}) {
          Placement placement = blockedOn(shape, group, vector);
          for (int64_t segment : {32, 128}) {
            AccessCost cost = placement.accessCost(denseStrides(shape), bytes, vector, segment);
            // The warp's bytes lie together; fewer than a segment touch one.
            int64_t moved = std::min<int64_t>(group, 32) * vector * bytes;
            ASSERT_EQ(cost.accesses * std::min<int64_t>(group, 32) * vector, product(shape));
            ASSERT_EQ(cost.segments, cost.accesses * std::max<int64_t>(1, moved / segment)) << text(shape);
            ASSERT_EQ(cost.segments, cost.leastSegments);
          }
        }
}

TEST(Blocked, RowsWithAnOddFactorAreCoalescedInSectors) {
  // 192 floats: 16 lanes take 256 bytes of a row, the others of the next one.
  Placement placement = blockedOn({64, 192}, 128, 4);
  AccessCost cost = placement.accessCost(Shape{1000, 1}, 4, 4, 32);
  EXPECT_EQ(cost.segments, cost.leastSegments);
  EXPECT_EQ(cost.segments, 64 * 192 * 4 / 32);
}

TEST(Blocked, Errors) {
  auto error = [](const Shape &shape, int64_t group, int64_t vector) {
    Expected<DistributedLayout> layout = DistributedLayout::blocked(shape, group, vector);
    EXPECT_FALSE(layout);
    return layout ? "" : layout.message();
  };
  EXPECT_EQ(error({8}, 0, 1), "a thread group has a power of two of threads from 1 to 1024, not 0");
  EXPECT_EQ(error({8}, 96, 1), "a thread group has a power of two of threads from 1 to 1024, not 96");
  EXPECT_EQ(error({8}, 2048, 1), "a thread group has a power of two of threads from 1 to 1024, not 2048");
  EXPECT_EQ(error({8}, -32, 1), "a thread group has a power of two of threads from 1 to 1024, not -32");
  EXPECT_EQ(error({8}, 32, 0), "a vector is a power of two from 1 to 4096, not 0");
  EXPECT_EQ(error({8}, 32, 3), "a vector is a power of two from 1 to 4096, not 3");
  EXPECT_EQ(error({8}, 32, 8192), "a vector is a power of two from 1 to 4096, not 8192");
  EXPECT_EQ(error({8, 0}, 32, 1), "a tile has extents of at least 1, not 0");
  EXPECT_EQ(error({-1}, 32, 1), "a tile has extents of at least 1, not -1");
  EXPECT_EQ(error({1, 1, 1, 1, 1, 1, 1}, 32, 1), "a tile has at most 6 dimensions, not 7");
}

} // namespace
