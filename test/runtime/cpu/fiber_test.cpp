// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu/fiber.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace {

using tegula::cpu::detail::fiber;
using tegula::cpu::detail::stack_pool;

TEST(Fiber, TakesTurns) {
  stack_pool stacks;
  std::string said;
  fiber *first = nullptr, *second = nullptr;
  fiber a(stacks, [&] {
    for (const char *word : {"a", "b", "c"}) {
      said += word;
      first->pause();
    }
  });
  fiber b(stacks, [&] {
    said += "1";
    second->pause();
    said += "2";
  });
  first = &a;
  second = &b;
  while (!a.has_ended() || !b.has_ended()) {
    if (!a.has_ended())
      a.resume();
    if (!b.has_ended())
      b.resume();
  }
  EXPECT_EQ(said, "a1b2c");
}

TEST(Fiber, ThrowsWhereItIsResumed) {
  stack_pool stacks;
  fiber *self = nullptr;
  fiber f(stacks, [&] {
    try {
      self->pause();
      throw std::runtime_error("inside");
    } catch (const std::logic_error &) {
    }
  });
  self = &f;
  f.resume();
  EXPECT_FALSE(f.has_ended());
  EXPECT_THROW(f.resume(), std::runtime_error);
  EXPECT_TRUE(f.has_ended());
}

TEST(Fiber, ThatIsGivenUpDestroysWhatItHolds) {
  stack_pool stacks;
  int alive = 0;
  struct counted {
    int &count;
    explicit counted(int &of) : count(of) { ++count; }
    counted(const counted &) = delete;
    ~counted() { --count; }
  };
  {
    fiber *self = nullptr;
    fiber f(stacks, [&] {
      const counted outer(alive);
      [&] {
        const counted inner(alive);
        self->pause();
        ADD_FAILURE() << "it goes on";
      }();
    });
    self = &f;
    f.resume();
    EXPECT_EQ(alive, 2);
  }
  EXPECT_EQ(alive, 0);
  {
    const fiber never_begun(stacks, [&] { alive = 5; });
  }
  EXPECT_EQ(alive, 0);
}

TEST(Fiber, StacksAreUsedAgain) {
  stack_pool stacks;
  void *first = stacks.take();
  void *second = stacks.take();
  EXPECT_NE(first, second);
  stacks.give_back(second);
  EXPECT_EQ(stacks.take(), second);
}

} // namespace
