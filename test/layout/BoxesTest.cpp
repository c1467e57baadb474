// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes are gone through as lowering does, by registers and bits of threads, and compared with where elements are.

#include "layout/Boxes.h"
#include "LayoutTestSupport.h"
#include "layout/Relayout.h"

#include <random>
#include <set>

using namespace tegula::layout;

namespace {

Placement placed(const std::string &layout, const Shape &shape) {
  return tegula::layout::placed(parsedLayout(layout), shape);
}

/// Each register of each thread is in one box, at a place that no other element of the box has.
void checkBoxes(const Boxes &boxes, const Placement &placement) {
  SCOPED_TRACE(text(placement.shape()) + " in " + text(boxes.shape()) + " as " + placement.base().str());
  int64_t registers = placement.registersPerThread();
  std::vector<bool> met(static_cast<size_t>(placement.threads() * registers));
  std::set<Coordinate> starts;
  for (int64_t number = 0; number < boxes.count(); ++number) {
    Coordinate start = boxes.start(number);
    ASSERT_TRUE(starts.insert(start).second);
    BoxShare share = boxes.share(placement, start);
    std::vector<std::optional<Coordinate>> places(static_cast<size_t>(product(boxes.shape())));
    for (int64_t thread = 0; thread < placement.threads(); ++thread) {
      Coordinate part = placement.threadPart(thread);
      bool isIn = true;
      for (unsigned dim = 0; dim < placement.rank(); ++dim)
        isIn &= (part[dim] & share.threadBits[dim]) == share.threadValue[dim];
      for (int64_t reg = 0; reg < registers; ++reg) {
        if (!isIn || !share.registers[static_cast<size_t>(reg)])
          continue;
        auto isMet = met[static_cast<size_t>(thread * registers + reg)];
        ASSERT_FALSE(isMet);
        isMet = true;
        Coordinate element = placement.coordinate(reg, thread);
        Coordinate ofThread = boxes.within(part), ofRegister = boxes.within(placement.registerPart(reg)), at = element;
        for (unsigned dim = 0; dim < placement.rank(); ++dim) {
          at[dim] = ofThread[dim] + ofRegister[dim];
          ASSERT_EQ(start[dim] + at[dim], element[dim]);
          ASSERT_LT(at[dim], boxes.shape()[dim]);
        }
        std::optional<Coordinate> &place = places[static_cast<size_t>(rowMajor(at, boxes.shape()))];
        ASSERT_EQ(place.value_or(element), element);
        place = element;
      }
    }
  }
  ASSERT_EQ(std::count(met.begin(), met.end(), false), 0);
}

TEST(Boxes, HaveEachElementOnce) {
  std::mt19937 random(22);
  const Placement placements[] = {
      placed("blocked<[1, 4], lanes [4, 8], warps [2, 2]>", {64, 128}),
      placed("blocked<[4, 1], lanes [32, 1], warps [1, 4]>", {64, 128}),
      placed("blocked<[1, 4], lanes [4, 8], warps [2, 2]>", {24, 64}),
      placed("blocked<[1, 2], lanes [2, 4] x4>", {4, 1}),
      placed("blocked<[1, 1, 2], lanes [2, 4, 4], warps [2, 1, 1]>", {12, 8, 16}),
      placed(
          "linear<register [(0, 1)], lane [(8, 0), (0, 2), (1, 0), (0, 8), (2, 0)], warp [(4, 0), (0, 4)] -> (d0 16, "
          "d1 16)>",
          {16, 48}),
  };
  for (const Placement &placement : placements)
    for (int i = 0; i < 12; ++i) {
      Boxes boxes(placement.shape());
      for (unsigned dim = 0; dim < placement.rank(); ++dim)
        for (unsigned halves = random() % 5; halves > 0 && boxes.shape()[dim] > 1; --halves)
          boxes.halve(dim);
      ASSERT_NO_FATAL_FAILURE(checkBoxes(boxes, placement));
    }
}

TEST(Boxes, OfAThirdAreTwo) {
  Boxes boxes({3, 5});
  EXPECT_EQ(boxes.count(), 1);
  boxes.halve(1);
  EXPECT_EQ(boxes.shape(), (Shape{3, 4}));
  boxes.halve(0);
  EXPECT_EQ(boxes.shape(), (Shape{2, 4}));
  EXPECT_EQ(boxes.count(), 4);
  EXPECT_EQ(boxes.start(3), (Coordinate{2, 4}));
  EXPECT_EQ(boxes.within({2, 3}), (Coordinate{0, 3}));
}

/// What a relayout takes fits, whatever it may take, and is as much as that allows.
TEST(Boxes, OfRelayoutsFit) {
  Placement from = placed("blocked<[4, 1], lanes [32, 1], warps [1, 8]>", {128, 128});
  Placement to = placed("blocked<[1, 4], lanes [4, 8], warps [8, 1]>", {128, 128});
  for (int64_t bits : {1, 8, 16, 32, 64})
    for (int64_t memory : {16, 1000, 12 * 1024, 48 * 1024}) {
      MemoryRelayout plan = planRelayout(from, to, bits, memory).memory;
      int64_t bytes = std::max<int64_t>(1, bits / 8);
      EXPECT_LE(plan.elements * bytes, memory);
      EXPECT_TRUE(plan.boxes.count() == 1 || plan.elements * 2 * bytes > memory);
      EXPECT_EQ(plan.boxes.count(), 128 * 128 / product(plan.boxes.shape()));
      if (plan.boxes.count() > 16)
        continue;
      ASSERT_NO_FATAL_FAILURE(checkBoxes(plan.boxes, from));
      ASSERT_NO_FATAL_FAILURE(checkBoxes(plan.boxes, to));
    }
}

/// Columns from 64 on are in other registers, before and after: no thread has to ask. Of rows, each side would.
TEST(Boxes, AreCutWhereRegistersTell) {
  Placement from = placed("blocked<[4, 1], lanes [32, 1], warps [1, 8]>", {128, 128});
  Placement to = placed("blocked<[1, 4], lanes [4, 8], warps [8, 1]>", {128, 128});
  Boxes boxes = planRelayout(from, to, 32, 48 * 1024).memory.boxes;
  EXPECT_EQ(boxes.shape(), (Shape{128, 64}));
  EXPECT_EQ(boxes.threadBits(from) + boxes.threadBits(to), 0U);
  Boxes rows({128, 128}, {64, 128});
  EXPECT_EQ(rows.threadBits(from), 1U);
  EXPECT_EQ(rows.threadBits(to), 0U);
}

} // namespace
