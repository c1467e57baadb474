// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.h"

#include <map>

namespace explicit_level {
namespace {

using tegula::cpu::event;
using tegula::cpu::event_kind;

struct recorder final : tegula::cpu::observer {
  struct seen {
    event_kind kind;
    int block, thread, line;
    std::int64_t operation, number, bytes;
    int target, barrier;
  };
  std::vector<seen> events;

  recorder() { tegula::cpu::set_observer(this); }
  ~recorder() override { tegula::cpu::set_observer(nullptr); }
  void on(const event &e) override {
    events.push_back({e.kind, e.block, e.thread, e.where.line, e.operation, e.number,
                      e.memory != nullptr ? e.memory->bytes() : 0, e.target, e.barrier});
  }
  int count(event_kind kind) const {
    int result = 0;
    for (const seen &e : events)
      result += e.kind == kind;
    return result;
  }
};

/// x -> shared memory -> x, doubled, by a block of a cluster of two that share the first copy.
void pass_through(matrix<float> &x) {
  launch{"pass", {1}, 1, {2}}.run([&](thread &self) {
    const auto here = self.alloc_barriers(at(1), "here", 0, 1, 1);
    const auto xs = self.shared<float, 2>(at(2), 0, {8, 4});
    self.copy_to_shared(at(3), window(x.view()).part(0, 0, 8), xs, here, 0, {0});
    self.barrier_wait(at(4), here, 0, false);
    const auto from = self.read(at(5), xs);
    const auto to = self.write(at(6), xs);
    for (int i = 0; i < 32; ++i)
      to(i / 4, i % 4) = 2 * from(i / 4, i % 4);
    self.fence_shared(at(7));
    self.copy_to_global(at(8), xs, window(x.view()).part(0, 8 * (1 + self.cluster_rank()), 8), true);
    self.wait_group(at(9), 0);
  });
}

TEST(ExplicitObserver, SeesEverythingOnce) {
  under_all_seeds([] {
    matrix<float> x(24, 4, 1.0F);
    const recorder record;
    pass_through(x);
    EXPECT_EQ(x.at(23, 3), 2.0F);
    for (const event_kind twice :
         {event_kind::thread_begin, event_kind::thread_end, event_kind::read, event_kind::write, event_kind::fence,
          event_kind::load_begin, event_kind::arrive, event_kind::phase_end, event_kind::wait_begin,
          event_kind::wait_end, event_kind::store_begin, event_kind::store_read, event_kind::store_end,
          event_kind::commit, event_kind::group_wait_begin, event_kind::group_wait_end})
      EXPECT_EQ(record.count(twice), 2) << static_cast<int>(twice);
    EXPECT_EQ(record.count(event_kind::load_end), 4); // A half of each copy for each block.
  });
}

TEST(ExplicitObserver, SeesCausesBeforeEffects) {
  under_all_seeds([] {
    matrix<float> x(24, 4, 1.0F);
    const recorder record;
    pass_through(x);
    std::map<std::int64_t, int> loads_begun;
    int parts[2] = {}, phases[2] = {};
    for (const recorder::seen &e : record.events) {
      if (e.kind == event_kind::load_begin) {
        EXPECT_EQ(e.line, 3);
        EXPECT_EQ(e.bytes, 128);
        loads_begun[e.operation] = 1;
      } else if (e.kind == event_kind::load_end) {
        EXPECT_EQ(e.line, 3);
        EXPECT_EQ(loads_begun.count(e.operation), 1U);
        ++parts[e.target];
      } else if (e.kind == event_kind::phase_end) {
        EXPECT_EQ(parts[e.target], 2);
        EXPECT_EQ(e.number, 0);
        phases[e.target] = 1;
      } else if (e.kind == event_kind::wait_end) {
        EXPECT_EQ(phases[e.block], 1);
      }
    }
  });
}

TEST(ExplicitObserver, DecidesWithTheSeedAlone) {
  const auto order = [](std::uint64_t seed) {
    tegula::cpu::set_seed(seed);
    matrix<float> x(24, 4, 1.0F);
    const recorder record;
    pass_through(x);
    std::string result;
    for (const recorder::seen &e : record.events)
      result += std::to_string(static_cast<int>(e.kind)) + "." + std::to_string(e.block) + " ";
    return result;
  };
  std::map<std::string, int> orders;
  for (std::uint64_t seed = 0; seed < seed_count; ++seed) {
    ++orders[order(seed)];
    EXPECT_EQ(order(seed), order(seed));
  }
  EXPECT_GT(orders.size(), seed_count / 2);
  tegula::cpu::set_seed(0);
}

struct refuser final : tegula::cpu::observer {
  refuser() { tegula::cpu::set_observer(this); }
  ~refuser() override { tegula::cpu::set_observer(nullptr); }
  void on(const event &e) override {
    if (e.kind == event_kind::read)
      tegula::cpu::fail(e.where, "this is not allowed");
  }
};

TEST(ExplicitObserver, MayEndTheLaunch) {
  matrix<float> x(24, 4, 1.0F);
  const refuser refuse;
  try {
    pass_through(x);
    ADD_FAILURE();
  } catch (const tegula::error &problem) {
    EXPECT_STREQ(problem.what(), "pass: kernel.cpp:5:3: this is not allowed");
  }
}

} // namespace
} // namespace explicit_level
