// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.h"

namespace explicit_level {
namespace {

TEST(ExplicitBarrier, ParityTellsAPhaseFromTheOneBefore) {
  under_all_seeds([] {
    int value = 0;
    std::vector<int> seen;
    launch{"hand_over", {1}, 2}.run([&](thread &self) {
      const auto full = self.alloc_barriers(at(1), "full", 0, 1, 1),
                 empty = self.alloc_barriers(at(2), "empty", 1, 1, 1);
      for (int i = 0; i < 5; ++i)
        if (self.index() == 0) {
          self.barrier_wait(at(3), empty, 0, i % 2 == 0); // At once in the first round: no phase is open before.
          value = i;
          self.barrier_arrive(at(4), full, 0);
        } else {
          self.barrier_wait(at(5), full, 0, i % 2 != 0);
          seen.push_back(value);
          self.barrier_arrive(at(6), empty, 0);
        }
    });
    EXPECT_EQ(seen, (std::vector<int>{0, 1, 2, 3, 4}));
  });
}

TEST(ExplicitBarrier, APhaseWaitsForAllArrivalsAndBytes) {
  under_all_seeds([] {
    matrix<float> x(8, 4, 3.0F);
    int arrived = 0;
    launch{"all", {1}, 3}.run([&](thread &self) {
      const auto here = self.alloc_barriers(at(1), "here", 0, 2, 3);
      const auto xs = self.shared<float, 2>(at(2), 0, {8, 4});
      if (self.index() == 0) {
        self.copy_to_shared(at(3), window(x.view()), xs, here, 1);
      } else {
        ++arrived;
        self.barrier_arrive(at(4), here, 1);
      }
      self.barrier_wait(at(5), here, 1, false);
      EXPECT_EQ(arrived, 2);
      EXPECT_EQ(self.read(at(6), xs)(7, 3), 3.0F);
    });
  });
}

TEST(ExplicitBarrier, OfAClusterCountsAlongItsAxes) {
  // Along axis 1 alone: 3 blocks each; along both: 2 + 3 - 1.
  under_all_seeds([] {
    int reached[6] = {}, met[6] = {};
    launch{"meet", {1}, 1, {2, 3}}.run([&](thread &self) {
      const auto row = self.alloc_barriers(at(1), "row", 0, 1, 3, {1}),
                 cross = self.alloc_barriers(at(2), "cross", 1, 1, 4, {0, 1});
      const auto rank = static_cast<int>(self.cluster_rank());
      EXPECT_EQ(rank, self.cluster_index(0) * 3 + self.cluster_index(1));
      reached[rank] = 1;
      self.barrier_arrive(at(3), row, 0);
      self.barrier_wait(at(4), row, 0, false);
      for (int other = 0; other < 6; ++other)
        if (other / 3 == rank / 3)
          EXPECT_EQ(reached[other], 1) << other << " seen by " << rank;
      met[rank] = 1;
      self.barrier_arrive(at(5), cross, 0);
      self.barrier_wait(at(6), cross, 0, false);
      for (int other = 0; other < 6; ++other)
        if (other / 3 == rank / 3 || other % 3 == rank % 3)
          EXPECT_EQ(met[other], 1) << other << " seen by " << rank;
    });
  });
}

TEST(ExplicitBarrier, ADeadlockSaysWhoWaitsWhereForWhat) {
  EXPECT_EQ(
      error_of({"stuck", {1}, 3, {2}},
               [](thread &self) {
                 const auto here = self.alloc_barriers(at(1), "here", 0, 2, 2);
                 if (self.cluster_rank() == 1 && self.index() != 1) {
                   if (self.index() == 0)
                     self.barrier_arrive(at(2), here, 1);
                   self.barrier_wait(at(3), here, 1, false);
                 }
               }),
      "stuck: kernel.cpp:3:3: deadlock in cluster 0: warpgroups wait, and nothing in flight can end a wait:\n  "
      "kernel.cpp:3:3: warpgroup 0 of CTA 1 waits for phase 0 of barrier 'here[1]', which lacks 1 of 2 arrivals\n  "
      "kernel.cpp:3:3: warpgroup 2 of CTA 1 waits for phase 0 of barrier 'here[1]', which lacks 1 of 2 arrivals");
}

// Each thread waits at a barrier of its own; one of them in a later phase, with bytes that come from nowhere.
TEST(ExplicitBarrier, ADeadlockTellsOfEveryThread) {
  matrix<float> x(8, 4);
  EXPECT_EQ(
      error_of({"stuck", {1}, 3, {2}},
               [&](thread &self) {
                 const auto full = self.alloc_barriers(at(1), "full", 0, 2, 1);
                 const auto empty = self.alloc_barriers(at(2), "empty", 1, 1, 3);
                 const auto xs = self.shared<float, 2>(at(3), 0, {8, 4});
                 if (self.cluster_rank() == 0 && self.index() == 0) {
                   self.copy_to_shared(at(4), window(x.view()), xs, full, 0);
                   self.barrier_wait(at(5), full, 0, false);
                   self.barrier_wait(at(6), full, 0, true);
                 } else if (self.index() == 1) {
                   self.barrier_arrive(at(7), empty, 0);
                   self.barrier_wait(at(8), empty, 0, false);
                 } else if (self.cluster_rank() == 1 && self.index() == 2) {
                   // The other block, which would fetch its half for both, makes no such copy.
                   self.copy_to_shared(at(9), window(x.view()), xs, full, 1, {0});
                   self.barrier_wait(at(10), full, 1, false);
                 }
               }),
      "stuck: kernel.cpp:6:3: deadlock in cluster 0: warpgroups wait, and nothing in flight can end a wait:\n  "
      "kernel.cpp:6:3: warpgroup 0 of CTA 0 waits for phase 1 of barrier 'full[0]', which lacks 1 of 1 arrivals\n  "
      "kernel.cpp:8:3: warpgroup 1 of CTA 0 waits for phase 0 of barrier 'empty', which lacks 2 of 3 arrivals\n  "
      "kernel.cpp:8:3: warpgroup 1 of CTA 1 waits for phase 0 of barrier 'empty', which lacks 2 of 3 arrivals\n  "
      "kernel.cpp:10:3: warpgroup 2 of CTA 1 waits for phase 0 of barrier 'full[1]', which lacks 64 bytes of copies");
}

// Of threads that test again and again, too: one whose barrier nobody arrives at, beside one that waits for it, one
// that has ended, and one that tests another barrier.
TEST(ExplicitBarrier, TestsThatNothingEndsAreADeadlock) {
  under_all_seeds([] {
    EXPECT_EQ(error_of({"polls", {2}, 4},
                       [](thread &self) {
                         const auto here = self.alloc_barriers(at(1), "here", 0, 2, 2);
                         if (self.index() == 0) {
                           self.barrier_arrive(at(2), here, 1);
                           while (!self.barrier_test(at(3), here, 1, false)) {
                           }
                         } else if (self.index() == 1) {
                           self.barrier_wait(at(4), here, 0, false);
                         } else if (self.index() == 2) {
                           while (!self.barrier_test(at(5), here, 0, false)) {
                           }
                         }
                       }),
              "polls: kernel.cpp:3:3: deadlock in cluster 0: warpgroups wait, and nothing in flight can end a wait:\n  "
              "kernel.cpp:3:3: warpgroup 0 tests for phase 0 of barrier 'here[1]', which lacks 1 of 2 arrivals\n  "
              "kernel.cpp:4:3: warpgroup 1 waits for phase 0 of barrier 'here[0]', which lacks 2 of 2 arrivals\n  "
              "kernel.cpp:5:3: warpgroup 2 tests for phase 0 of barrier 'here[0]', which lacks 2 of 2 arrivals");
  });
}

// Tests that somebody ends are none, however long that takes: the other thread computes, a copy comes, or the thread
// itself counts its tests.
TEST(ExplicitBarrier, TestsThatEndAreNoDeadlock) {
  matrix<float> x(8, 4, 3.0F);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    tegula::cpu::set_seed(seed);
    std::int64_t tests = 0;
    EXPECT_EQ(error_of({"polls", {1}, 2},
                       [&](thread &self) {
                         const auto slow = self.alloc_barriers(at(1), "slow", 0, 1, 1);
                         const auto full = self.alloc_barriers(at(2), "full", 1, 1, 1);
                         const auto given_up = self.alloc_barriers(at(3), "given_up", 2, 1, 1);
                         const auto xs = self.shared<float, 2>(at(4), 0, {8, 4});
                         if (self.index() == 0) {
                           while (!self.barrier_test(at(5), slow, 0, false))
                             ++tests;
                           self.copy_to_shared(at(6), window(x.view()), xs, full, 0);
                           while (!self.barrier_test(at(7), full, 0, false)) {
                           }
                           EXPECT_EQ(self.read(at(8), xs)(7, 3), 3.0F);
                           self.barrier_arrive(at(9), given_up, 0);
                         } else {
                           // Reads change nothing that another thread waits for.
                           const std::int64_t enough = tests + 70000;
                           while (tests < enough)
                             self.read(at(10), xs);
                           self.barrier_arrive(at(11), slow, 0);
                           for (int i = 0; i < 1000 && !self.barrier_test(at(12), given_up, 0, false); ++i) {
                           }
                         }
                       }),
              "");
  }
  tegula::cpu::set_seed(0);
}

TEST(ExplicitBarrier, OneArrivalTooManyIsAnError) {
  matrix<float> x(8, 4);
  EXPECT_EQ(error_of({"over", {1}},
                     [&](thread &self) {
                       const auto here = self.alloc_barriers(at(1), "here", 0, 1, 1);
                       const auto xs = self.shared<float, 2>(at(2), 0, {8, 4});
                       self.copy_to_shared(at(3), window(x.view()), xs, here, 0);
                       self.barrier_arrive(at(4), here, 0);
                     }),
            "over: kernel.cpp:4:3: one arrival more than the 1 that phase 0 of barrier 'here' takes: 128 bytes of "
            "copies must arrive before the next phase; wait for it first");
}

TEST(ExplicitBarrier, TheIndexIsChecked) {
  EXPECT_EQ(error_of({"beside", {1}},
                     [](thread &self) { self.barrier_arrive(at(2), self.alloc_barriers(at(1), "here", 0, 3, 1), 3); }),
            "beside: kernel.cpp:2:3: barrier 3 is out of bounds: there are 3");
}

TEST(ExplicitBarrier, AnErrorInOneThreadEndsTheOthers) {
  EXPECT_EQ(error_of({"fails", {4}, 4, {2}},
                     [](thread &self) {
                       const auto here = self.alloc_barriers(at(1), "here", 0, 1, 1);
                       const std::vector<int> held(1000); // The leak checker's.
                       if (self.index() == 3)
                         tegula::cpu::fail(at(7), "this went wrong");
                       self.barrier_wait(at(2), here, 0, false);
                     }),
            "fails: kernel.cpp:7:3: this went wrong");
}

} // namespace
} // namespace explicit_level
