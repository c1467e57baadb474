// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.h"

#include <set>

namespace explicit_level {
namespace {

TEST(ExplicitWarps, RunInAnyOrderAndEndTogether) {
  std::set<std::vector<std::int64_t>> orders;
  under_all_seeds([&] {
    std::vector<std::int64_t> order;
    launch{"order", {1}, 1}.run([&](thread &self) {
      self.warps(at(1), [&](thread &warp, std::int64_t number) {
        EXPECT_EQ(warp.index(), 0);
        warp.fence_shared(at(2));
        order.push_back(number);
      });
      EXPECT_EQ(order.size(), 4U);
    });
    orders.insert(order);
  });
  EXPECT_GT(orders.size(), 3U);
}

TEST(ExplicitWarps, RememberThePhasesThatEachHasWaitedFor) {
  under_all_seeds([] {
    std::vector<int> seen;
    int value = 0;
    launch{"phases", {1}, 1}.run([&](thread &self) {
      const auto ready = self.alloc_barriers(at(1), "ready", 0, 1, 1), all = self.alloc_barriers(at(2), "all", 1, 1, 4);
      bool parity = false; // As the program of the thread counts: without the phases of its warps.
      for (int round = 0; round < 3; ++round) {
        self.warps(at(3), [&](thread &warp, std::int64_t number) {
          bool own = parity, own_ready = false;
          for (int i = 0; i < 3; ++i, own = !own) {
            if (number == 1) {
              value = 3 * round + i;
              warp.barrier_arrive(at(4), ready, 0);
            } else if (number == 2) {
              warp.barrier_wait(at(5), ready, 0, own_ready);
              own_ready = !own_ready;
              seen.push_back(value);
            }
            warp.barrier_arrive(at(6), all, 0);
            warp.barrier_wait(at(7), all, 0, own);
          }
        });
        // The warps agree on this one: the thread may wait for it, too.
        for (int arrival = 0; arrival < 4; ++arrival)
          self.barrier_arrive(at(8), all, 0);
        self.barrier_wait(at(9), all, 0, parity);
        parity = !parity;
      }
    });
    EXPECT_EQ(seen, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  });
}

TEST(ExplicitWarps, DoNotLeaveAThreadPhasesThatDiffer) {
  EXPECT_EQ(error_of({"differ", {1}, 1},
                     [](thread &self) {
                       const auto ready = self.alloc_barriers(at(1), "ready", 0, 1, 1);
                       self.warps(at(2), [&](thread &warp, std::int64_t number) {
                         if (number == 0)
                           warp.barrier_arrive(at(3), ready, 0);
                         if (number == 1)
                           warp.barrier_wait(at(4), ready, 0, false);
                       });
                       self.barrier_wait(at(5), ready, 0, false);
                     }),
            "differ: kernel.cpp:5:3: this warpgroup waits at barrier 'ready', but its warps have waited for different "
            "phases of it: let each warp wait for all of them");
}

TEST(ExplicitWarps, AreNamedWhereTheyWaitForever) {
  EXPECT_EQ(error_of({"stuck", {1}, 2},
                     [](thread &self) {
                       const auto here = self.alloc_barriers(at(1), "here", 0, 1, 2);
                       if (self.index() == 1)
                         self.warps(at(2), [&](thread &warp, std::int64_t number) {
                           if (number == 2)
                             warp.barrier_wait(at(3), here, 0, false);
                         });
                     }),
            "stuck: kernel.cpp:3:3: deadlock in cluster 0: warpgroups wait, and nothing in flight can end a wait:\n  "
            "kernel.cpp:3:3: warp 2 of warpgroup 1 waits for phase 0 of barrier 'here', which lacks 2 of 2 arrivals");
}

TEST(ExplicitWarps, HaveGroupsOfCopiesWhichTheThreadWaitsFor) {
  under_all_seeds([] {
    matrix<float> x(4, 4, 0.0F);
    launch{"groups", {1}, 1}.run([&](thread &self) {
      const auto rows = self.shared<float, 2>(at(1), 0, {4, 4});
      self.warps(at(2), [&](thread &warp, std::int64_t number) {
        for (int k = 0; k < 4; ++k)
          warp.write(at(3), rows.part(at(3), 0, number, 1))(0, k) = static_cast<float>(10 * number + k);
        warp.fence_shared(at(4));
        warp.copy_to_global(at(5), rows.part(at(3), 0, number, 1), window(x.view()).part(0, number, 1),
                            /*commit=*/true);
        if (number == 3) {
          warp.wait_group(at(6), 0);
          EXPECT_EQ(x.at(3, 2), 32.0F);
        }
      });
      self.wait_group(at(7), 0);
      for (int i = 0; i < 4; ++i)
        EXPECT_EQ(x.at(i, 1), static_cast<float>(10 * i + 1));
    });
  });
}

// A copy sees what its warp has fenced, not what another one of the thread has written.
TEST(ExplicitWarps, FenceTheirOwnWrites) {
  int wrong = 0;
  under_all_seeds([&] {
    matrix<float> x(1, 4, 0.0F);
    launch{"fences", {1}, 1}.run([&](thread &self) {
      const auto row = self.shared<float, 2>(at(1), 0, {1, 4});
      const auto written = self.alloc_barriers(at(2), "written", 0, 1, 1);
      self.warps(at(3), [&](thread &warp, std::int64_t number) {
        if (number == 0) {
          warp.write(at(4), row)(0, 0) = 1.0F;
          warp.barrier_arrive(at(5), written, 0);
        } else if (number == 1) {
          warp.barrier_wait(at(6), written, 0, false);
          warp.fence_shared(at(7));
          warp.copy_to_global(at(8), row, window(x.view()), /*commit=*/true);
          warp.wait_group(at(9), 0);
        }
      });
    });
    wrong += x.at(0, 0) != 1.0F;
  });
  EXPECT_GT(wrong, 0);
}

} // namespace
} // namespace explicit_level
