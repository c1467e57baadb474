// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.h"

namespace explicit_level {
namespace {

TEST(ExplicitMemory, StartsPoisonedInEveryCluster) {
  launch{"poison", {3}, 1, {2}}.run([](thread &self) {
    const auto floats = self.shared<float, 2>(at(1), 0, {8, 8});
    const auto numbers = self.shared<std::int32_t, 1>(at(2), 1, {4});
    EXPECT_TRUE(std::isnan(self.read(at(3), floats)(7, 7)));
    EXPECT_EQ(self.read(at(4), numbers)(3), -1);
    self.write(at(5), floats)(7, 7) = 1;
    self.write(at(6), numbers)(3) = 1;
  });
}

TEST(ExplicitMemory, BelongsToTheThreadsOfOneBlock) {
  under_all_seeds([] {
    launch{"share", {1}, 2, {2}}.run([](thread &self) {
      const auto pair = self.alloc_barriers(at(1), 0, 1, 2);
      const auto numbers = self.shared<std::int64_t, 1>(at(2), 0, {2});
      self.write(at(3), numbers)(self.index()) = self.cluster_rank() * 10 + self.index();
      self.barrier_arrive(at(4), pair, 0);
      self.barrier_wait(at(5), pair, 0, false);
      EXPECT_EQ(self.read(at(6), numbers)(1 - self.index()), self.cluster_rank() * 10 + 1 - self.index());
    });
  });
}

TEST(ExplicitMemory, IsLimited) {
  EXPECT_EQ(error_of({"large", {1}},
                     [](thread &self) {
                       self.shared<float, 2>(at(1), 0, {128, 256});
                       self.shared<float, 2>(at(1), 0, {128, 256}); // The same.
                       self.shared<float, 2>(at(2), 1, {128, 256});
                     }),
            "large: kernel.cpp:2:3: a block has 232448 bytes of shared memory, and this takes 131072 after 131072: use "
            "smaller tiles");
}

TEST(ExplicitMemory, AFenceIsForTheWritesOfItsOwnThread) {
  under_all_seeds([] {
    matrix<float> x(1, 8, -1.0F);
    launch{"fences", {1}, 2}.run([&](thread &self) {
      const auto pair = self.alloc_barriers(at(1), 0, 1, 2);
      const auto xs = self.shared<float, 1>(at(2), 0, {8});
      self.write(at(3), xs.part(at(3), 0, self.index() * 4, 4))(0) = 5;
      if (self.index() == 0)
        self.fence_shared(at(4));
      self.barrier_arrive(at(5), pair, 0);
      self.barrier_wait(at(6), pair, 0, false);
      if (self.index() == 0) {
        self.fence_shared(at(7));
        self.copy_to_global(at(8), xs, window(x.view()), true);
        self.wait_group(at(9), 0);
      }
    });
    EXPECT_EQ(x.at(0, 0), 5.0F);
    EXPECT_TRUE(std::isnan(x.at(0, 4))) << "thread 1 has no fence";
  });
}

/// What a copy to shared memory brings where the thread has written before.
float copied_over_a_write(bool has_fence) {
  matrix<float> x(1, 8, 3.0F);
  float result = 0;
  launch{"over", {1}}.run([&](thread &self) {
    const auto here = self.alloc_barriers(at(1), 0, 1, 1);
    const auto xs = self.shared<float, 1>(at(2), 0, {8});
    self.write(at(3), xs.part(at(3), 0, 2, 3))(1) = 5;
    if (has_fence)
      self.fence_shared(at(4));
    self.copy_to_shared(at(5), window(x.view()), xs, here, 0);
    self.barrier_wait(at(6), here, 0, false);
    EXPECT_EQ(self.read(at(7), xs)(1), 3.0F);
    result = self.read(at(7), xs)(3);
  });
  return result;
}

TEST(ExplicitMemory, WritesWithoutAFenceComeAfterCopies) {
  under_all_seeds([] {
    EXPECT_EQ(copied_over_a_write(/*has_fence=*/true), 3.0F);
    EXPECT_EQ(copied_over_a_write(/*has_fence=*/false), 5.0F);
  });
}

TEST(ExplicitMemory, ProductsSeeFencedWritesAlone) {
  launch{"products", {1}}.run([](thread &self) {
    const auto xs = self.shared<bf16, 2>(at(1), 0, {64, 64});
    const auto out = self.write(at(2), xs.transpose({1, 0}));
    for (int i = 0; i < 64 * 64; ++i)
      out(i / 64, i % 64) = bf16(1);
    tegula::cpu::accumulator<float> early({64, 64}, 0.0F), late({64, 64}, 0.0F);
    self.wgmma(at(3), early, xs, xs);
    self.wgmma_wait(at(4), 0);
    self.fence_shared(at(5));
    self.wgmma(at(6), late, xs, xs);
    self.wgmma_wait(at(7), 0);
    EXPECT_TRUE(std::isnan(early(9, 9)));
    EXPECT_EQ(late(9, 9), 64.0F);
  });
}

TEST(ExplicitMemory, AccessesStayInsideArrays) {
  matrix<float> x(6, 5);
  const auto error_at = [&](std::int64_t row, std::int64_t column) {
    return error_of({"inside", {1}},
                    [&](thread &self) { self.read(at(3), window(x.view()).part(0, row, 4).part(1, column, 2)); });
  };
  EXPECT_EQ(error_at(0, 0), "");
  EXPECT_EQ(error_at(2, 3), "");
  EXPECT_EQ(error_at(3, 0), "inside: kernel.cpp:3:3: elements 3 to 6 of dimension 0 are accessed, which has 6: only "
                            "copies may reach over the edges of an array");
  EXPECT_EQ(error_at(0, -1), "inside: kernel.cpp:3:3: elements -1 to 0 of dimension 1 are accessed, which has 5: only "
                             "copies may reach over the edges of an array");
}

TEST(ExplicitMemory, WindowsStayInsideSharedMemory) {
  EXPECT_EQ(
      error_of({"parts", {1}}, [](thread &self) { self.shared<float, 2>(at(1), 0, {8, 8}).part(at(2), 1, 4, 8); }),
      "parts: kernel.cpp:2:3: elements 4 to 11 are not inside dimension 1, which has 8");
}

TEST(ExplicitMemory, WindowsOfWindowsAddUp) {
  matrix<float> x(6, 5);
  const auto outer = window(x.view()).part(0, 4, 4).part(1, -2, 4);
  const auto inner = outer.part(0, 1, 2).part(1, 3, 3);
  EXPECT_EQ(outer.dim(0), 2);
  EXPECT_EQ(outer.dim(1), 2);
  EXPECT_EQ(inner.dim(0), 1);
  EXPECT_EQ(inner.dim(1), 3);
  EXPECT_EQ(inner.select(0, 0).inside(at(1)).data(), x.values.data() + 5 * 5 + 1);
}

TEST(ExplicitMemory, AGridWithoutPointsRunsNothing) {
  launch{"none", {3, 0}}.run([](thread &) { ADD_FAILURE(); });
  int runs = 0;
  launch{"once", {}}.run([&](thread &) { ++runs; });
  EXPECT_EQ(runs, 1);
}

} // namespace
} // namespace explicit_level
