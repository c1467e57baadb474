// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.h"

namespace explicit_level {
namespace {

/// A place of one count, as generated code names it.
auto place(std::int32_t &count) { return tegula::cpu::window(tegula::cpu::ref<std::int32_t, 0>(&count, {}, {})); }

TEST(ExplicitGrid, ClustersOfALaunchWaitForOneAnother) {
  under_all_seeds([] {
    std::int32_t told = 0;
    std::vector<std::int64_t> order;
    // The last cluster goes first.
    launch{"order", {5}, 2, {}, 128, residency::all}.run([&](thread &self) {
      const std::int64_t mine = self.programs(0) - 1 - self.program(0);
      self.semaphore_wait(at(1), place(told), 2 * mine, /*decrement=*/false);
      order.push_back(self.program(0));
      self.semaphore_signal(at(2), place(told), 1);
    });
    EXPECT_EQ(order, (std::vector<std::int64_t>{4, 4, 3, 3, 2, 2, 1, 1, 0, 0}));
    EXPECT_EQ(told, 10);
  });
}

TEST(ExplicitGrid, OneOfSeveralGetsACount) {
  under_all_seeds([] {
    std::int32_t free = 2;
    int inside = 0;
    launch{"lock", {7}, 1, {2}, 128, residency::all}.run([&](thread &self) {
      const auto unused = self.shared<float, 1>(at(9), 0, {32});
      self.semaphore_wait(at(1), place(free), 2, /*decrement=*/true);
      EXPECT_EQ(++inside, 1);
      self.write(at(2), unused)(0) = 1; // Others go on.
      EXPECT_EQ(self.semaphore_read(at(3), place(free)), 0);
      --inside;
      self.semaphore_signal(at(4), place(free), 2);
    });
    EXPECT_EQ(free, 2);
  });
}

TEST(ExplicitGrid, AllComeToItsBarrierEachTime) {
  under_all_seeds([] {
    int come = 0;
    launch{"rounds", {3, 2}, 2, {2}, 128, residency::all}.run([&](thread &self) {
      for (int round = 1; round < 5; ++round) {
        ++come;
        self.grid_barrier(at(1));
        EXPECT_EQ(come, 24 * round);
        self.grid_barrier(at(2));
      }
    });
  });
}

TEST(ExplicitGrid, ClustersBeginInTheirOrder) {
  under_all_seeds([] {
    std::int32_t told = 0;
    std::vector<std::int64_t> order;
    launch{"chain", {300}, 1, {}, 128, residency::some}.run([&](thread &self) {
      self.semaphore_wait(at(1), place(told), self.program(0), /*decrement=*/false);
      order.push_back(self.program(0));
      self.semaphore_signal(at(2), place(told), 1);
    });
    ASSERT_EQ(order.size(), 300U);
    for (std::int64_t i = 0; i < 300; ++i)
      EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
  });
}

TEST(ExplicitGrid, DeadlocksSayWhoWaitsForWhat) {
  std::int32_t told = 0;
  EXPECT_EQ(error_of({"never", {3}, 1, {}, 128, residency::all},
                     [&](thread &self) {
                       if (self.program(0) == 1)
                         self.grid_barrier(at(7));
                       if (self.program(0) == 2)
                         self.semaphore_wait(at(8), place(told), 4, /*decrement=*/true);
                     }),
            "never: kernel.cpp:7:3: deadlock of 2 clusters: their warpgroups wait, and nothing in flight can end a "
            "wait:\n  kernel.cpp:7:3: warpgroup 0 of cluster 1 waits at the barrier of the grid for 2 of 3 "
            "warpgroups\n  kernel.cpp:8:3: warpgroup 0 of cluster 2 waits until a semaphore is 4, which is 0");
  const std::string text = error_of({"later", {30}, 1, {}, 128, residency::some}, [&](thread &self) {
    if (self.program(0) < 29)
      self.semaphore_wait(at(3), place(told), 1, /*decrement=*/false);
    else
      self.semaphore_signal(at(4), place(told), 1);
  });
  EXPECT_NE(
      text.find("the kernel says that CTAs wait only for earlier ones, so that later ones may not be resident:\n"),
      std::string::npos)
      << text;
  // Of many, some are named.
  const std::string many = error_of({"many", {30}, 1, {}, 128, residency::all}, [&](thread &self) {
    self.semaphore_wait(at(3), place(told), 1, /*decrement=*/false);
  });
  EXPECT_NE(many.find("\n  and warpgroups of 22 more"), std::string::npos) << many;
}

TEST(ExplicitGrid, WhoReadsAgainAndAgainKeepsNobodyWaiting) {
  under_all_seeds([] {
    std::int32_t told = 0;
    launch{"polls", {3}, 1, {}, 128, residency::all}.run([&](thread &self) {
      if (self.program(0) == 2)
        self.semaphore_signal(at(1), place(told), 1);
      while (self.semaphore_read(at(2), place(told)) == 0) {
      }
    });
  });
  std::int32_t told = 0;
  EXPECT_EQ(error_of({"polls", {3}, 1, {}, 128, residency::all},
                     [&](thread &self) {
                       while (self.semaphore_read(at(2), place(told)) == 0) {
                       }
                     }),
            "polls: kernel.cpp:2:3: deadlock of 3 clusters: their warpgroups wait, and nothing in flight can end a "
            "wait:\n  kernel.cpp:2:3: warpgroup 0 of cluster 0 polls a semaphore, which is 0\n  kernel.cpp:2:3: "
            "warpgroup 0 of cluster 1 polls a semaphore, which is 0\n  kernel.cpp:2:3: warpgroup 0 of cluster 2 polls "
            "a semaphore, which is 0");
}

// One cluster tests a barrier that nobody arrives at, where another thread of it waits for a semaphore of the second
// cluster; that one waits at the barrier of the grid, and the third one reads a semaphore.
TEST(ExplicitGrid, WhoPollsIsPartOfADeadlockOfClusters) {
  under_all_seeds([] {
    std::int32_t told = 0;
    EXPECT_EQ(error_of({"mixed", {3}, 2, {}, 128, residency::all},
                       [&](thread &self) {
                         const auto here = self.alloc_barriers(at(1), "here", 0, 1, 1);
                         if (self.program(0) == 0 && self.index() == 0) {
                           while (!self.barrier_test(at(2), here, 0, false)) {
                           }
                         } else if (self.program(0) == 0) {
                           self.semaphore_wait(at(3), place(told), 1, /*decrement=*/false);
                         } else if (self.program(0) == 1 && self.index() == 0) {
                           self.grid_barrier(at(4));
                         } else if (self.program(0) == 2 && self.index() == 1) {
                           while (self.semaphore_read(at(5), place(told)) == 0) {
                           }
                         }
                       }),
              "mixed: kernel.cpp:2:3: deadlock of 3 clusters: their warpgroups wait, and nothing in flight can end a "
              "wait:\n  kernel.cpp:2:3: warpgroup 0 of cluster 0 tests for phase 0 of barrier 'here', which lacks 1 of "
              "1 arrivals\n  kernel.cpp:3:3: warpgroup 1 of cluster 0 waits until a semaphore is 1, which is 0\n  "
              "kernel.cpp:4:3: warpgroup 0 of cluster 1 waits at the barrier of the grid for 5 of 6 warpgroups\n  "
              "kernel.cpp:5:3: warpgroup 1 of cluster 2 polls a semaphore, which is 0");
  });
}

// A signal of another cluster ends what a test keeps waiting, however often that was made before.
TEST(ExplicitGrid, WhoPollsBesideASlowClusterIsNoDeadlock) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    tegula::cpu::set_seed(seed);
    std::int32_t told = 0;
    std::int64_t tests = 0;
    launch{"slow", {2}, 2, {}, 128, residency::all}.run([&](thread &self) {
      const auto here = self.alloc_barriers(at(1), "here", 0, 1, 1);
      if (self.program(0) == 1) {
        while (self.index() == 0 && tests < 70000)
          self.fence_shared(at(2)); // Which changes nothing that another thread waits for.
        if (self.index() == 0)
          self.semaphore_signal(at(3), place(told), 1);
      } else if (self.index() == 0) {
        while (!self.barrier_test(at(4), here, 0, false))
          ++tests;
      } else {
        self.semaphore_wait(at(5), place(told), 1, /*decrement=*/true);
        self.barrier_arrive(at(6), here, 0);
      }
    });
    EXPECT_EQ(told, 0);
  }
  tegula::cpu::set_seed(0);
}

TEST(ExplicitGrid, AnErrorEndsAllClusters) {
  std::int32_t told = 0;
  EXPECT_EQ(error_of({"fails", {9}, 1, {}, 128, residency::all},
                     [&](thread &self) {
                       if (self.program(0) == 8)
                         fail(at(5), "this one fails");
                       self.semaphore_wait(at(3), place(told), 1, /*decrement=*/false);
                     }),
            "fails: kernel.cpp:5:3: this one fails");
}

} // namespace
} // namespace explicit_level
