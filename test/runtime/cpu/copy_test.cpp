// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.h"

namespace explicit_level {
namespace {

/// 1, 2, 3...
matrix<float> counted(std::int64_t rows, std::int64_t columns) {
  matrix<float> result(rows, columns);
  for (std::size_t i = 0; i < result.values.size(); ++i)
    result.values[i] = static_cast<float>(i + 1);
  return result;
}

TEST(ExplicitCopy, FillsWhatLiesOutsideTheArray) {
  matrix<float> x = counted(6, 5);
  for (const std::int64_t row : {-100, -3, 0, 4, 6, 100})
    for (const std::int64_t column : {-8, -4, 0, 4, 8})
      launch{"fill", {1}}.run([&](thread &self) {
        const auto here = self.alloc_barriers(at(1), "here", 0, 1, 1);
        const auto xs = self.shared<float, 2>(at(2), 0, {4, 8});
        self.copy_to_shared(at(3), window(x.view()).part(0, row, 4).part(1, column, 8), xs, here, 0);
        self.barrier_wait(at(4), here, 0, false);
        const auto got = self.read(at(5), xs);
        for (std::int64_t i = 0; i < 4; ++i)
          for (std::int64_t j = 0; j < 8; ++j) {
            const bool is_inside = row + i >= 0 && row + i < 6 && column + j >= 0 && column + j < 5;
            ASSERT_EQ(got(i, j), is_inside ? x.at(row + i, column + j) : 0.0F) << row << " " << column;
          }
      });
}

TEST(ExplicitCopy, WritesWhatLiesInsideTheArray) {
  for (const std::int64_t row : {0, 4, 6})
    for (const std::int64_t column : {0, 4, 8}) {
      matrix<float> x(6, 5, -1.0F);
      launch{"clip", {1}}.run([&](thread &self) {
        const auto xs = self.shared<float, 2>(at(1), 0, {4, 8});
        const auto out = self.write(at(2), xs);
        for (int i = 0; i < 32; ++i)
          out(i / 8, i % 8) = static_cast<float>(i);
        self.fence_shared(at(3));
        self.copy_to_global(at(4), xs, window(x.view()).part(0, row, 4).part(1, column, 8), true);
        self.wait_group(at(5), 0);
      });
      for (std::int64_t i = 0; i < 6; ++i)
        for (std::int64_t j = 0; j < 5; ++j) {
          const bool is_inside = i >= row && i < row + 4 && j >= column && j < column + 8;
          ASSERT_EQ(x.at(i, j), is_inside ? static_cast<float>((i - row) * 8 + j - column) : -1.0F);
        }
    }
}

/// What a launch of one copy of x at these places says.
std::string refusal(matrix<float> &x, std::int64_t row, std::int64_t column, bool is_store, bool is_inside = false) {
  try {
    launch{"refused", {1}}.run([&](thread &self) {
      const auto here = self.alloc_barriers(at(1), "here", 0, 1, 1);
      const auto xs = self.shared<float, 2>(at(2), 0, {4, 8});
      const auto place = window(x.view()).part(0, row, 4).part(1, column, 8);
      if (is_store)
        self.copy_to_global(at(3), xs, place, true, tegula::cpu::copy_reduction::none, is_inside);
      else
        self.copy_to_shared(at(3), place, xs, here, 0);
    });
  } catch (const std::exception &failure) {
    return failure.what();
  }
  return "";
}

TEST(ExplicitCopy, BeginsWhereTmaCan) {
  matrix<float> x = counted(6, 8);
  const std::string in_a_row = "refused: kernel.cpp:3:3: a copy begins at element 2 of a row: TMA copies begin at "
                               "multiples of 16 bytes, here of 4 elements";
  EXPECT_EQ(refusal(x, 0, 2, false), in_a_row);
  EXPECT_EQ(refusal(x, 0, 2, true), in_a_row);
  // TMA would take the lower 32 bits: the first rows.
  EXPECT_EQ(refusal(x, std::int64_t{1} << 32, 0, false),
            "refused: kernel.cpp:3:3: a copy begins at index 4294967296 of axis 0: TMA coordinates have 32 bits, from "
            "-2^31 to 2^31 - 1");
  EXPECT_EQ(refusal(x, 0, -(std::int64_t{1} << 31) - 4, true),
            "refused: kernel.cpp:3:3: a copy begins at index -2147483652 of axis 1: TMA coordinates have 32 bits, from "
            "-2^31 to 2^31 - 1");
  EXPECT_EQ(refusal(x, -1, 0, true), "refused: kernel.cpp:3:3: a copy to an array begins at index -1 of axis 0: TMA "
                                     "cannot write a window that begins before the array");
}

TEST(ExplicitCopy, KeepsItsPromiseToBeInside) {
  matrix<float> x = counted(6, 8);
  EXPECT_EQ(refusal(x, 3, 0, true), "");
  EXPECT_EQ(refusal(x, 2, 0, true, /*is_inside=*/true), "");
  EXPECT_EQ(refusal(x, 3, 0, true, /*is_inside=*/true),
            "refused: kernel.cpp:3:3: elements 3 to 6 of axis 0 are copied, which has 6: .oob_mode promises that none "
            "is out of bounds");
  EXPECT_EQ(refusal(x, 0, 4, true, /*is_inside=*/true),
            "refused: kernel.cpp:3:3: elements 4 to 11 of axis 1 are copied, which has 8: .oob_mode promises that none "
            "is out of bounds");
}

TEST(ExplicitCopy, OfAnyDimensionsAndStrides) {
  // A transposed array, of which a matrix is taken at one index of the last dimension, to one stage of a ring.
  std::vector<float> x(3 * 4 * 5);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i);
  const ref<float, 3> transposed(x.data(), {5, 4, 3}, {1, 5, 20});
  launch{"any", {1}}.run([&](thread &self) {
    const auto here = self.alloc_barriers(at(1), "here", 0, 1, 1);
    const auto ring = self.shared<float, 3>(at(2), 0, {2, 4, 4});
    const auto stage = ring.select(at(3), 0, 1);
    self.copy_to_shared(at(3), window(transposed).select(2, 2).part(0, 2, 4).part(1, 1, 4), stage, here, 0);
    self.barrier_wait(at(4), here, 0, false);
    const auto got = self.read(at(5), ring);
    for (std::int64_t i = 0; i < 4; ++i)
      for (std::int64_t j = 0; j < 4; ++j) {
        ASSERT_EQ(got(1, i, j), i < 3 && j < 3 ? transposed(2 + i, 1 + j, 2) : 0.0F);
        ASSERT_TRUE(std::isnan(got(0, i, j)));
      }
  });
}

TEST(ExplicitCopy, OfTransposedWindows) {
  std::vector<float> x(2 * 6 * 5);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i);
  const ref<float, 3> array(x.data(), {6, 2, 5}, {10, 5, 1});
  launch{"turned", {1}}.run([&](thread &self) {
    const auto here = self.alloc_barriers(at(1), "here", 0, 1, 1);
    const auto xs = self.shared<float, 2>(at(2), 0, {4, 8});
    const auto turned = window(array).select(1, 1).transpose({1, 0}).part(0, 2, 4).part(1, -1, 8);
    EXPECT_EQ(turned.dim(0), 3);
    EXPECT_EQ(turned.dim(1), 6);
    self.copy_to_shared(at(3), turned, xs, here, 0);
    self.barrier_wait(at(4), here, 0, false);
    for (std::int64_t i = 0; i < 4; ++i)
      for (std::int64_t j = 0; j < 8; ++j)
        ASSERT_EQ(xs(i, j), i < 3 && j > 0 && j < 7 ? array(j - 1, 1, 2 + i) : 0.0F);
  });
}

TEST(ExplicitCopy, MulticastReachesEveryBlockAndItsBarrier) {
  matrix<float> x = counted(7, 16);
  under_all_seeds([&] {
    launch{"share", {1}, 1, {2, 3}}.run([&](thread &self) {
      const auto here = self.alloc_barriers(at(1), "here", 0, 1, 1);
      const auto xs = self.shared<float, 2>(at(2), 0, {8, 16});
      const std::int64_t row = self.cluster_index(0); // The same for the blocks along axis 1.
      self.copy_to_shared(at(3), window(x.view()).part(0, row, 8), xs, here, 0, {1});
      self.barrier_wait(at(4), here, 0, false);
      const auto got = self.read(at(5), xs);
      for (std::int64_t i = 0; i < 8; ++i)
        for (std::int64_t j = 0; j < 16; ++j)
          ASSERT_EQ(got(i, j), row + i < 7 ? x.at(row + i, j) : 0.0F);
    });
  });
}

/// Two copies, of 1 and 2, each a group; what is written over their source after `wait`.
template <class Wait> int seeds_with_wrong_copies(Wait wait) {
  return count_seeds([&] {
    matrix<float> x(2, 8, -1.0F);
    launch{"groups", {1}}.run([&](thread &self) {
      const auto xs = self.shared<float, 2>(at(1), 0, {2, 8});
      for (int i = 0; i < 2; ++i) {
        const auto row = self.write(at(2), xs.select(at(2), 0, i));
        for (int j = 0; j < 8; ++j)
          row(j) = static_cast<float>(i + 1);
        self.fence_shared(at(3));
        self.copy_to_global(at(4), xs.select(at(4), 0, i), window(x.view()).select(0, i));
        self.commit_group(at(4));
      }
      wait(self);
      const auto again = self.write(at(6), xs.select(at(6), 0, 0));
      for (int j = 0; j < 8; ++j)
        again(j) = 9;
      self.fence_shared(at(7));
      self.wait_group(at(8), 0);
    });
    EXPECT_EQ(x.at(1, 7), 2.0F);
    return x.at(0, 7) != 1.0F;
  });
}

TEST(ExplicitCopy, ReadsItsSourceLate) {
  EXPECT_EQ(seeds_with_wrong_copies([](thread &self) { self.wait_group_read(at(5), 1); }), 0);
  EXPECT_EQ(seeds_with_wrong_copies([](thread &self) { self.wait_group(at(5), 1); }), 0);
  EXPECT_GE(seeds_with_wrong_copies([](thread &self) { self.wait_group_read(at(5), 2); }), seed_count / 2);
}

TEST(ExplicitCopy, IsWrittenWhenItsGroupIsWaitedFor) {
  int late = 0;
  under_all_seeds([&] {
    matrix<float> x(1, 8, -1.0F);
    launch{"written", {1}}.run([&](thread &self) {
      const auto xs = self.shared<float, 1>(at(1), 0, {8});
      self.write(at(2), xs)(3) = 5;
      self.fence_shared(at(3));
      self.copy_to_global(at(4), xs, window(x.view()), true);
      self.wait_group_read(at(5), 0);
      late += x.at(0, 3) != 5.0F;
      self.wait_group(at(6), 0);
      EXPECT_EQ(x.at(0, 3), 5.0F);
    });
  });
  EXPECT_GE(late, seed_count / 2);
}

TEST(ExplicitCopy, ThatNobodyWaitsForIsFound) {
  matrix<float> x(8, 4);
  const launch shape = {"hasty", {1}};
  const int found = count_seeds([&] {
    return error_of(shape,
                    [&](thread &self) {
                      const auto here = self.alloc_barriers(at(1), "here", 0, 1, 1);
                      self.copy_to_shared(at(3), window(x.view()), self.shared<float, 2>(at(2), 0, {8, 4}), here, 0);
                    }) == "hasty: kernel.cpp:3:3: this copy to shared memory is still in flight at the end of its CTA: "
                          "the memory then belongs to another CTA, so wait at the copy's barrier";
  });
  EXPECT_GE(found, seed_count / 2);
}

} // namespace
} // namespace explicit_level
