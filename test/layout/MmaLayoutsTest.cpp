// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "layout/MmaLayouts.h"
#include "LayoutTestSupport.h"

using namespace tegula::layout;

namespace {

/// Who has what of a product, by the figures of the PTX ISA ("Matrix Fragments for mma.m16n8k16", or k32, or k8), where
/// `across` warps stand side by side.
void checkProduct(int64_t rows, int64_t columns, int64_t across, int64_t bytes,
                  Expected<DistributedLayout> (*layoutOf)(int64_t, int64_t, int64_t) = mmaAccumulator) {
  SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns) + " of " + std::to_string(bytes));
  // Neighbours along K in a register, what an instruction sums, and twice of that.
  const int64_t warps = 4, perRegister = 4 / bytes, step = 8 * perRegister, depth = 2 * step;
  Expected<DistributedLayout> sums = layoutOf(rows, columns, 32 * warps);
  ASSERT_TRUE(sums) << sums.message();
  const int64_t shape[] = {rows, columns}, leftShape[] = {rows, depth}, rightShape[] = {columns, depth};
  Expected<Placement> sum = sums->on(shape), left = mmaFactor(MmaFactor::left, *sums, bytes).on(leftShape),
                      right = mmaFactor(MmaFactor::right, *sums, bytes).on(rightShape);
  ASSERT_TRUE(sum && left && right);
  EXPECT_EQ(sum->registersPerThread(), rows * columns / (32 * warps));
  EXPECT_EQ(left->registersPerThread(), rows / (warps / across) * depth / 32);
  EXPECT_EQ(right->registersPerThread(), columns / across * depth / 32);
  for (int64_t thread = 0; thread < 32 * warps; ++thread) {
    int64_t row = thread % 32 / 4, column = thread % 4 * 2;
    for (int64_t first = 0; first < sum->registersPerThread(); first += 4) {
      // The block of 16 x 8 that four registers are of, and the factors' blocks that make it.
      Coordinate at = sum->coordinate(first, thread), block = {at[0] - row, at[1] - column};
      ASSERT_EQ(block[0] % 16, 0);
      ASSERT_EQ(block[1] % 8, 0);
      for (int64_t i = 0; i < 4; ++i)
        EXPECT_EQ(sum->coordinate(first + i, thread), (Coordinate{at[0] + i / 2 * 8, at[1] + i % 2}));
      for (int64_t k = 0; k < depth; k += step) {
        Coordinate part = sum->registerPart(first);
        std::optional<int64_t> a = left->findRegister(Coordinate{part[0], k}),
                               b = right->findRegister(Coordinate{part[1], k});
        ASSERT_TRUE(a && b);
        auto along = [&](int64_t reg) { return k + (thread % 4 + reg / 2 * 4) * perRegister; };
        for (int64_t i = 0; i < 4 * perRegister; ++i)
          EXPECT_EQ(left->coordinate(*a + i, thread),
                    (Coordinate{block[0] + row + i / perRegister % 2 * 8, along(i / perRegister) + i % perRegister}));
        for (int64_t i = 0; i < 2 * perRegister; ++i)
          EXPECT_EQ(right->coordinate(*b + i, thread),
                    (Coordinate{block[1] + row, along(i / perRegister * 2) + i % perRegister}));
      }
    }
  }
}

TEST(MmaLayouts, WarpsShareAProduct) {
  for (int64_t bytes : {1, 2, 4}) {
    checkProduct(64, 256, 4, bytes);
    checkProduct(64, 192, 4, bytes);
    checkProduct(64, 128, 4, bytes);
    checkProduct(64, 64, 2, bytes);
    checkProduct(64, 32, 2, bytes);
    checkProduct(16, 64, 4, bytes);
  }
}

TEST(MmaLayouts, WarpsHaveWholeRows) {
  for (int64_t columns : {16, 64, 80, 128, 256})
    checkProduct(64, columns, 1, 2, mmaAccumulatorOfRows);
  Expected<DistributedLayout> sums = mmaAccumulatorOfRows(64, 128, 128);
  ASSERT_TRUE(sums);
  EXPECT_EQ(mmaFactor(MmaFactor::left, *sums, 2), *sums);
  EXPECT_TRUE(isOfMatrices(mmaFactor(MmaFactor::right, *sums, 2).map(), 2));
  EXPECT_EQ(mmaAccumulatorOfRows(64, 24, 128).message(),
            "4 warps cannot share the rows of a tile of 64 x 24 in blocks of 16 by 16");
}

TEST(MmaLayouts, FactorsConsistOfMatrices) {
  const int64_t shape[] = {64, 16};
  Expected<DistributedLayout> sums = mmaAccumulator(64, 64, 128);
  ASSERT_TRUE(sums);
  for (MmaFactor factor : {MmaFactor::left, MmaFactor::right})
    EXPECT_TRUE(isOfMatrices(mmaFactor(factor, *sums, 2).on(shape)->base(), 2));
  EXPECT_FALSE(isOfMatrices(mmaFactor(MmaFactor::left, *sums, 2).on(shape)->base(), 1));
  // Two matrices to an instruction are too few.
  EXPECT_FALSE(isOfMatrices(mmaFactor(MmaFactor::right, *mmaAccumulator(64, 8, 128), 2).map(), 2));
  EXPECT_FALSE(isOfMatrices(parsedLayout("blocked<[1, 8], lanes [8, 4]>").map(), 2));
  EXPECT_FALSE(isOfMatrices(parsedLayout("blocked<[8], lanes [32]>").map(), 2));
}

TEST(MmaLayouts, ErrorsOfShapes) {
  EXPECT_EQ(mmaAccumulator(24, 8, 128).message(),
            "warps multiply blocks of 16 rows by 8 columns, of which a tile of 24 x 8 does not consist");
  EXPECT_EQ(mmaAccumulator(16, 16, 128).message(),
            "4 warps cannot share a tile of 16 x 16 in blocks of 16 rows by 8 columns");
}

} // namespace
