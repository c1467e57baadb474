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
      const auto pair = self.alloc_barriers(at(1), "pair", 0, 1, 2);
      const auto numbers = self.shared<std::int64_t, 1>(at(2), 0, {2});
      self.write(at(3), numbers)(self.index()) = self.cluster_rank() * 10 + self.index();
      self.barrier_arrive(at(4), pair, 0);
      self.barrier_wait(at(5), pair, 0, false);
      EXPECT_EQ(self.read(at(6), numbers)(1 - self.index()), self.cluster_rank() * 10 + 1 - self.index());
    });
  });
}

TEST(ExplicitMemory, IsTheSameForOneNumber) {
  EXPECT_EQ(error_of({"large", {1}, 1, {}, 3 << 17},
                     [](thread &self) {
                       const auto first = self.shared<float, 2>(at(1), 0, {256, 256});
                       const auto again = self.shared<float, 2>(at(1), 0, {256, 256});
                       EXPECT_EQ(first.data(), again.data());
                       self.shared<float, 2>(at(2), 1, {256, 256});
                     }),
            "large: kernel.cpp:2:3: internal error: the shared memory of the block is larger than 393216 bytes");
}

TEST(ExplicitMemory, IsPoisonedWhenAllThreadsHaveLeftItsScope) {
  under_all_seeds([] {
    launch{"scopes", {1}, 2}.run([](thread &self) {
      const auto pair = self.alloc_barriers(at(1), "pair", 0, 1, 2);
      bool parity = false;
      const auto meet = [&] {
        self.barrier_arrive(at(2), pair, 0);
        self.barrier_wait(at(3), pair, 0, parity);
        parity = !parity;
      };
      const auto numbers = self.shared<std::int32_t, 1>(at(4), 0, {2});
      const int other = 1 - static_cast<int>(self.index());
      self.write(at(5), numbers)(self.index()) = 7;
      if (self.index() == 0)
        self.free(at(6), 0);
      meet();
      if (self.index() == 1) { // Thread 0 has left, but this one has not.
        EXPECT_EQ(self.read(at(7), numbers)(other), 7);
        self.free(at(8), 0);
        EXPECT_EQ(self.read(at(9), numbers)(other), -1);
      }
      meet();
      // A thread that begins the scope again keeps the memory for all.
      self.shared<std::int32_t, 1>(at(10), 0, {2});
      self.write(at(11), numbers)(self.index()) = 8;
      meet();
      if (self.index() == 0) {
        self.free(at(12), 0);
        self.shared<std::int32_t, 1>(at(13), 0, {2});
      }
      meet();
      if (self.index() == 1) {
        self.free(at(14), 0);
        EXPECT_EQ(self.read(at(15), numbers)(other), 8);
      }
    });
  });
}

TEST(ExplicitMemory, WhatReadsItIsDoneBeforeItIsPoisoned) {
  under_all_seeds([] {
    matrix<float> x(1, 8, -1.0F);
    launch{"store", {1}}.run([&](thread &self) {
      const auto xs = self.shared<float, 1>(at(1), 0, {8});
      for (int i = 0; i < 8; ++i)
        self.write(at(2), xs)(i) = static_cast<float>(i);
      self.fence_shared(at(3));
      self.copy_to_global(at(4), xs, window(x.view()), true);
      self.free(at(5), 0);
      EXPECT_TRUE(std::isnan(self.read(at(6), xs)(3)));
      self.wait_group(at(7), 0);
    });
    EXPECT_EQ(x.at(0, 3), 3.0F);
  });
}

TEST(ExplicitMemory, WhatBringsSomethingIsWaitedForInItsScope) {
  matrix<float> x(1, 8, 5.0F);
  EXPECT_EQ(error_of({"forgotten", {1}},
                     [&](thread &self) {
                       const auto xs = self.shared<float, 1>(at(1), 0, {8});
                       const auto here = self.alloc_barriers(at(2), "here", 0, 1, 1);
                       self.copy_to_shared(at(3), window(x.view()), xs, here, 0);
                       self.free(at(4), 0);
                     }),
            "forgotten: kernel.cpp:3:3: this copy to shared memory is still in flight at the end of the scope of its "
            "target, kernel.cpp:4:3: the memory may then be reused, so wait at the copy's barrier");
}

TEST(ExplicitMemory, AFenceIsForTheWritesOfItsOwnThread) {
  under_all_seeds([] {
    matrix<float> x(1, 8, -1.0F);
    launch{"fences", {1}, 2}.run([&](thread &self) {
      const auto pair = self.alloc_barriers(at(1), "pair", 0, 1, 2);
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
    const auto here = self.alloc_barriers(at(1), "here", 0, 1, 1);
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
                            "copies may be out of bounds of an array");
  EXPECT_EQ(error_at(0, -1), "inside: kernel.cpp:3:3: elements -1 to 0 of dimension 1 are accessed, which has 5: only "
                             "copies may be out of bounds of an array");
}

TEST(ExplicitMemory, WindowsStayInsideSharedMemory) {
  EXPECT_EQ(
      error_of({"parts", {1}}, [](thread &self) { self.shared<float, 2>(at(1), 0, {8, 8}).part(at(2), 1, 4, 8); }),
      "parts: kernel.cpp:2:3: elements 4 to 11 are out of bounds of dimension 1, which has 8");
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
