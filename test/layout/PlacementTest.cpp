// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayoutTestSupport.h"

#include <random>

using namespace tegula::layout;

namespace {

constexpr const char *wgmma =
    "linear<register [(0, 1), (8, 0)], lane [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp [(16, 0), (32, 0)] -> "
    "(d0 64, d1 8)>";

TEST(Placement, WgmmaAccumulator) {
  DistributedLayout layout = parsedLayout(wgmma);
  for (const Shape &shape : {Shape{64, 8}, Shape{64, 192}, Shape{128, 24}}) {
    Placement placement = placed(layout, shape);
    checkPlacement(placement);
    EXPECT_FALSE(placement.isReplicated());
    EXPECT_EQ(placement.contiguousVector(1), 2);
    EXPECT_EQ(placement.contiguousVector(0), 1);
    for (int64_t row = 0; row < shape[0]; ++row)
      for (int64_t column = 0; column < shape[1]; ++column) {
        Placement::Owner owner = placement.primaryOwner(Coordinate{row, column});
        ASSERT_EQ(owner.thread, (row % 64) / 16 * 32 + row % 8 * 4 + column % 8 / 2);
        // The order of the instruction's registers, m64 by m64: column block, upper or lower half, column.
        int64_t block = row / 64 * (shape[1] / 8) + column / 8;
        ASSERT_EQ(owner.reg, block * 4 + row % 16 / 8 * 2 + column % 2);
      }
  }
  EXPECT_EQ(placed(layout, {64, 192}).registersPerThread(), 96);
  EXPECT_EQ(placed(layout, {64, 8}).threadFields(),
            (std::vector<ThreadField>{{0, 2, 1, 1}, {2, 3, 0, 0}, {5, 2, 0, 4}}));
}

TEST(Placement, RowsOfTheAccumulator) {
  // What a reduction over columns leaves: the four lanes of a quad hold the same.
  Placement rows = placed(parsedLayout(wgmma).withoutDim(1), {64});
  checkPlacement(rows);
  EXPECT_EQ(rows.registersPerThread(), 2);
  EXPECT_EQ(rows.copyMask(), 3u);
  for (int64_t row = 0; row < 64; ++row)
    EXPECT_EQ(rows.primaryOwner(Coordinate{row}), (Placement::Owner{row % 16 / 8, row / 16 * 32 + row % 8 * 4}));
  // Over rows: copies in the four warps and in the eight rows of lanes.
  Placement columns = placed(parsedLayout(wgmma).withoutDim(0), {24});
  checkPlacement(columns);
  EXPECT_EQ(columns.registersPerThread(), 6);
  EXPECT_EQ(columns.copyMask(), 0x7cu);
  EXPECT_EQ(columns.replication(), 32);
}

TEST(Placement, BroadcastOperandsAreWhereTheyAreNeeded) {
  const DistributedLayout layouts[] = {parsedLayout(wgmma), parsedLayout("blocked<[2, 4], lanes [8, 4], warps [2, 2]>"),
                                       parsedLayout("blocked<[4, 1], lanes [2, 16], warps [4, 2]>")};
  for (const DistributedLayout &layout : layouts) {
    Shape tileShape = {192, 96};
    Placement tile = placed(layout, tileShape);
    for (unsigned dim = 0; dim < 2; ++dim) {
      Shape rowShape = tileShape;
      rowShape[dim] = 1;
      Placement row = placed(layout, rowShape);
      checkPlacement(row);
      // Removing the dimension instead of making it 1 leaves the same registers in the same threads.
      Placement flat = placed(layout.withoutDim(dim), {tileShape[1 - dim]});
      checkPlacement(flat);
      ASSERT_EQ(flat.registersPerThread(), row.registersPerThread());
      for (int64_t reg = 0; reg < tile.registersPerThread(); ++reg) {
        Coordinate part = tile.registerPart(reg);
        part[dim] = 0;
        std::optional<int64_t> source = row.findRegister(part);
        ASSERT_TRUE(source);
        for (int64_t thread = 0; thread < tile.threads(); ++thread) {
          Coordinate at = tile.coordinate(reg, thread);
          ASSERT_EQ(flat.coordinate(*source, thread)[0], at[1 - dim]);
          at[dim] = 0;
          ASSERT_EQ(row.coordinate(*source, thread), at);
        }
      }
    }
  }
}

TEST(Placement, FindRegisterRefusesWhatIsNoRegisterPart) {
  Placement placement = placed(parsedLayout("blocked<[1, 4], lanes [4, 8]>"), {8, 64});
  EXPECT_EQ(placement.findRegister(Coordinate{4, 35}), 3 * 4 + 3);
  EXPECT_EQ(placement.findRegister(Coordinate{0, 4}), std::nullopt);
  EXPECT_EQ(placement.findRegister(Coordinate{1, 0}), std::nullopt);
  EXPECT_EQ(placement.findRegister(Coordinate{8, 0}), std::nullopt);
  EXPECT_EQ(placement.findRegister(Coordinate{0, -1}), std::nullopt);
  EXPECT_EQ(placement.findRegister(Coordinate{0}), std::nullopt);
}

/// Registers by the words of the header: those of the base tile cut to the shape, each once, then again for each
/// repetition.
std::vector<Coordinate> registersByDefinition(const DistributedLayout &layout, const Shape &shape, uint64_t lane,
                                              uint64_t warp) {
  std::vector<Coordinate> within;
  Shape baseShape, counts;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    baseShape.push_back(std::min(shape[dim], static_cast<int64_t>(layout.map().outs()[dim].size())));
    counts.push_back(shape[dim] / baseShape[dim]);
  }
  for (uint64_t reg = 0; reg < layout.map().ins()[0].size(); ++reg) {
    Coordinate at;
    for (uint64_t entry : layout.map().apply(std::vector<uint64_t>{reg, lane, warp}))
      at.push_back(static_cast<int64_t>(entry) % baseShape[at.size()]);
    if (std::find(within.begin(), within.end(), at) == within.end())
      within.push_back(at);
  }
  std::vector<Coordinate> result;
  for (int64_t repetition = 0; repetition < product(counts); ++repetition)
    for (Coordinate at : within) {
      Coordinate tile = fromRowMajor(repetition, counts);
      for (size_t dim = 0; dim < shape.size(); ++dim)
        at[dim] += tile[dim] * baseShape[dim];
      result.push_back(at);
    }
  return result;
}

TEST(Placement, RandomLayouts) {
  std::mt19937 engine(7);
  auto below = [&](unsigned limit) { return std::uniform_int_distribution<unsigned>(0, limit - 1)(engine); };
  for (int round = 0; round < 400; ++round) {
    // Deal the bits of a random base tile out to registers, lanes and warps in random order, with copies in between.
    size_t rank = below(4);
    std::vector<Dim> outs;
    std::vector<std::vector<uint64_t>> bits;
    for (size_t dim = 0; dim < rank; ++dim) {
      outs.push_back({"d" + std::to_string(dim), below(4)});
      for (unsigned bit = 0; bit < outs[dim].bits; ++bit) {
        bits.emplace_back(rank, 0);
        bits.back()[dim] = uint64_t(1) << bit;
      }
    }
    std::shuffle(bits.begin(), bits.end(), engine);
    std::vector<std::vector<std::vector<uint64_t>>> bases(3);
    unsigned groupBits = below(8);
    for (unsigned bit = 0; bit < groupBits; ++bit) {
      std::vector<uint64_t> basis(rank, 0);
      if (below(4) && !bits.empty()) {
        basis = bits.back();
        bits.pop_back();
      }
      bases[bit < 5 ? 1 : 2].push_back(basis);
    }
    bases[0] = bits;
    std::vector<Dim> ins;
    for (const char *name : {"register", "lane", "warp"})
      ins.push_back({name, static_cast<unsigned>(bases[ins.size()].size())});
    Expected<LinearMap> map = LinearMap::create(ins, outs, bases);
    ASSERT_TRUE(map) << map.message();
    Expected<DistributedLayout> layout = DistributedLayout::create(*map);
    ASSERT_TRUE(layout) << layout.message();
    ASSERT_EQ(parsedLayout(layout->str()), *layout);

    Shape shape;
    for (const Dim &dim : outs)
      shape.push_back(below(2) ? static_cast<int64_t>(dim.size()) * (1 + below(3)) : int64_t(1) << below(dim.bits + 1));
    Placement placement = placed(*layout, shape);
    checkPlacement(placement);
    checkContiguousVectors(placement);
    for (int64_t thread = 0; thread < placement.threads(); ++thread) {
      std::vector<Coordinate> expected =
          registersByDefinition(*layout, shape, static_cast<uint64_t>(thread % 32), static_cast<uint64_t>(thread / 32));
      ASSERT_EQ(placement.registersPerThread(), static_cast<int64_t>(expected.size()));
      for (int64_t reg = 0; reg < placement.registersPerThread(); ++reg)
        ASSERT_EQ(placement.coordinate(reg, thread), expected[static_cast<size_t>(reg)]);
    }
  }
}

TEST(Placement, AccessCosts) {
  // A column of a row-major array: each lane its own sector. A row: 16 bytes a lane, all of 16 sectors used.
  Placement column = placed(parsedLayout("blocked<[1, 1], lanes [32, 1]>"), {32, 1});
  AccessCost cost = column.accessCost(Shape{1024, 1}, 4, 1, 32);
  EXPECT_EQ(cost.accesses, 1);
  EXPECT_EQ(cost.segments, 32);
  EXPECT_EQ(cost.leastSegments, 4);
  Placement row = placed(parsedLayout("blocked<[1, 4], lanes [1, 32]>"), {2, 256});
  cost = row.accessCost(Shape{1024, 1}, 4, 4, 32);
  EXPECT_EQ(cost.accesses, 4);
  EXPECT_EQ(cost.segments, 64);
  EXPECT_EQ(cost.leastSegments, 64);
  // The same elements one at a time: every access touches all the sectors of its four.
  cost = row.accessCost(Shape{1024, 1}, 4, 1, 32);
  EXPECT_EQ(cost.accesses, 16);
  EXPECT_EQ(cost.segments, 256);
  EXPECT_EQ(cost.leastSegments, 64);
  // The accumulator: eight rows of one 32-byte sector, with two registers an access.
  Placement accumulator = placed(parsedLayout(wgmma), {64, 8});
  cost = accumulator.accessCost(Shape{4096, 1}, 4, 2, 32);
  EXPECT_EQ(cost.accesses, 8);
  EXPECT_EQ(cost.segments, 64);
  EXPECT_EQ(cost.leastSegments, 64);
  EXPECT_EQ(accumulator.accessCost(Shape{4096, 1}, 4, 2, 128).segments, 64);
  EXPECT_EQ(accumulator.accessCost(Shape{4096, 1}, 4, 2, 128).leastSegments, 16);
  // Copies read one element for all.
  Placement copies = placed(parsedLayout("blocked<[], lanes [] x32, warps [] x2>"), {});
  cost = copies.accessCost({}, 4, 1, 32);
  EXPECT_EQ(cost.accesses, 2);
  EXPECT_EQ(cost.segments, 2);
}

} // namespace
